"""ADMM for moving blocks: balance at every iteration, the solution of the exact solver in the end."""

import ast

import numpy as np
import pytest
from numba import njit
from test_newton import solved

from block_problems import CORNERS, GRAVITY, ground, incline, stack
from block_problems import problem as boxes
from nscd_engine.core import threads
from nscd_engine.core.monitor import Monitor
from nscd_engine.core.threads import Threads
from nscd_engine.kernels.solvers import admm_step, operators
from nscd_engine.kernels.solvers.admm import AdmmProblem, solve_admm
from nscd_engine.kernels.solvers.admm_step import SOFTNESS
from nscd_engine.linalg import factor, symbolic
from nscd_engine.service import warm_scenes, warm_up
from nscd_engine.solvers import admm
from nscd_engine.solvers.solution import Warm
from nscd_engine.solvers.workspace import Workspace
from plain_python import plain_python

PER_CONTACT = ("body", "arm", "frame", "bias", "friction", "compliance")


def by_admm(problem, iterations, coulomb=True):
    """Impulses and velocities, from nothing, and the inverse inertias."""
    inverse = operators.inverse_inertia(problem)
    w = operators.mobility(problem, inverse)
    given = AdmmProblem(problem, 1.0 / (SOFTNESS * w), w, inverse, coulomb)
    factor = admm.factorise(problem, given.penalty, Workspace(), Threads(1))
    gamma, v = np.zeros((len(problem.friction), 3)), problem.v_free.copy()
    solve_admm(given, factor, iterations, 0.0, v, gamma)
    return gamma, v, inverse


@pytest.mark.short
@pytest.mark.parametrize("iterations", [1, 3, 20])
def test_what_acts_is_in_balance_from_the_first_iteration_on(iterations):
    problem = stack(6, incline(33.0))
    impulses, v, inverse = by_admm(problem, iterations)
    after = operators.velocity_after(problem, impulses, inverse)
    assert np.abs(after - v).max() < 1e-12 * np.abs(v).max() * len(problem.friction)


@pytest.mark.short
@pytest.mark.parametrize("friction", ["coulomb", "associated"])
@pytest.mark.parametrize("degrees", [10.0, 35.0])
def test_converges_to_the_answer_of_newton(friction, degrees):
    """At 10 degrees the stack stands, at 35 (mu 0.6, 31 degrees) it slides; both frictions move it differently."""
    problem = stack(4, incline(degrees))
    _, v, _ = by_admm(problem, 3000, friction == "coulomb")
    _, report = solved(problem, friction=friction)
    assert np.abs(v - report.velocity).max() < 1e-6 * GRAVITY


def test_coulomb_slides_as_the_formula_says():
    """One block at 40 degrees: a = g (sin - mu cos), no lift."""
    _, v, _ = by_admm(ground(CORNERS, incline(40.0)), 2000)
    angle = np.radians(40.0)
    assert v[0, 0] == pytest.approx(GRAVITY * (np.sin(angle) - 0.6 * np.cos(angle)), rel=1e-6)
    assert abs(v[0, 2]) < 1e-6


def test_soft_joints_give_as_they_should():
    """A joint of compliance C under a quarter of the weight each: u = - C gamma."""
    compliance = 1e-6
    impulses, v, _ = by_admm(ground(CORNERS, compliance=compliance), 3000)
    # 4 springs in parallel with the inertia of the block: m (v + g) = -4 v / C
    expected = -1000.0 * GRAVITY / (1000.0 + 4.0 / compliance)
    assert v[0, 2] == pytest.approx(expected, rel=1e-6)
    assert np.allclose(impulses[:, 0], -expected / compliance, rtol=1e-6)


def test_the_order_of_the_contacts_does_not_matter():
    """Runs of nine contacts and of one, or of any number between: the same velocities, to the rounding of the solve."""
    grid = [(x, y) for x in (-0.5, 0.0, 0.5) for y in (-0.5, 0.0, 0.5)]
    bodies = [(k - 1, k) for k in range(5) for _ in grid[: 9 - k]]
    arms = [[(x, y, 0.5), (x, y, -0.5)] for k in range(5) for x, y in grid[: 9 - k]]
    given = boxes(bodies, arms, incline(33.0), 0.6, [1000.0] * 5, 0.0)
    _, v, _ = by_admm(given, 50)
    for seed in range(3):
        order = np.random.default_rng(seed).permutation(len(bodies))
        per_contact = {name: getattr(given, name)[order] for name in PER_CONTACT}
        _, other, _ = by_admm(given._replace(**per_contact), 50)
        assert np.abs(other - v).max() < 1e-6 * GRAVITY


def test_same_bits_of_the_factor_for_any_number_of_threads(monkeypatch):
    monkeypatch.setattr(symbolic, "WORTH_THREADS", 0.0)
    monkeypatch.setattr(threads, "CORES", 4)
    problem = stack(40, incline(33.0))
    w = operators.mobility(problem, operators.inverse_inertia(problem))
    penalty = admm_step.penalties(problem, w)
    factors = [admm.factorise(problem, penalty, Workspace(), Threads(n)) for n in (1, 2, 3)]
    assert len(factors[0].sym.task_start) > 3
    assert len({factor.packed.values.tobytes() for factor in factors}) == 1


def step_of_many_bodies(monkeypatch):
    """Problem and start of a step of 60 bodies whose iterations are in parts, and whose factor has several tasks."""
    monkeypatch.setattr(symbolic, "WORTH_THREADS", 0.0)
    monkeypatch.setattr(factor, "_recent", [])
    monkeypatch.setattr(threads, "CORES", 4)
    problem = stack(60, incline(33.0))
    v = 0.1 * np.random.default_rng(3).normal(size=(60, 6))
    return problem._replace(v_free=problem.v_free + v), Warm(np.zeros((len(problem.friction), 3)), v, Workspace(), v)


def test_iterations_in_parts_are_those_of_one_kernel(monkeypatch):
    """To the rounding of a solve in single precision; sums are added in another order."""
    problem, warm = step_of_many_bodies(monkeypatch)
    whole = admm.solve_step(problem, warm, True, Threads(1))
    monkeypatch.setattr(admm, "MOST_WHOLE", 59)
    monkeypatch.setattr(admm_step, "solve_within", None)
    parts = admm.solve_step(problem, warm, True, Threads(1))
    assert len(warm.workspace.admm.sym.task_start) > 3
    assert parts[3] == whole[3] > 10 and parts[2] == pytest.approx(whole[2], rel=1e-3)
    assert np.abs(parts[0] - whole[0]).max() < 1e-6 * np.abs(whole[0]).max()
    assert np.abs(parts[1] - whole[1]).max() < 1e-6 * np.abs(whole[1]).max()


@pytest.mark.parametrize("tasks", ["one", "several"])
def test_same_bits_of_iterations_in_parts_for_any_number_of_threads(monkeypatch, tasks):
    problem, warm = step_of_many_bodies(monkeypatch)
    if tasks == "one":
        monkeypatch.setattr(symbolic, "WORTH_THREADS", np.inf)
    monkeypatch.setattr(admm, "MOST_WHOLE", 59)
    found = [admm.solve_step(problem, warm, True, Threads(n)) for n in (1, 2, 3)]
    assert (len(warm.workspace.admm.sym.task_start) == 2) == (tasks == "one")
    assert len({(gamma.tobytes(), v.tobytes(), residual, done) for gamma, v, residual, done in found}) == 1


def test_the_penalty_falls_with_the_contacts_of_two_bodies_not_with_those_of_one():
    """The middle one of three touches both others 24 times: its 48 contacts do not resist together.

    Contacts of the two pairs in turn, as between bodies of many parts; with 64 of a pair the penalty is halved.
    """
    for each, share in ((24, 1.0), (64, 0.5)):
        bodies = [(k % 2, k % 2 + 1) for k in range(2 * each)]
        given = boxes(bodies, [[(0.1, 0.2, 0.5), (0.1, 0.2, -0.5)]] * len(bodies), incline(0.0), 0.6, [1000.0] * 3, 0.0)
        w = operators.mobility(given, operators.inverse_inertia(given))
        assert admm_step.penalties(given, w) * w == pytest.approx(share / SOFTNESS)


@njit
def compiled_step(problem, factor, coulomb, v, earlier, gamma):
    """`take_step`, which only kernels can call."""
    return admm_step.take_step(problem, factor, coulomb, v, earlier, gamma)


@pytest.mark.parametrize("coulomb", [True, False])
@pytest.mark.parametrize("degrees", [10.0, 33.0])
def test_compiled_and_python_step_have_the_same_bits(degrees, coulomb):
    """`admm_step.take_step` of compiled motions and `admm.solve_step` are one sequence, over three steps."""
    problem, rng = stack(12, incline(degrees)), np.random.default_rng(3)
    workspace = Workspace()
    factor = workspace.admm_arrays(workspace.factor_structure(problem.body, len(problem.mass)))
    v, earlier = 0.1 * rng.normal(size=(2, 12, 6))
    gamma = np.zeros((len(problem.friction), 3))
    for _ in range(3):
        problem = problem._replace(v_free=v + problem.v_free)
        warm = Warm(gamma, v, Workspace(), earlier)
        found, velocity, residual, iterations = admm.solve_step(problem, warm, coulomb, Threads(1))
        after, done, good = compiled_step(problem, factor, coulomb, v, earlier, gamma)
        assert iterations == done > 0 and good == (residual <= admm_step.WORST)
        assert found.tobytes() == gamma.tobytes() and velocity.tobytes() == after.tobytes()
        earlier, v = v, after


def test_the_kernels_are_plain_python_too():
    """Without compilation, on a tiny case: the same answer."""
    script = (
        "import numpy as np\n"
        "from block_problems import incline, stack\n"
        "from test_admm import by_admm\n"
        "print(repr(by_admm(stack(2, incline(33.0)), 5)[1].tolist()))\n"
    )
    told = plain_python(script, __file__)
    compiled = by_admm(stack(2, incline(33.0)), 5)[1]
    assert np.allclose(np.array(ast.literal_eval(told)), compiled, rtol=1e-4, atol=1e-6 * GRAVITY)


def test_both_precisions_are_compiled_ahead(monkeypatch):
    """A motion that needs the second one does not stop to compile it."""
    solve, used = admm_step.solve_within, []
    monkeypatch.setattr(
        admm_step, "solve_within", lambda given, factor, *rest: used.append(factor) or solve(given, factor, *rest)
    )
    warm_up.seldom_used_methods(warm_scenes.slide(), Monitor())
    assert {factor.panels.dtype for factor in used} == {np.dtype(np.float32), np.dtype(np.float64)}
