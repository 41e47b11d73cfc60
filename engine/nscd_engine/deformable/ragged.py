"""Rows that belong to groups of unequal size, all groups at once."""

from __future__ import annotations

from typing import Tuple

import numpy as np


def expanded(first: np.ndarray, count: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """first[k], first[k] + 1, ... count[k] times for every k, (sum of counts,); and where each run starts (K,)."""
    start = np.concatenate([[0], np.cumsum(count)])
    return np.repeat(first - start[:-1], count) + np.arange(start[-1]), start[:-1]


def greatest(value: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Index (K,) of the first greatest value (N,) of every run; no run is empty."""
    if len(start) == len(value):
        return start
    count = np.diff(np.append(start, len(value)))
    is_best = np.flatnonzero(value >= np.repeat(np.maximum.reduceat(value, start), count))
    return is_best[np.searchsorted(is_best, start)]


def pairs_within(one: np.ndarray, other: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """Rows (N,) of `one` (a,) and of `other` (b,), ascending, that belong to the same group: every such pair."""
    first = np.searchsorted(other, one)
    count = np.searchsorted(other, one, side="right") - first
    return np.repeat(np.arange(len(one)), count), expanded(first, count)[0]
