"""Non-linear Gauss-Seidel (NLGS; docs/methods.md, section 4.2): contact by contact, velocities updated at once."""

from numba import njit

from nscd_engine.kernels.solvers.delassus import apply_impulse, relative_velocity
from nscd_engine.kernels.solvers.one_contact import associated, coulomb


@njit(cache=True, nogil=True)
def sweep(problem, lever, inverse_inertia, blocks, orders, exact, impulses, v):
    """Visit the contacts once in each of the orders (sweeps, C); `impulses` (C, 3) and `v` (N, 6) change in place.

    `exact`: Coulomb friction, else associated friction. `blocks` (C, 3, 3) are the diagonal blocks of W + E, E being
    the compliance; `lever` and `inverse_inertia` as of `delassus.levers` and `operators.inverse_inertia`.
    """
    for order in orders:
        for c in order:
            w, g = blocks[c], impulses[c]
            g0, g1, g2 = g[0], g[1], g[2]
            u0, u1, u2 = relative_velocity(problem, lever, v, c)
            e0, e1 = problem.compliance[c, 0], problem.compliance[c, 1]
            # y = u + bias + E g - (W + E) g: relative velocity without the impulse of the contact itself
            y0 = u0 + problem.bias[c, 0] + e0 * g0 - (w[0, 0] * g0 + w[0, 1] * g1 + w[0, 2] * g2)
            y1 = u1 + problem.bias[c, 1] + e1 * g1 - (w[1, 0] * g0 + w[1, 1] * g1 + w[1, 2] * g2)
            y2 = u2 + problem.bias[c, 2] + e1 * g2 - (w[2, 0] * g0 + w[2, 1] * g1 + w[2, 2] * g2)
            if exact:
                g[0], g[1], g[2] = coulomb(w, y0, y1, y2, problem.friction[c])
            else:
                g[0], g[1], g[2] = associated(w, y0, y1, y2, problem.friction[c])
            if g[0] != g0 or g[1] != g1 or g[2] != g2:
                apply_impulse(problem, lever, inverse_inertia, v, c, g[0] - g0, g[1] - g1, g[2] - g2)
