"""What runs inside Windows: a user with a home of his own, compiled kernels, and the chosen tests.

Chosen are all tests, but the slow ones, of what Windows does in its own way: processes and the wire, files and
consoles, the components of Grasshopper; and a few analyses of each kind, because numbers are the same everywhere. Other
modules are not even imported, which takes minutes there. The kernels are compiled while tests run that do without them.
"""

import os
import subprocess
import sys
import threading

import pytest

#: Folders of tests, and single modules, that run there as a whole.
FOLDERS = ("client", "cli", "files", "ghpython", "rhino", "service")
MODULES = ("test_wire", "test_errors", "test_structure", "test_recovery", "test_old_files", "test_rhino_user")
#: Modules of which the short set runs: files of Grasshopper, and an analysis of each kind.
SHORT = ("test_bundles", "test_imports", "test_statics", "test_limit", "test_runs", "test_fc3d")
#: Tests, modules and folders that say nothing about Windows, and why they are not run twice.
ELSEWHERE = {
    "test_damaged_messages": "bytes are read alike everywhere; `test_round_trip` runs there",
    "test_no_part_of_a_message_is_a_message": "as test_damaged_messages",
    "test_headers_that_lie": "as test_damaged_messages",
    "test_rpc": "another entry to the same analyses",
    "test_limit_request": "numbers, and scenes that are made without a system",
    "test_a_damaged_rendezvous_file_is_replaced": "JSON is read alike everywhere; each case starts two engines",
    "test_inside_rhino_the_environment_is_made_whatever_the_interpreter_is_called": "names are compared alike",
    "test_import_contracts_hold": "the sources are the same everywhere",
    "test_syntax_is_that_of_python_3_9": "the sources are the same everywhere",
}
#: Folders and modules whose tests analyse nothing, or in a home of their own: they run while the kernels are compiled.
WITHOUT_KERNELS = {
    "ghfiles", "model", "test_components", "test_dxf", "test_engine", "test_engine_faults",
    "test_environment", "test_errors", "test_handshake", "test_hard_arguments", "test_imports",
    "test_installation", "test_interpreter", "test_interrupts", "test_kernel_cache", "test_old_rhino",
    "test_private_files", "test_read", "test_requests", "test_rhino_user", "test_service",
    "test_time_limit", "test_windows", "test_wire",
}  # fmt: skip
#: Those that run last, because their kernels are compiled last: motions, and contact problems.
WITH_MOTIONS = {
    "fc3d", "motion", "rhino", "test_dynamic_command", "test_example_definitions", "test_live_analysis",
    "test_old_files", "test_recovery", "test_result_components",
}  # fmt: skip


class Kernels:
    """Compiles the kernels in a process of its own, those of motions last."""

    def __init__(self):
        print("inside: compiling the kernels where that has not been done ...", flush=True)
        self.process = subprocess.Popen([sys.executable, __file__], stdout=subprocess.PIPE)
        self.statics, self.all = threading.Event(), threading.Event()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        for line in self.process.stdout:
            if line.startswith(b"dynamic"):
                self.statics.set()
        self.process.wait()
        self.statics.set()
        self.all.set()

    def wait(self, part):
        """Until those are compiled that a part of the tests needs."""
        (None, self.statics, self.all)[part].wait()
        if self.process.poll():
            pytest.exit("inside: the engine does not work.", 1)


def compile_kernels():
    """What the process does: it prints which kernels are compiled; returns those that cannot be."""
    from compas_nscd.client import Engine

    with Engine(reuse=False) as engine:
        return engine.warm(progress=lambda told: print(told["phase"], flush=True))["failed"]


class Plugin:
    """Chooses and orders the tests, and compiles the kernels if one of them needs any."""

    kernels = None

    def pytest_ignore_collect(self, collection_path):
        """Pass over modules of which nothing is chosen."""
        if collection_path.is_file() and not _places(collection_path) & {*FOLDERS, *MODULES, *SHORT}:
            return True
        return None

    def pytest_collection_modifyitems(self, config, items):
        """Keep what is chosen, in three parts."""
        kept = [item for item in items if _chosen(item)]
        config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
        items[:] = sorted(kept, key=_part)

    def pytest_collection_finish(self, session):
        """Begin to compile."""
        if any(map(_part, session.items)):
            self.kernels = Kernels()

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)  # before the time of a test begins to count
    def pytest_runtest_protocol(self, item):
        """Wait for the kernels of the second and the third part."""
        if _part(item):
            self.kernels.wait(_part(item))
        yield

    def pytest_sessionfinish(self):
        """Leave nothing behind when the tests were broken off."""
        if self.kernels is not None:
            self.kernels.process.kill()


def _chosen(item):
    places = _places_of(item)
    if places & set(ELSEWHERE):
        return False
    return bool(places & {*FOLDERS, *MODULES}) or item.get_closest_marker("short") is not None


def _part(item):
    """0 without kernels, 1 with those of statics, 2 with all."""
    places = _places_of(item)
    return 0 if places & WITHOUT_KERNELS else 2 if places & WITH_MOTIONS else 1


def _places_of(item):
    """Names of a test, of its module, and of the two folders in which that is."""
    return {getattr(item, "originalname", item.name), *_places(item.path)}


def _places(path):
    return set(path.with_suffix("").parts[-3:])


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
    sys.exit(main(*sys.argv[1:]) if sys.argv[1:] else 1 if compile_kernels() else 0)
