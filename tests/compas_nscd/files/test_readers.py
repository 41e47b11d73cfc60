"""Readers of meshes and COMPAS data: what they find, and that damaged files are refused with a sentence."""

import json
import struct

import numpy as np
import pytest

from analysed import analyse, box
from compas_nscd import Block, ContactLaw, Settings, Structure
from compas_nscd.errors import FileError, InputError, MaterialError, SupportError
from compas_nscd.files import limits
from compas_nscd.files.mesh_formats.write import write_obj, write_ply
from solids import BOX_FACES
from solids import box as box_shape
from strategies import damage_bytes

MU = ContactLaw(0.6)
GIVEN = {"supports": "lowest", "density": 2400.0, "law": MU}
LEVELS = (0.0, 1.0, 2.0)


def shapes():
    """Three cubes above each other."""
    return [box_shape((0.0, 0.0, z)) for z in LEVELS]


def triangles(vertices, faces):
    return [vertices[[face[0], face[k], face[k + 1]]] for face in faces for k in (1, 2)]


def ascii_stl(name, vertices, faces):
    rows = ["solid " + name]
    for corner in triangles(vertices, faces):
        rows += ["facet normal 0 0 0", "outer loop"]
        rows += ["vertex {} {} {}".format(*point) for point in corner]
        rows += ["endloop", "endfacet"]
    return "\n".join([*rows, "endsolid " + name, ""])


def binary_stl(solids):
    corners = [corner for vertices, faces in solids for corner in triangles(vertices, faces)]
    rows = b"".join(struct.pack("<12fH", 0, 0, 0, *corner.ravel(), 0) for corner in corners)
    return bytes(80) + struct.pack("<I", len(corners)) + rows


def binary_ply(vertices, faces, order="<"):
    name = "little" if order == "<" else "big"
    head = "ply\nformat binary_{}_endian 1.0\nelement vertex {}\n".format(name, len(vertices))
    head += "property float x\nproperty float y\nproperty float z\nelement face {}\n".format(len(faces))
    head += "property list uchar int vertex_indices\nend_header\n"
    body = b"".join(struct.pack(order + "3f", *vertex) for vertex in vertices)
    body += b"".join(struct.pack(order + "B{}i".format(len(face)), len(face), *face) for face in faces)
    return head.encode() + body


def mesh_data(vertices, faces, **attributes):
    return {
        "attributes": attributes,
        "vertex": {str(i): dict(zip("xyz", map(float, vertex))) for i, vertex in enumerate(vertices)},
        "face": {str(i): list(face) for i, face in enumerate(faces)},
    }


def mesh(vertices, faces, dtype="compas.datastructures/Mesh", key="data", **attributes):
    return {"dtype": dtype, key: mesh_data(vertices, faces, **attributes)}


def assembly(key="data", held=(0,)):
    block = "compas_assembly.datastructures/Block"
    nodes = {str(i): {"block": mesh(*s, dtype=block, key=key), "is_support": i in held} for i, s in enumerate(shapes())}
    graph = {"dtype": "compas.datastructures/Graph", key: {"node": nodes}}
    return {"dtype": "compas_assembly.datastructures/Assembly", key: {"attributes": {}, "graph": graph}}


def model(kind="compas_dem.models/BlockModel", **changes):
    elements = {}
    for i, shape in enumerate(shapes()):
        data = {"geometry": mesh(*shape), "is_support": i == 0, "name": "Block", "material": "m"}
        elements[str(i) * 32] = {"dtype": "compas_dem.elements/Block", "data": dict(data, **changes)}
    materials = {"m": {"dtype": "compas_dem.material/Stone", "data": {"density": 1900}}}
    return {"dtype": kind, "data": {"elements": elements, "materials": materials, "tree": None}}


def write(folder, name, content):
    path = folder / name
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


def heights(structure):
    return sorted(round(float(block.vertices[:, 2].min()), 6) for block in structure.blocks)


@pytest.mark.parametrize(
    "name, content",
    [
        ("a.stl", "".join(ascii_stl("s{}".format(i), *shape) for i, shape in enumerate(shapes()))),
        ("b.stl", binary_stl([(v + [2.0 * k, 0, 0], f) for k, (v, f) in enumerate(shapes())])),
        ("list.json", [mesh(*shape) for shape in shapes()]),
        ("one.json", [mesh(*shape, key="value") for shape in shapes()]),
        ("assembly.json", assembly()),
        ("old_assembly.json", assembly("value")),
        ("model.json", model()),
        ("other.json", model("compas_model.models/Model")),
        ("box.json", [{"dtype": "compas.geometry/Box", "data": {
            "xsize": 1.0, "ysize": 1.0, "zsize": 1.0,
            "frame": {"point": [0.5, 0.5, z + 0.5], "xaxis": [1, 0, 0], "yaxis": [0, 1, 0]}}} for z in LEVELS]),
    ],
)  # fmt: skip
def test_three_cubes_in_every_format(tmp_path, name, content):
    structure = Structure.from_file(write(tmp_path, name, content), **GIVEN)
    assert len(structure) == 3 and heights(structure) == list(LEVELS)
    assert all(len(block.vertices) == 8 for block in structure.blocks)


def test_a_folder_of_files_is_one_structure(tmp_path):
    folder = tmp_path / "stones"
    folder.mkdir()
    for i, (vertices, faces) in enumerate(shapes()):
        write(folder, "stone_{}.ply".format(9 + i), binary_ply(vertices, faces, "<" if i else ">"))
    write(folder, "readme.txt", "no mesh")
    structure = Structure.from_file(folder, **GIVEN)
    assert structure.names == ["stone_9", "stone_10", "stone_11"] and structure.supports == [0]
    assert analyse(structure).verdict == "stable"


def test_what_we_write_is_read_back(tmp_path):
    names = ["a", "b", "c"]
    write_obj(tmp_path / "out.obj", names, shapes())
    write_ply(tmp_path / "out.ply", [(v + [3.0 * k, 0, 0], f) for k, (v, f) in enumerate(shapes())])
    assert Structure.from_file(tmp_path / "out.obj", **GIVEN).names == names
    assert heights(Structure.from_file(tmp_path / "out.ply", **GIVEN)) == list(LEVELS)


def test_models_say_supports_densities_and_places(tmp_path):
    lifted = {"dtype": "compas.geometry/Transformation", "data": {"matrix": (np.eye(4) + np.eye(4, k=3) * 5).tolist()}}
    structure = Structure.from_file(write(tmp_path, "m.json", model(transformation=lifted)), law=MU)
    assert structure.supports == [0] and {block.density for block in structure.blocks} == {1900.0}
    assert structure.blocks[0].vertices[:, 0].min() == 5.0


def test_no_module_is_imported_because_a_file_names_it(tmp_path):
    for dtype in ("antigravity/fly", "os/system", "compas.geometry/Sphere", "compas_dem.models/Other"):
        with pytest.raises(FileError, match="cannot be read"):
            Structure.from_file(write(tmp_path, "x.json", {"dtype": dtype, "data": {}}), **GIVEN)
    import sys

    assert "antigravity" not in sys.modules


def test_everything_that_is_missing_is_named_at_once(tmp_path):
    path = write(tmp_path, "a.json", assembly(held=()))
    with pytest.raises(SupportError) as caught:
        Structure.from_file(path)
    assert caught.value.detail["missing"] == ["supports", "density", "law"]
    for word in ("supports", "density", "friction", 'supports="lowest"', "block 0"):
        assert word in str(caught.value)
    with pytest.raises(MaterialError, match="density"):
        Structure.from_file(path, supports=[0])
    loose = Structure.from_file(path, strict=False)
    assert len(loose) == 3 and not loose.supports


@pytest.mark.parametrize(
    "rule, held",
    [
        ("lowest", [0]),
        ("z<0.5", [0]),
        ("z<=1.0", [0, 1]),
        ("z>2.5", [2]),
        ("name:^b", [1]),
        ("0,2", [0, 2]),
        ("a", [0]),
    ],
)
def test_supports_by_rule(tmp_path, rule, held):
    write_obj(tmp_path / "out.obj", ["a", "b", "c"], shapes())
    assert Structure.from_file(tmp_path / "out.obj", **dict(GIVEN, supports=rule)).supports == held


@pytest.mark.parametrize("rule", ["z<-9", "name:x", "name:(", "q", "layer:y", "7"])
def test_rules_that_name_no_block(tmp_path, rule):
    write_obj(tmp_path / "out.obj", ["a", "b", "c"], shapes())
    with pytest.raises(SupportError):
        Structure.from_file(tmp_path / "out.obj", **dict(GIVEN, supports=rule))


@pytest.mark.parametrize("axis, order", [("y", (0, 2, 1)), ("x", (2, 1, 0))])
def test_another_upward_axis_gives_the_same_forces(tmp_path, axis, order):
    sign = np.array([1.0, 1.0, 1.0])
    write_obj(tmp_path / "z.obj", ["a", "b", "c"], shapes())
    turned = [(1000.0 * (vertices * sign)[:, order], [face[::-1] for face in faces]) for vertices, faces in shapes()]
    write_obj(tmp_path / "other.obj", ["a", "b", "c"], turned)
    upright = analyse(Structure.from_file(tmp_path / "z.obj", **GIVEN))
    lying = analyse(Structure.from_file(tmp_path / "other.obj", up=axis, units="mm", **GIVEN))
    assert lying.structure.supports == upright.structure.supports == [0]
    assert lying.joints.normal_force == pytest.approx(upright.joints.normal_force, rel=1e-9)


def test_doubles_are_dropped_and_told(tmp_path):
    twice = [*shapes(), shapes()[1]]
    write_obj(tmp_path / "out.obj", ["a", "b", "c", "again"], twice)
    structure = Structure.from_file(tmp_path / "out.obj", **GIVEN)
    assert structure.names == ["a", "b", "c"]
    (left,) = structure.left_out
    assert left.name == "again" and "same place as b" in left.reason
    assert [w["code"] for w in structure.warnings] == ["left_out"]


def test_one_object_of_separate_pieces_is_several_blocks(tmp_path):
    vertices = np.concatenate([v + [3.0 * k, 0, 0] for k, (v, _) in enumerate(shapes())])
    faces = [[8 * k + i for i in face] for k in range(3) for face in BOX_FACES]
    write_obj(tmp_path / "out.obj", ["all"], [(vertices, faces)])
    assert Structure.from_file(tmp_path / "out.obj", **GIVEN).names == ["all/0", "all/1", "all/2"]


# -- damage ------------------------------------------------------------------------------------------------------------


def _bytes(content):
    return content if isinstance(content, bytes) else content.encode()


@pytest.mark.fuzz
@pytest.mark.parametrize("name", ["a.stl", "b.stl", "a.ply", "b.ply", "a.obj", "assembly.json", "model.json"])
def test_damaged_files_are_read_or_refused_with_a_sentence(tmp_path, name):
    write_obj(tmp_path / "a.obj", ["a", "b", "c"], shapes())
    write_ply(tmp_path / "a.ply", shapes())
    sources = {
        "a.stl": ascii_stl("s", *shapes()[0]),
        "b.stl": binary_stl(shapes()),
        "a.ply": (tmp_path / "a.ply").read_bytes(),
        "b.ply": binary_ply(*shapes()[0]),
        "a.obj": (tmp_path / "a.obj").read_bytes(),
        "assembly.json": json.dumps(assembly()),
        "model.json": json.dumps(model()),
    }
    rng = np.random.default_rng(7)
    for _ in range(60):
        path = write(tmp_path, "damaged." + name.partition(".")[2], damage_bytes(_bytes(sources[name]), rng))
        try:
            Structure.from_file(path, strict=False, supports=None)
        except InputError as error:
            assert len(str(error)) > 10


@pytest.mark.parametrize(
    "name, content",
    [
        ("many.ply", b"ply\nformat ascii 1.0\nelement vertex 999999999999\nproperty float x\nend_header\n"),
        ("many.stl", bytes(80) + struct.pack("<I", 4_000_000_000) + bytes(50)),
        ("face.ply", b"ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float z\n"
                     b"element face 1\nproperty list int int vertex_indices\nend_header\n0 0 0\n2000000000 1 2\n"),
    ],
)  # fmt: skip
def test_counts_that_the_file_cannot_hold(tmp_path, name, content):
    with pytest.raises(FileError):
        Structure.from_file(write(tmp_path, name, content), **GIVEN)


def test_limits_are_kept(tmp_path, monkeypatch):
    write_obj(tmp_path / "out.obj", ["a", "b", "c"], shapes())
    for name in ("MAX_FACES", "MAX_SOLIDS"):
        with monkeypatch.context() as patch:
            patch.setattr("compas_nscd.files.arguments." + name, 2)
            with pytest.raises(FileError, match="limit is 2"):
                Structure.from_file(tmp_path / "out.obj", **GIVEN)
    assert limits.MAX_FACES > 10**6


# -- open blocks -------------------------------------------------------------------------------------------------------


def test_a_tiny_hole_is_closed_and_a_large_one_is_not():
    vertices, faces = box_shape((0, 0, 1))
    small = np.array([[0.4, 0.4, 2.0], [0.5, 0.4, 2.0], [0.5, 0.5, 2.0]])
    ring = [[4, 5, 9, 8], [5, 6, 10, 9], [6, 7, 8, 10], [7, 4, 8]]
    pierced = np.concatenate([vertices, small]), [face for face in faces if face != [4, 5, 6, 7]] + ring
    base = box((0, 0, 0), (1, 1, 1), density=2000.0, support=True)
    structure = Structure([base, Block(*pierced, 2000.0)], MU)
    assert [w["code"] for w in structure.warnings] == ["mended"]
    assert analyse(structure).summary["weight_total"] == pytest.approx(2000.0 * 9.81, rel=1e-9)
    lidless = Structure([base, Block(vertices, faces[1:], 2000.0)], MU)
    assert [f.code for f in lidless.report.of("error")] == ["open"]


def test_ground_that_is_a_surface_carries():
    """A square in the plane z = 0, whichever way it looks."""
    for face in ([0, 1, 2, 3], [3, 2, 1, 0]):
        ground = Block([[-2, -2, 0], [2, -2, 0], [2, 2, 0], [-2, 2, 0]], [face], 2000.0, support=True)
        structure = Structure([ground, box((0, 0, 0), (1, 1, 1), density=2000.0)], MU)
        result = analyse(structure)
        assert result.verdict == "stable" and "mended" in [w["code"] for w in result.warnings]


# -- gaps and overlaps -------------------------------------------------------------------------------------------------


def shaken(seed, gap, overlap):
    """A column of five blocks with random gaps and overlaps [m] between them."""
    rng = np.random.default_rng(seed)
    blocks = [box((-1, -1, -1), (2, 2, 0), density=2000.0, support=True)]
    z = 0.0
    for _ in range(5):
        z += rng.uniform(-overlap, gap)
        blocks.append(box((0, 0, z), (1, 1, z + 1.0), density=2000.0))
        z += 1.0
    return Structure(blocks, MU)


@pytest.mark.parametrize("seed", range(3))
def test_gaps_and_overlaps_below_the_tolerance_give_the_exact_forces(seed):
    exact = analyse(shaken(seed, 0.0, 0.0))
    found = analyse(shaken(seed, 0.02, 0.05), settings=Settings(gap="30mm"))
    assert found.verdict == "stable"
    assert found.joints.normal_force == pytest.approx(exact.joints.normal_force, rel=0.01)
    assert {w["code"] for w in found.warnings} <= {"gap", "overlap"} and found.warnings


def test_gaps_need_the_number_that_closes_them():
    structure = shaken(1, 0.02, -0.011)
    with pytest.raises(InputError, match="closes all") as caught:
        analyse(structure)
    needed = caught.value.detail["gap_needed"]
    assert 0.011 < needed < 0.02
    assert analyse(structure, settings=Settings(gap=needed)).verdict == "stable"


def test_meshes_in_nested_lists_and_dicts(tmp_path):
    tree = {"meshes": [[mesh(*shape)] for shape in shapes()], "frame": {"dtype": "compas.geometry/Frame", "data": {}}}
    assert len(Structure.from_file(write(tmp_path, "nested.json", tree), **GIVEN)) == 3


def test_lying_structures_are_told_which_axis_is_up(tmp_path):
    lying = [(vertices[:, [0, 2, 1]], [face[::-1] for face in faces]) for vertices, faces in shapes()]
    write_obj(tmp_path / "lying.obj", ["a", "b", "c"], lying)
    with pytest.raises(SupportError, match="--up y"):
        Structure.from_file(tmp_path / "lying.obj", **GIVEN)
    assert Structure.from_file(tmp_path / "lying.obj", up="y", **GIVEN).warnings == []
