"""Spheres and discs at rest against closed forms. Forces are exact up to rounding: 1e-9 of the weight."""

import numpy as np
import pytest

from compas_nscd.errors import GeometryError, IsolatedBlockError, OverlapError
from detection import moved, turn
from motion_helpers import polyhedra, upright, with_spheres
from nscd_engine.contacts.at_rest import detect
from nscd_engine.contacts.soundness import require_sound
from nscd_engine.core.monitor import Monitor
from nscd_engine.core.settings import Settings
from nscd_engine.geometry.mass_properties import mass_properties
from nscd_engine.statics.solve import best_solve
from nscd_engine.statics.verdict import judge
from solids import box, prism, random_rotation

SLAB = box((-5.0, -5.0, -1.0), (10.0, 10.0, 1.0))
Y = (0.0, 1.0, 0.0)
SETTINGS = Settings(max_iterations=400)


def solved(model):
    """Verdict, detection and forces on the second block of every contact [N] (C, 3)."""
    detection = detect(model, SETTINGS)
    require_sound(model, detection, SETTINGS)
    problem, impulses, report, _, _ = best_solve(model, detection.contacts, SETTINGS, Monitor())
    force = np.einsum("ckx,ck->cx", detection.contacts.frame, impulses)
    return judge(model, problem, report, SETTINGS)[0], detection, force, report


def weight(model, block):
    return 9.81 * model.bodies.mass[block]


def groove(angle=45.0):
    """Two wedges that rise from the line x = z = 0 to either side, by an angle."""
    height = np.tan(np.radians(angle))
    right = upright([(0.0, 0.0), (1.0, 0.0), (1.0, height)], 1.0)
    left = upright([(0.0, 0.0), (-1.0, height), (-1.0, 0.0)], 1.0)
    return right, left


@pytest.mark.short
def test_mass_properties():
    r, depth = 0.3, 0.5
    ball = with_spheres([SLAB], [(1.0, 2.0, 3.0)], r).bodies
    mass = 2000.0 * 4.0 / 3.0 * np.pi * r**3
    assert ball.mass[1] == pytest.approx(mass, rel=1e-14)
    np.testing.assert_allclose(ball.inertia[1], 0.4 * mass * r**2 * np.eye(3), atol=1e-14 * mass)
    np.testing.assert_array_equal(ball.centroid[1], [1.0, 2.0, 3.0])
    assert ball.size[1] == 2.0 * r and ball.free.tolist() == [-1, 0]
    # A disc about y is a prism of many sides; its moments err by the square of the angle of a side.
    angle = np.linspace(0.0, 2.0 * np.pi, 2000, endpoint=False)
    many = polyhedra([upright(np.stack([r * np.cos(angle), r * np.sin(angle)], axis=1), depth)])
    volume, _, inertia = mass_properties(many)
    disc = with_spheres([SLAB], [(1.0, 2.0, 3.0)], r, disc_depth=depth, planar=Y).bodies
    assert disc.mass[1] == pytest.approx(2000.0 * volume[0], rel=1e-5)
    np.testing.assert_allclose(disc.inertia[1], 2000.0 * inertia[0], atol=1e-5 * np.abs(2000.0 * inertia).max())
    assert Y @ disc.inertia[1] @ Y == pytest.approx(0.5 * disc.mass[1] * r**2, rel=1e-12)


@pytest.mark.short
def test_sphere_on_a_plane():
    model = with_spheres([SLAB], [(0.2, 0.1, 0.5)], 0.5)
    verdict, detection, force, _ = solved(model)
    assert verdict == "stable" and detection.interfaces.area.tolist() == [0.0]
    np.testing.assert_allclose(force, [[0.0, 0.0, weight(model, 1)]], atol=1e-9 * weight(model, 1))
    np.testing.assert_allclose(detection.contacts.point, [[0.2, 0.1, 0.0]], atol=1e-12)


@pytest.mark.parametrize("shift", [0.0, 1e4])
@pytest.mark.parametrize("angle", [30.0, 45.0, 60.0])
def test_groove_without_friction(angle, shift):
    """2 N cos(angle) = W, and N = W / sqrt(2) at 45 degrees; at any place."""
    r, a = 0.2, np.radians(angle)
    wedges = [moved(wedge, shift=(shift, 0.0, 0.0)) for wedge in groove(angle)]
    model = with_spheres(wedges, [(shift, -0.5, r / np.cos(a))], r, (0, 1), friction=0.0)
    verdict, detection, force, _ = solved(model)
    assert verdict == "stable" and len(force) == 2
    n = 0.5 * weight(model, 2) / np.cos(a)
    expected = [[-n * np.sin(a), 0.0, n * np.cos(a)], [n * np.sin(a), 0.0, n * np.cos(a)]]
    np.testing.assert_allclose(force, expected, atol=1e-7 * n)  # the coordinates are known to 1e-12


def test_groove_in_one_concave_block_turned_anyhow():
    """Both sides of the groove belong to one block: two interfaces of one pair."""
    block = upright([(-1.0, -0.5), (1.0, -0.5), (1.0, 1.0), (0.0, 0.0), (-1.0, 1.0)], 1.0)
    r, R = 0.2, random_rotation(3)
    model = with_spheres([moved(block, R)], [R @ (0.0, -0.5, r * np.sqrt(2.0))], r, friction=0.0)
    model = model._replace(gravity=R @ (0.0, 0.0, -9.81))
    verdict, detection, force, _ = solved(model)
    assert verdict == "stable" and detection.interfaces.body.tolist() == [[0, 1], [0, 1]]
    np.testing.assert_allclose(np.linalg.norm(force, axis=1), weight(model, 1) / np.sqrt(2.0), rtol=1e-9)


def test_two_spheres_in_a_box():
    """Line of centres at f from the vertical: they press by W / cos f, the walls by W tan f, the floor by 2 W."""
    r, width = 0.5, 1.6
    walls = [SLAB, box((-1.0, -2.0, 0.0), (1.0, 4.0, 4.0)), box((width, -2.0, 0.0), (1.0, 4.0, 4.0))]
    f = np.arcsin((width - 2.0 * r) / (2.0 * r))
    centres = [(r, 0.0, r), (width - r, 0.0, r + 2.0 * r * np.cos(f))]
    model = with_spheres(walls, centres, r, (0, 1, 2), friction=0.0)
    verdict, detection, force, _ = solved(model)
    size = dict(zip(map(tuple, detection.contacts.body.tolist()), np.linalg.norm(force, axis=1) / weight(model, 3)))
    expected = {(0, 3): 2.0, (1, 3): np.tan(f), (2, 4): np.tan(f), (3, 4): 1.0 / np.cos(f)}
    assert verdict == "stable" and size == pytest.approx(expected, rel=1e-9)


def test_ball_on_three_balls():
    """On three that touch each other it presses on each by W / sqrt(6); these three are supports, and no block else."""
    r = 0.5
    angle = np.radians([90.0, 210.0, 330.0])
    base = [(2.0 * r / np.sqrt(3.0) * np.cos(a), 2.0 * r / np.sqrt(3.0) * np.sin(a), 0.0) for a in angle]
    model = with_spheres([], base + [(0.0, 0.0, 2.0 * r * np.sqrt(2.0 / 3.0))], r, (0, 1, 2), friction=0.0)
    verdict, detection, force, _ = solved(model)
    assert verdict == "stable" and detection.contacts.body.tolist() == [[0, 3], [1, 3], [2, 3]]
    np.testing.assert_allclose(np.linalg.norm(force, axis=1), weight(model, 3) / np.sqrt(6.0), rtol=1e-9)


def test_sphere_between_blocks_carries_what_is_above():
    r = 0.25
    solids = [SLAB, box((-0.5, -0.5, 2.0 * r))]
    model = with_spheres(solids, [(0.0, 0.0, r)], r)
    verdict, detection, force, _ = solved(model)
    axial = dict(zip(map(tuple, detection.contacts.body.tolist()), force[:, 2]))
    expected = {(0, 2): weight(model, 1) + weight(model, 2), (1, 2): -weight(model, 1)}
    assert verdict == "stable" and axial == pytest.approx(expected, rel=1e-9)


@pytest.mark.short
@pytest.mark.parametrize("disc, factor", [(False, 5.0 / 7.0), (True, 2.0 / 3.0)])
@pytest.mark.parametrize("angle", [0.1, 20.0])
def test_what_is_round_rolls_down_any_slope(angle, disc, factor):
    """It falls at g sin(angle) / (1 + I / (m r^2)), were friction ever so great."""
    a, r = np.radians(angle), 0.1
    slope = upright([(0.0, -1.0), (3.0, -1.0), (3.0, 0.0), (0.0, 3.0 * np.tan(a))], 1.0)
    centre = np.array([0.5, -0.5, 2.5 * np.tan(a)]) + r * np.array([np.sin(a), 0.0, np.cos(a)])
    planar = {"disc_depth": 1.0, "planar": Y} if disc else {}
    model = with_spheres([slope], [centre], r, friction=1.0, **planar)
    verdict, _, _, report = solved(model)
    assert verdict == "collapse"
    down = report.velocity[0, :3] @ [np.cos(a), 0.0, -np.sin(a)]
    assert down == pytest.approx(factor * 9.81 * np.sin(a), rel=1e-6)


@pytest.mark.parametrize("x, contacts", [(0.01, 1), (-0.01, 1), (0.0, 2)])
def test_rim_of_a_flush_joint_is_no_contact(x, contacts):
    """Beside the joint of two blocks the far one is within the tolerance, but not below the sphere."""
    floor = [box((-1.0, -1.0, -1.0), (1.0, 2.0, 1.0)), box((0.0, -1.0, -1.0), (1.0, 2.0, 1.0))]
    model = with_spheres(floor, [(x, 0.0, 0.5)], 0.5, (0, 1))
    _, detection, force, _ = solved(model)
    assert len(force) == contacts
    np.testing.assert_allclose(detection.contacts.frame[:, 0], [[0.0, 0.0, 1.0]] * contacts, atol=1e-12)


@pytest.mark.parametrize("x", [0.99, 1.0, 1.01])
def test_cut_through_a_concave_block_is_not_felt(x):
    """An L is cut in its inner corner; a sphere on its flat back is on one surface."""
    ell = prism([(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0), (1.0, 2.0), (0.0, 2.0)])
    model = with_spheres([moved(ell, turn(0, -90.0))], [(x, 0.5, 0.2)], 0.2)
    _, detection, force, _ = solved(model)
    np.testing.assert_allclose(detection.contacts.point, [[x, 0.5, 0.0]], atol=1e-12)
    np.testing.assert_allclose(force[0], [0.0, 0.0, weight(model, 1)], atol=1e-9 * weight(model, 1))


def test_gap_and_overlap_and_isolation():
    touching = detect(with_spheres([SLAB], [(0.0, 0.0, 0.5005)], 0.5), SETTINGS)  # half the tolerance
    np.testing.assert_allclose(touching.contacts.gap, [5e-4], atol=1e-12)
    apart = with_spheres([SLAB], [(0.0, 0.0, 0.502)], 0.5)
    with pytest.raises(IsolatedBlockError) as raised:
        require_sound(apart, detect(apart, SETTINGS), SETTINGS)
    assert raised.value.blocks == ["1"]
    for centres, pair, depth in ([[(0, 0, 0.4)], ["0", "1"], 0.1], [[(0, 0, 0.5), (0.9, 0, 0.5)], ["1", "2"], 0.1]):
        model = with_spheres([SLAB], centres, 0.5)
        with pytest.raises(OverlapError) as raised:
            require_sound(model, detect(model, SETTINGS), SETTINGS)
        assert raised.value.blocks == pair
        assert detect(model, SETTINGS).overlaps[0][2] == pytest.approx(depth, abs=1e-12)


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"disc_depth": 0.5}, "planar"),
        ({"disc_depth": 0.5, "planar": Y, "centres": [(0, 0, 0.5), (2, 0.1, 0.5)]}, "one plane"),
        ({"radius": -0.5}, "radius"),
        ({"radius": 1e12}, "radius"),
        ({"planar": (0.0, 0.0, 0.0)}, "direction"),
        ({"planar": (np.nan, 0.0, 0.0)}, "finite"),
    ],
)
def test_the_gate_refuses(changes, message):
    given = dict({"centres": [(0, 0, 0.5)], "radius": 0.5}, **changes)
    with pytest.raises(GeometryError, match=message):
        with_spheres([SLAB], **given)
