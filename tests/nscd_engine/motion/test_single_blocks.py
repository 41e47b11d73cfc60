"""Single blocks in motion against closed forms (docs/validation.md, V1 to V13); each tolerance follows from the scheme.

Implicit Euler takes the velocity at the end of a step for the whole step: a motion with constant acceleration a is off
by a h t / 2, and an event is seen at most a step late.
"""

import numpy as np
import pytest

from compas_nscd.loads.body_acceleration import sampled
from compas_nscd.loads.case import LoadCase
from compas_nscd.loads.ground_motion import GroundMotion
from compas_nscd.loads.point_load import PointLoad
from compas_nscd.loads.support_motion import SupportMotion
from compas_nscd.model.settings import Settings
from compas_nscd.validation.single_blocks import table
from detection import moved, turn
from dynamic_helpers import G, balance, follow, structure_of, tilted
from solids import box, prism

SLAB = box((-5.0, -5.0, -1.0), (10.0, 10.0, 1.0))
CUBE = box((-0.5, -0.5, 0.0))


@pytest.mark.parametrize("mu, sticks", [(0.3645, True), (0.3635, False)])
def test_v1_a_block_on_an_incline_sticks_or_not(mu, sticks):
    """tan(20 degrees) = 0.36397; 0.15 % on either side of it. What slides goes by a t (t + h) / 2 in the scheme."""
    h = 2e-3
    result = follow(structure_of([SLAB, CUBE], mu=mu), LoadCase(gravity=tilted(20.0)), 0.5, h)
    way = np.linalg.norm(result.displacement(1)[-1])
    slope = G * (np.sin(np.radians(20.0)) - mu * np.cos(np.radians(20.0)))
    if sticks:
        assert way < 1e-7  # what counts as no gap
    else:
        t = result.times[-1]
        # The solver stops at 1e-4 of the friction at most: 4e-3 of what is left of it here.
        assert way == pytest.approx(0.5 * slope * t * (t + h), rel=4e-3)


@pytest.mark.short
def test_v1_acceleration_down_the_incline():
    """mu 0.3: a = 0.5897 m/s2; x = a t^2/2, and a h t/2 more in the scheme; a is known to 1e-4."""
    h, t, a = 2e-3, 0.5, 0.5897
    result = follow(structure_of([SLAB, CUBE], mu=0.3), LoadCase(gravity=tilted(20.0)), t, h)
    assert -result.displacement(1)[-1, 0] == pytest.approx(0.5 * a * t * (t + h), rel=2e-4)
    assert -result.velocity[-1, 1, 0] == pytest.approx(a * t, rel=2e-4)


def sliding_case():
    case = LoadCase()
    case.set_velocity(1, (3.0, 0.0, 0.0))
    return case


def test_v2_sliding_to_a_stop():
    """3 m/s, mu 0.4: 1.1468 m in 0.7645 s; the scheme falls short by v h / 2, and the stop is seen within a step."""
    h = 1e-3
    low = structure_of([SLAB, box((-0.5, -0.5, 0.0), (1.0, 1.0, 0.4))], mu=0.4)
    result = follow(low, sliding_case(), 1.0, h, interval=h)
    x = result.displacement(1)[:, 0]
    assert x[-1] == pytest.approx(9.0 / (2.0 * 0.4 * G) - 1.5 * h, abs=0.02 * 1.5 * h)
    assert np.abs(result.velocity[-1]).max() < 1e-9
    moving = result.times[np.abs(result.velocity[:, 1, 0]) > 1e-6]
    assert moving[-1] == pytest.approx(0.7645, abs=1.1 * h)
    assert np.abs(balance(result)).max() < 1e-9  # V13


def test_v3_friction_follows_an_alternating_force():
    """1 kg, mu 0.8, F = 8 cos t: slides until 8 sin t = 7.848 t (t = 0.339 s) to 4.3486 mm, then sticks, also when the
    force has turned: x(2.001 s) = 4.35 mm. From rest to rest the first order of the scheme cancels; the stop is seen
    within a step, in which the block has no more than 1 mm/s: 1e-6 m."""
    h = 1e-3
    block = box((-0.15, -0.15, 0.0), (0.3, 0.3, 0.1))
    case = LoadCase()
    case.add_point_load(1, (0.0, 0.0, 0.05), (8.0, 0.0, 0.0), sampled(np.cos, 2.001, 1e-3))
    density = 1.0 / 0.009
    result = follow(structure_of([SLAB, block], mu=0.8, density=density), case, 2.001, h, quiet=False)
    x = result.displacement(1)[:, 0]
    assert x[-1] == pytest.approx(4.3486e-3, abs=1e-6)
    assert np.ptp(x[result.times > 0.345]) < 1e-9


def test_v4_a_block_spinning_on_its_corners_slows_down():
    """omega' = -3 mu g / r: four corners at r carry a quarter of the weight each, and I = m r^2 / 3. A velocity that
    falls steadily is exact in the scheme; corners turn by omega h in a step, whose cosine friction sees: 1e-6."""
    r, mu, h, t = 0.5 * np.sqrt(2.0), 0.4, 5e-4, 0.1
    flat = box((-0.5, -0.5, 0.0), (1.0, 1.0, 0.02))
    case = LoadCase()
    case.set_velocity(1, (0.0, 0.0, 0.0), (0.0, 0.0, 5.0))
    result = follow(structure_of([SLAB, flat], mu=mu), case, t, h, quiet=False)
    slowed = 5.0 - result.velocity[-1, 1, 5]
    assert slowed == pytest.approx(3.0 * mu * G / r * t, rel=2e-5)


def test_v4_a_plate_on_four_feet_slows_down_as_its_feet_do():
    """The feet are patches of their own: uniform pressure on the square between them would be half as much."""
    mu, foot, t = 0.4, 0.004, 0.1
    case = LoadCase()
    case.set_velocity(1, (0.0, 0.0, 0.0), (0.0, 0.0, 5.0))
    structure = structure_of([SLAB, table(1.0, 0.02, foot)], mu=mu)
    slowed = (5.0 - follow(structure, case, t, 5e-4, quiet=False).velocity[-1, 1, 5]) / t
    assert slowed == pytest.approx(6.0 * mu * G * np.sqrt(0.5) * (1.0 - foot), rel=5e-3)


@pytest.mark.parametrize("sides, torsion", [(24, "auto"), (24, "corners"), (4, "section")])
def test_v55_spinning_drums(sides, torsion):
    """A drum slows by mu g times the mean distance of its base from the axis, or that of its corners, over the square
    of the radius of gyration. Speeds are summed over the base to 0.5 %."""
    mu, h, t, radius = 0.4, 5e-4, 0.1, 0.5
    angle = 2.0 * np.pi * np.arange(sides) / sides
    drum = prism(radius * np.column_stack([np.cos(angle), np.sin(angle)]), 0.02)
    case = LoadCase()
    case.set_velocity(1, (0.0, 0.0, 0.0), (0.0, 0.0, 5.0))
    settings = Settings(torsion=torsion)
    result = follow(structure_of([SLAB, drum], mu=mu), case, t, h, quiet=False, settings=settings)
    edge = radius * np.cos(np.pi / sides) / np.cos(np.linspace(-np.pi / sides, np.pi / sides, 10001))
    gyration = (edge**4).mean() / (2.0 * (edge**2).mean())
    arm = radius if torsion == "corners" else 2.0 * (edge**3).mean() / (3.0 * (edge**2).mean())
    assert (5.0 - result.velocity[-1, 1, 5]) / t == pytest.approx(mu * G * arm / gyration, rel=5e-3)


@pytest.mark.parametrize("e", [0.0, 0.5])
def test_v5_a_drop_rebounds_by_e_squared(e):
    """From 0.5 m: height ratio e^2 in each bounce. The impact is seen within a step: the block leaves up to a step,
    e v h, earlier or later, and with e g h more or less, which is e^2 v h of height."""
    h, fall = 1e-3, 0.5
    result = follow(
        structure_of([SLAB, box((-0.5, -0.5, fall))], mu=0.5),
        LoadCase(),
        1.0,
        h,
        restitution=e,
        interval=h,
        quiet=False,
    )
    z = result.displacement(1)[:, 2] + fall
    speed = np.sqrt(2.0 * G * fall)
    first, second = speed / G, (1.0 + 2.0 * e) * speed / G  # impacts
    late = result.times > second + 4.0 * h
    for hop, height in ((z[late], e**4 * fall), (z[(result.times > first + 3.0 * h) & ~late], e**2 * fall)):
        assert hop.max() == pytest.approx(height, abs=(e + e * e) * speed * h + 1e-9)
    assert z.min() > -1e-7
    assert np.abs(balance(result)).max() < 1e-9  # V13


#: Housner's block of 0.5 x 2 m: slenderness [rad], frequency [1/s].
ALPHA, P = np.arctan(0.25), 2.6717


def rocking(angle, duration, h, mu=1.0, **options):
    """Housner's block of 0.5 x 2 m on its edge."""
    c, s = np.cos(angle), np.sin(angle)
    vertices, faces = box((0.0, -0.5, 0.0), (0.5, 1.0, 2.0))
    turned = np.column_stack(
        [c * vertices[:, 0] - s * vertices[:, 2], vertices[:, 1], s * vertices[:, 0] + c * vertices[:, 2]]
    )
    # It stands on the edge x = 0 and leans towards -x when turned by a positive angle about -y: use the mirrored edge.
    slab = box((-3.0, -3.0, -1.0), (6.0, 6.0, 1.0))
    return follow(structure_of([slab, (turned, faces)], mu=mu), LoadCase(), duration, h, quiet=False, **options)


def lean(result):
    """Angle of the block from the vertical [rad] at the frames, beginning with what it was turned by."""
    q = result.orientation[:, 1]
    return -2.0 * np.arctan2(q[:, 2], q[:, 0])


def test_v6_and_v7_rocking_period_and_loss():
    """The first quarter from alpha/2: 1.972 s / 4 by the slender formula, 0.4938 s by theta'' = -p^2 sin(alpha -
    theta), seen within a step and a half. Every impact leaves 0.91176 of the angular velocity; it is spread over two
    steps, in each of which gravity takes p^2 sin(alpha) h."""
    h = 1e-3
    start = 0.5 * ALPHA
    result = rocking(start, 0.6, h, interval=h)
    angle = start + lean(result)
    fall = int(np.argmax(angle <= 0.0))
    assert result.times[fall] == pytest.approx(0.49380, abs=1.5 * h)
    omega = np.abs(result.velocity[:, 1, 4])
    before = omega[fall - 10 : fall + 10].max()
    per_step = P**2 * np.sin(ALPHA) * h
    after = omega[fall + 15] + 15.0 * per_step  # gravity has slowed it down since
    assert after / before == pytest.approx(0.91176, abs=2.0 * per_step / before)


def test_v7_peaks_of_rocking():
    """From 7.21 degrees: 5.557 and 4.396. Each impact is spread over two steps and seen within one: three steps of
    gravity on the angular velocity make a peak off by 3 h omega sin(alpha) / sin(alpha - theta), 0.07 degrees."""
    h, start = 5e-4, np.radians(7.21)
    result = rocking(start, 1.8, h, interval=h)
    angle = np.abs(start + lean(result))
    inside = (angle[1:-1] >= angle[:-2]) & (angle[1:-1] > angle[2:]) & (angle[1:-1] > 0.02)
    peaks = angle[1:-1][inside]
    omega = 0.91176 * P * np.sqrt(2.0 * (np.cos(ALPHA - start) - np.cos(ALPHA)))
    off = 3.0 * h * omega * np.sin(ALPHA) / np.sin(ALPHA - np.radians(5.55))
    assert len(peaks) == 2
    for k, expected in ((1, 5.5574), (2, 4.3956)):
        assert peaks[k - 1] == pytest.approx(np.radians(expected), abs=k * off)
    assert np.abs(balance(result)).max() < 1e-6  # V13; the solver leaves so much where corners change


@pytest.mark.slow
def test_v62_peaks_of_rocking_with_the_automatic_step():
    """The peaks of V7 within 2 %; steps of 5 ms, from which it begins, give 9 and 15 % less."""
    start = np.radians(7.21)
    result = rocking(start, 1.8, "auto", interval=1e-3)
    angle = np.abs(start + lean(result))
    inside = (angle[1:-1] >= angle[:-2]) & (angle[1:-1] > angle[2:]) & (angle[1:-1] > 0.02)
    np.testing.assert_allclose(angle[1:-1][inside], np.radians([5.5574, 4.3956]), rtol=0.02)


@pytest.mark.parametrize("a, uplifts", [(0.249, False), (0.251, True)])
def test_v8_uplift(a, uplifts):
    """A block of 0.5 x 2 m lifts at 0.25 g. Beyond it by 0.001 g it turns about its edge, and falls away from it:
    omega = 3/4 0.001 g cos(alpha) / R sinh(k t) / k, k^2 = p^2 / cos(alpha), to a tenth of h / t."""
    tall = box((-0.25, -0.5, 0.0), (0.5, 1.0, 2.0))
    case = LoadCase(gravity=(a * G, 0.0, -G))
    result = follow(structure_of([SLAB, tall], mu=2.0), case, 0.5, 2e-3, quiet=False)
    k = P / np.sqrt(np.cos(ALPHA))
    expected = 0.001 * G * np.cos(ALPHA) ** 2 * 0.75 * np.sinh(0.5 * k) / k if uplifts else 0.0
    assert abs(result.velocity[-1, 1, 4]) == pytest.approx(expected, rel=4e-4, abs=1e-7)


@pytest.mark.parametrize("h", [2e-3, 1e-3])
def test_v9_newmark_slip_in_a_rectangular_pulse(h):
    """Slip V^2/(2 g N) (1 - N/A): A = 0.4, N = 0.2, 0.25 s. In the scheme the block has the velocity of the end
    of a step throughout: when it has caught up with V it is V h / 2 farther, and has slipped by so much less."""
    A, N, T = 0.4, 0.2, 0.25
    V = A * G * T
    case = LoadCase(ground=[GroundMotion.rectangular("x", A * G, T)])
    low = box((-0.5, -0.5, 0.0), (1.0, 1.0, 0.2))
    result = follow(structure_of([SLAB, low], mu=N), case, 0.8, h)
    slip = -result.displacement(1)[-1, 0]
    assert slip == pytest.approx(V * V / (2.0 * G * N) * (1.0 - N / A) - 0.5 * V * h, abs=0.01 * V * h)


def test_v10_three_cubes_in_a_row():
    """e = 1: touching, simultaneous impacts of Newton give (-1/3, 2/3, 2/3) v; with a gap (0, 0, v)."""
    far = box((-50.0, -50.0, -60.0))  # nothing else acts: the support is out of reach
    for gap, expected in ((0.0, (-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0)), (0.3, (0.0, 0.0, 1.0))):
        row = [box((0.0, 0.0, 0.0)), box((2.0, 0.0, 0.0)), box((3.0 + gap, 0.0, 0.0))]
        case = LoadCase(gravity=(0.0, 0.0, 0.0))
        case.set_velocity(1, (4.0, 0.0, 0.0))
        result = follow(structure_of([far] + row, mu=0.0), case, 0.6, 1e-3, restitution=1.0, quiet=False)
        np.testing.assert_allclose(result.velocity[-1, 1:, 0] / 4.0, expected, atol=1e-5)


@pytest.mark.parametrize("mu", [1.5, 2.0])
def test_v11_painleve_rod_stays_finite(mu):
    """A slender rod is drawn along by its upper end, its foot ahead, with mu > 4/3: pressed, the foot would go down, as
    1 + 3 sin(a) (sin(a) - mu cos(a)) < 0, so that no finite force balances it. It jams: the foot stops at once, and the
    rod turns about it with what is left of its moment of momentum."""
    a, h, speed = np.radians(31.7), 1e-3, 2.0
    assert 1.0 + 3.0 * np.sin(a) * (np.sin(a) - mu * np.cos(a)) < 0.0
    rod, faces = box((-0.02, -0.02, 0.0), (0.04, 0.04, 1.0))
    turned = np.column_stack(
        [np.cos(a) * rod[:, 0] + np.sin(a) * rod[:, 2], rod[:, 1], -np.sin(a) * rod[:, 0] + np.cos(a) * rod[:, 2]]
    )
    foot = turned[np.argmin(turned[:, 2])]
    turned = turned - [0.0, 0.0, foot[2]]
    case = LoadCase()
    case.set_velocity(1, (-speed, 0.0, 0.0))
    result = follow(structure_of([SLAB, (turned, faces)], mu=mu), case, 0.5, h, interval=h)
    assert np.isfinite(result.velocity).all()
    x, _, z = result.centroid[1] - [foot[0], 0.0, 0.0]
    about_foot = (1.0 + 0.04**2) / 12.0 + x * x + z * z
    # Gravity adds some g h x over the inertia in the first step, 1 %.
    assert result.velocity[1, 1, 4] == pytest.approx(-speed * z / about_foot, rel=0.015)
    assert np.diff(result.energy["kinetic"] + result.energy["potential"]).max() < 1e-9  # J, of 6.4
    assert result.summary["penetration_max"] < 1e-7


def test_v13_energy_is_accounted_for():
    """Kinetic, potential, lost and brought in: far below what a step may miss; what the scheme swallows is g h / 2
    times the momentum of the fall, so that it halves with the step. On V2, V5 and V7: there."""
    swallowed = []
    for h in (4e-3, 2e-3):
        solids = [SLAB, box((-0.5, -0.5, 0.3))]
        result = follow(structure_of(solids, mu=0.4), sliding_case(), 0.8, h, quiet=False, interval=h)
        assert np.abs(balance(result)).max() < 1e-7
        assert (np.diff(result.energy["friction_loss"]) > -1e-9 * result.energies.max()).all()
        swallowed.append(np.abs(result.energy["scheme_loss"]).max())
    momentum = 2000.0 * np.sqrt(2.0 * G * 0.3)
    assert swallowed[0] == pytest.approx(0.5 * G * 4e-3 * momentum, rel=0.02)
    assert swallowed[1] == pytest.approx(0.5 * swallowed[0], rel=0.02)


@pytest.mark.short
def test_v14_settlement_is_exact_and_the_block_follows():
    case = LoadCase(support_motions=[SupportMotion(0, (0.01, 0.0, -0.04), 0.5)])
    result = follow(structure_of([box(), box((0.1, 0.0, 1.0))]), case, 0.8, 5e-3)
    moved = result.displacement(0)[-1]
    np.testing.assert_allclose(moved, [0.01, 0.0, -0.04], atol=1e-9)
    np.testing.assert_allclose(result.displacement(1)[-1], moved, atol=1e-7)
    assert result.verdict == "stable"


def test_a_support_turns_as_told():
    """A slab tilts by 10 degrees about y; the block on it, with enough friction, tilts along."""
    angle = np.radians(10.0)
    case = LoadCase(support_motions=[SupportMotion(0, (0, 0, 0), 1.0, rotation=(0.0, angle, 0.0))])
    result = follow(structure_of([SLAB, CUBE], mu=0.8), case, 1.2, 5e-3)
    for block, tolerance in ((0, 1e-9), (1, 1e-7)):
        q = result.orientation[-1, block]
        assert 2.0 * np.arctan2(q[2], q[0]) == pytest.approx(angle, abs=tolerance)


@pytest.mark.parametrize("theta, order", [(1.0, 1), (0.5, 2)])
def test_order_of_convergence_of_a_smooth_motion(theta, order):
    """A sliding block under a force 50 sin(3 t): no event, so the error falls with h^order."""

    def end(h):
        case = LoadCase(gravity=(0.0, 0.0, -G))
        case.set_velocity(1, (4.0, 0.0, 0.0))
        case.add_point_load(1, (0.0, 0.0, 0.2), (2000.0, 0.0, 0.0), sampled(lambda t: np.sin(3.0 * t), 1.0, 1e-4))
        low = box((-0.5, -0.5, 0.0), (1.0, 1.0, 0.4))
        return follow(structure_of([SLAB, low], mu=0.1), case, 0.4, h, theta=theta).displacement(1)[-1, 0]

    a, b, c = end(0.02), end(0.01), end(0.005)
    rate = np.log2(abs(a - b) / abs(b - c))
    assert rate == pytest.approx(order, abs=0.3)


# -- small beside great ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ratio", [1e3, 1e4, 1e6])
def test_a_small_block_falls_and_slides_beside_a_great_one(ratio):
    """What counts as nothing for the one is the whole weight of the other."""
    h, v, mu, edge = 1e-3, 1.0, 0.4, 0.2 * ratio ** (1.0 / 3.0)
    great = box((10.0, 10.0, 0.0), (edge,) * 3)
    small = [box((0.0, 3.0 * k, 5.0 if k == 2 else 0.0), (0.2, 0.2, 0.2)) for k in range(3)]
    ground = box((-20.0, -20.0, -1.0), (70.0, 70.0, 1.0))
    weight = 2000.0 * 0.2**3 * G
    push = PointLoad(1, (0.1, 0.1, 0.02), (0.45 * weight, 0.0, 0.0))  # 0.05 of it more than friction holds
    case = LoadCase(loads=[push])
    case.set_velocity(2, (v, 0.0, 0.0))
    result = follow(structure_of([ground] + small + [great], mu=mu), case, 0.3, h, quiet=False)
    pushed, slid, fallen, still = (result.displacement(k)[-1] for k in range(1, 5))
    assert pushed[0] == pytest.approx(0.5 * (0.45 - mu) * G * 0.3 * (0.3 + h), rel=0.02)
    assert slid[0] == pytest.approx(0.5 * v * v / (mu * G) - 0.5 * v * h, abs=0.2 * v * h)
    np.testing.assert_allclose(fallen, [0.0, 0.0, -0.5 * G * 0.3 * (0.3 + h)], atol=1e-9)
    assert np.abs(still).max() < 1e-9 * edge


def weighing(solids, densities, mu=0.6):
    structure = structure_of(solids, mu=mu)
    for block, density in zip(structure.blocks, densities):
        block.density = density
    return structure


@pytest.mark.parametrize("light, ratio", [(1, 3e5), (2, 1e5), (4, 1e5), (8, 3e4)])
def test_a_heavy_block_rests_on_light_ones(light, ratio):
    column = [SLAB] + [box((-0.5, -0.5, k)) for k in range(light + 1)]
    result = follow(weighing(column, [1.0] * (light + 1) + [ratio]), None, 1.0, 5e-3, quiet=False)
    assert result.summary["max_displacement"] < 1e-5


def test_stones_under_heavy_blocks_stay_when_shaken():
    """Three cubes of 1 m, each on four stones of 0.1 m: a thousand times lighter, and 0.1 g moves nothing."""
    solids = [SLAB]
    for k in range(3):
        solids += [box((x, y, 1.1 * k), (0.1, 0.1, 0.1)) for x in (-0.4, 0.3) for y in (-0.4, 0.3)]
        solids += [box((-0.5, -0.5, 1.1 * k + 0.1))]
    case = LoadCase(ground=[GroundMotion.sine("x", 0.1 * G, 3.0, phase=90.0)])  # from rest
    result = follow(structure_of(solids), case, 1.0, 5e-3, quiet=False)
    assert result.summary["max_displacement"] < 1e-4


@pytest.mark.parametrize("push", [1e-5, 1e-3])
def test_a_faint_push_moves_what_nothing_holds(push):
    case = LoadCase(gravity=(push * G, 0.0, -G))
    result = follow(structure_of([SLAB, box((-0.5, -0.5, 0.0))], mu=0.0), case, 0.2, 1e-3, quiet=False)
    assert result.velocity[-1, 1, 0] == pytest.approx(push * G * 0.2, rel=1e-6)


@pytest.mark.parametrize("degrees", [0.0, 10.0, 45.0])
def test_the_outcome_does_not_depend_on_the_azimuth(degrees):
    """A cube of 1 m, of a size of 1.73 m, slides to rest: it has not fallen, and is displaced by 0.95 m, not 0.8 m."""
    for way, outcome in ((0.95, "displaced"), (0.8, "stands")):
        slab, cube = (moved(solid, turn(2, degrees)) for solid in (SLAB, box((-0.5, -0.5, 0.0))))
        case = LoadCase()
        speed = np.sqrt(2.0 * 0.5 * G * way)
        case.set_velocity(1, speed * np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees)), 0.0]))
        result = follow(structure_of([slab, cube], mu=0.5), case, 1.5, 1e-3)
        assert np.linalg.norm(result.displacement(1)[-1]) == pytest.approx(way, abs=speed * 1e-3)
        assert result.outcome == outcome and result.verdict == "stable"
        assert result.summary["first_to_move"] == [result.structure.names[1]]
        # It stops after v / (mu g), and is at rest from there.
        assert result.summary["rest_time"] == pytest.approx(speed / (0.5 * G), abs=5e-3)
