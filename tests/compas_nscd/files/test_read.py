"""Files: what is read, and that everything else is refused with a sentence that helps."""

import copy
import importlib
import json
import os
import re
import time
import warnings

import compas
import numpy as np
import pytest
from compas.datastructures import Mesh
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from compas_nscd import (
    BodyAcceleration,
    Cable,
    ContactLaw,
    GroundMotion,
    LoadCase,
    Structure,
    SupportMotion,
    Water,
)
from compas_nscd.errors import (
    FileError,
    GeometryError,
    InputError,
    LeftOutWarning,
    LoadError,
    MaterialError,
    SupportError,
)
from compas_nscd.files import limits
from solids import box, wall


def scene(**changes):
    blocks = [
        {"id": i, "vertices": v.tolist(), "faces": f, "support": i == 0, "density": 2400.0}
        for i, (v, f) in enumerate(zip(*wall(3)))
    ]
    return dict({"name": "three", "blocks": blocks, "mu": 0.5}, **changes)


def changed(block, **changes):
    out = scene()
    out["blocks"][block].update(changes)
    return out


def without(block, key):
    out = scene()
    del out["blocks"][block][key]
    return out


@pytest.fixture
def save(tmp_path):
    def write(content, name="scene.json"):
        path = tmp_path / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return path

    return write


# -- scenes ------------------------------------------------------------------------------------------------------------


@pytest.mark.short
def test_scene(save):
    load = {"block": 2, "point": [2.5, 0.5, 1.0], "force": [0, 0, -100]}
    structure = Structure.from_file(save(scene(loads=[load], gravity=[0, 0, -1], expected="stable", note="n")))
    assert structure.name == "three" and structure.supports == [0] and structure.law == ContactLaw(0.5)
    assert structure.case.gravity == (0, 0, -1) and structure.case.loads[0].block == 2
    assert structure.expected == "stable" and structure.note == "n" and structure.warnings == []
    assert Structure.from_file(str(save(scene()))).case == LoadCase()


@pytest.mark.short
def test_scene_round_trip(save, tmp_path):
    load = {"block": 1, "point": [0, 0, 0], "force": [1, 2, 3]}
    pair = {"blocks": [1, 2], "law": {"kind": "coulomb", "friction": 0.2}}
    source = changed(2, name="last", guid="8f14e45f-ceea-467f-a8c4-35bd9b2b11aa")
    source.update(loads=[load], pair_laws=[pair], note="n", expected="collapse")
    first = Structure.from_file(save(source))
    target = tmp_path / "out.json"
    returned = first.to_scene(target)
    assert json.loads(target.read_text(encoding="utf-8")) == json.loads(json.dumps(returned))
    assert Structure.from_file(target) == first


def test_all_loads_of_a_scene_make_the_round_trip(save, tmp_path):
    """What `to_scene` writes, `from_file` reads: also the history of a point load, in any unit of length."""
    structure = Structure.from_file(save(scene()))
    structure.case = LoadCase(water=Water(0.5, flow=(1, 0, 0)), cables=[Cable((0, None), ((0, 0, 1), (0, 0, 3)))])
    structure.case.add_point_load(1, (1, 2, 3), (4, 5, 6), history=([0.0, 2.0], [0.0, 1.5]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        written = structure.to_scene(tmp_path / "out.json")
    assert Structure.from_file(tmp_path / "out.json") == structure
    scaled = Structure.from_file(save(dict(written, units="cm"))).case.loads[0]
    assert scaled.history == ([0.0, 2.0], [0.0, 1.5]) and scaled.point == pytest.approx((0.01, 0.02, 0.03))
    written["loads"][0]["history"] = [[1.0, 0.0], [0.0, 1.0]]
    with pytest.raises(LoadError, match="ascend"):
        Structure.from_file(save(written))


@pytest.mark.parametrize(
    "key, value, word",
    [
        ("support_motions", [SupportMotion(0, (0, 0, -0.1), 1.0)], "motions of supports"),
        ("ground", [GroundMotion.sine("x", 1.0, 2.0)], "ground"),
        ("accelerations", [BodyAcceleration("x", [0, 1], [0, 1])], "accelerations"),
        ("velocities", {1: ((1, 0, 0), (0, 0, 0))}, "velocities"),
        ("gravity_ramp", 0.5, "ramp"),
    ],
)
def test_loads_that_a_scene_cannot_contain_are_reported(save, tmp_path, key, value, word):
    structure = Structure.from_file(save(scene()))
    structure.case = LoadCase(**{key: value})
    with pytest.warns(LeftOutWarning, match=word) as caught:
        structure.to_scene(tmp_path / "out.json")
    assert len(caught) == 1 and len(caught[0].message.left_out) == 1
    assert caught[0].filename == __file__  # of the caller
    assert Structure.from_file(tmp_path / "out.json").case == LoadCase()
    assert compas.json_loads(compas.json_dumps(structure)).case == structure.case  # COMPAS data has them


def test_loads_refer_to_ids_not_to_positions(save):
    source = scene(loads=[{"block": "b", "point": [0, 0, 0], "force": [0, 0, 0]}])
    for block, key in zip(source["blocks"], ["a", "b", 7]):
        block["id"] = key
    structure = Structure.from_file(save(source))
    assert structure.case.loads[0].block == 1 and structure.names == ["a", "b", "7"]


@pytest.mark.parametrize(
    "units, metre",
    [("m, kg, s, N; z up", 1), ("m, up", 1), ("mm", 1e-3), ("cm", 0.01), ("ft", 0.3048), ("in", 0.0254), ("MM", 1e-3)],
)
def test_lengths_are_scaled_once(save, units, metre):
    load = {"block": 1, "point": [1, 2, 3], "force": [5, 6, 7]}
    structure = Structure.from_file(save(scene(units=units, loads=[load])))
    assert np.ptp(structure.blocks[1].vertices, axis=0) == pytest.approx([metre] * 3)
    assert structure.case.loads[0].point == pytest.approx([metre, 2 * metre, 3 * metre])
    assert structure.case.loads[0].force == (5, 6, 7) and structure.blocks[1].density == 2400.0
    assert structure.blocks[0].support


@pytest.mark.parametrize("units", ["furlong", "", "metres of old", "m, t, s, kN", 5])
def test_unknown_units_are_refused(save, units):
    with pytest.raises(FileError, match="unit"):
        Structure.from_file(save(scene(units=units)))


@pytest.mark.short
@pytest.mark.parametrize(
    "content, error, words",
    [
        (scene(colour="red"), FileError, ["colour", "the scene", "Known keys"]),
        (changed(1, densty=5), FileError, ["densty", "block 1", "Did you mean 'density'", "Known keys"]),
        (scene(mu=None), MaterialError, ["friction"]),
        (scene(mu=-0.2), MaterialError, ["-0.2"]),
        (scene(mu=float("nan")), MaterialError, ["nan"]),
        (scene(law={"kind": "coulomb", "friction": 0.5}), MaterialError, ["both"]),
        (without(1, "density"), MaterialError, ["block 1", "density"]),
        (changed(1, density=None), MaterialError, ["block 1", "density"]),
        (changed(1, density=-3), MaterialError, ["block 1", "density"]),
        (changed(1, density="heavy"), MaterialError, ["block 1", "heavy"]),
        (changed(0, support=False), SupportError, ["No block"]),
        (changed(1, support="yes"), FileError, ["block 1", "true or false"]),
        (without(1, "support"), FileError, ["support", "block 1"]),
        (without(2, "faces"), FileError, ["faces", "block 2"]),
        (without(2, "id"), FileError, ["id", "block 2"]),
        (changed(2, id=1), FileError, ["earlier"]),
        (changed(2, id=[1]), FileError, ["not an id"]),
        (changed(2, guid="xyz"), InputError, ["block 2", "guid"]),
        (changed(2, vertices=[[0, 0]]), GeometryError, ["block 2"]),
        (changed(2, faces=[["a"]]), GeometryError, ["block 2"]),
        (changed(2, faces=box()[1][1:]), GeometryError, ["block 2", "Not closed"]),
        (changed(2, vertices=(box()[0] * np.nan).tolist()), GeometryError, ["block 2", "not finite"]),
        (scene(blocks=None), FileError, ["blocks"]),
        (scene(blocks=[5]), FileError, ["Block 0"]),
        (scene(blocks=[]), GeometryError, ["no blocks"]),
        (scene(expected="maybe"), FileError, ["maybe"]),
        (scene(gravity=[0, 0]), LoadError, ["gravity"]),
        (scene(gravity=[0, 0, float("nan")]), LoadError, ["gravity"]),
        (scene(loads={}), FileError, ["loads"]),
        (scene(loads=[{"block": 9, "point": [0, 0, 0], "force": [0, 0, 0]}]), LoadError, ["block 9", "load 0"]),
        (scene(loads=[{"block": [1], "point": [0, 0, 0], "force": [0, 0, 0]}]), LoadError, ["load 0"]),
        (scene(loads=[{"block": 1, "point": [0, 0, 0], "force": [0, 0, float("nan")]}]), LoadError, ["block 1", "fin"]),
        (scene(loads=[{"block": 1, "point": [0, 0], "force": [0, 0, 0]}]), LoadError, ["block 1", "three numbers"]),
        (scene(loads=[{"block": 1, "point": [0, 0, 0]}]), LoadError, ["force", "load 0"]),
        (scene(loads=[{"block": 1, "point": [0, 0, 0], "force": [0, 0, 0], "x": 1}]), FileError, ["'x'", "load 0"]),
        (scene(pair_laws=[{"blocks": [1], "law": {}}]), MaterialError, ["pair law 0"]),
        (scene(pair_laws=[{"blocks": [1, 2], "law": {"kind": "coulomb"}}]), MaterialError, ["friction", "pair law 0"]),
    ],
)
def test_scenes_that_are_refused(save, content, error, words):
    with pytest.raises(error) as caught:
        Structure.from_file(save(content))
    for word in words:
        assert word in str(caught.value)


def paths(node, before=()):
    """Every place in a tree of dicts and lists."""
    yield before
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in items:
        yield from paths(value, before + (key,))


WHOLE = scene(
    loads=[{"block": 1, "point": [0, 0, 0], "force": [0, 0, -1]}],
    pair_laws=[{"blocks": [0, 1], "law": {"kind": "coulomb", "friction": 0.1}}],
    gravity=[0, 0, -9.81],
    units="m",
    note="n",
    expected=None,
)
PLACES = [place for place in paths(WHOLE) if place]
JUNK = st.floats() | st.sampled_from(
    [None, True, False, "", "x", [], {}, [[]], [{}], {"a": 1}, 0, -1, 1.5, 10**30, 1e300, -1e-300]
)


@given(st.lists(st.tuples(st.sampled_from(PLACES), JUNK), min_size=1, max_size=3))
@example([(("blocks", 0, "faces"), "")])
@example([(("blocks", 0, "faces"), [[]])])
@example([(("blocks", 0, "vertices"), [])])
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.filterwarnings("error")
def test_junk_anywhere_in_a_scene_is_read_or_refused_with_a_sentence(tmp_path, changes):
    tree = copy.deepcopy(WHOLE)
    for place, junk in changes:
        node = tree
        try:
            for key in place[:-1]:
                node = node[key]
            node[place[-1]] = copy.deepcopy(junk)  # a list or dict that is put into itself is no JSON
        except (TypeError, KeyError, IndexError):
            continue  # an earlier change took this place away
    path = tmp_path / "scene.json"
    path.write_text(json.dumps(tree))
    try:
        structure = Structure.from_file(path)
        structure.to_wire()
        structure.case.to_wire(structure)
    except InputError as error:
        assert len(str(error)) > 10


def test_law_of_a_scene(save):
    source = scene(law={"kind": "coulomb", "friction": 0.4})
    del source["mu"]
    assert Structure.from_file(save(source)).law.friction == 0.4
    for law, word in (({"friction": 0.4}, "kind"), ({"kind": "coulomb"}, "friction"), (5, "law of the scene")):
        source["law"] = law
        with pytest.raises(InputError, match=word):
            Structure.from_file(save(source))
    del source["law"]
    with pytest.raises(MaterialError, match="neither"):
        Structure.from_file(save(source))


def test_loading_for_a_check_raises_nothing(save):
    source = changed(1, density=-1, faces=box()[1][1:])
    source["blocks"][0]["support"] = False
    structure = Structure.from_file(save(source), strict=False)
    assert {f.code for f in structure.report.of("error")} == {"open", "density", "no-support"}
    assert structure.bad_blocks() == ["1"]


def test_arguments_that_the_file_already_answers(save):
    with pytest.raises(InputError, match="density"):
        Structure.from_file(save(scene()), density=5.0)


# -- files that are no scenes ------------------------------------------------------------------------------------------


def noise(count):
    return np.random.default_rng(0).integers(0, 256, count, dtype=np.uint8).tobytes()


@pytest.mark.short
@pytest.mark.parametrize(
    "content, words",
    [
        (json.dumps(scene())[:500], ["line 1", "column"]),
        ('{"name": "x",\n "blocks": [', ["line 2", "cut off"]),
        ("", ["empty"]),
        (" \n\t ", ["empty"]),
        (b"\xff\xfe{\x00", ["not a text file"]),
        (b'{"name": "' + "é".encode("latin-1") + b'"}', ["UTF-8"]),
        ("hello", ["not JSON", "'h'"]),
        (noise(100000), []),
        ("[" * 100000, ["not valid JSON"]),
        ("[1, 2]", ["neither a structure nor meshes"]),
        ("[]", ["neither a structure nor meshes"]),
        ("{}", ["no list of blocks"]),
        ('{"dtype": "os/system", "data": "true"}', ["os/system", "cannot be read"]),
        ('[{"a": {"dtype": 5}}]', ["5"]),
        ('{"dtype": "compas.datastructures/Mesh", "data": {}}', ["COMPAS"]),
        ('{"dtype": "compas_nscd.structure/Structure", "data": {"blocks": []}}', ["COMPAS"]),
    ],
    ids=lambda given: repr(given)[:40],  # Windows has no room for all of it in an environment variable
)
def test_files_that_are_refused(save, content, words):
    with pytest.raises(FileError) as caught:
        Structure.from_file(save(content))
    assert "scene.json" in str(caught.value) or "list of blocks" in str(caught.value)
    for word in words:
        assert word in str(caught.value)


def test_byte_order_mark_is_no_obstacle(save):
    assert len(Structure.from_file(save(b"\xef\xbb\xbf" + json.dumps(scene()).encode()))) == 3


@pytest.mark.short
def test_huge_file_of_noise_fails_at_once(tmp_path):
    """200 MB, mostly a hole in the file system so that the test costs no disk; the limit of 2 s is a hundredfold."""
    for beginning in (noise(4096), b'{"blocks": [' + b"0," * 4096):
        path = tmp_path / "noise.json"
        with open(path, "wb") as file:
            file.write(beginning)
            file.truncate(200 << 20)
        began = time.perf_counter()
        with pytest.raises(FileError, match="200 MB"):
            Structure.from_file(path)
        assert time.perf_counter() - began < 2.0
        os.remove(path)


def test_paths_that_are_no_files(tmp_path):
    with pytest.raises(FileError, match="There is no file"):
        Structure.from_file(tmp_path / "none.json")
    folder = tmp_path / "folder.json"
    folder.mkdir()
    with pytest.raises(FileError, match="directory"):
        Structure.from_file(folder)
    with pytest.raises(FileError, match="unknown kind"):
        Structure.from_file(tmp_path / "arch.step")
    with pytest.raises(FileError, match="no file"):
        Structure.from_file(tmp_path / "arch.3dm")
    with pytest.raises(FileError, match="cannot be written"):
        Structure.from_file(_scene_at(tmp_path)).to_scene(tmp_path / "no" / "such" / "folder.json")


def _scene_at(folder):
    path = folder / "ok.json"
    path.write_text(json.dumps(scene()))
    return path


# -- COMPAS and OBJ ----------------------------------------------------------------------------------------------------

GIVEN = {"supports": [0], "density": 2000.0, "law": ContactLaw(0.7)}


def meshes():
    return [Mesh.from_vertices_and_faces(v.tolist(), f) for v, f in zip(*wall(3))]


@pytest.mark.short
def test_compas_json(tmp_path):
    path = tmp_path / "data.json"
    compas.json_dump(meshes(), path)
    structure = Structure.from_file(path, units="cm", **GIVEN)
    assert len(structure) == 3 and structure.law.friction == 0.7 and structure.supports == [0]
    assert np.ptp(structure.blocks[0].vertices) == pytest.approx(0.01)
    structure.planarity = 0.03
    compas.json_dump(structure, path)
    assert Structure.from_file(path) == structure and Structure.from_file(path, planarity=0.2).planarity == 0.2
    with pytest.raises(InputError, match="law"):
        Structure.from_file(path, law=ContactLaw())


@pytest.mark.short
@pytest.mark.parametrize("key", sorted(GIVEN))
def test_geometry_alone_needs_the_rest(tmp_path, key):
    path = tmp_path / "data.json"
    compas.json_dump(meshes(), path)
    with pytest.raises(InputError, match=key):
        Structure.from_file(path, **{k: v for k, v in GIVEN.items() if k != key})


def obj_text(relative=False, mark="o"):
    parts, base = [], 1
    for i, (vertices, faces) in enumerate(zip(*wall(2))):
        rows = ["v {} {} {}".format(*v) for v in vertices]
        corner = (lambda k: k - 8) if relative else (lambda k, base=base: "{0}/{0}/{0}".format(k + base))
        rows += ["f " + " ".join(str(corner(k)) for k in face) for face in faces]
        parts.append("{} block{}\n{}".format(mark, i, "\n".join(rows)))
        base += 8
    return "# boxes\nmtllib x.mtl\n" + "\n".join(parts) + "\n"


@pytest.mark.short
@pytest.mark.parametrize("relative", [False, True])
@pytest.mark.parametrize("mark", ["o", "g"])
def test_obj(save, relative, mark):
    structure = Structure.from_file(save(obj_text(relative, mark), "two.obj"), **dict(GIVEN, supports=["block0"]))
    assert structure.names == ["block0", "block1"] and structure.supports == [0] and structure.name == "two"
    for block, (vertices, faces) in zip(structure.blocks, zip(*wall(2))):
        assert block.vertices == pytest.approx(vertices) and block.faces == faces


@pytest.mark.parametrize(
    "text, words",
    [
        ("v 0 0\nf 1 1 1", ["line 1"]),
        ("v 0 0 0\nf 1 2 3", ["line 2", "no vertex 2"]),
        ("v 0 0 0\nf 0 1 1", ["line 2", "no vertex 0"]),
        ("v 0 0 0\nf a b c", ["line 2"]),
        ("v 0 0 0\n", ["no faces"]),
    ],
)
def test_obj_that_is_refused(save, text, words):
    with pytest.raises(FileError) as caught:
        Structure.from_file(save(text, "bad.obj"), **GIVEN)
    for word in words + ["bad.obj"]:
        assert word in str(caught.value)


def test_limit_of_file_size_can_be_changed(save, monkeypatch):
    path = save(scene())
    monkeypatch.setattr(limits, "MAX_FILE", 100)
    with pytest.raises(FileError, match="limit") as caught:
        Structure.from_file(path)
    module, _, name = re.search(r"[a-z_.]+\.[A-Z_]+", caught.value.remedy).group().rpartition(".")
    assert getattr(importlib.import_module(module), name) == 100  # the remedy names the present constant


def test_readers_make_the_class_that_is_asked_for(save, tmp_path):
    class Own(Structure):
        pass

    plain = Structure.from_file(save(scene()))
    compas.json_dump(plain, str(tmp_path / "data.json"))
    for path in (save(scene()), tmp_path / "data.json"):
        found = Own.from_file(path, planarity=0.03)
        assert type(found) is Own and found.planarity == 0.03 and found.names == plain.names
    assert type(Structure.from_file(tmp_path / "data.json")) is Structure


@pytest.mark.shared
def test_benchmark_scenes(scenes_dir, tmp_path):
    names = sorted(path.stem for path in scenes_dir.glob("*.json"))
    assert len(names) == 18
    for name in names:
        structure = Structure.from_file(scenes_dir / (name + ".json"))
        assert structure.name == name and structure.case.gravity == (0, 0, -9.81)
        assert all(w["code"] == "warped" for w in structure.warnings)
        if len(structure) < 300:
            structure.to_scene(tmp_path / "copy.json")
            copy = Structure.from_file(tmp_path / "copy.json")
            assert np.array_equal(copy.polyhedra.vertices, structure.polyhedra.vertices)
            assert copy == structure
