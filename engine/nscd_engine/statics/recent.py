"""What the last analyses leave for the next one of the same contacts, as while a slider moves.

The first regularised problem has one solution: where Newton's method starts does not decide which. So a structure that
differs a little from an earlier one starts at what its contacts had, and takes fewer factorisations to the same forces
within the tolerance. The very same problem starts from rest again, and has the same bits as before.
"""

from __future__ import annotations

from typing import NamedTuple, Optional, Tuple

import numpy as np

from nscd_engine.core.structs import Contacts, Problem

#: Analyses that are remembered [-]. More: memory. Fewer: two sliders that are moved in turn forget each other.
RECENT = 2
#: Most bodies of an analysis that is remembered [-]. More: memory, some 2 kB a body.
LARGEST = 5000
#: What decides the solution of a problem beside its contacts.
DATA = ("body", "v_free", "mass", "inertia", "arm", "frame", "friction")


class Entry(NamedTuple):
    """One analysis of a structure that stood. C contacts."""

    key: np.ndarray  # (C,): of the contacts
    problem: Problem
    aimed: np.ndarray  # [N s] (C, 3): impulses before their projection, as of `System.aimed`


_recent: Tuple[Entry, ...] = ()  # the latest last; replaced as a whole, since analyses run in several threads


def recall(contacts: Contacts, problem: Problem) -> Optional[np.ndarray]:
    """Impulses before their projection [N s] (C, 3) of the last analysis of these contacts.

    None if there was none, or if its problem was the same.
    """
    for entry in _recent:
        if np.array_equal(entry.key, contacts.key):
            return None if _same(entry.problem, problem) else entry.aimed
    return None


def remember(contacts: Contacts, problem: Problem, aimed: Optional[np.ndarray]) -> None:
    """Keep what an analysis found for the next one; nothing of large structures, or of one that did not stand."""
    global _recent
    if aimed is not None and len(problem.mass) <= LARGEST:
        others = [entry for entry in _recent if not np.array_equal(entry.key, contacts.key)]
        _recent = (*others, Entry(contacts.key, problem, aimed))[-RECENT:]


def _same(one: Problem, other: Problem) -> bool:
    """Whether two problems of the same contacts have the same bits."""
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in DATA)
