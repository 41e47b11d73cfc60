"""Operators of the contact problem: kernels that compute the same with another rounding agree."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from test_admm_matrix import random_problem

from nscd_engine.kernels.solvers import delassus, hessian, operators
from nscd_engine.solvers.primal_system import structure


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 12), st.integers(1, 30), st.integers(0, 10**6))
def test_relative_velocities_agree_to_rounding(bodies, joints, seed):
    """`operators`, `hessian` and `delassus` add up at most 12 products of a contact: 16 roundings of their sizes."""
    problem = random_problem(bodies, joints, seed)
    v = np.random.default_rng(seed).normal(size=(bodies, 6))
    u = operators.relative_velocity(problem, v)
    grouped, _ = structure(problem, np.ones(len(problem.friction)))
    by_pairs = np.empty_like(u)
    hessian.relative_velocities(grouped, v, by_pairs)
    lever = delassus.levers(problem)
    one_by_one = [delassus.relative_velocity(problem, lever, v, c) for c in range(len(u))]
    size = 4.0 * np.abs(v).max() * (1.0 + np.abs(problem.arm).max(initial=0.0))
    rounding = 16.0 * np.finfo(float).eps * size
    assert np.abs(by_pairs - u[grouped.contact]).max(initial=0.0) < rounding
    assert np.abs(np.array(one_by_one).reshape(-1, 3) - u).max(initial=0.0) < rounding
