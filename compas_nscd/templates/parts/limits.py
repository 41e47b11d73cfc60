"""Greatest number of blocks of a template, and reports of its progress."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Callable

from compas_nscd.errors import InputError

#: Greatest number of blocks. Larger: many seconds to make and hours to analyse. Smaller: refuses large models.
MOST_BLOCKS = 100000
#: Greatest number of pieces of one length, and greatest count. Larger: loops over counts given by mistake take minutes.
MOST_PIECES = 100000

_listeners: list[list[Any]] = []  # [listener, time of its last call [s], interval [s]]


@contextmanager
def watched(listener: Callable[[int, str], Any], interval: float = 1.0) -> Iterator[None]:
    """Context in which templates report their progress.

    Parameters
    ----------
    listener : callable
        Called with the number of blocks so far and "cut" or "laid".
    interval : float, optional
        Least time between two calls [s].
    """
    entry = [listener, time.perf_counter(), interval]
    _listeners.append(entry)
    try:
        yield
    finally:
        _listeners.remove(entry)


def tell(blocks: int, done: str) -> None:
    """Report progress to the listeners; an InputError if there are too many blocks."""
    if blocks > MOST_BLOCKS:
        remedy = "Give longer blocks or wider spacings, smaller counts, or a smaller body."
        raise InputError("There would be more than {} blocks.".format(MOST_BLOCKS), remedy=remedy)
    for entry in _listeners:
        listener, last, interval = entry
        if time.perf_counter() - last >= interval:
            entry[1] = time.perf_counter()
            listener(blocks, done)


def pieces(name: str, total: float, each: float, most: int = MOST_PIECES) -> int:
    """Number of equal pieces, at least one, of about `each` in a length `total` [m].

    Raises
    ------
    InputError
        About the parameter `name`, if there are more than `most`.
    """
    if total > most * each:
        text = "{} is {!r:.60}; to divide {:.6g} m it must be at least {:.6g}."
        raise InputError(text.format(name, each, total, total / most), parameter=name)
    return max(1, round(total / each))
