"""Scripts in a document of Rhino: blocks by layer, results baked to layers."""

import functools
import runpy
import sys
from types import ModuleType

import numpy as np
import pytest
from compas.scene import SceneObject
from compas.scene.context import ITEM_SCENEOBJECT

from compas_nscd import ContactLaw, Engine, templates
from compas_nscd.errors import GeometryError, InputError
from compas_nscd.rhino import Escape, Units, bake, clear, finished, layer_index, on_layer, structure_by_layers
from compas_nscd.rhino.geometry import RhinoGeometry
from compas_nscd.rhino.scene_objects import register_rhino_scene_objects
from compas_nscd.rhino.solids import solids
from places import EXAMPLES
from rhino_net.shapes import xyz

pytest_plugins = ["gh_fixtures"]

SCRIPTS = sorted((EXAMPLES / "rhino").glob("*.py"))
METRES = {"Meters": 1.0, "Millimeters": 1e-3}


@pytest.fixture
def document(rhino, monkeypatch):
    """The document, with the scene objects of COMPAS drawing into it."""

    class RhinoSceneObject(SceneObject):
        def compile_attributes(self, **options):
            raise AssertionError("compas_rhino has the document that was open when it was imported")

    for package, name in (("compas_rhino", "RhinoSceneObject"), ("compas_ghpython", "GHSceneObject")):
        monkeypatch.setitem(sys.modules, package, ModuleType(package))
        module = ModuleType(package + ".scene")
        setattr(module, name, RhinoSceneObject)
        monkeypatch.setitem(sys.modules, package + ".scene", module)
    for context in ("Rhino", "Grasshopper"):
        monkeypatch.setitem(ITEM_SCENEOBJECT, context, {})
    register_rhino_scene_objects()
    return rhino.document


def draw(shapes, document, structure, metre):
    """Put a structure into the document: Breps and meshes by turns, on two layers."""
    layers = {False: shapes.layer(document, "model::blocks"), True: shapes.layer(document, "Supports")}
    for i, block in enumerate(structure.blocks):
        shape = (block.vertices / metre, block.faces)
        solid = shapes.brep(*shape) if i % 2 else shapes.mesh(*shape)
        document.Objects.Add(solid, shapes.attributes(structure.names[i], layers[block.support]))


def layers_of(document, items):
    return {document.Layers[item.Attributes.LayerIndex].FullPath for item in items}


@pytest.mark.parametrize("rhino", list(METRES), indirect=True)
@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_script(path, rhino, document, capsys):
    metre = METRES[document.ModelUnitSystem.ToString()]
    arch = templates.arch(blocks=9)
    draw(rhino.shapes, document, arch, metre)
    given = document.Objects.Count
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[:2] == ["#! python3", "# venv: compas_nscd"]
    for _ in range(2):  # the second time its own drawing is in the document, and must not count
        runpy.run_path(str(path))
        out = capsys.readouterr().out
        assert "it stands" in out or "it falls" in out
        baked = list(document.Objects)[given:]
        paths = layers_of(document, baked)
        assert paths and all(layer.startswith("nscd::") for layer in paths)
        if path.stem == "does_it_stand":
            assert "11 blocks" in out and "nscd::thrust" in paths
            thrust = next(i for i in baked if document.Layers[i.Attributes.LayerIndex].Name == "thrust")
            crown = xyz(thrust.Geometry)[:, 2].max() * metre
            assert 5.0 - 0.375 < crown < 5.0 + 0.375  # in the ring, in the unit of the document


def test_layers_are_found_by_name_and_by_path(rhino, document):
    draw(rhino.shapes, document, templates.arch(blocks=5), 1.0)
    document.Objects.Add(rhino.shapes.curve((0, 0, 0), (1, 0, 0)), rhino.shapes.attributes("line", 1))
    for layer in ("blocks", "MODEL::blocks", "model"):
        assert len(on_layer(layer)) == 5
    made = structure_by_layers("model", "supports", 2000.0)
    assert made.names == ["v0", "v1", "v2", "v3", "v4", "right", "left"]
    with pytest.raises(InputError, match="stones"):
        on_layer("stones")


def test_a_bad_solid_is_named(rhino, document):
    draw(rhino.shapes, document, templates.arch(blocks=5), 1.0)
    block = templates.arch(blocks=5).blocks[0]
    layer = rhino.shapes.layer(document, "model::blocks")
    document.Objects.Add(
        rhino.shapes.brep(block.vertices, block.faces[:-1], closed=False), rhino.shapes.attributes("holey", layer)
    )
    with pytest.raises(GeometryError, match="holey: open"):
        structure_by_layers("blocks", "supports", 2000.0)


def test_friction_of_objects_and_density_of_their_text(rhino, document):
    tower = templates.stack(2)
    for block, name in zip(tower.blocks, tower.names):
        layer = rhino.shapes.layer(document, "supports" if block.support else "blocks")
        text = {} if block.support else {"density": "1234", "friction": "0.2"}
        document.Objects.Add(
            rhino.shapes.brep(block.vertices, block.faces), rhino.shapes.attributes(name, layer, **text)
        )
    structure = structure_by_layers("blocks", "supports", 2000.0, ContactLaw(0.7))
    assert sorted({block.density for block in structure.blocks}) == [1234.0, 2000.0]
    assert {law.friction for law in structure.pair_laws.values()} == {0.2}


def test_instances_stand_where_they_were_put(rhino, document):
    block = templates.stack(1).blocks[0]
    guid = rhino.shapes.define(
        document, "stone", (rhino.shapes.brep(block.vertices, block.faces), rhino.shapes.attributes("part"))
    )
    layer = rhino.shapes.layer(document, "blocks")
    for k in range(3):
        matrix = np.eye(4)
        matrix[:3, 3] = (10.0 * k, 0.0, 0.0)
        document.Objects.Add(rhino.shapes.instance(guid, matrix), rhino.shapes.attributes("", layer))
    found = [solid for _, solids in on_layer("blocks") for solid in solids]
    assert [solid.name for solid in found] == ["stone"] * 3
    for k, solid in enumerate(found):
        assert solid.vertices == pytest.approx(block.vertices + [10.0 * k, 0.0, 0.0])
        assert solid.guid == str(list(document.Objects)[k].Id)


@functools.cache
def standing_arch():
    """Result of an arch that stands."""
    with Engine() as engine:
        return engine.static(templates.arch(blocks=9))


def test_the_document_that_is_meant_is_drawn_into(rhino, document):
    """After File > Open the active document is another one; a document that is named is neither."""
    result = standing_arch()
    opened, other = rhino.open(), rhino.rhino.RhinoDoc(rhino.rhino.UnitSystem.Millimeters)
    bake(result, layers=["forces"])
    assert document.Objects.Count == 0 and layers_of(opened, opened.Objects) == {"nscd::forces"}
    bake(result, other, layers=["thrust"])
    assert layers_of(other, other.Objects) == {"nscd::thrust"} and layers_of(opened, opened.Objects) == {"nscd::forces"}
    (line,) = [item.Geometry for item in other.Objects]
    assert xyz(line)[:, 2].max() > 1e3  # in its own unit
    clear(other)
    assert other.Objects.Count == 0 and opened.Objects.Count > 0


def test_layers_are_made_below_each_other_and_found_again(rhino, document):
    index = layer_index(document, "nscd::forces", (184, 67, 31))
    assert document.Layers[index].FullPath == "nscd::forces" and document.Layers[index].Color.R == 184
    assert layer_index(document, "nscd::forces") == index
    document.Layers[layer_index(document, "nscd")].Name = "renamed"
    assert document.Layers[index].FullPath == "renamed::forces"
    assert layer_index(document, "nscd::forces") != index


def test_an_arrow_has_a_head_and_a_colour(rhino, document):
    bake(standing_arch(), layers=["forces"])
    kinds = rhino.rhino.DocObjects
    for item in document.Objects:
        assert item.Attributes.ObjectDecoration == kinds.ObjectDecoration.EndArrowhead
        assert item.Attributes.ColorSource == kinds.ObjectColorSource.ColorFromObject


def test_a_face_of_six_corners_stays_one_face(rhino):
    """Drawn as four triangles that are known as one polygon."""
    turn = np.linspace(0.0, 2.0 * np.pi, 7)[:-1]
    ring = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    vertices = np.concatenate([np.c_[ring, np.zeros(6)], np.c_[ring, np.ones(6)]])
    sides = [[k, (k + 1) % 6, 6 + (k + 1) % 6, 6 + k] for k in range(6)]
    faces = [list(range(5, -1, -1)), list(range(6, 12)), *sides]
    mesh = RhinoGeometry(rhino.rhino.Geometry).meshes([(vertices, faces)])[0]
    assert mesh.Ngons.Count == 2 and mesh.Faces.Count == 2 * 4 + 6 and mesh.Vertices.Count == 2 * 6 + 6 * 4
    (solid,) = solids(mesh, Units(rhino.document))
    assert len(solid.vertices) == 12 and len(solid.faces) == 14  # vertices of neighbours are merged again


class Waiting:
    """A job that is done after some turns, or when it is cancelled."""

    def __init__(self, turns):
        self.turns, self.cancelled = turns, False

    def result(self, timeout):
        self.turns -= 1
        if self.turns > 0 and not self.cancelled:
            raise TimeoutError
        return "part" if self.cancelled else "whole"

    def cancel(self):
        self.cancelled = True


def test_rhino_goes_on_while_a_script_waits_and_escape_ends_it(rhino):
    import System

    drawn = []
    for _ in range(2):
        rhino.rhino.RhinoApp.InvokeOnUiThread(System.Action(lambda: drawn.append(1)))
    assert finished(Waiting(3)) == "whole" and drawn == [1, 1]
    rhino.rhino.RhinoApp.InvokeOnUiThread(System.Action(rhino.rhino.RhinoApp.PressEscape))
    assert finished(Waiting(10**9)) == "part"
    with Escape() as escape:
        pass
    rhino.rhino.RhinoApp.PressEscape()
    assert not escape.pressed  # it listens only inside
