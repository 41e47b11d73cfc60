"""What is drawn of a result, its scene objects with stand-ins for Rhino and the viewer."""

import sys
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from compas.scene import SceneObject
from compas.scene.context import ITEM_SCENEOBJECT

from analysed import analyse, stack
from compas_nscd import DynamicResult, LoadCase, StaticResult
from compas_nscd.drawing import scene_objects
from compas_nscd.drawing.motion_layout import layout_dynamic
from compas_nscd.drawing.static_layout import layout_static, layout_structure
from compas_nscd.errors import InputError
from compas_nscd.results.pair_forces import pair_forces
from compas_nscd.rhino.scene_objects import register_rhino_scene_objects
from compas_nscd.templates import arch, wall
from dynamic_helpers import follow
from page_results import motion


@pytest.fixture(scope="module")
def standing():
    return analyse(arch())


@pytest.fixture(scope="module")
def falling():
    return analyse(arch(thickness=0.4))


def on(drawing, layer):
    return [item for part in drawing[:4] for item in part if item.layer == layer]


@pytest.mark.short
def test_arrows_scale_with_the_model(standing):
    """The longest is 0.9 of a block, the others as their forces; tips at the centres of pressure."""
    drawing = layout_static(standing)
    curves = [c for c in on(drawing, "forces") + on(drawing, "reactions") if hasattr(c, "tip")]
    length = np.array([np.linalg.norm(c.points[1] - c.points[0]) for c in curves])
    value = np.array([c.value for c in curves])
    size = np.median([np.linalg.norm(np.ptp(b.vertices, axis=0)) for b in standing.structure.blocks])
    assert length.max() == pytest.approx(0.9 * size) and length / length.max() == pytest.approx(value / value.max())
    centres = standing.joints.centre
    assert all(np.linalg.norm(centres - c.points[1], axis=1).min() < 1e-12 for c in curves)


def test_reactions_push_up_and_other_arrows_down(standing):
    drawing = layout_static(standing)
    arrows = [c for c in on(drawing, "reactions") if hasattr(c, "tip")]
    assert len(arrows) == 2 and all(c.points[1, 2] > c.points[0, 2] for c in arrows)
    leaning = [c.points for c in on(drawing, "forces") if abs(c.points[1, 2] - c.points[0, 2]) > 1e-3]  # not the crown
    assert len(leaning) == 18 and all(points[1, 2] < points[0, 2] for points in leaning)
    tails = np.sort([points[0, 0] for points in leaning])
    assert np.abs(tails + tails[::-1]).max() < 1e-6


def test_only_a_falling_structure_is_displaced(standing, falling):
    assert not on(layout_static(standing), "displaced") and not on(layout_static(standing), "cracks")
    moved = layout_static(falling, displaced=0.25)
    shapes = on(moved, "displaced")
    way = max(np.linalg.norm(s.vertices - falling.structure.blocks[s.block].vertices, axis=1).max() for s in shapes)
    assert way == pytest.approx(0.25, rel=0.02)  # a vertex that turns goes along an arc
    assert all(not falling.structure.blocks[s.block].support for s in shapes)
    assert len(on(moved, "cracks")) == len(falling.cracks()) > 0


def test_colours_tell_the_greatest(standing):
    drawing = layout_static(standing, colour="stress")
    worst = int(np.nanargmin(standing.stresses().principal[:, 0]))
    assert drawing.shapes[worst].colour == (46, 90, 160)
    assert any("MPa" in text for text, _ in drawing.legend)
    with pytest.raises(ValueError):
        layout_static(standing, colour="rainbow")


def test_bars_are_as_wide_as_forces_are_great():
    result = analyse(wall(3, 3))
    (bars,) = on(layout_static(result), "network")
    shape = bars.shape()
    assert len(shape.vertices) == 6 * len(bars.ends) and len(shape.faces) == 3 * len(bars.ends)
    k = int(bars.width.argmax())
    radius = np.linalg.norm(shape.vertices[6 * k : 6 * k + 3] - bars.ends[k, 0], axis=1)
    assert radius == pytest.approx(bars.width[k] / 2) and bars.strength[k] == bars.strength.max()


def test_nothing_but_blocks_where_there_are_no_forces():
    drawing = layout_structure(stack(2))
    assert len(drawing.shapes) == 3 and drawing.layers() == ["blocks", "supports"]


class Recorder:
    """Stands for anything of Rhino that is made or called: remembers the arguments."""

    def __init__(self, kind="", *arguments):
        self.kind, self.arguments, self.calls = kind, arguments, []
        self.Count = 0

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name in ("Vertices", "Faces", "Normals", "Ngons"):
            part = Recorder(name)
            setattr(self, name, part)
            return part

        def call(*arguments, **options):
            self.calls.append((name, arguments, options))
            if name == "Add":
                self.Count += 1
            made = Recorder(name, *arguments)
            made.options = options
            return made

        return call


@pytest.fixture
def rhino(monkeypatch):
    """Modules that exist only in Rhino."""
    document = Recorder("objects")
    modules = {name: ModuleType(name) for name in ("Rhino", "scriptcontext", "compas_rhino", "compas_ghpython")}
    modules["Rhino"].Geometry = Recorder("geometry")
    modules["scriptcontext"].doc = SimpleNamespace(Objects=document)

    class Base(SceneObject):
        layer = None

        def compile_attributes(self, name=None, color=None, arrow=None):
            return {"name": name, "colour": color.rgb255, "arrow": arrow, "layer": self.layer}

    for package, name in (("compas_rhino", "RhinoSceneObject"), ("compas_ghpython", "GHSceneObject")):
        modules[package + ".scene"] = ModuleType(package + ".scene")
        setattr(modules[package + ".scene"], name, Base)
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    for context in ("Rhino", "Grasshopper"):
        monkeypatch.setitem(ITEM_SCENEOBJECT, context, {})
    register_rhino_scene_objects()
    return document


def test_own_types_only_are_registered(rhino):
    assert set(ITEM_SCENEOBJECT["Rhino"]) == set(ITEM_SCENEOBJECT["Grasshopper"]) == {StaticResult, DynamicResult}


def test_a_motion_is_drawn_at_any_time_and_magnification(rhino):
    result = motion()
    drawn = SceneObject(item=result, context="Grasshopper", at=0.5, magnify=4.0, layers=["displaced"])
    assert isinstance(drawn, scene_objects.DynamicScene)
    shapes = drawn.drawing().shapes
    assert len(shapes) == 3
    # block k has turned by 0.05 k about y and gone 0.1 k along x, the ground 0.025 along y
    for k, shape in enumerate(shapes):
        angle = 4.0 * 0.05 * k
        turn = np.array([[np.cos(angle), 0, np.sin(angle)], [0, 1, 0], [-np.sin(angle), 0, np.cos(angle)]])
        place = result.centroid[k] + [4.0 * 0.1 * k, 0.025, 0.0]
        given = result.structure.blocks[k].vertices
        assert shape.vertices == pytest.approx((given - result.centroid[k]) @ turn.T + place, abs=1e-9)
    drawn.at = 0.0
    assert drawn.drawing().shapes[2].vertices == pytest.approx(result.structure.blocks[2].vertices, abs=1e-12)
    with pytest.raises(InputError, match="plain or movement"):
        SceneObject(item=result, context="Rhino", colour="stress").drawing()


def test_forces_and_paths_of_a_motion():
    """A block at rest presses with its weight; its probe has not gone anywhere."""
    result = follow(stack(2), LoadCase(), 0.05, 5e-3, forces=True, probes=["s0"])
    drawing = layout_dynamic(result)
    forces = [curve for curve in drawing.curves if curve.layer == "forces"]
    assert [curve.value for curve in forces] == pytest.approx(9.81 * np.array([2.0, 1.0]) * result.mass[1], rel=1e-3)
    assert forces[0].points[1] == pytest.approx([0.0, 0.0, 0.0], abs=1e-4)
    (path,) = [curve for curve in drawing.curves if curve.layer == "paths"]
    assert len(path.points) == len(result.probe_times) and np.abs(path.points - result.centroid[1]).max() < 1e-4
    whole = pair_forces(result)
    assert len(whole.start) == len(result.times) + 1 and whole.start[-1] == len(whole.force)
    last = slice(whole.start[-2], whole.start[-1])
    assert whole.pair[last].tolist() == [[0, 1], [1, 2]]
    assert whole.force[last, 2] == pytest.approx([curve.value for curve in forces], rel=1e-9)
    with pytest.raises(InputError, match="not recorded"):
        pair_forces(motion())


def test_the_viewer_follows_the_time(monkeypatch):
    module = ModuleType("compas_viewer.scene")
    module.ViewerSceneObject = type("ViewerSceneObject", (SceneObject,), {})
    monkeypatch.setitem(sys.modules, "compas_viewer", ModuleType("compas_viewer"))
    monkeypatch.setitem(sys.modules, "compas_viewer.scene", module)
    monkeypatch.setitem(ITEM_SCENEOBJECT, "Viewer", {})
    scene_objects.register_viewer_scene_objects()
    drawn = SceneObject(item=motion(), context="Viewer", at=0.0)
    before = np.array(drawn._read_frontfaces_data()[0])
    drawn.at = 1.0
    after = np.array(drawn._read_frontfaces_data()[0])
    assert np.abs(after - before).max() > 0.3 and drawn.legend[0] == "cubes: stands, at 1 s"


def test_viewer_gets_buffers(standing, monkeypatch):
    module = ModuleType("compas_viewer.scene")
    module.ViewerSceneObject = type("ViewerSceneObject", (SceneObject,), {})
    monkeypatch.setitem(sys.modules, "compas_viewer", ModuleType("compas_viewer"))
    monkeypatch.setitem(sys.modules, "compas_viewer.scene", module)
    monkeypatch.setitem(ITEM_SCENEOBJECT, "Viewer", {})
    scene_objects.register_viewer_scene_objects()
    drawn = SceneObject(item=standing, context="Viewer")
    front, back = drawn._read_frontfaces_data(), drawn._read_backfaces_data()
    assert len(front[0]) == len(front[1]) == 22 * 24 and len(front[2]) == 22 * 12
    assert [triple[::-1] for triple in back[2]] == front[2]
    positions, colours, pairs = drawn._read_lines_data()
    assert len(positions) == len(colours) and max(max(pair) for pair in pairs) == len(positions) - 1
    assert len(pairs) == 21 * 3 + 20  # arrows with two barbs, and the thrust line
    assert drawn.legend[0] == "arch: stands"
