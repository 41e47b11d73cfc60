"""The way of somebody who uses Rhino on Windows, from `pip install` to closing Rhino, in a new profile.

Runs under Wine, with `python start.py test --windows --all`: `wine.py` brings the wheels, ours among them.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from places import HELPERS, ROOT
from process_tools import engines_of, wait_until

WHEELS = os.environ.get("NSCD_WHEELS")
pytestmark = [
    pytest.mark.skipif(not WHEELS, reason="needs Windows and its wheels: python start.py test --windows --all"),
    pytest.mark.slow,
    pytest.mark.timeout(3600),
]

#: Name with letters that no single code page of Windows has together.
USER = "Łucja 山田"


class Profile:
    """A user of Windows who has just installed Rhino 8.

    Parameters
    ----------
    folder : Path
    """

    def __init__(self, folder):
        from inside import variables

        self.folder = folder
        self.python = folder / ".rhinocode" / "py39-rh8" / "python.exe"
        own = ("PYTHON", "NSCD_", "PYTEST_")
        kept = {name: text for name, text in os.environ.items() if not name.upper().startswith(own)}
        links = Path(WHEELS).as_uri()
        self.environment = dict(kept, PIP_NO_INDEX="1", PIP_FIND_LINKS=links, **variables(str(folder)))
        for name in ("TEMP", "APPDATA"):
            os.makedirs(self.environment[name])
        (Path(self.environment["APPDATA"]) / "Grasshopper").mkdir()  # Grasshopper makes it when it first starts

    def install_rhino(self):
        """Its Python: a whole one, in a folder of the user."""
        skip = shutil.ignore_patterns("site-packages", "__pycache__")
        shutil.copytree(sys.base_prefix, str(self.python.parent), ignore=skip)
        self.run("-m", "ensurepip")

    def run(self, *words, timeout=3000.0):
        """Output of Rhino's Python, which has to end well."""
        command = [str(self.python), *map(str, words)]
        options = {"cwd": str(self.folder), "env": self.environment, "stdin": subprocess.DEVNULL}
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=timeout, **options)
        output = done.stdout.decode("utf-8", "replace").replace("\r\n", "\n")
        assert done.returncode == 0, output
        return output


@pytest.fixture(scope="module")
def profile():
    folder = Path(os.environ["SYSTEMDRIVE"] + os.sep, "users", USER)
    shutil.rmtree(str(folder), ignore_errors=True)
    made = Profile(folder)
    made.install_rhino()
    yield made
    shutil.rmtree(str(folder), ignore_errors=True)


@pytest.fixture(scope="module")
def installed(profile):
    profile.run("-m", "pip", "install", "--quiet", "--no-warn-script-location", "compas_nscd[engine,cad]")
    return profile


@pytest.fixture(scope="module")
def played(installed):
    """Output of the hour with Rhino; PYTHONIOENCODING, because a pipe has but the letters of the code page."""
    before = set(os.listdir(tempfile.gettempdir()))
    script = Path(__file__).with_name("rhino_session.py")
    installed.output = installed.run("-X", "utf8", script, HELPERS)
    installed.added = set(os.listdir(tempfile.gettempdir())) - before
    print(installed.output)
    return installed


def test_the_package_is_that_of_the_wheel(installed):
    code = "import compas_nscd, nscd_engine; print(compas_nscd.__file__, nscd_engine.__file__)"
    told = installed.run("-X", "utf8", "-c", code)
    assert told.count(str(installed.python.parent)) == 2 and str(ROOT) not in told


def test_components_are_installed_into_grasshopper(installed):
    told = installed.run("-m", "compas_nscd.ghuser", "install").split("\n")
    folder = Path(installed.environment["APPDATA"]) / "Grasshopper" / "UserObjects"
    written = sorted(path.name for path in folder.glob("*.ghuser"))
    assert len(written) > 20 and len(written) == len([line for line in told if line.endswith(".ghuser")])


def test_the_hour_goes_well(played):
    for words in ("first static", "slider dragged", "motion cancelled", "engine killed", "Rhino closed"):
        assert words in played.output


def test_nothing_runs_any_more(played):
    assert wait_until(lambda: not engines_of(played.folder))


def test_no_file_tells_of_an_engine_that_has_ended(played):
    home = played.folder / ".nscd"
    assert sorted(path.name for path in (home / "engine").glob("*.json")) == []
    assert [path.name for path in home.glob("environment-old*")] == []
    folders = sorted(path.name for path in home.iterdir() if path.is_dir())
    assert folders == ["engine", "environment", "kernels", "records"]


def test_nothing_temporary_is_left(played):
    left = [name for name in os.listdir(played.environment["TEMP"]) if not name.endswith("cacert.pem")]
    assert left == [] and played.added == set()  # the certificates are those of pip inside of ensurepip, twice
