"""Primal-dual interior point method for the rigid step problem: Mehrotra's corrector with Nesterov-Todd scaling.

    M (v - v_free) = J^T gamma,   s = J v + bias + C gamma,   gamma in K,  s in K*,  gamma . s -> 0

Second-order cones in standard form: x = D gamma, z = D^-1 s, D = diag(mu, 1, 1), both in {|x_t| <= x_0}. Without
friction the cone is the half-line of x_0 = gamma_n, z_0 = s_n. The scaling W = eta (2 w w^T - R)^(1/2) makes
W^-1 x = W z = lambda; the linear systems are M + J^T G J with G = (C + D W^-2 D)^-1, as in Newton's method.
Per contact the scaling is kept as (w_0, w_1, w_2, eta), R = diag(1, -1, -1). docs/methods.md, section 2.4.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner

#: Step length of a direction that never leaves the cones [-].
UNBOUNDED = 1e300


class ConeProblem(NamedTuple):
    """Data of the cones, constant in an iteration. C contacts in grouped order."""

    friction: np.ndarray  # [-] (C,)
    compliance: np.ndarray  # [m/(N s)] (C, 2): normal, tangential
    bias: np.ndarray  # [m/s] (C, 3)


class ConePoint(NamedTuple):
    """The iterate in the cones, and the arrays of an iteration, written in place. C contacts in grouped order."""

    x: np.ndarray  # [N s] (C, 3): D gamma
    z: np.ndarray  # [m/s] (C, 3): D^-1 s
    step_x: np.ndarray  # [N s] (C, 3): step of x
    step_z: np.ndarray  # [m/s] (C, 3): step of z
    scaling: np.ndarray  # (C, 4): w_0, w_1, w_2, eta
    scaled: np.ndarray  # (C, 3): lambda = W z
    push: np.ndarray  # [m/s] (C, 3): right side of the contacts, dgamma = G (push - J dv)


def cone_point(x_0, z_0):
    """ConePoint on the axis of the cones, at x_0 (C,) and z_0 (C,), with zero steps."""
    count = len(x_0)
    x, z = np.zeros((count, 3)), np.zeros((count, 3))
    x[:, 0], z[:, 0] = x_0, z_0
    step_x, step_z = np.zeros((count, 3)), np.zeros((count, 3))
    return ConePoint(x, z, step_x, step_z, np.empty((count, 4)), np.empty((count, 3)), np.empty((count, 3)))


@inner
def scale_by(w_0, w_1, w_2, eta, x_0, x_1, x_2):
    """W x, with W = eta [[w_0, w_t^T], [w_t, 1 + w_t w_t^T / (1 + w_0)]]."""
    dot = w_1 * x_1 + w_2 * x_2
    turn = x_0 + dot / (1.0 + w_0)
    return eta * (w_0 * x_0 + dot), eta * (x_1 + turn * w_1), eta * (x_2 + turn * w_2)


@inner
def divide(a, b_0, b_1, b_2):
    """The c with a o c = b in the Jordan algebra of the cone (a o c = (a . c, a_0 c_t + c_0 a_t))."""
    det = a[0] * a[0] - a[1] * a[1] - a[2] * a[2]
    c_0 = (a[0] * b_0 - a[1] * b_1 - a[2] * b_2) / det
    return c_0, (b_1 - c_0 * a[1]) / a[0], (b_2 - c_0 * a[2]) / a[0]


@njit(cache=True, nogil=True, error_model="numpy")
def rescale(friction, compliance, point, G):
    """Scaling and scaled point lambda of every contact, into `point`, and stiffness G (C, 6) as in `hessian.Work`."""
    x, z, scaling, scaled = point.x, point.z, point.scaling, point.scaled
    for c in range(x.shape[0]):
        mu = friction[c]
        if mu == 0.0:
            eta = np.sqrt(x[c, 0] / z[c, 0])
            scaling[c, 0], scaling[c, 1], scaling[c, 2], scaling[c, 3] = 1.0, 0.0, 0.0, eta
            scaled[c, 0], scaled[c, 1], scaled[c, 2] = np.sqrt(x[c, 0] * z[c, 0]), 0.0, 0.0
            G[c, :] = 0.0
            G[c, 0] = 1.0 / (compliance[c, 0] + 1.0 / (eta * eta))
            continue
        det_x, det_z = determinant(x[c]), determinant(z[c])
        root_x, root_z = np.sqrt(det_x), np.sqrt(det_z)
        dot = (x[c, 0] * z[c, 0] + x[c, 1] * z[c, 1] + x[c, 2] * z[c, 2]) / (root_x * root_z)
        half = np.sqrt(0.5 * (1.0 + dot))
        w_1 = (x[c, 1] / root_x - z[c, 1] / root_z) / (2.0 * half)
        w_2 = (x[c, 2] / root_x - z[c, 2] / root_z) / (2.0 * half)
        w_0 = np.sqrt(1.0 + w_1 * w_1 + w_2 * w_2)
        eta = np.sqrt(root_x / root_z)
        scaling[c, 0], scaling[c, 1], scaling[c, 2], scaling[c, 3] = w_0, w_1, w_2, eta
        scaled[c, 0], scaled[c, 1], scaled[c, 2] = scale_by(w_0, w_1, w_2, eta, z[c, 0], z[c, 1], z[c, 2])
        if compliance[c, 0] == 0.0 and compliance[c, 1] == 0.0:  # G = D^-1 W^2 D^-1, W^2 = eta^2 (2 w w^T - R)
            f = eta * eta
            G[c, 0] = f * (2.0 * w_0 * w_0 - 1.0) / (mu * mu)
            G[c, 1], G[c, 2] = 2.0 * f * w_0 * w_1 / mu, 2.0 * f * w_0 * w_2 / mu
            G[c, 3], G[c, 4], G[c, 5] = f * (2.0 * w_1 * w_1 + 1.0), 2.0 * f * w_1 * w_2, f * (2.0 * w_2 * w_2 + 1.0)
        else:
            invert_softened(w_0, w_1, w_2, eta, mu, compliance[c], G[c])


@inner
def determinant(x):
    """x_0^2 - |x_t|^2, with no more cancellation than x itself has; positive."""
    r = np.sqrt(x[1] * x[1] + x[2] * x[2])
    return max((x[0] - r) * (x[0] + r), 1e-300)


@inner
def invert_softened(w_0, w_1, w_2, eta, mu, compliance, G):
    """G = (C + D W^-2 D)^-1, W^-2 = (2 (R w)(R w)^T - R) / eta^2; symmetric 3 x 3.

    Across w_t it is a number; along the normal and w_t a 2 x 2 matrix, in whose determinant all terms are positive:
    (k mu^2)(k) - (2 mu w_0 |w_t|)^2 = mu^2 with k = 2 w_0^2 - 1 = 2 |w_t|^2 + 1.
    """
    f, k = 1.0 / (eta * eta), 2.0 * w_0 * w_0 - 1.0
    c_n, c_t, square = compliance[0], compliance[1], w_1 * w_1 + w_2 * w_2
    det = c_n * c_t + f * k * (c_n + c_t * mu * mu) + f * f * mu * mu
    across = 1.0 / (c_t + f)
    more = ((c_n + f * k * mu * mu) / det - across) / square if square > 0.0 else 0.0
    both = 2.0 * f * mu * w_0 / det
    G[0], G[1], G[2] = (c_t + f * k) / det, both * w_1, both * w_2
    G[3], G[4], G[5] = across + more * w_1 * w_1, more * w_1 * w_2, across + more * w_2 * w_2


@njit(cache=True, nogil=True, error_model="numpy")
def right_side(cones, point, u, centring):
    """point.push = D W^-1 d - r, so that dgamma = G (push - J dv); `u` (C, 3) is J v.

    d solves lambda o d = sigma mu e - lambda o lambda - (W^-1 dx) o (W dz), `centring` being sigma mu. The last term is
    Mehrotra's, with the affine step in step_x, step_z (zero for the affine step itself). r = J v + bias + C gamma - s.
    """
    friction, compliance, bias = cones.friction, cones.compliance, cones.bias
    x, z, step_x, step_z, push = point.x, point.z, point.step_x, point.step_z, point.push
    scaling, scaled = point.scaling, point.scaled
    for c in range(x.shape[0]):
        mu = friction[c]
        w_0, w_1, w_2, eta = scaling[c, 0], scaling[c, 1], scaling[c, 2], scaling[c, 3]
        lam = scaled[c]
        if mu == 0.0:
            d = (centring - step_x[c, 0] * step_z[c, 0]) / lam[0] - lam[0]
            push[c, 0] = d / eta - (u[c, 0] + bias[c, 0] + compliance[c, 0] * x[c, 0] - z[c, 0])
            push[c, 1] = push[c, 2] = 0.0
            continue
        a_0, a_1, a_2 = scale_by(w_0, -w_1, -w_2, 1.0 / eta, step_x[c, 0], step_x[c, 1], step_x[c, 2])
        b_0, b_1, b_2 = scale_by(w_0, w_1, w_2, eta, step_z[c, 0], step_z[c, 1], step_z[c, 2])
        d_0, d_1, d_2 = divide(
            lam, centring - (a_0 * b_0 + a_1 * b_1 + a_2 * b_2), -(a_0 * b_1 + b_0 * a_1), -(a_0 * b_2 + b_0 * a_2)
        )
        d_0, d_1, d_2 = scale_by(w_0, -w_1, -w_2, 1.0 / eta, d_0 - lam[0], d_1 - lam[1], d_2 - lam[2])
        push[c, 0] = mu * d_0 - (u[c, 0] + bias[c, 0] + compliance[c, 0] * x[c, 0] / mu - mu * z[c, 0])
        push[c, 1] = d_1 - (u[c, 1] + bias[c, 1] + compliance[c, 1] * x[c, 1] - z[c, 1])
        push[c, 2] = d_2 - (u[c, 2] + bias[c, 2] + compliance[c, 1] * x[c, 2] - z[c, 2])


@njit(cache=True, nogil=True)
def stiff_times(G, u, out):
    """out (C, 3) = G u, contact by contact; G (C, 6) as in `hessian.Work`."""
    for c in range(u.shape[0]):
        a, b, d = u[c, 0], u[c, 1], u[c, 2]
        out[c, 0] = G[c, 0] * a + G[c, 1] * b + G[c, 2] * d
        out[c, 1] = G[c, 1] * a + G[c, 3] * b + G[c, 4] * d
        out[c, 2] = G[c, 2] * a + G[c, 4] * b + G[c, 5] * d


@njit(cache=True, nogil=True, error_model="numpy")
def contact_steps(cones, point, G, u, du):
    """Steps of x and z, into `point`, for a step dv, u = J v and du = J dv (C, 3); what `greatest_step` returns."""
    friction, compliance, bias = cones.friction, cones.compliance, cones.bias
    x, z, step_x, step_z, push = point.x, point.z, point.step_x, point.step_z, point.push
    alpha = UNBOUNDED
    for c in range(x.shape[0]):
        mu = friction[c]
        a, b, d = push[c, 0] - du[c, 0], push[c, 1] - du[c, 1], push[c, 2] - du[c, 2]
        g_n = G[c, 0] * a + G[c, 1] * b + G[c, 2] * d
        g_1 = G[c, 1] * a + G[c, 3] * b + G[c, 4] * d
        g_2 = G[c, 2] * a + G[c, 4] * b + G[c, 5] * d
        scale = mu if mu > 0.0 else 1.0
        s_n = u[c, 0] + du[c, 0] + bias[c, 0] + compliance[c, 0] * (x[c, 0] / scale + g_n)
        step_x[c, 0], step_x[c, 1], step_x[c, 2] = scale * g_n, g_1, g_2
        step_z[c, 0] = s_n / scale - z[c, 0]
        step_z[c, 1] = u[c, 1] + du[c, 1] + bias[c, 1] + compliance[c, 1] * (x[c, 1] + g_1) - z[c, 1]
        step_z[c, 2] = u[c, 2] + du[c, 2] + bias[c, 2] + compliance[c, 1] * (x[c, 2] + g_2) - z[c, 2]
        if mu == 0.0:
            step_x[c, 1] = step_x[c, 2] = step_z[c, 1] = step_z[c, 2] = 0.0
        alpha = min(alpha, to_boundary(x[c], step_x[c]), to_boundary(z[c], step_z[c]))
    return alpha


@inner
def to_boundary(x, d):
    """Greatest alpha with x + alpha d in the cone: root of |x_t + alpha d_t|^2 = (x_0 + alpha d_0)^2."""
    a = d[0] * d[0] - d[1] * d[1] - d[2] * d[2]
    b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2]
    c = determinant(x)
    disc = b * b - a * c
    if (b >= 0.0 and a >= 0.0) or disc < 0.0:  # no positive root of a t^2 + 2 b t + c
        return UNBOUNDED if d[0] >= 0.0 else -x[0] / d[0]
    return c / (np.sqrt(disc) - b)


@njit(cache=True, nogil=True, error_model="numpy")
def greatest_step(point):
    """Greatest alpha for which all x + alpha step_x and z + alpha step_z are in their cones."""
    x, z, step_x, step_z, alpha = point.x, point.z, point.step_x, point.step_z, UNBOUNDED
    for c in range(x.shape[0]):
        alpha = min(alpha, to_boundary(x[c], step_x[c]), to_boundary(z[c], step_z[c]))
    return alpha


@njit(cache=True, nogil=True)
def complementarity(point, alpha):
    """Mean of x . z over the contacts, after a step of length alpha [N m]."""
    x, z, step_x, step_z, total = point.x, point.z, point.step_x, point.step_z, 0.0
    for c in range(x.shape[0]):
        for k in range(3):
            total += (x[c, k] + alpha * step_x[c, k]) * (z[c, k] + alpha * step_z[c, k])
    return total / max(x.shape[0], 1)
