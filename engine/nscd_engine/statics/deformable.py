"""Statics of deformable blocks (docs/deformable.md): their balance, after rigid blocks have been found to stand.

No admissible forces of rigid blocks means collapse, whatever the elasticity. If there are some, elasticity decides
which of them act.
"""

from __future__ import annotations

import time
from typing import List, NamedTuple, Optional

import numpy as np

from nscd_engine.core.loads import wrenches
from nscd_engine.core.model import Model
from nscd_engine.core.monitor import Monitor
from nscd_engine.core.settings import Settings
from nscd_engine.deformable.body import deformable_bodies
from nscd_engine.solvers import elastic_balance
from nscd_engine.solvers.deformable_system import DeformableSystem
from nscd_engine.solvers.deformables import Deformables
from nscd_engine.solvers.problem import STATIC_STEP
from nscd_engine.statics.elastic_reply import elastic_reply
from nscd_engine.statics.solve import Solution


class Deformed(NamedTuple):
    """Deformable blocks in balance."""

    bodies: Deformables
    displacement: List[np.ndarray]  # [m] (n, 3): of the nodes of each
    drift: float  # speed that is left over that of free fall [-]


def is_deformable(model: Model) -> bool:
    """Whether a free block is deformable."""
    return model.elastic is not None and any(each is not None for each in model.elastic)


def deformables(model: Model) -> Deformables:
    """The deformable blocks of a model."""
    bodies, elastic = model.bodies, model.elastic or ()
    found = deformable_bodies(model.polyhedra, bodies.mass / bodies.volume, elastic, model.planar, model.names)
    free = [body for body in found if body is not None and bodies.free[body.block] >= 0]
    return Deformables(bodies, free, model.planar)


def deform(
    model: Model, solution: Solution, settings: Settings, monitor: Monitor
) -> tuple[Solution, Optional[Deformed]]:
    """The balance of deformable blocks in place of that of rigid ones, which stand."""
    if not is_deformable(model):
        return solution, None
    monitor.report("solving deformable blocks")
    start = time.perf_counter()
    bodies, problem = deformables(model), solution.problem
    matrix, mass = bodies.static_matrix(problem, STATIC_STEP)
    free = model.bodies.free >= 0
    wrench = model.load[free] - wrenches(model.point_loads, model.bodies)[free]
    wrench[:, :3] += model.bodies.mass[free, None] * model.gravity
    force = bodies.force(problem, wrench, model.point_loads, model.bodies)
    levers = bodies.levers(problem, model.bodies)
    system = DeformableSystem(problem, matrix, levers, force, monitor=monitor, threads=settings.threads)
    found = elastic_balance.solve(system, lambda v: np.einsum("tij,tj->ti", mass, v), settings)
    displacement = [STATIC_STEP * bodies.nodes(k, found.displacement) for k in range(len(bodies.deformable))]
    report = solution.report._replace(
        iterations=solution.report.iterations + found.iterations,
        factorizations=solution.report.factorizations + found.factorizations,
        residual=found.residual,
        status=found.status,
    )
    solve_s = solution.solve_s + time.perf_counter() - start
    deformed = Deformed(bodies, displacement, found.drift)
    return solution._replace(impulses=found.impulses, report=report, solve_s=solve_s), deformed


def told_of(model: Model, deformed: Optional[Deformed]) -> dict:
    """Numbers and arrays of deformable blocks for the reply: `elastic` is None if there are none or it collapses."""
    if deformed is None:
        return {"elastic": None}
    return elastic_reply(model, deformed.bodies.deformable, deformed.displacement)
