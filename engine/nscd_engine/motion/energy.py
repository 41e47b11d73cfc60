"""The energy budget of a motion."""

from __future__ import annotations

from typing import Any, Dict

import numpy as np

from nscd_engine.core.model import Model
from nscd_engine.core.state import State
from nscd_engine.kernels.motion import moreau_jean
from nscd_engine.kernels.motion.energy import SCHEME, Exchange, External, energies_of_step
from nscd_engine.motion.moreau_jean import Step


class Energies:
    """Energy budget [J]: kinetic + potential + friction + impact + scheme - work is constant, with the
    elastic energy of deformable blocks (`motion.deformable.state`).

    All in world axes. `work` is that of loads and of moving supports. `scheme` is the loss of the time integration:
    gravity changes the kinetic energy with the mean velocity of the step, the potential energy with the final one.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.total = np.zeros(5)  # [J] friction, impact, work, potential, scheme; compiled steps add to it in place

    def add(self, done: Step, start: State, model: Model, h: float) -> None:
        """Add a step of h [s] from a state, with the gravity and the loads of a model."""
        displacement = done.state.position - start.position
        exchange = Exchange(done.contacts, done.arm, done.impulses, done.before, done.after, displacement)
        self.total += energies_of_step(model.bodies, exchange, External(model.gravity, model.load, h))
        self.total[SCHEME] += done.spin_loss
        if done.elastic is not None:
            self.total += done.elastic

    def row(self, state: State, inertia: np.ndarray) -> np.ndarray:
        """[kinetic, potential, friction, impact, work, scheme] of a state; `inertia` (N, 3, 3) of the free bodies."""
        bodies = self.model.bodies
        kinetic = moreau_jean.kinetic_energy(state.velocity, bodies.mass, inertia, bodies.free)
        friction, impact, work, potential, scheme = self.total
        return np.array([kinetic, potential, friction, impact, work, scheme])

    def snapshot(self) -> Dict[str, Any]:
        """State for a checkpoint."""
        return {"energies": self.total.copy()}

    def restore(self, saved: Dict[str, Any]) -> None:
        """Go on from a snapshot."""
        self.total = np.array(saved["energies"])
