"""Callers that do not hold the key, stop in the middle, or come in crowds."""

import os
import socket
import sys
import threading
import time
from multiprocessing.connection import Client, Listener, answer_challenge, deliver_challenge

import pytest

from nscd_engine.service import handshake
from nscd_engine.service.handshake import Callers

KEY = b"k" * 32


@pytest.fixture
def listener():
    """A port of this machine."""
    with Listener(("127.0.0.1", 0), "AF_INET", backlog=64) as listener:
        yield listener


def serve(listener, callers, outcomes, count):
    """Welcome so many callers, each in a thread of its own."""

    def one(connection):
        began = time.monotonic()
        try:
            outcomes.append((callers.welcome(connection), time.monotonic() - began))
        except Exception as error:
            outcomes.append((error, time.monotonic() - began))

    def all_of_them():
        for _ in range(count):
            threading.Thread(target=one, args=(listener.accept(),), daemon=True).start()

    threading.Thread(target=all_of_them, daemon=True).start()


def wait_for(outcomes, count, seconds=10.0):
    end = time.monotonic() + seconds
    while len(outcomes) < count and time.monotonic() < end:
        time.sleep(0.01)
    assert len(outcomes) == count


@pytest.mark.short
def test_who_holds_the_key_is_known_by_name(listener):
    outcomes = []
    serve(listener, Callers(KEY), outcomes, 1)
    with Client(listener.address) as connection:
        answer_challenge(connection, KEY)
        deliver_challenge(connection, KEY)
        connection.send_bytes(b"me")
        wait_for(outcomes, 1)
    assert outcomes[0][0] == b"me"


@pytest.mark.short
def test_the_challenge_is_of_sha256_where_python_has_it(listener):
    serve(listener, Callers(KEY), [], 1)
    with Client(listener.address) as connection:
        challenge = connection.recv_bytes(256)
    assert challenge.startswith(b"#CHALLENGE#")
    assert challenge.startswith(b"#CHALLENGE#{sha256}") == (sys.version_info >= (3, 12))


@pytest.mark.parametrize("sent", [b"", b"\0", b"\0\0\0", b"\0\0\0\x14", b"\0\0\0\x14half of it"])
def test_half_a_frame_does_not_outlive_the_time_of_a_handshake(listener, monkeypatch, sent):
    monkeypatch.setattr(handshake, "HANDSHAKE_S", 0.3)
    outcomes = []
    serve(listener, Callers(KEY), outcomes, 1)
    with socket.create_connection(listener.address) as caller:
        caller.sendall(sent)
        wait_for(outcomes, 1, 3.0)
    (outcome, took) = outcomes[0]
    assert isinstance(outcome, Exception) and took < 1.0


def test_a_crowd_of_silent_callers_keeps_nobody_out(listener, monkeypatch):
    """Threads are bounded, and who holds the key is let in at once."""
    monkeypatch.setattr(handshake, "MOST_CALLERS", 4)
    outcomes, callers = [], Callers(KEY)
    serve(listener, callers, outcomes, 21)
    crowd = [socket.create_connection(listener.address) for _ in range(20)]
    try:
        wait_for(outcomes, 16, 3.0)
        assert len(callers._waiting) == 4 and all(isinstance(outcome, Exception) for outcome, _ in outcomes)
        with Client(listener.address) as connection:
            answer_challenge(connection, KEY)
            deliver_challenge(connection, KEY)
            connection.send_bytes(b"me")
            wait_for(outcomes, 18, 3.0)
        assert [outcome for outcome, _ in outcomes if isinstance(outcome, bytes)] == [b"me"]
    finally:
        for caller in crowd:
            caller.close()


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="Windows has named pipes in their place")
def test_half_a_frame_on_a_socket_file(tmp_path, monkeypatch):
    monkeypatch.setattr(handshake, "HANDSHAKE_S", 0.3)
    outcomes, path = [], os.path.join(str(tmp_path), "s")
    with Listener(path, "AF_UNIX") as listener:
        serve(listener, Callers(KEY), outcomes, 1)
        caller = socket.socket(socket.AF_UNIX)
        caller.connect(path)
        caller.sendall(b"\0\0")
        wait_for(outcomes, 1, 3.0)
        caller.close()
    assert outcomes[0][1] < 1.0
