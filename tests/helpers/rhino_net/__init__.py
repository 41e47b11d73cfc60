"""Rhino and Grasshopper as .NET classes: the members that compas_nscd uses, compiled with `mcs`, called by pythonnet.

Types, overloads, interfaces, delegates and threads are those of .NET, which stand-ins in Python cannot show. The extra
`dotnet` installs pythonnet and a runtime, Debian's package mono-mcs the compiler; `missing()` tells what is not there.
`tests/compas_nscd/rhino/test_dotnet_members.py` compares the members with published stubs of the real ones.
"""

import contextlib
import functools
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
#: Assemblies, with their sources and the assemblies that they use.
ASSEMBLIES = {
    "RhinoCommon": (["Geometry.cs", "Mesh.cs", "Brep.cs", "Document.cs"], []),
    "Grasshopper": (["Goo.cs", "Kernel.cs"], ["RhinoCommon"]),
}
#: Parts of the framework that the sources use.
FRAMEWORK = (
    "System.Private.CoreLib",
    "System.Runtime",
    "System.Collections",
    "System.Collections.Concurrent",
    "System.Collections.Specialized",
    "System.Drawing.Primitives",
    "System.Linq",
    "System.Threading",
    "System.Threading.Thread",
)
#: Modules that a script finds in Rhino, and that no other test may find.
NAMES = ("Rhino", "Grasshopper", "System")
#: Those modules, while no test uses them.
_aside = {}


def missing():
    """What has to be installed, as text for `pytest.skip`; None if everything is there."""
    for name in ("pythonnet", "dotnetcore2"):
        if importlib.util.find_spec(name) is None:
            return "no {}: python start.py setup, or pip install -e .[dotnet]".format(name)
    if shutil.which("mcs") is None:
        return "no C# compiler: apt-get install mono-mcs"
    return None


def framework():
    """Folder of the .NET runtime that the package dotnetcore2 has."""
    root = Path(importlib.util.find_spec("dotnetcore2").origin).parent / "bin"
    return root, next((root / "shared" / "Microsoft.NETCore.App").iterdir())


def compiled():
    """Paths of the compiled assemblies, which are kept until a source changes."""
    sources = b"".join(path.read_bytes() for path in sorted(HERE.glob("*.cs")))
    folder = Path(tempfile.gettempdir()) / "nscd-rhino-{}".format(hashlib.sha256(sources).hexdigest()[:12])
    folder.mkdir(exist_ok=True)
    return [_compile(folder, name, *parts) for name, parts in ASSEMBLIES.items()]


def _compile(folder, name, files, uses):
    target = folder / (name + ".dll")
    if target.exists():
        return target
    _, shared = framework()
    references = [shared / (each + ".dll") for each in FRAMEWORK] + [folder / (each + ".dll") for each in uses]
    part = Path(tempfile.mkdtemp(dir=str(folder))) / target.name  # the name of the file is that of the assembly
    command = ["mcs", "-nostdlib", "-noconfig", "-nologo", "-warn:0", "-target:library", "-out:{}".format(part)]
    command += ["-r:{}".format(each) for each in references] + [str(HERE / each) for each in files]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stdout + done.stderr)
    os.replace(part, target)
    return target


@functools.cache
def load():
    """Start .NET in this process, once, and load the assemblies; returns the finder by which scripts import them."""
    os.environ.setdefault("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "1")  # the package has no ICU
    import pythonnet
    from clr_loader import DotnetCoreRuntimeSpec, get_coreclr

    root, shared = framework()
    spec = DotnetCoreRuntimeSpec("Microsoft.NETCore.App", shared.name, shared)
    before = list(sys.meta_path)
    pythonnet.load(get_coreclr(dotnet_root=str(root), runtime_spec=spec))
    import clr

    for path in compiled():
        sys.path.insert(0, str(path.parent))
        clr.AddReference(path.stem)
        sys.path.remove(str(path.parent))
    clr.AddReference("System.Drawing.Primitives")
    (finder,) = [each for each in sys.meta_path if each not in before]
    sys.meta_path.remove(finder)
    return finder


@contextlib.contextmanager
def importable():
    """`import Rhino` and the others work inside, and not afterwards: compas asks whether it runs in Rhino."""
    finder = load()
    sys.meta_path.append(finder)
    sys.modules.update(_aside)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)
        for name in [name for name in sys.modules if name.split(".")[0] in NAMES]:
            _aside[name] = sys.modules.pop(name)
