#! python3
# venv: compas_nscd
"""Puts compas_nscd into Rhino 8, writes the components, and checks that all is there."""

import importlib
import importlib.util
import os
import subprocess
import sys
import tempfile

import Grasshopper
import scriptcontext

if sys.version_info < (3, 9):
    raise ImportError("COMPAS NSCD needs Rhino 8 or later: Rhino 7 and IronPython cannot run it.")

#: The running installation: process, wheel, log.
KEY = "nscd_install"
ASK = "Give the file compas_nscd-VERSION-py3-none-any.whl to the input wheel."


def environment():
    """Folder of packages that Rhino made for line 2 of this script; None if it did not."""
    for path in sys.path:
        parent, name = os.path.split(path.rstrip("/\\"))
        if os.path.basename(parent) == "site-envs" and name.startswith("compas_nscd"):
            return path
    return None


def python():
    """Python of Rhino; sys.executable may be Rhino itself."""
    names = ["python.exe", "python3.9", "python3", os.path.join("bin", "python3.9"), os.path.join("bin", "python3")]
    for path in [sys.executable or ""] + [os.path.join(sys.prefix, name) for name in names]:
        if os.path.basename(path).lower().startswith("python") and os.path.isfile(path):
            return path
    return None


def start(wheel, target):
    """Begin to install a wheel into the environment."""
    command = [python(), "-m", "pip", "install", "--disable-pip-version-check", "--upgrade", "--target", target]
    if os.path.isdir(os.path.join(target, "numpy")):
        command.append("--no-deps")  # Windows cannot replace a numpy that is loaded
    variables = dict((key, text) for key, text in os.environ.items() if not key.startswith("PYTHON"))
    log = os.path.join(tempfile.gettempdir(), "compas_nscd-install.log")
    hidden = {"creationflags": 0x08000000} if os.name == "nt" else {}  # no console window
    with open(log, "w") as output:
        process = subprocess.Popen(command + [wheel], stdout=output, stderr=output, env=variables, **hidden)
    scriptcontext.sticky[KEY] = (process, wheel, log)


def again(component, delay):
    """Look again after some milliseconds."""
    call = Grasshopper.Kernel.GH_Document.GH_ScheduleDelegate(lambda document: component.ExpireSolution(False))
    component.OnPingDocument().ScheduleSolution(delay, call)


def installed(component, wheel):
    """Lines about what is missing or under way; None if the package is there."""
    process, given, log = scriptcontext.sticky.get(KEY, (None, None, None))
    if process is not None and process.poll() is None:
        again(component, 500)
        with open(log) as file:
            return ["installing ..."] + file.read().splitlines()[-3:]
    wheel = wheel or ""
    if wheel and wheel != given:
        if not os.path.isfile(wheel) or not wheel.endswith(".whl"):
            return [wheel + " is no wheel file.", ASK]
        if environment() is None or python() is None:
            return ["Rhino has not made the environment compas_nscd.", "Start Rhino again, then drop Install first."]
        start(wheel, environment())
        again(component, 500)
        return ["installing " + wheel]
    if process is not None and process.returncode != 0:
        with open(log) as file:
            return ["The installation failed."] + file.read().splitlines()[-5:] + ["All of it is in " + log]
    importlib.invalidate_caches()
    return None if importlib.util.find_spec("compas_nscd") else ["The package is not in Rhino yet.", ASK]


class NscdInstall(Grasshopper.Kernel.GH_ScriptInstance):
    def RunScript(self, wheel, check, install_engine):
        component = ghenv.Component  # noqa: F821
        missing = installed(component, wheel)
        if missing:
            component.Message = missing[0][:40]
            return False, missing
        from compas_nscd import ghpython

        return ghpython.run(ghenv, ghpython.install, check, install_engine)  # noqa: F821
