"""The chunk tree: what is written comes back, as bytes and as XML, for every type of value; damage is told."""

import math
import struct
import uuid
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compas_nscd.ghfiles import archive, ghx
from compas_nscd.ghfiles.archive import TYPES, ArchiveError, Chunk, Item

TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc"), exclude_characters="\ufffe\uffff"))
SPACED = st.lists(st.one_of(TEXT, st.sampled_from(["\n", "\r\n", "\t", "<&>\"'", "]]>"]))).map("".join)
NUMBERS = {
    "?": st.booleans(),
    "B": st.integers(0, 255),
    "i": st.integers(-(2**31), 2**31 - 1),
    "q": st.integers(-(2**63), 2**63 - 1),
    "f": st.floats(width=32, allow_nan=False),
    "d": st.floats(allow_nan=False),
}


def values(code):
    """A strategy for the values of a type."""
    if code == archive.DECIMAL:  # ninety-six bits, up to 28 decimals, a sign
        word, flags = st.integers(-(2**31), 2**31 - 1), st.integers(0, 28).map(lambda scale: scale << 16)
        return st.tuples(word, word, word, st.one_of(flags, flags.map(lambda f: f - 2**31)))
    special = {
        archive.GUID: st.uuids(),
        archive.STRING: SPACED,
        archive.BYTES: st.binary(),
        archive.BITMAP: st.binary(),
        archive.DOUBLES: st.lists(NUMBERS["d"]).map(tuple),
    }
    if code in special:
        return special[code]
    layout = TYPES[code].layout[1:]
    count = int(layout[:-1] or 1)
    one = NUMBERS[layout[-1]]
    return one if count == 1 else st.tuples(*[one] * count)


ITEMS = st.sampled_from(sorted(TYPES)).flatmap(
    lambda code: st.builds(Item, TEXT, st.just(code), values(code), st.integers(-1, 5))
)
CHUNKS = st.recursive(
    st.builds(Chunk, TEXT, st.lists(ITEMS, max_size=4), st.just([]), st.integers(-1, 5)),
    lambda inner: st.builds(Chunk, TEXT, st.lists(ITEMS, max_size=2), st.lists(inner, max_size=3), st.integers(-1, 5)),
    max_leaves=6,
)


@pytest.mark.short
@pytest.mark.parametrize("code", sorted(TYPES), ids=lambda code: TYPES[code].name)
def test_a_value_of_every_type_comes_back(code):
    @settings(max_examples=40, deadline=None)
    @given(values(code))
    def comes_back(value):
        root = Chunk("Root", [Item("value", code, value)])
        assert archive.loads(archive.dumps(root)) == root
        assert ghx.loads(ghx.dumps(root)) == root

    comes_back()


@settings(max_examples=60, deadline=None)
@given(CHUNKS)
def test_a_tree_comes_back(root):
    data = archive.dumps(root)
    assert archive.loads(data) == root
    assert archive.dumps(archive.loads(data)) == data
    assert ghx.loads(ghx.dumps(root)) == root


@pytest.mark.short
def test_bytes_are_those_of_the_format():
    """Written out by hand: name, index -1, one item, no child; item: name, index 2, type 3, value 7."""
    root = Chunk("AB").set("n", archive.INT32, 7, index=2)
    by_hand = b"\x02AB" + struct.pack("<3i", -1, 1, 0) + b"\x01n" + struct.pack("<3i", 2, 3, 7)
    assert zlib.decompress(archive.dumps(root), -15) == by_hand


@pytest.mark.parametrize("length", [0, 127, 128, 16383, 16384])
def test_lengths_take_seven_bits_a_byte(length):
    text = "x" * length
    root = Chunk("R").set("t", archive.STRING, text)
    raw = zlib.decompress(archive.dumps(root), -15)
    size = 1 if length < 128 else 1 + math.floor(math.log2(length)) // 7
    assert len(raw) == 2 + 12 + 2 + 8 + size + length
    assert archive.loads(archive.dumps(root)).get("t") == text


@pytest.mark.short
def test_guids_are_little_endian():
    guid = uuid.UUID("00112233-4455-6677-8899-aabbccddeeff")
    raw = zlib.decompress(archive.dumps(Chunk("R").set("g", archive.GUID, guid)), -15)
    assert raw.endswith(bytes.fromhex("33221100554477668899aabbccddeeff"))


def test_items_are_ordered_by_lower_case_name_then_index():
    chunk = Chunk("R")
    for name, index in (("SourceCount", -1), ("Source", 10), ("Source", 2), ("name", -1), ("NickName", -1), ("ID", 0)):
        chunk.set(name, archive.INT32, 0, index)
    assert [(i.name, i.index) for i in chunk.items] == [
        ("ID", 0), ("name", -1), ("NickName", -1), ("Source", 2), ("Source", 10), ("SourceCount", -1)
    ]  # fmt: skip


def test_an_item_cannot_be_set_twice():
    with pytest.raises(ValueError, match="already has"):
        Chunk("R").set("Name", archive.INT32, 0).set("name", archive.INT32, 1)


@pytest.mark.short
def test_damage_is_an_archive_error_never_something_else():
    """Every cut, and every change of a byte of the uncompressed tree, gives a tree or an ArchiveError."""
    root = Chunk("Root").set("Name", archive.STRING, "arch").set("Id", archive.GUID, uuid.UUID(int=5))
    root.add("Child", 3).set("Icon", archive.BYTES, b"abc")
    raw = zlib.decompress(archive.dumps(root), -15)
    damaged = [raw[:cut] for cut in range(len(raw))]
    damaged += [raw[:at] + bytes([raw[at] ^ 0xFF]) + raw[at + 1 :] for at in range(len(raw))]
    refused = 0
    for data in damaged:
        deflate = zlib.compressobj(6, zlib.DEFLATED, -15)
        try:
            archive.loads(deflate.compress(data) + deflate.flush())
        except ArchiveError:
            refused += 1
    assert refused >= len(raw)  # at the least, all the cuts


@pytest.mark.parametrize("data", [b"", b"not deflated", b"\x00" * 40])
def test_other_files_are_refused(data):
    with pytest.raises(ArchiveError, match="not a Grasshopper archive"):
        archive.loads(data)


ONE_ITEM = '<Archive name="R"><items><item name="a" type_name="{}" type_code="{}">{}</item></items></Archive>'


@pytest.mark.parametrize(
    "text, message",
    [
        ("no xml", "not a .ghx file"),
        ("<svg/>", "root is <svg>"),
        (ONE_ITEM.format("gh_new", 99, ""), "gh_new"),
        (ONE_ITEM.format("gh_int32", 3, "x"), "'a' is not a gh_int32"),
        (ONE_ITEM.format("gh_bool", 1, "yes"), "'a' is not a gh_bool"),
        (ONE_ITEM.format("gh_guid", 9, "12"), "'a' is not a gh_guid"),
        (ONE_ITEM.format("gh_bytearray", 20, ""), "'a' is not a gh_bytearray"),
        (ONE_ITEM.format("gh_drawing_point", 30, "<X>1</X>"), "'a' is not a gh_drawing_point"),
    ],
)
def test_other_xml_is_refused(text, message):
    with pytest.raises(ArchiveError, match=message):
        ghx.loads(text)


def test_text_that_xml_cannot_hold_is_refused():
    with pytest.raises(ArchiveError, match="cannot hold"):
        ghx.dumps(Chunk("R").set("t", archive.STRING, "a\x00b"))


@pytest.mark.parametrize(
    "words, text",
    [
        ((15, 0, 0, 1 << 16), "1.5"),
        ((150, 0, 0, 2 << 16), "1.50"),
        ((-1, -1, -1, -(2**31)), "-79228162514264337593543950335"),
    ],
)
def test_a_decimal_reads_as_a_number(words, text):
    assert ">" + text + "<" in ghx.dumps(Chunk("R").set("d", archive.DECIMAL, words))
