"""The deformable bodies of a structure beside its rigid ones: matrix, levers and loads of their common problem."""

from __future__ import annotations

from typing import List, Optional, Sequence

import numpy as np

from nscd_engine.core.loads import PointLoads
from nscd_engine.core.structs import Bodies, Problem
from nscd_engine.deformable.body import DeformableBody, locate, locate_all
from nscd_engine.kernels.solvers.levers import gathered_levers
from nscd_engine.solvers.deformable_system import Matrix
from nscd_engine.solvers.levers import Blocks, Levers, all_blocks, rigid_blocks


class Deformables:
    """Deformable bodies among the free ones. Every other free body is rigid.

    Parameters
    ----------
    bodies : Bodies
        All blocks of the model.
    deformable : sequence of DeformableBody
    planar : array (3,), optional
        Axis of a planar model.

    Attributes
    ----------
    deformable : list of DeformableBody
    free : array (D,)
        Their numbers among the free bodies.
    """

    def __init__(
        self, bodies: Bodies, deformable: Sequence[DeformableBody], planar: Optional[np.ndarray] = None
    ) -> None:
        self.deformable = list(deformable)
        self.blocks = np.array([body.block for body in self.deformable], np.int64)
        self.free = bodies.free[self.blocks].astype(np.int64)
        self.planar = planar
        self.tiles = np.array([-(-len(body.mesh.node) // 2) for body in self.deformable], np.int64)

    # -- tiles ---------------------------------------------------------------------------------------------------------

    def first_tiles(self, count: int) -> np.ndarray:
        """First tile (count + 1,) of each of so many bodies: the free ones, then others that are rigid."""
        number = np.ones(count, np.int64)
        number[self.free] = self.tiles
        return np.concatenate([[0], np.cumsum(number)])

    def rigid_tiles(self, count: int) -> np.ndarray:
        """Tile (count,) of every rigid body, -1 for deformable ones."""
        tile = self.first_tiles(count)[:-1].copy()
        tile[self.free] = -1
        return tile

    def is_of_nodes(self, count: int) -> np.ndarray:
        """Which tiles (T,) of so many bodies are nodes."""
        return np.isin(np.repeat(np.arange(count), np.diff(self.first_tiles(count))), self.free)

    def nodes(self, k: int, values: np.ndarray) -> np.ndarray:
        """Values (n, 3) at the nodes of deformable body k, from those of the tiles (T, 6)."""
        body, first = self.deformable[k], self.first_tiles(int(self.free.max()) + 1)[self.free[k]]
        return values[first : first + self.tiles[k]].reshape(-1, 3)[: len(body.mesh.node)]

    # -- matrix --------------------------------------------------------------------------------------------------------

    def static_matrix(self, problem: Problem, step: float) -> tuple[Matrix, np.ndarray]:
        """M + h^2 K, and the blocks (T, 6, 6) of M alone: with masses at the nodes, since M only regularises."""
        count = len(problem.mass)
        first = self.first_tiles(count)
        mass = np.zeros((first[-1], 6, 6))
        rigid = self.rigid_tiles(count)
        mass[rigid[rigid >= 0]] = rigid_blocks(problem.mass, problem.inertia)[rigid >= 0]
        diagonal, pairs, couplings = mass.copy(), [np.zeros((0, 2), np.int64)], [np.zeros((0, 6, 6))]
        for body, own, at, tiles in zip(self.deformable, self._stiffness(), first[self.free], self.tiles):
            weight = np.zeros(2 * tiles)
            weight[: len(body.node_mass)] = body.node_mass
            mass[at : at + tiles, range(6), range(6)] = np.repeat(weight, 3).reshape(-1, 6)
            diagonal[at : at + tiles] = step**2 * own.diagonal + mass[at : at + tiles]
            pairs.append(own.pair + at)
            couplings.append(step**2 * own.coupling)
        tile_body = np.repeat(np.arange(count), np.diff(first))
        return Matrix(diagonal, np.concatenate(pairs), np.concatenate(couplings), tile_body), mass

    def _stiffness(self) -> List[Blocks]:
        """Blocks of the stiffness of every deformable body; bodies of one shape share them."""
        kinds = {id(body.stiffness): body.stiffness for body in self.deformable}
        stiff = dict(zip(kinds, all_blocks(list(kinds.values()))))
        return [stiff[id(body.stiffness)] for body in self.deformable]

    # -- levers --------------------------------------------------------------------------------------------------------

    def levers(self, problem: Problem, bodies: Bodies) -> Levers:
        """How the tiles move the contacts, in the geometry at rest."""
        row, node, weight = self.moving_nodes(problem, bodies)
        axis = np.zeros(3) if self.planar is None else self.planar
        rigid = self.rigid_tiles(len(problem.mass))
        return Levers(*gathered_levers(problem, rigid, row, node, weight, axis))

    def moving_nodes(self, problem: Problem, bodies: Bodies) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Row (C, 2) of either side of the contacts, -1 if it is not deformable; nodes (k, m) that move these rows, two
        a tile, and their weights.
        """
        body = np.full(len(problem.mass) + 1, -1)  # the last is that of supports
        body[self.free] = np.arange(len(self.free))
        owner = body[problem.body]
        contact, side = np.nonzero(owner >= 0)
        row = np.full(owner.shape, -1)
        row[contact, side] = np.arange(len(contact))
        owner = owner[contact, side]
        point = bodies.centroid[self.blocks[owner]] + problem.arm[contact, side]
        node, weight = locate_all(self.deformable, owner, point)
        first = self.first_tiles(len(problem.mass))[self.free[owner]]
        return row, 2 * first[:, None] + node, weight

    # -- loads ---------------------------------------------------------------------------------------------------------

    def force(self, problem: Problem, wrench: np.ndarray, loads: PointLoads, bodies: Bodies) -> np.ndarray:
        """Forces (T, 6) of the tiles for a step of 1 s [N]: point loads where they act, the rest spread as masses are.

        `wrench` (N, 6) [N, N m] is that of all loads on the free bodies, point loads excluded.
        """
        count = len(problem.mass)
        first, rigid = self.first_tiles(count), self.rigid_tiles(count)
        force = np.zeros((first[-1], 6))
        momentum = np.einsum("nij,nj->ni", rigid_blocks(problem.mass, problem.inertia), problem.v_free)
        force[rigid[rigid >= 0]] = momentum[rigid >= 0]
        for k, body in enumerate(self.deformable):
            nodal = spread(body, wrench[self.free[k]])
            on_body = np.flatnonzero(loads.block == body.block)
            if len(on_body):
                node, weight = locate(body, loads.point[on_body])
                np.add.at(nodal, node, weight[:, :, None] * loads.force[on_body, None, :])
            at = first[self.free[k]]
            force[at : at + self.tiles[k]].reshape(-1, 3)[: len(nodal)] = nodal
        if self.planar is not None:
            self._flatten(force, first)
        return force

    def _flatten(self, force: np.ndarray, first: np.ndarray) -> None:
        """Leave out forces along the axis of a planar model on nodes: its constraint takes them."""
        for at, tiles in zip(first[self.free], self.tiles):
            nodal = force[at : at + tiles].reshape(-1, 3)
            nodal -= (nodal @ self.planar)[:, None] * self.planar


def spread(body: DeformableBody, wrench: np.ndarray) -> np.ndarray:
    """Forces (n, 3) [N] at the nodes, m (a + b x r), whose resultant at the centroid is a wrench (6,) [N, N m]."""
    mass, arm = body.node_mass, body.mesh.node - body.centroid
    total = mass.sum()
    nodal = mass[:, None] * (wrench[:3] / total)
    if wrench[3:].any():
        square = (arm**2).sum(axis=1)
        inertia = np.einsum("n,nij->ij", mass, square[:, None, None] * np.eye(3) - arm[:, :, None] * arm[:, None, :])
        nodal += mass[:, None] * np.cross(np.linalg.lstsq(inertia, wrench[3:], rcond=1e-12)[0], arm)
    return nodal
