"""Contacts of one step matched with those of the next by their keys, for warm starts."""

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner

#: Keys after the last match that are compared before a table of all keys is made [-]: those of some pairs that have
#: been detected again. Fewer: a table in most steps. More: new keys are compared in vain.
NEAR = 32


@njit(cache=True, nogil=True)
def match(old, new, impulses, scale):
    """Impulses (n, 3) of contacts with keys `new` (n,): `scale` times those of the same keys in `old` (m,), 0 if there
    are none.

    The order of the contacts rarely changes: the keys after the last match are compared first.
    """
    found, table, j = np.zeros((new.shape[0], 3)), np.empty(0, np.int32), 0
    for i in range(new.shape[0]):
        at, end = j, min(j + NEAR, old.shape[0])
        while at < end and old[at] != new[i]:
            at += 1
        if at == end:
            table = table if table.shape[0] > 0 else table_of(old)
            at = find(table, old, new[i])
        if at >= 0:
            j = at + 1
            for k in range(3):
                found[i, k] = scale * impulses[at, k]
    return found


@inner
def table_of(keys):
    """Hash table of keys (m,): rows of the keys, -1 in a free slot. Of equal keys the first is kept.

    Keys are evenly distributed already (`narrow_phase.key_with`): their last bits are the slot.
    """
    size = 16
    while size < 2 * keys.shape[0]:
        size *= 2
    table = np.full(size, -1, np.int32)
    for k in range(keys.shape[0]):
        slot = keys[k] & (size - 1)
        while table[slot] >= 0 and keys[table[slot]] != keys[k]:
            slot = (slot + 1) & (size - 1)
        if table[slot] < 0:
            table[slot] = k
    return table


@inner
def find(table, keys, key):
    """Row of a key in the keys of the table, -1 if it is not there."""
    slot = key & (table.shape[0] - 1)
    while table[slot] >= 0:
        if keys[table[slot]] == key:
            return table[slot]
        slot = (slot + 1) & (table.shape[0] - 1)
    return -1
