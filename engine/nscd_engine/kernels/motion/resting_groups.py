"""Groups of free bodies that touch each other, and which of them rest (docs/methods.md, section 5.4).

Whether a group rests depends on its own bodies and contacts alone, to the last bit: what moves elsewhere does not show.
"""

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner
from nscd_engine.kernels.solvers.admm_step import REST
from nscd_engine.kernels.solvers.operators import inverse_inertia, mobility, relative_velocity, velocity_after
from nscd_engine.kernels.solvers.residuals import (
    LEAST_SHARE,
    external_impulse,
    gyration_squared,
    residual_squared,
    smaller_unit,
)
from nscd_engine.kernels.union_find import root_of


@inner
def groups_of(body, count):
    """For each of `count` bodies the least body (N,) of its group; contacts join the bodies (C, 2), supports (-1) do
    not.
    """
    parent = np.arange(count)
    for c in range(body.shape[0]):
        a, b = body[c, 0], body[c, 1]
        if a >= 0 and b >= 0:
            a, b = root_of(parent, a), root_of(parent, b)
            parent[max(a, b)] = min(a, b)
    for i in range(count):
        parent[i] = parent[parent[i]]
    return parent


@inner
def units_of(problem, velocity, group):
    """External impulse of the step on every body [N s] (N,), at least LEAST_SHARE of the greatest of its group."""
    own, greatest = np.empty(group.shape[0]), np.zeros(group.shape[0])
    for i in range(own.shape[0]):
        own[i], least = external_impulse(problem, velocity, i)
        greatest[group[i]] = max(greatest[group[i]], own[i], least)
    for i in range(own.shape[0]):
        most = greatest[group[i]]
        own[i] = max(own[i], LEAST_SHARE * (most if most > 0.0 else 1.0))
    return own


@inner
def is_still(problem, v, i, unit):
    """Whether the momentum of body i is below REST of its unit [N s], at velocities v (N, 6)."""
    reach = np.sqrt(gyration_squared(problem, i))
    for k in range(3):
        if not max(abs(v[i, k]), reach * abs(v[i, 3 + k])) * problem.mass[i] <= REST * unit:
            return False
    return True


@inner
def spread_unrest(group, rests):
    """A group rests if all its bodies do."""
    for i in range(group.shape[0]):
        if not rests[i]:
            rests[group[i]] = False
    for i in range(group.shape[0]):
        rests[i] = rests[group[i]]


@inner
def check_balance(problem, impulses, coulomb, unit, rests):
    """Clear `rests` (N,) of bodies that the impulses (C, 3) of the step before do not hold."""
    inverse = inverse_inertia(problem)
    after = velocity_after(problem, impulses, inverse)
    for i in range(rests.shape[0]):
        rests[i] = rests[i] and is_still(problem, after, i, unit[i])
    u, w = relative_velocity(problem, after), mobility(problem, inverse)
    for c in range(impulses.shape[0]):
        a, b = problem.body[c, 0], problem.body[c, 1]
        if rests[max(a, b)]:
            least = REST * smaller_unit(a, b, unit)
            if not residual_squared(problem, impulses, u, w, coulomb, c) <= least * least:
                rests[max(a, b)] = False


@njit(cache=True, nogil=True, error_model="numpy")
def resting_bodies(problem, impulses, velocity, coulomb, asleep):
    """Bodies (N,) bool of the groups in which nothing moves and which the impulses of the step before still balance.

    Parameters
    ----------
    problem : Problem
    impulses : array (C, 3)
        Of the step before [N s].
    velocity : array (N, 6)
        After the step before [m/s, rad/s].
    coulomb : bool
    asleep : array (N,) of bool
        Bodies that rested in the step before, and whose numbers are the same: a group of such bodies is not looked at.
    """
    count = problem.mass.shape[0]
    rests = np.zeros(count, np.bool_)
    for i in range(count):
        own, least = external_impulse(problem, velocity, i)
        rests[i] = is_still(problem, velocity, i, max(own, least))
    if not rests.any():
        return rests
    group = groups_of(problem.body, count)
    unit = units_of(problem, velocity, group)
    for i in range(count):
        rests[i] = rests[i] and is_still(problem, velocity, i, unit[i])
    spread_unrest(group, rests)
    known = asleep.copy()
    spread_unrest(group, known)
    if (rests & ~known).any():
        check_balance(problem, impulses, coulomb, unit, rests)
        spread_unrest(group, rests)
    return rests | known
