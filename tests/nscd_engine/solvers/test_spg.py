"""P-SPG-FB: its pieces against dense algebra, and a whole structure against Newton."""

import json

import numpy as np
import pytest

from block_problems import CORNERS, ground, incline, stack
from nscd_engine.contacts.at_rest import detect
from nscd_engine.core.monitor import Monitor
from nscd_engine.core.settings import Settings
from nscd_engine.gate.settings import read_settings
from nscd_engine.gate.structure import read_model
from nscd_engine.kernels.solvers import operators
from nscd_engine.kernels.solvers.delassus import levers, local_blocks
from nscd_engine.kernels.solvers.spg import ARMIJO, direction, line_search, product
from nscd_engine.solvers import newton
from nscd_engine.solvers.classic import nlgs, spg
from nscd_engine.solvers.problem import static_problem
from nscd_engine.solvers.solution import Warm
from scene_requests import request_from_scene


def dense(problem):
    """W + E column by column."""
    count = len(problem.friction)
    inverse = operators.inverse_inertia(problem)
    columns = [product(problem, inverse, unit.reshape(count, 3)).ravel() for unit in np.eye(3 * count)]
    return np.array(columns)


def test_product_is_symmetric_and_has_the_local_blocks_on_its_diagonal():
    """Two independent ways to W: through J and J^T, and contact by contact as Gauss-Seidel does."""
    problem = stack(3, masses=[1.0, 2.0, 3.0], compliance=0.25)
    w = dense(problem)
    inverse = operators.inverse_inertia(problem)
    blocks = local_blocks(problem, levers(problem), inverse) + 0.25 * np.eye(3)
    assert np.allclose(w, w.T, atol=1e-12)
    for c in range(len(blocks)):
        assert np.allclose(w[3 * c : 3 * c + 3, 3 * c : 3 * c + 3], blocks[c], atol=1e-12)


def test_direction_is_one_of_descent():
    """Projection on a convex set: y.d <= -|d|^2 / step in the norm of the scale."""
    random = np.random.default_rng(3)
    friction, scale = np.full(50, 0.5), random.uniform(0.5, 2.0, 50)
    g = np.abs(random.normal(size=(50, 3))) * [1.0, 0.1, 0.1]  # inside the cone or nearly
    g[:, 1:] *= np.minimum(1.0, 0.5 * g[:, 0] / np.hypot(g[:, 1], g[:, 2]))[:, None]
    y, d = random.normal(size=(50, 3)), np.empty((50, 3))
    slope, length = direction(friction, scale, 0.7, g, y, d)
    assert slope == pytest.approx((y * d).sum()) and length == pytest.approx((scale[:, None] * d * d).sum())
    assert slope <= -length / 0.7 + 1e-12


def test_line_search_may_climb_to_a_past_value_but_not_beyond():
    values = np.array([0.0, 3.0])
    assert line_search(-1.0, 4.0, values, 0.0) == 1.0  # f(1) = 1 is under 3
    t = line_search(-1.0, 16.0, values, 0.0)  # f(1) = 7 is not, f(1/2) = 1.5 is
    assert t == 0.5 and -t + 8.0 * t * t <= 3.0 - ARMIJO * t


@pytest.mark.parametrize("friction", ["coulomb", "associated"])
def test_least_energy_of_a_sliding_block(friction):
    """The impulses make 1/2 g.Wg + r.g least over the cones (with the slip added for Coulomb): KKT with dense W."""
    problem = ground(CORNERS, incline(30.0), friction=0.3)
    g = spg.solve(problem, None, Settings(friction=friction, tolerance=1e-12, max_iterations=10000))[0]
    inverse = operators.inverse_inertia(problem)
    free = operators.relative_velocity(problem, operators.velocity_after(problem, 0.0 * g, inverse))
    u = (dense(problem) @ g.ravel()).reshape(-1, 3) + free
    if friction == "coulomb":
        u[:, 0] += 0.3 * np.hypot(u[:, 1], u[:, 2])
    assert (u[:, 0] >= 0.3 * np.hypot(u[:, 1], u[:, 2]) - 1e-7).all()
    assert (np.hypot(g[:, 1], g[:, 2]) <= 0.3 * g[:, 0] * (1.0 + 1e-12)).all()
    assert np.abs((u * g).sum(axis=1)).max() < 1e-7 * np.abs(g).max()


def scene_problem(folder, name):
    with open(folder / (name + ".json"), encoding="utf-8") as file:
        request = request_from_scene(json.load(file), {})
    model = read_model(request)
    settings = read_settings(request)
    detection = detect(model, settings, Monitor())
    return static_problem(model, detection.contacts), detection.interfaces


@pytest.mark.shared
@pytest.mark.parametrize("name", ["arch-semi-20", "arch-thin-20"])
@pytest.mark.parametrize("solver", [nlgs, spg], ids=["nlgs", "spg"])
def test_agrees_with_newton_on_an_arch(scenes_dir, solver, name):
    """One stands, one falls; the motion is unique. A residual of 1e-9 leaves about 1e-7 of the free fall in 20 blocks,
    for every block adds up the errors of those before it."""
    problem, _ = scene_problem(scenes_dir, name)
    settings = Settings(tolerance=1e-9, max_iterations=40000)
    report = solver.solve(problem, None, settings)[1]
    other = newton.solve(problem, Warm(), settings)[1]
    assert report.status == "converged" and other.residual < 1e-8
    assert np.abs(report.velocity - other.velocity)[:, :3].max() < 1e-6 * 9.81


@pytest.mark.shared
def test_interfaces_of_a_standing_stack_carry_what_is_above(scenes_dir):
    """Statically determinate between interfaces: every solver must find the weight above each joint."""
    problem, interfaces = scene_problem(scenes_dir, "stack-10")
    impulses, report = spg.solve(problem, None, Settings(tolerance=1e-10, max_iterations=20000))
    reference = newton.solve(problem, Warm(), Settings())[0]
    assert report.status == "converged"
    for start, end in zip(interfaces.contact_start, interfaces.contact_start[1:]):
        force, expected = impulses[start:end].sum(axis=0), reference[start:end].sum(axis=0)
        assert np.allclose(force, expected, atol=1e-6 * 9.81 * problem.mass.sum())
