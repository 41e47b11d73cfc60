"""The chunk tree of `archive` as XML: the text of a `.ghx` file.

The tags of lines, boxes, planes and intervals, which the example definitions do not contain, were not compared with
files of Grasshopper.
"""

from __future__ import annotations

import base64
import decimal
import struct
import uuid
from typing import Any
from xml.etree import ElementTree

from compas_nscd.ghfiles import archive
from compas_nscd.ghfiles.archive import NO_INDEX, TYPES, ArchiveError, Chunk, Item

_INDENT = "  "
_CODES = {kind.name: code for code, kind in TYPES.items()}


def dumps(root: Chunk) -> str:
    """Encode a tree as the text of a `.ghx` file."""
    lines = ['<?xml version="1.0" encoding="utf-8" standalone="yes"?>']
    _write_chunk(root, "Archive", "", lines)
    return "\n".join(lines) + "\n"


def loads(text: str | bytes) -> Chunk:
    """Decode the text of a `.ghx` file.

    Raises
    ------
    ArchiveError
        If it is not a `.ghx` file.
    """
    if isinstance(text, str):
        text = text.encode("utf-8")
    if len(text) > archive.MAX_CONTENT or b"<!DOCTYPE" in text:  # entities may grow without bound
        raise ArchiveError("not a .ghx file: it is too large, or declares a type of document")
    # Whatever encoding it declares: another one could hide what is looked for above, or not exist.
    parser = ElementTree.XMLParser(target=_Shallow(), encoding="utf-8")
    try:
        element = ElementTree.fromstring(text, parser)
    except ElementTree.ParseError as error:
        raise ArchiveError("not a .ghx file: {}".format(error)) from error
    if element.tag != "Archive":
        raise ArchiveError("not a .ghx file: its root is <{}>, not <Archive>".format(element.tag))
    return _read_chunk(element)


class _Shallow(ElementTree.TreeBuilder):
    """Builds a tree, and gives up as soon as it is deeper than any definition."""

    _depth = 0

    def start(self, tag: str, attrs: Any) -> Any:
        """Begin an element; a chunk is two levels deep."""
        self._depth += 1
        archive.require_depth(self._depth // 2)
        return super().start(tag, attrs)

    def end(self, tag: str) -> Any:
        """End an element."""
        self._depth -= 1
        return super().end(tag)


def _write_chunk(chunk: Chunk, tag: str, indent: str, lines: list[str]) -> None:
    inner = indent + _INDENT
    lines.append("{}<{}{}>".format(indent, tag, _label(chunk)))
    if chunk.items:
        lines.append('{}<items count="{}">'.format(inner, len(chunk.items)))
        for item in chunk.items:
            _write_item(item, inner + _INDENT, lines)
        lines.append(inner + "</items>")
    if chunk.chunks:
        lines.append('{}<chunks count="{}">'.format(inner, len(chunk.chunks)))
        for child in chunk.chunks:
            _write_chunk(child, "chunk", inner + _INDENT, lines)
        lines.append(inner + "</chunks>")
    lines.append("{}</{}>".format(indent, tag))


def _label(named: Chunk | Item) -> str:
    index = "" if named.index == NO_INDEX else ' index="{}"'.format(named.index)
    return ' name="{}"{}'.format(_escape(named.name, quoted=True), index)


def _write_item(item: Item, indent: str, lines: list[str]) -> None:
    start = '{}<item{} type_name="{}" type_code="{}">'.format(indent, _label(item), TYPES[item.type].name, item.type)
    parts = _parts(item)
    if isinstance(parts, str):
        lines.append("{}{}</item>".format(start, _escape(parts)))
        return
    lines.append(start)
    lines.extend("{}{}".format(indent + _INDENT, part) for part in parts)
    lines.append(indent + "</item>")


def _parts(item: Item) -> str | list[str]:
    """The value as text, or as one element for each of its parts."""
    kind, value = TYPES[item.type], item.value
    if item.type in (archive.BYTES, archive.BITMAP):
        tag = "bitmap" if item.type == archive.BITMAP else "stream"
        return ['<{0} length="{1}">{2}</{0}>'.format(tag, len(value), base64.b64encode(value).decode("ascii"))]
    if item.type == archive.DOUBLES:
        packed = base64.b64encode(struct.pack("<{}d".format(len(value)), *value)).decode("ascii")
        return ['<stream length="{}">{}</stream>'.format(len(value), packed)]
    if item.type == archive.COLOUR:
        blue, green, red, opacity = value
        return ["<ARGB>{};{};{};{}</ARGB>".format(opacity, red, green, blue)]
    if kind.parts:
        return ["<{0}>{1}</{0}>".format(name, _number(part, kind.layout)) for name, part in zip(kind.parts, value)]
    if item.type == archive.BOOL:
        return "true" if value else "false"
    if item.type == archive.DECIMAL:
        return _decimal_text(value)
    if item.type in (archive.SINGLE, archive.DOUBLE):
        return _number(value, kind.layout)
    return str(value)


def _number(value: Any, layout: str) -> str:
    """Shortest text that is read back as the same number in its precision."""
    text = ""
    if isinstance(value, int):
        return str(value)
    if layout.endswith("f"):
        for digits in range(6, 10):
            text = "{:.{}g}".format(value, digits)
            if value != value or struct.pack("<f", float(text)) == struct.pack("<f", value):
                break
    else:
        text = repr(value)
    text = text[:-2] if text.endswith(".0") else text
    return {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}.get(text, text)


def _decimal_text(words: tuple[int, ...]) -> str:
    low, middle, high, flags = (word & 0xFFFFFFFF for word in words)
    digits = tuple(int(digit) for digit in str(low | middle << 32 | high << 64))
    return "{:f}".format(decimal.Decimal((flags >> 31, digits, -(flags >> 16 & 0xFF))))


def _decimal_words(text: str) -> tuple:
    sign, digits, exponent = decimal.Decimal(text).as_tuple()
    whole = int("".join(str(digit) for digit in digits))
    flags = sign << 31 | -int(exponent) << 16
    return struct.unpack("<4i", struct.pack("<4I", *((whole >> shift) & 0xFFFFFFFF for shift in (0, 32, 64)), flags))


def _escape(text: str, quoted: bool = False) -> str:
    """Escape the special characters of XML, and those that a parser would change or refuse."""
    for char, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\r", "&#xD;")):
        text = text.replace(char, entity)
    if quoted:
        for char, entity in (('"', "&quot;"), ("\n", "&#xA;"), ("\t", "&#x9;")):
            text = text.replace(char, entity)
    for char in text:
        if (ord(char) < 32 and char not in "\t\n") or char in "\ufffe\uffff":
            raise ArchiveError("the text {!r} has a character that XML cannot hold".format(text[:40]))
    return text


def _read_chunk(element: Any, depth: int = 0) -> Chunk:
    archive.require_depth(depth)
    items = [_read_item(child) for child in element.findall("items/item")]
    chunks = [_read_chunk(child, depth + 1) for child in element.findall("chunks/chunk")]
    return Chunk(element.get("name"), items, chunks, _index(element))


def _index(element: Any) -> int:
    try:
        return int(element.get("index", NO_INDEX))
    except ValueError as error:
        raise ArchiveError("not a .ghx file: an index is no number") from error


def _read_item(element: Any) -> Item:
    name, code = element.get("name"), _CODES.get(element.get("type_name"), -1)
    if str(code) != element.get("type_code"):
        raise ArchiveError("item {!r} has type {}, which is not known".format(name, element.get("type_name")))
    try:
        value = _read_value(element, code)
    except (ValueError, LookupError, AttributeError, TypeError, ArithmeticError, struct.error) as error:
        raise ArchiveError("item {!r} is not a {}: {}".format(name, TYPES[code].name, error)) from error
    return Item(name, code, value, _index(element))


def _read_value(element: Any, code: int) -> Any:
    kind, text = TYPES[code], element.text or ""
    if code == archive.STRING:
        return text
    if code in (archive.BYTES, archive.BITMAP):
        return base64.b64decode(element[0].text or "")
    if code == archive.DOUBLES:
        data = base64.b64decode(element[0].text or "")
        return struct.unpack("<{}d".format(len(data) // 8), data)
    if code == archive.COLOUR:
        opacity, red, green, blue = (int(part) for part in element.find("ARGB").text.split(";"))
        return blue, green, red, opacity
    if kind.parts:
        return tuple(_read_number(element.find(name).text, kind.layout) for name in kind.parts)
    if code == archive.BOOL:
        return {"true": True, "false": False}[text.strip()]
    if code == archive.GUID:
        return uuid.UUID(text.strip())
    if code == archive.DECIMAL:
        return _decimal_words(text.strip())
    return _read_number(text, kind.layout)


def _read_number(text: str, layout: str) -> float:
    if layout[-1] == "f":
        return struct.unpack("<f", struct.pack("<f", float(text)))[0]
    return float(text) if layout[-1] == "d" else int(text)
