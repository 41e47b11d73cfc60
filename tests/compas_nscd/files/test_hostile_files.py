"""Files of strangers: typed errors within a second and without growth of the memory."""

import io
import json
import sys
import time
import tracemalloc
import zipfile

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysed import analyse, box
from compas_nscd import ContactLaw, Structure
from compas_nscd.errors import FileError, NscdError
from compas_nscd.files import fc3d
from compas_nscd.files.npz import read_npz
from compas_nscd.files.text import parse_json
from compas_nscd.ghfiles import archive, ghx
from compas_nscd.ghfiles.archive import ArchiveError, Chunk
from compas_nscd.results.static import StaticResult
from strategies import damaged_bytes

#: Longest processor time that a hostile file may take [s], and most memory that it may need [bytes].
SOON, LITTLE = 1.0, 64 << 20


def refused_soon(read, *arguments, error=FileError, match=None):
    """Check that a reader refuses its arguments within bounds of time and memory."""
    tracemalloc.start()
    began = time.process_time()
    try:
        with pytest.raises(error, match=match):
            read(*arguments)
        took, most = time.process_time() - began, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert took < SOON and most < LITTLE


def npy(shape, body=b"", dtype="<f8"):
    """An array file that says to have this shape."""
    head = repr({"descr": dtype, "fortran_order": False, "shape": shape}) + "\n"
    return b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head.encode() + body


def zipped(path, entries, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", method) as file:
        for name, content in entries.items():
            file.writestr(name, content)
    return path


# -- .npz --------------------------------------------------------------------------------------------------------------


def test_an_archive_that_unpacks_to_far_more(tmp_path, monkeypatch):
    """Several arrays, each below the limit."""
    for module in ("npz", "fc3d"):
        monkeypatch.setattr("compas_nscd.files.{}.MAX_CONTENT".format(module), 5 << 20)
    path = zipped(tmp_path / "bomb.npz", {"a{}.npy".format(k): bytes(1 << 20) for k in range(6)})
    assert path.stat().st_size < 1 << 14
    for read in (read_npz, StaticResult.load, fc3d.read_problem):
        refused_soon(read, path, match="unpacks to more than")


@pytest.mark.parametrize(
    "content",
    [
        npy((10**12,)),
        npy((-1,)),
        npy((3,), bytes(16)),
        npy((3,), bytes(32)),
        npy((2**31, 2**31, 2**31)),
        npy((1,), bytes(8), "|O"),
        npy((1,), bytes(16), [("a", "<f8"), ("b", "<f8")]),
        npy((1,), b"", "<U0"),
        npy("x"),
        b"\x93NUMPY\x07\x00",
        b"",
        b"garbage",
    ],
)
def test_arrays_that_lie_about_themselves(tmp_path, content):
    refused_soon(read_npz, zipped(tmp_path / "a.npz", {"x.npy": content}), match="npz")


def test_what_zipfile_cannot_do_is_a_sentence(tmp_path):
    """Encryption, other compressions, entries twice: NotImplementedError and RuntimeError of zipfile."""
    good = npy((1,), bytes(8))
    refused_soon(read_npz, zipped(tmp_path / "a.npz", {"x.npy": good}, zipfile.ZIP_LZMA), match="compressed")
    refused_soon(read_npz, zipped(tmp_path / "b.npz", {"x.txt": good}), match="no array")
    path = zipped(tmp_path / "c.npz", {"x.npy": good})
    for at, value in ((6, 1), (6, 64), (8, 99)):  # flags of encryption, method of compression
        content = bytearray(path.read_bytes())
        central = content.index(b"PK\x01\x02")
        content[at] = content[central + at + 2] = value
        (tmp_path / "d.npz").write_bytes(bytes(content))
        refused_soon(read_npz, tmp_path / "d.npz")
    with pytest.raises(FileError, match="no file"):
        read_npz(tmp_path / "none.npz")


def test_arrays_come_back(tmp_path):
    given = {
        "a": np.arange(6.0).reshape(2, 3),
        "t": np.array("text"),
        "f": np.asfortranarray(np.eye(3)),
        "e": np.zeros(0),
    }
    np.savez_compressed(tmp_path / "a.npz", **given)
    found = read_npz(tmp_path / "a.npz")
    assert sorted(found) == sorted(given)
    for key, value in given.items():
        assert found[key].dtype == value.dtype and np.array_equal(found[key], value)


@pytest.fixture(scope="module")
def result():
    """A small result."""
    blocks = [box((0, 0, -1), (1, 1, 0), density=2000.0, support=True), box((0, 0, 0), (1, 1, 1), density=2000.0)]
    return analyse(Structure(blocks, ContactLaw(0.6)))


@pytest.fixture(scope="module")
def saved(result, tmp_path_factory):
    """Bytes of the result as .npz and as .json."""
    folder = tmp_path_factory.mktemp("saved")
    found = {}
    for suffix in (".npz", ".json"):
        result.save(folder / ("r" + suffix))
        found[suffix] = (folder / ("r" + suffix)).read_bytes()
    return found


@pytest.mark.parametrize("suffix", [".npz", ".json"])
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_damaged_results_are_refused_or_read(saved, tmp_path_factory, suffix, data):
    path = tmp_path_factory.mktemp("damaged") / ("r" + suffix)
    path.write_bytes(data.draw(damaged_bytes(saved[suffix])))
    try:
        StaticResult.load(path)
    except NscdError as error:
        assert len(str(error)) > 10


def changed(saved, tmp_path, **arrays):
    """The result as .npz with other arrays."""
    with np.load(io.BytesIO(saved[".npz"])) as file:
        whole = {key: file[key] for key in file.files}
    path = tmp_path / "changed.npz"
    np.savez_compressed(path, **dict(whole, **arrays))
    return path


@pytest.mark.parametrize(
    "key, value",
    [
        ("reply_interface_body", np.array([[0, 7]], np.int32)),
        ("reply_interface_body", np.array([[-1, 1]], np.int32)),
        ("reply_contact_start", np.array([0, 99], np.int32)),
        ("reply_contact_start", np.array([3, 0], np.int32)),
        ("reply_polygon_start", np.array([0, 10**9], np.int32)),
        ("reply_contact_force", np.zeros((1, 3))),
        ("block_vertex_start", np.array([0, 99, 100], np.int32)),
        ("block_face_vertices", np.full(48, 10**6, np.int32)),
        ("block_face_start", np.zeros(0, np.int32)),
    ],
)
def test_indices_of_a_result_refer_to_its_blocks(saved, tmp_path, key, value):
    with pytest.raises(NscdError):
        StaticResult.load(changed(saved, tmp_path, **{key: value}))


# -- JSON --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("unit, count", [("[],", 33 << 20), ("{},", 16 << 20), ("1,", 50 << 20)])
def test_json_of_very_many_values_is_not_parsed(unit, count):
    text = "[" + unit * count + "0]"
    refused_soon(parse_json, text, "many.json", match="limit")


def test_json_that_is_nested_deeply(tmp_path):
    for text in ("[" * 10**6, '{"blocks":' * 10**5, '{"dtype": "x", "data": ' + "[" * 5000 + "]" * 5000 + "}"):
        path = tmp_path / "deep.json"
        path.write_text(text)
        refused_soon(Structure.from_file, path)


def test_an_integer_of_very_many_digits(tmp_path):
    path = tmp_path / "long.json"
    path.write_text('{"blocks": [], "mu": ' + "9" * 10**6 + "}")
    refused_soon(Structure.from_file, path, match="digits")


@pytest.mark.parametrize("line", ["f 1 1 1\n", "f 1 1 1 1 1 1\n"])
def test_faces_of_an_obj_are_counted_before_they_are_parsed(tmp_path, line, monkeypatch):
    monkeypatch.setattr("compas_nscd.files.mesh_formats.obj.MAX_FACES", 100000)
    path = tmp_path / "many.obj"
    path.write_text("v 0 0 0\n" + line * 200000)
    refused_soon(Structure.from_file, path, match="limit is 100000")


@pytest.mark.parametrize("face", ["f", "f 1", "f 1 2"])
def test_a_face_of_an_obj_without_three_corners(tmp_path, face):
    path = tmp_path / "open.obj"
    path.write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\no a\nf 1 2 3\no b\n" + face + "\n")
    refused_soon(Structure.from_file, path, match="line 7.*three corners")


@pytest.mark.parametrize("length", range(0, 90, 17))  # 34: the head without one triangle
def test_the_beginning_of_an_stl_is_not_a_mesh(tmp_path, length):
    path = tmp_path / "begun.stl"
    path.write_bytes(b"solid".ljust(90)[:length])
    refused_soon(Structure.from_file, path)


def test_triangles_of_an_stl_are_counted_before_they_are_parsed(tmp_path, monkeypatch):
    monkeypatch.setattr("compas_nscd.files.mesh_formats.stl.MAX_FACES", 1000)
    path = tmp_path / "many.stl"
    path.write_text("solid x\n" + "facet normal 0 0 0\n" * 2000 + "endsolid x\n")
    refused_soon(Structure.from_file, path, match="limit is 1000")


# -- COMPAS ------------------------------------------------------------------------------------------------------------


def test_nothing_is_imported_because_a_file_says_so(tmp_path):
    """Neither by the type of an object nor by the types that it inherits from."""
    nested = {"dtype": "this/Zen", "data": {}, "inheritance": ["antigravity/Fly"]}
    for tree in (
        nested,
        [nested],
        {"dtype": "compas.datastructures/Mesh", "data": nested, "inheritance": ["this/Zen"]},
    ):
        path = tmp_path / "x.json"
        path.write_text(json.dumps(tree))
        with pytest.raises(FileError):
            Structure.from_file(path, supports="lowest", density=1.0, law=ContactLaw(0.6))
        with pytest.raises(FileError):
            StaticResult.load(path)
    assert not {"this", "antigravity"} & set(sys.modules)


# -- Grasshopper -------------------------------------------------------------------------------------------------------


def test_deep_definitions_are_refused():
    deep = '<Archive name="R">' + '<chunks><chunk name="c">' * 100000 + "</chunk></chunks>" * 100000 + "</Archive>"
    refused_soon(ghx.loads, deep, error=ArchiveError, match="nested")
    root = chunk = Chunk("R")
    for _ in range(500):
        chunk = chunk.add("c")
    refused_soon(archive.loads, archive.dumps(root), error=ArchiveError, match="nested")


def test_definitions_that_grow_are_refused(monkeypatch):
    laughs = '<!DOCTYPE a [<!ENTITY b "lol">]><Archive name="R">&b;</Archive>'
    refused_soon(ghx.loads, laughs, error=ArchiveError, match="type of document")
    monkeypatch.setattr(archive, "MAX_CONTENT", 1 << 20)
    large = archive.dumps(Chunk("R").set("t", archive.STRING, "x" * (1 << 21)))
    assert len(large) < 10000
    refused_soon(archive.loads, large, error=ArchiveError, match="unpacks to more")


@pytest.mark.parametrize("index", ["x", "1e3", ""])
def test_an_index_that_is_no_number(index):
    with pytest.raises(ArchiveError, match="index"):
        ghx.loads('<Archive name="R" index="{}"/>'.format(index))


def test_a_ghx_is_utf8_whatever_it_declares():
    """Another encoding may not exist, or hide a type of document."""
    plain = '<?xml version="1.0" encoding="{}"?><Archive name="R"/>'
    for encoding in ("utf-8", "utf-H", "cp037"):
        assert ghx.loads(plain.format(encoding)).name == "R"
    hidden = '<!DOCTYPE a [<!ENTITY b "c">]><Archive name="&b;"/>'
    for encoding in ("utf-16", "cp037"):
        declared = '<?xml version="1.0" encoding="{}"?>'.format(encoding).encode(
            "ascii" if encoding == "cp037" else encoding
        )
        refused_soon(ghx.loads, declared + hidden.encode(encoding), error=ArchiveError)


# -- motions -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def motion():
    """Reply, structure and load case of a short motion with forces and a probe."""
    pytest.importorskip("numba")
    from dynamic_helpers import follow, structure_of
    from solids import box as solid

    structure = structure_of([solid((-1, -1, -1), (2, 2, 1)), solid((-0.5, -0.5, 0.0))])
    return follow(structure, None, 0.02, 5e-3, quiet=False, forces=True, probes=[1], interval=5e-3)


@pytest.mark.parametrize(
    "key, edit",
    [
        ("contact_body", lambda a: a + 5),
        ("contact_body", lambda a: a - 2),
        ("contact_start", lambda a: a[::-1]),
        ("contact_start", lambda a: a + 1),
        ("probe_block", lambda a: a + 1),
        ("times", lambda a: a[::-1]),
        ("times", lambda a: a * np.nan),
        ("position", lambda a: a[:, :1]),
    ],
)
def test_indices_of_a_motion_refer_to_its_blocks(motion, tmp_path, key, edit):
    motion.save(tmp_path / "m.npz")
    assert type(motion).load(tmp_path / "m.npz") == motion
    with np.load(tmp_path / "m.npz") as file:
        arrays = {name: file[name] for name in file.files}
    arrays["reply_" + key] = edit(arrays["reply_" + key])
    np.savez_compressed(tmp_path / "m.npz", **arrays)
    with pytest.raises(NscdError):
        type(motion).load(tmp_path / "m.npz")


# -- .3dm --------------------------------------------------------------------------------------------------------------


def test_a_3dm_that_is_not_whole_does_not_reach_the_library(tmp_path, result, monkeypatch):
    """openNURBS would search it for what is left."""
    pytest.importorskip("rhino3dm")
    from compas_nscd.drawing.threedm import write_static
    from compas_nscd.files.threedm import read as threedm

    path = tmp_path / "r.3dm"
    write_static(result, path)
    assert len(Structure.from_file(path)) == 2
    content = path.read_bytes()
    monkeypatch.setattr(threedm, "rhino3dm", lambda: None)
    middle = len(content) // 2
    for damaged in (content[:middle], content[:middle] + b"x" + content[middle:], content + b"\0", content[:40], b"3D"):
        path.write_bytes(damaged)
        refused_soon(Structure.from_file, path, match="damaged")
