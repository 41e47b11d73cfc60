"""Single blocks in motion against closed forms (VALIDATION V1 to V13); each tolerance follows from the scheme.

Implicit Euler takes the velocity at the end of a step for the whole step: a motion with constant acceleration a is off
by a h t / 2, and an event is seen at most a step late.
"""

import numpy as np
import pytest
from dynamic_helpers import G, balance, follow, structure_of, tilted
from solids import box

from compas_nscd.loadcase import GroundMotion, LoadCase, SupportMotion, sampled

SLAB = box((-5.0, -5.0, -1.0), (10.0, 10.0, 1.0))
CUBE = box((-0.5, -0.5, 0.0))


@pytest.mark.parametrize("mu, sticks", [(0.37, True), (0.358, False)])
def test_v1_a_block_on_an_incline_sticks_or_not(mu, sticks):
    """tan(20 degrees) = 0.36397; 1.7 % on either side of it."""
    result = follow(structure_of([SLAB, CUBE], mu=mu), LoadCase(gravity=tilted(20.0)), 0.5, 2e-3)
    way = np.linalg.norm(result.displacement(1)[-1])
    slope = G * (np.sin(np.radians(20.0)) - mu * np.cos(np.radians(20.0)))
    if sticks:
        assert way < 1e-6
    else:
        t = result.times[-1]
        assert way == pytest.approx(0.5 * slope * t * t, abs=2.0 * abs(slope) * 2e-3 * t)


@pytest.mark.short
def test_v1_acceleration_down_the_incline():
    """mu 0.3: a = 0.5897 m/s2; x = a t^2/2, off by a h t/2 in the scheme and by a first step of the same order."""
    h, t, a = 2e-3, 0.5, 0.5897
    result = follow(structure_of([SLAB, CUBE], mu=0.3), LoadCase(gravity=tilted(20.0)), t, h)
    assert -result.displacement(1)[-1, 0] == pytest.approx(0.5 * a * t * t, abs=1.5 * a * h * t)
    assert -result.velocity[-1, 1, 0] == pytest.approx(a * t, rel=2e-3)


def sliding_case():
    case = LoadCase()
    case.set_velocity(1, (3.0, 0.0, 0.0))
    return case


def test_v2_sliding_to_a_stop():
    """3 m/s, mu 0.4: 1.1468 m in 0.7645 s; the scheme is off by v h / 2, and the stop is seen within a step."""
    h = 1e-3
    result = follow(structure_of([SLAB, box((-0.5, -0.5, 0.0), (1.0, 1.0, 0.4))], mu=0.4), sliding_case(), 1.0, h)
    x = result.displacement(1)[:, 0]
    assert x[-1] == pytest.approx(1.1468, abs=3.0 * h)
    assert np.abs(result.velocity[-1]).max() < 1e-6
    moving = result.times[np.abs(result.velocity[:, 1, 0]) > 1e-3]
    assert moving[-1] == pytest.approx(0.7645, abs=0.02 + h)  # frames are 0.02 s apart


def test_v3_friction_follows_an_alternating_force():
    """1 kg, mu 0.8, F = 8 cos t: slides until 8 sin t = 7.848 t (t = 0.339 s) to 4.35 mm, then sticks."""
    h = 1e-3
    block = box((-0.15, -0.15, 0.0), (0.3, 0.3, 0.1))
    case = LoadCase()
    case.add_point_load(1, (0.0, 0.0, 0.05), (8.0, 0.0, 0.0), sampled(np.cos, 2.0, 1e-3))
    density = 1.0 / 0.009
    result = follow(structure_of([SLAB, block], mu=0.8, density=density), case, 1.0, h, quiet=False)
    # Sliding lasts 0.34 s at up to 20 mm/s: the scheme is off by at most v h = 0.02 mm, and the force by a step.
    assert result.displacement(1)[-1, 0] == pytest.approx(4.35e-3, abs=0.1e-3)


def test_v4_a_block_spinning_on_its_corners_slows_down():
    """omega' = -3 mu g / r: four corners at r carry a quarter of the weight each, and I = m r^2 / 3."""
    r, mu, h, t = 0.5 * np.sqrt(2.0), 0.4, 5e-4, 0.1
    flat = box((-0.5, -0.5, 0.0), (1.0, 1.0, 0.02))
    case = LoadCase()
    case.set_velocity(1, (0.0, 0.0, 0.0), (0.0, 0.0, 5.0))
    result = follow(structure_of([SLAB, flat], mu=mu), case, t, h, quiet=False)
    slowed = 5.0 - result.velocity[-1, 1, 5]
    assert slowed == pytest.approx(3.0 * mu * G / r * t, rel=0.02)


@pytest.mark.parametrize("e", [0.0, 0.5])
def test_v5_a_drop_rebounds_by_e_squared(e):
    """From 0.5 m: height ratio e^2. The impact is seen a step late: v is off by g h, and the height by v h."""
    h, fall = 1e-3, 0.5
    result = follow(
        structure_of([SLAB, box((-0.5, -0.5, fall))], mu=0.5),
        LoadCase(),
        0.75,
        h,
        restitution=e,
        interval=h,
        quiet=False,
    )
    z = result.displacement(1)[:, 2] + fall
    low = int(np.argmax(z < 0.01))  # within three steps of the impact
    speed = np.sqrt(2.0 * G * fall)
    assert z[low + 3 :].max() == pytest.approx(e * e * fall, abs=3.0 * speed * h)


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
    """p = 2.6717: the first quarter from alpha/2 takes T/4 = acosh(1 / (1 - 1/2)) / p = 0.493 s (slender formula, which
    is 1 % short of the exact one at this slenderness), and every impact leaves 0.91176 of the angular velocity."""
    alpha, h = 0.24498, 1e-3
    start = 0.5 * alpha
    result = rocking(start, 0.9, h, interval=h)
    angle = start + lean(result)
    fall = int(np.argmax(angle <= 1e-3))
    assert result.times[fall] == pytest.approx(1.972 / 4.0, rel=0.03)
    omega = np.abs(result.velocity[:, 1, 4])
    before = omega[fall - 10 : fall + 10].max()
    after = omega[fall + 15] + 2.6717**2 * np.sin(alpha) * 15.0 * h  # gravity has slowed it down since
    assert after / before == pytest.approx(0.91176, abs=0.02)


@pytest.mark.parametrize("a, uplifts", [(0.24, False), (0.26, True)])
def test_v8_uplift(a, uplifts):
    """A block of 0.5 x 2 m lifts at 0.25 g."""
    tall = box((-0.25, -0.5, 0.0), (0.5, 1.0, 2.0))
    case = LoadCase(gravity=(a * G, 0.0, -G))
    result = follow(structure_of([SLAB, tall], mu=2.0), case, 0.5, 2e-3, quiet=False)
    turned = np.abs(result.velocity[-1, 1, 4])
    # Beyond the limit by 0.01 g the block turns with about 3/4 * 0.01 g / R: 0.07 rad/s2.
    assert (turned > 0.01) if uplifts else (turned < 1e-5)


@pytest.mark.parametrize("h", [2e-3, 1e-3])
def test_v9_newmark_slip_in_a_rectangular_pulse(h):
    """Slip V^2/(2 g N) (1 - N/A): A = 0.4, N = 0.2, 0.25 s. The scheme is off by v h at most."""
    A, N, T = 0.4, 0.2, 0.25
    V = A * G * T
    case = LoadCase(ground=[GroundMotion.rectangular("x", A * G, T)])
    low = box((-0.5, -0.5, 0.0), (1.0, 1.0, 0.2))
    result = follow(structure_of([SLAB, low], mu=N), case, 0.8, h)
    slip = -result.displacement(1)[-1, 0]
    assert slip == pytest.approx(V * V / (2.0 * G * N) * (1.0 - N / A), abs=2.0 * V * h)


def test_v10_three_cubes_in_a_row():
    """e = 1: touching, simultaneous impacts of Newton give (-1/3, 2/3, 2/3) v; with a gap (0, 0, v)."""
    far = box((-50.0, -50.0, -60.0))  # nothing else acts: the support is out of reach
    for gap, expected in ((0.0, (-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0)), (0.3, (0.0, 0.0, 1.0))):
        row = [box((0.0, 0.0, 0.0)), box((2.0, 0.0, 0.0)), box((3.0 + gap, 0.0, 0.0))]
        case = LoadCase(gravity=(0.0, 0.0, 0.0))
        case.set_velocity(1, (4.0, 0.0, 0.0))
        result = follow(structure_of([far] + row, mu=0.0), case, 0.6, 1e-3, restitution=1.0, quiet=False)
        np.testing.assert_allclose(result.velocity[-1, 1:, 0] / 4.0, expected, atol=1e-3)


def test_v11_painleve_rod_stays_finite():
    """A slender rod pushed along with mu 2 > 4/3: the step has a finite solution."""
    a = np.radians(60.0)
    rod, faces = box((-0.02, -0.02, 0.0), (0.04, 0.04, 1.0))
    turned = np.column_stack(
        [np.cos(a) * rod[:, 0] + np.sin(a) * rod[:, 2], rod[:, 1], -np.sin(a) * rod[:, 0] + np.cos(a) * rod[:, 2]]
    )
    turned[:, 2] -= turned[:, 2].min()
    case = LoadCase()
    case.set_velocity(1, (2.0, 0.0, 0.0))
    result = follow(structure_of([SLAB, (turned, faces)], mu=2.0), case, 0.5, 1e-3)
    assert np.isfinite(result.velocity).all() and np.abs(result.velocity).max() < 50.0


def test_v13_energy_is_accounted_for():
    """Kinetic, potential, lost and brought in: to the tolerance of the solver, whatever the step; what the scheme
    swallows shrinks with it."""
    swallowed = []
    for h in (4e-3, 2e-3):
        result = follow(structure_of([SLAB, box((-0.5, -0.5, 0.3))], mu=0.4), sliding_case(), 0.8, h, quiet=False)
        assert np.abs(balance(result)).max() < 1e-3
        assert (np.diff(result.energy["friction_loss"]) > -1e-6 * result.energies.max()).all()
        swallowed.append(abs(result.energy["scheme_loss"][-1]))
    assert swallowed[1] < 0.7 * swallowed[0]


@pytest.mark.short
def test_v14_settlement_is_exact_and_the_block_follows():
    case = LoadCase(support_motions=[SupportMotion(0, (0.01, 0.0, -0.04), 0.5)])
    result = follow(structure_of([box(), box((0.1, 0.0, 1.0))]), case, 0.8, 5e-3)
    moved = result.displacement(0)[-1]
    np.testing.assert_allclose(moved, [0.01, 0.0, -0.04], atol=1e-9)
    np.testing.assert_allclose(result.displacement(1)[-1], moved, atol=1e-5)
    assert result.verdict == "stable"


def test_a_support_turns_as_told():
    """A slab tilts by 10 degrees about y; the block on it, with enough friction, tilts along."""
    angle = np.radians(10.0)
    case = LoadCase(support_motions=[SupportMotion(0, (0, 0, 0), 1.0, rotation=(0.0, angle, 0.0))])
    result = follow(structure_of([SLAB, CUBE], mu=0.8), case, 1.2, 5e-3)
    for block, tolerance in ((0, 1e-9), (1, 1e-3)):
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
