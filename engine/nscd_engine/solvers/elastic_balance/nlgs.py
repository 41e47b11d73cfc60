"""The balance of deformable bodies by non-linear Gauss-Seidel (docs/methods.md, section 4.2), contact by contact.

A body answers an impulse by its whole matrix. Rigid motions of elastic bodies are so much softer than their strains
that sweeps would hardly see the latter: the bodies are made heavy until both are alike, and inertia is taken off again
from round to round, as it acts on the change of the displacements only.
"""

from __future__ import annotations

import numpy as np

from nscd_engine.core.settings import Settings
from nscd_engine.kernels.solvers import residuals
from nscd_engine.kernels.solvers.nlgs import Answers, answers_of, sweep_tiles
from nscd_engine.solvers.classic.nlgs import MOST_SWEEPS, orders
from nscd_engine.solvers.deformable_system import DeformableSystem
from nscd_engine.solvers.elastic_balance.balance import AT_REST, EXACT, Balance, momentum, status_of

#: Mass added to a body over its stiffness, both as traces of their matrices [-]. Larger: more rounds. Smaller: more
#: sweeps in each.
HEAVY = 1e-2
#: Sweeps of a round [-].
SWEEPS = 4


def solve(system: DeformableSystem, mass: np.ndarray, settings: Settings) -> Balance:
    """The balance; parameters as of `newton.solve`. An iteration is one sweep over all contacts."""
    load, coulomb = system.force, settings.friction == "coulomb"
    bodies = _Bodies(system, mass)
    impulses, v = np.zeros((len(system.w), 3)), np.zeros_like(load)
    fall = residuals.free_velocity(system.problem) or 1.0
    random = None if settings.seed is None else np.random.default_rng(settings.seed)
    most = settings.max_iterations or MOST_SWEEPS
    residual = drift = np.inf
    while system.iterations < most and not (residual <= EXACT and drift <= AT_REST):
        before = v
        v = bodies.velocity(load + momentum(bodies.heavy, before), impulses)
        each = orders(len(impulses), SWEEPS, random)
        sweep_tiles(system.problem, system.tiles, bodies.answers, each, coulomb, impulses, v)
        system.count_iteration(SWEEPS)
        system.set_force(load + momentum(mass, before))
        residual = system.residual_at(impulses, v, coulomb)
        drift = float(np.abs(v - before).max(initial=0.0)) / fall
    return Balance(v, impulses, residual, drift, system.iterations, 0, status_of(residual, drift))


class _Bodies:
    """The bodies of a system, made heavy.

    Attributes
    ----------
    heavy : array (T, 6, 6)
        Their masses.
    answers : Answers
    """

    def __init__(self, system: DeformableSystem, mass: np.ndarray) -> None:
        self.system, matrix = system, system.matrix
        count = len(system.problem.mass)
        self.first = np.searchsorted(matrix.tile_body, np.arange(count + 1))
        trace, own = (
            np.bincount(matrix.tile_body, np.einsum("tkk->t", each), count) for each in (matrix.diagonal, mass)
        )
        self.heavy = mass * (1.0 + HEAVY * trace / own)[matrix.tile_body, None, None]
        self.inverse = [self._inverse(body, matrix.diagonal + self.heavy - mass) for body in range(count)]
        self.answers = self._answers()

    def _inverse(self, body: int, diagonal: np.ndarray) -> np.ndarray:
        """Inverse (6 t, 6 t) of the matrix of a body of t tiles."""
        first, last = self.first[body : body + 2]
        dense = np.zeros((last - first, 6, last - first, 6))
        for k in range(first, last):
            dense[k - first, :, k - first] = diagonal[k]
        pair = self.system.matrix.pair
        for p in np.flatnonzero((pair[:, 0] >= first) & (pair[:, 0] < last)):
            a, b = pair[p] - first
            dense[a, :, b] = self.system.matrix.coupling[p]
            dense[b, :, a] = self.system.matrix.coupling[p].T
        size = 6 * (last - first)
        return np.linalg.inv(dense.reshape(size, size))

    def velocity(self, force: np.ndarray, impulses: np.ndarray) -> np.ndarray:
        """Velocities (T, 6) under forces (T, 6) and impulses (C, 3)."""
        total = -force
        self.system.subtract_impulses(impulses, total)
        each = [self.inverse[k] @ -total[a:b].ravel() for k, (a, b) in enumerate(zip(self.first, self.first[1:]))]
        return np.concatenate(each).reshape(-1, 6)

    def _answers(self) -> Answers:
        system, size = self.system, np.array([each.size for each in self.inverse])
        flat = np.concatenate([each.ravel() for each in self.inverse])
        begin = np.cumsum(size) - size
        *rows, block = answers_of(system.tiles, system.matrix.tile_body, self.first, flat, begin)
        block[:, range(3), range(3)] += system.problem.compliance[:, [0, 1, 1]]
        return Answers(*rows, block)
