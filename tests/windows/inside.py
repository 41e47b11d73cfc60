"""What runs inside Windows: a user with a home of his own, compiled kernels, and the chosen tests.

Chosen are the short set, and all tests, but the slow ones, of what Windows does in its own way: processes and the wire,
files and consoles, the components of Grasshopper; and with them at least one analysis of each kind. The kernels are
compiled while tests run that do without them.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

#: Folders of tests, and single modules, that run there as a whole.
FOLDERS = ("client", "cli", "files", "ghpython", "rhino", "service")
MODULES = (
    "test_wire", "test_errors", "test_structure", "test_make", "test_recovery", "test_old_files", "test_rhino_user",
)  # fmt: skip
#: Tests, modules and folders that say nothing about Windows, and why they are not run twice.
ELSEWHERE = {
    "kernels": "called one by one they are compiled again; the analyses call them all",
    "test_rpc": "another entry to the same analyses",
    "test_import_contracts_hold": "the sources are the same everywhere",
    "test_syntax_is_that_of_python_3_9": "the sources are the same everywhere",
}
#: Folders and modules whose tests analyse nothing, or in a home of their own: they run while the kernels are compiled.
WITHOUT_KERNELS = {
    "ghfiles", "model", "templates", "test_components", "test_read",
    "test_engine", "test_engine_faults", "test_environment", "test_errors", "test_interpreter", "test_kernel_cache",
    "test_rhino_user", "test_time_limit", "test_windows", "test_wire",
}  # fmt: skip


class Plugin:
    """Chooses and orders the tests, and compiles the kernels if one of them needs any."""

    compiling = None

    def pytest_collection_modifyitems(self, config, items):
        """Keep what is chosen, in two parts."""
        kept = [item for item in items if _chosen(item)]
        config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
        items[:] = sorted(kept, key=_needs_kernels)

    def pytest_collection_finish(self, session):
        """Begin to compile."""
        if any(map(_needs_kernels, session.items)):
            print("inside: compiling the kernels where that has not been done ...", flush=True)
            command = [sys.executable, "-m", "compas_nscd", "doctor", "--warm", "--quiet"]
            self.compiling = subprocess.Popen(command)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)  # before the time of a test begins to count
    def pytest_runtest_protocol(self, item):
        """Wait for the kernels before the second part."""
        if _needs_kernels(item) and self.compiling.wait() != 0:
            pytest.exit("inside: the engine does not work.", 1)
        yield

    def pytest_sessionfinish(self):
        """Leave nothing behind when the tests were broken off."""
        if self.compiling is not None:
            self.compiling.kill()


def _chosen(item):
    places = _places(item)
    if places & set(ELSEWHERE):
        return False
    return bool(places & {*FOLDERS, *MODULES}) or item.get_closest_marker("short") is not None


def _needs_kernels(item):
    return not _places(item) & WITHOUT_KERNELS


def _places(item):
    """Names of a test, of its module, and of the two folders in which that is."""
    return {getattr(item, "originalname", item.name), *Path(str(item.fspath)).with_suffix("").parts[-3:]}


def variables(profile):
    """Environment variables of a user whose folder this is, as Windows sets them at log-in."""
    local = os.path.join(profile, "AppData", "Local")
    temporary = os.path.join(local, "Temp")
    values = {"USERPROFILE": profile, "LOCALAPPDATA": local, "TEMP": temporary, "TMP": temporary}
    return dict(values, APPDATA=os.path.join(profile, "AppData", "Roaming"))


def main(profile, *words):
    os.environ.update(variables(profile))  # Wine does not let it be said from outside
    os.makedirs(os.environ["TEMP"], exist_ok=True)
    return pytest.main(list(words), [Plugin()])


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
