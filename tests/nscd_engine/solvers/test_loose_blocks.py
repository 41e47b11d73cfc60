"""Blocks that hold back Newton's method are solved by themselves; rounds of Tresca's law keep their factor."""

import numpy as np
import pytest

from benchmarks.measure.large import GRAVITY, arcade, on_an_arch, slippery
from compas_nscd import wire
from compas_nscd.client.requests import StaticRequest
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.settings import Settings
from compas_nscd.templates import wall
from nscd_engine.core.monitor import Monitor
from nscd_engine.gate.scene import read_scene
from nscd_engine.solvers import newton
from nscd_engine.solvers.primal import loose_blocks
from nscd_engine.solvers.primal_system import System
from nscd_engine.solvers.problem import static_problem
from nscd_engine.solvers.solution import Warm
from nscd_engine.statics.prepare import prepare


def problem_of(structure, tilt=0.0):
    case = LoadCase(gravity=(tilt * GRAVITY, 0.0, -GRAVITY))
    scene = read_scene(wire.unpack(StaticRequest(structure, case, Settings(threads=1)).packed))
    model, detection, _, _ = prepare(scene, Monitor())
    return static_problem(model, detection.contacts), scene.settings


def on_the_way(tilt=0.2):
    """A wall after two iterations, and blocks inside it."""
    problem, _ = problem_of(slippery(10, 8), tilt)
    system = System(problem, softened=True)
    system.regularise(1e-5)
    system.descend(1e-8, 2)
    assert system.size > 1e-3
    return system, loose_blocks.held_back(system.grouped, system.work, True)


def branch_of(structure, tilt=0.0):
    """The report, the branch from the unloaded state, and how many factorisations that took."""
    problem, settings = problem_of(structure, tilt)
    report = newton.solve(problem, Warm(), settings)[1]
    system = report.follow.args[0]
    before = system.factorizations
    branch = report.follow()
    return report, branch, system.factorizations - before


def test_blocks_by_themselves_have_the_imbalance_of_the_whole():
    system, bodies = on_the_way()
    assert 1 < len(bodies) < len(system.unit)
    loose = loose_blocks.LooseBlocks(system.shifted, system.grouped, system.work, system.unit, bodies)
    loose.descend(np.inf, 0.0, None)  # evaluates only
    assert np.allclose(loose.work.g, system.work.g[bodies], atol=1e-9 * system.scale)
    assert np.allclose(loose.work.gamma, system.work.gamma[loose.grouped.contact], atol=1e-9 * system.scale)


def test_blocks_by_themselves_come_to_balance_while_others_are_held():
    system, bodies = on_the_way()
    before = system.velocity()
    system._settle_loose(True, 1e-9)
    held = np.setdiff1d(np.arange(len(before)), bodies)
    assert np.array_equal(system.velocity()[held], before[held])
    assert np.abs(system.work.g[bodies]).max() <= 1e-9 * system.scale


def test_few_blocks_are_taken_however_many_are_out_of_balance():
    system, _ = on_the_way()
    system.work.g[:, 0] = system.scale * np.linspace(1.0, 2.0, len(system.unit))
    assert 0 < len(loose_blocks.held_back(system.grouped, system.work, False)) < 0.5 * len(system.unit)
    system.work.g[:, 0] = system.scale  # all alike: a problem as large as the whole
    assert len(loose_blocks.held_back(system.grouped, system.work, False)) == 0


def test_walls_near_sliding_take_few_iterations():
    """38 iterations and 51 factorisations of the branch before."""
    report, branch, factors = branch_of(slippery(100, 20), 0.28)
    assert report.status == "converged" and report.residual <= 1e-10 and report.iterations <= 26
    assert branch.settled and not branch.moves and factors <= 15


def test_the_branch_of_a_wall_uses_the_factor_of_the_balance():
    """3 factorisations before."""
    report, branch, factors = branch_of(wall(20, 25))
    assert report.status == "converged" and branch.settled and not branch.moves and factors <= 1


@pytest.mark.slow
@pytest.mark.parametrize("family, small, large", [(on_an_arch, 0.12, 0.06), (arcade, 0.2, 0.1)])
def test_iterations_hardly_grow_with_the_number_of_blocks(family, small, large):
    few, many = (branch_of(family(course)) for course in (small, large))
    assert many[0].residual <= 1e-10 and many[0].iterations <= 1.5 * few[0].iterations
    assert many[1].settled and not many[1].moves and many[2] <= 60


@pytest.mark.slow
def test_a_wall_at_its_limit_is_solved_by_newton():
    """Friction 0.3 under 0.30 g; without patience near a balance 1,300 iterations ended at a residual of 1e-6."""
    report, branch, _ = branch_of(slippery(50, 20), 0.30)
    assert report.status == "converged" and report.residual <= 1e-10 and report.iterations <= 200
    assert branch.settled and not branch.moves


@pytest.mark.slow
def test_contacts_that_change_their_states_are_settled_with_a_finer_compliance(monkeypatch):
    """81 iterations without it, 51 with it."""
    problem, settings = problem_of(slippery(200, 40), 0.28)
    finer = newton.solve(problem, Warm(), settings)[1]
    monkeypatch.setattr(newton, "FINER", 1.0)
    alike = newton.solve(problem, Warm(), settings)[1]
    assert finer.residual <= 1e-10 and finer.iterations <= 0.8 * alike.iterations
