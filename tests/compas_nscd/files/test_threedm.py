"""Rhino files: what is read and refused, and that what we write is read back."""

import json
import sys
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest

from analysed import analyse, box, stack
from compas_nscd import Block, ContactLaw, Structure
from compas_nscd.cli import main
from compas_nscd.drawing.threedm import write_dynamic, write_static, write_structure
from compas_nscd.errors import (
    FileError,
    GeometryError,
    LoadError,
    MaterialError,
    NotAvailableError,
    SupportError,
)
from compas_nscd.files.threedm import solids
from compas_nscd.geometry.nearest_block import distance
from compas_nscd.geometry.polyhedra import measure
from compas_nscd.loads.cable import Cable
from compas_nscd.templates import arch
from dynamic_helpers import follow
from solids import prism

rhino3dm = pytest.importorskip("rhino3dm")

MU = ContactLaw(0.6)


def brep_box(*bounds):
    return rhino3dm.Brep.CreateFromBox(rhino3dm.Box(rhino3dm.BoundingBox(*bounds)))


class Drawn:
    """A file as an architect draws it."""

    def __init__(self, path, unit="Meters"):
        self.path = path
        self.model = rhino3dm.File3dm()
        self.model.Settings.ModelUnitSystem = getattr(rhino3dm.UnitSystem, unit)
        self.layers = {}

    def layer(self, name, parent=None, visible=True):
        if name not in self.layers:
            layer = rhino3dm.Layer()
            layer.Name, layer.Visible = name, visible
            if parent:
                layer.ParentLayerId = self.model.Layers[self.layer(parent)].Id
            self.layers[name] = self.model.Layers.Add(layer)
        return self.layers[name]

    def attributes(self, layer="stones", name="", **strings):
        attributes = rhino3dm.ObjectAttributes()
        attributes.LayerIndex, attributes.Name = self.layer(layer), name
        for key, text in strings.items():
            attributes.SetUserString(key, text)
        return attributes

    def brep(self, low, high, **kwargs):
        return self.model.Objects.AddBrep(brep_box(*low, *high), self.attributes(**kwargs))

    def read(self, **kwargs):
        assert self.model.Write(str(self.path), 8)
        return Structure.from_file(self.path, **kwargs)


@pytest.fixture
def drawn(tmp_path):
    return Drawn(tmp_path / "drawn.3dm")


def table(drawn):
    drawn.brep((0, 0, -1), (1, 1, 0), layer="feet", name="base")
    drawn.brep((0, 0, 0), (1, 1, 2), name="stone")
    return drawn


def volumes(structure):
    return measure(structure.polyhedra).volume


def corners(block):
    return np.unique(block.vertices, axis=0)


def loops(block):
    """Faces as sets of corner coordinates in cyclic order, whatever the numbering."""
    out = set()
    for face in block.faces:
        points = [tuple(block.vertices[i]) for i in face]
        k = points.index(min(points))
        out.add(tuple(points[k:] + points[:k]))
    return out


@pytest.mark.short
def test_what_is_written_is_read_back(tmp_path):
    """Corners to the last bit, faces of up to four corners as they were, everything that was said of the blocks."""
    hexagon = [(np.cos(a), np.sin(a)) for a in np.arange(6) * np.pi / 3]
    ell = [(0.0, 0.0), (3.0, 0.0), (3.0, 1.0), (1.0, 1.0), (1.0, 3.0), (0.0, 3.0)]
    shapes = [prism(hexagon), prism(ell), prism([(0.0, 0.0), (1.0, 0.0), (0.3, 1 / 3)])]
    blocks = [box((-9, -9, -1), (9, 9, 0), density=2000.0, name='a "base" <1>', support=True)]
    for k, (vertices, faces) in enumerate(shapes):
        blocks.append(Block(vertices + [3.0 * k, 0.1, 0.0], faces, 1800.0 + k / 3, name=None if k else "hexagon"))
    structure = Structure(blocks, ContactLaw(0.55), pair_laws={(0, 1): ContactLaw(0.3)})
    write_structure(structure, tmp_path / "out.3dm")
    back = Structure.from_file(tmp_path / "out.3dm")
    assert back.law == structure.law and back.pair_laws == structure.pair_laws and back.note is None
    for old, new in zip(structure.blocks, back.blocks):
        assert (new._name, new.density, new.support) == (old._name, old.density, old.support)
        assert np.array_equal(corners(new), corners(old))
        small = [face for face in old.faces if len(face) <= 4]
        assert loops(Block(old.vertices, small, 1.0)) <= loops(new)
    assert volumes(back) == pytest.approx(volumes(structure), rel=1e-14)
    assert not [w for w in back.warnings if w["code"] == "inverted"]


def test_result_is_on_layers_and_read_back_as_blocks(tmp_path):
    for thickness, falls in ((0.75, False), (0.4, True)):
        result = analyse(arch(thickness=thickness))
        write_static(result, tmp_path / "out.3dm")
        model = rhino3dm.File3dm.Read(str(tmp_path / "out.3dm"))
        layers = {layer.Index: layer.FullPath for layer in model.Layers}
        on = {}
        for item in model.Objects:
            on.setdefault(layers[item.Attributes.LayerIndex], []).append(item)
        assert len(on["nscd::blocks"]) == 20 and len(on["nscd::supports"]) == 2 and len(on["nscd::legend"]) >= 2
        assert ("nscd::displaced" in on) == ("nscd::cracks" in on) == falls
        arrows = on["nscd::forces"] + on["nscd::reactions"]
        arrows = [item for item in arrows if not isinstance(item.Geometry, rhino3dm.TextDot)]
        heads = {item.Attributes.ObjectDecoration for item in arrows}
        assert len(arrows) == 21 and heads == {rhino3dm.ObjectDecoration.EndArrowhead}
        (thrust,) = [item.Geometry for item in on["nscd::thrust"]]
        points = np.array([(thrust.Point(k).X, thrust.Point(k).Y, thrust.Point(k).Z) for k in range(thrust.PointCount)])
        assert np.array_equal(points, result.thrust_lines()[0])
        tips = np.array([[item.Geometry.PointAtEnd.X, item.Geometry.PointAtEnd.Z] for item in arrows])
        assert np.abs(np.sort(tips, axis=0) - np.sort(points[:, [0, 2]], axis=0)).max() < 1e-12
        back = Structure.from_file(tmp_path / "out.3dm")
        assert len(back.blocks) == 22 and analyse(back).verdict == result.verdict


def test_breps_extrusions_and_units(tmp_path):
    drawn = Drawn(tmp_path / "drawn.3dm", "Millimeters")
    drawn.brep((-1000, -1000, -500), (3000, 3000, 0), layer="feet", name="base")
    drawn.brep((0, 0, 0), (1000, 500, 250), name="brick", density="1900")
    profile = rhino3dm.Polyline()
    for x, y in ((0, 0), (2000, 0), (2000, 1000), (1000, 1000), (1000, 2000), (0, 2000), (0, 0)):
        profile.Add(x, y, 0)
    solid = rhino3dm.Extrusion.Create(profile.ToPolylineCurve(), 1500.0, True)
    drawn.model.Objects.AddExtrusion(solid, drawn.attributes(name="corner"))
    drawn.model.Objects.AddLine(rhino3dm.Point3d(0, 0, 0), rhino3dm.Point3d(1, 0, 0))
    structure = drawn.read(supports="feet", density=2400.0, law=MU)
    assert structure.names == ["base", "brick", "corner"] and structure.supports == [0]
    assert [block.density for block in structure.blocks] == [2400.0, 1900.0, 2400.0]
    assert volumes(structure) == pytest.approx([8.0, 0.125, 4.5])
    assert "1 LineCurves" in structure.note
    assert [w["code"] for w in structure.warnings] == []
    assert len(structure.blocks[2].faces) == 8
    other = drawn.read(supports="feet", density=2400.0, law=MU, units="cm")
    assert volumes(other) == pytest.approx([8e3, 0.125e3, 4.5e3])
    assert "units" in [w["code"] for w in other.warnings]


def test_what_cannot_be_a_block_is_named(drawn):
    table(drawn)
    circle = rhino3dm.Circle(rhino3dm.Point3d(5, 5, 0), 1.0)
    cylinder = rhino3dm.Brep.CreateFromCylinder(rhino3dm.Cylinder(circle, 2.0), True, True)
    drawn.model.Objects.AddBrep(cylinder, drawn.attributes(name="column"))
    opened = brep_box(0, 0, 0, 1, 1, 1).Faces[0].DuplicateFace(False)
    drawn.model.Objects.AddBrep(opened, drawn.attributes(name="sheet"))
    pipe = rhino3dm.Extrusion.CreatePipeExtrusion(rhino3dm.Cylinder(circle, 2.0), 0.5, True, True)
    drawn.model.Objects.AddExtrusion(pipe, drawn.attributes(name="pipe"))
    structure = drawn.read(supports="feet", density=2400.0, law=MU)
    assert structure.names == ["base", "stone", "column"]
    assert volumes(structure)[2] == pytest.approx(2.0 * np.pi, rel=0.01)  # meshed here
    assert "column" in [w for w in structure.warnings if w["code"] == "meshed"][0]["message"]
    reasons = {each.name: each.reason for each in structure.left_out}
    assert list(reasons) == ["sheet", "pipe"] and {each.layer for each in structure.left_out} == {"stones"}
    assert reasons["sheet"] == "open"
    assert "faces with holes" in reasons["pipe"] and "no stored mesh" in reasons["pipe"]
    (warning,) = [w for w in structure.warnings if w["code"] == "left_out"]
    assert "sheet" in warning["message"] and "stones" in warning["message"]


class Face:
    """Stands for a curved face of a Brep with a stored mesh: rhino3dm can read such meshes but not write them."""

    Loops = (None,)

    def __init__(self, vertices, faces):
        self.mesh = rhino3dm.Mesh()
        for x, y, z in vertices:
            self.mesh.Vertices.Add(x, y, z)
        for face in faces:
            self.mesh.Faces.AddFace(*face)

    def IsPlanar(self, tolerance):
        return False

    def GetMesh(self, kind):
        return self.mesh


def test_curved_brep_is_taken_by_its_stored_meshes():
    """A cylinder whose three faces carry meshes of a 24-gon: sides, bottom, top."""
    ring = [(np.cos(a), np.sin(a)) for a in np.arange(24) * np.pi / 12]
    vertices, faces = prism(ring, 2.0)
    caps = [[[face[0], face[k], face[k + 1]] for k in range(1, 23)] for face in faces[:2]]
    brep = SimpleNamespace(IsSolid=True, Edges=(), Faces=[Face(vertices, part) for part in (faces[2:], *caps)])
    found = solids.brep_shape(brep, 1e-6, lambda faces: [f.GetMesh(rhino3dm.MeshType.Any) for f in faces])
    structure = Structure([Block(*found, 1000.0)], MU)
    # single precision of render meshes
    assert volumes(structure)[0] == pytest.approx(12 * np.sin(np.pi / 12) * 2.0, rel=1e-6)


def test_creased_subd_is_its_control_net():
    """Stand-ins: rhino3dm reads SubDs but makes none."""
    vertices, faces = prism([(0, 0), (1, 0), (1, 1), (0, 1)])
    net = Face(vertices, faces).mesh
    tags = SimpleNamespace(Crease=1, Smooth=2)
    package = SimpleNamespace(SubDEdgeTag=tags, Mesh=SimpleNamespace(CreateFromSubDControlNet=lambda subd, _: net))
    creased = SimpleNamespace(Edges=[SimpleNamespace(Tag=1)] * 12)
    found = solids.subd_shape(package, creased)
    assert len(found[0]) == 8 and len(found[1]) == 6
    with pytest.raises(GeometryError, match="smooth"):
        solids.subd_shape(package, SimpleNamespace(Edges=[SimpleNamespace(Tag=2)]))


def instances(drawn):
    """A definition of two boxes, placed as it is with a density of its own, and mirrored."""
    boxes = (brep_box(0, 0, 0, 1, 1, 1), brep_box(1, 0, 0, 3, 1, 1))
    attributes = (drawn.attributes(name="left", density="1500"), drawn.attributes(name="right"))
    pair = drawn.model.InstanceDefinitions
    index = pair.Add("pair", "", "", "", rhino3dm.Point3d(0, 0, 0), boxes, attributes)
    mirror = rhino3dm.Transform.Identity()
    mirror.M00, mirror.M03 = -1.0, 10.0
    lifted = rhino3dm.Transform.Translation(0, 0, 5)
    for name, move, own in (("near", lifted, {"density": "1600"}), ("far", mirror, {})):
        reference = rhino3dm.InstanceReference(pair.FindIndex(index).Id, move)
        drawn.model.Objects.AddInstanceObject(reference, drawn.attributes(name=name, **own))


def test_block_instances(drawn):
    table(drawn)
    instances(drawn)
    structure = drawn.read(supports="feet", density=2400.0, law=MU)
    assert structure.names == ["base", "stone", "near/left", "near/right", "far/left", "far/right"]
    assert [b.density for b in structure.blocks][2:] == [1600.0, 1600.0, 1500.0, 2400.0]
    assert volumes(structure)[2:] == pytest.approx([1.0, 2.0, 1.0, 2.0])
    assert structure.blocks[2].vertices.min(axis=0) == pytest.approx([0.0, 0.0, 5.0])
    assert structure.blocks[5].vertices[:, 0].min() == pytest.approx(7.0)
    assert not structure.warnings  # a mirrored solid is turned inside out, and back


def test_layers_of_supports(drawn):
    drawn.layer("ground")
    drawn.layer("piers", parent="ground")
    drawn.brep((0, 0, -1), (1, 1, 0), layer="piers")
    drawn.brep((0, 0, 0), (1, 1, 2))
    for name in ("ground", "GROUND::Piers", "piers"):
        assert drawn.read(supports=name, density=2400.0, law=MU).supports == [0]
    assert drawn.read(supports=[0], density=2400.0, law=MU).supports == [0]
    with pytest.raises(SupportError, match="ground::piers, stones"):
        drawn.read(supports="feet", density=2400.0, law=MU)
    with pytest.raises(SupportError, match="does not say which"):
        drawn.read(density=2400.0, law=MU)


def test_user_text_of_objects(drawn):
    drawn.brep((0, 0, -1), (3, 1, 0), name="base", support="Yes", density="2500", friction="0.7")
    drawn.brep((0, 0, 0), (1, 1, 2), name="a", density="2000", friction="0.7")
    drawn.brep((1, 0, 0), (2, 1, 2), name="b", Density="1000", friction="0.4")
    drawn.brep((90, 0, 0), (91, 1, 2), name="c", density="1000", friction="0.4")
    structure = drawn.read()
    assert structure.supports == [0] and [b.density for b in structure.blocks] == [2500.0, 2000.0, 1000.0, 1000.0]
    assert structure.law.friction in (0.7, 0.4)
    laws = {pair: structure.pair_laws.get(pair, structure.law).friction for pair in ((0, 1), (0, 2), (1, 2))}
    assert laws == {(0, 1): 0.7, (0, 2): 0.4, (1, 2): 0.4}
    assert (0, 3) not in structure.pair_laws  # they do not touch


ODD = [("density", "heavy", MaterialError), ("friction", "x", MaterialError), ("support", "maybe", SupportError)]


@pytest.mark.parametrize("key, text, error", ODD)
def test_user_text_that_cannot_be_read(drawn, key, text, error):
    drawn.brep((0, 0, 0), (1, 1, 2), name="odd", **{key: text})
    with pytest.raises(error, match="odd"):
        drawn.read(supports=[0], density=2400.0, law=MU)


def test_what_the_file_does_not_say_must_be_given(drawn):
    table(drawn)
    with pytest.raises(MaterialError, match="friction"):
        drawn.read(supports="feet", density=2400.0)
    with pytest.raises(MaterialError, match="density"):
        drawn.read(supports="feet", law=MU)
    drawn.model.Settings.ModelUnitSystem = getattr(rhino3dm.UnitSystem, "None")
    with pytest.raises(FileError, match="no unit"):
        drawn.read(supports="feet", density=2400.0, law=MU)
    structure = drawn.read(supports="feet", density=2400.0, law=MU, units="cm")
    assert structure.blocks[1].vertices[:, 2].max() == pytest.approx(0.02)


def test_hidden_objects_are_left_out_and_counted(drawn):
    table(drawn)
    drawn.layer("later", visible=False)
    drawn.brep((5, 0, 0), (6, 1, 2), layer="later")
    structure = drawn.read(supports="feet", density=2400.0, law=MU)
    assert len(structure.blocks) == 2 and structure.note == "Left out: 1 hidden objects."


def test_files_that_are_none(drawn, tmp_path, monkeypatch):
    (tmp_path / "noise.3dm").write_bytes(b"noise" * 100)
    with pytest.raises(FileError, match="not a .3dm file"):
        Structure.from_file(tmp_path / "noise.3dm")
    with pytest.raises(FileError, match="no solids"):
        drawn.read(supports="feet", density=2400.0, law=MU)
    with pytest.raises(FileError, match="cannot be written"):
        write_structure(Structure([box((0, 0, 0), (1, 1, 1), density=1.0)], MU), tmp_path / "no" / "out.3dm")
    monkeypatch.setitem(sys.modules, "rhino3dm", None)
    with pytest.raises(NotAvailableError, match="rhino3dm"):
        Structure.from_file(drawn.path)


def test_command_line(drawn, tmp_path, capsys):
    table(drawn).read(supports="feet", density=2400.0, law=MU)
    out = tmp_path / "out.3dm"
    arguments = ["static", str(drawn.path), "--supports", "feet", "--density", "2000", "--mu", "0.5", "--3dm", str(out)]
    assert main(arguments + ["--json", "--quiet"]) == 0
    assert '"verdict": "stable"' in capsys.readouterr().out
    back = Structure.from_file(out)
    assert back.law.friction == 0.5 and back.blocks[1].density == 2000.0
    assert main(["check", *arguments[1:-2], "--json", "--quiet"]) == 0
    assert '"overlapping": []' in capsys.readouterr().out


def test_a_motion_is_written_and_its_blocks_are_read_back(tmp_path, capsys):
    scene, out, page = tmp_path / "stack.json", tmp_path / "out.3dm", tmp_path / "page.html"
    scene.write_text(json.dumps(stack(2).to_scene()), encoding="utf-8")
    arguments = "--duration 0.1 --dt 0.005 --ground sine:axis=x,pga=0.3,frequency=2 --probe s1 --forces".split()
    written = ["--3dm", str(out), "--at", "0.05", "--report", str(page)]
    assert main(["dynamic", str(scene), *arguments, *written, "--json", "--quiet"]) == 0
    assert json.loads(capsys.readouterr().out)["steps"] == 20
    back = Structure.from_file(out)
    assert [block.support for block in back.blocks] == [True, False, False]
    assert back.blocks[2].vertices.min(axis=0) == pytest.approx([-0.25, -0.25, 0.4])
    model = rhino3dm.File3dm.Read(str(out))
    names = {layer.Index: layer.Name for layer in model.Layers}
    found = Counter(names[item.Attributes.LayerIndex] for item in model.Objects)
    assert found["displaced"] == 3 and found["paths"] == 1 and found["forces"] == 2
    assert "force_start" in page.read_text(encoding="utf-8")


# -- cables ----------------------------------------------------------------------------------------------------------


def two_posts(path, unit="Meters", length=1.0):
    drawn = Drawn(path, unit)
    for name, x in (("left", 0.0), ("right", 3.0)):
        drawn.brep((x * length, 0, 0), ((x + 1.0) * length, length, 2.0 * length), name=name, density="2000")
    low, high = (-length, -length, -length), (5.0 * length, 2.0 * length, 0)
    drawn.brep(low, high, name="base", density="2000", support="true")
    drawn.model.Strings["friction"] = "0.6"
    return drawn


def line(drawn, *ends, **strings):
    points = [rhino3dm.Point3d(*end) for end in ends]
    drawn.model.Objects.AddLine(*points, drawn.attributes("Cables", strings.pop("name", ""), **strings))


def test_lines_on_the_layer_cables_are_cables(tmp_path):
    drawn = two_posts(tmp_path / "posts.3dm", "Millimeters", 1000.0)
    line(drawn, (1000, 500, 1500), (3000, 500, 1500), name="tie", stiffness="1e7", prestress="2000", strength="9e3")
    line(drawn, (3500, 500, 1000), (3500, 500, 9000), end="ground")  # its start lies inside of the block
    line(drawn, (500, 500, 2020), (9000, 500, 2020), start="left", END="Ground")
    structure = drawn.read()
    tie, hung, named = structure.case.cables
    assert tie == Cable(("left", "right"), ((1, 0.5, 1.5), (3, 0.5, 1.5)), 1e7, 2e3, 9e3, name="tie")
    assert hung.blocks == ("right", None) and named.blocks == ("left", None)
    assert structure.note is None and hung.stiffness is None
    assert analyse(structure).cable_force[0] > 0.0


def test_a_cable_that_ends_nowhere_is_refused(tmp_path):
    wrong = [
        (((1, 0.5, 1.5), (2.5, 0.5, 1.5)), {}, "near no block"),
        (((0.5, 0.5, 0.0), (3.0, 0.5, 1.5)), {}, "left and base"),
        (((1, 0.5, 1.5), (3.0, 0.5, 1.5)), {"end": "nobody"}, "nobody"),
        (((1, 0.5, 1.5), (3.0, 0.5, 1.5)), {"stiffness": "stiff"}, "stiffness of cable 1 is 'stiff'"),
        (((1, 0.5, 1.5), (3.0, 0.5, 1.5)), {"prestress": "10"}, "Cable 1: .*prestress"),
    ]
    for ends, strings, words in wrong:
        drawn = two_posts(tmp_path / "posts.3dm")
        line(drawn, *ends, **strings)
        with pytest.raises(LoadError, match=words):
            drawn.read()
    drawn = two_posts(tmp_path / "posts.3dm")
    bent = rhino3dm.Polyline([rhino3dm.Point3d(*p) for p in ((1, 0.5, 1.5), (2, 0.5, 1), (3, 0.5, 1.5))])
    drawn.model.Objects.AddPolyline(bent, drawn.attributes("cables"))
    with pytest.raises(LoadError, match="not straight"):
        drawn.read()


def test_cables_are_written_and_read(tmp_path):
    """Of a structure and of a static result as they were given; of a motion only to be looked at."""
    drawn = two_posts(tmp_path / "posts.3dm")
    line(drawn, (1, 0.5, 1.5), (3, 0.5, 1.5), stiffness="1e7", prestress="2000", name="tie")
    line(drawn, (3.5, 0.5, 2.0), (3.5, 0.5, 9.0), end="ground", strength="100")
    structure = drawn.read()
    result = analyse(structure)
    write_structure(structure, tmp_path / "structure.3dm")
    write_static(result, tmp_path / "static.3dm")
    for name in ("structure", "static"):
        again = Structure.from_file(tmp_path / (name + ".3dm"))
        assert [each.blocks for each in again.case.cables] == [("left", "right"), ("right", None)]
        assert [each.__data__["points"] for each in again.case.cables] == [
            each.__data__["points"] for each in structure.case.cables
        ]
        numbers = [(each.stiffness, each.prestress, each.strength) for each in again.case.cables]
        assert numbers == [(1e7, 2e3, None), (None, 0.0, 100.0)]
    file = rhino3dm.File3dm.Read(str(tmp_path / "static.3dm"))
    layers = {layer.Index: layer.FullPath for layer in file.Layers}
    lines = [
        o
        for o in file.Objects
        if layers[o.Attributes.LayerIndex] == "nscd::cables" and type(o.Geometry).__name__ == "LineCurve"
    ]
    values = [float(o.Attributes.GetUserString("value")) for o in lines]
    np.testing.assert_allclose(values, result.cable_force, rtol=1e-6, atol=1e-6)
    write_dynamic(follow(structure, structure.case, 0.02, 5e-3), tmp_path / "moving.3dm")
    assert Structure.from_file(tmp_path / "moving.3dm").case is None


def test_distance_from_a_block():
    """Cube, and an L whose reentrant corner a box would fill."""
    cube = box((0, 0, 0), (1, 1, 1), density=2000.0)
    for point, expected in (((0.5, 0.5, 0.5), 0), ((1.5, 0.5, 0.5), 0.5), ((2, 2, 0.5), 2**0.5), ((2, 2, 2), 3**0.5)):
        assert distance(cube.vertices, cube.faces, np.array(point)) == pytest.approx(expected, abs=1e-12)
    ring = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
    shape = prism(ring, 1.0)
    assert distance(*shape, np.array((1.7, 1.7, 0.5))) == pytest.approx(0.7, abs=1e-12)
    assert distance(*shape, np.array((0.5, 1.7, 0.5))) == 0.0
