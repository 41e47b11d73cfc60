"""One iteration of Newton's method on the primal problem of deformable bodies (docs/deformable.md).

    minimise 1/2 v^T A v - b^T v + sum_c l_c,   y = (target - J v) / e,   gamma = P(y)
    gradient  g = A v - b - J^T gamma,          Hessian  H = A + J^T G J

A velocity is a number of tiles of six: a rigid body is one tile, of a deformable body every two nodes are one. A
contact moves with a few tiles of either body, through levers.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from nscd_engine.kernels.jit import inner
from nscd_engine.kernels.solvers.friction_cone import OPEN
from nscd_engine.kernels.solvers.hessian import add_diagonal, project_all
from nscd_engine.kernels.solvers.line_search import exact_step


class Tiles(NamedTuple):
    """Matrix A and levers J. T tiles, P pairs of tiles coupled in A, C contacts, L levers."""

    diagonal: np.ndarray  # (T, 6, 6): blocks of A on its diagonal
    pair: np.ndarray  # (P, 2) int64: tiles a < b
    coupling: np.ndarray  # (P, 6, 6): blocks A[a, b]
    slot: np.ndarray  # (P,) int64: rows of these pairs in the structure of the factor
    start: np.ndarray  # (C + 1,) int64: levers of contact c are start[c]:start[c + 1]
    tile: np.ndarray  # (L,) int64: ascending for every contact
    lever: np.ndarray  # (L, 3, 6): u_c is the sum of lever times v[tile], in the frame of the contact
    share: np.ndarray  # (L, 2): the lever of two nodes is the frame times these; NaN for a rigid body
    frame: np.ndarray  # (C, 3, 3): rows n, t1, t2, without the axis of a planar model
    cross_start: np.ndarray  # (C + 1,) int64: pairs of levers of contact c, into cross
    cross: np.ndarray  # int64: rows in the structure of the factor of the pairs of tiles of every contact, i < j


@njit(cache=True, nogil=True)
def product(tiles, v, out):
    """out = A v (T, 6)."""
    for i in range(v.shape[0]):
        for k in range(6):
            total = 0.0
            for m in range(6):
                total += tiles.diagonal[i, k, m] * v[i, m]
            out[i, k] = total
    for p in range(tiles.pair.shape[0]):
        a, b = tiles.pair[p, 0], tiles.pair[p, 1]
        block = tiles.coupling[p]
        for k in range(6):
            total, other = 0.0, v[a, k]
            for m in range(6):
                total += block[k, m] * v[b, m]
                out[b, m] += block[k, m] * other
            out[a, k] += total


@njit(cache=True, nogil=True)
def relative_velocities(tiles, v, u):
    """u = J v [m/s] (C, 3)."""
    for c in range(u.shape[0]):
        u[c, :] = 0.0
        for at in range(tiles.start[c], tiles.start[c + 1]):
            lever, own = tiles.lever[at], v[tiles.tile[at]]
            for k in range(3):
                for m in range(6):
                    u[c, k] += lever[k, m] * own[m]


@njit(cache=True, nogil=True)
def subtract_impulses(tiles, gamma, g):
    """g -= J^T gamma; gamma (C, 3) [N s]."""
    for c in range(gamma.shape[0]):
        x, y, z = gamma[c, 0], gamma[c, 1], gamma[c, 2]
        if x == 0.0 and y == 0.0 and z == 0.0:
            continue
        for at in range(tiles.start[c], tiles.start[c + 1]):
            lever, own = tiles.lever[at], g[tiles.tile[at]]
            for m in range(6):
                own[m] -= lever[0, m] * x + lever[1, m] * y + lever[2, m] * z


@njit(cache=True, nogil=True)
def evaluate(tiles, friction, work, force, unit):
    """u, gamma, state, G and gradient at work.v; greatest number of the gradient over the `unit` (T,) of its tile.

    `force` (T, 6) is b.
    """
    relative_velocities(tiles, work.v, work.u)
    project_all(friction, work)
    product(tiles, work.v, work.g)
    work.g[:] -= force
    subtract_impulses(tiles, work.gamma, work.g)
    worst = 0.0
    for i in range(work.g.shape[0]):
        for k in range(6):
            share = abs(work.g[i, k]) / unit[i]
            if not share <= worst:  # also true of NaN
                worst = share
    return worst


@njit(cache=True, nogil=True)
def advance(tiles, friction, work, force, unit):
    """Exact line search along the direction in work.d, new velocity; what `evaluate` returns there."""
    slope_0 = own_slope = curvature = 0.0
    image = np.empty_like(work.d)
    product(tiles, work.d, image)
    for i in range(work.d.shape[0]):
        for k in range(6):
            slope_0 += work.g[i, k] * work.d[i, k]
            own_slope += image[i, k] * work.v[i, k] - force[i, k] * work.d[i, k]
            curvature += image[i, k] * work.d[i, k]
    relative_velocities(tiles, work.d, work.du)
    alpha = exact_step(friction, work, own_slope, curvature, slope_0)
    work.v[:] += alpha * work.d
    return evaluate(tiles, friction, work, force, unit)


@njit(cache=True, nogil=True)
def assemble(tiles, G, sym, factor):
    """Hessian A + J^T G J, written into the panels of its factor; upper half in elimination order."""
    factor[:] = 0.0
    for i in range(tiles.diagonal.shape[0]):
        add_diagonal(factor, sym.diagonal[i], sym.diagonal_stride[i], tiles.diagonal[i])
    for p in range(tiles.pair.shape[0]):
        add_pair(factor, sym, tiles.slot[p], tiles.coupling[p])
    stiff, block, world = np.empty((3, 6)), np.empty((6, 6)), np.empty((3, 3))
    for c in range(G.shape[0]):
        if G[c, 0] == 0.0 and G[c, 3] == 0.0 and G[c, 5] == 0.0:  # open
            continue
        first, last, at = tiles.start[c], tiles.start[c + 1], tiles.cross_start[c]
        turn_to_world(G[c], tiles.frame[c], world)
        of_nodes = not np.isnan(tiles.share[first:last]).any()
        for j in range(first, last):
            if not of_nodes:
                stiff_lever(G[c], tiles.lever[j], stiff)
            for i in range(first, j + 1):
                if of_nodes:
                    share_product(tiles.share[i], tiles.share[j], world, block)
                else:
                    lever_product(tiles.lever[i], stiff, block)
                if i == j:
                    add_diagonal(factor, sym.diagonal[tiles.tile[j]], sym.diagonal_stride[tiles.tile[j]], block)
                else:
                    add_pair(factor, sym, tiles.cross[at], block)
                    at += 1


@inner
def stiff_lever(G, lever, stiff):
    """stiff (3, 6) = G lever; G (6,) as in `Work`."""
    for m in range(6):
        x, y, z = lever[0, m], lever[1, m], lever[2, m]
        stiff[0, m] = G[0] * x + G[1] * y + G[2] * z
        stiff[1, m] = G[1] * x + G[3] * y + G[4] * z
        stiff[2, m] = G[2] * x + G[4] * y + G[5] * z


@inner
def turn_to_world(G, frame, world):
    """world (3, 3) = frame^T G frame; G (6,) as in `Work`."""
    for m in range(3):
        x, y, z = frame[0, m], frame[1, m], frame[2, m]
        n, a, b = G[0] * x + G[1] * y + G[2] * z, G[1] * x + G[3] * y + G[4] * z, G[2] * x + G[4] * y + G[5] * z
        for k in range(3):
            world[k, m] = frame[0, k] * n + frame[1, k] * a + frame[2, k] * b


@inner
def share_product(share, other, world, block):
    """block (6, 6) = lever^T G lever of two nodes each: their shares (2,) times the stiffness in world axes (3, 3)."""
    for p in range(2):
        for q in range(2):
            weight = share[p] * other[q]
            for i in range(3):
                for k in range(3):
                    block[3 * p + i, 3 * q + k] = weight * world[i, k]


@inner
def lever_product(lever, stiff, block):
    """block (6, 6) = lever^T stiff."""
    for i in range(6):
        for k in range(6):
            block[i, k] = lever[0, i] * stiff[0, k] + lever[1, i] * stiff[1, k] + lever[2, i] * stiff[2, k]


@inner
def add_pair(factor, sym, slot, block):
    """Block (6, 6) of the tiles a < b of a pair added to the panels."""
    at, stride = sym.pair[slot], sym.stride[slot]
    if sym.flip[slot]:
        for i in range(6):
            for k in range(6):
                factor[at + i * stride + k] += block[k, i]
    else:
        for i in range(6):
            for k in range(6):
                factor[at + i * stride + k] += block[i, k]


@njit(cache=True, nogil=True, error_model="numpy")
def greatest_terms(tiles, work, unit):
    """Size of the numbers whose differences are the gradient, over the units (T,) of the tiles [-]: (change, sums).

    As of `newton_step.greatest_terms`: speeds at closed contacts over their compliance, and impulses.
    """
    change = sums = 0.0
    for c in range(work.u.shape[0]):
        if work.state[c] == OPEN:
            continue
        scale, speed = np.inf, 0.0
        for at in range(tiles.start[c], tiles.start[c + 1]):
            i, lever = tiles.tile[at], tiles.lever[at]
            scale = min(scale, unit[i])
            for k in range(3):
                for m in range(6):
                    speed = max(speed, abs(lever[k, m] * work.v[i, m]))
        change = max(change, speed / (min(work.e[c, 0], work.e[c, 1]) * scale))
        sums = max(sums, (abs(work.gamma[c, 0]) + abs(work.gamma[c, 1]) + abs(work.gamma[c, 2])) / scale)
    return change, sums


@njit(cache=True, nogil=True, error_model="numpy")
def greatest_pull(tiles, work, unit):
    """Greatest |u_t| / e of a closed contact, with u in work.du, over the smallest unit (T,) of its tiles [-]."""
    worst = 0.0
    for c in range(work.u.shape[0]):
        if work.state[c] == OPEN:
            continue
        scale = np.inf
        for at in range(tiles.start[c], tiles.start[c + 1]):
            scale = min(scale, unit[tiles.tile[at]])
        worst = max(worst, (abs(work.du[c, 1]) + abs(work.du[c, 2])) / (work.e[c, 1] * scale))
    return worst
