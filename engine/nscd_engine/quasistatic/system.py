"""Elements on springs under a load: their displacements, contact forces and equilibrium errors."""

from __future__ import annotations

import numpy as np

from nscd_engine.core.model import Model
from nscd_engine.gate.quasistatic import QuasistaticQuestion
from nscd_engine.kernels.quasistatic.balance import evaluate
from nscd_engine.kernels.quasistatic.springs import SpringState
from nscd_engine.quasistatic.contacts import Springs

#: Stiffness against motion out of the plane of a planar model, over the mean stiffness of the contacts [-]. Nothing
#: acts in this direction; the number only makes the matrix regular.
OUT_OF_PLANE = 1.0


class System:
    """Rigid elements between springs. Displacements are those of the base, the last balanced state, plus a step.

    Parameters
    ----------
    model : Model
    springs : Springs
    question : QuasistaticQuestion

    Attributes
    ----------
    contacts : SpringContacts
    state : SpringState
        Of the contacts.
    free : array (B,) int64
        Number among the elements that move, -1 for held ones.
    displacement, step : arrays (B, 6)
        At the base, and since then [m, rad].
    load : array (B, 6)
        Forces and moments at the centroids [N, N m].
    error : array (B, 6)
        Loads, contact forces and springs together [N, N m]; 0 for held elements.
    """

    def __init__(self, model: Model, springs: Springs, question: QuasistaticQuestion) -> None:
        self.model, self.contacts, self.strength = model, springs.contacts, springs.strength
        elastic = question.springs.any(axis=1)
        moving = (model.bodies.free >= 0) | elastic
        self.free = np.where(moving, np.cumsum(moving) - 1, -1).astype(np.int64)
        self.moving = np.flatnonzero(moving)
        self.reach = 0.5 * model.bodies.size
        self.stiffness = float(self.contacts.stiffness[self.contacts.gap == 0.0, 0].mean())
        self.springs = self._ground(question.springs)
        count, blocks = len(self.contacts.body), len(self.free)
        six = [np.zeros((count, 6)) for _ in range(4)]
        self.state = SpringState(
            springs.kind.copy(), np.zeros(count, np.uint8), *six, np.zeros((count, 6, 6)), np.full(count, -1.0)
        )
        self.displacement, self.step = np.zeros((blocks, 6)), np.zeros((blocks, 6))
        self.load, self.error = np.zeros((blocks, 6)), np.zeros((blocks, 6))

    def _ground(self, springs: np.ndarray) -> np.ndarray:
        """Stiffness (N, 6, 6) of the springs to the ground, and of the plane of a planar model."""
        ground = np.zeros((len(self.moving), 6, 6))
        ground[:, range(6), range(6)] = springs[self.moving]
        if self.model.planar is not None:
            along = np.outer(self.model.planar, self.model.planar)
            held = OUT_OF_PLANE * self.stiffness
            ground[:, :3, :3] += held * along
            ground[:, 3:, 3:] += (held * self.reach[self.moving] ** 2)[:, None, None] * (np.eye(3) - along)
        return ground

    def regularisation(self, rho: float) -> np.ndarray:
        """Diagonal (N, 6) of rho times the mean stiffness; rotations by the square of the reach of the element."""
        scale = np.ones((len(self.moving), 6))
        scale[:, 3:] = self.reach[self.moving, None] ** 2
        return rho * self.stiffness * scale

    def evaluate(self) -> float:
        """Forces of the contacts and errors of the elements at the current step; greatest error [-]."""
        self.error[:] = self.load
        evaluate(self.contacts, self.state, self.step, self.error)
        total = (self.displacement + self.step)[self.moving]
        self.error[self.moving] -= np.einsum("nij,nj->ni", self.springs, total)
        self.error[self.free < 0] = 0.0
        return self.error_max

    @property
    def error_sizes(self) -> np.ndarray:
        """Size of the error of every element [N] (B,); moments count by the force at the reach of the element."""
        scaled = self.error.copy()
        scaled[:, 3:] /= self.reach[:, None]
        return np.linalg.norm(scaled, axis=1)

    @property
    def mean_force(self) -> float:
        """Mean force of the contacts that carry [N]; that of the loads, if none does."""
        force = np.linalg.norm(self.state.force[:, :3], axis=1)
        loads = np.linalg.norm(self.load[self.moving, :3], axis=1)
        for size in (force, loads):
            if size.any():
                return float(size[size > 0.0].mean())
        return 1.0

    @property
    def error_max(self) -> float:
        """Greatest error of an element over the mean contact force [-]."""
        return float(self.error_sizes.max(initial=0.0)) / self.mean_force

    def residual(self) -> np.ndarray:
        """Errors of the elements that move [N, N m] (N, 6)."""
        return self.error[self.moving]

    def advance(self, direction: np.ndarray, length: float = 1.0) -> None:
        """Move the elements that are not held by a multiple of a direction (N, 6)."""
        self.step[self.moving] += length * direction

    def begin(self, load: np.ndarray, held: np.ndarray) -> None:
        """Apply a load (B, 6), and displacements (B, 6) of the held elements; all others are at the base."""
        self.load[:] = load
        self.step[:] = 0.0
        rows = self.free < 0
        self.step[rows] = held[rows] - self.displacement[rows]

    def accept(self) -> None:
        """Make the current state the base of the next increment."""
        self.displacement += self.step
        self.step[:] = 0.0
        self.state.base_deformation[:] = self.state.deformation
        self.state.base_force[:] = self.state.force

    def replace_contacts(self, contacts) -> None:
        """Use contacts with other positions and directions; their number is the same."""
        self.contacts = contacts
