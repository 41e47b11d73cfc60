"""The multifrontal factor against dense linear algebra, on random block patterns."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from body_graphs import factorise, grid, panels, random_graph, random_matrix, solution, solved
from nscd_engine.core.monitor import new_signal
from nscd_engine.kernels.linalg.blas import subtract_gram
from nscd_engine.kernels.linalg.cholesky import factor_tasks
from nscd_engine.kernels.linalg.packed_factor import new_packed, pack_factor
from nscd_engine.linalg import factor as linalg_factor
from nscd_engine.linalg import symbolic as analysis
from nscd_engine.linalg.symbolic import analyse
from packed_solve import packed_solve


@pytest.mark.short
@settings(max_examples=40, deadline=None)
@given(st.integers(1, 40), st.integers(0, 4), st.integers(0, 2**32 - 1))
def test_solves_like_dense_algebra(count, degree, seed):
    """Diagonally dominant, so the error is a few roundings."""
    rng = np.random.default_rng(seed)
    pairs = random_graph(count, degree, rng)
    A, b = random_matrix(count, pairs, rng), rng.normal(size=(count, 6))
    x = solution(A, pairs, b)
    assert np.abs(A @ x.ravel() - b.ravel()).max() < 1e-12 * np.abs(b).max() * (1.0 + 6 * degree)


@pytest.mark.parametrize("nx, ny", [(1, 60), (12, 9), (3, 40)])
def test_walls_and_chains(nx, ny):
    rng = np.random.default_rng(nx)
    pairs = grid(nx, ny)
    A, b = random_matrix(nx * ny, pairs, rng), rng.normal(size=(nx * ny, 6))
    assert np.abs(solution(A, pairs, b).ravel() - np.linalg.solve(A, b.ravel())).max() < 1e-12


def test_factor_is_the_cholesky_factor():
    """Panel by panel, the numbers of numpy's factor of the permuted matrix."""
    rng = np.random.default_rng(3)
    pairs = grid(5, 4)
    A = random_matrix(20, pairs, rng)
    sym = analyse(20, pairs)
    factor = panels(sym, A, pairs)
    assert factorise(sym, factor)
    rows = (6 * sym.order[:, None] + np.arange(6)).ravel()
    L = np.linalg.cholesky(A[np.ix_(rows, rows)])
    for s in range(len(sym.first) - 1):
        pivots = np.arange(sym.first[s], sym.first[s + 1])
        below = sym.rows[sym.row_start[s] : sym.row_start[s + 1]]
        at = (6 * np.concatenate([pivots, below])[:, None] + np.arange(6)).ravel()
        columns = (6 * pivots[:, None] + np.arange(6)).ravel()
        panel = factor[sym.panel_start[s] : sym.panel_start[s + 1]].reshape(len(columns), len(at)).T
        expected = L[np.ix_(at, columns)]
        lower = at[:, None] >= columns[None, :]
        assert np.abs((panel - expected)[lower]).max() < 1e-12 * np.abs(L).max()


@pytest.mark.parametrize("count", [20, 45])
def test_large_fronts(count):
    """All bodies touch: one front of 120 or 270 columns, most of whose products are left to BLAS."""
    rng = np.random.default_rng(count)
    pairs = np.argwhere(np.triu(np.ones((count, count)), 1))
    A, b = random_matrix(count, pairs, rng), rng.normal(size=(count, 6))
    assert np.abs(solution(A, pairs, b).ravel() - np.linalg.solve(A, b.ravel())).max() < 1e-12


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_products_by_blas_are_those_of_plain_python(kind):
    """Also where C and R are parts of one array, as in a panel."""
    rng = np.random.default_rng(1)
    numbers = rng.normal(size=40 * 30).astype(kind)
    expected, found = numbers.copy(), numbers.copy()
    given = (30 * 20 + 5, 30, 5, 5, 30, 12, 7, 20)
    subtract_gram(expected, *given[:2], expected, *given[2:])
    _gram(found, *given[:2], found, *given[2:])
    assert np.abs(found - expected).max() < 100 * np.finfo(kind).eps
    assert (found != numbers).sum() == 7 * 20


@njit
def _gram(C, c, row_c, R, left, right, row_r, n, rows, columns):
    subtract_gram(C, c, row_c, R, left, right, row_r, n, rows, columns)


def test_tasks_may_run_in_any_order(monkeypatch):
    """Divided into tasks, in whatever order but for the last, the factor has the same bits."""
    monkeypatch.setattr(analysis, "WORTH_THREADS", 0.0)
    pairs = grid(12, 9)
    A = random_matrix(108, pairs, np.random.default_rng(2))
    sym = analyse(108, pairs)
    last = len(sym.task_start) - 2
    assert last >= 4
    factors = []
    for order in (range(last), reversed(range(last))):
        factor, arena = panels(sym, A, pairs), np.full(sym.arena, np.nan)
        assert all([factor_tasks(sym, factor, arena, k, k + 1, new_signal()) == -1 for k in [*order, last]])
        factors.append(factor)
    assert np.array_equal(factors[0], factors[1])
    b = np.ones((108, 6))
    x = solved(sym, factors[0], b, 1)
    assert np.abs(A @ x.ravel() - b.ravel()).max() < 1e-12
    monkeypatch.setattr(linalg_factor, "WORTH_SHARING", 0.0)
    assert np.array_equal(solved(sym, factors[0], b, 2), x)


def test_indefinite_matrix_is_refused():
    pairs = grid(4, 4)
    A = random_matrix(16, pairs, np.random.default_rng(0))
    A[40, 40] = -1.0
    sym = analyse(16, pairs)
    assert not factorise(sym, panels(sym, A, pairs))


def test_fill_of_a_wall_stays_low():
    """Nested orders of a square grid of n bodies have O(n log n) blocks; band order would have n^1.5 = 32,000."""
    sym = analyse(1024, grid(32, 32))
    assert sym.panel_start[-1] / 36 < 20000


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 40), st.integers(0, 4), st.integers(0, 10**6), st.sampled_from([np.float64, np.float32]))
def test_a_packed_factor_solves_in_single_precision(count, degree, seed, kind):
    """Whatever the precision of the factor it was made from."""
    rng = np.random.default_rng(seed)
    pairs = random_graph(count, degree, rng)
    A, b = random_matrix(count, pairs, rng), rng.normal(size=(count, 6))
    sym = analyse(count, pairs)
    factor, x = panels(sym, A, pairs).astype(kind), np.empty_like(b)
    assert factorise(sym, factor)
    packed = new_packed(sym)
    packed.values[:] = np.nan
    pack_factor(sym, factor, packed, 0, len(sym.first) - 1)
    x = packed_solve(sym, packed, b)
    expected = np.linalg.solve(A, b.ravel()).reshape(b.shape)
    # rounding 6e-8, a sum of 6 count terms, a condition that the diagonal bounds by 2 or so
    assert np.abs(x - expected).max() < 1e-5 * np.abs(expected).max()
