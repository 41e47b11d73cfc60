"""What `limit` says at the edges: no limit, no equilibrium, nonsense; and how its results are kept and shown."""

import json
import math
from types import SimpleNamespace

import numpy as np
import pytest

from analysed import analyse, box, stack, tilted
from compas_nscd import ContactLaw, LimitResult, LoadCase, Structure, SupportMotion
from compas_nscd.cli import main
from compas_nscd.client.limit_parameter import limit_parameter
from compas_nscd.drawing.polar_plot import draw_polar
from compas_nscd.errors import CancelledError, InputError, LoadError, MaterialError, NotConvergedError, SettingsError
from compas_nscd.report.page import POLAR, render_report
from compas_nscd.templates import arch
from limits import ask, in_engine, ranges, structure_of
from masonry import circular_arch, ferris_tin_loi
from nscd_engine.core.monitor import Monitor
from nscd_engine.limit.least_friction import least_friction


@pytest.fixture(scope="module")
def pushed():
    return ask(arch(span=8.0, thickness=0.9, blocks=11), "acceleration:x")


def loaded(force, point=(0.0, 0.0, 0.4)):
    """A block of 0.6 x 1.0 x 0.4 m on the ground, with a point load."""
    ground = box((-1.0, -1.0, -0.5), (1.0, 1.0, 0.0), density=2000.0, name="ground", support=True)
    block = box((-0.3, -0.5, 0.0), (0.3, 0.5, 0.4), density=2000.0, name="block")
    case = LoadCase()
    case.add_point_load("block", point, force)
    return Structure([ground, block], ContactLaw(0.5)), case


@pytest.mark.short
def test_a_load_that_only_presses_has_no_limit():
    found = ask(*_with(loaded((0.0, 0.0, -1000.0)), "loads"))
    assert found.status == "unbounded" and found.multiplier_associated == math.inf and found.stands
    assert "whatever" in found.words and not found.hinges
    lifted = ask(*_with(loaded((0.0, 0.0, 1000.0)), "loads"))  # the other way round it lifts the block off the ground
    assert lifted.multiplier_associated == pytest.approx(2000.0 * 0.24 * 9.81 / 1000.0, rel=1e-6)


def _with(pair, vary):
    structure, case = pair
    return structure, vary, case


@pytest.mark.short
def test_what_falls_by_itself_is_said_to():
    found = ask(structure_of(circular_arch(20, 0.09)), "acceleration:x")
    assert found.status == "falls" and found.multiplier_associated is None and not found.stands
    assert len(found.hinges) >= 5  # it falls symmetrically by its own weight
    assert found.words.startswith("It falls whatever")


def test_a_load_without_which_it_falls():
    """A block on a slope steeper than its friction, held by a push up the slope: stands between two multipliers."""
    structure, case = tilted(slope=0.6, friction=0.4)
    down, normal = np.array([0.6, 0.0, -1.0]) / math.hypot(1.0, 0.6) @ np.array([[1, 0], [0, 0], [0, -1]])
    weight = 2000.0 * 0.3 * 9.81
    case.add_point_load("block", (0.3, 0.0, 0.01), (-weight, 0.0, 0.0))
    found = ask(structure, "loads", case)
    assert found.multiplier_lowest == pytest.approx(down - 0.4 * normal, rel=1e-5)
    assert found.multiplier_associated == pytest.approx(down + 0.4 * normal, rel=1e-5)
    assert not found.stands and "does not stand as it is" in found.words


def test_no_friction_is_enough_for_a_mechanism_of_hinges():
    found = ask(structure_of(circular_arch(20, 0.09)), "friction")
    assert found.status == "falls" and not found.slides


class Hidden:
    """A structure that stands from a factor on, with a range in which rounding hides whether it does."""

    def __init__(self, limit, hidden):
        self.limit, self.hidden, self.cones, self.asked = limit, hidden, None, []

    def scale_friction(self, factor):
        self.factor = factor
        self.asked.append(factor)

    def solve(self, dead, phase):
        unsure = self.hidden[0] < self.factor < self.hidden[1]
        status = "unsure" if unsure else "solved" if self.factor >= self.limit else "infeasible"
        return SimpleNamespace(status=status, residual=5e-4)


@pytest.mark.short
def test_least_friction_where_rounding_hides_the_verdict():
    """The bracket closes in on what is hidden from both sides, and is called wide where more than 1e-4 is left."""
    narrow, early = (0.4545, (0.4545, 0.45451), False), (2.5, (0.9, 1.1), False)
    for limit, hidden, wide in ((0.4545, (0.45, 0.46), True), narrow, early):
        found = least_friction(Hidden(limit, hidden), None)
        assert found.is_wide == wide
        ends = hidden if wide else (limit, limit)
        assert (found.below, found.factor) == pytest.approx(ends, rel=1e-4 if not wide else 2e-5)
        assert found.below <= limit <= found.factor
    with pytest.raises(NotConvergedError):
        least_friction(Hidden(1e3, (40.0, 1e3)), None)


def test_few_rounds_without_dilatancy_are_told():
    """Walls slide: the estimate after some rounds lies below the associated limit, with a warning."""
    wall, phases = structure_of(ferris_tin_loi(4)), []
    monitor = Monitor()
    monitor.report = lambda phase, fraction=None: phases.append(phase)
    found = ask(wall, "acceleration:x", coulomb=3, monitor=monitor)
    assert found.summary["rounds"] == 3 and found.multiplier_coulomb < found.multiplier_associated
    assert [warning["code"] for warning in found.warnings] == ["coulomb_unsettled"]
    assert any("round 3 of at most 3" in phase for phase in phases)
    assert ask(wall, "acceleration:x", coulomb=0).multiplier_coulomb is None
    with pytest.raises(SettingsError, match="rounds"):
        ask(wall, "acceleration:x", coulomb="many")


def test_a_column_needs_no_friction():
    found = ask(stack(3), "friction")
    assert found.multiplier_associated == 0.0 and found.stands


def test_a_column_whose_support_sinks_never_falls():
    found = ask(stack(2), "settlement:ground")
    assert found.status == "unbounded"


def test_polar_diagram_has_the_symmetry_of_the_arch():
    found = ask(arch(span=8.0, thickness=0.9, blocks=11), "polar:8")
    values = np.array([most for _, most in found.polar])
    assert values == pytest.approx(np.roll(values, 4), rel=1e-5)  # by half a turn
    assert values == pytest.approx(values[[0, 7, 6, 5, 4, 3, 2, 1]], rel=1e-5)  # mirrored
    assert found.multiplier_associated == values.min()
    along = ask(found.structure, "acceleration:0", coulomb=False)
    assert values[0] == pytest.approx(along.multiplier_associated, rel=1e-5)


def test_directions_are_axes_angles_or_vectors(pushed):
    structure = pushed.structure
    for way in ("acceleration:-x", "acceleration:180", "acceleration:-2,0,0"):
        assert ask(structure, way).multiplier_associated == pytest.approx(pushed.multiplier_associated, rel=1e-5)


def test_limit_does_not_depend_on_units_of_mass_or_length(pushed):
    scaled = Structure([block.scaled(37.0) for block in pushed.structure.blocks], pushed.structure.law)
    assert ask(scaled, "acceleration:x").multiplier_associated == pytest.approx(pushed.multiplier_associated, rel=1e-5)


def test_verdict_changes_at_the_limit(pushed):
    """The static analysis, another method altogether, stands just below and falls just above."""
    for share, verdict in ((0.999, "stable"), (1.001, "collapse")):
        along = share * pushed.multiplier_associated * 9.81
        assert analyse(pushed.structure, LoadCase((along, 0.0, -9.81))).verdict == verdict


def test_forces_at_the_limit_balance(pushed):
    assert pushed.summary["unbalanced_max"] < 1e-6
    force = pushed.support_reaction
    assert -force[0] / force[2] == pytest.approx(pushed.multiplier_associated, rel=1e-6)


def test_mechanism_takes_as_much_power_as_the_loads_give(pushed):
    """At the limit the power of weight and push in the mechanism is nothing: hinges dissipate nothing."""
    power = pushed.mass @ (pushed.velocity[:, 0] * pushed.multiplier_associated - pushed.velocity[:, 2])
    assert abs(power) < 1e-5 * (pushed.mass @ np.abs(pushed.velocity[:, 2]))


def test_multiple_of_the_motions_of_the_case():
    structure = structure_of(circular_arch(20, 0.15))
    motions = [SupportMotion(block, (x, 0.0, 0.0), 1.0) for block, x in ((20, 0.01), (21, -0.01))]
    case = LoadCase(support_motions=motions)
    assert ask(structure, "supports", case).multiplier_associated == pytest.approx(5.42, rel=3e-3)


@pytest.mark.parametrize("vary", ["", "wind", "acceleration", "acceleration:q", "tilt:0,0,0", "tilt:", "polar:x"])
def test_what_cannot_be_varied_is_refused_by_name(vary, pushed):
    with pytest.raises(SettingsError) as refused:
        ask(pushed.structure, vary)
    assert repr(vary) in str(refused.value) and "acceleration:x" in str(refused.value)


@pytest.mark.parametrize(
    "vary, word",
    [("loads", "no point load"), ("supports", "moves no support"), ("spread:y", "no two supports"),
     ("settlement:v3", "v3"), ("settlement:nobody", "nobody")],
)  # fmt: skip
def test_what_is_not_there_cannot_be_varied(vary, word, pushed):
    with pytest.raises(LoadError) as refused:
        ask(pushed.structure, vary)
    assert word in str(refused.value) + " ".join(refused.value.blocks)


def test_refusals_of_loads():
    with pytest.raises(LoadError, match="0 to 0"):
        ask(*_with(loaded((0.0, 0.0, -1.0)), "loads:1"))
    structure, case = loaded((1.0, 0.0, 0.0))
    with pytest.raises(LoadError, match="along the axis"):
        ask(structure, "tilt:y", case)
    with pytest.raises(LoadError, match="gravity"):
        ask(structure, "acceleration:x", LoadCase((0.0, 0.0, 0.0)))
    with pytest.raises(MaterialError, match="friction"):
        ask(Structure(structure.blocks, ContactLaw(0.0)), "friction")


def test_cancel_stops_a_limit():
    monitor = Monitor()
    seen = []

    def report(phase, fraction=None):
        seen.append(phase)
        monitor.cancelled = len(seen) > 12
        Monitor.report(monitor, phase, fraction)

    monitor.report = report
    with pytest.raises(CancelledError):
        ask(structure_of(ferris_tin_loi(1)), "acceleration:x", monitor=monitor)
    assert any("iteration" in phase for phase in seen)


@pytest.mark.parametrize("suffix", [".npz", ".json"])
def test_results_are_kept(pushed, tmp_path, suffix):
    path = tmp_path / ("limit" + suffix)
    pushed.save(path)
    again = LimitResult.load(path)
    assert again == pushed and again.words == pushed.words and again.hinges == pushed.hinges
    assert "directions" in again.arrays and "displacement" in again.arrays


def test_page_tells_the_limit(pushed):
    page = render_report(pushed)
    assert pushed.headline in page and pushed.words.split(".")[0] in page
    assert "Varied" in page and "acceleration:x" in page and "It collapses" not in page


def test_polar_diagram_is_drawn(pushed):
    found = ask(pushed.structure, "polar:4")
    assert draw_polar(found).count("<circle") == 4 + 4  # the grid, and a point for each direction
    page = render_report(found)
    assert draw_polar(found, POLAR, inline=True) in page and "<svg" not in render_report(pushed).split("<script")[0]
    with pytest.raises(InputError, match="polar"):
        draw_polar(pushed)


def test_ranges_of_all_joints_contain_the_forces_of_any_solver(pushed):
    found = ranges(pushed.structure)
    result = analyse(pushed.structure)
    force = result.joints.normal_force
    assert len(found) == len(force) and found.stands
    assert (found.least <= force * (1 + 1e-6)).all() and (force <= found.greatest * (1 + 1e-6)).all()
    assert (found.greatest > found.least).all()


def test_ranges_of_what_is_certain():
    """One block on the ground: its weight and nothing else; no range of what falls, no joint between strangers."""
    structure = stack(2)
    found = ranges(structure, interfaces=[("ground", "s0")])[0]
    weight = 2 * 2000.0 * 0.5 * 0.5 * 0.4 * 9.81
    assert (found.least, found.greatest) == pytest.approx((weight, weight), rel=1e-6)
    assert not ranges(structure_of(circular_arch(20, 0.09)), interfaces=[(0, 1)]).stands
    with pytest.raises(LoadError, match="no joint"):
        ranges(structure, interfaces=[("ground", "s1")])
    with pytest.raises(InputError, match="direction"):
        ranges(structure, direction=(0.0, 0.0, 0.0))


def test_a_parameter_needs_two_verdicts():
    with pytest.raises(SettingsError, match="stands at both ends"):
        limit_parameter(in_engine, lambda t: arch(thickness=t, blocks=7), 1.0, 1.1)
    with pytest.raises(SettingsError, match="two numbers"):
        limit_parameter(in_engine, arch, 1.0, math.nan)


def test_command(tmp_path, capsys):
    """Through the process: one JSON object with the keys of the contract."""
    path = tmp_path / "arch.json"
    arch(span=8.0, thickness=0.9, blocks=11).to_scene(path)
    picture = tmp_path / "limit.svg"
    assert main(["limit", str(path), "--vary", "tilt:x", "--json", "--quiet", "--picture", str(picture)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert set(answer) >= {"vary", "multiplier_associated", "multiplier_coulomb", "hinges", "slides", "time"}
    assert answer["vary"] == "tilt:x" and len(answer["hinges"] + answer["slides"]) == 4
    assert answer["time"]["solve_s"] > 0.0 and "<svg" in picture.read_text(encoding="utf-8")
    assert main(["limit", str(path), "--vary", "polar:4", "--quiet"]) == 0
    assert "acceleration" in capsys.readouterr().out
    assert main(["limit", str(path), "--vary", "weather", "--json", "--quiet"]) == 2
    assert "weather" in json.loads(capsys.readouterr().out)["error"]["message"]
