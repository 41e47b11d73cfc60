"""Groups of blocks that rest are left out of the solution of a step (docs/methods.md, section 5.4).

A group is what contacts join, supports apart. It rests if nothing in it moves and the impulses of the step before still
balance it: it keeps them and has no velocity. The solver gets the other groups only. A group whose numbers are the same
bits as in a step in which it rested sleeps: from the same numbers the same answer would follow, and it is not even
looked at.
"""

from __future__ import annotations

from typing import Any, Callable, Tuple

import numpy as np

from nscd_engine.core.settings import Settings
from nscd_engine.core.structs import Problem
from nscd_engine.kernels.motion.resting_groups import resting_bodies
from nscd_engine.solvers.solution import Report, Warm

Solved = Tuple[np.ndarray, Report]


class RestingGroups:
    """Which bodies rest, from step to step.

    Parameters
    ----------
    free : array (B,)
        Index of a block among the free bodies, -1 for a support.
    sleeping : bool, optional
        Whether groups sleep; results are the same bits without.

    Attributes
    ----------
    resting : array (N,) of bool
        Bodies that rested in the last step.
    """

    def __init__(self, free: np.ndarray, sleeping: bool = True) -> None:
        self.sleeping = sleeping
        self._block = np.flatnonzero(free >= 0)
        self._fixed = free < 0
        self.resting = np.zeros(len(self._block), bool)
        self._still = np.zeros(len(self._block), bool)  # without velocity as the last step began
        self._velocity, self._ground = np.full((len(free), 6), np.nan), np.full(3, np.nan)  # as of `asleep`

    def forget(self) -> None:
        """Look at all groups in the next step."""
        self.resting[:] = False

    def asleep(self, steady: np.ndarray, body: np.ndarray, velocity: np.ndarray, ground: np.ndarray) -> np.ndarray:
        """Bodies (N,) bool that sleep if all others of their group do; to be asked once a step.

        Parameters
        ----------
        steady : array (B,) of bool
            Blocks whose pose, free velocity and contacts are the same bits as in the last step.
        body : array (C, 2)
            Blocks of the contacts.
        velocity : array (B, 6)
            As the step begins [m/s, rad/s].
        ground : array (3,)
            Velocity of the axes in which the step is solved [m/s].
        """
        common = self.sleeping and np.array_equal(ground, self._ground)
        steady = steady & (velocity == self._velocity).all(axis=1) & common
        self._velocity, self._ground = velocity, ground
        shaken = np.zeros(len(steady), bool)  # what touches a support that has moved
        for one, other in (body.T, body.T[::-1]):
            shaken[one[self._fixed[other] & ~steady[other]]] = True
        return self.resting & self._still & (steady & ~shaken)[self._block]

    def solve(
        self, solver: Callable[..., Solved], problem: Problem, warm: Warm, settings: Settings, asleep: np.ndarray
    ) -> Solved:
        """Impulses (C, 3) in the contact frames, and a Report; `solver` gets what does not rest."""
        self._still = ~warm.velocity.any(axis=1)
        resting = resting_bodies(problem, warm.impulses, warm.velocity, settings.friction == "coulomb", asleep)
        self.resting = resting
        if not resting.any():
            return solver(problem, warm, settings)
        impulses, velocity = warm.impulses.copy(), np.zeros_like(problem.v_free)
        report = Report(velocity, 0, 0, "converged", 0.0, 0.0, 0.0)
        if not resting.all():
            contact = np.flatnonzero(~resting[problem.body.max(axis=1)])
            impulses[contact], report = solver(*_awake(problem, warm, ~resting, contact), settings)
            velocity[~resting] = report.velocity
        return impulses, report._replace(velocity=velocity)


def _awake(problem: Problem, warm: Warm, awake: np.ndarray, contact: np.ndarray) -> Tuple[Problem, Warm]:
    """Problem and start of the bodies that are `awake` (N,) bool, with their contacts (c,)."""
    number = np.full(len(awake) + 1, -1, np.int32)  # the last stands for supports, -1
    number[np.flatnonzero(awake)] = np.arange(awake.sum(), dtype=np.int32)
    bodies: Any = {name: getattr(problem, name)[awake] for name in ("mass", "inertia", "v_free")}
    contacts: Any = {
        name: getattr(problem, name)[contact] for name in ("arm", "frame", "bias", "friction", "compliance")
    }
    part = Problem(body=number[problem.body[contact]], **bodies, **contacts)
    earlier = None if warm.earlier is None else warm.earlier[awake]
    return part, warm._replace(impulses=warm.impulses[contact], velocity=warm.velocity[awake], earlier=earlier)
