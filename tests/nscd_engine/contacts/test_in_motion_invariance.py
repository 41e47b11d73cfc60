"""Contacts in motion do not depend on where a structure is, how it is turned, its unit, its handedness or its order."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from test_at_rest_invariance import structure

from motion_helpers import model_of
from nscd_engine.contacts.in_motion import Detector
from nscd_engine.core.state import rest_state
from nscd_engine.kernels.geometry.rotations import rotated
from solids import random_rotation

#: Blocks of about 1 m are moved and turned by up to so much from rest [m], [rad]: gaps and overlaps are within the
#: margin of the detector.
AWAY = 4e-3
#: [m] of blocks of about 1 m, points and gaps: at 1e4 m a coordinate has 12 digits, and edges that cross at an angle of
#: 4e-3 lose three of them.
ROUNDING = np.array([1e-7, 1e-7, 1e-7, 1e-9])


def blocks():
    """The structure of the rest detection, with the warp of the warped joint within the tolerance of a plane face.

    Beyond it the blocks are cut, and by which of the planes that are as good as each other depends on their order.
    """
    solids = structure()
    lift = np.array([0.02, -0.02, 0.02, -0.02])
    solids[4][0][4:, 2] -= 0.75 * lift
    solids[5][0][:4, 2] -= 0.75 * lift
    return solids


def contacts(solids, supports, rotation, scale, seed, order):
    """Contacts of blocks that have left their places: each by a shift and a turn of its own, seed 0 by none.

    The shifts and turns are those of the structure before `rotation`, scaling and reordering.
    """
    model = model_of(solids, supports)
    state = rest_state(model)
    rng = np.random.default_rng(seed)
    shift, spin = (AWAY * rng.uniform(-1.0, 1.0, (len(order), 3)) * (seed > 0) for _ in range(2))
    shift[0] = spin[0] = 0.0  # the ground stays
    position = state.position + scale * shift[order] @ rotation.T
    turned = spin[order] @ rotation.T * np.linalg.det(rotation)
    detector = Detector(model)
    detector.first = False  # the overlap is not that of a drawing
    return detector.update(state._replace(position=position, orientation=rotated(state.orientation, turned, 1.0)), 1e-3)


def table(found, points, scale, order):
    """{pair: rows of (point, gap), in an order that rounding does not change}, in the places and order of the start."""
    rows = {}
    for (a, b), point, gap in zip(found.body.tolist(), points, found.gap / scale):
        rows.setdefault(tuple(sorted((order[a], order[b]))), []).append([*point, gap])
    return {pair: sorted(row, key=lambda r: np.dot(r[:3], [1.0, 0.7232, 0.3149])) for pair, row in rows.items()}


def reference(seed):
    solids = blocks()
    found = contacts(solids, (0,), np.eye(3), 1.0, seed, list(range(len(solids))))
    return found, table(found, found.point, 1.0, list(range(len(solids))))


def same(one, other):
    assert one.keys() == other.keys()
    for pair, rows in one.items():
        assert len(other[pair]) == len(rows), pair
        assert (np.abs(np.subtract(other[pair], rows)) < ROUNDING).all(), pair


def test_there_are_contacts_of_all_kinds():
    _, found = reference(1)
    assert len(found) > 15
    assert {len(rows) for rows in found.values()} >= {1, 2, 4}
    gaps = np.array([row[3] for rows in found.values() for row in rows])
    assert gaps.min() < -1e-3 and gaps.max() > 1e-3


@example(472, 1e4, 1e3, True, 0)  # a part of the concave block whose cut is as near as its face, but for rounding
@settings(max_examples=20, deadline=None)
@given(
    st.integers(0, 10**6),
    st.sampled_from([0.0, 1e4]),
    st.sampled_from([1e-3, 1.0, 1e3]),
    st.booleans(),
    st.integers(0, 5),
)
def test_motion_scale_mirror(seed, distance, scale, mirrored, away):
    """x -> s (R x + d), mirrored or not: the same contacts, lengths times s."""
    rotation = random_rotation(seed) @ np.diag([-1.0 if mirrored else 1.0, 1.0, 1.0])
    shift = distance * random_rotation(seed + 1)[0]
    solids = [
        ((v @ rotation.T + shift) * scale, [face[::-1] for face in faces] if mirrored else faces)
        for v, faces in blocks()
    ]
    order = list(range(len(solids)))
    found = contacts(solids, (0,), rotation, scale, away, order)
    points = (found.point / scale - shift) @ rotation
    same(reference(away)[1], table(found, points, scale, order))


@settings(max_examples=15, deadline=None)
@given(st.permutations(range(len(structure()))), st.integers(0, 5))
def test_order_of_blocks(order, away):
    solids = blocks()
    found = contacts([solids[k] for k in order], (order.index(0),), np.eye(3), 1.0, away, order)
    same(reference(away)[1], table(found, found.point, 1.0, order))


@pytest.mark.parametrize("away", [0, 1])
def test_keys_are_distinct(away):
    found, _ = reference(away)
    assert len(np.unique(found.key)) == len(found.key)
