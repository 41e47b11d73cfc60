"""Problems of many contacts: parts for threads, and conjugate gradients instead of the factor."""

import numpy as np
import pytest

from benchmarks.measure.large import GRAVITY, on_an_arch, pier, slippery
from compas_nscd import wire
from compas_nscd.client.requests import StaticRequest
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.settings import Settings
from compas_nscd.templates import wall
from nscd_engine.core.monitor import Monitor
from nscd_engine.linalg import choice, conjugate_gradients, factor
from nscd_engine.solvers import parts
from nscd_engine.statics.run import run


def solved(structure, tilt=0.0, **settings):
    case = LoadCase(gravity=(tilt * GRAVITY, 0.0, -GRAVITY))
    return run(wire.unpack(StaticRequest(structure, case, Settings(**settings)).packed), Monitor())


def prefer_gradients(monkeypatch):
    """Estimate that conjugate gradients cost nothing, and forget structures of factors."""
    monkeypatch.setattr(choice, "PRODUCTS", 0.0)
    monkeypatch.setattr(factor, "_recent", [])


def test_parts_have_the_same_bits_on_two_threads(monkeypatch):
    monkeypatch.setattr(parts, "PART", 200)
    monkeypatch.setattr("nscd_engine.core.threads.CORES", 2)
    one, two = (solved(wall(10, 10), threads=threads) for threads in (1, 2))
    assert parts.number_of_parts(one["contacts"]) > 4
    assert one["contact_force"].tobytes() == two["contact_force"].tobytes()
    assert one["residual"] == two["residual"] and one["iterations"] == two["iterations"]


def test_parts_find_what_the_whole_finds(monkeypatch):
    whole = solved(wall(10, 10))
    monkeypatch.setattr(parts, "PART", 200)
    divided = solved(wall(10, 10))
    assert divided["iterations"] == whole["iterations"]
    assert np.allclose(divided["contact_force"], whole["contact_force"], atol=1e-7 * whole["weight_total"])


def test_conjugate_gradients_find_the_forces_of_the_factor(monkeypatch):
    exact = solved(pier(4, 4, 6))
    prefer_gradients(monkeypatch)
    found = solved(pier(4, 4, 6))
    assert (exact["linear_solver"], found["linear_solver"]) == ("factor", "conjugate_gradients")
    assert found["products"] > 50 and found["factorizations"] == 0
    assert (found["verdict"], found["status"]) == ("stable", "converged") and found["residual"] <= 1e-10
    assert found["iterations"] <= exact["iterations"] + 3
    assert np.allclose(found["contact_force"], exact["contact_force"], atol=1e-7 * exact["weight_total"])


def test_the_factor_takes_over_from_conjugate_gradients_that_take_too_long(monkeypatch):
    prefer_gradients(monkeypatch)
    monkeypatch.setattr(conjugate_gradients, "MOST_ITERATIONS", 3)
    found = solved(pier(3, 3, 4))
    assert found["factorizations"] > 0 and found["products"] == 3
    assert (found["verdict"], found["status"]) == ("stable", "converged")


def test_blocks_that_come_loose_do_not_stall_all_others():
    """A wall just beyond tan(0.3) slides: 1263 iterations, not converged, if single blocks shorten the steps of all."""
    found = solved(slippery(20, 12), tilt=0.31)
    assert (found["verdict"], found["status"]) == ("collapse", "converged")
    assert found["residual"] <= 1e-10 and found["iterations"] <= 320


@pytest.mark.slow
def test_a_large_wall_on_an_arch_does_not_stall():
    found = solved(on_an_arch(0.06))
    assert (found["verdict"], found["status"]) == ("stable", "converged")
    assert found["residual"] <= 1e-10 and found["iterations"] <= 40  # 19 for 0.12 m; 76 with jumps of the stiffness


@pytest.mark.slow
def test_a_massive_pier_is_solved_without_a_factor():
    found = solved(pier(16, 16, 29))
    assert (found["verdict"], found["linear_solver"]) == ("stable", "conjugate_gradients")
    assert found["residual"] <= 1e-10 and found["iterations"] <= 12  # 9 for 10 x 10 x 18
