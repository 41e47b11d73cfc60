"""The environment that compas_nscd keeps for its engine: a virtual environment with numba and scipy.

It is made when first needed, in the engine's home, with the Python that runs this program or another that is found. If
that Python has no `venv`, packages are installed into a folder, which is handed to it when the engine starts. The
sources of the engine are not installed into it: a .pth file points to those of this client, so that both are always of
one release. The file `ready.json` is written last: a folder without it is an unfinished attempt and is deleted.
"""

import contextlib
import glob
import importlib.util
import json
import os
import secrets
import shutil
import subprocess
import sys
import threading
import time
from typing import Callable, Dict, Iterator, List, Optional, Sequence, Tuple

from compas_nscd.client.home import home, locked, patiently
from compas_nscd.client.interpreters.interpreter import Interpreter, no_window, own_executable, without_python
from compas_nscd.client.process import stop_engines
from compas_nscd.errors import CancelledError, EngineStartError

#: Packages that the engine needs; the bounds are those of pyproject's extra `engine`.
PACKAGES = ("numba>=0.60", "scipy>=1.13", "numpy>=1.26")
#: Versions of Python with a release of numba: from the first, below the second.
PYTHONS = ((3, 9), (3, 14))
#: Longest time to wait for another program that makes the environment, and for the last words of pip [s].
PATIENCE_S = 1800.0
#: Tries, one each 0.1 s, to delete files that Windows holds [-]. Fewer: parts of old environments are left.
_DELETE_TRIES = 50
#: Interval at which a running program is checked for a cancel [s]. Larger: it ends later.
GUARD_S = 0.1
#: Folder in which macOS has programs that only offer to install the developer tools, `python3` among them.
APPLE_STUB = "/usr/bin"
#: Options of every installation.
PIP_OPTIONS = ("--disable-pip-version-check", "--no-input", "--progress-bar", "off")
_READY = "ready.json"
_LINK = "compas_nscd.pth"


def folder() -> str:
    """Folder of the environment, whether it exists or not."""
    return os.path.join(home()[0], "environment")


def ready() -> Optional[Interpreter]:
    """Interpreter of the environment, or None if there is no complete one."""
    try:
        with open(os.path.join(folder(), _READY), encoding="utf-8") as file:
            told = json.load(file)
        python, packages, virtual = told["python"], told["packages"], told.get("virtual", True)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    if not os.path.isfile(python):
        return None
    _link(packages)
    reason = "it is the environment that compas_nscd keeps for the engine, {}".format(folder())
    return Interpreter(python, reason, () if virtual else [packages, *_sources()])


def create(
    progress: Optional[Callable[[str], object]] = None,
    base: Optional[str] = None,
    packages: Sequence[str] = PACKAGES,
    cancelled: Optional[Callable[[], bool]] = None,
    anew: bool = False,
) -> Interpreter:
    """Make the environment, unless there is one that works.

    Parameters
    ----------
    progress : callable, optional
        Called with lines of text: steps, and the output of pip.
    base : str, optional
        Python to make it from. Default: the one that runs this program, else one that is found.
    packages : sequence of str, optional
        Requirements for pip.
    cancelled : callable, optional
        Called often; True ends the work with CancelledError.
    anew : bool, optional
        Make it again even if there is one.

    Returns
    -------
    Interpreter

    Raises
    ------
    EngineStartError
        If it cannot be made; the folder is deleted.
    """
    say = progress or (lambda line: None)
    where = folder()
    with locked(where + ".lock", PATIENCE_S, cancelled or (lambda: False)):
        found = None if anew else ready()  # another program may have been faster
        if found is not None and found.missing() == []:
            return found
        base = base or find_base()
        _clear(where)
        try:
            _build(where, base, packages, _Watch(say, cancelled))
        except BaseException:
            _delete(where)
            raise
        made = ready()
    if made is None:
        raise EngineStartError("The environment {} was deleted while it was made.".format(where), remedy="Try again.")
    return made


def remove() -> None:
    """Stop the engines that run from the environment, and delete it.

    Raises
    ------
    EngineStartError
        If another program uses it; then nothing is deleted.
    """
    with locked(folder() + ".lock"):
        _clear(folder())


def _clear(where: str) -> None:
    """Rename the environment, then delete it: Windows refuses the first while a file is in use, so nothing is lost."""
    stop_engines(where)
    aside = "{}-old-{}".format(where, secrets.token_hex(4))
    try:
        patiently(os.rename, where, aside, tries=500)
    except FileNotFoundError:
        pass
    except OSError as error:
        raise EngineStartError(
            "The environment {} is in use and cannot be replaced: {}.".format(where, error.strerror or error),
            remedy="Close the other programs that use the engine, then try again.",
        )
    for old in glob.glob(glob.escape(where) + "-old-*"):
        _delete(old)


def _delete(folder: str) -> None:
    """Delete a folder. Files that an ending process still has open may be left; the next call deletes them."""
    for _ in range(_DELETE_TRIES if os.name == "nt" else 1):
        shutil.rmtree(folder, ignore_errors=True)
        if not os.path.exists(folder):
            return
        time.sleep(0.1)


def find_base() -> str:
    """Path of a Python to make the environment from."""
    for path in _candidates():
        if path and _can_be_base(path):
            return path
    raise EngineStartError(
        "No Python was found from which the engine's environment could be made.",
        remedy="Install Python 3.9 to 3.13 from python.org, or set NSCD_PYTHON to a Python with numba and scipy.",
    )


def _candidates() -> Iterator[Optional[str]]:
    """Pythons that may be there."""
    yield own_executable()
    for name in ["python{}.{}".format(3, minor) for minor in range(13, 8, -1)] + ["python3", "python"]:
        yield shutil.which(name, path=_search_path())
    launcher = (
        shutil.which("py") if os.name == "nt" else None
    )  # the only one on the path after an install from python.org
    for minor in range(13, 8, -1) if launcher else ():
        yield _answer([str(launcher), "-3.{}".format(minor), "-c", "import sys; print(sys.executable)"])


def _search_path() -> str:
    """Folders in which a Python may be; a program that the Finder of macOS starts does not have those of the shell."""
    found = os.environ.get("PATH", os.defpath).split(os.pathsep)
    if sys.platform == "darwin":
        found = [each for each in found if each != APPLE_STUB] + ["/usr/local/bin", "/opt/homebrew/bin"]
    return os.pathsep.join(found)


def _answer(command: Sequence[str]) -> Optional[str]:
    """Output of a program, or None if it fails."""
    try:
        done = subprocess.run(
            command,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
            **no_window(),
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else None


def _can_be_base(path: str) -> bool:
    if sys.platform == "darwin" and os.path.dirname(os.path.abspath(path)) == APPLE_STUB:
        return False
    code = (
        "import importlib.util as u, sys; has = lambda *names: all(map(u.find_spec, names)); "
        "sys.exit(not ({!r} <= sys.version_info[:2] < {!r} and (has('venv', 'ensurepip') or has('pip'))))"
    )
    return _answer([path, "-c", code.format(*PYTHONS)]) is not None


class _Watch:
    """Runs programs, passes their output on, and ends them when the work is cancelled."""

    def __init__(self, say: Callable[[str], object], cancelled: Optional[Callable[[], bool]]):
        self.say, self.cancelled = say, cancelled or (lambda: False)
        self.last: List[str] = []

    def run(self, command: Sequence[str]) -> None:
        """Run a program to its end; an error with its last lines if it fails."""
        process = subprocess.Popen(
            command,
            env=_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            **no_window(),
        )
        assert process.stdout is not None  # it is a pipe
        threading.Thread(target=self._guard, args=(process,), daemon=True).start()
        try:
            for line in process.stdout:
                text = line.decode("utf-8", "replace").strip()
                if text:
                    self.last = self.last[-19:] + [text]
                    self.say(text)
            status = process.wait(PATIENCE_S)
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
            process.stdout.close()
        if self.cancelled():
            raise CancelledError("The environment of the engine was not made: cancelled.")
        if status != 0:
            raise EngineStartError(
                "The environment of the engine could not be made: {}".format(" ".join(self.last[-4:])[:600]),
                remedy="Check the connection to the internet (pip needs it) and the space on the disk, then try again; "
                "or set NSCD_PYTHON to a Python that has {}.".format(", ".join(PACKAGES)),
                command=" ".join(command),
            )

    def _guard(self, process: "subprocess.Popen[bytes]") -> None:
        """End a program that is silent when the work is cancelled."""
        while process.poll() is None:
            if self.cancelled():
                with contextlib.suppress(OSError):  # it has just ended
                    process.kill()
            time.sleep(GUARD_S)


def _build(where: str, base: str, packages: Sequence[str], watch: _Watch) -> None:
    watch.say("making the engine's environment in {} with {}".format(where, base))
    try:
        watch.run([base, "-m", "venv", where])
        virtual = True
    except EngineStartError:
        watch.say("{} makes no virtual environments: a folder of packages is made instead".format(base))
        virtual = False
    python, site = _install(where, packages, watch) if virtual else _beside(where, base, packages, watch)
    told = {
        "python": python,
        "packages": site,
        "virtual": virtual,
        "base": base,
        "made": time.strftime("%Y-%m-%d %H:%M"),
    }
    _link(site)
    part = os.path.join(where, _READY + ".part")
    with open(part, "w", encoding="utf-8") as file:
        json.dump(told, file)
    patiently(os.replace, part, os.path.join(where, _READY))
    watch.say("the engine's environment is ready")


def _install(where: str, packages: Sequence[str], watch: _Watch) -> Tuple[str, str]:
    """Install packages into a virtual environment; its Python and the folder of its packages."""
    python = os.path.join(where, *(("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")))
    watch.run([python, "-m", "pip", "install", *PIP_OPTIONS, *packages])
    code = "import json, sysconfig, numba, scipy; print(json.dumps([sysconfig.get_path('purelib'), numba.__version__]))"
    asked = _Watch(lambda line: None, watch.cancelled)  # its answer is not for the user
    asked.run([python, "-c", code])
    return python, json.loads(asked.last[-1])[0]


def _beside(where: str, base: str, packages: Sequence[str], watch: _Watch) -> Tuple[str, str]:
    """Install packages into a folder beside a Python; that Python and the folder."""
    _delete(where)
    site = os.path.join(where, "packages")
    os.makedirs(site)
    watch.run([base, "-m", "pip", "install", "--target", site, *PIP_OPTIONS, *packages])
    watch.run([base, "-c", "import sys; sys.path.insert(0, {!r}); import numba, scipy".format(site)])
    return base, site


def _sources() -> List[str]:
    """Folders that have our packages."""
    found: List[str] = []
    for name in ("compas_nscd", "nscd_engine"):
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.submodule_search_locations:
            path = os.path.dirname(os.path.abspath(list(spec.submodule_search_locations)[0]))
            if path not in found:
                found.append(path)
    return found


def _link(packages: str) -> None:
    """Write the .pth file that points to our sources; they come last on the path, so that numpy is its own."""
    text = "\n".join(_sources()) + "\n"
    link = os.path.join(packages, _LINK)
    with contextlib.suppress(OSError), open(link, encoding="utf-8") as file:
        if file.read() == text:
            return
    with contextlib.suppress(OSError), open(link, "w", encoding="utf-8") as file:
        file.write(text)


def _environment() -> Dict[str, str]:
    """Environment variables of this program without those of its own Python."""
    values = without_python(os.environ)
    values.update(PYTHONUTF8="1", PYTHONUNBUFFERED="1", PIP_NO_COLOR="1")
    return values
