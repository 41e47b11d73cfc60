"""Contacts do not depend on where a structure is, how it is turned, its unit, its handedness or its order."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detection import moved, ring, run, triangulated, turn
from motion_helpers import with_spheres
from nscd_engine.contacts.at_rest import detect
from nscd_engine.core.settings import Settings
from solids import box, prism, random_rotation

L_OUTLINE = [(0, 0), (3, 0), (3, 1), (1, 1), (1, 2), (0, 2)]


def structure():
    """Joints of every kind: whole and partial faces, concave, in triangles, holes, warped, lines, points, corners."""
    notch = moved(prism(L_OUTLINE, 1.0), turn(0, 90), (0, 1, 0))
    lower, upper = box((4, 0, 0)), box((4, 0, 1))
    lift = np.array([0.02, -0.02, 0.02, -0.02])
    lower[0][4:, 2] += lift
    upper[0][:4, 2] += lift
    diamond = moved(box((-0.2, 0, -0.2), (0.4, 1, 0.4)), turn(1, 45), (6.0, 0.1, 0.2 * np.sqrt(2.0)))
    bar = moved(diamond, turn(2, 90), (6.3, -5.5, 0.4 * np.sqrt(2.0)))
    axis = np.array([1, 1, 1]) / np.sqrt(3.0)
    across = np.array([1, -1, 0]) / np.sqrt(2.0)
    tip = moved(box(), np.array([across, np.cross(axis, across), axis]), (8.5, 0.5, 0.0))
    return [
        box((-2, -4, -1), (14, 8, 1)),
        notch,
        triangulated(box((1, 0, 1))),
        box((1.3, 0.2, 2), (1, 0.5, 0.5)),
        lower,
        upper,
        diamond,
        bar,
        tip,
        moved(ring(), shift=(2, -2.2, 0)),
        box((1.5, -2.7, 0)),
        box((10, 0, 0)),
        box((11, 0, 0), (0.9, 1, 1)),
        box((10, 0, 1)),
        box((11, 0.00005, 1), (0.9, 1, 1)),
        box((10.5, 1, 0.5)),
        prism([(-1.5, 2), (-0.5, 2), (-0.5, 3), (-1, 3.5), (-1.5, 3)], 1.0),
    ]


def summary(found, scale=1.0):
    """Number of contacts, area and mean gap for each pair."""
    table = {}
    interfaces = found.interfaces
    for k, pair in enumerate(map(tuple, interfaces.body.tolist())):
        row = table.setdefault(pair, [0, 0, 0.0])
        row[0] += 1
        row[1] += int(interfaces.contact_start[k + 1] - interfaces.contact_start[k])
        row[2] += interfaces.area[k] / scale**2
    return table


def same(one, other, rounding):
    assert one.keys() == other.keys()
    for pair, (count, points, area) in one.items():
        assert other[pair][:2] == [count, points], pair
        assert other[pair][2] == pytest.approx(area, rel=rounding, abs=rounding)


def sorted_points(points):
    """Points in an order that rounding does not change: along a direction that no two of them share."""
    return points[np.argsort(points @ [1.0, 0.7232, 0.3149])]


REFERENCE = summary(run(structure())[1])


def test_the_structure_has_what_it_should():
    assert REFERENCE[(1, 2)] == [2, 8, pytest.approx(2.0)]
    assert REFERENCE[(4, 5)] == [1, 4, pytest.approx(1.0)]
    assert REFERENCE[(0, 6)] == [1, 2, 0.0]
    assert REFERENCE[(6, 7)] == [1, 1, 0.0]
    assert REFERENCE[(0, 8)] == [1, 1, 0.0]
    assert sum(row[2] for pair, row in REFERENCE.items() if pair == (0, 9)) == pytest.approx(8.0)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([0.0, 1e4]), st.sampled_from([1e-3, 1.0, 1e3]), st.booleans())
def test_motion_scale_mirror(seed, distance, scale, mirrored):
    """x -> s (R x + d), mirrored or not: the same contacts, areas times s2. At 1e4 m a coordinate has 12 digits."""
    rotation = random_rotation(seed) @ np.diag([-1.0 if mirrored else 1.0, 1.0, 1.0])
    shift = distance * random_rotation(seed + 1)[0]
    solids = [
        ((v @ rotation.T + shift) * scale, [face[::-1] for face in faces] if mirrored else faces)
        for v, faces in structure()
    ]
    found = run(solids)[1]
    rounding = 1e-9 + 1e-13 * distance / 1e-3
    same(REFERENCE, summary(found, scale), rounding)
    points = (found.contacts.point / scale - shift) @ rotation
    assert sorted_points(points) == pytest.approx(sorted_points(run(structure())[1].contacts.point), abs=rounding)


@settings(max_examples=15, deadline=None)
@given(st.permutations(range(len(structure()))))
def test_order_of_blocks(order):
    solids = structure()
    found = run([solids[k] for k in order], supports=[order.index(0)])[1]
    table = {tuple(sorted((order[a], order[b]))): row for (a, b), row in summary(found).items()}
    same(REFERENCE, table, 1e-9)
    assert len(found.corners) == len(run(solids)[1].corners)


def test_forces_find_the_same_arms():
    """Order of blocks turns the normals only: frame and gap of a pair seen from the other side."""
    one = run([box(), box((0.2, 0.3, 1))])[1]
    other = run([box((0.2, 0.3, 1)), box()], supports=[1])[1]
    assert other.interfaces.normal[0] == pytest.approx(-one.interfaces.normal[0])
    assert sorted_points(other.contacts.point) == pytest.approx(sorted_points(one.contacts.point))


@pytest.mark.parametrize("radius", [2e-3, 0.5, 200.0])
def test_round_blocks_touch_whatever_their_size(radius):
    """A gap of 0.05 % and an overlap of 5 % of the diameter: both are contacts."""
    model = with_spheres([], [(0.0, 0.0, 0.0), (2.001 * radius, 0.0, 0.0), (3.901 * radius, 0.0, 0.0)], radius)
    found = detect(model, Settings())
    assert found.interfaces.body.tolist() == [[0, 1], [1, 2]]
    assert found.refused == []
