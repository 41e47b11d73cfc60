"""Scripts in a document of Rhino: blocks by layer, results baked to layers."""

import runpy
import sys
from types import ModuleType

import numpy as np
import pytest
from compas.scene import SceneObject
from compas.scene.context import ITEM_SCENEOBJECT

from compas_nscd import ContactLaw, templates
from compas_nscd.errors import GeometryError, InputError
from compas_nscd.rhino.scene_objects import register_rhino_scene_objects
from compas_nscd.rhino.structure import on_layer, structure_by_layers
from fakes.document import Attributes
from fakes.geometry import Brep, InstanceReferenceGeometry, LineCurve, Point3d, mesh_of
from places import EXAMPLES

pytest_plugins = ["gh_fixtures"]

SCRIPTS = sorted((EXAMPLES / "rhino").glob("*.py"))
METRES = {"Meters": 1.0, "Millimeters": 1e-3}


@pytest.fixture
def document(rhino, monkeypatch):
    """The document, with the scene objects of COMPAS drawing into it."""
    document = rhino.document

    class RhinoSceneObject(SceneObject):
        layer = None

        def compile_attributes(self, name=None, color=None, arrow=None):
            attributes = Attributes(name or "", document.Layers.index(self.layer))
            attributes.ObjectColor, attributes.arrow = color.rgb255, arrow
            return attributes

    for package, name in (("compas_rhino", "RhinoSceneObject"), ("compas_ghpython", "GHSceneObject")):
        monkeypatch.setitem(sys.modules, package, ModuleType(package))
        module = ModuleType(package + ".scene")
        setattr(module, name, RhinoSceneObject)
        monkeypatch.setitem(sys.modules, package + ".scene", module)
    for context in ("Rhino", "Grasshopper"):
        monkeypatch.setitem(ITEM_SCENEOBJECT, context, {})
    register_rhino_scene_objects()
    return document


def draw(document, structure, metre):
    """Put a structure into the document: Breps and meshes by turns, on two layers."""
    layers = {False: document.Layers.index("model::blocks"), True: document.Layers.index("Supports")}
    for i, block in enumerate(structure.blocks):
        shape = (block.vertices / metre, block.faces)
        solid = Brep(*shape) if i % 2 else mesh_of(*shape)
        document.Objects.Add(solid, Attributes(structure.names[i], layers[block.support]))


@pytest.mark.parametrize("rhino", list(METRES), indirect=True)
@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_script(path, document, capsys):
    metre = METRES[document.ModelUnitSystem.ToString()]
    arch = templates.arch(blocks=9)
    draw(document, arch, metre)
    given = len(document.Objects.items)
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "#! python3" and any(line.startswith("# r: compas_nscd") for line in lines[:4])
    for _ in range(2):  # the second time its own drawing is in the document, and must not count
        runpy.run_path(str(path))
        out = capsys.readouterr().out
        assert "it stands" in out or "it falls" in out
        baked = document.Objects.items[given:]
        paths = {document.Layers[item.Attributes.LayerIndex].FullPath for item in baked}
        assert paths and all(layer.startswith("nscd::") for layer in paths)
        if path.stem == "does_it_stand":
            assert "11 blocks" in out and "nscd::thrust" in paths
            thrust = next(i for i in baked if document.Layers[i.Attributes.LayerIndex].Name == "thrust")
            crown = max(point.Z for point in thrust.Geometry.Points) * metre
            assert 5.0 - 0.375 < crown < 5.0 + 0.375  # in the ring, in the unit of the document


def test_layers_are_found_by_name_and_by_path(document):
    draw(document, templates.arch(blocks=5), 1.0)
    document.Objects.Add(LineCurve(Point3d(0.0, 0.0, 0.0), Point3d(1.0, 0.0, 0.0)), Attributes("line", 1))
    for layer in ("blocks", "MODEL::blocks", "model"):
        assert len(on_layer(layer)) == 5
    made = structure_by_layers("model", "supports", 2000.0)
    assert made.names == ["v0", "v1", "v2", "v3", "v4", "right", "left"]
    with pytest.raises(InputError, match="stones"):
        on_layer("stones")


def test_a_bad_solid_is_named(document):
    draw(document, templates.arch(blocks=5), 1.0)
    block = templates.arch(blocks=5).blocks[0]
    layer = document.Layers.index("model::blocks")
    document.Objects.Add(Brep(block.vertices, block.faces[:-1], closed=False), Attributes("holey", layer))
    with pytest.raises(GeometryError, match="holey: open"):
        structure_by_layers("blocks", "supports", 2000.0)


def test_friction_of_objects_and_density_of_their_text(document):
    tower = templates.stack(2)
    for block, name in zip(tower.blocks, tower.names):
        layer = document.Layers.index("supports" if block.support else "blocks")
        text = {} if block.support else {"density": "1234", "friction": "0.2"}
        document.Objects.Add(Brep(block.vertices, block.faces), Attributes(name, layer, **text))
    structure = structure_by_layers("blocks", "supports", 2000.0, ContactLaw(0.7))
    assert sorted({block.density for block in structure.blocks}) == [1234.0, 2000.0]
    assert {law.friction for law in structure.pair_laws.values()} == {0.2}


def test_instances_stand_where_they_were_put(document):
    block = templates.stack(1).blocks[0]
    guid = document.define("stone", (Brep(block.vertices, block.faces), Attributes("part")))
    layer = document.Layers.index("blocks")
    for k in range(3):
        matrix = np.eye(4)
        matrix[:3, 3] = (10.0 * k, 0.0, 0.0)
        document.Objects.Add(InstanceReferenceGeometry(guid, matrix), Attributes("", layer))
    found = [solid for _, solids in on_layer("blocks") for solid in solids]
    assert [solid.name for solid in found] == ["stone"] * 3
    for k, solid in enumerate(found):
        assert solid.vertices == pytest.approx(block.vertices + [10.0 * k, 0.0, 0.0])
        assert solid.guid == str(document.Objects.items[k].Id)
