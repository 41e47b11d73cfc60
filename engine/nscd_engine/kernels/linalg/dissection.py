"""Nested dissection of a body graph (George 1973): halves first, the bodies between them last, halves likewise.

A half ends where a coordinate of the graph has its median. Such coordinates are made from distances in the graph alone
(linalg/ordering.py), so that the order does not depend on where blocks have moved.
"""

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner

#: Bodies of a part that is not divided any more [-]. Larger: minimum degree orders more. Smaller: separators of few
#: bodies, which have many neighbours.
LEAF = 64
#: Cuts beside the median that are tried, as shares of the bodies between the two [-]. More: shorter cuts, and a longer
#: search.
SHIFTS = (-0.04, 0.04, -0.08, 0.08)


@njit(cache=True, nogil=True)
def distances(start, neighbour, source):
    """Steps (N,) from a body to all others; bodies that are not joined to it are as far as there are bodies."""
    n = start.shape[0] - 1
    far, queue = np.full(n, n, np.int64), np.empty(n, np.int64)
    far[source], queue[0] = 0, source
    head, tail = 0, 1
    while head < tail:
        i = queue[head]
        head += 1
        for k in range(start[i], start[i + 1]):
            j = neighbour[k]
            if far[j] == n:
                far[j] = far[i] + 1
                queue[tail] = j
                tail += 1
    return far


@inner
def separate(start, neighbour, part, order, low, middle, high):
    """Mark the side of every body of order[low:high]: 1 before the cut at `middle`, 2 after it, 3 separator; its size.

    The separator are the bodies of one side that touch the other, of the side where these are fewer.
    """
    for k in range(low, high):
        part[order[k]] = 1 if k < middle else 2
    fewer, side = high, 1
    for own, first, last in ((1, low, middle), (2, middle, high)):
        count = 0
        for k in range(first, last):
            if touches(start, neighbour, part, order[k], 3 - own):
                count += 1
        if count < fewer:
            fewer, side = count, own
    first, last = (low, middle) if side == 1 else (middle, high)
    for k in range(first, last):
        if touches(start, neighbour, part, order[k], 3 - side):
            part[order[k]] += 2  # 3 or 4; bodies that are still 1 or 2 see their own side unchanged
    for k in range(first, last):
        if part[order[k]] > 2:
            part[order[k]] = 3
    return fewer


@inner
def touches(start, neighbour, part, body, side):
    """True if a neighbour of the body lies on a side."""
    for k in range(start[body], start[body + 1]):
        if part[neighbour[k]] == side:
            return True
    return False


@inner
def by_coordinate(order, low, high, values):
    """Sort order[low:high] by a whole coordinate (N,), in place and stably, by counting."""
    least = most = values[order[low]]
    for k in range(low, high):
        least, most = min(least, values[order[k]]), max(most, values[order[k]])
    to, bodies = np.zeros(most - least + 2, np.int64), order[low:high].copy()
    for body in bodies:
        to[values[body] - least + 1] += 1
    for k in range(1, to.shape[0]):
        to[k] += to[k - 1]
    for body in bodies:
        k = values[body] - least
        order[low + to[k]] = body
        to[k] += 1


@inner
def by_place(order, low, high, place):
    """Sort a few bodies order[low:high] by their place (N,) in another order."""
    for k in range(low + 1, high):
        body, m = order[k], k
        while m > low and place[order[m - 1]] > place[body]:
            order[m] = order[m - 1]
            m -= 1
        order[m] = body


@inner
def divide(start, neighbour, part, order, low, high, coordinates):
    """Arrange order[low:high] as first half, second half, separator, along the best cut; where the last two begin."""
    fewest, choice, cut = high, 0, (low + high) // 2
    for c in range(coordinates.shape[0]):
        by_coordinate(order, low, high, coordinates[c])
        size = separate(start, neighbour, part, order, low, cut, high)
        if size < fewest:
            fewest, choice = size, c
    by_coordinate(order, low, high, coordinates[choice])
    best = float(fewest)
    for share in SHIFTS:
        middle = (low + high) // 2 + int(share * (high - low))
        cost = separate(start, neighbour, part, order, low, middle, high) * (1.0 + abs(2.0 * share))
        if cost < best:
            best, cut = cost, middle
    separate(start, neighbour, part, order, low, cut, high)
    bodies, to, begin = order[low:high].copy(), low, np.empty(3, np.int64)
    for side in range(1, 4):
        begin[side - 1] = to
        for body in bodies:
            if part[body] == side:
                order[to] = body
                to += 1
    for body in bodies:
        part[body] = 0
    return begin[1], begin[2]


@njit(cache=True, nogil=True)
def nested_dissection(start, neighbour, coordinates, place):
    """Bodies (N,) in the order of nested dissection.

    Parameters
    ----------
    start, neighbour : arrays
        The body graph, both directions.
    coordinates : array (K, N) int64
        Along which it may be cut.
    place : array (N,)
        Place of every body in another order, which holds in parts that are not divided.
    """
    n = place.shape[0]
    order, part = np.arange(n), np.zeros(n, np.int8)
    first, end, top = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64), 0  # parts that are still to be divided
    end[0] = n
    while top >= 0:
        low, high = first[top], end[top]
        top -= 1
        if high - low <= LEAF:
            by_place(order, low, high, place)
            continue
        second, last = divide(start, neighbour, part, order, low, high, coordinates)
        first[top + 1], end[top + 1], first[top + 2], end[top + 2] = low, second, second, last
        top += 2
    return order
