"""Archives of arrays (.npz): read without pickles and within bounds, whatever they say about themselves."""

from __future__ import annotations

import io
import zipfile
import zlib
from pathlib import Path

import numpy as np
from numpy.lib import format as npy

from compas_nscd.errors import FileError
from compas_nscd.files.limits import require_size

#: Most unpacked bytes of a file [bytes]; the longest motions have half of it. Larger: a small malicious archive may
#: exhaust the memory. Smaller: long motions are refused.
MAX_CONTENT = 1 << 30
#: Most arrays of a file [-].
MAX_ARRAYS = 4096
#: Longest description of an array [bytes].
MAX_HEADER = 10000
#: Kinds of compression that numpy writes.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
#: Errors of zipfile and numpy for damaged or foreign files; NotImplementedError for features that zipfile lacks.
_UNREADABLE = (
    OSError, ValueError, KeyError, TypeError, EOFError, RuntimeError, NotImplementedError, OverflowError, SyntaxError,
    RecursionError, MemoryError, zipfile.BadZipFile, zlib.error,
)  # fmt: skip


def read_npz(path: Path, most: int | None = None) -> dict[str, np.ndarray]:
    """All arrays of an archive, by name.

    Parameters
    ----------
    path : Path
    most : int, optional
        Most bytes that it may unpack to; MAX_CONTENT unless given.

    Raises
    ------
    FileError
        If the file does not exist, is damaged, unpacks to more, or holds anything but arrays of numbers and text.
    """
    most = MAX_CONTENT if most is None else most
    require_size(path, most)
    try:
        with zipfile.ZipFile(path) as archive:
            _require_bounds(archive, most, path.name)
            return {info.filename[:-4]: _array(archive, info) for info in archive.infolist()}
    except FileError:
        raise
    except _UNREADABLE as error:
        text = str(error).rstrip(".") or type(error).__name__
        raise FileError("{} is not an .npz file, or is damaged: {:.120}.".format(path.name, text))


def _require_bounds(archive: zipfile.ZipFile, most: int, filename: str) -> None:
    entries = archive.infolist()
    if len(entries) > MAX_ARRAYS:
        raise FileError("{} holds {} arrays; the limit is {}.".format(filename, len(entries), MAX_ARRAYS))
    if sum(entry.file_size for entry in entries) > most:
        raise FileError("{} unpacks to more than {} MB.".format(filename, most >> 20))
    names = [entry.filename for entry in entries]
    if not all(name.endswith(".npy") for name in names) or len(set(names)) < len(names):
        raise FileError("{} holds something that is no array, or an array twice.".format(filename))
    if any(entry.compress_type not in _METHODS for entry in entries):
        raise FileError("{} is compressed in a way that numpy does not write.".format(filename))


def _array(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> np.ndarray:
    """One array; its description has to fit the bytes that are there, before any are set aside for it."""
    with archive.open(entry) as file:
        content = file.read(entry.file_size + 1)
    stream = io.BytesIO(content)
    version = npy.read_magic(stream)
    if version not in ((1, 0), (2, 0)):
        raise ValueError("an array of version {}".format(version))
    read_header = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    shape, in_columns, dtype = read_header(stream, max_header_size=MAX_HEADER)
    count = 1
    for n in shape:
        count *= n
    if (
        dtype.kind not in "biufSU"
        or any(n < 0 for n in shape)
        or count * dtype.itemsize != len(content) - stream.tell()
    ):
        raise ValueError("array {!r:.40} is not of numbers or text, or has another size".format(entry.filename))
    array = np.frombuffer(content, dtype, count, stream.tell()).copy()
    return array.reshape(shape, order="F" if in_columns else "C")
