"""One contact alone: gap forecast, stick trial, slide correction (Bagi; docs/methods.md, section 4.2).

Find g in the cone |g_t| <= mu g_n with u = y + W g; W (3, 3) is the contact's block of the Delassus operator with
its compliance, y the relative velocity that it would have without an impulse of its own.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

#: Most iterations of the scalar equations of sliding [-]. They converge in 2 to 6; the limit only guards against
#: rounding.
SLIDE_ITERATIONS = 60
#: Relative accuracy of the slide correction [-]. Smaller: below the rounding of W and y, which is amplified to about
#: this, and the iterations do not end. Larger: impulses of a sweep are less exact than the sweeps can be.
SLIDE_TOLERANCE = 1e-14
#: Directions tried before the associated slide correction is refined [-]. Fewer: the best one is missed where W is very
#: uneven. More: slower without effect.
DIRECTIONS = 64
COSINE = np.cos(2.0 * np.pi * np.arange(DIRECTIONS) / DIRECTIONS)
SINE = np.sin(2.0 * np.pi * np.arange(DIRECTIONS) / DIRECTIONS)


class Tangential(NamedTuple):
    """The contact without its normal: g_n = -(y_n + a . g_t) / w_nn leaves u_t = T g_t + b."""

    w_nn: float  # [1/kg]
    a_1: float  # [1/kg] W_n1
    a_2: float  # [1/kg] W_n2
    t_11: float  # [1/kg]
    t_12: float  # [1/kg]
    t_22: float  # [1/kg]
    b_1: float  # [m/s]
    b_2: float  # [m/s]
    y_n: float  # [m/s]


@njit(cache=True, nogil=True)
def eliminate_normal(w, y0, y1, y2):
    """The Tangential of W (3, 3) and y."""
    w00, a1, a2 = w[0, 0], w[0, 1], w[0, 2]
    t11, t12, t22 = w[1, 1] - a1 * a1 / w00, w[1, 2] - a1 * a2 / w00, w[2, 2] - a2 * a2 / w00
    b1, b2 = y1 - a1 * y0 / w00, y2 - a2 * y0 / w00
    return Tangential(w00, a1, a2, t11, t12, t22, b1, b2, y0)


@njit(cache=True, nogil=True)
def stick_trial(tangential, mu):
    """Whether the contact sticks, and the impulse that it then has."""
    w00, a1, a2, t11, t12, t22, b1, b2, y0 = tangential
    det = t11 * t22 - t12 * t12
    if det > SLIDE_TOLERANCE * (t11 + t22) ** 2:
        g1, g2 = (t12 * b2 - t22 * b1) / det, (t12 * b1 - t11 * b2) / det
        g0 = -(y0 + a1 * g1 + a2 * g2) / w00
        if g0 >= 0.0 and g1 * g1 + g2 * g2 <= (mu * g0) ** 2:
            return True, g0, g1, g2
    return False, 0.0, 0.0, 0.0


@njit(cache=True, nogil=True)
def coulomb(w, y0, y1, y2, mu):
    """Impulse by Coulomb friction: a sliding contact neither opens nor closes, and friction opposes the slip."""
    if y0 >= 0.0:  # gap forecast: the contact opens
        return 0.0, 0.0, 0.0
    tangential = eliminate_normal(w, y0, y1, y2)
    sticks, g0, g1, g2 = stick_trial(tangential, mu)
    if sticks:
        return g0, g1, g2
    if mu == 0.0:
        return -y0 / w[0, 0], 0.0, 0.0
    return slide(tangential, mu)


@njit(cache=True, nogil=True)
def slide(tangential, mu):
    """Slide correction: u_t = -s g_t with s > 0, so g_t = -(T + s)^-1 b, and s is the root of mu g_n = |g_t|.

    mu g_n / |g_t| - 1 is nearly linear in s; Newton starts at a bound above every root and stays between bounds.
    """
    w00, a1, a2, t11, t12, t22, b1, b2, y0 = tangential
    b = np.sqrt(b1 * b1 + b2 * b2)
    least = 0.5 * (t11 + t22) - np.sqrt(0.25 * (t11 - t22) ** 2 + t12 * t12)
    high = max(0.0, b * (w00 + mu * np.sqrt(a1 * a1 + a2 * a2)) / (-mu * y0) - least)
    low, s = 0.0, high
    g0, g1, g2 = -y0 / w00, 0.0, 0.0
    for _ in range(SLIDE_ITERATIONS):
        det = (t11 + s) * (t22 + s) - t12 * t12
        if det <= 0.0:
            break
        g1, g2 = (t12 * b2 - (t22 + s) * b1) / det, (t12 * b1 - (t11 + s) * b2) / det
        g0 = -(y0 + a1 * g1 + a2 * g2) / w00
        t = np.sqrt(g1 * g1 + g2 * g2)
        if t == 0.0:
            break
        excess = mu * g0 / t - 1.0
        if abs(excess) <= SLIDE_TOLERANCE:
            break
        if excess > 0.0:
            high = s
        else:
            low = s
        d1, d2 = (t12 * g2 - (t22 + s) * g1) / det, (t12 * g1 - (t11 + s) * g2) / det  # dg_t/ds
        slope = -mu * (a1 * d1 + a2 * d2) / (w00 * t) - mu * g0 * (g1 * d1 + g2 * d2) / t**3
        step = s - excess / slope if slope > 0.0 else low - 1.0
        if not low < step < high:
            step = 0.5 * (low + high)
        if abs(step - s) <= SLIDE_TOLERANCE * s:
            break
        s = step
    # Exactly on the cone: the rounding goes into the size of the friction, not into its direction.
    t = np.sqrt(g1 * g1 + g2 * g2)
    if t > 0.0:
        return g0, mu * g0 * g1 / t, mu * g0 * g2 / t
    return g0, 0.0, 0.0


@njit(cache=True, nogil=True)
def associated(w, y0, y1, y2, mu):
    """Impulse by associated friction: the minimum of 1/2 g.Wg + y.g over the cone."""
    if y0 >= mu * np.sqrt(y1 * y1 + y2 * y2):
        return 0.0, 0.0, 0.0
    sticks, g0, g1, g2 = stick_trial(eliminate_normal(w, y0, y1, y2), mu)
    if sticks:
        return g0, g1, g2
    if mu == 0.0:
        return -y0 / w[0, 0], 0.0, 0.0
    angle = best_direction(w, y0, y1, y2, mu)
    c, s = mu * np.cos(angle), mu * np.sin(angle)
    force, stiff = -(y0 + y1 * c + y2 * s), mobility_along(w, c, s)
    g0 = force / stiff
    return g0, c * g0, s * g0


@njit(cache=True, nogil=True)
def mobility_along(w, c, s):
    """d . W d [1/kg] for d = (1, c, s)."""
    return w[0, 0] + 2.0 * (w[0, 1] * c + w[0, 2] * s + w[1, 2] * c * s) + w[1, 1] * c * c + w[2, 2] * s * s


@njit(cache=True, nogil=True)
def best_direction(w, y0, y1, y2, mu):
    """Angle [rad] of d = (1, mu cos, mu sin) along which the energy falls most, by (y.d)^2 / d.Wd."""
    best, angle = -1.0, 0.0
    for k in range(DIRECTIONS):
        c, s = mu * COSINE[k], mu * SINE[k]
        force = max(0.0, -(y0 + y1 * c + y2 * s))
        gain = force * force / mobility_along(w, c, s)
        if gain > best:
            best, angle = gain, 2.0 * np.pi * k / DIRECTIONS
    if best <= 0.0:  # the cone of descent lies between two trial directions
        angle = np.arctan2(-y2, -y1)
    low, high = angle - 2.0 * np.pi / DIRECTIONS, angle + 2.0 * np.pi / DIRECTIONS
    for _ in range(SLIDE_ITERATIONS):
        first, second = gain_slopes(w, y0, y1, y2, mu, angle)
        if first > 0.0:
            low = angle
        else:
            high = angle
        step = angle - first / second if second < 0.0 else low - 1.0
        if not low < step < high:
            step = 0.5 * (low + high)
        if abs(step - angle) <= SLIDE_TOLERANCE:
            break
        angle = step
    return angle


@njit(cache=True, nogil=True)
def gain_slopes(w, y0, y1, y2, mu, angle):
    """First and second derivative of log((y.d)^2 / d.Wd) with respect to the angle, times positive factors."""
    c, s = mu * np.cos(angle), mu * np.sin(angle)
    n, dn, ddn = -(y0 + y1 * c + y2 * s), y1 * s - y2 * c, y1 * c + y2 * s
    q = mobility_along(w, c, s)
    dq = 2.0 * (w[0, 2] * c - w[0, 1] * s + w[1, 2] * (c * c - s * s) + (w[2, 2] - w[1, 1]) * c * s)
    ddq = 2.0 * (-w[0, 1] * c - w[0, 2] * s - 4.0 * w[1, 2] * c * s + (w[2, 2] - w[1, 1]) * (c * c - s * s))
    return 2.0 * dn * q - n * dq, 2.0 * ddn * q + dn * dq - n * ddq
