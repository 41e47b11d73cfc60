"""A solve with a packed factor, of bodies in their own order."""

import numpy as np
from numba import njit

from nscd_engine.kernels.linalg.packed_factor import solve_packed
from nscd_engine.kernels.linalg.padded_tile import WIDTH


@njit
def solve_in_order(packed, x):
    solve_packed(packed, x)


def packed_solve(sym, packed, b):
    """A^-1 b for b (N, 6)."""
    z, x = np.zeros((len(b), WIDTH), np.float32), np.empty_like(b)
    z[:, :6] = b[sym.order]
    solve_in_order(packed, z.reshape(-1))
    x[sym.order] = z[:, :6]
    return x
