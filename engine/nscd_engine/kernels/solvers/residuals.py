"""Residuals of the contact problem, the same for every solver (docs/methods.md, section 4).

All take a `core.structs.Problem`; impulses (C, 3) and relative velocities (C, 3) are in the contact frames (n, t1, t2).
`w` (C,) is the mobility of `operators.mobility`. NaN propagates: comparisons are written so that it is never lost.
"""

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner
from nscd_engine.kernels.solvers.friction_cone import project
from nscd_engine.kernels.solvers.operators import generalised_impulse

#: Least external impulse of a body over the greatest of all bodies [-]. Smaller: a body without weight gets a tolerance
#: below the rounding of its neighbours. Larger: a faint push on a light body is not seen.
LEAST_SHARE = 1e-5
#: Share of the momentum of a body that counts as external impulse [-]. Smaller: where nothing but inertia acts, the
#: tolerances are below rounding. Larger: fast bodies make the tolerances of all others coarse.
MOMENTUM_SHARE = 1e-3
#: Least unit of the balance of a body over the greatest external impulse and over its own momentum [-]. Smaller:
#: rounding is taken for imbalance. Larger: light bodies are solved less exactly.
ROUNDING_SHARE = 1e-5


@inner
def gyration_squared(problem, i):
    """trace(I) / m of body i [m2]: square of the length by which moments are divided to compare them with forces."""
    return (problem.inertia[i, 0, 0] + problem.inertia[i, 1, 1] + problem.inertia[i, 2, 2]) / problem.mass[i]


@inner
def greatest_impulse(problem, wrench, unit):
    """Greatest linear or angular impulse of a wrench (N, 6) [N s, N m s] over the unit of its body (N,) [N s], angular
    impulses over the length of the body [-].
    """
    return greatest_of_bodies(problem, wrench, unit, 0, wrench.shape[0])


@inner
def greatest_of_bodies(problem, wrench, unit, low, high):
    """`greatest_impulse` of bodies low:high."""
    worst = 0.0
    for i in range(low, high):
        p, scale = wrench[i], 1.0 / (unit[i] * unit[i])
        force = p[0] * p[0] + p[1] * p[1] + p[2] * p[2]
        moment = (p[3] * p[3] + p[4] * p[4] + p[5] * p[5]) / gyration_squared(problem, i)
        for square in (force * scale, moment * scale):
            if not square <= worst:
                worst = square
    return np.sqrt(worst)


@inner
def free_momentum(problem, i):
    """Greater of m |v_free| and |I w_free| over the length of body i [N s]."""
    v, turning = problem.v_free[i], 0.0
    for k in range(3):
        spin = 0.0
        for m in range(3):
            spin += problem.inertia[i, k, m] * v[3 + m]
        turning += spin * spin
    linear = problem.mass[i] * np.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    return max(linear, np.sqrt(turning / gyration_squared(problem, i)))


@njit(cache=True, nogil=True)
def free_velocity(problem):
    """Greatest free momentum of a body over its mass [m/s]."""
    fastest = 0.0
    for i in range(problem.mass.shape[0]):
        fastest = max(fastest, free_momentum(problem, i) / problem.mass[i])
    return fastest


@njit(cache=True, nogil=True)
def free_impulse(problem, w):
    """Greatest impulse that the contacts have to stop [N s]: the free momentum of a body, or the bias of a contact over
    its mobility; 1 if there is none.
    """
    scale = 0.0
    for i in range(problem.mass.shape[0]):
        scale = max(scale, free_momentum(problem, i))
    for c in range(w.shape[0]):  # an open gap (b_n > 0) needs no impulse
        b_n = min(problem.bias[c, 0], 0.0)
        drive = np.sqrt(b_n * b_n + problem.bias[c, 1] ** 2 + problem.bias[c, 2] ** 2)
        scale = max(scale, drive / w[c])
    return scale if scale > 0.0 else 1.0


@inner
def free_momentum_with_spin(problem, i):
    """m |v_free| of body i [N s], with the angular velocity times the length of the body."""
    v, square = problem.v_free[i], gyration_squared(problem, i)
    linear, spin = v[0] * v[0] + v[1] * v[1] + v[2] * v[2], v[3] * v[3] + v[4] * v[4] + v[5] * v[5]
    return problem.mass[i] * np.sqrt(linear + square * spin)


@inner
def external_impulse(problem, velocity, i):
    """External impulse of the step on body i [N s], and MOMENTUM_SHARE of its free momentum [N s].

    The impulse of weight and loads is M (v_free - velocity), `velocity` (N, 6) being that before the step; the greater
    of its linear part and of its angular part over the length of the body.
    """
    force = moment = 0.0
    for k in range(3):
        turning = 0.0
        for m in range(3):
            turning += problem.inertia[i, k, m] * (problem.v_free[i, 3 + m] - velocity[i, 3 + m])
        force += (problem.v_free[i, k] - velocity[i, k]) ** 2
        moment += turning * turning
    own = max(problem.mass[i] * np.sqrt(force), np.sqrt(moment / gyration_squared(problem, i)))
    return own, MOMENTUM_SHARE * free_momentum_with_spin(problem, i)


@njit(cache=True, nogil=True, error_model="numpy")
def external_impulses(problem, velocity):
    """External impulse of the step on every body [N s] (N,), and the greatest of all [N s].

    Bodies without weight are pushed by others: each has at least LEAST_SHARE of the greatest, which is at least
    MOMENTUM_SHARE of every free momentum. `velocity` (N, 6) is that before the step.
    """
    own, greatest = np.empty(problem.mass.shape[0]), 0.0
    for i in range(own.shape[0]):
        own[i], least = external_impulse(problem, velocity, i)
        greatest = max(greatest, own[i], least)
    greatest = greatest if greatest > 0.0 else 1.0
    return np.maximum(own, LEAST_SHARE * greatest), greatest


@njit(cache=True, nogil=True, error_model="numpy")
def balance_unit(problem, own, greatest):
    """Unit of the imbalance of every body [N s] (N,): its external impulse, but not less than the rounding of heavier
    neighbours and of its own momentum allows; `own` and `greatest` as of `external_impulses`.
    """
    unit = np.maximum(own, ROUNDING_SHARE * greatest)
    for i in range(unit.shape[0]):
        unit[i] = max(unit[i], ROUNDING_SHARE * free_momentum_with_spin(problem, i))
    return unit


@njit(cache=True, nogil=True, error_model="numpy")
def out_of_balance(problem, impulses, velocity, unit):
    """Greatest imbalance |J^T gamma - M (v - v_free)| of a body over its unit (N,) [N s] [-]."""
    wrench = generalised_impulse(problem, impulses)
    for i in range(wrench.shape[0]):
        for k in range(3):
            wrench[i, k] -= problem.mass[i] * (velocity[i, k] - problem.v_free[i, k])
            for m in range(3):
                wrench[i, 3 + k] -= problem.inertia[i, k, m] * (velocity[i, 3 + m] - problem.v_free[i, 3 + m])
    return greatest_impulse(problem, wrench, unit)


@inner
def residual_squared(problem, impulses, u, w, coulomb, c):
    """|gamma - P_K(gamma - (u' + mu |u_t| n) / w_c)|^2 of contact c [(N s)^2], u' = u + bias + C gamma."""
    g, mu = impulses[c], problem.friction[c]
    u_n = u[c, 0] + problem.bias[c, 0] + problem.compliance[c, 0] * g[0]
    u_1 = u[c, 1] + problem.bias[c, 1] + problem.compliance[c, 1] * g[1]
    u_2 = u[c, 2] + problem.bias[c, 2] + problem.compliance[c, 1] * g[2]
    if coulomb:
        u_n += mu * np.sqrt(u_1 * u_1 + u_2 * u_2)
    p_n, p_1, p_2, _ = project(g[0] - u_n / w[c], g[1] - u_1 / w[c], g[2] - u_2 / w[c], mu, 1.0, 1.0)
    return (g[0] - p_n) ** 2 + (g[1] - p_1) ** 2 + (g[2] - p_2) ** 2


@njit(cache=True, nogil=True)
def greatest_residual(problem, impulses, u, w, coulomb):
    """max_c |gamma - P_K(gamma - (u' + mu |u_t| n) / w_c)| [N s], u' = u + bias + C gamma."""
    worst = 0.0
    for c in range(impulses.shape[0]):
        square = residual_squared(problem, impulses, u, w, coulomb, c)
        if not square <= worst:  # also true of NaN, which must not pass for a small residual
            worst = square
    return np.sqrt(worst)


@inner
def smaller_unit(a, b, unit):
    """Smaller of the units (N,) of bodies a and b, of which one may be a support (-1)."""
    if a < 0 or b < 0:
        return unit[max(a, b)]
    return min(unit[a], unit[b])


@njit(cache=True, nogil=True, error_model="numpy")
def worst_relative_residual(problem, impulses, u, w, coulomb, unit):
    """As `greatest_residual`, the residual of every contact over the smaller unit (N,) [N s] of its bodies [-]."""
    worst = 0.0
    for c in range(impulses.shape[0]):
        scale = smaller_unit(problem.body[c, 0], problem.body[c, 1], unit)
        square = residual_squared(problem, impulses, u, w, coulomb, c) / (scale * scale)
        if not square <= worst:
            worst = square
    return np.sqrt(worst)


@njit(cache=True, nogil=True)
def natural_map(problem, impulses, u, w, coulomb):
    """max_c |gamma - P_K(gamma - (u' + mu |u_t| n) / w_c)| / free impulse [-], u' = u + bias + C gamma.

    The term mu |u_t| n (De Saxce) belongs to Coulomb friction; associated friction is without it.
    """
    return greatest_residual(problem, impulses, u, w, coulomb) / free_impulse(problem, w)


@njit(cache=True, nogil=True)
def natural_map_velocity(problem, impulses, u, w, coulomb):
    """The natural map as a velocity: max_c w_c times the residual of c, over the greatest free velocity [-]."""
    worst, scale = 0.0, free_velocity(problem)
    for c in range(impulses.shape[0]):
        for k in range(3):
            drive = problem.bias[c, k]
            scale = max(scale, -drive if k == 0 else abs(drive))
        slip = w[c] * np.sqrt(residual_squared(problem, impulses, u, w, coulomb, c))
        if not slip <= worst:
            worst = slip
    return worst / (scale if scale > 0.0 else 1.0)


@njit(cache=True, nogil=True)
def cone_violation(problem, impulses, w):
    """Greatest friction beyond the limit, or tension, of an impulse, over the free impulse [-]."""
    worst = 0.0
    for c in range(impulses.shape[0]):
        g_n = impulses[c, 0]
        g_t = np.sqrt(impulses[c, 1] ** 2 + impulses[c, 2] ** 2)
        worst = max(worst, -g_n, g_t - problem.friction[c] * max(g_n, 0.0))
    return worst / free_impulse(problem, w)


@njit(cache=True, nogil=True)
def wrong_friction_power(problem, impulses, u, w):
    """Greatest power gamma_t . u_t > 0, friction that drives sliding, over the power of the free motion [-]."""
    worst, scale = 0.0, 0.0
    for c in range(impulses.shape[0]):
        power = 0.0
        for k in range(1, 3):
            power += impulses[c, k] * (u[c, k] + problem.bias[c, k] + problem.compliance[c, 1] * impulses[c, k])
        worst = max(worst, power)
        scale = max(scale, w[c])
    return worst / (free_impulse(problem, w) ** 2 * (scale if scale > 0.0 else 1.0))


@njit(cache=True, nogil=True)
def unbalanced(problem, velocity, before, weight):
    """max_i m |v+ - v| / (h weight) over the free bodies [-]; `weight` [N s] (N,) is already times the step."""
    worst = 0.0
    for i in range(problem.mass.shape[0]):
        d = velocity[i] - before[i]
        worst = max(worst, problem.mass[i] * np.sqrt(d[0] ** 2 + d[1] ** 2 + d[2] ** 2) / weight[i])
    return worst
