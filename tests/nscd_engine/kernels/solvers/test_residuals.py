"""Measures of an answer: zero at the exact answer of one block, and what they should be away from it."""

import numpy as np
import pytest
from numba import njit

from block_problems import CORNERS, GRAVITY, ground, incline, stack
from nscd_engine.kernels.solvers import operators, residuals

MASS = 1000.0


def measured(problem, impulses, coulomb=True):
    inverse = operators.inverse_inertia(problem)
    w = operators.mobility(problem, inverse)
    velocity = operators.velocity_after(problem, impulses, inverse)
    u = operators.relative_velocity(problem, velocity)
    return residuals.natural_map(problem, impulses, u, w, coulomb), velocity, u, w


def quarters(normal, tangent=0.0):
    impulses = np.zeros((4, 3))
    impulses[:, 0], impulses[:, 1] = 0.25 * normal, 0.25 * tangent
    return impulses


@pytest.mark.short
def test_exact_answer_of_a_resting_cube():
    problem = ground(CORNERS)
    residual, velocity, _, _ = measured(problem, quarters(MASS * GRAVITY))
    assert residual < 1e-15 and np.abs(velocity).max() < 1e-14


def test_too_much_force_shows_in_residual_and_balance():
    """1 % too much lifts the cube at 0.01 g: u / w is the residual's size, the unbalanced force 1 % of the weight."""
    problem = ground(CORNERS)
    residual, velocity, u, w = measured(problem, quarters(1.01 * MASS * GRAVITY))
    assert residual == pytest.approx(u[0, 0] / w[0] / (MASS * GRAVITY), rel=1e-12)
    weight = problem.mass * GRAVITY
    assert residuals.unbalanced(problem, velocity, np.zeros_like(velocity), weight) == pytest.approx(0.01, rel=1e-10)


def test_coulomb_and_associated_sliding():
    """On 30 degrees with mu 0.3 the plain solution is Coulomb's; the associated law sees a residual in it.

    The moment is balanced by hand: the normal forces move down the slope by half the friction's lever.
    """
    problem = ground(CORNERS, incline(30.0), friction=0.3)
    normal = MASS * GRAVITY * np.cos(np.radians(30.0))
    impulses = quarters(normal, -0.3 * normal)
    impulses[:, 0] *= 1.0 + 0.3 * np.sign(problem.arm[:, 1, 0])
    impulses[:, 1] = -0.3 * impulses[:, 0]
    exact, velocity, u, w = measured(problem, impulses, True)
    assert exact < 1e-12 and np.abs(velocity[:, 2:]).max() < 1e-12
    assert measured(problem, impulses, False)[0] > 1e-2
    assert residuals.wrong_friction_power(problem, impulses, u, w) == 0.0
    impulses[:, 1] *= -1.0
    _, _, u, w = measured(problem, impulses)
    assert residuals.wrong_friction_power(problem, impulses, u, w) > 1e-2


def test_cone_violation():
    problem = ground(CORNERS, friction=0.5)
    w = operators.mobility(problem, operators.inverse_inertia(problem))
    weight = MASS * GRAVITY
    assert residuals.cone_violation(problem, quarters(weight, 0.5 * weight), w) <= 1e-16
    assert residuals.cone_violation(problem, quarters(weight, 0.6 * weight), w) == pytest.approx(0.025, rel=1e-9)
    assert residuals.cone_violation(problem, quarters(-weight), w) == pytest.approx(0.25, rel=1e-9)


def test_nan_is_not_a_small_residual():
    problem = ground(CORNERS)
    impulses = quarters(MASS * GRAVITY)
    impulses[2, 0] = np.nan
    assert not measured(problem, impulses)[0] <= 1e-3


def test_jacobian_and_its_transpose_agree():
    """gamma . J v = J^T gamma . v for any velocities and impulses: power is power."""
    problem, rng = stack(4), np.random.default_rng(1)
    v, gamma = rng.normal(size=(4, 6)), rng.normal(size=(16, 3))
    power = (operators.relative_velocity(problem, v) * gamma).sum()
    assert power == pytest.approx((njit(operators.generalised_impulse.py_func)(problem, gamma) * v).sum(), rel=1e-12)


def test_mobility_is_the_trace_of_the_delassus_operator():
    problem = stack(3, masses=[1.0, 5.0, 20.0])
    inverse = operators.inverse_inertia(problem)
    w = operators.mobility(problem, inverse)
    for c in range(12):
        trace = 0.0
        for k in range(3):
            gamma = np.zeros((12, 3))
            gamma[c, k] = 1.0
            change = operators.velocity_after(problem, gamma, inverse) - problem.v_free
            trace += operators.relative_velocity(problem, change)[c, k]
        assert w[c] == pytest.approx(trace / 3.0, rel=1e-12)


def test_compliant_contact_is_measured_with_its_compliance():
    """u = - C gamma: sinking by exactly what the joint gives is no residual."""
    problem = ground(CORNERS, compliance=1e-6)
    normal = MASS * GRAVITY / (1.0 + 0.25 * MASS * 1e-6)  # weight minus m v, v = C gamma / 4
    assert measured(problem, quarters(normal))[0] < 1e-14
