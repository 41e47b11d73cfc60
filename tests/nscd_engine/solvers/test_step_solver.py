"""The solver of a step: which methods are tried, and for how long."""

import numpy as np
import pytest

from block_problems import incline, stack
from compas_nscd.templates import wall
from masonry import pushed
from nscd_engine.contacts.at_rest import detect
from nscd_engine.core.monitor import Monitor
from nscd_engine.core.settings import Settings
from nscd_engine.gate.structure import read_model
from nscd_engine.solvers import newton, step_solver
from nscd_engine.solvers.primal_system import System
from nscd_engine.solvers.problem import static_problem
from nscd_engine.solvers.solution import Warm
from nscd_engine.solvers.workspace import Workspace
from scene_requests import request_from_scene


@pytest.mark.parametrize("blocks, tried", [(130, False), (100, True)])
def test_newton_is_not_tried_far_from_balance_with_many_contacts(blocks, tried):
    """Every block falls a thousand times as fast as gravity makes it in a step: 520 contacts hit, or 400."""
    problem = stack(blocks, incline(0.0))
    velocity = 1e3 * np.arange(1.0, blocks + 1.0)[:, None] * problem.v_free
    system = System(problem._replace(v_free=velocity + problem.v_free), Workspace(), before=velocity)
    found = step_solver.by_newton(system, np.zeros((len(problem.friction), 3)), velocity, True)
    assert (system.iterations > 1) == tried  # one is the prediction
    assert tried or found is None


def test_the_branch_of_a_step_that_moves_is_not_begun_without_its_share_of_iterations(monkeypatch):
    """A stack on a slope of 40 degrees slides; the velocities are the same without the branch."""
    problem, calls = stack(12, incline(40.0)), []
    with_branch = step_solver.solve(problem, Warm(workspace=Workspace()), Settings())[1]
    monkeypatch.setattr(step_solver, "MOVING_VISITS", len(problem.friction))
    monkeypatch.setattr(newton, "from_nothing", lambda *given: calls.append(given))
    without = step_solver.solve(problem, Warm(workspace=Workspace()), Settings())[1]
    assert not calls
    assert without.velocity == pytest.approx(with_branch.velocity, abs=0.02 * np.abs(with_branch.velocity).max())


def test_a_first_step_that_stands_settles_on_its_branch_with_few_factors(monkeypatch):
    """A wall under 0.2 g: 8 iterations with one factor, 0.03 % from the branch. De Saxce's rounds took 20 factors, and
    went ten times as far."""
    model = read_model(request_from_scene(pushed(wall(10, 12).to_scene(), 0.2), {}))
    problem, release, found = static_problem(model, detect(model, Settings(), Monitor()).contacts), newton.release, []

    def noted(problem, branch, settings):
        found.append((branch, *release(problem, branch, settings)))
        return found[-1][1:]

    monkeypatch.setattr(newton, "release", noted)
    impulses, report = step_solver.solve(problem, Warm(workspace=Workspace()), Settings(friction="coulomb"))
    (branch, released, settled), greatest = found[0], np.abs(impulses).max()
    assert len(impulses) >= step_solver.MANY and not branch.moves
    assert released is impulses and settled.factorizations <= 3
    assert report.status == "converged" and report.residual <= step_solver.STILL
    assert np.abs(impulses - branch.impulses).max() < 1e-3 * greatest
