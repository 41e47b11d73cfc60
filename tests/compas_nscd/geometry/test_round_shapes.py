"""Spheres and discs in the client: data, scenes, checks, drawings and commands."""

import json

import compas
import numpy as np
import pytest

from analysed import analyse, box
from compas_nscd import Block, ContactLaw, LoadCase, StaticResult, Structure
from compas_nscd.cli import main
from compas_nscd.drawing.picture import draw_static, draw_structure
from compas_nscd.drawing.static_layout import layout_static as lay_out
from compas_nscd.errors import FileError, GeometryError, InputError
from compas_nscd.geometry.polyhedra import flatten, measure
from compas_nscd.report.page import render_report

LAW = ContactLaw(0.6)


def ground(**attributes):
    return box((-2.0, -2.0, -1.0), (2.0, 2.0, 0.0), density=2000.0, name="ground", support=True, **attributes)


def balls():
    """A ball on the ground, a cube beside it, and a ball on the cube."""
    cube = box((1.0, -0.5, 0.0), (2.0, 0.5, 1.0), density=2000.0, name="cube")
    low = Block.sphere((-1.0, 0.0, 0.4), 0.4, 2000.0, name="low")
    high = Block.sphere((1.5, 0.0, 1.3), 0.3, 2000.0, name="high")
    return Structure([low, ground(), high, cube], LAW, name="balls")


def discs(**attributes):
    made = [Block.disc((x, 0.0, 0.3), 0.3, 0.5, 2000.0, name=name) for x, name in ((0.0, "a"), (0.6, "b"))]
    return Structure([ground()] + made, LAW, name="discs", **dict({"planar": "y"}, **attributes))


@pytest.mark.short
@pytest.mark.parametrize("make", [balls, discs])
def test_round_trips(make, tmp_path):
    structure = make()
    assert compas.json_loads(compas.json_dumps(structure)) == structure
    path = tmp_path / "scene.json"
    structure.to_scene(path)
    again = Structure.from_file(path)
    assert again.blocks == structure.blocks and again.planar == structure.planar
    assert again.to_scene() == structure.to_scene()


def test_arrays_of_the_message():
    wire = balls().to_wire()
    assert wire["radius"].tolist() == [0.4, 0.0, 0.3, 0.0] and wire["disc_depth"].tolist() == [0.0] * 4
    assert np.diff(wire["vertex_start"]).tolist() == [1, 8, 1, 8]
    assert np.diff(wire["block_face_start"]).tolist() == [0, 6, 0, 6]
    assert wire["vertices"][9].tolist() == [1.5, 0.0, 1.3]
    corners = wire["face_vertices"].reshape(12, 4)
    assert set(corners[:6].ravel()) == set(range(1, 9)) and set(corners[6:].ravel()) == set(range(10, 18))
    assert "radius" not in Structure([ground(), box((0, 0, 0), (1, 1, 1), density=1.0)], LAW).to_wire()
    assert discs().to_wire()["planar"].tolist() == [0.0, 1.0, 0.0]
    assert discs(planar=(0, -3, 0)).planar == (0.0, -1.0, 0.0)


def test_millimetres(tmp_path):
    scene = balls().to_scene()
    scene["units"] = "mm"
    block = {"id": 4, "sphere": {"centre": [0, 0, 500.0], "radius": 500}, "support": False, "density": 2000.0}
    structure = Structure.from_file(_written(tmp_path, scene, block), strict=False)
    assert structure.blocks[4].radius == 0.5 and structure.blocks[4].vertices.tolist() == [[0.0, 0.0, 0.5]]


def _written(folder, scene, *blocks):
    path = folder / "scene.json"
    path.write_text(json.dumps(dict(scene, blocks=scene["blocks"] + list(blocks))))
    return path


@pytest.mark.parametrize("radius", [0.0, -1.0, float("nan"), float("inf")])
def test_bad_radius_names_the_block(radius):
    structure = Structure([ground(), Block.sphere((0, 0, 1), radius, 2000.0, name="ball")], LAW)
    with pytest.raises(GeometryError, match="ball") as raised:
        structure.validate()
    assert raised.value.blocks == ["ball"] and structure.bad_blocks() == ["ball"]
    assert structure.report.lists()["degenerate"] == ["ball"]
    assert len(structure.sound_part()) == 1


@pytest.mark.parametrize("radius", ["wide", None, [1], True])
def test_radius_that_is_no_number(radius):
    with pytest.raises(GeometryError, match="radius.*ball"):
        Structure([ground(), Block.sphere((0, 0, 1), radius, 2000.0, name="ball")], LAW).validate()


def test_other_errors_name_the_block():
    far = Structure([ground(), Block.sphere((0, 0, np.inf), 1.0, 2000.0, name="ball")], LAW)
    with pytest.raises(GeometryError, match="ball"):
        far.validate()
    for planar in (None, "x"):
        with pytest.raises(GeometryError, match="a, b") as raised:
            discs(planar=planar).validate()
        assert raised.value.blocks == ["a", "b"]
    with pytest.raises(InputError):
        discs(planar="up")
    with pytest.raises(GeometryError, match="ball"):
        Block([[0, 0, 0], [1, 0, 0]], [], 2000.0, name="ball", radius=1.0)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"vertices": []}, "both"),
        ({"sphere": {"centre": [0, 0, 1]}}, "radius"),
        ({"sphere": {"centre": [0, 0, 1], "radius": 1, "colour": 3}}, "colour"),
        ({"sphere": [0, 0, 1]}, "object"),
        ({"sphere": {"centre": [0, 0], "radius": 1}}, "three numbers"),
    ],
)
def test_errors_of_a_scene_name_the_block(change, message, tmp_path):
    block = {"id": "ball", "sphere": {"centre": [0, 0, 1], "radius": 1.0}, "support": False, "density": 2000.0}
    with pytest.raises((FileError, GeometryError), match=message) as raised:
        Structure.from_file(_written(tmp_path, balls().to_scene(), dict(block, **change)))
    assert "ball" in str(raised.value)
    disc = dict(block, disc={"centre": [0, 0, 1], "radius": 1.0, "depth": 1.0})
    del disc["sphere"]
    with pytest.raises(FileError, match="not planar"):
        Structure.from_file(_written(tmp_path, balls().to_scene(), disc))


@pytest.mark.parametrize("block, volume", [
    (Block.sphere((1, 2, 3), 0.5, 1.0), 4.0 / 3.0 * np.pi * 0.125),
    (Block.disc((1, 2, 3), 0.5, 0.2, 1.0, axis=(1, 1, 0)), np.pi * 0.25 * 0.2),
])  # fmt: skip
def test_surface_is_an_inscribed_solid(block, volume):
    vertices, faces = block.surface()
    found = measure(flatten([vertices], [faces]))
    assert 0.85 * volume < found.volume[0] < volume
    np.testing.assert_allclose(vertices.mean(axis=0), [1.0, 2.0, 3.0], atol=1e-12)
    assert block.mesh.is_manifold() and block.mesh.euler() == 2


def test_drawings_and_pages_show_what_is_round(tmp_path):
    """Also of a ball that rolls away."""
    slope = Structure([ground(), Block.sphere((0, 0, 0.5), 0.5, 2000.0, name="ball")], LAW)
    results = [analyse(balls()), analyse(discs()), analyse(slope, LoadCase((1.0, 0.0, -9.81)))]
    assert [result.verdict for result in results] == ["stable", "stable", "collapse"]
    assert results[2].first_to_move(1) == ["ball"]
    for result in results:
        assert draw_static(result).count("<path") > 30 and draw_structure(result.structure).count("<path") > 30
        shapes = lay_out(result).shapes
        assert all(len(shape.faces) >= 6 for shape in shapes)
        assert "nscd" in render_report(result) and result.displaced(0.1)
        path = tmp_path / "result.npz"
        result.save(path)
        assert StaticResult.load(path).structure == result.structure


@pytest.mark.short
def test_commands(tmp_path, capsys):
    path = tmp_path / "balls.json"
    balls().to_scene(path)
    assert main(["static", str(path), "--json", "--quiet", "--3dm", str(tmp_path / "out.3dm")]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["verdict"] == "stable" and answer["interfaces"] == 3
    mass = 2000.0 * (1.0 + 4.0 / 3.0 * np.pi * (0.4**3 + 0.3**3))
    assert answer["support_reaction"] == pytest.approx([0.0, 0.0, 9.81 * mass], rel=1e-9, abs=1e-6)
    assert main(["check", str(path), "--json", "--quiet"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["interfaces"] == 3 and answer["area"] == pytest.approx(1.0) and answer["edges"] == []
