"""The deformable bodies of a structure beside its rigid ones: matrix, levers and loads of their common problem."""

from __future__ import annotations

from typing import Dict, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np
import scipy  # and its matrices where they are used: rigid blocks do without

from nscd_engine.core.loads import PointLoads
from nscd_engine.core.structs import Bodies, Problem
from nscd_engine.deformable.body import DeformableBody, locate, locate_all
from nscd_engine.deformable.condense import Condensed, condensed
from nscd_engine.kernels.solvers.levers import gathered_levers
from nscd_engine.solvers.deformable_system import Matrix
from nscd_engine.solvers.levers import Blocks, Levers, all_blocks, rigid_blocks

#: Share of the nodes of a body that contacts touch up to which the others are condensed [-]. Larger: a dense matrix
#: takes the place of a sparse one for little. Smaller: meshes with many inner nodes are factorised whole.
WORTH = 0.75
#: Least number of nodes of such a body [-]. Smaller: condensing takes longer than it saves.
LEAST_NODES = 60


class Kept(NamedTuple):
    """A body on the nodes that contacts touch."""

    condensed: Condensed  # its stiffness
    load: np.ndarray  # [N] (n, 3): on all its nodes


class Deformables:
    """Deformable bodies among the free ones. Every other free body is rigid.

    Parameters
    ----------
    bodies : Bodies
        All blocks of the model.
    deformable : sequence of DeformableBody
    planar : array (3,), optional
        Axis of a planar model.
    kept : sequence of Kept or None, optional
        Bodies that are condensed; all nodes of all bodies otherwise.

    Attributes
    ----------
    deformable : list of DeformableBody
    free : array (D,)
        Their numbers among the free bodies.
    """

    def __init__(
        self,
        bodies: Bodies,
        deformable: Sequence[DeformableBody],
        planar: Optional[np.ndarray] = None,
        kept: Optional[Sequence[Optional[Kept]]] = None,
    ) -> None:
        self.deformable = list(deformable)
        self.blocks = np.array([body.block for body in self.deformable], np.int64)
        self.free = bodies.free[self.blocks].astype(np.int64)
        self.planar = planar
        self.kept = list(kept or [None] * len(self.deformable))
        self.numbers = [np.arange(len(body.mesh.node)) for body in self.deformable]  # of the nodes that tiles have
        for k, each in enumerate(self.kept):
            if each is not None:
                self.numbers[k] = each.condensed.kept
        self.tiles = np.array([-(-len(own) // 2) for own in self.numbers], np.int64)

    def on_touched_nodes(self, problem: Problem, bodies: Bodies, loads: Sequence[np.ndarray]) -> Deformables:
        """The same bodies at rest on the nodes that contacts touch, where that leaves out many.

        Parameters
        ----------
        problem : Problem
        bodies : Bodies
        loads : sequence of arrays (n, 3)
            Of `nodal_loads`.
        """
        if self.planar is not None:  # nothing but their mass holds nodes along the axis
            return self
        _, node, weight = self.moving_nodes(problem, bodies)
        first = 2 * self.first_tiles(len(problem.mass))
        touched = np.zeros(first[-1], bool)
        touched[node[weight != 0.0]] = True
        alike: Dict[Tuple[int, bytes], Condensed] = {}
        kept: List[Optional[Kept]] = []
        for body, at, load in zip(self.deformable, first[self.free], loads):
            own = np.flatnonzero(touched[at : at + len(load)])
            key = (id(body.stiffness), own.tobytes())
            if key not in alike and _is_worth_condensing(body.mesh.node, own):
                alike[key] = condensed(body.stiffness, own)
            kept.append(Kept(alike[key], load) if key in alike else None)
        return Deformables(bodies, self.deformable, None, kept)

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

    def displacement(self, k: int, tiles: np.ndarray) -> np.ndarray:
        """Displacement (n, 3) [m] of the nodes of deformable body k, from that of the tiles (T, 6)."""
        kept, first = self.kept[k], self.first_tiles(int(self.free.max()) + 1)[self.free[k]]
        own = tiles[first : first + self.tiles[k]].reshape(-1, 3)[: len(self.numbers[k])]
        return own if kept is None else kept.condensed.displacement(own, kept.load)

    # -- matrix --------------------------------------------------------------------------------------------------------

    def static_matrix(self, problem: Problem, step: float) -> tuple[Matrix, np.ndarray]:
        """M + h^2 K, and the blocks (T, 6, 6) of M alone: with masses at the nodes, since M only regularises."""
        count = len(problem.mass)
        first = self.first_tiles(count)
        mass = np.zeros((first[-1], 6, 6))
        rigid = self.rigid_tiles(count)
        mass[rigid[rigid >= 0]] = rigid_blocks(problem.mass, problem.inertia)[rigid >= 0]
        diagonal, pairs, couplings = mass.copy(), [np.zeros((0, 2), np.int64)], [np.zeros((0, 6, 6))]
        each = zip(self.deformable, self._stiffness(), first[self.free], self.tiles, self.numbers)
        for body, own, at, tiles, numbers in each:
            weight = np.zeros(2 * tiles)
            weight[: len(numbers)] = body.node_mass[numbers]
            mass[at : at + tiles, range(6), range(6)] = np.repeat(weight, 3).reshape(-1, 6)
            diagonal[at : at + tiles] = step**2 * own.diagonal + mass[at : at + tiles]
            pairs.append(own.pair + at)
            couplings.append(step**2 * own.coupling)
        tile_body = np.repeat(np.arange(count), np.diff(first))
        return Matrix(diagonal, np.concatenate(pairs), np.concatenate(couplings), tile_body), mass

    def _stiffness(self) -> List[Blocks]:
        """Blocks of the stiffness of every deformable body; bodies of one shape share them."""
        each = [
            body.stiffness if kept is None else kept.condensed.matrix for body, kept in zip(self.deformable, self.kept)
        ]
        kinds = {id(matrix): matrix for matrix in each}
        sparse = [
            matrix if isinstance(matrix, scipy.sparse.csr_matrix) else _whole(matrix) for matrix in kinds.values()
        ]
        stiff = dict(zip(kinds, all_blocks(sparse)))
        return [stiff[id(matrix)] for matrix in each]

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
        return row, 2 * first[:, None] + self._own_number(owner, node), weight

    def _own_number(self, owner: np.ndarray, node: np.ndarray) -> np.ndarray:
        """Numbers (k, m) of nodes (k, m) of the bodies `owner` (k,) among those that tiles have; 0 for others."""
        if not any(self.kept):
            return node
        first = np.concatenate([[0], np.cumsum([len(body.mesh.node) for body in self.deformable])])
        number = np.zeros(first[-1], np.int64)
        for at, own in zip(first, self.numbers):
            number[at + own] = np.arange(len(own))
        return number[first[owner][:, None] + node]

    # -- loads ---------------------------------------------------------------------------------------------------------

    def nodal_loads(self, wrench: np.ndarray, loads: PointLoads) -> List[np.ndarray]:
        """Forces (n, 3) [N] at the nodes of every deformable body: point loads where they act, the rest as masses are.

        `wrench` (N, 6) [N, N m] is that of all loads on the free bodies, point loads excluded.
        """
        found = []
        for number, body in zip(self.free, self.deformable):
            nodal = spread(body, wrench[number])
            on_body = np.flatnonzero(loads.block == body.block)
            if len(on_body):
                node, weight = locate(body, loads.point[on_body])
                np.add.at(nodal, node, weight[:, :, None] * loads.force[on_body, None, :])
            found.append(nodal)
        return found

    def force(self, problem: Problem, loads: Sequence[np.ndarray]) -> np.ndarray:
        """Forces (T, 6) of the tiles for a step of 1 s [N], from those at the nodes (`nodal_loads`)."""
        count = len(problem.mass)
        first, rigid = self.first_tiles(count), self.rigid_tiles(count)
        force = np.zeros((first[-1], 6))
        momentum = np.einsum("nij,nj->ni", rigid_blocks(problem.mass, problem.inertia), problem.v_free)
        force[rigid[rigid >= 0]] = momentum[rigid >= 0]
        for kept, at, tiles, nodal in zip(self.kept, first[self.free], self.tiles, loads):
            own = nodal if kept is None else kept.condensed.force(nodal)
            force[at : at + tiles].reshape(-1, 3)[: len(own)] = own
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


def _is_worth_condensing(node: np.ndarray, touched: np.ndarray) -> bool:
    """Whether few of many nodes (n, 3) are touched, and these hold the body: they are not on one line."""
    few = len(node) >= LEAST_NODES and 3 <= len(touched) <= WORTH * len(node)
    return few and bool(np.linalg.matrix_rank(node[touched] - node[touched].mean(axis=0), tol=1e-6 * np.ptp(node)) >= 2)


def _whole(matrix: np.ndarray) -> scipy.sparse.csr_matrix:
    """A matrix with all its numbers: zeros too, so that bodies of one size have one pattern."""
    size = len(matrix)
    return scipy.sparse.csr_matrix(
        (matrix.ravel(), np.tile(np.arange(size), size), np.arange(size + 1) * size), matrix.shape
    )
