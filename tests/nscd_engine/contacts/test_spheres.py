"""Spheres against closed forms, and discs in a planar model."""

import numpy as np
import pytest

from motion_helpers import run, upright, with_spheres
from nscd_engine.contacts.in_motion import Detector
from nscd_engine.core.settings import Settings
from nscd_engine.core.state import rest_state
from nscd_engine.motion.moreau_jean import Scheme
from solids import box

SLAB = box((-5.0, -5.0, -1.0), (10.0, 10.0, 1.0))


def contacts_of(solids, centres, radius):
    model = with_spheres(solids, centres, radius)
    return Detector(model).update(rest_state(model), 1e-3)


@pytest.mark.short
def test_two_spheres():
    """Normal along the centres, point in the middle of the gap."""
    direction = np.array([2.0, -1.0, 2.0]) / 3.0
    contacts = contacts_of([SLAB], [(0.0, 0.0, 3.0), direction * 1.004 + (0.0, 0.0, 3.0)], 0.5)
    assert contacts.body.tolist() == [[1, 2]]
    np.testing.assert_allclose(contacts.gap, [0.004], atol=1e-14)
    np.testing.assert_allclose(contacts.frame[0, 0], direction, atol=1e-14)
    np.testing.assert_allclose(contacts.point[0], direction * 0.502 + (0.0, 0.0, 3.0), atol=1e-14)


@pytest.mark.parametrize(
    "centre, nearest",
    [
        ((0.5, 0.4, 1.3), (0.5, 0.4, 1.0)),  # over a face
        ((1.18, 0.4, 1.24), (1.0, 0.4, 1.0)),  # beside an edge
        ((1.1, 1.2, 1.2), (1.0, 1.0, 1.0)),  # beside a corner
    ],
)
def test_sphere_beside_a_cube(centre, nearest):
    """The three centres are 0.3 from the cube."""
    contacts = contacts_of([box()], [centre], 0.299)
    np.testing.assert_allclose(np.linalg.norm(np.subtract(centre, nearest)), 0.3, atol=1e-15)
    np.testing.assert_allclose(contacts.gap, [0.001], atol=1e-12)
    np.testing.assert_allclose(contacts.frame[0, 0], np.subtract(centre, nearest) / 0.3, atol=1e-9)


def test_sphere_with_its_centre_inside_leaves_by_the_nearest_face():
    contacts = contacts_of([box()], [(0.5, 0.9, 0.6)], 0.3)
    np.testing.assert_allclose(contacts.frame[0, 0], [0.0, 1.0, 0.0], atol=1e-15)
    # Overlap that a model comes with is slack; the depth shows in the points, 0.4 apart about the middle.
    np.testing.assert_allclose(contacts.point[0], [0.5, 0.8, 0.6], atol=1e-12)


def test_frame_is_right_handed_and_the_key_stays():
    model = with_spheres([SLAB], [(0.0, 0.0, 0.5)], 0.5)
    detector = Detector(model)
    state = rest_state(model)
    first = detector.update(state, 1e-3)
    rolled = state._replace(position=state.position + np.array([[0.0, 0.0, 0.0], [0.7, 0.0, 0.0]]))
    second = detector.update(rolled, 1e-3)
    assert first.key.tolist() == second.key.tolist()
    np.testing.assert_allclose(second.frame @ second.frame.transpose(0, 2, 1), [np.eye(3)], atol=1e-14)
    np.testing.assert_allclose(np.linalg.det(second.frame), 1.0)
    np.testing.assert_allclose(second.point[0], [0.7, 0.0, 0.0], atol=1e-14)


@pytest.mark.parametrize("disc, factor", [(False, 5.0 / 7.0), (True, 2.0 / 3.0)])
def test_rolling_down_a_slope(disc, factor):
    """a = g sin(alpha) / (1 + I / (m r^2)) while friction holds; implicit Euler is ahead by a h t / 2."""
    alpha, h, duration = np.radians(20.0), 2e-3, 0.4
    slope = upright([(0.0, -1.0), (3.0, -1.0), (3.0, 0.0), (0.0, 3.0 * np.tan(alpha))], 1.0)
    foot = np.array([0.5, -0.5, 2.5 * np.tan(alpha)])
    centre = foot + 0.1 * np.array([np.sin(alpha), 0.0, np.cos(alpha)])
    planar = {"disc_depth": 1.0, "planar": (0.0, 1.0, 0.0)} if disc else {}
    model = with_spheres([slope], [centre], 0.1, **planar)
    end = run(model, duration, Scheme(h), Settings()).state
    way = (end.position[1] - centre) @ [np.cos(alpha), 0.0, -np.sin(alpha)]
    a = factor * 9.81 * np.sin(alpha)
    np.testing.assert_allclose(way, 0.5 * a * duration**2 + 0.5 * a * h * duration, rtol=2e-3)
    off = (end.position[1] - centre) @ [np.sin(alpha), 0.0, np.cos(alpha)]
    assert abs(off) < 1e-5


def test_pyramid_of_discs_stands_in_its_plane():
    """Three discs, two on the slab between wedges and one on top: nothing moves out of the plane, and they stay."""
    wedge = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]
    left = upright([(x - 1.0, z) for x, z in wedge], 0.5)
    right = upright([(1.0 - x, z) for x, z in wedge][::-1], 0.5)
    slab = upright([(-2.0, -1.0), (2.0, -1.0), (2.0, 0.0), (-2.0, 0.0)], 0.5)
    r = 0.2
    # Between faces at 45 degrees that meet the ground at -d and d a disc that touches both has its centre at (-x, r).
    x = r
    wedge_shift = x + r * np.tan(np.radians(22.5))
    left = (left[0] + [-wedge_shift, 0.0, 0.0], left[1])
    right = (right[0] + [wedge_shift, 0.0, 0.0], right[1])
    centres = [(-x, -0.25, r), (x, -0.25, r), (0.0, -0.25, r + np.sqrt(3.0) * r)]
    model = with_spheres([slab, left, right], centres, r, (0, 1, 2), disc_depth=0.5, planar=(0.0, 1.0, 0.0))
    result = run(model, 0.5, Scheme(5e-3), Settings())
    np.testing.assert_array_equal(result.state.position[3:, 1], -0.25)
    np.testing.assert_allclose(result.state.position[3:], centres, atol=1e-4)
