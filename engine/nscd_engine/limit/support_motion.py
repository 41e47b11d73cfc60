"""Supports that move until the structure falls: equilibrium followed through finite displacements.

At every position of the supports the blocks lie as low as the contacts let them: minimise the potential energy such
that the two points of every contact are together or apart within the dual cone, w = p_b - p_a in K*. That is a
sequence of cone programs, each about the last position, J dq + w in K*. Where it does not come to rest near the last
position there is no equilibrium: the structure falls.

A contact stays at the points of the blocks where it was found. That is exact for blocks that rock about their edges; a
block that slides does so with the dilatancy of associated friction, and does not find new neighbours.
"""

from typing import NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from compas_nscd.errors import NotConvergedError
from nscd_engine.bodies.planar import planar_velocity
from nscd_engine.solvers import cone_program
from nscd_engine.solvers.cone_program import Program

#: First step of the supports, over the size of the structure [-].
FIRST_STEP = 2e-3
#: Step over the way so far at which the limit is found [-].
PRECISION = 2e-5
#: Correction over the size of the structure at which a position is found [-]; most corrections [-].
CLOSED, MOST_CORRECTIONS = 1e-8, 12
#: Way of a block over that of the supports from which it falls rather than follows [-].
FALL = 100.0
#: Steps of the supports after which the search is given up [-].
MOST_STEPS = 2000


class Found(NamedTuple):
    status: str  # solved: it falls at the share; unbounded: it stands wherever the supports go
    share: object  # of the given motion
    steps: int
    displacement: np.ndarray  # [m, rad] (B, 6) at the last equilibrium: of the centroid, and rotation vector
    problem: object  # Problem there
    load: np.ndarray  # [N, N m] (N, 6) there
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
    if place is None:
        return Found("infeasible", None, 0, np.zeros_like(motion), problem, chase.dead(_at_rest(len(motion))), answer)
    for k in range(MOST_STEPS):
        monitor.report("supports moved by {:.5g} of their way".format(share))
        tried, found = chase.settle(_moved(place, motion, share, share + step), size, FALL * step * reach)
        if tried is not None:
            place, answer, share = tried, found, share + step
            step = min(1.5 * step, 0.02 * size / reach)
        elif step <= PRECISION * max(share, FIRST_STEP * size / reach):
            fall = found
            break
        else:
            step = 0.4 * step
        if share * reach > size:
            return Found("unbounded", None, k, _vectors(place), chase.problem_at(place)[0], chase.dead(place), answer)
    else:
        text = "The supports were not followed to the end of their motion."
        raise NotConvergedError(text, remedy="Check the model for joints that slide freely.")
    answer = answer._replace(velocity=fall.velocity)
    return Found("solved", share, k, _vectors(place), chase.problem_at(place)[0], chase.dead(place), answer)


def moved_detection(detection, bodies, displacement, frame):
    """Joints and contacts half-way between the places to which displacements (B, 6) bring them; frame (C, 3, 3)."""
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

    def settle(self, place, size, most=np.inf):
        """Equilibrium near `place` with fixed supports, and its answer.

        None, and how it falls, if there is none that takes less than `most` [m] to reach: blocks that let go fall to
        where something stops them, and the program knows where that is.
        """
        for _ in range(MOST_CORRECTIONS):
            problem, cost = self.problem_at(place)
            system = self.new_system(problem)
            answer = cone_program.solve(system, Program(self.dead(place), cost=cost), "following the supports")
            change = answer.velocity
            way = max(np.abs(change[:, :3]).max(), size * np.abs(change[:, 3:]).max())
            if answer.status != "solved" or way > most:
                return None, answer
            place = self._corrected(place, change)
            if way <= CLOSED * size:
                return place, answer
        return None, answer

    def problem_at(self, place):
        """The problem of the contacts at a position, and what their points are apart (C, 3) in the frames."""
        a, b = self.contacts.body.T
        arm = self.problem.arm
        arm_a, arm_b = place.turn[a].apply(arm[:, 0]), place.turn[b].apply(arm[:, 1])
        apart = place.shift[b] - place.shift[a] + (arm_b - arm[:, 1]) - (arm_a - arm[:, 0])
        # Frames half-way between the two blocks: a joint that opens about its edge then opens along the normal.
        half = _half_way(place.turn, a, b)
        frame = np.stack([half.apply(self.problem.frame[:, k]) for k in range(3)], axis=1)
        arms = np.stack([arm_a + 0.5 * apart, arm_b - 0.5 * apart], axis=1)
        problem = self.problem._replace(arm=arms, frame=np.ascontiguousarray(frame))
        return problem, np.einsum("ckx,cx->ck", frame, apart)

    def dead(self, place):
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
