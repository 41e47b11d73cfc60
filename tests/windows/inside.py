"""What runs inside Windows: a user with a home of his own, compiled kernels, and the chosen tests.

Chosen are the short set, and all tests, but the slow ones, of what Windows does in its own way: processes and the wire,
files and consoles, the components of Grasshopper; and with them at least one analysis of each kind.
"""

import os
import subprocess
import sys
from pathlib import Path

#: Folders of tests, and single modules, that run there as a whole.
FOLDERS = ("client", "cli", "files", "ghpython", "ghfiles", "rhino", "service", "fc3d")
MODULES = ("test_wire", "test_errors", "test_structure", "test_make", "test_recovery", "test_old_files")
#: Tests that say nothing about Windows, and why they are not run twice.
ELSEWHERE = {
    "test_import_contracts_hold": "the sources are the same everywhere",
    "test_syntax_is_that_of_python_3_9": "the sources are the same everywhere",
}


def pytest_collection_modifyitems(config, items):
    """Keep what is chosen."""
    kept = [item for item in items if _chosen(item)]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
    items[:] = kept


def _chosen(item):
    if getattr(item, "originalname", item.name) in ELSEWHERE:
        return False
    path = Path(str(item.fspath))
    whole = path.parent.name in FOLDERS or path.stem in MODULES
    return whole or item.get_closest_marker("short") is not None


def be_somebody(profile):
    """Take a folder for the user's own, as Windows does at log-in; Wine does not let it be said from outside."""
    local = os.path.join(profile, "AppData", "Local")
    temporary = os.path.join(local, "Temp")
    os.makedirs(temporary, exist_ok=True)
    os.environ.update(USERPROFILE=profile, LOCALAPPDATA=local, TEMP=temporary, TMP=temporary)
    os.environ["APPDATA"] = os.path.join(profile, "AppData", "Roaming")


def main(profile, *words):
    be_somebody(profile)
    print("inside: compiling the kernels where that has not been done ...", flush=True)
    if subprocess.run([sys.executable, "-m", "compas_nscd", "doctor", "--warm", "--quiet"]).returncode != 0:
        return "inside: the engine does not work."
    print("inside: running the tests ...", flush=True)
    return subprocess.run([sys.executable, "-m", "pytest", "-p", "inside", *words]).returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
