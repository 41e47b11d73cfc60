"""Products by tiles against those of numpy, compiled and interpreted."""

import numpy as np
import pytest
from numba import njit

from nscd_engine.kernels.linalg.tile import add_rows, set_product, subtract_product
from plain_python import plain_python


@njit
def multiply(C, c, row_c, A, a, row_a, column_a, T, t, row_t, n, columns, subtract):
    if subtract:
        subtract_product(C, c, row_c, A, a, row_a, column_a, T, t, row_t, n, columns)
    else:
        set_product(C, c, row_c, A, a, row_a, column_a, T, t, row_t, n, columns)


@njit
def add(C, c, row_c, T, t, row_t, columns):
    add_rows(C, c, row_c, T, t, row_t, columns)


def check(n, columns, subtract, turned, kind=float):
    """Matrices inside larger ones, whose other numbers must stay; integers, so that the products are exact."""
    rng = np.random.default_rng(columns)
    C, T = rng.integers(-9, 9, (9, columns + 5)).astype(kind), rng.integers(-9, 9, (n + 2, columns + 7)).astype(kind)
    A = rng.integers(-9, 9, (n, 8) if turned else (8, n)).astype(kind)
    factor, expected = (A.T if turned else A)[1:7], C.copy()
    product = factor @ T[1 : n + 1, 3 : 3 + columns]
    expected[2:8, 4 : 4 + columns] = expected[2:8, 4 : 4 + columns] - product if subtract else product
    a, row_a, column_a = (1, 1, 8) if turned else (n, n, 1)
    c, row_c, t, row_t = 2 * (columns + 5) + 4, columns + 5, columns + 7 + 3, columns + 7
    multiply(C.ravel(), c, row_c, A.ravel(), a, row_a, column_a, T.ravel(), t, row_t, n, columns, subtract)
    assert np.array_equal(C, expected)


@pytest.mark.short
@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("subtract", [False, True])
@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_products_are_those_of_numpy(kind, subtract, turned):
    for n in (1, 6, 13):
        for columns in (2, 4, 6, 8, 12, 14, 18, 30, 48):
            check(n, columns, subtract, turned, kind)


def check_sum(columns, kind):
    rng = np.random.default_rng(columns)
    C, T = rng.normal(size=(9, columns + 5)).astype(kind), rng.normal(size=(8, columns + 7)).astype(kind)
    expected = C.copy()
    expected[2:8, 4 : 4 + columns] += T[1:7, 3 : 3 + columns]
    c, t = 2 * (columns + 5) + 4, columns + 7 + 3
    add(C.ravel(), c, columns + 5, T.ravel(), t, columns + 7, columns)
    assert np.array_equal(C, expected)


@pytest.mark.short
@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_sums_are_those_of_numpy(kind):
    for columns in (2, 4, 6, 8, 12, 14, 18, 30, 48):
        check_sum(columns, kind)


def test_a_tile_may_be_overwritten_by_its_product():
    """As the factorisation does: rows times the inverse of their triangle, in place."""
    rng = np.random.default_rng(1)
    A, T = np.tril(rng.integers(-9, 9, (6, 6))).astype(float), rng.integers(-9, 9, (6, 18)).astype(float)
    expected = A @ T
    multiply(T.ravel(), 0, 18, A.ravel(), 0, 6, 1, T.ravel(), 0, 18, 6, 18, False)
    assert np.array_equal(T, expected)


def test_interpreted_products_are_the_same():
    code = "import test_tile as t; [t.check(6, k, s, u) for k in (6, 18) for s in (True, False) for u in (True, False)]"
    code += "; [t.check_sum(k, float) for k in (6, 18)]"
    assert plain_python(code + "; print('the same')", __file__).strip() == "the same"
