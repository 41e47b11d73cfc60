"""Estimate of the error of a step: the energy that the time integration takes from blocks in contact.

A theta scheme loses (theta - 1/2) |v+ - v|^2 M of kinetic energy in a step, in addition to what contacts dissipate. A
rocking block thereby comes back lower than it should. The loss per second is proportional to the step.
"""

from __future__ import annotations

from typing import Any, Dict

import numpy as np

from nscd_engine.core.model import Model
from nscd_engine.motion.moreau_jean import Scheme, Step

#: Change of the velocity in a step over that of a fall, above which it is an impact [-]: its loss does not depend on
#: the step. Larger: impacts shorten the steps in vain. Smaller: strong shaking is not followed exactly.
IMPACT = 5.0
#: Kinetic energy that losses are measured by at least, over that of a fall from the size of the largest block [-].
#: Larger: small motions are not followed exactly. Smaller: motions that hardly begin take short steps.
LEAST_ENERGY = 3e-3
#: Time in which the measure of energy forgets a greater one [s]. Longer: the end of a motion is followed less exactly.
#: Shorter: the turning points of rocking take short steps.
MEMORY_S = 2.0


class SchemeLoss:
    """Losses of the scheme over the kinetic energy of a motion.

    Parameters
    ----------
    model : Model
    """

    def __init__(self, model: Model) -> None:
        bodies, self.free = model.bodies, model.bodies.free >= 0
        self.mass, self.fall = bodies.mass[self.free], float(np.linalg.norm(model.gravity))
        self.gyration = np.trace(bodies.inertia[self.free], axis1=1, axis2=2) / (2.0 * self.mass)  # [m2] (N,)
        self.rows = bodies.free
        least = self.mass.sum() * self.fall * bodies.size[self.free].max(initial=0.0)
        self.least = LEAST_ENERGY * float(least)  # [J]
        self.energy = self.least  # [J] measure of the kinetic energy

    def rate(self, done: Step, scheme: Scheme) -> float:
        """Share of the kinetic energy that the scheme loses per second [1/s], judged by the last step."""
        h = scheme.time_step
        after, before = done.after[self.free], done.before[self.free]
        ground = done.after[~self.free, :3].mean(axis=0) if (~self.free).any() else np.zeros(3)
        moving = after - np.append(ground, np.zeros(3))
        kinetic = 0.5 * float(self.mass @ self._square(moving))
        self.energy = max(kinetic, self.energy * np.exp(-h / MEMORY_S), self.least)
        change = self._square(after - before)
        smooth = self._touched(done) & (change < (IMPACT * h * self.fall) ** 2)
        lost = (scheme.theta - 0.5) * float(self.mass[smooth] @ change[smooth])
        return lost / (h * self.energy) if self.energy > 0.0 else 0.0

    def _square(self, v):
        """Squares of velocities [m2/s2] (N,), with the spin at the radius of gyration."""
        return (v[:, :3] ** 2).sum(axis=1) + self.gyration * (v[:, 3:] ** 2).sum(axis=1)

    def _touched(self, done):
        """Free bodies (N,) bool on which contacts act: others fly, and lose nothing but height."""
        touched = np.zeros(len(self.rows), bool)
        touched[done.contacts.body[done.impulses.any(axis=1)]] = True
        return touched[self.free]

    def snapshot(self) -> Dict[str, Any]:
        """State for a checkpoint."""
        return {"energy_measure": self.energy}

    def restore(self, saved: Dict[str, Any]) -> None:
        """Go on from a snapshot; those of version 0.1.0 have no measure."""
        self.energy = saved.get("energy_measure", self.least)
