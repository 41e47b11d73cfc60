"""Projection on the friction cone: against a brute-force minimum, and its derivative against finite differences."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from nscd_engine.kernels.solvers import friction_cone, friction_disc
from nscd_engine.kernels.solvers.friction_cone import OPEN, SLIDE, STICK, softened_stiffness
from nscd_engine.kernels.solvers.friction_disc import softened_disc_stiffness

#: Only kernels call these, so that they have no entry from Python.
project, stiffness, disc_stiffness = [
    njit(each.py_func, error_model="numpy")
    for each in (friction_cone.project, friction_cone.stiffness, friction_disc.disc_stiffness)
]
#: Impulses [N s]; squares of smaller ones are subnormal and have few digits.
number = st.floats(-10.0, 10.0).filter(lambda x: x == 0.0 or abs(x) > 1e-140)
friction = st.sampled_from([0.0, 1e-3, 0.4, 1.0, 5.0])
compliance = st.floats(0.05, 20.0)


def brute_force(y, mu, e_n, e_t):
    """Least weighted distance to the cone: scan g_n; the best g_t for a given g_n is y_t cut to mu g_n."""
    r = np.hypot(y[1], y[2])
    low, high = 0.0, 2.0 * (abs(y[0]) + (1.0 + mu) * r * max(1.0, e_t / e_n) + 1.0)
    for _ in range(200):  # golden-free ternary search: the function is convex in g_n
        a, b = low + (high - low) / 3.0, high - (high - low) / 3.0
        cost = [e_n * (g - y[0]) ** 2 + e_t * max(r - mu * g, 0.0) ** 2 for g in (a, b)]
        low, high = (low, b) if cost[0] < cost[1] else (a, high)
    g_n = 0.5 * (low + high)
    cut = mu * g_n / r if r > mu * g_n else 1.0
    return np.array([g_n, cut * y[1], cut * y[2]])


@pytest.mark.short
@settings(max_examples=200, deadline=None)
@given(number, number, number, friction, compliance, compliance)
def test_projection_is_the_nearest_point_of_the_cone(y_n, y_1, y_2, mu, e_n, e_t):
    """A ternary search finds the minimum of a quadratic to the square root of rounding, 1e-7 of the size."""
    g = np.array(project(y_n, y_1, y_2, mu, e_n, e_t)[:3])
    best = brute_force((y_n, y_1, y_2), mu, e_n, e_t)
    assert np.abs(g - best).max() < 5e-6 * (1.0 + mu) * (1.0 + np.abs(best).max())


@settings(max_examples=200, deadline=None)
@given(number, number, number, friction, compliance, compliance)
def test_projection_twice_is_once_and_lies_in_the_cone(y_n, y_1, y_2, mu, e_n, e_t):
    g = np.array(project(y_n, y_1, y_2, mu, e_n, e_t)[:3])
    again = np.array(project(g[0], g[1], g[2], mu, e_n, e_t)[:3])
    # squares underflow below 1e-160
    assert np.hypot(g[1], g[2]) <= mu * g[0] * (1.0 + 1e-14) + 1e-160
    assert np.abs(again - g).max() <= 1e-13 * (1.0 + np.abs(g).max())


@settings(max_examples=200, deadline=None)
@given(number, number, number, friction, compliance, compliance)
def test_complement_lies_in_the_polar_cone(y_n, y_1, y_2, mu, e_n, e_t):
    """Moreau: E (P(y) - y) is in the dual cone and normal to P(y)."""
    y, e = np.array([y_n, y_1, y_2]), np.array([e_n, e_t, e_t])
    g = np.array(project(y_n, y_1, y_2, mu, e_n, e_t)[:3])
    z = e * (g - y)
    size = 1.0 + e.max() * np.abs(y).max() * (1.0 + mu)
    assert z[0] >= mu * np.hypot(z[1], z[2]) - 1e-12 * size
    assert abs(z @ g) <= 1e-12 * size * (1.0 + np.abs(g).max())


@pytest.mark.short
@settings(max_examples=300, deadline=None)
@given(number, number, number, friction, compliance, compliance)
def test_stiffness_is_the_derivative(y_n, y_1, y_2, mu, e_n, e_t):
    y, step = np.array([y_n, y_1, y_2]), 1e-6
    g_n, _, _, state = project(y_n, y_1, y_2, mu, e_n, e_t)
    nn, n1, n2, a11, a12, a22 = stiffness(y_n, y_1, y_2, g_n, state, mu, e_n, e_t)
    G = np.array([[nn, n1, n2], [n1, a11, a12], [n2, a12, a22]])
    assert np.linalg.eigvalsh(G).min() >= -1e-12 * (1.0 + np.abs(G).max())
    r = np.hypot(y_1, y_2)
    columns = []
    for k in range(3):
        d = np.eye(3)[k] * step
        ends = [project(*(y + s * d), mu, e_n, e_t) for s in (1.0, -1.0)]
        if ends[0][3] != state or ends[1][3] != state or (state == SLIDE and mu > 0.0 and r < 0.1):
            return  # across a kink, or so near the axis that the curvature beats the difference quotient
        columns.append((np.array(ends[0][:3]) - np.array(ends[1][:3])) / (2.0 * step))
    derivative = np.array(columns).T @ np.diag([1.0 / e_n, 1.0 / e_t, 1.0 / e_t])
    assert np.abs(derivative - G).max() < 1e-6 * (1.0 + np.abs(G).max())


@pytest.mark.parametrize("mu", [0.4, 1.0, 5.0])
def test_apex_counts_as_stuck(mu):
    """At rest without force a contact is stiff in every direction: the first Newton step glues the blocks."""
    g_n, _, _, state = project(0.0, 0.0, 0.0, mu, 1.0, 2.0)
    assert state == STICK and stiffness(0.0, 0.0, 0.0, g_n, state, mu, 1.0, 2.0) == (1.0, 0.0, 0.0, 0.5, 0.0, 0.5)


def test_without_friction_only_the_normal_acts():
    assert project(2.0, 3.0, 4.0, 0.0, 1.0, 1.0) == (2.0, 0.0, 0.0, SLIDE)
    assert project(-2.0, 0.0, 0.0, 0.0, 1.0, 1.0) == (0.0, 0.0, 0.0, OPEN)
    assert stiffness(2.0, 0.0, 0.0, 2.0, SLIDE, 0.0, 0.5, 1.0) == (2.0, 0.0, 0.0, 0.0, 0.0, 0.0)


def matrix(values):
    nn, n1, n2, a11, a12, a22 = values
    return np.array([[nn, n1, n2], [n1, a11, a12], [n2, a12, a22]])


@pytest.mark.short
@settings(max_examples=300, deadline=None)
@given(number, number, number, friction, compliance, compliance, st.sampled_from([1e-9, 0.1, 3.0]))
def test_softened_stiffness_lies_between_that_of_the_state_and_that_of_stick(y_n, y_1, y_2, mu, e_n, e_t, width):
    g_n, _, _, state = project(y_n, y_1, y_2, mu, e_n, e_t)
    stick, bound = np.diag([1.0 / e_n, 1.0 / e_t, 1.0 / e_t]), 2.0
    if mu == 0.0:
        stick[1:] = 0.0
    cone = stiffness(y_n, y_1, y_2, g_n, state, mu, e_n, e_t)
    soft = matrix(softened_stiffness(y_n, y_1, y_2, g_n, mu, e_n, e_t, width))
    disc = matrix(softened_disc_stiffness(y_n, y_1, y_2, bound, e_n, e_t, width))
    for found, exact, most in (
        (soft, matrix(cone), stick),
        (disc, matrix(disc_stiffness(y_n, y_1, y_2, bound, e_n, e_t)), np.diag([1.0 / e_n, 1.0 / e_t, 1.0 / e_t])),
    ):
        assert np.linalg.eigvalsh(found - exact).min() >= -1e-9 / min(e_n, e_t)
        assert np.linalg.eigvalsh(most - found).min() >= -1e-9 / min(e_n, e_t)


def test_softened_stiffness_of_no_width_is_the_stiffness():
    for y_n, y_1 in ((1.0, 0.1), (1.0, 2.0), (-1.0, 0.1)):
        g_n, _, _, state = project(y_n, y_1, 0.3, 0.5, 1.0, 2.0)
        exact = stiffness(y_n, y_1, 0.3, g_n, state, 0.5, 1.0, 2.0)
        assert np.allclose(softened_stiffness(y_n, y_1, 0.3, g_n, 0.5, 1.0, 2.0, 1e-9), exact, atol=1e-12)
