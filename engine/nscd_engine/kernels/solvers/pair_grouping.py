"""Runs of consecutive contacts between the same two bodies, and whether a factor has all their pairs."""

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner
from nscd_engine.kernels.linalg.cholesky import pair_of


@inner
def end_of_run(body, first):
    """First contact after `first` that joins other bodies than `first` does."""
    last = first + 1
    while last < body.shape[0] and body[last, 0] == body[first, 0] and body[last, 1] == body[first, 1]:
        last += 1
    return last


@njit(cache=True, nogil=True)
def same_pairs(body, pair_start, other):
    """Whether contacts between bodies (C, 2) join exactly the pairs of free bodies of a factor structure."""
    seen, count, first = np.zeros(other.shape[0], np.bool_), 0, 0
    while first < body.shape[0]:
        a, b = body[first, 0], body[first, 1]
        if a >= 0 and b >= 0:
            pair = pair_of(pair_start, other, a, b)
            if pair < 0:
                return False
            if not seen[pair]:
                seen[pair] = True
                count += 1
        first = end_of_run(body, first)
    return count == other.shape[0]


@njit(cache=True, nogil=True)
def runs(body, pair_start, other):
    """Runs of contacts that join the same bodies: start of each (Q + 1,), its pair in the factor structure (Q,), -1 if
    one body is a support; and whether two runs join the same bodies.
    """
    start, pair = np.empty(body.shape[0] + 1, np.int64), np.empty(body.shape[0], np.int64)
    seen, held = np.zeros(other.shape[0], np.bool_), np.zeros((pair_start.shape[0] - 1, 2), np.bool_)
    count, first, repeated = 0, 0, False
    while first < body.shape[0]:
        a, b = body[first, 0], body[first, 1]
        start[count], pair[count] = first, -1
        if a >= 0 and b >= 0:
            k = pair_of(pair_start, other, a, b)
            pair[count] = k
            repeated, seen[k] = repeated or seen[k], True
        else:
            i, side = max(a, b), 1 if b >= 0 else 0
            repeated, held[i, side] = repeated or held[i, side], True
        count += 1
        first = end_of_run(body, first)
    start[count] = body.shape[0]
    return start[: count + 1], pair[:count], repeated
