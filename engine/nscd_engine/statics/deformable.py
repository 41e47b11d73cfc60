"""Statics of deformable blocks (docs/deformable.md): their balance, after rigid blocks have been found to stand.

No admissible forces of rigid blocks means collapse, whatever the elasticity. If there are some, elasticity decides
which of them act.
"""

from __future__ import annotations

import time
from typing import List, NamedTuple, Optional

import numpy as np

from compas_nscd.errors import InputError
from nscd_engine.contacts.at_rest import Detection
from nscd_engine.core.loads import Cables, wrenches
from nscd_engine.core.model import Model
from nscd_engine.core.monitor import Monitor
from nscd_engine.core.settings import Settings
from nscd_engine.core.structs import Problem
from nscd_engine.deformable.body import DeformableBody, deformable_bodies
from nscd_engine.deformable.patches import element_contacts
from nscd_engine.laws.posing import Posed, joined
from nscd_engine.solvers.deformable_system import DeformableSystem
from nscd_engine.solvers.deformables import Deformables
from nscd_engine.solvers.elastic_balance import admm, newton, nlgs
from nscd_engine.solvers.elastic_balance.balance import Balance
from nscd_engine.solvers.problem import STATIC_STEP, static_problem
from nscd_engine.solvers.solution import Report
from nscd_engine.statics.elastic_reply import elastic_reply
from nscd_engine.statics.solve import Solution

METHODS = {"newton": newton.solve, "admm": admm.solve, "nlgs": nlgs.solve}


class Deformed(NamedTuple):
    """Deformable blocks in balance."""

    bodies: Deformables
    displacement: List[np.ndarray]  # [m] (n, 3): of the nodes of each
    status: str  # converged, stalled, associated (solvers.elastic_balance)
    of_blocks: np.ndarray  # [m, rad] (B, 6): of rigid blocks; of deformable ones the mean of their nodes


class AtRest(NamedTuple):
    """A structure at rest, solved."""

    model: Model  # with all loads
    detection: Detection
    solution: Solution


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
    rest: AtRest, settings: Settings, monitor: Monitor, cables: Optional[Cables] = None
) -> tuple[AtRest, Optional[Deformed]]:
    """The balance of deformable blocks in place of that of rigid ones, which stand."""
    if not is_deformable(rest.model):
        return rest, None
    if settings.solver not in METHODS:
        text = "The solver '{}' does not take deformable blocks.".format(settings.solver)
        raise InputError(text, remedy="Take {}.".format(", ".join(METHODS)))
    monitor.report("solving deformable blocks")
    start = time.perf_counter()
    bodies = deformables(rest.model)
    if rest.solution.laws is None:
        rest = rest._replace(detection=between_elements(rest.model, rest.detection, bodies))
    posed = _posed(rest, cables)
    loads = bodies.nodal_loads(_wrenches(rest.model), rest.model.point_loads)
    bodies = bodies.on_touched_nodes(posed.reach, rest.model.bodies, loads)
    found = _balance(posed, bodies, loads, settings, rest.model, monitor)
    moved = posed.length * found.displacement
    displacement = [bodies.displacement(k, moved) for k in range(len(bodies.deformable))]
    solution = _solution(rest.solution, posed, found)
    solution = solution._replace(solve_s=rest.solution.solve_s + time.perf_counter() - start)
    of_blocks = _of_blocks(rest.model, bodies, moved, displacement)
    return rest._replace(solution=solution), Deformed(bodies, displacement, found.status, of_blocks)


def _of_blocks(model: Model, bodies: Deformables, tiles: np.ndarray, nodes: List[np.ndarray]) -> np.ndarray:
    """Displacements [m, rad] (B, 6) of all blocks, from those of the tiles (T, 6) and of nodes (n, 3)."""
    moved, free = np.zeros((len(model.names), 6)), np.flatnonzero(model.bodies.free >= 0)
    tile = bodies.rigid_tiles(len(free))
    moved[free[tile >= 0]] = tiles[tile[tile >= 0]]
    for block, own in zip(bodies.blocks, nodes):
        moved[block, :3] = own.mean(axis=0)
    return moved


class _Problem(NamedTuple):
    """What is solved: contacts with friction alone, laws beyond it posed as such."""

    problem: Problem
    reach: Problem  # the same with arms to the ends of cables
    posed: Optional[Posed]  # None: friction alone
    length: float  # displacement over velocity [s]
    step: float  # [s] of M + h^2 K


def _posed(rest: AtRest, cables: Optional[Cables]) -> _Problem:
    laws, contacts = rest.solution.laws, rest.detection.contacts
    if laws is None:
        problem = static_problem(rest.model, contacts)
        return _Problem(problem, problem, None, STATIC_STEP, STATIC_STEP)
    posed = laws.at_rest()
    arm = posed.problem.arm.copy()
    if cables is not None:  # rigid blocks take any point of the line of a cable
        arm[len(contacts.gap) : len(contacts.gap) + len(cables.arm)] = cables.arm
    length = 1.0 / laws.softness if laws.softness else STATIC_STEP
    return _Problem(posed.problem, posed.problem._replace(arm=arm), posed, length, length**0.5)


def _balance(
    posed: _Problem,
    bodies: Deformables,
    loads: List[np.ndarray],
    settings: Settings,
    model: Model,
    monitor: Monitor,
) -> Balance:
    problem = posed.problem
    matrix, mass = bodies.static_matrix(problem, posed.step)
    force = bodies.force(problem, loads)
    levers = bodies.levers(posed.reach, model.bodies)
    system = DeformableSystem(problem, matrix, levers, force, monitor=monitor, threads=settings.threads)
    if posed.posed is not None:  # what presses the cones from the start, and is taken back as a load
        pressed = np.zeros((len(problem.friction), 3))
        pressed[:, 0] = posed.posed.pressed
        back = np.zeros_like(force)
        system.subtract_impulses(pressed, back)
        system.set_force(force + np.where(bodies.is_of_nodes(len(problem.mass))[:, None], back, 0.0))
    return METHODS[settings.solver](system, mass, settings)


def _solution(rigid: Solution, posed: _Problem, found: Balance) -> Solution:
    """The solution for the reply: impulses of the contacts, and the state of their laws."""
    report = _report(rigid.report, found)
    if posed.posed is None or rigid.laws is None:
        return Solution(posed.problem, found.impulses, report)
    laws, count = rigid.laws, len(rigid.impulses)
    impulses = joined(posed.posed, found.impulses)
    cable_force = None if laws.cable_force is None else impulses[count:, 0]
    state = laws._replace(cone_impulses=found.impulses[:count], cable_force=cable_force)
    return rigid._replace(impulses=impulses[:count], report=report, laws=state)


def with_elements(model: Model, detection: Detection) -> Detection:
    """The detection with contacts between elements; as it is if all blocks are rigid."""
    return between_elements(model, detection, deformables(model)) if is_deformable(model) else detection


def between_elements(model: Model, detection: Detection, bodies: Deformables) -> Detection:
    """The detection with contacts at the vertices of the patches between element faces."""
    by_block: List[Optional[DeformableBody]] = [None] * len(model.names)
    for body in bodies.deformable:
        by_block[body.block] = body
    interfaces, contacts = element_contacts(detection.interfaces, detection.contacts, by_block)
    return detection._replace(interfaces=interfaces, contacts=contacts)


def _wrenches(model: Model) -> np.ndarray:
    """Weight and all loads but point loads [N, N m] (N, 6) on the free blocks."""
    free = model.bodies.free >= 0
    wrench = model.load[free] - wrenches(model.point_loads, model.bodies)[free]
    wrench[:, :3] += model.bodies.mass[free, None] * model.gravity
    return wrench


def _report(rigid: Report, found: Balance) -> Report:
    """The report of the rigid blocks, with residual and status of the deformable ones, and the work of both."""
    return rigid._replace(
        iterations=rigid.iterations + found.iterations,
        factorizations=rigid.factorizations + found.factorizations,
        residual=found.residual,
        status="converged" if found.status == "associated" else found.status,
    )


def doubts(model: Model, deformed: Optional[Deformed]) -> list:
    """Warnings if deformable blocks have no balance, or not one with the friction that was asked for."""
    if deformed is None and is_deformable(model):
        message = "It falls whatever the stiffness of its blocks: deformable blocks have neither stresses nor strains."
        return [{"code": "no_stresses", "message": message, "blocks": []}]
    if deformed is None or deformed.status == "converged":
        return []
    if deformed.status == "associated":
        message = (
            "Coulomb friction of the deformable blocks did not settle: the forces are those of associated friction, "
            "with which joints that slide also open."
        )
        return [{"code": "associated_forces", "message": message, "blocks": []}]
    message = "The forces of the deformable blocks are not exact: their solver stopped before its tolerance."
    return [{"code": "not_converged", "message": message, "blocks": []}]


def told_of(model: Model, deformed: Optional[Deformed]) -> dict:
    """Numbers and arrays of deformable blocks for the reply: `elastic` is None if there are none or it collapses."""
    if deformed is None:
        return {"elastic": None}
    told = elastic_reply(model, deformed.bodies.deformable, deformed.displacement)
    return dict(told, displacement=deformed.of_blocks)
