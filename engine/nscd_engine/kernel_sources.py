"""Sources that can end up in compiled code: files that define kernels, and what they use of others."""

import hashlib
import os
import re

from nscd_engine import home

PACKAGE = os.path.dirname(os.path.abspath(__file__))

#: A kernel's file imports numba at its head; elsewhere functions look at numba, and are not compiled by it.
_ROOT = re.compile(rb"^(?:from|import)\s+numba\b", re.MULTILINE)
#: A tuple of arrays, with all lines that belong to its class.
_TUPLE = re.compile(rb"^class \w+\(NamedTuple\):\r?\n(?:[ \t].*\r?\n|\r?\n)*", re.MULTILINE)
_IMPORT = re.compile(rb"^\s*(?:from\s+([\w.]+)\s+import\s*(\([^)]*\)|[^\n#]+)|import\s+([^\n#]+))", re.MULTILINE)
_NAME = re.compile(rb"[A-Za-z_][\w.]*")


def digest():
    """SHA-256 of these sources.

    It is kept with the sizes and times of all files, by which numba knows files too: to read them takes a twentieth of
    the start of an engine.
    """
    stamp, kept = _stamp(), os.path.join(home.folder("kernels"), "sources")
    try:
        with open(kept, encoding="ascii") as file:
            known, value = file.read().split()
        if known == stamp:
            return value
    except (OSError, ValueError):
        pass  # not there, or not whole
    total = hashlib.sha256()
    for name, text in sorted(compiled_sources().items()):
        total.update(name.encode() + b"\0" + text.replace(b"\r\n", b"\n") + b"\0")  # ends of lines of any system
    _keep(kept, stamp + " " + total.hexdigest())
    return total.hexdigest()


def _stamp():
    """Which files there are, and when each was written."""
    found = []
    for path in _files():
        status = os.stat(path)
        found.append((path, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino))
    return hashlib.sha256(repr(sorted(found)).encode("utf-8", "surrogateescape")).hexdigest()


def _keep(path, text):
    """Write a file at once, so that nobody reads a part; it is computed again where it cannot be written."""
    own = "{}-{}".format(path, os.getpid())
    try:
        with open(own, "w", encoding="ascii", opener=home.private_opener) as file:
            file.write(text)
        os.replace(own, path)
    except OSError:
        pass


def _files():
    walk = [os.path.join(folder, name) for folder, _, names in os.walk(PACKAGE) for name in names]
    return [path for path in walk if path.endswith(".py")]


def compiled_sources():
    """What can end up in compiled code: path from the package on, with "/" -> text.

    These are the files that use numba and what they import from this package, transitively; of other files only the
    definitions of tuples of arrays, whose order of fields is compiled in.
    """
    contents = {path: _read(path) for path in _files()}
    waiting = [path for path, text in contents.items() if _ROOT.search(text)]
    found = set()
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += _imported(path)
    parts = {path: text if path in found else b"".join(_TUPLE.findall(text)) for path, text in contents.items()}
    return {os.path.relpath(path, PACKAGE).replace(os.sep, "/"): text for path, text in parts.items() if text}


def _imported(path):
    """Paths of the modules of this package that a source names in its import statements."""
    stems = []
    for module, members, plain in _IMPORT.findall(_read(path)):
        for name in _NAME.findall(plain):
            stems.append(_stem(path, name))
        if module:
            stem = _stem(path, module)
            stems.append(stem)
            stems += [os.path.join(stem, member.decode("ascii")) for member in _NAME.findall(members) if stem]
    paths = [candidate for stem in stems if stem for candidate in (stem + ".py", os.path.join(stem, "__init__.py"))]
    return [path for path in paths if os.path.isfile(path)]


def _stem(path, name):
    """Path without ending of a module that a source names, or None if it is not of this package."""
    name = name.decode("ascii")
    rest = name.lstrip(".")
    folder = os.path.dirname(path)
    for _ in range(len(name) - len(rest) - 1):
        folder = os.path.dirname(folder)
    if name == rest:  # not relative
        package, _, rest = rest.partition(".")
        folder = PACKAGE if package == "nscd_engine" else None
    return folder and os.path.join(folder, *rest.split("."))


def _read(path):
    with open(path, "rb") as file:
        return file.read()
