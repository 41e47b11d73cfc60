"""How many blocks a template may make, and the word that it gives about how far it is."""

import time
from contextlib import contextmanager

from compas_nscd.errors import InputError

#: More are refused: they take many seconds to make, and hours to analyse.
MOST_BLOCKS = 100000
#: Pieces that one length may be divided into, or one count may ask for.
MOST_PIECES = 100000

_listeners = []  # [listener, when it was called last [s], interval [s]]


@contextmanager
def watched(listener, interval=1.0):
    """While this lasts, templates call `listener` every `interval` seconds: with the number of blocks so far, and what
    has been done to them, "cut" or "laid"."""
    entry = [listener, time.perf_counter(), interval]
    _listeners.append(entry)
    try:
        yield
    finally:
        _listeners.remove(entry)


def tell(blocks, done):
    """Let those who watch know; refuse too many blocks."""
    if blocks > MOST_BLOCKS:
        remedy = "Give longer blocks or wider spacings, smaller counts, or a smaller body."
        raise InputError("There would be more than {} blocks.".format(MOST_BLOCKS), remedy=remedy)
    for entry in _listeners:
        listener, last, interval = entry
        if time.perf_counter() - last >= interval:
            entry[1] = time.perf_counter()
            listener(blocks, done)


def pieces(name, total, each, most=MOST_PIECES):
    """In how many equal pieces of about `each` to divide a length `total`: at least one [m]."""
    if total > most * each:
        text = "{} is {!r:.60}; to divide {:.6g} m it must be at least {:.6g}."
        raise InputError(text.format(name, each, total, total / most), parameter=name)
    return max(1, round(total / each))
