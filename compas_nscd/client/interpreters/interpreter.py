"""A Python that may run the engine: its path, what it lacks, how it is started."""

import importlib.util
import json
import os
import subprocess
import sys
import sysconfig
from typing import Any, Dict, List, Mapping, Optional, Sequence

from compas_nscd.errors import EngineStartError

#: Packages that the engine needs.
NEEDED = ("nscd_engine", "numba", "scipy", "numpy")
#: Environment variable that names the interpreter.
VARIABLE = "NSCD_PYTHON"


class Interpreter:
    """A Python executable with the reason why it was chosen.

    Attributes
    ----------
    path : str
    reason : str
    extra_paths : list of str
        Directories of our packages that are not on the path of this interpreter.
    """

    def __init__(self, path: str, reason: str, extra_paths: Sequence[str] = ()):
        self.path = path
        self.reason = reason
        self.extra_paths = list(extra_paths)

    def environment(self) -> Dict[str, str]:
        """Environment variables to start it with."""
        values = without_python(os.environ)
        if self.extra_paths:
            values["PYTHONPATH"] = os.pathsep.join(self.extra_paths)
        values.update(PYTHONUTF8="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1", OMP_NUM_THREADS="1")
        return values

    def install_command(self) -> str:
        """Command that installs the engine into it."""
        return '"{}" -m pip install "compas_nscd[engine]"'.format(self.path)

    def missing(self) -> Optional[List[str]]:
        """Packages that the engine needs and this interpreter does not have; None if it does not run."""
        code = "import importlib.util as u, json; print(json.dumps([n for n in {!r} if u.find_spec(n) is None]))"
        try:
            done = subprocess.run(
                [self.path, "-c", code.format(NEEDED)],
                env=self.environment(),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=60,
                **no_window(),
            )
            return json.loads(done.stdout.decode("utf-8"))
        except (OSError, ValueError, subprocess.SubprocessError):
            return None


def without_python(variables: Mapping[str, str]) -> Dict[str, str]:
    """Environment variables without those that steer a Python: home, paths and options of Rhino's break any other."""
    others = ("__PYVENV_LAUNCHER__", "VIRTUAL_ENV")
    return {key: text for key, text in variables.items() if not key.startswith("PYTHON") and key not in others}


def embedded() -> bool:
    """True inside Rhino, whatever the name of `sys.executable`, which there may be Rhino, Python or empty."""
    if "Rhino" in sys.modules:
        return True
    # A script may come here before it has imported Rhino: pythonnet, which Rhino has loaded, can tell.
    return "clr" in sys.modules and importlib.util.find_spec("Rhino") is not None


def lacking(interpreter: Interpreter, absent: Sequence[str]) -> EngineStartError:
    """Error that names the missing packages and the command that installs them."""
    return EngineStartError(
        "The Python that should run the engine, {}, lacks {}.".format(interpreter.path, ", ".join(absent)),
        remedy="Install it with: {}, or let `nscd doctor --install` (in Grasshopper: the component Engine) make an "
        "environment for it, or set {} to a Python that has it.".format(interpreter.install_command(), VARIABLE),
        python=interpreter.path,
        missing=list(absent),
    )


def own_executable() -> Optional[str]:
    """Executable of the Python that runs this code; inside Rhino `sys.executable` may be Rhino itself."""
    names = ["python.exe"] if os.name == "nt" else ["python3", "python", "python{}.{}".format(*sys.version_info)]
    folders = [sysconfig.get_path("scripts"), sys.prefix, os.path.join(sys.prefix, "bin"), sys.base_prefix]
    beside = [os.path.join(folder, name) for folder in folders if folder for name in names]
    for path in [sys.executable, getattr(sys, "_base_executable", None), *beside]:
        if path and os.path.basename(path).lower().startswith("python") and os.path.isfile(path):
            return path
    return None


def no_window() -> Dict[str, Any]:
    """Arguments of Popen that keep Windows from showing a console window."""
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NO_WINDOW}
    return {}


def given_interpreter(path: str, reason: str) -> Interpreter:
    """The interpreter at a path; an error if there is no file."""
    path = os.path.expanduser(path)
    if not os.path.isfile(path):
        raise EngineStartError(
            "There is no Python at {}, though {}.".format(path, reason),
            remedy="Give the full path of a Python that has compas_nscd[engine].",
            python=path,
        )
    return Interpreter(os.path.abspath(path), reason)


def extra_paths() -> List[str]:
    """Folders of our packages that Rhino added to `sys.path` at run time, which a new process does not search."""
    usual = {os.path.normcase(path) for path in (sysconfig.get_path("purelib"), sysconfig.get_path("platlib"))}
    found: List[str] = []
    for name in ("compas_nscd",) + NEEDED:
        spec = importlib.util.find_spec(name)
        if spec is None or not spec.submodule_search_locations:
            continue
        folder = os.path.dirname(os.path.abspath(list(spec.submodule_search_locations)[0]))
        if os.path.normcase(folder) not in usual and folder not in found:
            found.append(folder)
    return found
