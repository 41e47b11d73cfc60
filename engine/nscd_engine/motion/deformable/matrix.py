"""The matrix of a step with deformable bodies, as tiles of two nodes (kernels.solvers.tiles)."""

from __future__ import annotations

from typing import Tuple

import numpy as np

from nscd_engine.core.structs import Problem
from nscd_engine.motion.deformable.state import Deformation
from nscd_engine.motion.moreau_jean import Scheme
from nscd_engine.solvers.deformable_system import Matrix
from nscd_engine.solvers.levers import blocks, rigid_blocks


class StepMatrix:
    """A = M + h theta C + (h theta)^2 K of all bodies, C being the part of the damping that goes with K.

    In the axes of the bodies it is constant for steps of one length: it is kept, and turned with the bodies.

    Parameters
    ----------
    deformation : Deformation
    count : int
        Number of free bodies, N.

    Attributes
    ----------
    slot : array (n,)
        Row of each node among the tiles of all bodies, two rows a tile.
    rigid : array (N,)
        Tile of every rigid body, -1 for deformable ones.
    """

    def __init__(self, deformation: Deformation, count: int) -> None:
        bodies = deformation.bodies
        first = bodies.first_tiles(count)
        self.deformation, self.rigid = deformation, bodies.rigid_tiles(count)
        self._first = first[bodies.free]
        self._tile = np.concatenate([at + np.arange(tiles) for at, tiles in zip(self._first, bodies.tiles)])
        self._body = np.repeat(np.arange(len(bodies.free)), bodies.tiles)
        self._tile_body = np.repeat(np.arange(count), np.diff(first))
        within = np.arange(len(deformation.owner)) - deformation.first[deformation.owner]
        self.slot = 2 * self._first[deformation.owner] + within
        self._kept: Tuple[float, float] = (0.0, 0.0)

    @property
    def tiles(self) -> int:
        """Number of tiles of all bodies, T."""
        return len(self._tile_body)

    def assembled(self, problem: Problem, rotation: np.ndarray, scheme: Scheme) -> Matrix:
        """The matrix in world axes; rotation (D, 3, 3) of the deformable bodies."""
        if self._kept != (scheme.time_step, scheme.theta):
            self._set_blocks(scheme)
        turn = np.zeros((len(rotation), 6, 6))
        turn[:, :3, :3] = turn[:, 3:, 3:] = rotation
        diagonal = np.zeros((self.tiles, 6, 6))
        rigid = self.rigid >= 0
        diagonal[self.rigid[rigid]] = rigid_blocks(problem.mass, problem.inertia)[rigid]
        diagonal[self._tile] = _turned(turn[self._body], self._diagonal)
        return Matrix(diagonal, self._pair, _turned(turn[self._pair_body], self._coupling), self._tile_body)

    def _set_blocks(self, scheme: Scheme) -> None:
        """Blocks in the axes of the bodies, for steps of another length."""
        self._kept = scheme.time_step, scheme.theta
        lag = scheme.theta * scheme.time_step
        state, bodies = self.deformation, self.deformation.bodies.deformable
        each = []
        for k, body in enumerate(bodies):
            mine = slice(3 * state.first[k], 3 * state.first[k + 1])
            stiff = lag * (lag + body.damping[1]) * body.stiffness
            each.append(blocks((state.mass[mine, mine] + stiff).tocsr()))
        self._diagonal = np.concatenate([own.diagonal for own in each])
        self._coupling = np.concatenate([own.coupling for own in each])
        self._pair = np.concatenate([own.pair + at for own, at in zip(each, self._first)])
        self._pair_body = np.repeat(np.arange(len(each)), [len(own.pair) for own in each])


def _turned(turn: np.ndarray, block: np.ndarray) -> np.ndarray:
    """Blocks (k, 6, 6) in world axes; `turn` (k, 6, 6) turns both nodes of a tile."""
    return turn @ block @ turn.transpose(0, 2, 1)
