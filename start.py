"""Set up compas_nscd and run it: the two commands of the README.

    python start.py demo                 an arch from geometry to forces, with picture and report
    python start.py test                 the tests
    python start.py test --python 3.9    the tests on another installed Python
    python start.py test --bounds        the short set and damaged messages with every index of the kernels checked
    python start.py test --windows       on Linux: those that concern Windows, on Windows Python under Wine
    python start.py nscd ARGUMENTS       the `nscd` command, e.g. `python start.py nscd doctor`
    python start.py kernels              compiled kernels of this system and Python, for the wheel
    python start.py setup                set-up alone

Needs CPython 3.9 or newer with pip, nothing else. What it installs goes into `.venv` beside this file (`.venv-3.9` and
so on for another Python); delete that folder to undo everything.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent
OLDEST = (3, 9)
EXTRAS = "engine,cad,png,studies,sensitivity,dev,dotnet"
#: Exit status when the Python asked for is not there.
NOT_INSTALLED = 9


def say(text):
    print("start: " + text, flush=True)


def run(command, **options):
    """Run a command with its output shown; return its exit status."""
    return subprocess.run([str(part) for part in command], cwd=str(ROOT), **options).returncode


def find_python(version):
    """Path of an installed CPython of this version, e.g. "3.9"; None if there is none."""
    if version is None or version == "{}.{}".format(*sys.version_info):
        return sys.executable
    pyenv = Path(os.environ.get("PYENV_ROOT", str(Path.home() / ".pyenv"))) / "versions"
    candidates = [shutil.which("python" + version)]
    candidates += sorted(str(path) for path in pyenv.glob(version + ".*/bin/python"))
    for candidate in filter(None, candidates):
        if answers_as([candidate], version):
            return candidate
    if shutil.which("py") and answers_as(["py", "-" + version], version):
        code = "import sys; print(sys.executable)"
        return subprocess.run(["py", "-" + version, "-c", code], capture_output=True, text=True).stdout.strip()
    return None


def answers_as(command, version):
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    try:
        done = subprocess.run(command + ["-c", code], capture_output=True, text=True)
    except OSError:
        return False
    return done.stdout.strip() == version


def environment_of(version):
    return ROOT / (".venv" if version is None else ".venv-" + version)


def python_in(environment):
    return environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


def make_environment(base, environment):
    say("making {} with {} ...".format(environment.name, base))
    if run([base, "-m", "venv", environment]) == 0:
        return
    # Some Linux distributions ship venv without pip; the pip of the base interpreter can serve both.
    shutil.rmtree(environment, ignore_errors=True)
    if run([base, "-m", "venv", "--without-pip", environment]) != 0:
        sys.exit("start: could not make a virtual environment with {}; is the venv module installed?".format(base))
    if run([base, "-m", "pip", "--python", python_in(environment), "install", "pip"]) != 0:
        sys.exit("start: could not install pip into {}; is pip installed for {}?".format(environment, base))


def needed(base):
    """Changes when the set-up has to be done again: other requirements, another Python, another place."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8") + EXTRAS + str(base) + str(ROOT)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def set_up(version=None):
    """Path of a Python that has the project and all it needs; quick when nothing changed."""
    base = find_python(version)
    if base is None:
        say("Python {} is not installed; install it or leave out --python.".format(version))
        sys.exit(NOT_INSTALLED)
    environment = environment_of(version)
    python, stamp = python_in(environment), environment / "compas_nscd-installed"
    if stamp.exists() and stamp.read_text() == needed(base) and python.exists():
        return python
    if not python.exists():
        make_environment(base, environment)
    say("installing compas_nscd[{}] and what it needs; the first time takes a minute or two ...".format(EXTRAS))
    began = time.time()
    options = ["--disable-pip-version-check", "--no-warn-script-location"]
    if run([python, "-m", "pip", "install", *options, "--editable", ".[{}]".format(EXTRAS)]) != 0:
        sys.exit("start: the installation failed; the lines above say why. It needs access to a package index.")
    compiler()
    stamp.write_text(needed(base))
    say("installed in {:.0f} s.".format(time.time() - began))
    return python


def compiler():
    """Install the C# compiler of the tests of Rhino where that needs no password; without it they are skipped."""
    if not sys.platform.startswith("linux") or shutil.which("mcs"):
        return
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        say("without the C# compiler (Debian: apt-get install mono-mcs) the tests of Rhino's components are skipped.")
        return
    say("installing the C# compiler ...")
    if run(["apt-get", "install", "-y", "-q", "--no-install-recommends", "mono-mcs"], stdout=subprocess.DEVNULL) != 0:
        say("it could not be installed: the tests of Rhino's components are skipped.")


def test(python, version, arguments, rest):
    """Lint and run pytest; the engines of two Pythons are made to talk when a second one is set up."""
    environment = dict(os.environ)
    other = python_in(environment_of("3.9" if version is None else None))
    if other.exists():
        environment["NSCD_OTHER_PYTHON"] = str(other)
    warm(python)
    select = "short" if arguments.short else "" if arguments.all else "not slow"
    command = [python, "-m", "pytest", *(["-m", select] if select else [])]
    say("running the tests{} ...".format(" ({})".format(select) if select else ""))
    return run(command + rest, env=environment) if rest else run_halves(command, environment)


#: Folders of tests that take about as long as all others.
HALF = [
    "tests/nscd_engine/" + name
    for name in ("contacts", "deformable", "kernels", "loads", "motion", "service", "solvers", "statics")
]
#: Two sets of tests that take about the same time.
HALVES = [["tests", *("--ignore=" + name for name in HALF)], HALF]


def run_halves(command, environment):
    """Run the two halves of the tests side by side; what the second one prints follows when the first is done."""
    with tempfile.TemporaryFile() as printed:
        call = [str(part) for part in command + HALVES[1]]
        beside = subprocess.Popen(call, cwd=str(ROOT), env=environment, stdout=printed, stderr=printed)
        try:
            status = run(command + HALVES[0], env=environment)
            say("waiting for the other half ...")
            status = beside.wait() or status
        finally:
            beside.kill()
        printed.seek(0)
        sys.stdout.buffer.write(printed.read())
        sys.stdout.flush()
    return status


#: Tests of kernels that take seconds in plain Python.
PLAIN = ["tests/nscd_engine/kernels/contacts", "tests/nscd_engine/kernels/geometry"]


def test_bounds(python, rest):
    """Run tests with every index of compiled code checked, then those of some kernels without compiling them."""
    say("running the short set and damaged messages with indices checked; compiling takes minutes the first time ...")
    command = [python, "-m", "pytest", "-m", "short or fuzz", "--timeout", "3000", *rest]
    status = run(command, env=dict(os.environ, NUMBA_BOUNDSCHECK="1"))
    say("running kernels as plain Python ...")
    command = [python, "-m", "pytest", "-m", "not slow", *PLAIN, *rest]
    return status or run(command, env=dict(os.environ, NUMBA_DISABLE_JIT="1"))


def warm(python):
    say("compiling the kernels where that has not been done ...")
    if run([python, "-m", "compas_nscd", "doctor", "--warm", "--quiet"]) != 0:
        sys.exit("start: the engine does not work; `python start.py nscd doctor` tells more.")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["demo", "test", "nscd", "kernels", "setup"])
    parser.add_argument("--python", metavar="X.Y", help="use this installed Python instead of the one running now")
    parser.add_argument("--all", action="store_true", help="test: slow cases too")
    parser.add_argument("--short", action="store_true", help="test: the short set")
    parser.add_argument("--bounds", action="store_true", help="test: with every index of compiled code checked")
    parser.add_argument("--windows", action="store_true", help="test: on Linux, what concerns Windows, under Wine")
    if sys.argv[1:2] == ["nscd"]:
        return parser.parse_args(["nscd"]), sys.argv[2:]
    return parser.parse_known_args()


def main():
    if sys.version_info < OLDEST:
        sys.exit("start: Python {}.{} or newer is needed, this is {}.".format(*OLDEST, sys.version.split()[0]))
    arguments, rest = parse()
    if arguments.command == "test" and arguments.windows:
        return run([sys.executable, "tests/windows/wine.py", *(["--all"] if arguments.all else []), *rest])
    python = set_up(arguments.python)
    if arguments.command == "setup":
        say("ready: {}".format(python))
        return 0
    if arguments.command == "test" and arguments.bounds:
        return test_bounds(python, rest)
    if arguments.command == "test":
        return test(python, arguments.python, arguments, rest)
    if arguments.command == "kernels":
        say("compiling all kernels for a processor that most machines have; takes minutes ...")
        return run([python, "-m", "nscd_engine.service.ship_kernels"])
    if arguments.command == "demo":  # compiles what it needs, and says so
        return run([python, "-m", "compas_nscd", "demo", *rest])
    return run([python, "-m", "compas_nscd", *rest])


if __name__ == "__main__":
    sys.exit(main())
