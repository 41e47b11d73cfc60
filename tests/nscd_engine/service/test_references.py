"""Kernels that only borrow arrays do not count references, others do; all do what Python does."""

import gc
import sys
from typing import NamedTuple

import numpy as np
import pytest
from numba import njit


class Pair(NamedTuple):
    first: np.ndarray
    second: np.ndarray


def fields(pair):
    a, b = pair
    for k in range(len(a)):
        a[k] += pair.second[k] * max(b[0], 1.0)


def views(pair):
    square = pair.first.reshape((2, 2))
    for row in square:
        row[:] = 2.0
    square.T[0, 1:] = 5.0
    square[1][0] += pair.first[-1]


def new_tuple(pair):
    turned = Pair(pair.second, pair.first)
    chosen = turned.first if pair.first[0] > 0.0 else turned.second
    chosen[1] = 7.0


def refused(pair):
    if pair.first[0] > 0.0:
        raise ValueError("positive")


def the_argument(pair):
    return pair.first


def a_view(pair):
    return pair.first[1:3]


def a_tuple(pair):
    return pair.second, 2


def made(pair):
    copy = np.empty(4)
    for k in range(4):
        copy[k] = pair.first[3 - k]
    return copy[0]


def some_entries(pair):
    return pair.first[pair.second > 1.5].sum()


def sum_of_arrays(pair):
    total = pair.first + pair.second
    return total[2]


def overlapping(pair):
    pair.first[1:] = pair.first[:-1]


def in_place(pair):
    part = pair.first[1:]
    part += 1.0


def listed(pair):
    rows = [pair.first, pair.second]
    return rows[1][2]


def numbered(pair):
    total = 0.0
    for k, (a, b) in enumerate(zip(pair.first, pair.second)):
        total += k * a * b
    return total


BORROW = (fields, views, new_tuple)
COUNT = (the_argument, a_view, a_tuple, made, some_entries, sum_of_arrays, overlapping, in_place, listed, numbered)


def pair():
    return Pair(np.array([1.0, 2.0, 3.0, 4.0]), np.array([3.0, 1.0, 2.0, 0.5]))


def code(kernel):
    return next(iter(kernel.inspect_llvm().values()))


def value(found):
    """The first value of a tuple, or the only one."""
    return found[0] if isinstance(found, tuple) else found


@pytest.mark.parametrize("function", BORROW + COUNT, ids=lambda function: function.__name__)
def test_results_are_those_of_python(function):
    kernel, ours, theirs = njit(function), pair(), pair()
    found, expected = kernel(ours), function(theirs)
    assert ("NRT_" in code(kernel)) == (function in COUNT)
    assert np.array_equal(value(found), value(expected))
    assert np.array_equal(ours, theirs)


@pytest.mark.parametrize("function", BORROW + COUNT, ids=lambda function: function.__name__)
def test_arguments_are_kept_as_long_as_they_are_used(function):
    kernel, given = njit(function), pair()
    kernel(given)
    before = [sys.getrefcount(array) for array in given]
    for _ in range(100):
        kernel(given)
    gc.collect()
    assert [sys.getrefcount(array) for array in given] == before
    found = value(kernel(given))
    expected = np.array(found)
    del given
    gc.collect()
    assert np.array_equal(found, expected)


def test_a_kernel_that_borrows_serves_one_that_counts():
    inside = njit(fields)

    @njit
    def outside(n):
        mine = Pair(np.ones(n), np.arange(n) * 1.0)
        inside(mine)
        return mine.first

    assert np.array_equal(outside(4), [1.0, 2.0, 3.0, 4.0])


def test_a_kernel_that_counts_serves_one_that_borrows():
    inside = njit(made)

    @njit
    def outside(pair):
        pair.second[0] = inside(pair)

    given = pair()
    outside(given)
    assert given.second[0] == 4.0


def test_errors_are_raised():
    with pytest.raises(ValueError, match="positive"):
        njit(refused)(pair())
