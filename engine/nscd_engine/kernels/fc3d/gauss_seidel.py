"""Non-linear Gauss-Seidel with a given Delassus matrix."""

from numba import njit

from nscd_engine.kernels.fc3d.contact_problem import residual, velocity
from nscd_engine.kernels.solvers.one_contact import coulomb

#: Sweeps between two evaluations of the residual [-], each of which costs about one sweep. Larger: sweeps beyond
#: convergence. Smaller: more evaluations.
CHECK_EVERY = 8


@njit(cache=True, nogil=True)
def sweep(problem, r, limit, tolerance):
    """At most `limit` sweeps over r (C, 3) [N s], in place; returns their number and the residual."""
    error = residual(problem, r)
    done = 0
    while done < limit and not error <= tolerance:
        for _ in range(min(CHECK_EVERY, limit - done)):
            for c in range(len(r)):
                w = problem.diagonal[c]
                r0, r1, r2 = r[c, 0], r[c, 1], r[c, 2]
                u0, u1, u2 = velocity(problem, r, c)
                y0 = u0 - (w[0, 0] * r0 + w[0, 1] * r1 + w[0, 2] * r2)
                y1 = u1 - (w[1, 0] * r0 + w[1, 1] * r1 + w[1, 2] * r2)
                y2 = u2 - (w[2, 0] * r0 + w[2, 1] * r1 + w[2, 2] * r2)
                r[c, 0], r[c, 1], r[c, 2] = coulomb(w, y0, y1, y2, problem.friction[c])
            done += 1
        error = residual(problem, r)
    return done, error
