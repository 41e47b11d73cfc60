"""Orders of elimination: nested dissection against minimum degree, and which is taken."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from body_graphs import grid, random_graph, random_matrix, solution
from nscd_engine.linalg import ordering, symbolic
from nscd_engine.linalg.ordering import dissected, minimum_degree


def works(count, pairs):
    """Multiplications of a factorisation in minimum degree order and by nested dissection."""
    first = symbolic._eliminated(pairs, minimum_degree(count, pairs))
    return first.work, symbolic._eliminated(pairs, dissected(pairs, first.order)).work


def running_bond(nx, ny):
    """Pairs of a wall whose odd courses are shifted by half a block."""
    index = np.arange(nx * ny).reshape(ny, nx)
    low, high = index[:-1], index[1:]
    above = [np.column_stack([low[::2, 1:].ravel(), high[::2, :-1].ravel()])]
    above += [np.column_stack([low[1::2, :-1].ravel(), high[1::2, 1:].ravel()])]
    return np.unique(np.sort(np.concatenate([grid(nx, ny), *above]), axis=1), axis=0)


def box(nx, ny, nz):
    """Pairs of nx by ny by nz bodies, of which each touches six."""
    layer, up = grid(nx, ny), np.arange(nx * ny * (nz - 1))
    layers = [layer + k * nx * ny for k in range(nz)]
    return np.unique(np.concatenate([*layers, np.column_stack([up, up + nx * ny])]), axis=0)


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 300), st.integers(0, 3), st.integers(0, 2**32 - 1))
def test_every_body_is_eliminated_once(count, degree, seed):
    pairs = random_graph(count, degree, np.random.default_rng(seed)).astype(np.int64)
    assert sorted(dissected(pairs, np.arange(count))) == list(range(count))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, ordering.FEW), st.integers(0, 5), st.integers(0, 2**32 - 1))
def test_every_one_of_few_bodies_is_ordered_once(count, degree, seed):
    pairs = random_graph(count, degree, np.random.default_rng(seed)).astype(np.int64)
    assert sorted(minimum_degree(count, pairs)) == list(range(count))


@pytest.mark.parametrize("shape", [(60, 1), (30, 2), (10, 6), (8, 8)])
@pytest.mark.parametrize("bond", [grid, running_bond])
def test_few_bodies_are_ordered_as_well_as_by_superlu(shape, bond):
    """Both take ties as they come: a fifth more work is allowed."""
    count, pairs = shape[0] * shape[1], bond(*shape)
    orders = minimum_degree(count, pairs), ordering._of_many(count, pairs)
    work, usual = (symbolic._eliminated(pairs, order).work for order in orders)
    assert work <= 1.2 * usual


@pytest.mark.short
def test_wide_walls_are_dissected():
    """A wall of 80 x 80 in running bond: two thirds of the multiplications in minimum degree order."""
    by_degree, by_halves = works(6400, running_bond(80, 80))
    assert by_halves < 0.75 * by_degree


def test_massive_piers_are_dissected():
    """Solid masonry of 16 x 16 x 16 blocks: less than three quarters of the multiplications."""
    by_degree, by_halves = works(4096, box(16, 16, 16))
    assert by_halves < 0.75 * by_degree


def test_the_order_with_less_work_is_taken(monkeypatch):
    """Minimum degree for a chain, dissection for a wall."""
    for shape in ((400, 2), (40, 40)):
        count, pairs = shape[0] * shape[1], grid(*shape)
        expected = min(works(count, pairs))
        monkeypatch.setattr(symbolic, "WORTH_DISSECTING", 0.0)
        order = symbolic.analyse(count, pairs).order
        assert symbolic._eliminated(pairs, order).work == expected


def test_dissected_matrices_are_solved(monkeypatch):
    monkeypatch.setattr(symbolic, "WORTH_DISSECTING", 0.0)
    pairs, rng = grid(16, 14), np.random.default_rng(5)
    A, b = random_matrix(224, pairs, rng), rng.normal(size=(224, 6))
    assert np.abs(solution(A, pairs, b).ravel() - np.linalg.solve(A, b.ravel())).max() < 1e-12


def test_the_order_does_not_depend_on_earlier_ones():
    pairs = grid(60, 50)
    first = dissected(pairs, minimum_degree(3000, pairs))
    assert np.array_equal(dissected(pairs, minimum_degree(3000, pairs)), first)
