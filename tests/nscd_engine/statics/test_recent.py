"""A structure that changes a little starts from the one before, and has the forces of one that starts at rest."""

import numpy as np
import pytest

from compas_nscd import wire
from compas_nscd.client.requests import StaticRequest
from compas_nscd.model.settings import Settings
from compas_nscd.templates import arch, wall
from nscd_engine.core.monitor import Monitor
from nscd_engine.statics import recent
from nscd_engine.statics.run import run


@pytest.fixture(autouse=True)
def small_structures_are_remembered(nothing_is_remembered, monkeypatch):
    monkeypatch.setattr(recent, "LARGEST", 100)


def reply(structure, **settings):
    chosen = Settings(**dict({"warm_start": True}, **settings))
    return run(wire.unpack(StaticRequest(structure, settings=chosen).packed), Monitor())


def alone(structure, monkeypatch):
    """The reply of an engine that was asked nothing before."""
    with monkeypatch.context() as patch:
        patch.setattr(recent, "_recent", ())
        return reply(structure)


#: Moves of sliders: length of a block, span of an arch, friction.
MOVES = {
    "length": [wall(8, 6, length=length) for length in (0.5, 0.505, 0.52)],
    "span": [arch(span=span) for span in (10.0, 10.05)],
    "friction": [arch(friction=friction) for friction in (0.7, 0.65)],
}


@pytest.mark.parametrize("moves", list(MOVES.values()), ids=list(MOVES))
def test_a_move_has_the_forces_of_a_start_at_rest_with_fewer_factors(moves, monkeypatch):
    reply(moves[0])
    for structure in moves[1:]:
        moved, cold = reply(structure), alone(structure, monkeypatch)
        assert moved["factorizations"] < cold["factorizations"]
        assert (moved["verdict"], moved["assured"]) == (cold["verdict"], cold["assured"]) == ("stable", True)
        greatest = np.abs(cold["contact_force"]).max()
        np.testing.assert_allclose(moved["contact_force"], cold["contact_force"], rtol=0.0, atol=1e-9 * greatest)
        assert np.array_equal(moved["contact_point"], cold["contact_point"])
        assert moved["residual"] <= 1e-10


def test_the_same_problem_has_the_same_bits():
    first, again = (reply(wall(8, 6)) for _ in range(2))
    assert np.array_equal(first["contact_force"], again["contact_force"])
    assert first["factorizations"] == again["factorizations"]


def test_a_start_that_does_not_fit_leaves_no_trace(monkeypatch):
    """An arch that stood and now falls begins at rest: same bits as without the one before."""
    assert reply(arch(thickness=1.0))["verdict"] == "stable"
    thin = arch(thickness=0.3)
    fallen, cold = reply(thin), alone(thin, monkeypatch)
    assert fallen["verdict"] == cold["verdict"] == "collapse"
    for name in ("velocity", "contact_force"):
        assert np.array_equal(fallen[name], cold[name])


def test_without_the_setting_nothing_before_shows(monkeypatch):
    reply(wall(8, 6))
    longer = wall(8, 6, length=0.505)
    again, cold = reply(longer, warm_start=False), alone(longer, monkeypatch)
    assert np.array_equal(again["contact_force"], cold["contact_force"])


def test_solves_that_are_timed_start_at_rest(monkeypatch):
    reply(wall(8, 6))
    longer = wall(8, 6, length=0.505)
    factors = alone(longer, monkeypatch)["factorizations"]
    assert reply(longer, repeat=2)["factorizations"] == factors


def test_few_structures_are_remembered():
    for rows in (2, 3, 4):
        reply(wall(3, rows))
    assert len(recent._recent) == recent.RECENT
    reply(wall(3, 4, length=0.505))
    assert len(recent._recent) == recent.RECENT  # of the same contacts, one
