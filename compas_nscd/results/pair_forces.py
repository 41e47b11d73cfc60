"""Forces of a motion from block to block: the recorded contact forces of every frame, taken together by pair."""

from typing import NamedTuple

import numpy as np

from compas_nscd.errors import InputError
from compas_nscd.results.joint_table import sums


class PairForces(NamedTuple):
    """Rows of frame s are start[s] to start[s + 1]."""

    start: np.ndarray  # (S + 1,)
    pair: np.ndarray  # (n, 2): blocks
    point: np.ndarray  # [m] (n, 3): mean of the contact points, weighted by the size of their forces
    force: np.ndarray  # [N] (n, 3): on the second block


def recorded(result):
    """Whether a DynamicResult has contact forces."""
    return "contact_start" in result.arrays


def pair_forces(result, frames=None):
    """Resultant of every pair of blocks in chosen frames.

    Parameters
    ----------
    result : DynamicResult
    frames : array of int, optional
        All unless given.

    Returns
    -------
    PairForces
    """
    if not recorded(result):
        raise InputError("The forces were not recorded.", remedy="Ask for forces=True.")
    frames = np.arange(len(result.times)) if frames is None else np.asarray(frames, int)
    first, last = result.contact_start[frames], result.contact_start[frames + 1]
    rows = np.concatenate([np.arange(a, b) for a, b in zip(first, last)] or [np.zeros(0)]).astype(int)
    frame = np.repeat(np.arange(len(frames)), last - first)
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
    start = np.searchsorted((key // blocks // blocks)[held], np.arange(len(frames) + 1))
    return PairForces(start, pair, point, sums(force, of, count)[held])
