"""Limit states: collapse, and numbers of a run beyond thresholds."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

from compas_nscd.errors import InputError

#: The limit state that every study has.
COLLAPSE = "collapse"


class LimitState(NamedTuple):
    """When a run has reached a limit state."""

    measure: str | None = None  # column; None for collapse
    above: float = 0.0  # threshold in the unit of the column

    def reached(self, row: Mapping[str, Any]) -> bool:
        """Whether a row of the table has reached it; a run that collapsed has."""
        if row[COLLAPSE] or self.measure is None:
            return bool(row[COLLAPSE])
        value = row.get(self.measure)
        return value is not None and value > self.above


def limit_states(given: Mapping[str, Any] | None) -> dict[str, LimitState]:
    """Limit states by name, with collapse first.

    Parameters
    ----------
    given : dict or None
        name -> {"measure": column, "above": threshold}
    """
    found = {COLLAPSE: LimitState()}
    for name, said in dict(given or {}).items():
        threshold = said.get("above") if isinstance(said, Mapping) else None
        number = isinstance(threshold, (int, float)) and not isinstance(threshold, bool) and math.isfinite(threshold)
        if not number or set(said) != {"measure", "above"} or name == COLLAPSE:
            remedy = 'Give {"measure": column, "above": number}; collapse is always there.'
            raise InputError("The limit state {!r:.40} cannot be {!r:.60}.".format(name, said), remedy=remedy)
        found[name] = LimitState(str(said["measure"]), float(threshold or 0.0))
    return found
