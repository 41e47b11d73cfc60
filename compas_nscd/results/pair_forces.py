"""Contact forces of a motion, summed by pair of blocks in every frame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from compas_nscd.errors import InputError
from compas_nscd.results.joint_table import sums


class PairForces(NamedTuple):
    """Resultants by frame: rows of frame s are start[s] to start[s + 1]."""

    start: np.ndarray  # (S + 1,)
    pair: np.ndarray  # (n, 2): blocks
    point: np.ndarray  # [m] (n, 3): mean of the contact points, weighted by the magnitudes of their forces
    force: np.ndarray  # [N] (n, 3): on the second block


def recorded(result: Any) -> bool:
    """Whether a DynamicResult contains contact forces."""
    return "contact_start" in result.arrays


def pair_forces(result: Any, frames: Sequence[int] | np.ndarray | None = None) -> PairForces:
    """Resultant of every pair of blocks in some frames.

    Parameters
    ----------
    result : DynamicResult
    frames : array of int, optional
        Default: all.

    Returns
    -------
    PairForces
    """
    if not recorded(result):
        raise InputError("The forces were not recorded.", remedy="Ask for forces=True.")
    chosen = np.arange(len(result.times)) if frames is None else np.asarray(frames, int)
    first, last = result.contact_start[chosen], result.contact_start[chosen + 1]
    rows = np.concatenate([np.arange(a, b) for a, b in zip(first, last)] or [np.zeros(0)]).astype(int)
    frame = np.repeat(np.arange(len(chosen)), last - first)
    blocks = len(result.structure.blocks)
    body = result.contact_body[rows].astype(np.int64)
    key, of = np.unique((frame * blocks + body[:, 0]) * blocks + body[:, 1], return_inverse=True)
    of, count = of.reshape(-1), len(key)
    force = result.contact_force[rows]
    weight = np.linalg.norm(force, axis=1)
    total = np.bincount(of, weight, count)
    held = total > 0.0
    point = sums(weight[:, None] * result.contact_point[rows], of, count)[held] / total[held, None]
    pair = np.stack([key // blocks % blocks, key % blocks], axis=1)[held]
    start = np.searchsorted((key // blocks // blocks)[held], np.arange(len(chosen) + 1))
    return PairForces(start, pair, point, sums(force, of, count)[held])
