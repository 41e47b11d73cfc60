"""Contacts of one step found again in the next, by their keys."""

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner


@njit(cache=True, nogil=True)
def match(old, new, impulses, scale):
    """Impulses (n, 3) of the contacts `new` (n,), `scale` times those that the same keys had among `old` (m,), 0 if
    they were not there.

    Most contacts follow each other as before: the place after the last match is looked at first.
    """
    found, table, j = np.zeros((new.shape[0], 3)), np.empty(0, np.int64), 0
    for i in range(new.shape[0]):
        at = j
        if j >= old.shape[0] or old[j] != new[i]:
            table = table if table.shape[0] > 0 else table_of(old)
            at = find(table, old, new[i])
        if at >= 0:
            j = at + 1
            for k in range(3):
                found[i, k] = scale * impulses[at, k]
    return found


@inner
def table_of(keys):
    """Hash table of keys (m,): places of keys, -1 where a slot is free; of equal keys the first counts.

    Keys are spread evenly as they are (`narrow_phase.key_with`): their last bits are the slot.
    """
    size = 16
    while size < 2 * keys.shape[0]:
        size *= 2
    table = np.full(size, -1)
    for k in range(keys.shape[0]):
        slot = keys[k] & (size - 1)
        while table[slot] >= 0 and keys[table[slot]] != keys[k]:
            slot = (slot + 1) & (size - 1)
        if table[slot] < 0:
            table[slot] = k
    return table


@inner
def find(table, keys, key):
    """Place of a key among those of the table, -1 if it is not there."""
    slot = key & (table.shape[0] - 1)
    while table[slot] >= 0:
        if keys[table[slot]] == key:
            return table[slot]
        slot = (slot + 1) & (table.shape[0] - 1)
    return -1
