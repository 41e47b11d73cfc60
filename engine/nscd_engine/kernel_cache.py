"""Where compiled kernels are kept: one directory per state of the sources.

numba looks only at the file a kernel is written in, and would run stale code when a file that the kernel uses changes.
So the directory is named by a hash of every source that can end up in compiled code (`kernel_sources`), with the
versions and the processor. It depends on nothing else, so that compiled kernels can come with the package
(`shipped_kernels`). Old directories are pruned.
"""

import atexit
import hashlib
import os
import platform
import re
import shutil
import sys
import sysconfig
import tempfile
import time

from nscd_engine import home, kernel_sources, shipped_kernels

#: Directories kept whatever their age. Switching between a few branches or interpreters stays warm.
KEEP = 6
#: Seconds since its last use before a directory may be pruned: a running engine still writes into its own.
IN_USE_S = 7200.0

_DIGEST = re.compile(r"[0-9a-f]{16}\Z")

#: What `prepare` decided: `path` (None if nothing is cached) and `note`, a sentence if it is not the usual place.
state = {"path": None, "note": None, "temporary": None}


def prepare():
    """Choose, create and announce the directory. Must run before numba is imported."""
    root, note = _writable(home.folder("kernels"))
    state.update(path=root, note=note)
    if root is None:
        return _do_without()
    name = _name()
    path = _reachable(os.path.join(root, name))
    home.make_private(path)
    os.utime(path)
    prune(root)
    state["path"] = os.environ["NUMBA_CACHE_DIR"] = path
    if "numba" in sys.modules:  # somebody was faster: tell it directly
        sys.modules["numba"].config.CACHE_DIR = path
    _unpack(shipped_kernels.archive(name))


def _name():
    """Name of the directory: kernels for the common processor if they come with the package, else for this one."""
    asked = shipped_kernels.ASKED in os.environ
    if (asked or shipped_kernels.any_here()) and not shipped_kernels.chosen_by_user():
        name = digest(shipped_kernels.processor())
        if (asked or os.path.exists(shipped_kernels.archive(name))) and shipped_kernels.runs_here():
            shipped_kernels.choose()
            return name
    return digest()


def _unpack(archive):
    """Fill the directory with the kernels that came with the package; without them they are compiled."""
    if is_warm() or not os.path.exists(archive):
        return
    try:
        shipped_kernels.unpack(archive, state["path"])
    except OSError as error:
        state["note"] = "Kernels are compiled: {} cannot be unpacked ({}).".format(archive, error)


def _reachable(path):
    """Windows takes 260 letters and refuses more, unless a path begins in a way of its own; numba adds some 150."""
    if sys.platform != "win32" or len(path) < 100 or path.startswith("\\\\?\\"):
        return path
    path = os.path.abspath(path)
    return "\\\\?\\UNC" + path[1:] if path.startswith("\\\\") else "\\\\?\\" + path


def is_warm(part="all"):
    """True if that part of the kernels - or all - was compiled into this directory."""
    names = {_marker("all"), _marker(part)}
    return state["path"] is not None and any(os.path.exists(os.path.join(state["path"], name)) for name in names)


def is_shared():
    """True if kernels are kept where other processes find them."""
    return state["path"] is not None and not state["temporary"]


def mark_warm(part="all"):
    """Remember that a part of the kernels has been compiled into this directory."""
    if state["path"] is not None:
        try:
            open(os.path.join(state["path"], _marker(part)), "a").close()
        except OSError:
            pass  # only costs a word in the progress of the next run


def digest(processor=None):
    """Name of the directory: sources that reach compiled code, versions, system, and processor if not this one."""
    total = hashlib.sha256(kernel_sources.digest().encode())
    versions = [_version(name) for name in ("numba", "llvmlite", "numpy")]
    kind = (versions, sys.implementation.cache_tag, sysconfig.get_platform(), processor or _processor())
    total.update(repr(kind).encode())
    if os.environ.get("NUMBA_BOUNDSCHECK"):  # other code from the same sources, which numba does not tell apart
        total.update(b"bounds are checked")
    return total.hexdigest()[:16]


def prune(root, keep=KEEP, in_use_s=IN_USE_S):
    """Remove directories of kernels that are neither among the newest nor recently used."""
    try:
        made = [os.path.join(root, name) for name in os.listdir(root) if _DIGEST.match(name)]
        old = sorted((os.path.getmtime(path), path) for path in made)[:-keep]
    except OSError:
        return  # another engine prunes at the same moment
    for used, path in old:
        if time.time() - used > in_use_s:
            shutil.rmtree(path, ignore_errors=True)


def tidy():
    """Remove the temporary directory, if one was needed."""
    if state["temporary"]:
        shutil.rmtree(state["temporary"], ignore_errors=True)


def _marker(part):
    return "warm-" + "".join(letter for letter in part if letter.isalnum() or letter in "-")[:60]


def _writable(path):
    """(directory, note): `path` if it can be written, else a temporary one, else None."""
    try:
        home.make_private(path)  # numba runs what it finds there
        probe = os.path.join(path, "probe-{}".format(os.getpid()))  # `tempfile` would try for hours on Windows
        os.close(os.open(probe, os.O_WRONLY | os.O_CREAT, 0o600))
        os.unlink(probe)
        return path, None
    except OSError as error:
        reason = "{} cannot be written ({})".format(path, error.strerror or error)
    try:
        temporary = tempfile.mkdtemp(prefix="nscd-kernels-")
    except OSError:
        return None, "Kernels are compiled at every start: {}, nor can a temporary directory.".format(reason)
    state["temporary"] = temporary
    atexit.register(tidy)
    return temporary, "Kernels are compiled at every start, in a temporary directory: {}.".format(reason)


def _do_without():
    """numba refuses `cache=True` when it finds no directory; without one, kernels simply live in memory."""
    from numba.core.dispatcher import Dispatcher

    Dispatcher.enable_caching = lambda self: None


def _version(name):
    """Version of an installed library by the name of its folder; `importlib.metadata` takes longer than the rest."""
    begin, end = name + "-", ".dist-info"
    for folder in sys.path:
        try:
            names = os.listdir(folder or ".")
        except OSError:
            continue
        for found in names:
            if found.startswith(begin) and found.endswith(end):
                return found[len(begin) : -len(end)]
    return _version_by_metadata(name)


def _version_by_metadata(name):
    """Version of a library that was not installed into a folder of Python; None if it is not there."""
    import importlib.metadata

    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _processor():
    """Name of the processor, without starting a process: `platform.processor` may."""
    if sys.platform == "win32":
        return ("Windows", sysconfig.get_platform(), _registered(r"HARDWARE\DESCRIPTION\System\CentralProcessor\0"))
    if sys.platform == "darwin":
        return (platform.system(), platform.machine(), [_system_value(b"machdep.cpu.brand_string")])
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            names = [line for line in file if line.startswith(("model name", "CPU part"))]
    except OSError:
        names = []
    return (platform.system(), platform.machine(), names[:1])


def _registered(place):
    """What Windows found out about a processor when it started."""
    import winreg

    try:
        with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, place) as key:
            return [str(winreg.QueryValueEx(key, name)[0]) for name in ("ProcessorNameString", "Identifier")]
    except OSError:
        return [os.environ.get("PROCESSOR_IDENTIFIER", "")]


def _system_value(name):
    """Text that the system of a Mac knows by a name; empty if it does not."""
    import ctypes

    room, size = ctypes.create_string_buffer(256), ctypes.c_size_t(256)
    try:
        if ctypes.CDLL(None).sysctlbyname(name, room, ctypes.byref(size), None, 0) != 0:
            return ""
    except (OSError, AttributeError):
        return ""
    return room.value.decode("utf-8", "replace")
