"""Limits on the canvas: the engine's answer in the unit of the document, while inputs change."""

import numpy as np
import pytest

from compas_nscd import Block, ContactLaw, LimitResult, StaticResult, Structure, templates
from rhino_net.canvas import Wire
from rhino_net.shapes import xyz

pytest_plugins = ["gh_fixtures"]
UNITS = {"Meters": 1.0, "Millimeters": 1e-3}


def cube(low, high, name, support=False):
    (x, y, z), (u, v, w) = low, high
    corners = [(x, y, z), (u, y, z), (u, v, z), (x, v, z), (x, y, w), (u, y, w), (u, v, w), (x, v, w)]
    sides = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]
    return Block(corners, sides, 2000.0, name, support)


def post(width, height, friction):
    """A block on the ground, which tips about its edge at width / height [g], or slides at its friction."""
    ground = cube((-2.0, -2.0, -0.5), (2.0, 2.0, 0.0), "ground", True)
    block = cube((-0.5 * width, -0.5, 0.0), (0.5 * width, 0.5, height), "post")
    return Structure([ground, block], ContactLaw(friction))


@pytest.mark.short
@pytest.mark.parametrize("rhino", list(UNITS), indirect=True)
def test_a_post_tips_about_its_edge(rhino, live):
    metre = UNITS[rhino.document.ModelUnitSystem.ToString()]
    component = live.add("Nscd_Limit", structure=post(0.4, 1.6, 0.9), vary="acceleration:x")
    live.solve()
    assert rhino.idle(lambda: component["result"] is not None, 240.0), component.told  # kernels may have to compile
    assert isinstance(component["result"], LimitResult) and component["multiplier_coulomb"] is None
    assert component["multiplier"] == pytest.approx(0.25, rel=1e-5)
    assert component["words"] == component["result"].words and component.Message == "Limit 0.25 g"
    assert component["info"][0] == "Limit 0.25 g"
    (hinge,) = component["hinges"]
    assert abs(hinge.X) * metre == pytest.approx(0.2, abs=1e-4) and hinge.Z * metre == pytest.approx(0.0, abs=1e-9)
    assert component["slides"] == []
    ground, moved = (xyz(branch[0]) * metre for branch in component["blocks"].lists())
    assert ground.max(axis=0) == pytest.approx([2.0, 2.0, 0.0])
    assert np.sign(moved[:, 0].mean()) == np.sign(hinge.X)  # over the edge it turns about


def test_a_squat_block_slides_and_coulomb_is_given_if_asked(rhino, live):
    """Friction 0.3, and sliding alone opens nothing that holds: both answers are the friction."""
    component = live.add("Nscd_Limit", structure=post(1.0, 0.5, 0.3), vary="acceleration:x", coulomb=True)
    live.solve()
    assert rhino.idle(lambda: component["result"] is not None), component.told
    assert component["multiplier"] == pytest.approx(0.3, rel=1e-5)
    assert component["multiplier_coulomb"] == pytest.approx(0.3, rel=1e-3)
    (outline,) = component["slides"]
    assert np.ptp(xyz(outline), axis=0) == pytest.approx([1.0, 1.0, 0.0])


def test_loads_are_varied_unless_something_else_is_named(rhino, live):
    """Pushed at the height h, a post of weight W tips at W b / 2 h."""
    load = live.add(
        "Nscd_PointLoad",
        block="post",
        point=live.shapes.point(0.0, 0.0, 1.0),
        force=live.shapes.vector(1000.0, 0.0, 0.0),
    )
    case = live.add("Nscd_LoadCase", loads=Wire(load, "load"))
    component = live.add("Nscd_Limit", structure=post(0.4, 1.6, 0.9), case=Wire(case, "case"))
    live.solve()
    assert rhino.idle(lambda: component["result"] is not None), component.told
    weight = 2000.0 * 9.81 * 0.4 * 1.0 * 1.6
    assert component["multiplier"] == pytest.approx(weight * 0.2 / 1000.0, rel=1e-5)
    component.set(vary="friction")
    live.solve()
    assert rhino.idle(lambda: component["result"].vary == "friction")
    assert component["multiplier"] == pytest.approx(1000.0 / weight, rel=1e-3)


def test_the_newest_answer_is_shown_and_displays_take_it(rhino, live):
    arch = live.add("Nscd_Templates", kind="arch", blocks=10)
    limit = live.add("Nscd_Limit", structure=Wire(arch, "structure"), vary="acceleration:x")
    shown = live.add("Nscd_DisplacedBlocks", result=Wire(limit, "result"))
    joints = live.add("Nscd_Interfaces", result=Wire(limit, "result"))
    parts = live.add("Nscd_DeconstructStatic", result=Wire(limit, "result"))
    live.solve()
    for thickness in (0.8, 0.9, 1.0):
        arch.set(thickness=thickness)
        live.solve()
    expected = templates.arch(blocks=10, thickness=1.0).blocks[0].vertices

    def there():
        result = limit["result"]
        return result is not None and np.allclose(result.structure.blocks[0].vertices, expected)

    assert rhino.idle(there), limit.told
    assert isinstance(limit["result"], StaticResult)
    assert len(limit["hinges"]) + len(limit["slides"]) == 4  # an arch is thrice redundant: four joints give way
    for component in (shown, joints, parts):
        assert component.messages("Error") == []
    assert len(shown["blocks"].lists()) == 12 and len(joints["outline"].lists()) == 11
    assert parts["stands"] is True  # nobody pushes it yet
    for drawn, own in zip(shown["blocks"].lists(), limit["blocks"].lists()):
        assert xyz(drawn[0]) == pytest.approx(xyz(own[0]))


def test_what_cannot_be_varied_is_told(rhino, live):
    unknown = live.add("Nscd_Limit", structure=post(0.4, 1.6, 0.9), vary="wind")
    nothing = live.add("Nscd_Limit", structure=post(0.4, 1.6, 0.9))
    live.solve()
    assert rhino.idle(lambda: unknown.messages("Error") and nothing.messages("Error"))
    assert "wind" in unknown.messages("Error")[0] and "acceleration:x" in unknown.messages("Error")[0]
    assert "point load" in nothing.messages("Error")[0] and nothing.Message == "failed"
    assert nothing["multiplier"] is None and nothing["info"] == nothing.messages("Error")


def test_pause_keeps_the_answer(rhino, live):
    component = live.add("Nscd_Limit", structure=post(0.4, 1.6, 0.9), vary="acceleration:x")
    live.solve()
    assert rhino.idle(lambda: component["result"] is not None)
    first = component["result"]
    component.set(compute=False, vary="acceleration:y")
    live.solve()
    assert component["result"] is first and component.Message == "paused"
    component.set(compute=True)
    live.solve()
    assert rhino.idle(lambda: component["result"] is not None and component["result"].vary == "acceleration:y")
