"""M + J^T R J with a stiffness that is the same in every direction, against dense algebra and the general assembly."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from block_problems import stack
from nscd_engine.core.structs import Problem
from nscd_engine.core.threads import Threads
from nscd_engine.kernels.solvers import operators
from nscd_engine.kernels.solvers.admm_matrix import assemble_stiffness, factorise
from nscd_engine.kernels.solvers.admm_step import SOFTNESS
from nscd_engine.kernels.solvers.hessian import assemble
from nscd_engine.kernels.solvers.pair_grouping import same_pairs
from nscd_engine.solvers import admm
from nscd_engine.solvers.primal_system import structure
from nscd_engine.solvers.workspace import Workspace
from packed_solve import packed_solve

EPS32 = np.finfo(np.float32).eps


def random_problem(bodies, joints, seed):
    """Bodies anywhere, joints of one to four contacts between any two, or a body and a support, in any order."""
    rng = np.random.default_rng(seed)
    centre, joined = rng.normal(size=(bodies, 3)), rng.integers(-1, bodies, (joints, 2))
    joined = joined[joined[:, 0] != joined[:, 1]]
    body = np.repeat(joined, rng.integers(1, 5, len(joined)), axis=0).astype(np.int32)
    count = len(body)
    point, half = rng.normal(size=(count, 3)), rng.normal(size=(bodies, 3, 3))
    arm = np.where(body[:, :, None] >= 0, point[:, None] - centre[body], 0.0)
    mass = rng.uniform(0.1, 10.0, bodies)
    return Problem(
        mass=mass,
        inertia=mass[:, None, None] * (half @ half.transpose(0, 2, 1) + 0.1 * np.eye(3)),
        v_free=rng.normal(size=(bodies, 6)),
        body=body,
        arm=arm,
        frame=np.linalg.qr(rng.normal(size=(count, 3, 3)))[0],
        bias=np.zeros((count, 3)),
        friction=np.full(count, 0.6),
        compliance=np.zeros((count, 2)),
    )


def penalty_of(problem, softness=SOFTNESS):
    return 1.0 / (softness * operators.mobility(problem, operators.inverse_inertia(problem)))


def dense(problem, penalty):
    """The matrix, contact by contact."""
    n = len(problem.mass)
    A = np.zeros((6 * n, 6 * n))
    for i in range(n):
        A[6 * i : 6 * i + 3, 6 * i : 6 * i + 3] = problem.mass[i] * np.eye(3)
        A[6 * i + 3 : 6 * i + 6, 6 * i + 3 : 6 * i + 6] = problem.inertia[i]
    for bodies, arms, R in zip(problem.body, problem.arm, penalty):
        J = np.zeros((3, 6 * n))
        for i, (x, y, z), sign in zip(bodies, arms, (-1.0, 1.0)):
            if i >= 0:
                J[:, 6 * i : 6 * i + 3] = sign * np.eye(3)
                J[:, 6 * i + 3 : 6 * i + 6] = -sign * np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        A += R * J.T @ J
    return A


def upper(sym, panels):
    """The numbers of the panels that count: those of pivots and what stands to their right."""
    kept = []
    for s in range(len(sym.first) - 1):
        rows = 6 * (sym.first[s + 1] - sym.first[s])
        panel = panels[sym.panel_start[s] : sym.panel_start[s + 1]].reshape(rows, -1)
        kept.append(panel[np.triu_indices(*panel.shape[:1], m=panel.shape[1])])
    return np.concatenate(kept)


@pytest.mark.short
@settings(max_examples=40, deadline=None)
@given(st.integers(1, 12), st.integers(0, 30), st.integers(0, 10**6))
def test_moments_assemble_what_contact_by_contact_does(bodies, joints, seed):
    """The general assembly in double precision; in single precision what double gives, rounded once or twice."""
    problem = random_problem(bodies, joints, seed)
    penalty = penalty_of(problem)
    grouped, sym = structure(problem, penalty)
    general, G = np.empty(sym.panel_start[-1]), np.zeros((len(penalty), 6))
    G[:, [0, 3, 5]] = penalty[grouped.contact, None]
    assemble(problem, grouped, G, sym, general)
    one, half = np.empty_like(general), np.empty(len(general), np.float32)
    assemble_stiffness(problem, penalty, sym, one)
    assemble_stiffness(problem, penalty, sym, half)
    scale = np.abs(general).max()
    assert np.abs(upper(sym, one - general)).max() < 1e-13 * scale
    assert np.abs(upper(sym, half - general)).max() < 4.0 * EPS32 * scale


@pytest.mark.short
@settings(max_examples=40, deadline=None)
@given(st.integers(1, 12), st.integers(0, 30), st.integers(0, 10**6))
def test_solves_like_dense_algebra(bodies, joints, seed):
    """In single precision: the error in energy is rounding over the least eigenvalue of the matrix scaled to a diagonal
    of ones. Scaled by M, its eigenvalues lie between 1 and 1 + 6 n / c for n contacts of a body."""
    problem = random_problem(bodies, joints, seed)
    factor = admm.factorise(problem, penalty_of(problem), Workspace(), Threads(1))
    A = dense(problem, penalty_of(problem))
    expected = np.linalg.solve(A, problem.v_free.ravel())
    error = packed_solve(factor.sym, factor.packed, problem.v_free).ravel() - expected
    contacts = np.bincount(problem.body[problem.body >= 0], minlength=1).max()
    greatest = 1.0 + 6.0 * contacts / SOFTNESS
    half = np.linalg.inv(np.linalg.cholesky(dense(problem, np.zeros(len(problem.friction)))))
    values = np.linalg.eigvalsh(half @ A @ half.T)
    assert values[0] > 1.0 - 1e-9 and values[-1] < greatest * (1.0 + 1e-9)
    assert factor.panels.dtype == np.float32
    scale = 1.0 / np.sqrt(np.diag(A))
    allowed = 6.0 * bodies * EPS32 / np.linalg.eigvalsh(scale[:, None] * A * scale)[0]
    assert np.sqrt(error @ A @ error) < allowed * np.sqrt(expected @ A @ expected)


def _mobility(problem):
    return operators.mobility(problem, operators.inverse_inertia(problem))


@pytest.mark.parametrize("masses", [[1e3] * 200, [1.0, 1e4] * 20, [1e4] * 10 + [1.0] + [1e4] * 10, [1e-3, 1e3]])
def test_long_and_ill_assorted_stacks_stay_in_single_precision(masses):
    problem = stack(len(masses), masses=masses)
    factor = admm.factorise(problem, penalty_of(problem), Workspace(), Threads(1))
    expected = np.linalg.solve(dense(problem, penalty_of(problem)), problem.v_free.ravel()).reshape(-1, 6)
    assert factor.panels.dtype == np.float32
    error = packed_solve(factor.sym, factor.packed, problem.v_free) - expected
    assert np.abs(error).max() < 1e-3 * np.abs(expected).max()


def test_a_matrix_that_single_precision_cannot_hold_is_factored_in_double():
    """Two cubes joined by something 10^11 times stiffer than what they resist together by their inertia."""
    problem = stack(2)
    problem = problem._replace(body=problem.body[4:], arm=problem.arm[4:], frame=problem.frame[4:])
    problem = problem._replace(bias=problem.bias[4:], friction=problem.friction[4:], compliance=problem.compliance[4:])
    w, softness, workspace = _mobility(problem), 1e-11, Workspace()
    factor = admm.factorise(problem, 1.0 / (softness * w), workspace, Threads(1))
    single = workspace.admm
    assert single.panels.dtype == np.float32 and factor.panels.dtype == np.float64
    assert not factorise(problem, 1.0 / (softness * w), single)
    assert np.isfinite(factor.packed.values[: len(factor.panels) // 2]).all()


def test_what_is_not_a_number_is_seen():
    problem = stack(3)
    problem.mass[1] = np.nan
    factor = admm.factorise(problem, np.ones(12), Workspace(), Threads(1))
    assert np.isnan(factor.packed.values).all()


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 12), st.integers(0, 30), st.integers(0, 10**6))
def test_a_structure_is_kept_as_long_as_the_same_bodies_touch(bodies, joints, seed):
    problem, workspace = random_problem(bodies, joints, seed), Workspace()
    sym = workspace.factor_structure(problem.body, bodies)
    shuffled = np.random.default_rng(seed).permutation(len(problem.body))
    assert workspace.factor_structure(problem.body[shuffled, ::-1], bodies) is sym
    both = np.flatnonzero((problem.body >= 0).all(axis=1))
    if len(both):
        a, b = problem.body[both[0]]
        gone = ~np.isin(problem.body, (a, b)).all(axis=1)
        assert not same_pairs(problem.body[gone], sym.pair_start, sym.other)
        other = workspace.factor_structure(problem.body[gone], bodies)
        assert other is not sym and len(other.other) == len(sym.other) - 1
        assert not same_pairs(problem.body, other.pair_start, other.other)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 12), st.integers(0, 30), st.integers(0, 10**6))
def test_contacts_are_grouped_by_pairs(bodies, joints, seed):
    problem = random_problem(bodies, joints, seed)
    grouped, sym = structure(problem, np.arange(len(problem.body), dtype=float))
    assert np.array_equal(np.sort(grouped.contact), np.arange(len(problem.body)))
    assert np.array_equal(grouped.w, grouped.contact)
    of = np.repeat(np.arange(len(grouped.slot)), np.diff(grouped.start))
    assert np.array_equal(grouped.body[of], problem.body[grouped.contact])
    assert len(np.unique(grouped.body, axis=0)) == len(grouped.body)
    free = (grouped.body >= 0).all(axis=1)
    assert (grouped.slot[~free] == -1).all()
    assert np.array_equal(sym.other[grouped.slot[free]], grouped.body[free].max(axis=1))
