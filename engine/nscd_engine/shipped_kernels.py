"""Compiled kernels that come with the package: made for a processor that most machines have.

`python start.py kernels` compiles all kernels for this system and this Python, for the processor in `PROCESSORS`, and
packs them into one archive in `FOLDER`. The name of an archive is the hash that also names the folder of kernels
(`kernel_cache.digest`): it fits if, and only if, sources, versions, system and processor are the same. An engine that
finds the archive of its own hash unpacks it instead of compiling for minutes; any other compiles for its own processor.
"""

from __future__ import annotations

import contextlib
import os
import platform
import sys
from typing import Dict, Optional, Tuple

#: Archives, one for each system and Python.
FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "precompiled")
#: Variable that asks for kernels of the common processor where no archive is: they are about to be packed.
ASKED = "NSCD_COMMON_PROCESSOR"
#: Kind of machine -> name of the common processor, as LLVM calls it, and what a machine must have to run its code.
PROCESSORS: Dict[str, Tuple[str, Tuple[str, ...]]] = {
    "x86_64": ("x86-64-v3", ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "popcnt")),
}
#: Other names of machines.
ALIASES = {"amd64": "x86_64"}


def processor() -> Optional[str]:
    """Name of the common processor for this kind of machine; None if there is none."""
    kind = platform.machine().lower()
    return PROCESSORS.get(ALIASES.get(kind, kind), (None, ()))[0]


def archive(digest: str) -> str:
    """Path of the archive of a hash."""
    return os.path.join(FOLDER, digest + ".zip")


def any_here() -> bool:
    """True if the package has archives, for whichever system."""
    with contextlib.suppress(OSError):
        return any(name.endswith(".zip") for name in os.listdir(FOLDER))
    return False


def runs_here() -> bool:
    """True if this machine runs code of the common processor."""
    from llvmlite import binding

    features = binding.get_host_cpu_features()
    needed = next(needed for name, needed in PROCESSORS.values() if name == processor())
    return all(features.get(feature, False) for feature in needed)


def choose() -> None:
    """Tell numba, which is not loaded yet, to compile for the common processor."""
    os.environ["NUMBA_CPU_NAME"] = str(processor())
    os.environ["NUMBA_CPU_FEATURES"] = ""  # those of the processor that is named, not those of this machine


def chosen_by_user() -> bool:
    """True if numba was told another processor, or has chosen already."""
    named = os.environ.get("NUMBA_CPU_NAME")
    return "numba" in sys.modules or (named is not None and named != processor())


def pack(folder: str, path: str) -> None:
    """Write the archive of a folder of kernels."""
    import zipfile  # loaded only where it is needed: every engine loads this module first

    os.makedirs(os.path.dirname(path), exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
        for name in sorted(_files(folder), key=_order):
            packed.write(os.path.join(folder, name), name.replace(os.sep, "/"))


def unpack(path: str, folder: str) -> None:
    """Write the files of an archive; each appears complete, and the index of a kernel after its code.

    Raises
    ------
    OSError
        If the archive is damaged or the folder cannot be written.
    """
    import zipfile

    try:
        with zipfile.ZipFile(path) as packed:
            for name in sorted(packed.namelist(), key=_order):
                _write(os.path.join(folder, *name.split("/")), packed.read(name))
    except zipfile.BadZipFile as error:
        raise OSError(str(error))


def _write(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    aside = "{}.{}".format(path, os.getpid())
    with open(aside, "wb") as file:
        file.write(content)
    os.replace(aside, path)


def _files(folder):
    """Names of the files of kernels in a folder and its folders, from there on."""
    for place, _, names in os.walk(folder):
        for name in names:
            if name.endswith((".nbi", ".nbc")) or name.startswith("warm-"):
                yield os.path.relpath(os.path.join(place, name), folder)


def _order(name):
    """Code before its index, and the marks of what is complete at the end."""
    return (".nbc", ".nbi", "").index(os.path.splitext(name)[1]), name
