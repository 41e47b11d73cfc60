"""Newton's method: optimality, degenerate problems, invariances, the same bits on repeat."""

import inspect
from types import SimpleNamespace

import numpy as np
import pytest

from block_problems import CORNERS, GRAVITY, ground, incline, stack
from compas_nscd import Settings
from nscd_engine.core import threads
from nscd_engine.kernels.solvers import operators
from nscd_engine.linalg import symbolic
from nscd_engine.solvers import interior_point, newton
from nscd_engine.solvers.classic import nlgs, spg
from nscd_engine.solvers.primal_system import System
from nscd_engine.solvers.solution import Warm
from nscd_engine.solvers.workspace import Workspace
from plain_python import plain_python


def chosen(**changes):
    values = dict(friction="associated", eps=(1e-5, 1e-8), tolerance=1e-10, max_iterations=200, threads=1)
    return SimpleNamespace(**dict(values, **changes))


def solved(problem, **changes):
    impulses, report = newton.solve(problem, Warm(), chosen(**changes))
    assert report.status == "converged", (report.status, report.residual)
    assert report.residual <= 1e-10 and report.cone_violation < 1e-12
    return impulses, report


@pytest.mark.short
def test_stack_carries_its_weight():
    impulses, report = solved(stack(6))
    level = impulses[:, 0].reshape(6, 4)
    weight = 1000.0 * GRAVITY
    assert np.allclose(level, 0.25 * weight * np.arange(6, 0, -1)[:, None], rtol=1e-8)
    assert np.abs(report.velocity).max() < 1e-8


@pytest.mark.parametrize("count", [400, 800])
def test_tall_stacks_do_not_stall(count):
    """At eps 1e-5 the top sinks by metres a second: its rounding over a compliance of 1e-8 hides the gradient."""
    _, low = solved(stack(20))
    impulses, tall = solved(stack(count))
    assert tall.iterations <= 1.5 * low.iterations
    assert impulses[:4, 0].sum() == pytest.approx(1000.0 * GRAVITY * count, rel=1e-6)


def test_a_tall_stack_that_slides_and_turns_ends_sooner():
    """Rounding of fast motions made every round take all its iterations: 1192 of them, residual 8e-8."""
    _, report = newton.solve(stack(400, incline(15.0)), Warm(), chosen(max_iterations=1000))
    assert report.iterations < 400 and report.residual < 1e-8


def test_regularised_solution_meets_its_own_equations():
    """gamma = P(- (J v + b) / e) and M (v - v_free) = J^T gamma, evaluated independently of the solver's kernels."""
    problem, eps = stack(5, incline(15.0)), 1e-4
    system = System(problem)
    system.regularise(eps)
    assert system.descend(1e-12, 50)
    v, gamma = system.velocity(), system.impulses()
    change = operators.velocity_after(problem, gamma, system.inverse)
    assert np.abs(change - v).max() < 1e-9
    u, mu = operators.relative_velocity(problem, v), problem.friction[0]
    y = -u / (eps * system.w[:, None])
    for c in range(len(y)):  # projection in a multiple of the Euclidean norm
        r = np.hypot(y[c, 1], y[c, 2])
        n = max((y[c, 0] + mu * r) / (1 + mu * mu), 0.0)
        expected = y[c] if r <= mu * y[c, 0] else np.array([n, mu * n * y[c, 1] / r, mu * n * y[c, 2] / r])
        assert np.abs(gamma[c] - expected).max() < 1e-6 * (1.0 + np.abs(gamma).max())


def test_interior_points_lead_to_the_same_answer():
    problem, eps = stack(5, incline(25.0)), 1e-5
    one, other = System(problem), System(problem)
    one.regularise(eps)
    assert one.descend(1e-11, 60)
    other.regularise(eps)
    interior_point.descend(other)
    assert other.descend(1e-11, 30)
    assert np.abs(one.velocity() - other.velocity()).max() < 1e-8
    assert np.abs(one.impulses() - other.impulses()).max() < 1e-7 * np.abs(one.impulses()).max()


@pytest.mark.parametrize("friction", [0.0, 0.3, 5.0])
def test_extreme_friction(friction):
    impulses, report = solved(stack(4, friction=friction))
    assert np.isfinite(impulses).all() and np.abs(report.velocity).max() < 1e-8


@pytest.mark.parametrize("law", ["associated", "coulomb"])
def test_without_friction_it_slides_freely(law):
    """On a frictionless incline the cube slides at g sin and nothing else."""
    _, report = solved(ground(CORNERS, incline(20.0), friction=0.0), friction=law)
    expected = [GRAVITY * np.sin(np.radians(20.0)), 0.0, 0.0, 0.0, 0.0, 0.0]
    assert np.abs(report.velocity[0] - expected).max() < 1e-8


@pytest.mark.short
def test_coulomb_sliding():
    """a = g (sin 30 - mu cos 30), no uplift; the residual is that of De Saxce's form."""
    _, report = solved(ground(CORNERS, incline(30.0), friction=0.3), friction="coulomb")
    speed = GRAVITY * (np.sin(np.radians(30.0)) - 0.3 * np.cos(np.radians(30.0)))
    assert np.abs(report.velocity[0] - [speed, 0, 0, 0, 0, 0]).max() < 1e-8


def test_associated_sliding_follows_the_cone():
    """The projection of the free velocity on the dual cone: u = (f . d) d with d = (mu, 1) / |(mu, 1)|, normal first.

    A cube that is low enough not to tip: contacts at the level of its centroid.
    """
    problem = ground(CORNERS, incline(30.0), friction=0.3)
    problem.arm[:, 1, 2] = 0.0
    _, report = solved(problem)
    direction = np.array([1.0, 0.0, 0.3]) / np.sqrt(1.0 + 0.09)
    expected = direction * (direction @ incline(30.0))
    assert np.abs(report.velocity[0, :3] - expected).max() < 1e-8


@pytest.mark.parametrize("copies", [2, 7])
def test_identical_contacts_share_the_force(copies):
    impulses, report = solved(ground([point for point in CORNERS for _ in range(copies)]))
    assert np.allclose(impulses[:, 0], 1000.0 * GRAVITY / (4 * copies), rtol=1e-8)
    assert np.abs(report.velocity).max() < 1e-8


def test_single_vertex_contact():
    """A cube on one point under its centroid balances; beside it, it tips."""
    assert np.abs(solved(ground([(0.0, 0.0)]))[1].velocity).max() < 1e-8
    assert np.abs(solved(ground([(0.3, 0.0)]))[1].velocity).max() > 0.1


@pytest.mark.parametrize("masses", [[1.0, 1e6], [1e6, 1.0], [1.0, 1e6, 1.0]])
def test_mass_ratio_of_a_million(masses):
    impulses, report = solved(stack(len(masses), masses=masses))
    carried = np.cumsum(masses[::-1])[::-1] * GRAVITY
    assert np.allclose(impulses[:, 0].reshape(-1, 4).sum(axis=1), carried, rtol=1e-8)
    assert np.abs(report.velocity).max() < 1e-7


def test_no_contacts_at_all():
    problem = stack(2)
    empty = problem._replace(
        body=problem.body[:0], arm=problem.arm[:0], frame=problem.frame[:0], bias=problem.bias[:0],
        friction=problem.friction[:0], compliance=problem.compliance[:0],
    )  # fmt: skip
    impulses, report = newton.solve(empty, Warm(), chosen())
    assert impulses.shape == (0, 3) and np.array_equal(report.velocity, problem.v_free)


def test_joint_with_stiffness_gives_by_its_compliance():
    """Four springs 1 / C under a cube: v = - C gamma, gamma = (W - m |v|) / 4."""
    compliance = 1e-6
    impulses, report = solved(ground(CORNERS, compliance=compliance))
    speed = compliance * 1000.0 * GRAVITY / (4.0 + compliance * 1000.0)
    assert report.velocity[0, 2] == pytest.approx(-speed, rel=1e-8)
    assert impulses[:, 0] == pytest.approx(speed / compliance, rel=1e-8)


def test_moving_support_carries_the_block_along():
    """A bias of -1 m/s along t1 is a support that moves: with friction enough the cube follows exactly."""
    problem = ground(CORNERS, friction=5.0)
    problem.arm[:, 1, 2] = 0.0
    problem.bias[:, 1] = -1.0
    _, report = solved(problem)
    assert np.abs(report.velocity[0] - [1.0, 0, 0, 0, 0, 0]).max() < 1e-7


def test_order_and_sides_of_contacts_do_not_matter():
    """Shuffled contacts, some with a and b exchanged (and the frame turned with them): the same impulses."""
    problem, rng = stack(5, incline(10.0)), np.random.default_rng(5)
    impulses, report = solved(problem)
    order = rng.permutation(20)
    swap = rng.random(20) < 0.5
    swap[(problem.body[order] < 0).any(axis=1)] = False
    turn = np.diag([-1.0, 1.0, -1.0])
    body, arm = problem.body[order], problem.arm[order]
    frame = np.where(swap[:, None, None], turn @ problem.frame[order], problem.frame[order])
    body[swap], arm[swap] = body[swap][:, ::-1], arm[swap][:, ::-1]
    mixed = problem._replace(body=body, arm=arm, frame=frame)
    other, second = solved(mixed)
    # u of the exchanged pair is -u, and its axes n, t2 are reversed: n and t2 stay, t1 changes sign
    expected = impulses[order] * np.where(swap[:, None], [1.0, -1.0, 1.0], 1.0)
    assert np.abs(other - expected).max() < 1e-6 * np.abs(impulses).max()
    assert np.abs(second.velocity - report.velocity).max() < 1e-8


def test_warm_start_and_workspace_change_nothing_but_the_effort():
    problem, workspace = stack(8, incline(12.0)), Workspace()
    cold, first = newton.solve(problem, Warm(workspace=workspace), chosen())
    again, second = newton.solve(problem, Warm(workspace=workspace), chosen())
    assert np.array_equal(cold, again) and np.array_equal(first.velocity, second.velocity)
    warm, third = newton.solve(problem, Warm(velocity=first.velocity, workspace=workspace), chosen())
    assert np.abs(warm - cold).max() < 1e-6 * np.abs(cold).max()


@pytest.mark.parametrize("count", [2, 3])
def test_same_bits_for_any_number_of_threads(count, monkeypatch):
    """The division into tasks depends on the structure alone, made small enough here for threads to take part."""
    monkeypatch.setattr(symbolic, "WORTH_THREADS", 0.0)
    monkeypatch.setattr(threads, "CORES", 4)
    problem = stack(40, incline(8.0))
    one, first = newton.solve(problem, Warm(), chosen(threads=1))
    other, second = newton.solve(problem, Warm(), chosen(threads=count))
    assert one.tobytes() == other.tobytes() and first.velocity.tobytes() == second.velocity.tobytes()
    assert len(System(problem).sym.task_start) > 3


def test_numbers_of_iterations_are_the_documented_ones():
    """The solvers own the numbers; `Settings` repeats them for the user."""
    numbers = newton.MOST_ITERATIONS, nlgs.MOST_SWEEPS, spg.MOST_STEPS
    assert "{} for newton and {} for admm, nlgs and spg".format(*numbers[:2]) in inspect.getdoc(Settings)
    assert numbers[1] == numbers[2]


def test_gives_up_honestly():
    """With one iteration allowed the status says so, whatever the numbers."""
    _, report = newton.solve(stack(20, incline(32.0)), Warm(), chosen(max_iterations=1, tolerance=1e-15))
    assert report.status in ("exhausted", "stalled")


def test_kernels_run_without_compilation():
    """The same answer from plain Python, on a problem small enough for it."""
    program = (
        "from test_newton import solved, ground, CORNERS, incline;"
        "i, r = solved(ground(CORNERS, incline(25.0), friction=0.3));"
        "print(repr(float(r.velocity[0, 0])), repr(float(i[:, 0].sum())))"
    )
    speed, force = map(float, plain_python(program, __file__).split())
    impulses, report = solved(ground(CORNERS, incline(25.0), friction=0.3))
    assert speed == pytest.approx(report.velocity[0, 0], rel=1e-7)
    assert force == pytest.approx(impulses[:, 0].sum(), rel=1e-7)
