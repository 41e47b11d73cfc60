"""Projection on the friction cone in the norm of a diagonal compliance, with its derivative.

    K = {g : |g_t| <= mu g_n},   P(y) = argmin_{g in K} (g - y)^T E (g - y),   E = diag(e_n, e_t, e_t)

With r = |y_t| and t = y_t / r the minimum over the ray (1, mu t) is g_n = (e_n y_n + mu e_t r) / (e_n + mu^2 e_t).
"""

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner

#: State of a contact without impulse.
OPEN = 0
#: State of a contact inside the cone: it does not slide.
STICK = 1
#: State of a contact on the boundary of the cone.
SLIDE = 2


@inner
def project(y_n, y_1, y_2, mu, e_n, e_t):
    """P(y) [N s] and the state: (g_n, g_1, g_2, state)."""
    r = np.sqrt(y_1 * y_1 + y_2 * y_2)
    if mu == 0.0:  # the cone is a ray: no tangential stiffness even where y_t vanishes
        if y_n >= 0.0:
            return y_n, 0.0, 0.0, SLIDE
        return 0.0, 0.0, 0.0, OPEN
    if r <= mu * y_n:
        return y_n, y_1, y_2, STICK
    g_n = (e_n * y_n + mu * e_t * r) / (e_n + mu * mu * e_t)
    if g_n <= 0.0:
        return 0.0, 0.0, 0.0, OPEN
    return g_n, mu * g_n * y_1 / r, mu * g_n * y_2 / r, SLIDE


@inner
def stiffness(y_n, y_1, y_2, g_n, state, mu, e_n, e_t):
    """G = dP/dy E^-1 as (nn, n1, n2, 11, 12, 22): symmetric, positive semidefinite [N s / (m/s)].

    Slide: G = s d d^T + mu g_n / (r e_t) t' t'^T with s = 1 / (e_n + mu^2 e_t), d = (1, mu t), t' normal to t.
    """
    if state == OPEN:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    if state == STICK:
        return 1.0 / e_n, 0.0, 0.0, 1.0 / e_t, 0.0, 1.0 / e_t
    if mu == 0.0:
        return 1.0 / e_n, 0.0, 0.0, 0.0, 0.0, 0.0
    r = np.sqrt(y_1 * y_1 + y_2 * y_2)
    t_1, t_2 = y_1 / r, y_2 / r
    s = 1.0 / (e_n + mu * mu * e_t)
    turn = mu * g_n / (r * e_t)  # at most 1 / e_t: the force turns with the direction of sliding
    along = mu * mu * s
    return (
        s,
        mu * s * t_1,
        mu * s * t_2,
        along * t_1 * t_1 + turn * t_2 * t_2,
        (along - turn) * t_1 * t_2,
        along * t_2 * t_2 + turn * t_1 * t_1,
    )


@inner
def part_closed(x, width):
    """Derivative of max(x, 0), which falls from 1 to 0 over about `width` below 0 instead of at once [-]."""
    return 1.0 if x >= 0.0 else 1.0 + x / np.sqrt(x * x + 4.0 * width * width)


@njit(cache=True, nogil=True, error_model="numpy")
def softened_stiffness(y_n, y_1, y_2, g_n, mu, e_n, e_t, width):
    """A stiffness as of `stiffness`, and nowhere less, whose jumps are spread over `width` [N s].

    P(y) = max(a, 0) p + max(b, 0) q with a = y_n - r / mu, b = y_n + mu r e_t / e_n and directions p, q that are normal
    to each other in the norm of E: b < 0 is open, a < 0 slides. The derivatives of the two are those of `part_closed`.
    """
    if mu == 0.0:
        return part_closed(y_n, width) / e_n, 0.0, 0.0, 0.0, 0.0, 0.0
    r = np.sqrt(y_1 * y_1 + y_2 * y_2)
    if r <= mu * y_n:
        return 1.0 / e_n, 0.0, 0.0, 1.0 / e_t, 0.0, 1.0 / e_t
    t_1, t_2 = (y_1 / r, y_2 / r) if r > 0.0 else (1.0, 0.0)
    stick, closed = part_closed(y_n - r / mu, width), part_closed(y_n + mu * r * e_t / e_n, width)
    s = 1.0 / (e_n + mu * mu * e_t)
    across = mu * s * (closed - stick)
    along = s * (stick * e_n / e_t + closed * mu * mu)
    turn = max(mu * g_n / r if g_n > 0.0 else 0.0, stick) / e_t
    return (
        s * (stick * mu * mu * e_t / e_n + closed),
        across * t_1,
        across * t_2,
        along * t_1 * t_1 + turn * t_2 * t_2,
        (along - turn) * t_1 * t_2,
        along * t_2 * t_2 + turn * t_1 * t_1,
    )
