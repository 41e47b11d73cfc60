"""Least and greatest joint forces over all force systems in equilibrium with the loads."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from compas.data import Data

from compas_nscd.errors import InputError


class ForceRange(NamedTuple):
    """Range of the force of one joint."""

    blocks: tuple[str, str]  # names of a and b
    least: float  # [N] -inf if unbounded
    greatest: float  # [N] inf if unbounded


class ForceRanges(Data, Sequence):
    """Ranges of the forces of some joints: a sequence of ForceRange.

    Parameters
    ----------
    stands : bool
        False if no force system is in equilibrium with the loads; there are then no ranges.
    blocks : list of (str, str)
    least, greatest : (n,) arrays
        Force on block b along the normal (compression positive), or along the requested direction [N].
    time : dict, optional
    warnings : list, optional
        ``{"code", "message", "blocks"}``
    """

    def __init__(
        self,
        stands: bool,
        blocks: Sequence[Any],
        least: Sequence[float] | np.ndarray,
        greatest: Sequence[float] | np.ndarray,
        time: dict[str, float] | None = None,
        warnings: list[dict[str, Any]] | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__(name=name)
        self.stands = bool(stands)
        self.blocks = [tuple(pair) for pair in blocks]
        self.least, self.greatest = (
            np.array([math.nan if v is None else v for v in given], float) for given in (least, greatest)
        )
        self.time, self.warnings = dict(time or {}), list(warnings or [])

    @property
    def __data__(self) -> dict[str, Any]:
        return {
            "stands": self.stands,
            "blocks": [list(pair) for pair in self.blocks],
            "least": self.least.tolist(),
            "greatest": self.greatest.tolist(),
            "time": self.time,
            "warnings": self.warnings,
        }

    def __len__(self) -> int:
        return len(self.blocks)

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return [self[k] for k in range(*i.indices(len(self)))]
        return ForceRange(self.blocks[i], float(self.least[i]), float(self.greatest[i]))

    def of(self, a: str, b: str) -> ForceRange:
        """Range of the joint between two blocks, by name."""
        for k, pair in enumerate(self.blocks):
            if set(pair) == {a, b}:
                return self[k]
        raise InputError("No range of a joint between these blocks was requested.", blocks=[a, b])


def force_ranges(reply: dict[str, Any], structure: Any) -> ForceRanges:
    """Ranges in a reply of the engine."""
    rows = np.asarray(reply["joints"], int)
    names = structure.names
    pairs = [(names[a], names[b]) for a, b in np.asarray(reply["interface_body"])[rows].tolist()]
    least, greatest = np.asarray(reply["ranges"], float).reshape(-1, 2).T
    return ForceRanges(reply["stands"], pairs, least, greatest, reply["time"], reply.get("warnings"))
