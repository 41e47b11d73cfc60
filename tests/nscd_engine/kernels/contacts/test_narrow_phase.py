"""Distance, depth and patches of convex polyhedra at any pose."""

import numpy as np
import pytest
from numba import njit
from scipy.optimize import nnls
from scipy.spatial import ConvexHull

from detection import moved, turn
from motion_helpers import polyhedra
from nscd_engine.geometry.decomposition import convex_parts
from nscd_engine.kernels.contacts import narrow_phase
from nscd_engine.kernels.contacts.narrow_phase import scratch_for
from nscd_engine.kernels.geometry.hull import hull_of, moved_hull
from nscd_engine.kernels.geometry.separating_axis import EDGES, FACE_A
from solids import box, prism, random_rotation


@njit(cache=True)
def distances(parts, R, t, scratch):
    """Signed distances of parts 2 k and 2 k + 1, the latter moved."""
    out = np.empty(len(R))
    for k in range(len(R)):
        b = moved_hull(hull_of(parts, 2 * k + 1), R[k], t[k], scratch.vertices, scratch.planes)
        out[k] = narrow_phase.signed_distance(hull_of(parts, 2 * k), b, scratch)
    return out


@njit(cache=True)
def patch(parts, size, margin, corners, scratch):
    """Patch of parts 0 and 1 as they are."""
    b = moved_hull(hull_of(parts, 1), np.eye(3), np.zeros(3), scratch.vertices, scratch.planes)
    return narrow_phase.collide(hull_of(parts, 0), b, narrow_phase.Search(size, margin, corners, FACE_A), scratch)


def parts_in_place(solids, planarity=1e-3):
    """Parts in world axes: as if every block had its centroid at the origin."""
    poly = polyhedra(solids)
    count = len(solids)
    return convex_parts(poly, np.zeros((count, 3)), np.zeros(count), [""] * count, planarity)


def collide(a, b, margin=0.01, corners=False):
    parts = parts_in_place([a, b])
    scratch = scratch_for(parts)
    separation, kind, count = patch(parts, parts.size.min(), margin, corners, scratch)
    gap = (scratch.on_b[:count] - scratch.on_a[:count]) @ scratch.normal
    return separation, kind, scratch.normal.copy(), scratch.on_a[:count].copy(), gap, scratch.key[:count].copy()


def random_hull(rng):
    points = rng.normal(size=(rng.integers(4, 16), 3)) * rng.uniform(0.2, 1.0, 3)
    if rng.random() < 0.3:
        points = box((-1, -1, -1), (2, 2, 2))[0] * rng.uniform(0.2, 1.0, 3)
    hull = ConvexHull(points)
    used = hull.vertices
    row = np.full(len(points), -1)
    row[used] = np.arange(len(used))
    centre = points[used].mean(axis=0)
    faces = []
    for simplex in hull.simplices:
        a, b, c = points[simplex]
        outward = np.dot(np.cross(b - a, c - a), a - centre) > 0.0
        faces.append(row[simplex if outward else simplex[::-1]].tolist())
    return points[used], faces


def random_pairs(count, seed):
    """Pairs of hulls around the origin, and poses of the second from deep overlap to well apart."""
    rng = np.random.default_rng(seed)
    solids = [random_hull(rng) for _ in range(2 * count)]
    R = np.array([random_rotation(rng.integers(2**31)) for _ in range(count)])
    t = rng.normal(size=(count, 3))
    t *= (rng.uniform(0.1, 2.5, count) / np.linalg.norm(t, axis=1))[:, None]
    return solids, R, t


def signed_distances(solids, R, t):
    parts = parts_in_place(solids, planarity=1e-9)
    return distances(parts, R, t, scratch_for(parts))


def test_depth_and_distance_are_those_of_the_minkowski_difference():
    """Depth: nearest facet of the hull of all differences of vertices. Distance: least norm over convex weights."""
    solids, R, t = random_pairs(150, 7)
    found = signed_distances(solids, R, t)
    for k, distance in enumerate(found):
        a, b = solids[2 * k][0], solids[2 * k + 1][0] @ R[k].T + t[k]
        difference = (a[:, None, :] - b[None, :, :]).reshape(-1, 3)
        depth = -ConvexHull(difference).equations[:, 3].max()
        if depth >= 0.0:
            np.testing.assert_allclose(distance, -depth, atol=1e-12)
            continue
        heavy = 1e4  # the weights sum to one within |distance| / heavy^2
        weights = nnls(np.vstack([difference.T, np.full(len(difference), heavy)]), np.array([0.0, 0.0, 0.0, heavy]))[0]
        assert distance > 0.0
        expected = np.linalg.norm(difference.T @ weights / weights.sum())
        np.testing.assert_allclose(distance, expected, rtol=1e-6, atol=1e-9)


def test_ten_thousand_pairs_against_another_code():
    """Sign, distance and depth of coal (GJK and EPA), whose tolerances are set to 1e-10."""
    coal = pytest.importorskip("coal")
    solids, R, t = random_pairs(10000, 8)
    found = signed_distances(solids, R, t)
    request = coal.DistanceRequest()
    request.enable_signed_distance = True
    request.gjk_tolerance = request.epa_tolerance = 1e-10
    request.epa_max_iterations = 1000

    def shape(solid):
        points, triangles = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
        for p in solid[0]:
            points.append(p)
        for f in solid[1]:
            triangles.append(coal.Triangle(*f))
        return coal.Convex(points, triangles)

    here = coal.Transform3s(np.eye(3), np.zeros(3))
    expected = np.array([
        coal.distance(shape(solids[2 * k]), here, shape(solids[2 * k + 1]), coal.Transform3s(R[k], t[k]), request,
                      coal.DistanceResult())
        for k in range(len(R))
    ])  # fmt: skip
    assert 3000 < np.count_nonzero(found < 0.0) < 7000
    np.testing.assert_array_equal(found > 0.0, expected > 0.0)
    np.testing.assert_allclose(found, expected, rtol=1e-8, atol=1e-9)


@pytest.mark.short
def test_cube_on_cube_has_four_corners_of_the_overlap():
    _, _, normal, points, gap, _ = collide(box(), box((0.25, 0.5, 1.0)))
    np.testing.assert_allclose(normal, [0.0, 0.0, 1.0], atol=1e-15)
    np.testing.assert_allclose(gap, 0.0, atol=1e-15)
    expected = {(0.25, 0.5), (1.0, 0.5), (0.25, 1.0), (1.0, 1.0)}
    assert {(round(x, 12), round(y, 12)) for x, y, _ in points} == expected


@pytest.mark.parametrize("degrees", [0.5, 3.0, 10.0, 44.0, 45.0])
@pytest.mark.parametrize("depth", [1e-3, -5e-3])
def test_edge_on_a_plane(degrees, depth):
    """A tilted cube meets a slab with the two ends of its lowest edge; the rest of its face is beyond the margin."""
    tilted = moved(box((-0.5, -0.5, -0.5)), turn(1, degrees))
    tilted = moved(tilted, shift=(0.0, 0.0, -tilted[0][:, 2].min() - depth))
    separation, _, normal, points, gap, _ = collide(box((-2, -2, -1), (4, 4, 1)), tilted, margin=0.006)
    np.testing.assert_allclose(normal, [0.0, 0.0, 1.0], atol=1e-15)
    np.testing.assert_allclose(separation, -depth, atol=1e-14)
    assert len(gap) == 2
    np.testing.assert_allclose(gap, -depth, atol=1e-14)
    np.testing.assert_allclose(np.sort(points[:, 1]), [-0.5, 0.5], atol=1e-14)


def test_corner_on_a_plane():
    """A cube standing on its corner: the space diagonal is upright."""
    R = turn(0, np.degrees(np.arctan(np.sqrt(0.5)))) @ turn(1, 45.0)
    solid = moved(box((-0.5, -0.5, -0.5)), R)
    np.testing.assert_allclose(solid[0][:, 2].min(), -np.sqrt(0.75), atol=1e-12)
    solid = moved(solid, shift=(0.0, 0.0, np.sqrt(0.75) + 1e-3))
    separation, _, _, points, gap, _ = collide(box((-2, -2, -1), (4, 4, 1)), solid)
    np.testing.assert_allclose([separation, gap.min()], 1e-3, atol=1e-12)
    np.testing.assert_allclose(points[np.argmin(gap)], 0.0, atol=1e-12)


@pytest.mark.parametrize("apart", [2e-3, -2e-3])
def test_crossing_edges_meet_in_one_point(apart):
    """Two roofs, one upside down and turned by 70 degrees about the vertical through their ridges."""
    roof = moved(box((-1, -0.5, -0.5), (2, 1, 1)), turn(0, 45.0))
    lower = moved(roof, shift=(0, 0, -roof[0][:, 2].max()))
    upper = moved(moved(roof, turn(2, 70.0)), shift=(0.1, 0.05, -roof[0][:, 2].min() + apart))
    separation, kind, normal, points, gap, _ = collide(lower, upper)
    assert kind == EDGES and len(gap) == 1
    np.testing.assert_allclose(normal, [0, 0, 1], atol=1e-12)
    np.testing.assert_allclose([separation, gap[0]], apart, atol=1e-12)
    # The ridge of the upper roof runs through (0.1, 0.05) at 70 degrees and crosses y = 0 here.
    np.testing.assert_allclose(points[0], [0.1 - 0.05 / np.tan(np.radians(70.0)), 0.0, 0.0], atol=1e-12)


@pytest.mark.parametrize("apart", [2e-3, -2e-3])
def test_edges_that_are_nearly_parallel_meet_at_both_ends_too(apart):
    """Two roofs, one upside down and turned by a degree: the end of a ridge is above a slope of 45 degrees."""
    roof = moved(box((-1, -0.5, -0.5), (2, 1, 1)), turn(0, 45.0))
    lower = moved(roof, shift=(0, 0, -roof[0][:, 2].max()))
    upper = moved(moved(roof, turn(2, 1.0)), shift=(0, 0, -roof[0][:, 2].min() + apart))
    separation, kind, normal, points, gap, key = collide(lower, upper, margin=0.03)
    assert kind == EDGES and len(gap) == len(set(key))
    np.testing.assert_allclose(normal, [0, 0, 1], atol=1e-12)
    np.testing.assert_allclose([separation, gap.min()], apart, atol=1e-12)
    np.testing.assert_allclose(points[np.argmin(gap)], 0.0, atol=1e-12)
    for end in (-1.0, 1.0):
        there = np.abs(points[:, 0] - end) < 0.02
        np.testing.assert_allclose(gap[there].min(), apart + np.sin(np.radians(1.0)), atol=1e-5)


def test_an_edge_that_nearly_lies_in_a_face_meets_both_sides_of_it():
    """A plate leans over the upper edge of a cube, by 20 degrees, and is turned by half a degree about its slope."""
    plate = moved(moved(box((-0.4, -0.5, 0.0), (0.8, 1.0, 0.1)), turn(1, 0.5)), turn(0, 20.0))
    cube = box((-1.0, 0.0, -1.0), (2.0, 1.0, 1.0))
    depth = -collide(cube, plate, margin=1.0)[0]
    _, kind, _, points, gap, _ = collide(cube, moved(plate, shift=(0, 0, depth + 1e-3)), margin=0.02)
    assert kind == EDGES
    on_edge = np.abs(points[:, 1]) < 1e-9
    assert np.ptp(points[on_edge, 0]) > 0.79
    np.testing.assert_allclose(np.ptp(gap[on_edge]), 0.8 * np.sin(np.radians(0.5)), rtol=0.1)


@pytest.mark.short
def test_corners_that_pass_each_other_carry_nothing():
    """Diagonal neighbours in a wall touch along an edge; two cubes may touch in a corner."""
    for shift in ((1.0, 0.0, 1.0), (1.0, 1.0, 1.0)):
        for noise in (-1e-9, 0.0, 1e-9):
            assert len(collide(box(), box(np.array(shift) + noise))[4]) == 0


def test_two_cubes_corner_to_corner():
    """Overlapping corners are parted along the axis of least overlap; fast ones are caught before."""
    separation, _, normal, _, gap, _ = collide(box(), box((0.9, 0.95, 0.99)))
    np.testing.assert_allclose([separation, gap.min()], -0.01, atol=1e-12)
    np.testing.assert_allclose(normal, [0, 0, 1], atol=1e-15)
    separation, kind, normal, points, gap, _ = collide(box(), box((1.003, 1.003, 1.003)), corners=True)
    np.testing.assert_allclose([separation, gap[0]], 0.003 * np.sqrt(3.0), atol=1e-12)
    np.testing.assert_allclose(normal, np.sqrt(1.0 / 3.0), atol=1e-9)
    np.testing.assert_allclose(points[0], 1.0, atol=1e-12)


def test_keys_stay_while_a_block_slides_and_rocks():
    """The corners of the upper cube keep their keys; all keys of a patch differ."""
    slab = box((-2, -2, -1), (4, 4, 1))
    keys = []
    for shift, degrees in ((0.0, 0.0), (0.03, 0.0), (0.3, 0.1), (0.31, -0.1)):
        cube = moved(moved(box((-0.5, -0.5, -0.5)), turn(1, degrees)), shift=(shift, 0.0, 0.5))
        keys.append(collide(slab, cube, margin=0.02)[5])
        assert len(set(keys[-1])) == len(keys[-1]) == 4
    assert all(set(k) == set(keys[0]) for k in keys[1:])


def test_patch_of_polygons_keeps_its_extreme_points():
    """A 12-gon on a 12-gon turned by 15 degrees: all 24 crossings are corners of the patch."""
    angle = np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False)
    column = prism(np.column_stack([np.cos(angle), np.sin(angle)]), 1.0)
    _, _, _, points, gap, _ = collide(column, moved(moved(column, turn(2, 15.0)), shift=(0, 0, 1)))
    assert len(gap) == 24
    # The crossings of two regular n-gons turned by half an angle are on one circle.
    radius = np.cos(np.pi / 12) / np.cos(np.pi / 24)
    np.testing.assert_allclose(np.linalg.norm(points[:, :2], axis=1), radius, atol=1e-12)
