"""SVG primitives that pictures and plots share."""

from xml.etree import ElementTree

import numpy as np
import pytest

from compas_nscd.drawing import svg


@pytest.mark.parametrize(
    "low, high, expected",
    [
        (0.0, 6.0, [0, 1, 2, 3, 4, 5, 6]),
        (-0.3, 0.3, [-0.3, -0.2, -0.1, 0.0, 0.1, 0.2, 0.3]),
        (1.0, 1.001, [1.0, 1.0002, 1.0004, 1.0006, 1.0008, 1.001]),
        (0.0, 7e5, [0.0, 2e5, 4e5, 6e5]),
    ],
)
def test_ticks_are_round_and_inside(low, high, expected):
    found = svg.ticks(low, high)
    assert found == expected and not any(str(value) == "-0.0" for value in found)


def test_text_is_escaped_and_a_document_is_well_formed():
    name = "<b> & 'c'"
    tree = ElementTree.fromstring(svg.page(90, 42, [svg.text((1.0, 2.0), name, 12, halo=True)]))
    (found,) = (element for element in tree if element.tag.endswith("text"))
    assert found.text == name and found.get("paint-order") == "stroke"
    assert tree.get("viewBox") == "0 0 90 42" and tree[0].tag.endswith("rect")
    assert not len(ElementTree.fromstring(svg.page(90, 42, [], ground=False)))


def test_axes_put_the_corners_of_the_ranges_into_the_corners_of_the_rectangle():
    axes = svg.Axes((0.0, 2.0), (-1.0, 1.0), 10.0, 20.0, 110.0, 70.0)
    np.testing.assert_allclose(
        axes.place(np.array([0.0, 2.0, 1.0]), np.array([-1.0, 1.0, 0.0])), [[10, 70], [110, 20], [60, 45]]
    )
    assert axes.grid("time [s]").count("<path") == len(svg.ticks(0.0, 2.0)) + len(svg.ticks(-1.0, 1.0))


def test_colours_and_outlines():
    assert svg.hex_colour((255, 0.9, 16)) == "#ff0010"
    assert svg.outline([(0, 1), (2.345, 3)], digits=1) == "M0.0 1.0L2.3 3.0Z"
    assert svg.outline([(0, 1), (2, 3)], close=False) == "M0.00 1.00L2.00 3.00"
