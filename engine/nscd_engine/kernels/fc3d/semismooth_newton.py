"""Semismooth Newton on the natural map of Coulomb friction, with a given Delassus matrix.

    F(r) = r - P_K(z),  z = r - rho (u + mu |u_t| n),  u = W r + q,  rho = 1 / w_c,  w_c = trace(W_cc) / 3
    F'(r) = (I - D) + rho D S W,   D = dP_K/dz,   S = I + mu n t^T,  t = u_t / |u_t|

Where a contact is open D = 0: its correction is -F and its rows are removed from the system. Redundant contacts make W
singular; `shift` w_c added to the diagonal of W in F' (not in F) selects one of the corrections.
"""

import numpy as np
from numba import njit

from nscd_engine.kernels.fc3d.contact_problem import velocity
from nscd_engine.kernels.solvers.friction_cone import OPEN, project, stiffness

#: Steps tried by the line search, each half the last [-]. Larger: it makes tiny steps along a kink of the natural map,
#: which only a longer step with a higher merit can leave. Smaller: good steps are missed.
HALVINGS = 6


@njit(cache=True, nogil=True)
def natural_map(problem, w, r, defect):
    """F(r) into `defect` (C, 3); returns the merit |F| in the energy norm, sqrt(sum w_c |F_c|^2)."""
    merit = 0.0
    for c in range(len(r)):
        u0, u1, u2 = velocity(problem, r, c)
        mu, rho = problem.friction[c], 1.0 / w[c]
        u0 += mu * np.sqrt(u1 * u1 + u2 * u2)
        p0, p1, p2, _ = project(r[c, 0] - rho * u0, r[c, 1] - rho * u1, r[c, 2] - rho * u2, mu, 1.0, 1.0)
        defect[c, 0], defect[c, 1], defect[c, 2] = r[c, 0] - p0, r[c, 1] - p1, r[c, 2] - p2
        merit += w[c] * (defect[c, 0] ** 2 + defect[c, 1] ** 2 + defect[c, 2] ** 2)
    return np.sqrt(merit)


@njit(cache=True, nogil=True)
def local_factors(problem, w, r, d, ds, active):
    """D and rho D S of every contact, (C, 3, 3) each; `active` (C,) numbers those not open, -1 if open."""
    count = 0
    for c in range(len(r)):
        u0, u1, u2 = velocity(problem, r, c)
        mu, rho = problem.friction[c], 1.0 / w[c]
        slip = np.sqrt(u1 * u1 + u2 * u2)
        z0, z1, z2 = r[c, 0] - rho * (u0 + mu * slip), r[c, 1] - rho * u1, r[c, 2] - rho * u2
        p0, _, _, state = project(z0, z1, z2, mu, 1.0, 1.0)
        active[c] = -1
        if state == OPEN:
            continue
        active[c] = count
        count += 1
        nn, n1, n2, t11, t12, t22 = stiffness(z0, z1, z2, p0, state, mu, 1.0, 1.0)
        d[c, 0, 0], d[c, 0, 1], d[c, 0, 2] = nn, n1, n2
        d[c, 1, 0], d[c, 1, 1], d[c, 1, 2] = n1, t11, t12
        d[c, 2, 0], d[c, 2, 1], d[c, 2, 2] = n2, t12, t22
        s1, s2 = (mu * u1 / slip, mu * u2 / slip) if slip > 0.0 else (0.0, 0.0)
        for k in range(3):
            ds[c, k, 0] = rho * d[c, k, 0]
            ds[c, k, 1] = rho * (d[c, k, 1] + d[c, k, 0] * s1)
            ds[c, k, 2] = rho * (d[c, k, 2] + d[c, k, 0] * s2)
    return count


@njit(cache=True, nogil=True)
def assemble(problem, w, shift, defect, d, ds, active, count):
    """F' of the active contacts by columns (data, indices, start), and the right-hand side.

    W is symmetric: the blocks of row j of W, transposed, are those of its column j.
    """
    size = 0
    for c in range(len(active)):
        if active[c] >= 0:
            for k in range(problem.row_start[c], problem.row_start[c + 1]):
                size += 9 * (active[problem.column[k]] >= 0)
    data, indices = np.empty(size), np.empty(size, np.int32)
    start = np.zeros(3 * count + 1, np.int32)
    right = np.empty(3 * count)
    at = 0
    for j in range(len(active)):
        a = active[j]
        if a >= 0:
            _right_side(problem, defect, ds, active, j, right)
        for m in range(3):
            if a < 0:
                break
            for k in range(problem.row_start[j], problem.row_start[j + 1]):
                i = problem.column[k]
                if active[i] < 0:
                    continue
                col = problem.block[k, m]
                for n in range(3):
                    x = ds[i, n, 0] * col[0] + ds[i, n, 1] * col[1] + ds[i, n, 2] * col[2]
                    if i == j:
                        x += (1.0 if m == n else 0.0) - d[i, n, m] + shift * w[i] * ds[i, n, m]
                    data[at] = x
                    indices[at] = 3 * active[i] + n
                    at += 1
            start[3 * a + m + 1] = at
    return data, indices, start, right


@njit(cache=True, nogil=True)
def _right_side(problem, defect, ds, active, c, right):
    """Right-hand side -F_c + rho D S W_co F_o, o the open neighbours, whose correction is -F_o."""
    x0 = x1 = x2 = 0.0
    for k in range(problem.row_start[c], problem.row_start[c + 1]):
        o = problem.column[k]
        if active[o] < 0:
            w = problem.block[k]
            x0 += w[0, 0] * defect[o, 0] + w[0, 1] * defect[o, 1] + w[0, 2] * defect[o, 2]
            x1 += w[1, 0] * defect[o, 0] + w[1, 1] * defect[o, 1] + w[1, 2] * defect[o, 2]
            x2 += w[2, 0] * defect[o, 0] + w[2, 1] * defect[o, 1] + w[2, 2] * defect[o, 2]
    for n in range(3):
        right[3 * active[c] + n] = ds[c, n, 0] * x0 + ds[c, n, 1] * x1 + ds[c, n, 2] * x2 - defect[c, n]


@njit(cache=True, nogil=True)
def correction(defect, active, solution, step):
    """Full correction into step (C, 3): the solution where active, -F where open."""
    for c in range(len(active)):
        for k in range(3):
            step[c, k] = solution[3 * active[c] + k] if active[c] >= 0 else -defect[c, k]


@njit(cache=True, nogil=True)
def line_search(problem, w, ceiling, r, step, trial, defect):
    """Halve the step until the merit is below the ceiling, else take the best of the steps tried.

    Returns the merit at r + t step; this point is in `trial`, its F in `defect`.
    """
    t, best, length = 1.0, np.inf, 0.0
    for _ in range(HALVINGS):
        trial[:] = r + t * step
        merit = natural_map(problem, w, trial, defect)
        if merit < best:
            best, length = merit, t
        if merit <= (1.0 - 1e-3 * t) * ceiling:
            return merit
        t *= 0.5
    trial[:] = r + length * step
    return natural_map(problem, w, trial, defect)
