"""One message: a JSON header followed by raw little-endian arrays.

    offset 0   4 bytes   b"NSCD"
           4   u16       version of this layout
           6   u16       0
           8   u64       length of the header in bytes
          16   ...       header, UTF-8 JSON: {"arrays": [[dtype, shape], ...], "body": ...}
           *   ...       the arrays in order, C-contiguous, each beginning at a multiple of 8

In the body an array is represented as ``{"$": index}``; a plain dict whose only key is ``"$"`` is refused. Nothing in a
message is executed or imported: only numbers, text, lists and dicts are decoded.
"""

from __future__ import annotations

import json
import struct
import sys
from typing import Any, Callable, NoReturn

import numpy as np

from compas_nscd.errors import ProtocolError

#: First bytes of a message.
MAGIC = b"NSCD"
#: Version of the layout.
VERSION = 1
#: Layout of the first 16 bytes: magic, version, 0, length of the header.
PREFIX = struct.Struct("<4sHHQ")

#: Largest message [bytes]. 20,000 blocks with their contacts need about 100 MB. Larger: a malformed message may exhaust
#: the memory. Smaller: long motions are refused.
MAX_MESSAGE = 1 << 30
#: Largest number of arrays in a message. Larger: a malformed header costs time. Smaller: requests with many tables are
#: refused.
MAX_ARRAYS = 4096
#: Largest number of dimensions of an array; more means a malformed message.
MAX_DIMENSIONS = 8
#: Most digits of an integer [-], as newer Pythons have it. More: to read one takes time with the square of its digits.
#: Fewer: the gate cannot tell which number of a request is too large.
MAX_DIGITS = 4300

_DTYPES = ("|b1", "|u1", "<i4", "<i8", "<f4", "<f8")
_KEY = "$"
_TOO_LONG = 10**MAX_DIGITS


def pack(body: dict[str, Any]) -> bytes:
    """Encode a tree of dicts, lists, numbers, text, None and numpy arrays as one message.

    Parameters
    ----------
    body : dict

    Returns
    -------
    bytes
    """
    arrays: list[np.ndarray] = []
    try:
        tree = _strip(body, arrays)
    except RecursionError:
        raise ProtocolError("The message is nested too deeply.")
    if len(arrays) > MAX_ARRAYS:
        raise ProtocolError("A message of {} arrays is over the limit of {}.".format(len(arrays), MAX_ARRAYS))
    specs = [[a.dtype.str, list(a.shape)] for a in arrays]
    try:
        header = json.dumps({"arrays": specs, "body": tree}, allow_nan=False, separators=(",", ":")).encode("utf-8")
    except (TypeError, ValueError, OverflowError, RecursionError) as error:
        raise ProtocolError("The message cannot be written as JSON: {}.".format(error))
    parts = [PREFIX.pack(MAGIC, VERSION, 0, len(header)), header]
    size = PREFIX.size + len(header)
    for array in arrays:
        pad = -size % 8
        parts += [b"\0" * pad, array.tobytes()]
        size += pad + array.nbytes
    if size > MAX_MESSAGE:
        raise ProtocolError("A message of {} bytes is over the limit of {}.".format(size, MAX_MESSAGE))
    return b"".join(parts)


def unpack(message: bytes) -> Any:
    """Decode one message; the arrays are read-only views into it.

    Raises
    ------
    ProtocolError
        If the bytes are not exactly one well-formed message of this version.
    """
    if len(message) > MAX_MESSAGE:
        raise ProtocolError("A message of {} bytes is over the limit of {}.".format(len(message), MAX_MESSAGE))
    if len(message) < PREFIX.size:
        raise ProtocolError("A message of {} bytes is too short.".format(len(message)))
    magic, version, _, length = PREFIX.unpack_from(message)
    if magic != MAGIC:
        raise ProtocolError("These bytes are not a message of compas_nscd.")
    if version != VERSION:
        raise ProtocolError(
            "The message has version {}, this side reads version {}.".format(version, VERSION),
            remedy="Install the same release of compas_nscd for the client and for the engine.",
        )
    if length > len(message) - PREFIX.size:
        raise ProtocolError("The message is truncated: its header should have {} bytes.".format(length))
    end = PREFIX.size + length
    try:
        text = bytes(message[PREFIX.size : end]).decode("utf-8")
        header = json.loads(text, parse_constant=_refuse, parse_int=PARSE_INT)
        specs, tree = header["arrays"], header["body"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise ProtocolError("The header of the message cannot be read: {}.".format(error))
    arrays = _arrays(message, end, specs)
    try:
        return _fill(tree, arrays)
    except RecursionError:
        raise ProtocolError("The message is nested too deeply.")


def _refuse(constant: str) -> NoReturn:
    """NaN and Infinity are not JSON; numbers that may be either are sent in arrays."""
    raise ValueError("{} is not a number".format(constant))


def integer(digits: str) -> int:
    """Integer of a text of bounded length; a ValueError of one that is longer."""
    count = len(digits.lstrip("-"))
    if count > MAX_DIGITS:
        raise ValueError("an integer of {} digits is over the limit of {}".format(count, MAX_DIGITS))
    return int(digits)


#: What `json` reads integers with: Pythons before 3.9.14 and 3.10.7, that of Rhino 8 among them, have no limit.
PARSE_INT: Callable[[str], int] | None = None if hasattr(sys, "get_int_max_str_digits") else integer


def _arrays(message: bytes, offset: int, specs: Any) -> list[np.ndarray]:
    if not isinstance(specs, list) or len(specs) > MAX_ARRAYS:
        raise ProtocolError("The list of arrays in the message is malformed.")
    arrays = []
    for spec in specs:
        dtype, shape = _checked(spec)
        count = 1
        for n in shape:
            count *= n
        offset += -offset % 8
        size = count * dtype.itemsize
        if size > len(message) - offset:
            raise ProtocolError("The message is truncated: an array of {} bytes is missing.".format(size))
        try:
            arrays.append(np.frombuffer(message, dtype, count, offset).reshape(shape))
        except (ValueError, OverflowError):  # an empty array with a dimension beyond the range of numpy
            raise ProtocolError("The message describes an array that cannot be: {!r:.80}.".format(spec))
        offset += size
    if offset != len(message):
        raise ProtocolError("The message has {} bytes too many.".format(len(message) - offset))
    return arrays


def _checked(spec: Any) -> tuple[np.dtype, tuple[int, ...]]:
    ok = isinstance(spec, list) and len(spec) == 2 and spec[0] in _DTYPES and isinstance(spec[1], list)
    if not ok or len(spec[1]) > MAX_DIMENSIONS or not all(type(n) is int and n >= 0 for n in spec[1]):
        raise ProtocolError("The message describes an array that cannot be: {!r:.80}.".format(spec))
    return np.dtype(spec[0]), tuple(spec[1])


def _strip(node: Any, arrays: list[np.ndarray]) -> Any:
    """The tree with arrays replaced by references; they are appended to `arrays`."""
    if type(node) is str:  # first, since most are names of blocks
        return node
    if isinstance(node, np.ndarray):
        dtype = node.dtype.newbyteorder("<")
        if dtype.str not in _DTYPES:
            raise ProtocolError("An array of type {} cannot be sent.".format(node.dtype))
        arrays.append(np.ascontiguousarray(node, dtype).reshape(node.shape))
        return {_KEY: len(arrays) - 1}
    if isinstance(node, np.generic):
        return node.item()
    if isinstance(node, dict):
        if list(node) == [_KEY] or not all(isinstance(key, str) for key in node):
            raise ProtocolError("A dict with keys {!r:.80} cannot be sent.".format(list(node)))
        return {key: _strip(value, arrays) for key, value in node.items()}
    if isinstance(node, int) and abs(node) >= _TOO_LONG:
        raise ProtocolError("An integer of more than {} digits cannot be written.".format(MAX_DIGITS))
    if isinstance(node, (list, tuple)):
        return [_strip(value, arrays) for value in node]
    return node


def _fill(node: Any, arrays: list[np.ndarray]) -> Any:
    """The tree with references replaced by arrays."""
    if isinstance(node, dict):
        if list(node) == [_KEY]:
            index = node[_KEY]
            if type(index) is not int or not 0 <= index < len(arrays):
                raise ProtocolError("The message refers to an array that is not there.")
            return arrays[index]
        return {key: _fill(value, arrays) for key, value in node.items()}
    if isinstance(node, list):
        return [_fill(value, arrays) for value in node]
    return node
