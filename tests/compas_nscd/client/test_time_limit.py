"""A laptop that sleeps while something is waited for."""

import threading
import time

import pytest

from compas_nscd.client import home, time_limit
from compas_nscd.client.time_limit import LONGEST_LOOK_S, TimeLimit
from compas_nscd.errors import EngineStartError


@pytest.fixture
def clock(monkeypatch):
    """A list of one number: the time that the monotonic clock shows [s]."""
    now = [1000.0]
    monkeypatch.setattr(time_limit.time, "monotonic", lambda: now[0])
    return now


def looks(limit, clock, count, seconds):
    """Look at the limit again and again; whether it is over at the end."""
    for _ in range(count):
        clock[0] += seconds
        over = limit.is_over()
    return over


@pytest.mark.short
def test_it_runs_out_when_its_time_has_passed(clock):
    limit = TimeLimit(10.0)
    assert not looks(limit, clock, 99, 0.1)
    assert looks(limit, clock, 2, 0.1)


@pytest.mark.short
def test_a_night_counts_as_one_look(clock):
    limit = TimeLimit(10.0)
    assert not looks(limit, clock, 1, 8 * 3600.0)
    assert not looks(limit, clock, 70, 0.1)
    assert looks(limit, clock, int(10.0 * (10.0 - LONGEST_LOOK_S)) + 2, 0.1)


def test_who_waits_for_a_lock_does_not_give_up_when_the_lid_is_opened(tmp_path, monkeypatch):
    """The clock jumps by a night while another program holds the lock; then that program goes on, and lifts it."""
    path, slept, real = str(tmp_path / "engine.lock"), [0.0], time.monotonic
    monkeypatch.setattr(time_limit.time, "monotonic", lambda: real() + slept[0])
    held, lift = threading.Event(), threading.Event()

    def other():
        with home.locked(path):
            held.set()
            lift.wait(20.0)

    thread = threading.Thread(target=other)
    thread.start()
    assert held.wait(20.0)
    threading.Timer(0.1, lambda: slept.__setitem__(0, 8 * 3600.0)).start()
    threading.Timer(0.3, lift.set).start()
    with home.locked(path, wait_s=20.0):
        pass
    thread.join()


def test_a_lock_that_is_never_lifted_is_an_error(tmp_path):
    path = str(tmp_path / "engine.lock")
    with home.locked(path), pytest.raises(EngineStartError, match="Another program"), home.locked(path, wait_s=0.1):
        pass
