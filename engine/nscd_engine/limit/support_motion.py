"""Supports moved until the structure falls: equilibrium followed through finite displacements.

At every position of the supports the blocks minimise the potential energy such that the two points of every contact
differ by an element of the dual cone, w = p_b - p_a in K*. That is a sequence of cone programs, each about the last
position, J dq + w in K*. Where it does not converge near the last position there is no equilibrium: it falls.

A contact keeps the points of the blocks where it was detected. That is exact for blocks that rock about their edges. A
block that slides does so with the dilatancy of associated friction, and gets no contacts with new neighbours.
"""

from __future__ import annotations

from typing import Callable, NamedTuple, Optional

import numpy as np
from scipy.spatial.transform import Rotation

from compas_nscd.errors import NotConvergedError
from nscd_engine.bodies.planar import planar_velocity
from nscd_engine.contacts.at_rest import Detection
from nscd_engine.core.model import Model
from nscd_engine.core.monitor import Monitor
from nscd_engine.core.structs import Bodies, Contacts, Problem
from nscd_engine.solvers import cone_program
from nscd_engine.solvers.cone_program import Answer, Program

#: First step of the supports over the size of the structure [-]. Larger: more failed steps. Smaller: more steps.
FIRST_STEP = 2e-3
#: Step over the displacement so far at which the limit is found [-]: the precision of the limit.
PRECISION = 2e-5
#: Correction over the size of the structure at which a position is in equilibrium [-]. Smaller: rounding prevents it.
CLOSED = 1e-8
#: Most corrections of a position [-]. Fewer: equilibrium is missed near the limit.
MOST_CORRECTIONS = 12
#: Displacement of a block over that of the supports from which it falls [-]. Smaller: hinges that move fast count as a
#: fall. Larger: blocks that let go count as equilibrium where something stops them.
FALL = 100.0
#: Steps of the supports after which the search is given up [-].
MOST_STEPS = 2000


class Found(NamedTuple):
    """End of the motion."""

    status: str  # solved: it falls at the share; infeasible: it falls at rest; unbounded: no motion makes it fall
    share: Optional[float]  # of the given motion
    steps: int
    displacement: np.ndarray  # [m, rad] (B, 6) at the last equilibrium: of the centroid, and rotation vector
    problem: Problem  # there
    load: np.ndarray  # [N, N m] (N, 6) there
    answer: Answer  # with the last forces and the mechanism of the fall


class Displacement(NamedTuple):
    """Displacements of B blocks."""

    shift: np.ndarray  # [m] (B, 3): of the centroids
    turn: Rotation  # (B,)


def follow(
    model: Model,
    problem: Problem,
    contacts: Contacts,
    motion: np.ndarray,
    new_system: Callable,
    monitor: Monitor,
) -> Found:
    """Move the supports by growing shares of a motion until there is no equilibrium.

    Parameters
    ----------
    model : Model
    problem : Problem
        Of the contacts, at rest.
    contacts : Contacts
    motion : array (B, 6)
        Displacement of the supports [m, rad].
    new_system : callable
        Light system (solvers.cone_program) of a problem.
    monitor : Monitor
    """
    path = _EquilibriumPath(model, problem, contacts, new_system)
    size = float(np.ptp(model.polyhedra.vertices, axis=0).max())
    reach = np.abs(motion[:, :3]).max() + size * np.abs(motion[:, 3:]).max()
    step, share = FIRST_STEP * size / reach, 0.0
    displaced, answer = path.settle(_at_rest(len(motion)), size)
    if displaced is None:
        return Found("infeasible", None, 0, np.zeros_like(motion), problem, path.dead(_at_rest(len(motion))), answer)
    for k in range(MOST_STEPS):
        monitor.report("supports moved by {:.5g} of their displacement".format(share))
        tried, found = path.settle(_moved(displaced, motion, share, share + step), size, FALL * step * reach)
        if tried is not None:
            displaced, answer, share = tried, found, share + step
            step = min(1.5 * step, 0.02 * size / reach)
        elif step <= PRECISION * max(share, FIRST_STEP * size / reach):
            fall = found
            break
        else:
            step = 0.4 * step
        if share * reach > size:
            return Found(
                "unbounded", None, k, _vectors(displaced), path.problem_at(displaced)[0], path.dead(displaced), answer
            )
    else:
        text = "The supports were not followed to the end of their motion."
        raise NotConvergedError(text, remedy="Check the model for joints that slide freely.")
    answer = answer._replace(velocity=fall.velocity)
    return Found("solved", share, k, _vectors(displaced), path.problem_at(displaced)[0], path.dead(displaced), answer)


def moved_detection(detection: Detection, bodies: Bodies, displacement: np.ndarray, frame: np.ndarray) -> Detection:
    """Interfaces and contacts half-way between their displaced positions on both blocks.

    Parameters
    ----------
    detection : Detection
    bodies : Bodies
    displacement : array (B, 6)
        [m, rad]
    frame : array (C, 3, 3)
        Of the contacts in the displaced position.
    """
    turn, shift = Rotation.from_rotvec(displacement[:, 3:]), displacement[:, :3]

    def moved(points, body):
        return np.mean(
            [bodies.centroid[k] + shift[k] + turn[k].apply(points - bodies.centroid[k]) for k in body.T], axis=0
        )

    found, contacts = detection.interfaces, detection.contacts
    if not len(found.area):
        return detection
    of = np.repeat(np.arange(len(found.area)), np.diff(found.polygon_start))
    a, b = found.body.T
    interfaces = found._replace(
        normal=_half_way(turn, a, b).apply(found.normal),
        centroid=moved(found.centroid, found.body),
        polygon=moved(found.polygon, found.body[of]),
    )
    contacts = contacts._replace(point=moved(contacts.point, contacts.body), frame=frame)
    return detection._replace(interfaces=interfaces, contacts=contacts)


def _half_way(turn, a, b):
    """Rotations half-way between those of blocks a and b."""
    return Rotation.from_rotvec(0.5 * (turn[b] * turn[a].inv()).as_rotvec()) * turn[a]


def _at_rest(count):
    return Displacement(np.zeros((count, 3)), Rotation.identity(count))


def _vectors(displaced):
    return np.hstack([displaced.shift, displaced.turn.as_rotvec()])


def _moved(displaced, motion, before, after):
    """Displacements with the supports moved on from one share of their motion to the next."""
    moved = (motion != 0.0).any(axis=1)
    turn = Rotation.from_rotvec(np.where(moved[:, None], after * motion[:, 3:], displaced.turn.as_rotvec()))
    return Displacement(displaced.shift + (after - before) * motion[:, :3], turn)


class _EquilibriumPath:
    """Finds the equilibrium near a position."""

    def __init__(self, model, problem, contacts, new_system):
        self.model, self.problem, self.contacts, self.new_system = model, problem, contacts, new_system
        self.free = np.flatnonzero(model.bodies.free >= 0)
        block, point, self.load_force = model.point_loads
        self.load_block, self.load_arm = block, point - model.bodies.centroid[block]

    def settle(self, displaced, size, most=np.inf):
        """Equilibrium near `displaced` with fixed supports, and its answer.

        None, and the answer with the mechanism, if there is none within a displacement of `most` [m]: blocks that let
        go fall until something stops them, and the program finds that position.
        """
        for _ in range(MOST_CORRECTIONS):
            problem, cost = self.problem_at(displaced)
            system = self.new_system(problem)
            answer = cone_program.solve(system, Program(self.dead(displaced), cost=cost), "following the supports")
            change = answer.velocity
            moved = max(np.abs(change[:, :3]).max(), size * np.abs(change[:, 3:]).max())
            if answer.status != "solved" or moved > most:
                return None, answer
            displaced = self._corrected(displaced, change)
            if moved <= CLOSED * size:
                return displaced, answer
        return None, answer

    def problem_at(self, displaced):
        """The problem of the contacts at a position, and the distances of their two points [m] (C, 3) in the frames."""
        a, b = self.contacts.body.T
        arm = self.problem.arm
        arm_a, arm_b = displaced.turn[a].apply(arm[:, 0]), displaced.turn[b].apply(arm[:, 1])
        apart = displaced.shift[b] - displaced.shift[a] + (arm_b - arm[:, 1]) - (arm_a - arm[:, 0])
        # Frames half-way between the two blocks: a joint that opens about its edge then opens along the normal.
        half = _half_way(displaced.turn, a, b)
        frame = np.stack([half.apply(self.problem.frame[:, k]) for k in range(3)], axis=1)
        arms = np.stack([arm_a + 0.5 * apart, arm_b - 0.5 * apart], axis=1)
        problem = self.problem._replace(arm=arms, frame=np.ascontiguousarray(frame))
        return problem, np.einsum("ckx,cx->ck", frame, apart)

    def dead(self, displaced):
        """Weights and point loads at a position [N, N m] (N, 6)."""
        bodies = self.model.bodies
        wrench = np.zeros((len(bodies.mass), 6))
        wrench[:, :3] = bodies.mass[:, None] * self.model.gravity
        if len(self.load_block):
            moment = np.cross(displaced.turn[self.load_block].apply(self.load_arm), self.load_force)
            np.add.at(wrench, self.load_block, np.hstack([self.load_force, moment]))
        return planar_velocity(wrench[self.free], self.model.planar)

    def _corrected(self, displaced, change):
        shift, turn = displaced.shift.copy(), np.zeros_like(displaced.shift)
        shift[self.free] += change[:, :3]
        turn[self.free] = change[:, 3:]
        return Displacement(shift, Rotation.from_rotvec(turn) * displaced.turn)
