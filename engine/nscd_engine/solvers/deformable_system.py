"""The step problem of rigid and deformable bodies as Newton's method takes it (docs/deformable.md).

The same iterations as for rigid bodies on a larger matrix: A = M + h C + h^2 K instead of M, and levers that tell how
the nodes of a face move a contact.
"""

from __future__ import annotations

from typing import NamedTuple, Optional, Tuple

import numpy as np

from nscd_engine.core.monitor import Monitor
from nscd_engine.core.structs import Problem
from nscd_engine.kernels.solvers import residuals, tiles
from nscd_engine.kernels.solvers.hessian import GroupedContacts
from nscd_engine.kernels.solvers.levers import crossed_tiles
from nscd_engine.kernels.solvers.tiles import Tiles
from nscd_engine.solvers.levers import Levers
from nscd_engine.solvers.primal_system import System
from nscd_engine.solvers.workspace import Workspace


class Matrix(NamedTuple):
    """A of all bodies. T tiles, P coupled pairs."""

    diagonal: np.ndarray  # (T, 6, 6)
    pair: np.ndarray  # (P, 2) int64: a < b
    coupling: np.ndarray  # (P, 6, 6)
    tile_body: np.ndarray  # (T,) int64: free body of every tile


class DeformableSystem(System):
    """A step problem with deformable bodies; velocities are those of tiles (T, 6).

    Parameters
    ----------
    problem : Problem
        Of the same bodies if they were rigid: contacts, their laws, and the units of imbalance.
    matrix : Matrix
    levers : Levers
    force : array (T, 6)
        b = A v_free [N s].
    workspace, monitor, threads
        As of `System`.
    before : array (N, 6), optional
        As of `System`.
    """

    def __init__(
        self,
        problem: Problem,
        matrix: Matrix,
        levers: Levers,
        force: np.ndarray,
        workspace: Optional[Workspace] = None,
        monitor: Optional[Monitor] = None,
        threads: int = 1,
        before: Optional[np.ndarray] = None,
    ) -> None:
        self.matrix, self.levers, self.force = matrix, levers, force
        super().__init__(problem, workspace, monitor, threads, before)

    def _set_structure(self, workspace: Workspace) -> None:
        matrix, levers = self.matrix, self.levers
        count, contacts = len(matrix.diagonal), len(self.problem.friction)
        cross_start, crossed = crossed_tiles(levers.start, levers.tile)
        self.sym = workspace.factor_structure(np.concatenate([matrix.pair, crossed]), count, self.monitor)
        slot, cross = self._slots(matrix.pair), self._slots(crossed)
        self.tiles = Tiles(*matrix[:3], slot, *levers, cross_start, cross)
        self.unit = self.unit[matrix.tile_body]
        self.soft = self._softness()
        order = np.arange(contacts)
        none = np.zeros((0, 2), np.int64)
        self.grouped = GroupedContacts(
            none, np.zeros(1, np.int64), none[:, 0], order, *self.problem[4:6], self.problem.friction, self.soft
        )
        self.work = workspace.newton_arrays(contacts, count, self.sym)
        self.parts = None
        self.shifted_force = self.force

    def _slots(self, pairs: np.ndarray) -> np.ndarray:
        """Rows (K,) of pairs of tiles a < b (K, 2) in the structure of the factor."""
        sym, count = self.sym, len(self.matrix.diagonal)
        first = np.repeat(np.arange(count), np.diff(sym.pair_start))
        return np.searchsorted(first * count + sym.other, pairs[:, 0] * count + pairs[:, 1])

    def _softness(self) -> np.ndarray:
        """Mobility of the contacts [m/s / (N s)] (C,) by the diagonal of A: what the regularisation is a share of.

        That of a rigid body is far greater where the step is long: as its compliance it would share out the forces in
        place of the elasticity. Contacts between rigid bodies take a mobility as small as those of the others.
        """
        levers, matrix = self.levers, self.matrix
        contact = np.repeat(np.arange(len(self.w)), np.diff(levers.start))
        by_tile = (levers.lever**2 / np.einsum("tkk->tk", matrix.diagonal)[levers.tile][:, None, :]).sum(axis=(1, 2))
        elastic = np.bincount(matrix.tile_body, minlength=len(self.problem.mass))[matrix.tile_body[levers.tile]] > 1
        soft = np.bincount(contact[elastic], by_tile[elastic], len(self.w)) / 3.0
        known = soft > 0.0
        rigid = np.median(soft[known]) if known.any() else 0.0
        return np.where(known, soft, np.minimum(self.w, rigid) if rigid > 0.0 else self.w)

    def relative_velocities(self, v: np.ndarray, u: np.ndarray) -> None:
        """u = J v [m/s] (C, 3); v (T, 6)."""
        tiles.relative_velocities(self.tiles, v, u)

    def gradient(self, v: np.ndarray, gamma: np.ndarray, g: np.ndarray) -> None:
        """g = A v - b - J^T gamma, v being counted from rest."""
        tiles.product(self.tiles, v, g)
        g -= self.force
        tiles.subtract_impulses(self.tiles, gamma, g)

    def subtract_impulses(self, gamma: np.ndarray, g: np.ndarray) -> None:
        """g -= J^T gamma."""
        tiles.subtract_impulses(self.tiles, gamma, g)

    def _shift(self) -> None:
        image = np.empty_like(self.force)
        tiles.product(self.tiles, self.base, image)
        self.shifted_force = self.force - image

    def shifted_gradient(self) -> None:
        """As of rigid bodies."""
        tiles.product(self.tiles, self.work.v, self.work.g)
        self.work.g[:] -= self.shifted_force
        tiles.subtract_impulses(self.tiles, self.work.gamma, self.work.g)

    def slip(self, velocity: np.ndarray) -> np.ndarray:
        """J v [m/s] (C, 3) of velocities (T, 6)."""
        u = np.empty_like(self.work.u)
        tiles.relative_velocities(self.tiles, velocity, u)
        return u

    def mobility(self) -> np.ndarray:
        """Velocity of a contact for an impulse [m/s / (N s)] (C,), by the nodes beside it."""
        return self.soft

    def imbalance(self, impulses: np.ndarray, velocity: np.ndarray) -> float:
        """Greatest imbalance of a tile with impulses (C, 3) and velocities (T, 6) over that of the heaviest body."""
        g = np.empty_like(velocity)
        self.gradient(velocity, impulses, g)
        return float(np.abs(g).max(initial=0.0)) / self.greatest

    def evaluate(self) -> float:
        """As of rigid bodies."""
        return tiles.evaluate(self.tiles, self.problem.friction, self.work, self.shifted_force, self.unit)

    def _advance(self) -> float:
        return tiles.advance(self.tiles, self.problem.friction, self.work, self.shifted_force, self.unit)

    def _greatest_pull(self) -> float:
        return tiles.greatest_pull(self.tiles, self.work, self.unit)

    def _greatest_terms(self) -> Tuple[float, float]:
        return tiles.greatest_terms(self.tiles, self.work, self.unit)

    def _assemble(self, problem: Problem) -> None:
        tiles.assemble(self.tiles, self.work.G, self.sym, self.work.factor)

    def free_velocity(self) -> np.ndarray:
        """Velocities (T, 6) without contacts; the factor in `work` becomes that of A."""
        self.work.G[:] = 0.0
        self.factored = None
        free = np.zeros_like(self.force)
        if self.factorise():
            self.solve_factored(self.force, free)
        return free

    def residual(self, coulomb: bool) -> float:
        """Natural map of the current impulses over the free impulse, or the imbalance if that is greater [-]."""
        return max(self._natural_map(self.impulses(), self.velocity(), coulomb), self.size)

    def residual_at(self, impulses: np.ndarray, velocity: np.ndarray, coulomb: bool) -> float:
        """The same of other impulses (C, 3) and velocities (T, 6)."""
        return max(self._natural_map(impulses, velocity, coulomb), self.imbalance(impulses, velocity))

    def _natural_map(self, impulses: np.ndarray, velocity: np.ndarray, coulomb: bool) -> float:
        u = self.slip(velocity)
        return residuals.greatest_residual(self.problem, impulses, u, self.soft, coulomb) / self.scale

    def set_force(self, force: np.ndarray) -> None:
        """Take another b (T, 6) [N s]; `regularise` must follow."""
        self.force = force
