"""What is followed during a motion: energies, who moved when, and whether all has come to rest."""

import numpy as np

from nscd_engine.kernels.motion import moreau_jean
from nscd_engine.kernels.motion.energy import SCHEME, energies_of_step


class Energies:
    """Energy budget [J]: kinetic + potential + friction + impact + scheme - work stays what it was.

    All in axes of the world. `work` is that of loads and of moving supports; `scheme` what the time step swallows:
    gravity acts with the mean velocity of the step on the kinetic energy, with the final one on the potential.
    """

    def __init__(self, model):
        self.model = model
        self.total = np.zeros(5)  # friction, impact, work, potential, scheme

    def add(self, done, before, model, h):
        """Account for a Step that began at positions `before` (B, 3)."""
        self.total += energies_of_step(
            done.contacts, done.arm, done.before, done.after, done.impulses, model.bodies.free,
            done.state.position - before, model.bodies.mass, model.gravity, model.load, h,
        )  # fmt: skip
        self.total[SCHEME] += done.spin_loss

    def row(self, simulation):
        """[kinetic, potential, friction, impact, work, scheme]."""
        model, state = self.model, simulation.state
        kinetic = moreau_jean.kinetic_energy(state.velocity, model.bodies.mass, simulation.inertia, model.bodies.free)
        friction, impact, work, potential, scheme = self.total
        return np.array([kinetic, potential, friction, impact, work, scheme])
