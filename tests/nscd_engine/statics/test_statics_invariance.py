"""Verdict and forces do not depend on where a structure is, how it is turned, its unit, its handedness or its order."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analysed import analyse
from compas_nscd import Block, LoadCase, Structure
from compas_nscd.templates import arch, dome, wall
from solids import random_rotation

STRUCTURES = {
    "arch": arch(blocks=9, thickness=0.9),
    "falling arch": arch(blocks=9, thickness=0.4),
    "wall": wall(3, 4),
    "dome": dome(courses=3, sectors=6, thickness=0.8),
}
ONCE = settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
GRAVITY = np.array([0.0, 0.0, -9.81])


@pytest.fixture(params=sorted(STRUCTURES))
def structure(request):
    return STRUCTURES[request.param]


def changed(structure, matrix, shift=(0.0, 0.0, 0.0), order=None):
    """The structure mapped by a matrix and a shift, its blocks in another order; a mirror turns the faces over."""
    flip = -1 if np.linalg.det(matrix) < 0 else 1
    blocks = [
        Block(b.vertices @ matrix.T + shift, [face[::flip] for face in b.faces], b.density, b.name, b.support)
        for b in structure.blocks
    ]
    return Structure([blocks[i] for i in order] if order is not None else blocks, structure.law)


def resultants(result):
    """Force from the block whose name comes first on the other, summed over the joints of a pair [N]."""
    table = {}
    for joint in result.interfaces:
        a, b = joint.blocks
        sign = 1.0 if a < b else -1.0
        pair = (min(a, b), max(a, b))
        table[pair] = table.get(pair, 0.0) + sign * joint.resultant
    return table


def assert_same(structure, other, matrix, gravity=GRAVITY, scale=1.0):
    """Forces agree to 1e-6 of the greatest, after mapping; the mechanism of a falling structure moves likewise."""
    one, two = analyse(structure), analyse(other, LoadCase(gravity))
    assert one.verdict == two.verdict
    forces, mapped = resultants(one), resultants(two)
    assert forces.keys() == mapped.keys()
    greatest = max(np.linalg.norm(force) for force in forces.values())
    for pair, force in forces.items():
        assert mapped[pair] == pytest.approx(scale * matrix @ force, abs=1e-6 * scale * greatest), pair
    if one.verdict == "collapse":
        index = [other.index(block.name) for block in structure.blocks]
        speed = one.velocity[:, :3] @ matrix.T
        assert two.velocity[index, :3] == pytest.approx(speed, abs=1e-6 * np.abs(speed).max())


@ONCE
@given(seed=st.integers(0, 10**6))
def test_turned_with_gravity(structure, seed):
    rotation = random_rotation(np.random.default_rng(seed))
    assert_same(structure, changed(structure, rotation), rotation, rotation @ GRAVITY)


@ONCE
@given(shift=st.tuples(*[st.floats(-1e4, 1e4)] * 3))
def test_moved_by_ten_kilometres(structure, shift):
    """Coordinates keep 1e-12 m at 1e4 m: forces of blocks of 1 m are good to 1e-8 or so."""
    assert_same(structure, changed(structure, np.eye(3), shift), np.eye(3))


@pytest.mark.parametrize("scale", [1e-3, 1e3])
def test_in_another_unit(structure, scale):
    """Weights grow with the cube of the size."""
    assert_same(structure, changed(structure, scale * np.eye(3)), np.eye(3), scale=scale**3)


@ONCE
@given(seed=st.integers(0, 10**6))
def test_in_another_order(structure, seed):
    order = np.random.default_rng(seed).permutation(len(structure.blocks))
    assert_same(structure, changed(structure, np.eye(3), order=order), np.eye(3))


@pytest.mark.parametrize("axis", [0, 1])
def test_mirrored(structure, axis):
    mirror = np.eye(3)
    mirror[axis, axis] = -1.0
    assert_same(structure, changed(structure, mirror), mirror)
