"""Check on the canvas: what `nscd check` finds, each finding in its place and in the unit of the document."""

import numpy as np
import pytest

from analysed import box
from compas_nscd import Block, ContactLaw, Settings, Structure
from rhino_net.canvas import Wire
from rhino_net.shapes import xyz

pytest_plugins = ["gh_fixtures"]
UNITS = {"Meters": 1.0, "Millimeters": 1e-3}


def cube(level, name, support=False, aside=0.0):
    """A cube of 1 m whose underside is at `level` [m]."""
    return box((aside, 0, level), (aside + 1, 1, level + 1), density=2000.0, name=name, support=support)


def checked(rhino, live, **inputs):
    """A component Check after its answer."""
    component = live.add("Nscd_Check", **inputs)
    live.solve()
    assert rhino.idle(lambda: component["ok"] is not None, 240.0), component.told  # kernels may have to compile
    return component


@pytest.mark.short
def test_a_good_structure_is_ok(rhino, live):
    structure = Structure([cube(0, "ground", True), cube(1, "stone")], ContactLaw(0.6))
    component = checked(rhino, live, blocks=[structure])
    assert component["ok"] is True and component["messages"] == ["OK"] and component.Message == "OK"
    assert component["names"] == [] and component["blocks"] == [] and component["curves"] == []
    assert "interfaces: 1" in component["info"] and component.told == []


@pytest.mark.parametrize("rhino", list(UNITS), indirect=True)
def test_an_overlap_is_outlined_where_it_is(rhino, live):
    """20 mm of a cube of 1 m are taken as contact on the plane in the middle, which is 10 mm below the upper face."""
    metre = UNITS[rhino.document.ModelUnitSystem.ToString()]
    component = checked(rhino, live, blocks=[cube(0, "ground", True), cube(0.98, "stone")])
    assert component["ok"] is False and component["names"] == ["ground", "stone"]
    assert any("overlap" in line and "stone" in line for line in component["messages"])
    assert component["kinds"] == ["overlap"] and component.messages("Warning")
    (outline,) = component["curves"]
    points = xyz(outline) * metre
    assert points[:, 2] == pytest.approx(0.99, abs=1e-6)
    assert np.ptp(points, axis=0)[:2] == pytest.approx([1.0, 1.0])
    assert [xyz(mesh)[:, 2].min() * metre for mesh in component["blocks"]] == pytest.approx([0.0, 0.98])


def test_blocks_that_make_no_structure_are_checked(rhino, live):
    """A cube without a side has four open edges; one far away touches nothing."""
    whole = cube(1, "leaky")
    leaky = Block(whole.vertices, whole.faces[:-1], 2000.0, "leaky")
    blocks = [cube(0, "ground", True), cube(1, "stone", aside=0.2), leaky, cube(5, "cloud")]
    component = checked(rhino, live, blocks=blocks)
    assert component["ok"] is False
    assert {"leaky", "cloud"} <= set(component["names"]) and "ground" not in component["names"]
    assert component["kinds"].count("open edge") == 4
    errors = component.messages("Error")
    assert any("leaky" in text for text in errors) and any("cloud" in text for text in errors)


def test_settings_close_a_gap(rhino, live):
    blocks = [cube(0, "ground", True), cube(1.015, "stone")]
    component = checked(rhino, live, blocks=blocks)
    assert component["ok"] is False and "stone" in component["names"]
    component.set(settings=Settings(gap="20mm"))
    live.solve()
    assert rhino.idle(lambda: component["ok"] is not None and "gap that was closed" in component["kinds"])
    assert component.messages("Error") == []


def test_wires_of_blocks_and_what_is_none(rhino, live):
    arch = live.add("Nscd_Templates", kind="arch", blocks=6)
    component = checked(rhino, live, blocks=Wire(arch, "structure"))
    assert component["ok"] is True
    wrong = live.add("Nscd_Check", blocks=[cube(0, "a"), 7])
    live.solve()
    assert "blocks has a int" in wrong.messages("Error")[0]
