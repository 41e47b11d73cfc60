"""Two aims against each other: runs that no other run beats in both."""

from __future__ import annotations

from typing import Any

import numpy as np

from compas_nscd.errors import InputError
from compas_nscd.studies.table import Table

#: What is wanted of an aim.
WANTED = ("least", "most")


def pareto_front(table: Table, aims: dict[str, str], among: Any = None) -> list[int]:
    """Rows that no other row beats in both aims, in the order of the first.

    Parameters
    ----------
    table : Table
    aims : dict
        Two columns -> "least" or "most".
    among : callable, optional
        Row -> whether it counts, e.g. ``lambda row: not row["collapse"]``.

    Returns
    -------
    list of int
        Numbers of the runs.
    """
    if len(aims) != 2 or not set(aims.values()) <= set(WANTED):
        raise InputError("Two aims are needed, not {!r:.60}.".format(aims), remedy='{"thickness": "least", ...}')
    rows = [row for row in table.done if among is None or among(row)]
    rows = [row for row in rows if all(row.get(name) is not None for name in aims)]
    values = np.array([[_signed(row[name], word) for name, word in aims.items()] for row in rows], float).reshape(-1, 2)
    best, front = np.inf, []
    for k in np.lexsort((values[:, 1], values[:, 0])):
        if values[k, 1] < best:
            best = values[k, 1]
            front.append(rows[k]["run"])
    return front


def _signed(value: float, word: str) -> float:
    return float(value) if word == "least" else -float(value)
