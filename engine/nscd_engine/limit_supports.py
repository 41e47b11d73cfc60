"""Supports that move until the structure falls: equilibrium followed through finite displacements.

At every position of the supports the blocks lie as low as the contacts let them: minimise the potential energy such that the
two points of every contact are together or apart within the dual cone, w = p_b - p_a in K*. That is a sequence of cone
programs, each about the last position, J dq + w in K*; where one has no answer there is no equilibrium: the structure falls.

A contact stays at the points of the blocks where it was found. That is exact for blocks that rock about their edges; a block
that slides does so with the dilatancy of associated friction, and does not find new neighbours.
"""

from typing import NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from . import cone_program
from .cone_program import Program
from .planar import planar_velocity

#: First step of the supports, over the size of the structure [-].
FIRST_STEP = 2e-3
#: Step over the way so far at which the limit is found [-].
PRECISION = 2e-5
#: Correction over the size of the structure at which a position is found [-]; most corrections [-].
CLOSED, MOST_CORRECTIONS = 1e-8, 12
#: Steps of the supports after which the search is given up [-].
MOST_STEPS = 2000


class Found(NamedTuple):
    status: str  # solved: it falls at the share; unbounded: it stands wherever the supports go
    share: object  # of the given motion
    steps: int
    displacement: np.ndarray  # [m, rad] (B, 6) at the last equilibrium: of the centroid, and rotation vector
    answer: object  # Answer with the last forces and the mechanism of the fall


class Place(NamedTuple):
    """Displacements of the blocks: of their centroids (B, 3), and rotations."""

    shift: np.ndarray
    turn: Rotation


def follow(model, problem, contacts, loads, motion, new_system, monitor):
    """Move the supports by growing shares of `motion` (B, 6) until nothing holds the structure.

    `loads` are the point loads (block, point, force); `new_system` makes the light system of a problem.
    """
    chase = _Chase(model, problem, contacts, loads, new_system)
    size = float(np.ptp(model.polyhedra.vertices, axis=0).max())
    reach = np.abs(motion[:, :3]).max() + size * np.abs(motion[:, 3:]).max()
    step, share = FIRST_STEP * size / reach, 0.0
    place, answer = chase.settle(_at_rest(len(motion)), size)
    fall = answer
    if place is None:
        return Found("infeasible", None, 0, np.zeros_like(motion), answer)
    for k in range(MOST_STEPS):
        monitor.report("supports moved by {:.5g} of their way".format(share))
        tried, found = chase.settle(_moved(place, motion, share, share + step), size)
        if tried is not None:
            place, answer, share = tried, found, share + step
            step = min(1.5 * step, 0.02 * size / reach)
        elif step <= PRECISION * max(share, FIRST_STEP * size / reach):
            fall = found if found.status == "infeasible" else answer
            break
        else:
            step, fall = 0.4 * step, found
        if share * reach > size:
            return Found("unbounded", None, k, _vectors(place), answer)
    return Found("solved", share, k, _vectors(place), answer._replace(velocity=fall.velocity))


def _at_rest(count):
    return Place(np.zeros((count, 3)), Rotation.identity(count))


def _vectors(place):
    return np.hstack([place.shift, place.turn.as_rotvec()])


def _moved(place, motion, before, after):
    """The supports brought from one share of their motion to the next."""
    moved = (motion != 0.0).any(axis=1)
    turn = Rotation.from_rotvec(np.where(moved[:, None], after * motion[:, 3:], place.turn.as_rotvec()))
    return Place(place.shift + (after - before) * motion[:, :3], turn)


class _Chase:
    """Finds the equilibrium near a position."""

    def __init__(self, model, problem, contacts, loads, new_system):
        self.model, self.problem, self.contacts, self.new_system = model, problem, contacts, new_system
        self.free = np.flatnonzero(model.bodies.free >= 0)
        block, point, self.load_force = loads
        self.load_block, self.load_arm = block, point - model.bodies.centroid[block]

    def settle(self, place, size):
        """Equilibrium near `place` with fixed supports, and the last answer; None if there is none."""
        for _ in range(MOST_CORRECTIONS):
            system, cost = self._here(place)
            answer = cone_program.solve(system, Program(self._dead(place), cost=cost), "following the supports")
            if answer.status != "solved":
                return None, answer
            change = answer.velocity
            place = self._corrected(place, change)
            if max(np.abs(change[:, :3]).max(), size * np.abs(change[:, 3:]).max()) <= CLOSED * size:
                return place, answer
        return None, answer

    def _here(self, place):
        """System of the contacts at a position, and what their points are apart (C, 3) in the frames."""
        a, b = self.contacts.body.T
        arm = self.problem.arm
        arm_a, arm_b = place.turn[a].apply(arm[:, 0]), place.turn[b].apply(arm[:, 1])
        apart = place.shift[b] - place.shift[a] + (arm_b - arm[:, 1]) - (arm_a - arm[:, 0])
        # Frames half-way between the two blocks: a joint that opens about its edge then opens along the normal.
        half = Rotation.from_rotvec(0.5 * (place.turn[b] * place.turn[a].inv()).as_rotvec()) * place.turn[a]
        frame = np.stack([half.apply(self.problem.frame[:, k]) for k in range(3)], axis=1)
        arms = np.stack([arm_a + 0.5 * apart, arm_b - 0.5 * apart], axis=1)
        system = self.new_system(self.problem._replace(arm=arms, frame=np.ascontiguousarray(frame)))
        return system, np.einsum("ckx,cx->ck", frame, apart)

    def _dead(self, place):
        """Weights and point loads at a position (N, 6)."""
        bodies = self.model.bodies
        wrench = np.zeros((len(bodies.mass), 6))
        wrench[:, :3] = bodies.mass[:, None] * self.model.gravity
        if len(self.load_block):
            moment = np.cross(place.turn[self.load_block].apply(self.load_arm), self.load_force)
            np.add.at(wrench, self.load_block, np.hstack([self.load_force, moment]))
        return planar_velocity(wrench[self.free], self.model.planar)

    def _corrected(self, place, change):
        shift, turn = place.shift.copy(), np.zeros_like(place.shift)
        shift[self.free] += change[:, :3]
        turn[self.free] = change[:, 3:]
        return Place(shift, Rotation.from_rotvec(turn) * place.turn)
