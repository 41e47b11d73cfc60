"""Deformations of contacts, and equilibrium errors of elements."""

from numba import njit

from nscd_engine.kernels.jit import merged
from nscd_engine.kernels.quasistatic.springs import set_force


@merged
def add_motion(contacts, c, side, u, sign, d):
    """d (6,) += sign times the motion of the contact point on one side, for the displacement u (6,) of its element."""
    r, f = contacts.arm[c, side], contacts.frame[c]
    x = u[0] + u[4] * r[2] - u[5] * r[1]
    y = u[1] + u[5] * r[0] - u[3] * r[2]
    z = u[2] + u[3] * r[1] - u[4] * r[0]
    for k in range(3):
        d[k] += sign * (f[k, 0] * x + f[k, 1] * y + f[k, 2] * z)
        d[3 + k] += sign * (f[k, 0] * u[3] + f[k, 1] * u[4] + f[k, 2] * u[5])


@merged
def add_wrench(contacts, c, side, S, sign, e):
    """e (6,) += sign times the components S (6,) of a contact, carried to the centroid of the element on one side."""
    r, f = contacts.arm[c, side], contacts.frame[c]
    x = f[0, 0] * S[0] + f[1, 0] * S[1] + f[2, 0] * S[2]
    y = f[0, 1] * S[0] + f[1, 1] * S[1] + f[2, 1] * S[2]
    z = f[0, 2] * S[0] + f[1, 2] * S[1] + f[2, 2] * S[2]
    e[0] += sign * x
    e[1] += sign * y
    e[2] += sign * z
    e[3] += sign * (f[0, 0] * S[3] + f[1, 0] * S[4] + f[2, 0] * S[5] + r[1] * z - r[2] * y)
    e[4] += sign * (f[0, 1] * S[3] + f[1, 1] * S[4] + f[2, 1] * S[5] + r[2] * x - r[0] * z)
    e[5] += sign * (f[0, 2] * S[3] + f[1, 2] * S[4] + f[2, 2] * S[5] + r[0] * y - r[1] * x)


@njit(cache=True, nogil=True, error_model="numpy")
def evaluate(contacts, state, step, error):
    """Deformations and forces after displacements `step` (B, 6) since the base; adds the forces to `error` (B, 6)."""
    for c in range(contacts.body.shape[0]):
        p, q = contacts.body[c]
        d = state.deformation[c]
        for k in range(6):
            d[k] = state.base_deformation[c, k]
        add_motion(contacts, c, 1, step[q], 1.0, d)
        add_motion(contacts, c, 0, step[p], -1.0, d)
        set_force(contacts, state, c)
        add_wrench(contacts, c, 0, state.force[c], 1.0, error[p])
        add_wrench(contacts, c, 1, state.force[c], -1.0, error[q])
