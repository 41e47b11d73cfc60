"""Deformed blocks in pictures, pages and .3dm files: shape, colours, scale."""

import importlib.util

import numpy as np
import pytest

from analysed import analyse, stack
from compas_nscd import DynamicResult, StaticResult, Structure
from compas_nscd.drawing.elastic_layout import deformed_shapes, element_stresses, magnification, stress_scale
from compas_nscd.drawing.motion_layout import layout_dynamic
from compas_nscd.drawing.picture import draw_elastic
from compas_nscd.drawing.shapes import COMPRESSION, TENSION
from compas_nscd.drawing.static_layout import layout_static
from compas_nscd.drawing.threedm import write_dynamic, write_static
from compas_nscd.errors import InputError
from compas_nscd.report.page import render_report
from compas_nscd.report.page_data import dynamic_content, static_content
from elastic_replies import squeezed, squeezed_stack
from page_results import motion


@pytest.fixture(scope="module")
def result():
    return squeezed_stack()


def test_stresses_that_colours_show(result):
    elastic = result.elastic
    assert element_stresses(elastic, "principal") == pytest.approx([-3e6, -6e6, -12e6])
    assert element_stresses(elastic, "tension") == pytest.approx([1e6, 2e6, 4e6])
    assert element_stresses(elastic, "compression") == pytest.approx([-3e6, -6e6, -12e6])
    assert element_stresses(elastic, "von_mises") == pytest.approx(elastic.von_mises)
    with pytest.raises(InputError, match="shear"):
        element_stresses(elastic, "shear")


def test_one_scale_of_magnitudes_for_both_signs(result):
    scale = stress_scale(result.elastic, "compression")._replace(high=3e6)
    assert scale.colour(-12e6) == COMPRESSION
    assert stress_scale(result.elastic, "tension").colour(4e6) == TENSION
    quarter = np.array(scale.colour(3e6))  # a quarter of the way from stone to red
    stone = np.array(scale.colour(0.0))
    assert quarter == pytest.approx(stone + 0.25 * (np.array(TENSION) - stone), abs=1)


def test_the_factor_is_round_and_makes_the_greatest_displacement_visible(result):
    factor = magnification(result)
    drawn = factor * result.elastic.displacement_max / result.structure.block_size
    assert str(int(factor)).strip("0") in ("1", "2", "5") and 0.04 < drawn <= 0.1


def test_deformed_shapes(result):
    shapes = deformed_shapes(result, magnify=1000.0)
    assert [shape.layer for shape in shapes] == ["displaced"] * 4
    assert shapes[0].face_colours is None and len(shapes[3].face_colours) == len(shapes[3].faces) == 6
    assert shapes[3].vertices[:, 2].max() == pytest.approx(0.9 * 1.2)
    assert shapes[3].face_colours[0] == COMPRESSION


def test_picture_has_a_scale_and_flags_cracked_blocks(result):
    svg = draw_elastic(result, "tension")
    assert "greatest principal stress [MPa]" in svg and ">4<" in svg and svg.count(">cracked<") == 3
    assert "drawn 500 times as large" in svg
    assert "drawn 3 times as large" in draw_elastic(result, magnify=3.0)
    with pytest.raises(InputError, match="no deformable"):
        draw_elastic(analyse(stack()))


def test_layout_of_rhino_and_legend(result):
    drawing = layout_static(result)
    assert sum(shape.layer == "displaced" for shape in drawing.shapes) == 4
    assert any("500 times" in text for text, _ in drawing.legend)
    assert sum(dot.text == "cracked" for dot in drawing.dots) == 3
    coloured = layout_static(result, "von_mises")
    assert any("von Mises" in text for text, _ in coloured.legend)


def test_rhino_file_has_coloured_meshes_and_the_blocks_are_read_again(result, tmp_path):
    rhino3dm = pytest.importorskip("rhino3dm")
    path = tmp_path / "stack.3dm"
    write_static(result, path)
    model = rhino3dm.File3dm.Read(str(path))
    coloured = [each.Geometry for each in model.Objects if getattr(each.Geometry, "VertexColors", ())]
    assert len(coloured) == 3
    assert {tuple(mesh.VertexColors[0])[:3] for mesh in coloured} >= {COMPRESSION}
    again = Structure.from_file(path)
    assert len(again) == 4 and [block.elastic for block in again.blocks] == [b.elastic for b in result.structure.blocks]


def test_rigid_blocks_among_deformable_ones_are_displaced(result):
    reply = dict(result.__data__["reply"], displacement=np.zeros((4, 6)))
    reply["displacement"][0] = [0.0, 0.0, -1e-4, 0.0, 1e-5, 0.0]
    ground = deformed_shapes(StaticResult(reply, result.structure), magnify=1000.0)[0]
    given = result.structure.blocks[0].vertices
    x, _, z = (given - result.centroid[0]).T
    assert ground.vertices - given == pytest.approx(np.column_stack([0.01 * z, 0 * x, -0.1 - 0.01 * x]))


def test_a_motion_is_drawn_at_its_end_in_the_pose_of_the_blocks(tmp_path):
    moved = squeezed(motion())
    shape = deformed_shapes(moved, magnify=0.0)[2]
    assert shape.vertices == pytest.approx(moved.vertices(1.0)[2])
    shape = deformed_shapes(moved, magnify=1000.0)[2]
    assert shape.vertices - moved.vertices(1.0)[2] == pytest.approx(
        -0.1 * moved.structure.blocks[2].vertices * [0, 0, 1]
    )
    at_end, before = layout_dynamic(moved), layout_dynamic(moved, 0.5)
    assert sum(shape.face_colours is not None for shape in at_end.shapes) == 2
    assert not any(shape.face_colours for shape in before.shapes)
    assert "dominant principal stress" in draw_elastic(moved)
    assert "Greatest elastic displacement" in render_report(moved)
    if importlib.util.find_spec("rhino3dm"):
        write_dynamic(moved, tmp_path / "moved.3dm")


def test_page_has_surfaces_displacements_and_stresses(result):
    header, arrays = static_content(result)
    assert [kind["name"] for kind in header["deformed"]["scales"]] == [
        "principal",
        "tension",
        "compression",
        "von_mises",
    ]
    assert header["deformed"]["magnify"] == magnification(result)
    assert arrays["skin_vertex"].shape == arrays["skin_displacement"].shape == (32, 3)
    assert np.abs(arrays["skin_displacement"]).max() == pytest.approx(1e-4 * 1.2)
    assert np.isnan(arrays["skin_value"][:6]).all() and arrays["skin_value"][-1, 1] == pytest.approx(4e6)
    assert arrays["skin_block"].tolist() == [i for i in range(4) for _ in range(6)]
    page = render_report(result)
    assert "Greatest elastic displacement" in page and "Cracked blocks" in page


def test_page_of_a_motion_has_the_elastic_energy():
    moved = squeezed(motion())
    reply = dict(moved.__data__["reply"], elastic_energy=np.linspace(0.0, 7.0, len(moved.times)))
    header, arrays = dynamic_content(DynamicResult(reply, moved.structure))
    assert header["energies"][-1] == "elastic" and arrays["energy"][-1, -1] == 7.0
    header, arrays = dynamic_content(moved)
    assert "elastic" not in header["energies"] and arrays["energy"].shape[1] == len(header["energies"])
