"""Findings of a check as shapes: the worst finding of a block gives its colour, and what is well is no finding."""

import numpy as np
import pytest

from compas_nscd.drawing.check_layout import finding_text, findings, is_well, layout_findings, worst_findings
from compas_nscd.drawing.shapes import LAYERS
from compas_nscd.templates import wall


def report(**lists):
    """A report of `Engine.check` without joints, and with some lists."""
    joints = {"polygon_start": [0], "polygon": np.zeros((0, 3)), "interface_gap": []}
    return {"warnings": [], "open": [], "degenerate": [], "isolated": [], **joints, **lists}


@pytest.mark.short
def test_the_worst_finding_of_a_block_counts():
    found = findings(report(coverage=[["a", "b", 0.5], ["b", "c", 0.95]], overlapping=[["b", "d", 0.01]]))
    assert worst_findings(found) == {"b": "overlapping", "d": "overlapping", "a": "coverage"}


@pytest.mark.short
def test_an_overlap_is_no_gap_that_was_closed():
    """The report lists overlaps among the gaps, too, as negative numbers."""
    found = findings(report(gaps=[["a", "b", -0.01], ["b", "c", 0.02]], overlapping=[["a", "b", 0.01]]))
    assert found == {"overlapping": [["a", "b", 0.01]], "gaps": [["b", "c", 0.02]]}


@pytest.mark.short
def test_blocks_without_a_finding_keep_their_colour():
    structure = wall(columns=2, courses=1)
    ground, left, right = structure.names[:3]
    drawn = layout_findings(structure, report(overlapping=[[left, right, 0.01]], coverage=[[ground, left, 0.5]]))
    colour = {shape.name: shape.colour for shape in drawn.shapes}
    assert colour[left] == colour[right] != colour[ground]
    assert not {colour[ground], colour[left]} & {LAYERS["blocks"], LAYERS["supports"]}
    assert layout_findings(structure, report()).shapes[0].colour == LAYERS["supports"]


@pytest.mark.short
def test_warnings_and_blocks_that_cannot_be_analysed_are_not_well():
    assert is_well(report(warped=["a"])) and not is_well(report(isolated=["a"]))
    assert not is_well(dict(report(), warnings=[{"code": "overlap", "message": "", "blocks": []}]))


@pytest.mark.short
def test_a_finding_is_one_word():
    assert finding_text("a") == "a" and finding_text(["a", "b", 0.01234]) == "a/b/0.0123"
