"""Graphs of bodies that touch, block matrices with their pattern, and solutions by the sparse factor."""

import numpy as np

from nscd_engine.core.monitor import new_signal
from nscd_engine.core.threads import Threads
from nscd_engine.kernels.linalg.cholesky import factor_tasks
from nscd_engine.linalg.factor import solve_factored
from nscd_engine.linalg.symbolic import analyse


def random_graph(count, degree, rng):
    """Touching pairs (K, 2) of different bodies, each once."""
    pairs = rng.integers(0, count, (count * degree, 2))
    pairs = np.sort(pairs[pairs[:, 0] != pairs[:, 1]], axis=1)
    return np.unique(pairs, axis=0) if len(pairs) else np.zeros((0, 2), np.int64)


def grid(nx, ny):
    """Pairs of a wall of nx by ny bodies."""
    index = np.arange(nx * ny).reshape(ny, nx)
    along = np.column_stack([index[:, :-1].ravel(), index[:, 1:].ravel()])
    up = np.column_stack([index[:-1].ravel(), index[1:].ravel()])
    return np.unique(np.concatenate([along, up]), axis=0)


def random_matrix(count, pairs, rng):
    """Symmetric, with that block pattern, made positive definite by its diagonal."""
    A = np.zeros((6 * count, 6 * count))
    for a, b in pairs:
        block = rng.normal(size=(6, 6))
        A[6 * a : 6 * a + 6, 6 * b : 6 * b + 6] = block
        A[6 * b : 6 * b + 6, 6 * a : 6 * a + 6] = block.T
    return A + np.diag(np.abs(A).sum(axis=1) + 1.0)


def panels(sym, A, pairs):
    """The matrix where `assemble` would put it."""
    factor = np.zeros(sym.panel_start[-1])
    for i in range(len(A) // 6):
        for r in range(6):
            at = sym.diagonal[i] + r * sym.diagonal_stride[i]
            factor[at : at + 6] = A[6 * i + r, 6 * i : 6 * i + 6]
    for k, (a, b) in enumerate(pairs):
        block = A[6 * a : 6 * a + 6, 6 * b : 6 * b + 6]
        for r in range(6):
            at = sym.pair[k] + r * sym.stride[k]
            factor[at : at + 6] = block[:, r] if sym.flip[k] else block[r]
    return factor


def factorise(sym, factor):
    arena = np.full(sym.arena, np.nan, factor.dtype)  # nothing may be read that was not written
    signal = new_signal()
    return all([factor_tasks(sym, factor, arena, k, k + 1, signal) == -1 for k in range(len(sym.task_start) - 1)])


def solution(A, pairs, b):
    sym = analyse(len(A) // 6, pairs)
    factor = panels(sym, A, pairs)
    assert factorise(sym, factor)
    return solved(sym, factor, b, 1)


def solved(sym, factor, b, threads):
    x, arena = np.empty_like(b), np.full(sym.arena, np.nan)  # nothing may be read that was not written
    solve_factored(sym, factor, arena, b, x, Threads(threads))
    return x
