"""ADMM for a step of dry blocks: penalty, start, tolerances and numbers of iterations (docs/methods.md, section 5.5).

The sequence of a step is `prepare`, factor of M + J^T R J, `solve_within`. It is written twice: in `take_step` for
compiled motions, and in `nscd_engine.solvers.admm.solve_step`, which factorises on several threads and in double
precision if single precision is not enough. A test compares the two bit for bit.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner
from nscd_engine.kernels.solvers.admm import AdmmProblem, solve_admm
from nscd_engine.kernels.solvers.admm_matrix import factorise
from nscd_engine.kernels.solvers.operators import inverse_inertia, mobility, relative_velocity, velocity_after
from nscd_engine.kernels.solvers.residuals import (
    external_impulses,
    gyration_squared,
    worst_relative_residual,
)

#: 1 / (R w) [-]. Smaller: the friction law is met late. Larger: blocks tremble.
SOFTNESS = 0.05
#: Contacts of two bodies beyond which the penalty of each falls with their number [-]: they resist together, as where a
#: body of many parts lies on its face. Smaller: walls take more iterations. Larger: such bodies do not settle.
TOGETHER = 32
#: Mean residual allowed per contact, over the greatest external impulse of a body in the step [-]. Smaller: more
#: iterations. Larger: blocks that rest creep.
MEAN = 5e-6
#: Greatest mean residual allowed, however many contacts there are [-]. Smaller: large models take more iterations.
#: Larger: their blocks tremble.
ROUGHEST_MEAN = 5e-3
#: Greatest residual allowed of one contact [-]. Smaller: more steps are repeated by interior points. Larger: single
#: contacts fail unseen.
WORST = 0.2
#: Residual, and momentum over the external impulse of the step, of a structure at rest [-]. Smaller: rest is not
#: detected. Larger: slow motions are stopped.
REST = 1e-6
#: Contacts visited in the iterations of a step [-]. Smaller: sliding steps end rough. Larger: they take longer.
VISITS = 30000
#: Least limit of the iterations of a step [-]. Smaller: steps of many contacts end rough.
LEAST_ITERATIONS = 30
#: Greatest limit of the iterations of a step [-]. Larger: steps of few contacts that do not converge take longer.
MOST_ITERATIONS = 1000
#: Further iterations if the residual of a contact is above WORST [-]. Smaller: more steps need interior points.
MORE_ITERATIONS = 200
#: Contacts below which Newton's method takes the steps it can [-]: it is exact and then as fast. ADMM handles every
#: step of a motion when FEW <= contacts < MANY.
FEW = 48
#: Contacts from which ADMM is so rough that resting blocks are left to Newton's method [-].
MANY = 500
#: Greatest mass ratio for which ADMM handles every step [-]: its tolerance is the same for all blocks, and too rough
#: for the lightest ones if the ratio is larger.
MASS_RATIO = 100.0
#: Speed that would close a gap in the step, over that of the fastest body without contacts, above which the contact is
#: left out [-]. Smaller: blocks hurled by a lever penetrate. Larger: more contacts are visited in vain.
FAR = 8.0


class Limits(NamedTuple):
    """When the iterations of a step end."""

    iterations: tuple  # numbers of iterations: the next is spent only if a contact is then above `worst`
    mean: float  # mean residual of the contacts over the unit [-]
    worst: float  # greatest residual of a contact over the unit [-]
    unit: float  # [N s]: greatest external impulse of a body in the step


@njit(cache=True, nogil=True)
def is_admm_step(contacts, hold_steps, similar_masses):
    """Whether ADMM alone takes the next step, after one with so many contacts.

    It does if the blocks have similar masses and FEW <= contacts < MANY, or while ADMM is held for more than one
    further step; in the last one Newton's method is tried again.
    """
    return (similar_masses and FEW <= contacts < MANY) or hold_steps > 1


@inner
def limits_of(count, unit):
    """Limits for so many contacts; `unit` [N s]."""
    most = min(max(VISITS // max(count, 1), LEAST_ITERATIONS), MOST_ITERATIONS)
    return Limits((most, MORE_ITERATIONS), min(MEAN * count, ROUGHEST_MEAN), WORST, unit)


@inner
def contacts_of_pairs(body, bodies):
    """Number of contacts (C,) between the same two of so many bodies; all supports are one body.

    Contacts of a pair need not follow each other: a body of many parts touches its neighbours part by part.
    """
    count, start = body.shape[0], np.zeros(bodies + 2, np.int64)
    order, beside, together = np.empty(count, np.int64), np.zeros(bodies + 1, np.int64), np.empty(count, np.int64)
    for c in range(count):
        start[min(body[c, 0], body[c, 1]) + 2] += 1
    for i in range(bodies):
        start[i + 1] += start[i]
    for c in range(count):
        low = min(body[c, 0], body[c, 1]) + 1
        order[start[low]] = c
        start[low] += 1
    first = 0
    for i in range(bodies):  # contacts first to start[i] - 1 have the smaller number i - 1
        for k in range(first, start[i]):
            beside[max(body[order[k], 0], body[order[k], 1])] += 1
        for k in range(first, start[i]):
            together[order[k]] = beside[max(body[order[k], 0], body[order[k], 1])]
        for k in range(first, start[i]):
            beside[max(body[order[k], 0], body[order[k], 1])] = 0
        first = start[i]
    return together


@njit(cache=True, nogil=True, error_model="numpy")
def penalties(problem, w):
    """R [kg] (C,) of contacts with mobilities w (C,); 0 where a gap is too wide to close in the step."""
    together = contacts_of_pairs(problem.body, problem.mass.shape[0])
    fastest, R = 0.0, np.empty(w.shape[0])
    for i in range(problem.mass.shape[0]):
        v = problem.v_free[i]
        linear, spin = v[0] * v[0] + v[1] * v[1] + v[2] * v[2], v[3] * v[3] + v[4] * v[4] + v[5] * v[5]
        fastest = max(fastest, np.sqrt(linear) + np.sqrt(spin * gyration_squared(problem, i)))
    for c in range(w.shape[0]):
        crowd = max(together[c] / TOGETHER, 1.0)
        R[c] = 0.0 if problem.bias[c, 0] > FAR * fastest else 1.0 / (SOFTNESS * crowd * w[c])
    return R


@inner
def extrapolated(velocity, earlier, count):
    """Start velocities (N, 6): with fewer than MANY contacts they change as in the step before, from `earlier` (N, 6).

    With more contacts the steps are too rough for this to have an effect.
    """
    start = velocity.copy()
    if count < MANY:
        for i in range(start.shape[0]):
            for k in range(6):
                start[i, k] += velocity[i, k] - earlier[i, k]
    return start


@njit(cache=True, nogil=True)
def prepare(problem, velocity, earlier, coulomb):
    """AdmmProblem, start velocities (N, 6) and Limits of a step.

    `velocity` (N, 6) is that after the step before, `earlier` (N, 6) that before it.
    """
    inverse, count = inverse_inertia(problem), problem.friction.shape[0]
    w, (_, unit) = mobility(problem, inverse), external_impulses(problem, velocity)
    given = AdmmProblem(problem, penalties(problem, w), w, inverse, coulomb)
    return given, extrapolated(velocity, earlier, count), limits_of(count, unit)


@njit(cache=True, nogil=True)
def solve_within(given, factor, limits, v, gamma):
    """Iterate from velocities v (N, 6) and impulses gamma (C, 3), in place, within the Limits.

    Returns the number of iterations, and the greatest residual of a contact [N s].
    """
    total, residual = 0, np.inf
    for most in limits.iterations:
        done, residual = solve_admm(given, factor, most, limits.mean * limits.unit, v, gamma)
        total += done
        if residual <= limits.worst * limits.unit:
            break
    return total, residual


@inner
def is_at_rest(problem, v, own):
    """Whether the momentum of every body is below REST of its external impulse `own` [N s] (N,), at velocities v."""
    for i in range(v.shape[0]):
        reach = np.sqrt(gyration_squared(problem, i))
        for k in range(3):
            if not max(abs(v[i, k]), reach * abs(v[i, 3 + k])) * problem.mass[i] <= REST * own[i]:
                return False
    return True


@inner
def stays_at_rest(problem, coulomb, v, gamma):
    """Whether nothing moves at velocities v (N, 6), and the impulses gamma (C, 3) of the step before still balance."""
    own, _ = external_impulses(problem, v)
    if not is_at_rest(problem, v, own):
        return False
    inverse = inverse_inertia(problem)
    u = relative_velocity(problem, velocity_after(problem, gamma, inverse))
    return worst_relative_residual(problem, gamma, u, mobility(problem, inverse), coulomb, own) <= REST


@inner
def take_step(problem, factor, coulomb, v, earlier, gamma):
    """One step of a compiled motion: velocities (N, 6), iterations, and whether the residual is small enough.

    `v` (N, 6) is the velocity after the step before, `earlier` (N, 6) that before it; the impulses gamma (C, 3) are
    updated in place. Beside the test for rest it is the same sequence as `nscd_engine.solvers.admm.solve_step`.
    """
    if stays_at_rest(problem, coulomb, v, gamma):
        return np.zeros_like(v), 0, True
    given, start, limits = prepare(problem, v, earlier, coulomb)
    if not factorise(problem, given.penalty, factor):
        return start, 0, False
    done, residual = solve_within(given, factor, limits, start, gamma)
    return start, done, residual <= limits.worst * limits.unit
