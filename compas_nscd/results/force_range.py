"""Least and greatest force of joints over all force systems that balance the loads: which forces are certain."""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from compas.data import Data

from compas_nscd.errors import InputError


class ForceRange(NamedTuple):
    """Of one joint."""

    blocks: tuple  # names of a and b
    least: float  # [N] -inf where nothing bounds it
    greatest: float  # [N] inf where nothing bounds it


class ForceRanges(Data, Sequence):
    """Ranges of the forces of some joints: a sequence of ForceRange.

    Parameters
    ----------
    stands : bool
        False if no force system balances the loads; there are then no ranges.
    blocks : list of (str, str)
    least, greatest : (n,) arrays
        Force on block b along the normal (compression positive), or along the direction that was asked for [N].
    time : dict, optional
    warnings : list, optional
        What deserves a look: ``{"code", "message", "blocks"}``.
    """

    def __init__(self, stands, blocks, least, greatest, time=None, warnings=None, name=None):
        super().__init__(name=name)
        self.stands = bool(stands)
        self.blocks = [tuple(pair) for pair in blocks]
        self.least, self.greatest = (
            np.array([math.nan if v is None else v for v in given], float) for given in (least, greatest)
        )
        self.time, self.warnings = dict(time or {}), list(warnings or [])

    @property
    def __data__(self):
        return {
            "stands": self.stands,
            "blocks": [list(pair) for pair in self.blocks],
            "least": self.least.tolist(),
            "greatest": self.greatest.tolist(),
            "time": self.time,
            "warnings": self.warnings,
        }

    def __len__(self):
        return len(self.blocks)

    def __getitem__(self, i):
        if isinstance(i, slice):
            return [self[k] for k in range(*i.indices(len(self)))]
        return ForceRange(self.blocks[i], float(self.least[i]), float(self.greatest[i]))

    def of(self, a, b):
        """Range of the joint between two blocks, by name."""
        for k, pair in enumerate(self.blocks):
            if set(pair) == {a, b}:
                return self[k]
        raise InputError("No range of a joint between these blocks was asked for.", blocks=[a, b])


def force_ranges(reply, structure):
    """ForceRanges of a reply."""
    rows = np.asarray(reply["joints"], int)
    names = structure.names
    pairs = [(names[a], names[b]) for a, b in np.asarray(reply["interface_body"])[rows].tolist()]
    least, greatest = np.asarray(reply["ranges"], float).reshape(-1, 2).T
    return ForceRanges(reply["stands"], pairs, least, greatest, reply["time"], reply.get("warnings"))
