"""Non-linear Gauss-Seidel (NLGS; docs/methods.md, section 4.2): contact by contact, velocities updated at once."""

from typing import NamedTuple

import numpy as np
from numba import njit

from nscd_engine.kernels.solvers.delassus import apply_impulse, relative_velocity
from nscd_engine.kernels.solvers.one_contact import associated, coulomb


@njit(cache=True, nogil=True)
def sweep(problem, lever, inverse_inertia, blocks, orders, exact, impulses, v):
    """Visit the contacts once in each of the orders (sweeps, C); `impulses` (C, 3) and `v` (N, 6) change in place.

    `exact`: Coulomb friction, else associated friction. `blocks` (C, 3, 3) are the diagonal blocks of W + E, E being
    the compliance; `lever` and `inverse_inertia` as of `delassus.levers` and `operators.inverse_inertia`.
    """
    for order in orders:
        for c in order:
            w, g = blocks[c], impulses[c]
            g0, g1, g2 = g[0], g[1], g[2]
            u0, u1, u2 = relative_velocity(problem, lever, v, c)
            e0, e1 = problem.compliance[c, 0], problem.compliance[c, 1]
            # y = u + bias + E g - (W + E) g: relative velocity without the impulse of the contact itself
            y0 = u0 + problem.bias[c, 0] + e0 * g0 - (w[0, 0] * g0 + w[0, 1] * g1 + w[0, 2] * g2)
            y1 = u1 + problem.bias[c, 1] + e1 * g1 - (w[1, 0] * g0 + w[1, 1] * g1 + w[1, 2] * g2)
            y2 = u2 + problem.bias[c, 2] + e1 * g2 - (w[2, 0] * g0 + w[2, 1] * g1 + w[2, 2] * g2)
            if exact:
                g[0], g[1], g[2] = coulomb(w, y0, y1, y2, problem.friction[c])
            else:
                g[0], g[1], g[2] = associated(w, y0, y1, y2, problem.friction[c])
            if g[0] != g0 or g[1] != g1 or g[2] != g2:
                apply_impulse(problem, lever, inverse_inertia, v, c, g[0] - g0, g[1] - g1, g[2] - g2)


class Answers(NamedTuple):
    """A^-1 J^T by contacts: how the tiles of deformable bodies answer an impulse. C contacts, K answers."""

    start: np.ndarray  # (C + 1,) int64: answers to contact c are start[c]:start[c + 1]
    tile: np.ndarray  # (K,) int64
    answer: np.ndarray  # [m/s / (N s)] (K, 6, 3)
    block: np.ndarray  # [m/s / (N s)] (C, 3, 3): the contact's own block of J A^-1 J^T, with its compliance


@njit(cache=True, nogil=True)
def answers_of(tiles, tile_body, first, inverse, begin):
    """Start, tile and answer of `Answers`, and J A^-1 J^T of every contact alone (C, 3, 3).

    Parameters
    ----------
    tiles : Tiles
    tile_body : array (T,)
        Body of every tile, ascending.
    first : array (N + 1,)
        First tile of every body.
    inverse : array
        Inverses of the matrices of the bodies, flat, one behind the other.
    begin : array (N,)
        Where they begin.
    """
    count = tiles.start.shape[0] - 1
    start = np.zeros(count + 1, np.int64)
    for c in range(count):
        body, total = -1, 0
        for at in range(tiles.start[c], tiles.start[c + 1]):
            if tile_body[tiles.tile[at]] != body:
                body = tile_body[tiles.tile[at]]
                total += first[body + 1] - first[body]
        start[c + 1] = start[c] + total
    tile, answer = np.empty(start[count], np.int64), np.zeros((start[count], 6, 3))
    block = np.zeros((count, 3, 3))
    for c in range(count):
        body, row, last = -1, start[c], start[c]
        for at in range(tiles.start[c], tiles.start[c + 1]):
            k, lever = tiles.tile[at], tiles.lever[at]
            if tile_body[k] != body:
                body, row = tile_body[k], last
                last = row + first[body + 1] - first[body]
            size = last - row
            for i in range(size):
                tile[row + i] = first[body] + i
                for m in range(6):
                    at_m = begin[body] + (6 * i + m) * 6 * size + 6 * (k - first[body])
                    for j in range(3):
                        for n in range(6):
                            answer[row + i, m, j] += inverse[at_m + n] * lever[j, n]
        row = start[c]
        for at in range(tiles.start[c], tiles.start[c + 1]):
            while tile[row] != tiles.tile[at]:
                row += 1
            block[c] += tiles.lever[at] @ answer[row]
    return start, tile, answer, block


@njit(cache=True, nogil=True)
def sweep_tiles(problem, tiles, answers, orders, exact, impulses, v):
    """As `sweep`, of bodies made of tiles; `v` (T, 6), `tiles` has the levers of the contacts."""
    u, g, change = np.empty(3), np.empty(3), np.empty(3)
    for order in orders:
        for c in order:
            w, old = answers.block[c], impulses[c]
            u[:] = problem.bias[c]
            u[0] += problem.compliance[c, 0] * old[0]
            u[1:] += problem.compliance[c, 1] * old[1:]
            for at in range(tiles.start[c], tiles.start[c + 1]):
                lever, own = tiles.lever[at], v[tiles.tile[at]]
                for k in range(3):
                    for m in range(6):
                        u[k] += lever[k, m] * own[m]
            for k in range(3):  # without the impulse of the contact itself
                u[k] -= w[k, 0] * old[0] + w[k, 1] * old[1] + w[k, 2] * old[2]
            if exact:
                g[0], g[1], g[2] = coulomb(w, u[0], u[1], u[2], problem.friction[c])
            else:
                g[0], g[1], g[2] = associated(w, u[0], u[1], u[2], problem.friction[c])
            change[:] = g - old
            old[:] = g
            for at in range(answers.start[c], answers.start[c + 1]):
                answer, own = answers.answer[at], v[answers.tile[at]]
                for m in range(6):
                    own[m] += answer[m, 0] * change[0] + answer[m, 1] * change[1] + answer[m, 2] * change[2]
