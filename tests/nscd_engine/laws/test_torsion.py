"""Resistance of joints to torsion and shear, against closed solutions, many joints at once."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nscd_engine.laws import torsion
from nscd_engine.laws.sections import section_points

#: Mean distance from the centre of a square of side 1: (sqrt 2 + asinh 1)/6.
MEAN_DISTANCE = (np.sqrt(2.0) + np.arcsinh(1.0)) / 6.0


def square(side=1.0):
    return side * np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])


def yielding(points, weight, shear, torque):
    return torsion.yields_at(*(np.array([each]) for each in (points, weight, shear, torque)))[0]


def test_a_square_twisted_about_its_centre():
    """M = mu N mean|x|; the sum over triangles errs by 0.5 % (`HALVINGS`)."""
    points, area = section_points(square(), torsion.HALVINGS)
    assert yielding(points, area, [0.0, 0.0], 1.0) == pytest.approx(MEAN_DISTANCE, rel=5e-3)


def test_pure_shear_is_resisted_by_all_friction():
    points, area = section_points(square(), torsion.HALVINGS)
    assert yielding(points, area, [3.0, 4.0], 0.0) == pytest.approx(1.0 / 5.0, rel=1e-12)


@given(st.floats(-0.45, 0.45), st.floats(-0.45, 0.45))
def test_the_symmetric_part_of_a_rectangle_is_the_effective_area(x, y):
    """Meyerhof: sides 1 - 2|x| and 1 - 2|y|."""
    part = torsion.symmetric_part(square(), np.array([x, y]))
    following = np.roll(part, -1, axis=0)
    area = 0.5 * (part[:, 0] * following[:, 1] - part[:, 1] * following[:, 0]).sum()
    assert area == pytest.approx((1.0 - 2.0 * abs(x)) * (1.0 - 2.0 * abs(y)), rel=1e-9)


def test_joints_together_are_as_each_by_itself(monkeypatch):
    """Of different numbers of points, in several groups, in their own order."""
    rng = np.random.default_rng(0)
    sizes = rng.integers(3, 9, 60)
    points, weights = [rng.normal(size=(n, 2)) for n in sizes], [rng.uniform(0.1, 1.0, n) for n in sizes]
    shears, torques = list(rng.normal(size=(60, 2))), rng.normal(size=60).tolist()
    monkeypatch.setattr(torsion, "TOGETHER", 20)
    together = torsion._yields(points, weights, shears, torques)
    alone = [yielding(*joint) for joint in zip(points, weights, shears, torques)]
    assert together == pytest.approx(alone, rel=1e-12)


def test_no_joints_resist_nothing():
    assert torsion._yields([], [], [], []) == []
