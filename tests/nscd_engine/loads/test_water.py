"""Blocks in water against closed forms (docs/validation.md, V46: flood on a bridge)."""

import numpy as np
import pytest

from compas_nscd import wire
from compas_nscd.cli.options.water import parse_water
from compas_nscd.client.requests import scene
from compas_nscd.errors import LoadError
from compas_nscd.loads.case import LoadCase
from compas_nscd.loads.water import Water
from compas_nscd.results.static import StaticResult
from compas_nscd.templates import bridge
from dynamic_helpers import G, balance, follow, structure_of
from motion_helpers import model_of
from nscd_engine.contacts.at_rest import detect
from nscd_engine.core.monitor import Monitor
from nscd_engine.core.settings import Settings
from nscd_engine.gate.water import read_water
from nscd_engine.kernels.geometry.rotations import rotation_matrices
from nscd_engine.loads.water import Water as Bath
from nscd_engine.statics.run import run
from solids import box

RHO = 1000.0
SLAB = box((-5.0, -5.0, -1.0), (10.0, 10.0, 1.0))
CORNERS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)
TETRAHEDRON = CORNERS, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]


def static(structure, case):
    reply = run(wire.unpack(wire.pack(scene(structure, case, None))), Monitor())
    return StaticResult.from_reply(reply, structure, case)


def bath(solids, level, flow=(0.0, 0.0, 0.0), supports=(0,)):
    model = model_of(solids, supports)
    given = {"level": level, "flow": np.array(flow), "density": RHO, "drag": 2.0}
    return model, Bath(model, read_water({"water": given}, model), detect(model, Settings(), Monitor()).interfaces)


def load(model, water, orientation=None, velocity=None):
    count = len(model.names)
    q = np.tile([1.0, 0.0, 0.0, 0.0], (count, 1)) if orientation is None else orientation
    v = np.zeros((count, 6)) if velocity is None else velocity
    return water.load(model.bodies.centroid, rotation_matrices(q), v, np.array([0.0, 0.0, -G]), 0.0)


@pytest.mark.short
@pytest.mark.parametrize("level", [0.05, 0.3, 0.999])
def test_lift_of_a_tetrahedron_up_to_a_height(level):
    """Above the cut it is similar to the whole: volume (1 - d)^3 / 6, its centroid a quarter of the way up."""
    model, water = bath([SLAB, TETRAHEDRON], level)
    found = load(model, water)[1]
    whole, top = 1.0 / 6.0, (1.0 - level) ** 3 / 6.0
    wet = whole - top
    x = (whole * 0.25 - top * (1.0 - level) * 0.25) / wet
    lever = x - model.bodies.centroid[1, 0]
    expected = RHO * G * wet * np.array([0.0, 0.0, 1.0, lever, -lever, 0.0])
    np.testing.assert_allclose(found, expected, atol=1e-12 * RHO * G)


def test_lift_in_any_pose_adds_up_to_that_of_the_whole():
    """What is below a surface and what is above it are the whole; turned upside down, one is the other."""
    rng = np.random.default_rng(4)
    q = rng.normal(size=(1, 4))
    q = np.repeat(q / np.linalg.norm(q), 2, axis=0)
    over = np.column_stack([-q[:, 1], q[:, 0], -q[:, 3], q[:, 2]])  # half a turn about x after it
    model, water = bath([SLAB, box((0.0, 0.0, 2.0), (0.5, 1.0, 2.0))], 3.2)
    beneath = load(model, water, q)[1]
    other = model_of([SLAB, box((0.0, 0.0, 2.0), (0.5, 1.0, 2.0))])
    given = {"level": 2.8, "flow": np.zeros(3), "density": RHO, "drag": 0.0}
    turned = Bath(other, read_water({"water": given}, other), _none())
    above = load(other, turned, over)[1]
    assert beneath[2] + above[2] == pytest.approx(RHO * G, rel=1e-12)
    # The lift of all of it acts at the centroid, so the two first moments cancel; the half turn reverses y and not x.
    np.testing.assert_allclose(beneath[3:], above[3:] * [1.0, -1.0, 1.0], atol=1e-9 * RHO * G)


def _none():
    return detect(model_of([SLAB, box((0.0, 0.0, 7.0))]), Settings(), Monitor()).interfaces


def test_push_on_a_box_and_not_on_what_a_neighbour_covers():
    """drag/2 rho v^2 = rho v^2 on the wetted front of two boxes in a row: the second is covered by the first, but for
    the half that stands out beside it."""
    v, level = 1.5, 0.6
    row = [SLAB, box((0.0, 0.0, 0.0)), box((1.0, 0.5, 0.0))]
    model, water = bath(row, level, (v, 0.0, 0.0))
    found = load(model, water)
    lift = RHO * G * level
    np.testing.assert_allclose(found[1, :3], [RHO * v * v * level, 0.0, lift], rtol=1e-12)
    np.testing.assert_allclose(found[2, :3], [RHO * v * v * 0.5 * level, 0.0, lift], rtol=1e-12)
    # Below the centroid by 0.2 m; of the second, its outer half.
    np.testing.assert_allclose(found[1, 3:], [0.0, RHO * v * v * level * -0.2, 0.0], atol=1e-9)
    np.testing.assert_allclose(found[2, 3:], 0.5 * level * RHO * v * v * np.array([0.0, -0.2, -0.25]), atol=1e-9)
    assert not found[0].any()


def test_what_drifts_with_the_current_is_not_pushed():
    model, water = bath([SLAB, box((0.0, 0.0, 0.0))], 0.6, (1.5, 0.0, 0.0))
    velocity = np.zeros((2, 6))
    velocity[1, 0] = 1.5
    assert load(model, water, velocity=velocity)[1, 0] == 0.0


@pytest.mark.short
def test_the_slab_carries_the_weight_less_the_lift():
    structure = structure_of([SLAB, box((0.0, 0.0, 0.0)), box((0.0, 0.0, 1.0))], density=2000.0)
    result = static(structure, LoadCase(water=Water(1.5)))
    assert result.verdict == "stable"
    carried = result.summary["support_reaction"][2]
    assert carried == pytest.approx((2.0 * 2000.0 - 1.5 * RHO) * G, rel=1e-9)


@pytest.mark.parametrize("mu, height, factor, stands", [
    (0.3, 0.5, 0.98, True), (0.3, 0.5, 1.02, False), (2.0, 2.0, 0.98, True), (2.0, 2.0, 1.02, False)
])  # fmt: skip
def test_a_block_in_a_current_slides_or_tips(mu, height, factor, stands):
    """Under water: slides at rho v^2 H = mu (rho_s - rho) g H, tips at rho v^2 H^2/2 = (rho_s - rho) g H/2."""
    limit = min(mu * 1400.0 * G / RHO, 1400.0 * G / (RHO * height))
    structure = structure_of([SLAB, box((0.0, 0.0, 0.0), (1.0, 1.0, height))], mu=mu, density=2400.0)
    flow = (np.sqrt(factor * limit), 0.0, 0.0)
    assert static(structure, LoadCase(water=Water(9.0, flow))).verdict == ("stable" if stands else "collapse")


def test_v46_flood_on_a_bridge():
    """Dry and flooded it stands; a current across it that the parapet-high wall of 1 m cannot hold pushes it over."""
    structure = bridge()
    top = max(block.vertices[:, 2].max() for block in structure.blocks)
    dry = static(structure, LoadCase())
    flooded = static(structure, LoadCase(water=Water(top + 1.0)))
    assert dry.verdict == flooded.verdict == "stable"
    free = [i for i, block in enumerate(structure.blocks) if not block.support]
    weight = dry.mass[free].sum() * G
    lost = RHO / structure.blocks[free[0]].density
    assert flooded.summary["support_reaction"][2] == pytest.approx((1.0 - lost) * weight, rel=1e-6)
    assert static(structure, LoadCase(water=Water(top + 1.0, (0.0, 1.0, 0.0)))).verdict == "stable"
    assert static(structure, LoadCase(water=Water(top + 1.0, (0.0, 12.0, 0.0)))).verdict == "collapse"


def test_a_floating_block_stays_at_its_draught():
    """Half as dense as water, half in it: it stays. Lowered by 0.1 m it bobs with omega^2 = rho g A/m."""
    raft = structure_of([box((0.0, 0.0, -9.0)), box((-1.0, -1.0, -0.25), (2.0, 2.0, 0.5))], density=500.0)
    still = follow(raft, LoadCase(water=Water(0.0)), 0.5, 5e-3, quiet=False)
    assert np.abs(still.displacement(1)).max() < 1e-9
    low = structure_of([box((0.0, 0.0, -9.0)), box((-1.0, -1.0, -0.35), (2.0, 2.0, 0.5))], density=500.0)
    h, omega = 1e-3, np.sqrt(G / 0.25)
    result = follow(low, LoadCase(water=Water(0.0, drag=0.0)), 0.5, h, quiet=False)
    z = 0.1 - 0.1 * np.cos(omega * result.times)
    # Symplectic in effect: positions are off by a half step of the greatest velocity.
    np.testing.assert_allclose(result.displacement(1)[:, 2], z, atol=0.1 * omega * h)
    assert np.abs(balance(result)).max() < 1e-6


def test_the_level_may_rise():
    """A block of 800 kg/m3 lifts off when the water has risen to 0.8 m: after 0.8 s."""
    structure = structure_of([SLAB, box((-0.5, -0.5, 0.0))], density=800.0)
    case = LoadCase(water=Water(0.0, levels=([0.0, 1.0], [0.0, 1.0])))
    result = follow(structure, case, 1.5, 5e-3, interval=5e-3)
    rise = result.displacement(1)[:, 2]
    assert np.abs(rise[result.times < 0.79]).max() < 1e-6 and rise[-1] > 0.05
    assert LoadCase.__from_data__(case.__data__) == case


def test_water_on_the_command_line():
    assert parse_water("level=2.5,flow=0:1.5:0,drag=1") == Water(2.5, (0.0, 1.5, 0.0), drag=1.0)
    for wrong in ("flow=0:1:0", "level=deep", "level=1,depth=2", "level"):
        with pytest.raises(LoadError, match="--water"):
            parse_water(wrong)


@pytest.mark.parametrize("wrong", [{"level": "high"}, {"density": -1.0}, {"drag": float("nan")}])
def test_wrong_water_is_refused_by_the_gate(wrong):
    model = model_of([SLAB, box()])
    given = dict({"level": 1.0, "flow": np.zeros(3), "density": RHO, "drag": 2.0}, **wrong)
    with pytest.raises(LoadError, match=next(iter(wrong))):
        read_water({"water": given}, model)
