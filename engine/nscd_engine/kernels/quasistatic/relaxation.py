"""Kishino's relaxation: one element moves until it is in balance, with its neighbours fixed."""

from typing import NamedTuple

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner, merged
from nscd_engine.kernels.quasistatic.balance import add_motion, add_wrench
from nscd_engine.kernels.quasistatic.springs import set_force
from nscd_engine.kernels.quasistatic.stiffness_matrix import add_upper, carried, product
from nscd_engine.kernels.quasistatic.worst_first import move


class Elements(NamedTuple):
    """What one element needs to know. B elements, N of them move, C contacts."""

    free: np.ndarray  # (B,) int64: row of `ground`, -1 for held elements
    ground: np.ndarray  # [N/m, ...] (N, 6, 6): stiffness of the springs to the ground
    flexibility: np.ndarray  # [m/N, ...] (N, 6, 6): inverse of k_pp
    reach: np.ndarray  # [m] (B,): half of its size; moments count by the force at this distance
    start: np.ndarray  # (B + 1,) int64: into `contact`
    contact: np.ndarray  # (2 C,) int64: contacts of every element


@njit(cache=True, nogil=True, error_model="numpy")
def own_stiffness(contacts, free, stiffness):
    """Add the stiffness of all contacts, upper halves of k_pp, to `stiffness` (N, 6, 6)."""
    H, E, block = np.empty((6, 6)), np.zeros((6, 6)), np.empty((6, 6))
    for c in range(contacts.body.shape[0]):
        for k in range(6):
            E[k, k] = contacts.stiffness[c, k]
        for side in range(2):
            i = free[contacts.body[c, side]]
            if i >= 0:
                carried(contacts, c, side, H)
                product(H, E, H, 1.0, block)
                add_upper(stiffness[i].reshape(36), 0, 6, block)


@inner
def error_size(e, reach):
    """Size [N] of an equilibrium error (6,)."""
    force = e[0] * e[0] + e[1] * e[1] + e[2] * e[2]
    moment = e[3] * e[3] + e[4] * e[4] + e[5] * e[5]
    return np.sqrt(force + moment / (reach * reach))


@merged
def move_element(contacts, state, elements, p, step, error, x):
    """Balance element p with its neighbours fixed; errors of it and of its neighbours follow. x (6,) is a workspace."""
    ground, flexibility = elements.ground[elements.free[p]], elements.flexibility[elements.free[p]]
    for k in range(6):
        x[k] = 0.0
        for j in range(6):
            x[k] += flexibility[k, j] * error[p, j]
    for k in range(6):
        step[p, k] += x[k]
        for j in range(6):
            error[p, k] -= ground[k, j] * x[j]
    for i in range(elements.start[p], elements.start[p + 1]):
        renew(contacts, state, elements.contact[i], step, error)


@merged
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
    x = np.empty(6)
    for element in heap.item.copy():
        file(elements, heap, element, error)
    for done in range(most):
        p = heap.item[0]
        if heap.size[p] <= enough:
            return done
        move_element(contacts, state, elements, p, step, error, x)
        file(elements, heap, p, error)
        for i in range(elements.start[p], elements.start[p + 1]):
            a, b = contacts.body[elements.contact[i]]
            file(elements, heap, b if a == p else a, error)
    return most


@njit(cache=True, nogil=True, error_model="numpy")
def relax_in_order(contacts, state, elements, order, step, error, enough):
    """Relax every element of `order` (n,) with an error above `enough` [N] once; returns how many."""
    x = np.empty(6)
    done = 0
    for p in order:
        if error_size(error[p], elements.reach[p]) > enough:
            move_element(contacts, state, elements, p, step, error, x)
            done += 1
    return done
