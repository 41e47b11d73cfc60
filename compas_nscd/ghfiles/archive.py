"""Binary archives of Grasshopper (GH_IO): `.gh` and `.ghuser` files.

A chunk has a name, items (named values) and children; a file is one chunk, deflated. The same tree as XML is a `.ghx`
file, see `ghx`. This module does not depend on the contents of the chunks.
"""

from __future__ import annotations

import struct
import uuid
import zlib
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from compas_nscd.errors import FileError

#: Compression level of Grasshopper's own writer. Another one gives files that differ from Grasshopper's.
DEFLATE_LEVEL = 6
#: Memory level of Grasshopper's own writer; likewise.
DEFLATE_MEMORY = 8

#: Most unpacked bytes of a file [bytes]; large definitions have some 20 MB. Larger: a small malicious file may exhaust
#: the memory. Smaller: large definitions are refused.
MAX_CONTENT = 256 << 20
#: Most levels of chunks [-]; definitions have about 10. Larger: the stack may not suffice.
MAX_DEPTH = 100

#: Index of an item or chunk that has none.
NO_INDEX = -1


class ItemType(NamedTuple):
    """Type of an item."""

    name: str  # in XML
    layout: str  # struct format of a value of fixed size; "" for types with their own codec
    parts: tuple[str, ...]  # names of the numbers in XML; () if the value is one number


#: Codes of the types.
BOOL, BYTE, INT32, INT64, SINGLE, DOUBLE, DECIMAL, DATE, GUID, STRING = 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
BYTES, DOUBLES = 20, 21
POINT, POINTF, SIZE, SIZEF, RECTANGLE, RECTANGLEF, COLOUR, BITMAP = 30, 31, 32, 33, 34, 35, 36, 37
POINT2D, POINT3D, POINT4D, INTERVAL, INTERVAL2D, LINE, BOX, PLANE, VERSION = 50, 51, 52, 60, 61, 70, 71, 72, 80

#: Types by code.
TYPES: dict[int, ItemType] = {
    BOOL: ItemType("gh_bool", "<?", ()),
    BYTE: ItemType("gh_byte", "<B", ()),
    INT32: ItemType("gh_int32", "<i", ()),
    INT64: ItemType("gh_int64", "<q", ()),
    SINGLE: ItemType("gh_single", "<f", ()),
    DOUBLE: ItemType("gh_double", "<d", ()),
    DECIMAL: ItemType("gh_decimal", "<4i", ()),  # four words: low, middle, high, sign and scale
    DATE: ItemType("gh_date", "<q", ()),  # [100 ns] since the year 1
    GUID: ItemType("gh_guid", "", ()),
    STRING: ItemType("gh_string", "", ()),
    BYTES: ItemType("gh_bytearray", "", ()),
    DOUBLES: ItemType("gh_doublearray", "", ()),
    POINT: ItemType("gh_drawing_point", "<2i", ("X", "Y")),
    POINTF: ItemType("gh_drawing_pointf", "<2f", ("X", "Y")),
    SIZE: ItemType("gh_drawing_size", "<2i", ("W", "H")),
    SIZEF: ItemType("gh_drawing_sizef", "<2f", ("W", "H")),
    RECTANGLE: ItemType("gh_drawing_rectangle", "<4i", ("X", "Y", "W", "H")),
    RECTANGLEF: ItemType("gh_drawing_rectanglef", "<4f", ("X", "Y", "W", "H")),
    COLOUR: ItemType("gh_drawing_color", "<4B", ()),  # blue, green, red, opacity
    BITMAP: ItemType("gh_drawing_bitmap", "", ()),  # a PNG file
    POINT2D: ItemType("gh_point2d", "<2d", ("X", "Y")),
    POINT3D: ItemType("gh_point3d", "<3d", ("X", "Y", "Z")),
    POINT4D: ItemType("gh_point4d", "<4d", ("X", "Y", "Z", "W")),
    INTERVAL: ItemType("gh_interval1d", "<2d", ("A", "B")),
    INTERVAL2D: ItemType("gh_interval2d", "<4d", ("Ua", "Ub", "Va", "Vb")),
    LINE: ItemType("gh_line", "<6d", ("Ax", "Ay", "Az", "Bx", "By", "Bz")),
    BOX: ItemType("gh_boundingbox", "<6d", ("MinX", "MinY", "MinZ", "MaxX", "MaxY", "MaxZ")),
    PLANE: ItemType("gh_plane", "<9d", ("Ox", "Oy", "Oz", "Xx", "Xy", "Xz", "Yx", "Yy", "Yz")),
    VERSION: ItemType("gh_version", "<3i", ("Major", "Minor", "Revision")),
}


class ArchiveError(FileError):
    """The file is not a Grasshopper archive, or has an unknown type."""


@dataclass
class Item:
    """A named value."""

    name: str
    type: int  # code in TYPES
    value: Any  # a number, bool, str, UUID or bytes; a tuple of numbers if the type has several
    index: int = NO_INDEX


@dataclass
class Chunk:
    """A node of the tree."""

    name: str
    items: list[Item] = field(default_factory=list)
    chunks: list[Chunk] = field(default_factory=list)
    index: int = NO_INDEX

    def set(self, name: str, type: int, value: Any, index: int = NO_INDEX) -> Chunk:
        """Add an item in Grasshopper's order, by lower-case name, then by index; returns the chunk."""
        if self.find(name, index) is not None:
            raise ValueError("chunk {!r} already has an item {!r}".format(self.name, name))
        self.items.append(Item(name, type, value, index))
        self.items.sort(key=lambda item: (item.name.lower(), item.index))
        return self

    def add(self, name: str, index: int = NO_INDEX) -> Chunk:
        """Append a child, and return it."""
        child = Chunk(name, index=index)
        self.chunks.append(child)
        return child

    def find(self, name: str, index: int = NO_INDEX) -> Item | None:
        """The item of that name (case-insensitive, as in Grasshopper), or None."""
        for item in self.items:
            if item.index == index and item.name.lower() == name.lower():
                return item
        return None

    def get(self, name: str, index: int = NO_INDEX) -> Any:
        """The value of an item; KeyError without one."""
        item = self.find(name, index)
        if item is None:
            raise KeyError("chunk {!r} has no item {!r}".format(self.name, name))
        return item.value

    def child(self, name: str, index: int = NO_INDEX) -> Chunk:
        """The child of that name; KeyError without one."""
        for chunk in self.chunks:
            if chunk.name == name and chunk.index == index:
                return chunk
        raise KeyError("chunk {!r} has no child {!r}".format(self.name, name))

    def children(self, name: str) -> list[Chunk]:
        """All children of that name, in order."""
        return [chunk for chunk in self.chunks if chunk.name == name]


def loads(data: bytes) -> Chunk:
    """Decode a `.gh` or `.ghuser` file.

    Raises
    ------
    ArchiveError
        If the bytes are not an archive.
    """
    inflate = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        content = inflate.decompress(data, MAX_CONTENT)
        if inflate.unconsumed_tail:
            raise ArchiveError("not a Grasshopper archive: it unpacks to more than {} MB".format(MAX_CONTENT >> 20))
        reader = _Reader(content + inflate.flush())
        if not inflate.eof or inflate.unused_data:
            raise ArchiveError("not a Grasshopper archive: the compressed data does not end where the file does")
        root = reader.chunk()
    except (zlib.error, struct.error, UnicodeDecodeError, OverflowError) as error:
        raise ArchiveError("not a Grasshopper archive: {}".format(error)) from error
    if reader.at != len(reader.data):
        raise ArchiveError("not a Grasshopper archive: {} bytes after its end".format(len(reader.data) - reader.at))
    return root


def dumps(root: Chunk) -> bytes:
    """Encode a tree as a `.gh` or `.ghuser` file."""
    out: list[bytes] = []
    _write_chunk(root, out)
    deflate = zlib.compressobj(DEFLATE_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS, DEFLATE_MEMORY)
    return deflate.compress(b"".join(out)) + deflate.flush()


def require_depth(depth: int) -> None:
    """Raise an ArchiveError if chunks are nested too deeply."""
    if depth > MAX_DEPTH:
        raise ArchiveError("the chunks of the file are nested more than {} deep".format(MAX_DEPTH))


class _Reader:
    """Reads values from inflated bytes."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, count: int) -> bytes:
        if count < 0 or self.at + count > len(self.data):
            raise ArchiveError("not a Grasshopper archive: it ends in the middle of a value")
        self.at += count
        return self.data[self.at - count : self.at]

    def unpack(self, layout: str) -> tuple:
        return struct.unpack(layout, self.take(struct.calcsize(layout)))

    def count(self) -> int:
        return self.unpack("<i")[0]

    def text(self) -> str:
        length = shift = 0
        while True:  # seven bits a byte, the lowest first
            byte = self.take(1)[0]
            length |= (byte & 0x7F) << shift
            shift += 7
            if shift > 35:
                raise ArchiveError("not a Grasshopper archive: a text is too long")
            if byte < 0x80:
                return self.take(length).decode("utf-8")

    def chunk(self, depth: int = 0) -> Chunk:
        name, (index, items, chunks) = self.text(), self.unpack("<3i")
        if items < 0 or chunks < 0:
            raise ArchiveError("not a Grasshopper archive: chunk {!r} has a negative count".format(name))
        require_depth(depth)
        inner = [self.item() for _ in range(items)], [self.chunk(depth + 1) for _ in range(chunks)]
        return Chunk(name, *inner, index)

    def item(self) -> Item:
        name, (index, type) = self.text(), self.unpack("<2i")
        if type not in TYPES:
            raise ArchiveError("item {!r} has type {}, which is not known".format(name, type))
        return Item(name, type, self.value(type), index)

    def value(self, type: int) -> Any:
        if type == GUID:
            return uuid.UUID(bytes_le=self.take(16))
        if type == STRING:
            return self.text()
        if type in (BYTES, BITMAP):
            return self.take(self.count())
        if type == DOUBLES:
            return self.unpack("<{}d".format(self.count()))
        values = self.unpack(TYPES[type].layout)
        return values if len(values) > 1 else values[0]


def _write_chunk(chunk: Chunk, out: list[bytes]) -> None:
    _write_text(chunk.name, out)
    out.append(struct.pack("<3i", chunk.index, len(chunk.items), len(chunk.chunks)))
    for item in chunk.items:
        _write_text(item.name, out)
        out.append(struct.pack("<2i", item.index, item.type))
        _write_value(item, out)
    for child in chunk.chunks:
        _write_chunk(child, out)


def _write_text(text: str, out: list[bytes]) -> None:
    data = text.encode("utf-8")
    length = len(data)
    while length >= 0x80:
        out.append(bytes([length & 0x7F | 0x80]))
        length >>= 7
    out.append(bytes([length]))
    out.append(data)


def _write_value(item: Item, out: list[bytes]) -> None:
    value = item.value
    if item.type == GUID:
        out.append(value.bytes_le)
    elif item.type == STRING:
        _write_text(value, out)
    elif item.type in (BYTES, BITMAP):
        out += [struct.pack("<i", len(value)), bytes(value)]
    elif item.type == DOUBLES:
        out.append(struct.pack("<i{}d".format(len(value)), len(value), *value))
    else:
        values = value if isinstance(value, tuple) else (value,)
        out.append(struct.pack(TYPES[item.type].layout, *values))
