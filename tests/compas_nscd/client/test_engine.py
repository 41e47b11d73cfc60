"""The engine as a process: starting, sharing, talking, leaving."""

import _thread
import os
import stat
import threading
from multiprocessing.connection import Client, answer_challenge, deliver_challenge

import numpy as np
import pytest

from compas_nscd import __version__, wire
from compas_nscd.client import process
from compas_nscd.client.channel import Channel
from compas_nscd.client.engine import Engine
from compas_nscd.errors import AuthenticationError, CancelledError, ProtocolError
from process_tools import engines_of, wait_until

pytest_plugins = ["process_fixtures"]

HOLD = """
with Engine(options=["--test-verbs"]) as engine:
    print(engine.ping()["pid"], engine.info["started"], flush=True)
    sys.stdin.read()
"""


@pytest.mark.short
def test_it_tells_what_it_is(engine):
    pong = engine.ping()
    assert pong["version"] == __version__ == engine.info["version"]
    assert pong["pid"] == engine.info["pid"] != os.getpid()
    assert engine.info["started"] and engine.info["reason"]
    assert "listens" in open(pong["log"], encoding="utf-8").read()


@pytest.mark.short
def test_large_arrays_pass(engine):
    value = np.random.default_rng(0).random((250000, 3))
    assert np.array_equal(engine.submit("echo", {"value": value}).result()["value"], value)


@pytest.mark.parametrize("tcp", [False, True])
def test_either_transport_works(home, tcp):
    with Engine(tcp=tcp, reuse=False, options=["--test-verbs"]) as engine:
        assert engine.submit("echo", {"value": "é"}).result() == {"value": "é"}
        address = engine._files.read()["address"]
    assert (address[0] == "127.0.0.1") if tcp else isinstance(address, str)


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps private files by other means: test_process_windows")
def test_only_the_owner_can_read_the_key_and_reach_the_socket(engine):
    place = engine._files
    assert stat.S_IMODE(os.stat(place.rendezvous).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(os.path.dirname(place.read()["address"])).st_mode) == 0o700


@pytest.mark.short
def test_the_next_engine_of_a_program_is_the_same_process(engine):
    first = engine.info["pid"]
    engine.close()
    with Engine(options=["--test-verbs"]) as again:
        assert again.ping()["pid"] == first and not again.info["started"]


def test_engines_of_two_threads_are_one_process(home):
    pids = []

    def use():
        with Engine() as engine:
            pids.append(engine.ping()["pid"])

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(pids) == 4 and len(set(pids)) == 1


def test_programs_that_start_at_once_share_one_engine(program):
    programs = [program(HOLD) for _ in range(3)]
    lines = [each.line().split() for each in programs]
    assert len({pid for pid, _ in lines}) == 1
    assert sorted(started for _, started in lines) == ["False", "False", "True"]
    assert all(each.finish() == 0 for each in programs)


def test_an_engine_not_shared_is_a_process_of_its_own_and_ends_with_close(engine, home):
    with Engine(reuse=False, options=["--test-verbs"]) as own:
        assert own.ping()["pid"] != engine.ping()["pid"]
    assert wait_until(lambda: engines_of(home) == [engine.info["pid"]])
    assert engine.ping()


def test_closing_does_not_stop_it_for_others_and_stop_does(engine, home):
    other = Engine(options=["--test-verbs"]).start()
    other.close()
    assert engines_of(home) == [engine.info["pid"]]
    Engine(options=["--test-verbs"]).start().stop()
    assert wait_until(lambda: not engines_of(home))


def test_it_leaves_when_idle_and_comes_back_when_needed(home):
    with Engine(idle_s=2.0) as engine:  # less, and a busy machine connects too late
        first = engine.ping()["pid"]
        assert wait_until(lambda: not engines_of(home))
        assert engine.ping()["pid"] != first


def test_ping_answers_while_another_thread_waits_for_a_result(engine):
    job = engine.submit("busy", {"seconds": 30.0})
    caught = []
    waiting = threading.Thread(target=lambda: caught.append(_error_of(job)))
    waiting.start()
    assert engine.ping()["jobs"] == 1 and job.state == "running"
    job.cancel()
    waiting.join(20)
    assert isinstance(caught[0], CancelledError) and job.done


def _error_of(job):
    try:
        return job.result()
    except CancelledError as error:
        return error


def test_progress_is_told_while_waiting(engine):
    seen = []
    job = engine.submit("sleep", {"seconds": 2.0})
    assert job.result(progress=seen.append) == {"slept": 2.0}
    fractions = [status["fraction"] for status in seen if status["fraction"] is not None]
    assert seen[-1]["phase"] == "sleeping" and fractions == sorted(fractions) and len(fractions) > 2
    assert job.state == "done" and job.result() == {"slept": 2.0}


def test_a_timeout_leaves_the_job_running(engine):
    job = engine.submit("sleep", {"seconds": 1.0})
    with pytest.raises(TimeoutError):
        job.result(timeout=0.05)
    assert job.result() == {"slept": 1.0}


def test_an_interrupt_cancels_the_job(engine):
    job = engine.submit("sleep", {"seconds": 30.0})
    threading.Timer(0.2, _thread.interrupt_main).start()
    with pytest.raises(KeyboardInterrupt):
        job.result()
    assert job.state == "cancelled"
    assert wait_until(lambda: engine.ping()["jobs"] == 0)


def test_closing_cancels_what_still_runs(engine):
    other = Engine(options=["--test-verbs"]).start()
    other.submit("sleep", {"seconds": 30.0})
    assert engine.ping()["jobs"] == 1
    other.close()
    assert wait_until(lambda: engine.ping()["jobs"] == 0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows does not fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_child_does_not_talk_into_our_connection(engine):
    before = engine.ping()["pid"]
    child = os.fork()
    if child == 0:
        status = 1
        try:
            for value in range(50):
                assert engine.submit("echo", {"value": value}).result() == {"value": value}
            status = 0
        finally:
            os._exit(status)
    for value in range(100, 150):
        assert engine.submit("echo", {"value": value}).result() == {"value": value}
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert engine.ping()["pid"] == before


def test_a_file_in_the_users_folder_is_not_taken_for_a_module(home, tmp_path, monkeypatch):
    (tmp_path / "numpy.py").write_text("raise SystemExit('the wrong numpy')")
    monkeypatch.chdir(tmp_path)
    with Engine(reuse=False) as engine:
        assert engine.ping()


def raw(engine):
    """A connection with the key, past the handshake, as a hostile client would have it."""
    found = engine._files.read()
    connection = Client(found["address"])
    answer_challenge(connection, found["key"])
    deliver_challenge(connection, found["key"])
    connection.send_bytes(b"raw")
    return connection


@pytest.mark.short
def test_garbage_is_answered_with_an_error_and_the_engine_lives(engine):
    with raw(engine) as connection:
        for garbage in (b"", b"garbage", os.urandom(1000)):
            connection.send_bytes(garbage)
            assert wire.unpack(connection.recv_bytes())["error"]["code"] == "ProtocolError"
    assert engine.ping()


@pytest.mark.skipif(os.name == "nt", reason="a pipe of Windows frames its messages itself")
def test_a_message_over_the_limit_is_refused_before_it_is_read(engine):
    with raw(engine) as connection:
        os.write(connection.fileno(), b"\xff\xff\xff\xff" + (wire.MAX_MESSAGE + 1).to_bytes(8, "big"))
        reply = wire.unpack(connection.recv_bytes())
        assert reply["error"]["code"] == "ProtocolError" and "limit" in reply["error"]["message"]
    assert engine.ping()


@pytest.mark.short
def test_an_unknown_verb_is_refused(engine):
    with pytest.raises(ProtocolError, match="__import__"):
        engine.request("__import__")
    assert engine.ping()


@pytest.mark.short
def test_a_wrong_key_is_refused_and_the_engine_lives(engine):
    found = engine._files.read()
    with pytest.raises(AuthenticationError):
        Channel(found["address"], b"x" * 32).request({"verb": "ping"})
    assert engine.ping()


def test_a_rendezvous_file_with_a_wrong_key_is_not_papered_over(engine, home):
    path = engine._files.rendezvous
    text = open(path, encoding="utf-8").read()
    key = engine._files.read()["key"].hex()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(key, "00" * 32))
    with pytest.raises(AuthenticationError):
        Engine(options=["--test-verbs"]).start()
    assert engines_of(home) == [engine.info["pid"]]


def test_callers_that_keep_silent_or_babble_block_nobody(engine):
    address = engine._files.read()["address"]
    silent = [Client(address) for _ in range(5)]
    babbling = Client(address)
    babbling.send_bytes(b"hello")
    engine._channel.close()  # so that a new connection has to be made
    with Engine(options=["--test-verbs"]) as another:
        assert another.ping()["pid"] == engine.info["pid"]
    for connection in [*silent, babbling]:
        connection.close()


def test_an_engine_with_older_sources_is_not_reused(engine, monkeypatch):
    born = engine._files.read()["started"]
    monkeypatch.setattr(process, "_changed_since", lambda package, moment: moment <= born)
    with Engine(options=["--test-verbs"]) as fresh:
        assert fresh.info["started"] and fresh.info["pid"] != engine.info["pid"]
    assert engine.ping()["pid"] == engine.info["pid"]
    engine.stop()
