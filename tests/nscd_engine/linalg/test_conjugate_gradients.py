"""Conjugate gradients solve what the factor solves, and are chosen where the factor costs more or does not fit."""

import numpy as np
import pytest

from body_graphs import grid, random_graph, random_matrix
from body_graphs import panels as put
from compas_nscd.errors import CancelledError
from nscd_engine.core.monitor import Monitor
from nscd_engine.core.threads import Threads
from nscd_engine.linalg import choice, conjugate_gradients, factor
from nscd_engine.linalg.conjugate_gradients import ConjugateGradients, block_structure
from nscd_engine.linalg.symbolic import eliminate


@pytest.fixture
def rng():
    return np.random.default_rng(3)


def prepared(A, pairs, threads=1):
    sym = block_structure(len(A) // 6, pairs)
    gradients = ConjugateGradients(sym, Threads(threads))
    assert gradients.prepare(put(sym, A, pairs))
    return gradients


@pytest.mark.parametrize("count", [1, 2, 40])
def test_the_solution_is_that_of_the_matrix(rng, count):
    pairs = random_graph(count, 3, rng)
    A, b, x = random_matrix(count, pairs, rng), rng.normal(size=(count, 6)), np.empty((count, 6))
    assert prepared(A, pairs).solve(b, x, 1e-13)
    assert np.allclose(x.ravel(), np.linalg.solve(A, b.ravel()), rtol=1e-10, atol=1e-12)


def test_the_same_bits_on_two_threads(rng, monkeypatch):
    monkeypatch.setattr(conjugate_gradients, "PART", 10)
    monkeypatch.setattr("nscd_engine.core.threads.CORES", 2)
    pairs = grid(12, 10)
    A, b = random_matrix(120, pairs, rng), rng.normal(size=(120, 6))
    found = []
    for threads in (1, 2):
        x, gradients = np.empty((120, 6)), prepared(A, pairs, threads)
        assert gradients.solve(b, x, 1e-8) and len(gradients.parts) == 12
        found.append(x.tobytes())
    assert found[0] == found[1]


def test_it_gives_up_and_says_so(rng, monkeypatch):
    monkeypatch.setattr(conjugate_gradients, "MOST_ITERATIONS", 2)
    pairs = grid(6, 5)
    A, b, x = random_matrix(30, pairs, rng), rng.normal(size=(30, 6)), np.empty((30, 6))
    assert not prepared(A, pairs).solve(b, x, 1e-12)
    assert (b * x).sum() > 0.0  # still a direction of descent


def test_an_indefinite_block_is_told(rng):
    A = -random_matrix(2, np.array([[0, 1]]), rng)
    sym = block_structure(2, np.array([[0, 1]]))
    assert not ConjugateGradients(sym, Threads(1)).prepare(put(sym, A, [(0, 1)]))


def test_a_cancel_is_heard_between_products(rng):
    pairs, monitor = grid(6, 5), Monitor()
    gradients = prepared(random_matrix(30, pairs, rng), pairs)
    monitor.cancel()
    with pytest.raises(CancelledError):
        gradients.solve(rng.normal(size=(30, 6)), np.empty((30, 6)), 1e-12, monitor)


def cube(side):
    """Pairs of bodies that touch in a cube of side x side x side."""
    index = np.arange(side**3).reshape(side, side, side)
    along = [np.moveaxis(index, axis, 0) for axis in range(3)]
    return np.concatenate([np.column_stack([each[:-1].ravel(), each[1:].ravel()]) for each in along])


def test_walls_are_factorised_and_massive_piers_are_not():
    wall, pier = grid(60, 50), np.unique(cube(16), axis=0)
    assert not choice.iterating_pays(eliminate(3000, wall), len(wall))
    assert choice.iterating_pays(eliminate(16**3, pier), len(pier))


def test_what_does_not_fit_in_memory_is_not_factorised(monkeypatch):
    pairs = grid(6, 5)
    body = pairs.astype(np.int32)
    monkeypatch.setattr(factor, "_recent", [])
    monkeypatch.setattr(choice, "physical_memory", lambda: 1000)
    assert choice.is_iterated(factor.symbolic(body, 30, iterative=True))
    assert factor.fitting_factor(block_structure(30, pairs)) is None
    assert not choice.is_iterated(factor.symbolic(body, 30))  # other methods need a factor
