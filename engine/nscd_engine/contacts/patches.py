"""Contact patches of pairs of blocks, as arrays."""

from __future__ import annotations

from typing import NamedTuple, Sequence, Tuple

import numpy as np


class Patches(NamedTuple):
    """I patches with P corners and C contact points."""

    pair: np.ndarray  # (I,) int64: row of the pairs, ascending
    facet: np.ndarray  # (I, 2) int64: of a and b
    frame: np.ndarray  # (I, 3, 3): rows n, t1, t2
    area: np.ndarray  # [m2] (I,)
    width: np.ndarray  # [m] (I,): area over diameter
    centroid: np.ndarray  # [m] (I, 3)
    gap: np.ndarray  # [m] (I,)
    polygon: np.ndarray  # [m] (P, 3)
    polygon_start: np.ndarray  # (I + 1,) int32
    point: np.ndarray  # [m] (C, 3)
    point_gap: np.ndarray  # [m] (C,)
    point_start: np.ndarray  # (I + 1,) int32


def take(patches: Patches, rows: np.ndarray) -> Patches:
    """Some of the patches, in the order of the rows."""
    fields = {}
    for name, start in (("polygon", patches.polygon_start), ("point", patches.point_start)):
        count = np.diff(start)[rows]
        fields[name + "_start"], chosen = selection(start[rows], count)
        fields[name] = getattr(patches, name)[chosen]
    fields["point_gap"] = patches.point_gap[chosen]
    return Patches(*(fields[f] if f in fields else getattr(patches, f)[rows] for f in Patches._fields))


def join(first: Patches, second: Patches) -> Patches:
    """Patches of both, in the order of the pairs."""
    both = concatenated([first, second])
    return take(both, np.argsort(both.pair, kind="stable"))


def concatenated(several: Sequence[Patches]) -> Patches:
    """Patches of all, one after the other."""
    if len(several) == 1:
        return several[0]
    return Patches(*(np.concatenate(fields) for fields in zip(*several)))._replace(
        polygon_start=joined_starts([each.polygon_start for each in several]),
        point_start=joined_starts([each.point_start for each in several]),
    )


def joined_starts(several: Sequence[np.ndarray]) -> np.ndarray:
    """Starts of rows of arrays that are put one after the other; each ends with its number of rows."""
    before = np.cumsum([0] + [int(start[-1]) for start in several[:-1]])
    return np.concatenate([several[0][:1], *(start[1:] + first for start, first in zip(several, before))]).astype(
        several[0].dtype
    )


def selection(start: np.ndarray, count: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """New starts (m + 1,), and the rows kept, if polygon k keeps count[k] rows from start[k] on; start, count (m,)."""
    kept_start = np.concatenate([[0], np.cumsum(count)]).astype(np.int32)
    rows = np.repeat(start - kept_start[:-1], count) + np.arange(kept_start[-1])
    return kept_start, rows
