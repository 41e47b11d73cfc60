"""The splitting method as a step of dry blocks uses it: how exactly, for how long, from where."""

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner
from nscd_engine.kernels.solvers.admm import descend
from nscd_engine.kernels.solvers.admm_matrix import stiffness_factor
from nscd_engine.kernels.solvers.operators import inverse_inertia, mobility, relative_velocity, velocity_after
from nscd_engine.kernels.solvers.residuals import brought, reach_squared, worst_miss

#: 1 / (R w) [-]: smaller, and the friction law comes late; larger, and blocks tremble.
SOFTNESS = 0.05
#: What contacts may miss in the mean: so much for each of them, and so much at most; and at worst [-]. All over the
#: impulse of weight and loads that the step brings.
MEAN, ROUGHEST_MEAN, WORST = 5e-6, 5e-3, 0.2
#: The same at worst, and speed over what the step brings, of what is at rest [-]: the impulses of the step before hold,
#: and nothing moves.
REST = 1e-6
#: Iterations: so many contacts visited, but between these two; and those if a contact then misses too much.
VISITS, LEAST, MOST, MORE = 30000, 30, 1000, 200
#: Contacts from which the splitting method takes all steps of a motion, and those from which it is so rough that what
#: rests is better left to Newton's method. Fewer: that is exact. Greatest ratio of the masses for that: it is as rough
#: for the light ones as for the heavy ones.
SEVERAL, MANY, ALIKE = 48, 500, 100.0
#: Speed at which a gap would have to close, over that of the fastest body without contacts, from which it is not looked
#: at [-]. Smaller: what is hurled by a lever comes too deep. Larger: more contacts to visit in vain.
FAR = 8.0


@njit(cache=True, nogil=True)
def may_march(count, hard, alike):
    """Whether the next step is taken by the splitting method and nothing else: after one with so many contacts of
    bodies whose masses are `alike`, and while it stays for `hard` more steps, after the last of which Newton's method
    is tried again."""
    return (alike and SEVERAL <= count < MANY) or hard > 1


@njit(cache=True, nogil=True)
def miss_allowed(count):
    """What so many contacts may miss in the mean [-]."""
    return min(MEAN * count, ROUGHEST_MEAN)


@njit(cache=True, nogil=True)
def budgets(count):
    """Iterations for so many contacts, and more if they are not enough."""
    return min(max(VISITS // max(count, 1), LEAST), MOST), MORE


@njit(cache=True, nogil=True, error_model="numpy")
def hardness(problem, w):
    """R [kg] (C,) of contacts with mobilities w (C,); 0 where a gap is too wide to close in the step."""
    fastest, R = 0.0, np.empty(w.shape[0])
    for i in range(problem.mass.shape[0]):
        v = problem.v_free[i]
        linear, spin = v[0] * v[0] + v[1] * v[1] + v[2] * v[2], v[3] * v[3] + v[4] * v[4] + v[5] * v[5]
        fastest = max(fastest, np.sqrt(linear) + np.sqrt(spin * reach_squared(problem, i)))
    for c in range(w.shape[0]):
        R[c] = 0.0 if problem.bias[c, 0] > FAR * fastest else 1.0 / (SOFTNESS * w[c])
    return R


@njit(cache=True, nogil=True)
def ahead(velocity, earlier, count):
    """Where to start: velocities (N, 6) that go on as they changed in the step before, if there are few enough contacts
    to be solved so exactly that it is seen; `earlier` are those of the step before."""
    start = velocity.copy()
    if count < MANY:
        for i in range(start.shape[0]):
            for k in range(6):
                start[i, k] += velocity[i, k] - earlier[i, k]
    return start


@njit(cache=True, nogil=True)
def spend(problem, R, w, inverse, sym, packed, coulomb, iterations, tolerance, worst, v, gamma):
    """`descend` until contacts miss less than `tolerance` [N s] in the mean, or the first number of `iterations` is
    spent; the next is, if a contact then misses more than `worst` [N s]. Iterations, and what a contact misses."""
    total, missed = 0, np.inf
    for most in iterations:
        done, missed = descend(problem, R, w, inverse, sym, packed, coulomb, most, tolerance, v, gamma)
        total += done
        if missed <= worst:
            break
    return total, missed


@inner
def is_still(problem, v, own):
    """Whether no body moves, seen from the impulse `own` that the step brings to it [N s] (N,)."""
    for i in range(v.shape[0]):
        reach = np.sqrt(reach_squared(problem, i))
        for k in range(3):
            if not max(abs(v[i, k]), reach * abs(v[i, 3 + k])) * problem.mass[i] <= REST * own[i]:
                return False
    return True


@inner
def take_step(problem, room, coulomb, v, earlier, gamma):
    """Velocities (N, 6) of a step from v, those of the step before, and impulses gamma (C, 3), in place; iterations,
    and whether they are good enough."""
    inverse, count = inverse_inertia(problem), gamma.shape[0]
    w, (own, unit) = mobility(problem, inverse), brought(problem, v)
    if is_still(problem, v, own):
        u = relative_velocity(problem, velocity_after(problem, gamma, inverse))
        if worst_miss(problem, gamma, u, w, coulomb, own) <= REST:
            return np.zeros_like(v), 0, True
    start, R = ahead(v, earlier, count), hardness(problem, w)
    if not stiffness_factor(problem, R, room.sym, room.panels, room.arena, room.packed):
        return start, 0, False
    mean, worst = miss_allowed(count) * unit, WORST * unit
    done, missed = spend(
        problem, R, w, inverse, room.sym, room.packed, coulomb, budgets(count), mean, worst, start, gamma
    )
    return start, done, missed <= worst
