"""Imperfect geometry: joints moved by a smooth random field, made from a seed.

All vertices move with one field, so that blocks that touch still touch. Its waves are longer than blocks, so that faces
stay nearly plane.
"""

from __future__ import annotations

import numpy as np

from compas_nscd.blocks.block import Block
from compas_nscd.errors import InputError
from compas_nscd.model.structure import Structure

#: Waves of the field. Fewer: a direction is preferred. More: slower.
WAVES = 24
#: Shortest and longest wave [median diagonal of the blocks]. Shorter: faces warp, and contacts are lost.
SHORTEST, LONGEST = 6.0, 12.0


def imperfect(structure: Structure, deviation: float, seed: int) -> Structure:
    """A copy with vertices displaced at random; supports move too, as the ground is uneven.

    Parameters
    ----------
    structure : Structure
    deviation : float
        Standard deviation of every coordinate [m].
    seed : int
    """
    if any(block.is_round for block in structure.blocks):
        raise InputError("Spheres and discs have no joints to move.", remedy="Leave `noise` out.")
    field = _field(structure.block_size, deviation, seed)
    blocks = [
        Block(
            block.vertices + field(block.vertices), block.faces, block.density, block.given_name, block.support,
            block.given_guid, material=block.material, elastic=block.elastic,
        )
        for block in structure.blocks
    ]  # fmt: skip
    options = structure.options_of(range(len(blocks)))
    return Structure(blocks, structure.law, structure.name, case=structure.case, **options)


def _field(size: float, deviation: float, seed: int):
    """Sum of sines in random directions; displacements (n, 3) [m] of points (n, 3) [m]."""
    random = np.random.default_rng(seed)
    length = size * random.uniform(SHORTEST, LONGEST, WAVES)
    direction = random.standard_normal((WAVES, 3))
    direction *= (2.0 * np.pi / length / np.linalg.norm(direction, axis=1))[:, None]
    phase = random.uniform(0.0, 2.0 * np.pi, (WAVES, 3))
    amplitude = deviation * np.sqrt(2.0 / WAVES)

    def displacement(points: np.ndarray) -> np.ndarray:
        return amplitude * np.sin((points @ direction.T)[:, :, None] + phase).sum(axis=1)

    return displacement
