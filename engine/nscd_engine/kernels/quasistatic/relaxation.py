"""Kishino's relaxation: one element moves until it is in balance, with its neighbours fixed."""

from typing import NamedTuple

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner
from nscd_engine.kernels.quasistatic.balance import add_motion, add_wrench
from nscd_engine.kernels.quasistatic.springs import set_force
from nscd_engine.kernels.quasistatic.stiffness_matrix import carried, product, without_coupling
from nscd_engine.kernels.quasistatic.worst_first import move

#: Stiffness that is added to an element that could move freely, over the greatest normal stiffness of its contacts [-].
#: Smaller: it jumps far beyond its neighbours, and the relaxation does not converge. Larger: it creeps.
FICTITIOUS = 0.1
#: Pivot over the diagonal below which an element can move freely [-].
SINGULAR = 1e-6


class Elements(NamedTuple):
    """What one element needs to know. B elements, C contacts."""

    free: np.ndarray  # (B,) int64: row of `ground`, -1 for held elements
    ground: np.ndarray  # [N/m, ...] (N, 6, 6): stiffness of the springs to the ground
    reach: np.ndarray  # [m] (B,): half of its size; moments count by the force at this distance
    start: np.ndarray  # (B + 1,) int64: into `contact`
    contact: np.ndarray  # (2 C,) int64: contacts of every element


@inner
def error_size(e, reach):
    """Size [N] of an equilibrium error (6,)."""
    force = e[0] * e[0] + e[1] * e[1] + e[2] * e[2]
    moment = e[3] * e[3] + e[4] * e[4] + e[5] * e[5]
    return np.sqrt(force + moment / (reach * reach))


@inner
def solve_six(A, x):
    """Solve A x = b in place, b (6,) given in x, by Cholesky in the lower half of A; False if A is singular."""
    for i in range(6):
        largest = A[i, i]
        for j in range(i + 1):
            total = A[i, j]
            for k in range(j):
                total -= A[i, k] * A[j, k]
            if j < i:
                A[i, j] = total / A[j, j]
            else:
                if not total > SINGULAR * largest:
                    return False
                A[i, i] = np.sqrt(total)
    for i in range(6):
        for k in range(i):
            x[i] -= A[i, k] * x[k]
        x[i] /= A[i, i]
    for i in range(5, -1, -1):
        for k in range(i + 1, 6):
            x[i] -= A[k, i] * x[k]
        x[i] /= A[i, i]
    return True


@inner
def own_stiffness(contacts, state, elements, p, work):
    """k_pp of element p into work[0], and the greatest normal stiffness of its contacts."""
    A, stiffest = work[0], 0.0
    A[:] = elements.ground[elements.free[p]]
    for i in range(elements.start[p], elements.start[p + 1]):
        c = elements.contact[i]
        stiffest = max(stiffest, contacts.stiffness[c, 0])
        without_coupling(state.tangent[c], work[1])
        carried(contacts, c, 0 if contacts.body[c, 0] == p else 1, work[2])
        product(work[2], work[1], work[2], work[3], work[4])
        A += work[3]
    return stiffest


@inner
def move_element(contacts, state, elements, p, step, error, work):
    """Balance element p with its neighbours fixed; errors of it and of its neighbours follow."""
    x = error[p].copy()
    stiffest = own_stiffness(contacts, state, elements, p, work)
    work[5, :, :] = work[0]
    if not solve_six(work[5], x):
        for k in range(3):
            work[0, k, k] += FICTITIOUS * stiffest
            work[0, 3 + k, 3 + k] += FICTITIOUS * stiffest * elements.reach[p] ** 2
        x[:] = error[p]
        solve_six(work[0], x)
    ground = elements.ground[elements.free[p]]
    for k in range(6):
        step[p, k] += x[k]
        for j in range(6):
            error[p, k] -= ground[k, j] * x[j]
    for i in range(elements.start[p], elements.start[p + 1]):
        renew(contacts, state, elements.contact[i], step, error)


@inner
def renew(contacts, state, c, step, error):
    """Deformation and force of a contact after one of its elements has moved."""
    a, b = contacts.body[c]
    d = state.deformation[c]
    add_wrench(contacts, c, 0, state.force[c], -1.0, error[a])
    add_wrench(contacts, c, 1, state.force[c], 1.0, error[b])
    for k in range(6):
        d[k] = state.base_deformation[c, k]
    add_motion(contacts, c, 1, step[b], 1.0, d)
    add_motion(contacts, c, 0, step[a], -1.0, d)
    set_force(contacts, state, c)
    add_wrench(contacts, c, 0, state.force[c], 1.0, error[a])
    add_wrench(contacts, c, 1, state.force[c], -1.0, error[b])


@inner
def file(elements, heap, p, error):
    """Note the error of an element; the heap is in order again before the next one changes."""
    if heap.place[p] >= 0:
        heap.size[p] = error_size(error[p], elements.reach[p])
        move(heap, p)


@njit(cache=True, nogil=True, error_model="numpy")
def relax_worst(contacts, state, elements, heap, step, error, enough, most):
    """Relax the element with the greatest error until none is above `enough` [N]; returns how often, at most `most`."""
    work = np.empty((6, 6, 6))
    for element in heap.item.copy():
        file(elements, heap, element, error)
    for done in range(most):
        p = heap.item[0]
        if heap.size[p] <= enough:
            return done
        move_element(contacts, state, elements, p, step, error, work)
        file(elements, heap, p, error)
        for i in range(elements.start[p], elements.start[p + 1]):
            a, b = contacts.body[elements.contact[i]]
            file(elements, heap, b if a == p else a, error)
    return most


@njit(cache=True, nogil=True, error_model="numpy")
def relax_in_order(contacts, state, elements, order, step, error, enough):
    """Relax every element of `order` (n,) with an error above `enough` [N] once; returns how many."""
    work = np.empty((6, 6, 6))
    done = 0
    for p in order:
        if error_size(error[p], elements.reach[p]) > enough:
            move_element(contacts, state, elements, p, step, error, work)
            done += 1
    return done
