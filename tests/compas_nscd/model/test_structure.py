"""Blocks and structures: names, validation, COMPAS data, what goes over the wire."""

import uuid

import compas
import numpy as np
import pytest
from compas.datastructures import Mesh

import compas_nscd
from compas_nscd import Block, ContactLaw, LoadCase, Structure
from compas_nscd.errors import GeometryError, InputError, LoadError, MaterialError, SupportError
from compas_nscd.model import inspection
from solids import box, wall

LAW = ContactLaw(friction=0.6)


def blocks(count=3, **attributes):
    """Boxes side by side, the first a support."""
    return [Block(v, f, 2400.0, support=i == 0, **attributes) for i, (v, f) in enumerate(zip(*wall(count)))]


def meshes(count=3):
    return [Mesh.from_vertices_and_faces(v.tolist(), f) for v, f in zip(*wall(count))]


def through_json(data):
    return compas.json_loads(compas.json_dumps(data))


# -- data --------------------------------------------------------------------------------------------------------------


@pytest.mark.short
def test_json_round_trip():
    guid = uuid.uuid4()
    made = blocks()
    made.append(Block(*box((9, 0, 0)), density=1800.0, name="key stone", guid=guid))
    case = LoadCase()
    case.add_point_load(1, (0, 0, 0.1), (0, 0, -1e3))
    pair_laws = {(0, 1): ContactLaw(0.3)}
    structure = Structure(made, LAW, name="s", pair_laws=pair_laws, case=case, note="n", expected="stable")
    again = through_json(structure)
    assert again == structure and again.index(guid) == 3 and again.case == case and again.name == "s"
    assert through_json(made[3]) == made[3] and through_json(LAW) == LAW
    assert structure != Structure(made, ContactLaw(0.5), name="s")
    assert structure.copy() == structure
    assert type(again).__module__ == "compas_nscd.model.structure"


def test_geometry_cannot_be_changed_behind_the_cache():
    block = blocks(1)[0]
    with pytest.raises(ValueError):
        block.vertices[0, 0] = 5.0
    with pytest.raises(AttributeError):
        block.vertices = np.zeros((8, 3))


def test_mesh_is_made_once_and_is_the_block():
    block = blocks(1)[0]
    assert block.mesh is block.mesh
    assert block.mesh.volume() == pytest.approx(1.0)


@pytest.mark.parametrize(
    "vertices, faces",
    [
        ([[0, 0], [1, 1]], []),
        ([[0, 0, 0], [1, 1]], []),
        ([["a", 0, 0]], []),
        ([[None, 0, 0]], []),
        ("text", []),
        (5, []),
        ([[0, 0, 0]], [[0, 1.5]]),
        ([[0, 0, 0]], [5]),
        ([[0, 0, 0]], None),
    ],
)
def test_what_is_no_geometry_is_refused(vertices, faces):
    with pytest.raises(GeometryError, match="block B"):
        Block(vertices, faces, 2400.0, name="B")


@pytest.mark.parametrize("density", ["2400", True, [1.0], "x"])
def test_density_must_be_a_number(density):
    with pytest.raises(MaterialError, match="block B"):
        Block(*box(), density=density, name="B")


@pytest.mark.parametrize("friction", [-0.1, float("nan"), float("inf"), None, "0.6", True, [0.6]])
def test_friction_must_be_a_number_of_zero_or_more(friction):
    with pytest.raises(MaterialError):
        ContactLaw(friction)


def test_unknown_law():
    with pytest.raises(MaterialError, match="cohesive"):
        ContactLaw(0.6, kind="cohesive")
    with pytest.raises(MaterialError, match="law"):
        Structure(blocks(), None)


# -- names -------------------------------------------------------------------------------------------------------------


@pytest.mark.short
def test_blocks_by_index_name_and_guid():
    guid = "8f14e45f-ceea-467f-a8c4-35bd9b2b11aa"
    structure = Structure(blocks() + [Block(*box(), density=1.0, name="key", guid=guid.upper())], LAW)
    assert structure.names == ["0", "1", "2", "key"]
    assert [structure.index(b) for b in (3, np.int64(3), "key", guid, uuid.UUID(guid), "2")] == [3, 3, 3, 3, 3, 2]
    for wrong in (4, -1, "3", "no", uuid.uuid4()):
        with pytest.raises(InputError, match="There is no block"):
            structure.index(wrong)


def test_equal_names_are_numbered_with_a_warning():
    names = ["a", "b", "a", "a (1)", "a"]
    structure = Structure([Block(*box(), density=1.0, name=name) for name in names], LAW)
    assert len(set(structure.names)) == 5
    assert structure.names[1] == "b" and structure.names[3] == "a (1)"
    assert [block.name for block in structure.blocks] == names
    warning = next(w for w in structure.warnings if w["code"] == "names")
    assert warning["blocks"] == [structure.names[i] for i in (0, 2, 4)]
    with pytest.raises(InputError, match="More than one block"):
        structure.index("a")
    assert structure.index(structure.names[4]) == 4


def test_a_name_that_is_the_index_of_an_unnamed_block():
    structure = Structure([Block(*box(), density=1.0, name="1"), Block(*box(), density=1.0)], LAW)
    assert len(set(structure.names)) == 2


# -- validation --------------------------------------------------------------------------------------------------------


@pytest.mark.short
@pytest.mark.parametrize("density", [None, -1.0, 0.0, float("nan"), float("inf")])
def test_density_is_checked_with_names(density):
    made = blocks(8)
    for i in (2, 5):
        made[i] = Block(made[i].vertices, made[i].faces, density)
    with pytest.raises(MaterialError, match="blocks 2, 5") as caught:
        Structure(made, LAW).validate()
    assert caught.value.blocks == ["2", "5"] and "kg/m3" in caught.value.remedy


def test_friction_changed_later_is_checked_too():
    structure = Structure(blocks(), LAW, pair_laws={(1, 2): ContactLaw(0.3)})
    structure.pair_laws[1, 2].friction = float("nan")
    with pytest.raises(MaterialError, match="friction.*blocks 1, 2"):
        structure.to_wire()


@pytest.mark.short
def test_supports_are_checked():
    made = blocks()
    made[0].support = False
    structure = Structure(made, LAW)
    with pytest.raises(SupportError, match="No block is a support"):
        structure.validate()
    structure.validate(unsupported=True)
    assert len(structure.to_wire(unsupported=True)["support"]) == 3
    for block in made:
        block.support = True
    with pytest.raises(SupportError, match="Every block"):
        structure.validate()
    made[1].support = False
    structure.validate()


def test_empty_structure():
    with pytest.raises(GeometryError, match="no blocks"):
        Structure([], LAW).validate()


@pytest.mark.short
def test_every_bad_block_is_named():
    made = blocks(20)
    for i in range(5, 15):
        made[i] = Block(made[i].vertices, made[i].faces[:-1], 2400.0)
    made[16] = Block(made[16].vertices * np.nan, made[16].faces, 2400.0)
    structure = Structure(made, LAW)
    with pytest.raises(GeometryError) as caught:
        structure.to_wire()
    assert "blocks 5, 6, 7, 8, 9 and 5 more" in str(caught.value) and "block 16" in str(caught.value)
    bad = [str(i) for i in range(5, 15)] + ["16"]
    assert caught.value.blocks == bad and structure.bad_blocks() == bad
    assert caught.value.detail["codes"] == ["not-finite", "open"]
    assert structure.report.lists()["open"] == bad[:-1]


def test_geometry_is_checked_once(monkeypatch):
    calls = []
    original = inspection.check
    monkeypatch.setattr(inspection, "check", lambda *a: calls.append(1) or original(*a))
    structure = Structure(blocks(), LAW)
    structure.validate()
    structure.to_wire()
    assert structure.warnings == [] and len(calls) == 1
    structure.planarity = 0.01
    structure.to_wire()
    assert len(calls) == 2


# -- meshes and block models -------------------------------------------------------------------------------------------


@pytest.mark.short
def test_from_meshes():
    given = meshes()
    given[2].name = "last"
    structure = Structure.from_meshes(given, supports=[0, "last"], density=[1.0, 2.0, 3.0], law=LAW)
    assert structure.supports == [0, 2] and structure.names == ["0", "1", "last"]
    assert [block.density for block in structure.blocks] == [1.0, 2.0, 3.0]
    assert structure.blocks[1].mesh.volume() == pytest.approx(1.0)
    masked = Structure.from_meshes(given, supports=[True, False, False], density=1.0, law=LAW)
    assert masked.supports == [0]


@pytest.mark.parametrize(
    "changes, error",
    [
        ({"supports": [7]}, SupportError),
        ({"supports": ["no"]}, SupportError),
        ({"supports": []}, SupportError),
        ({"supports": [0, 1, 2]}, SupportError),
        ({"supports": [True, False]}, SupportError),
        ({"density": [1.0, 2.0]}, MaterialError),
        ({"density": None}, MaterialError),
        ({"law": None}, MaterialError),
        ({"law": 0.6}, MaterialError),
        ({"names": ["a"]}, InputError),
    ],
)
def test_from_meshes_refuses(changes, error):
    with pytest.raises(error):
        Structure.from_meshes(meshes(), **dict({"supports": [0], "density": 2400.0, "law": LAW}, **changes))


def test_from_meshes_refuses_an_open_mesh():
    given = meshes()
    given[1].delete_face(next(given[1].faces()))
    with pytest.raises(GeometryError, match="block 1"):
        Structure.from_meshes(given, supports=[0], density=2400.0, law=LAW)


class Element:
    """What compas_dem's Block looks like from outside."""

    def __init__(self, mesh, is_support, material, name=None):
        self.modelgeometry = mesh
        self.is_support = is_support
        self.material = material
        self.name = name or type(self).__name__
        self.guid = uuid.uuid4()


class Stone:
    density = 2100.0


class BlockModel:
    def __init__(self, elements):
        self._elements = elements
        self.name = type(self).__name__

    def elements(self):
        return iter(self._elements)


def test_from_blockmodel():
    parts = [Element(mesh, i == 0, Stone(), "top" if i == 2 else None) for i, mesh in enumerate(meshes())]
    structure = Structure.from_blockmodel(BlockModel(parts), LAW)
    assert structure.supports == [0] and structure.names == ["0", "1", "top"]
    assert {block.density for block in structure.blocks} == {2100.0}
    assert structure.index(parts[1].guid) == 1
    parts[1].material = None
    with pytest.raises(MaterialError, match="block 1"):
        Structure.from_blockmodel(BlockModel(parts), LAW)
    assert Structure.from_blockmodel(BlockModel(parts), LAW, density=5.0).blocks[1].density == 5.0


# -- the wire ----------------------------------------------------------------------------------------------------------


@pytest.mark.short
def test_wire_arrays():
    made = blocks(2) + [Block(box((5, 0, 0))[0], [face[::-1] for face in box()[1]], 1800.0, name="turned")]
    structure = Structure(made, LAW, pair_laws={(2, 1): ContactLaw(0.3)})
    wire = structure.to_wire()
    kinds = {key: (value.dtype.str, value.shape) for key, value in wire.items() if isinstance(value, np.ndarray)}
    assert kinds == {
        "vertices": ("<f8", (24, 3)),
        "vertex_start": ("<i4", (4,)),
        "face_vertices": ("<i4", (72,)),
        "face_start": ("<i4", (19,)),
        "block_face_start": ("<i4", (4,)),
        "support": ("|u1", (3,)),
        "density": ("<f8", (3,)),
    }
    assert wire["support"].tolist() == [1, 0, 0] and wire["density"].tolist() == [2400.0, 2400.0, 1800.0]
    assert wire["names"] == ["0", "1", "turned"] and wire["law"] == {"kind": "coulomb", "friction": 0.6}
    assert wire["pair_laws"] == [{"blocks": [1, 2], "law": {"kind": "coulomb", "friction": 0.3}}]
    assert wire["face_vertices"][:4].tolist() == made[0].faces[0]
    assert wire["face_vertices"][24:28].tolist() == [8 + i for i in made[1].faces[0]]
    # the last block came with inward faces: the divergence theorem on what is sent must give +1
    total = 0.0
    for face in range(12, 18):
        a, b, c, d = wire["vertices"][wire["face_vertices"][wire["face_start"][face] : wire["face_start"][face + 1]]]
        total += (np.cross(a, b) @ c + np.cross(a, c) @ d) / 6.0
    assert total == pytest.approx(1.0)
    assert [w["code"] for w in structure.warnings] == ["inverted"]


def test_laws_belong_to_the_structure():
    """The structure owns one table; its dicts and `set_law` change it, and what is sent follows."""
    structure = Structure(blocks() + [Block(*box((9, 0, 0)), density=1.0, name="key", material="brick")], LAW)
    assert structure.laws.uniform and structure.law is structure.laws.law
    weak, glue = ContactLaw(0.1), ContactLaw(0.5, "brittle", cohesion=1e5)
    structure.set_law(("key", 1), weak)
    structure.set_law((2, "key"), glue, (9.0, 0.5, 0.5))
    structure.material_laws["None", "brick"] = ContactLaw(0.3)
    structure.law = ContactLaw(0.2)
    assert not structure.laws.uniform and structure.pair_laws == {(1, 3): weak}
    assert structure.law_between(3, 1) is weak and structure.law_between(0, 3).friction == 0.3
    assert structure.law_between(0, 1).friction == 0.2
    (single,) = structure.interface_laws
    assert single.blocks == (2, 3) and single.law is glue
    wire = structure.to_wire()
    assert wire["law"]["friction"] == 0.2 and wire["material"].tolist() == [0, 0, 0, 1]
    assert list(wire)[7:] == ["names", "law", "pair_laws", "material", "material_laws", "interface_laws"]
    assert through_json(structure) == structure
    part = Structure([structure.blocks[i] for i in (1, 3)], LAW, **structure.options_of([1, 3]))
    assert part.pair_laws == {(0, 1): weak} and part.interface_laws == []
    for bad in ((1, 1), (0, "no")):
        with pytest.raises(MaterialError):
            structure.set_law(bad, weak)
    with pytest.raises(AttributeError):
        structure.pair_laws = {}
    with pytest.raises(MaterialError, match="law of the joints is missing"):
        Structure(blocks(), 0.6)


def test_friction_of_a_cad_object_is_not_part_of_the_data():
    """Files of version 0.1.0 have no key for it; a structure has it in its laws."""
    block = Block(*box(), density=1.0, own_friction=0.3)
    assert block.own_friction == 0.3 and block.scaled(2.0).own_friction == 0.3
    assert "own_friction" not in block.__data__ and blocks(1)[0].own_friction is None


def test_pair_law_of_a_block_that_is_not_there():
    with pytest.raises(MaterialError, match="There is no block 9"):
        Structure(blocks(), LAW, pair_laws={(0, 9): LAW})


def test_loads_reach_the_wire_by_any_name():
    structure = Structure(blocks() + [Block(*box((9, 0, 0)), density=1.0, name="key")], LAW)
    case = LoadCase(gravity=(0, 0, -1))
    case.add_point_load("key", (1, 2, 3), (4, 5, 6))
    case.add_point_load(1, (7, 8, 9), (0, 0, 1))
    wire = case.to_wire(structure)
    assert wire["load_block"].tolist() == [3, 1] and wire["load_block"].dtype.str == "<i4"
    assert wire["load_point"].tolist() == [[1, 2, 3], [7, 8, 9]]
    assert wire["load_force"].tolist() == [[4, 5, 6], [0, 0, 1]]
    assert wire["gravity"].tolist() == [0, 0, -1]
    empty = LoadCase().to_wire(structure)
    assert empty["load_point"].shape == (0, 3) and empty["load_block"].shape == (0,)
    case.add_point_load(17, (0, 0, 0), (0, 0, 0))
    with pytest.raises(LoadError, match="block 17"):
        case.to_wire(structure)


def test_every_exported_name_exists():
    assert sorted(compas_nscd.__all__) == compas_nscd.__all__
    for name in compas_nscd.__all__:
        assert getattr(compas_nscd, name).__name__ == name
    with pytest.raises(AttributeError):
        compas_nscd.no_such_name
