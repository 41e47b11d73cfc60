"""How far a step may go before a contact leaves its cone."""

from numba import njit

from nscd_engine.kernels.solvers.interior_point import to_boundary


@njit(cache=True, nogil=True, error_model="numpy")
def greatest_step(x, z, step_x, step_z):
    """Greatest alpha for which all x + alpha step_x and z + alpha step_z, each (C, 3), are in {|x_t| <= x_0}."""
    alpha = 1e300
    for c in range(x.shape[0]):
        alpha = min(alpha, to_boundary(x[c], step_x[c]), to_boundary(z[c], step_z[c]))
    return alpha
