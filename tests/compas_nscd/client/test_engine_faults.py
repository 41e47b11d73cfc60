"""What goes wrong with processes: killed, orphaned, stale files, no place to write."""

import os
import sys

import pytest

from compas_nscd.client.engine import Engine
from compas_nscd.client.interpreters.interpreter import Interpreter, extra_paths
from compas_nscd.errors import EngineDiedError, EngineStartError
from process_tools import KILLED, engines_of, kill, resume, suspend, wait_until
from stand_in import stand_in

pytest_plugins = ["process_fixtures"]

WORK = """
engine = Engine(options=["--test-verbs"]).start()
job = engine.submit("busy", {"seconds": 60.0})
print(engine.info["pid"], flush=True)
job.result()
"""


def around(socket):
    """What an engine leaves when it is killed: the folder of its socket; a named pipe goes with its process."""
    return socket if os.name == "nt" else os.path.dirname(socket)


@pytest.mark.short
def test_an_engine_killed_during_a_job_is_reported_and_replaced(engine):
    job = engine.submit("sleep", {"seconds": 30.0})
    killed = engine.info["pid"]
    kill(killed)
    with pytest.raises(EngineDiedError, match=KILLED) as caught:
        job.result()
    assert caught.value.detail["log"] == engine.info["log"]
    assert engine.submit("echo", {"value": 1}).result() == {"value": 1}
    assert engine.info["pid"] != killed
    assert job.state == "failed"


def test_a_crash_in_a_job_is_reported_with_its_exit_status(engine):
    job = engine.submit("crash", {"status": 7})
    with pytest.raises(EngineDiedError, match="exit status 7"):
        job.result()
    assert engine.ping()


def test_what_a_killed_engine_left_is_cleaned(engine):
    socket = engine._files.read()["address"]
    kill(engine.info["pid"])
    assert wait_until(lambda: not engines_of(engine.info["home"]))
    assert os.path.exists(engine._files.rendezvous)
    assert os.path.exists(socket) or os.name == "nt"
    engine.close()
    with Engine(options=["--test-verbs"]) as fresh:
        assert fresh.info["started"] and fresh.ping()
    assert not os.path.exists(around(socket))


def test_an_engine_that_leaves_takes_its_files_with_it(engine, home):
    socket, rendezvous = engine._files.read()["address"], engine._files.rendezvous
    engine.stop()
    assert wait_until(lambda: not engines_of(home))
    assert not os.path.exists(around(socket)) and not os.path.exists(rendezvous)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"key": "zz"}', '{"key": "00", "address": "/nowhere"}'])
def test_a_damaged_rendezvous_file_is_replaced(home, text):
    with Engine() as engine:
        path = engine._files.rendezvous
        engine.stop()
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    with Engine() as engine:
        assert engine.ping() and engine.info["started"]


def test_the_engine_leaves_when_its_client_is_killed_during_a_job(home, program):
    client = program(WORK)
    pid = int(client.line())
    assert engines_of(home) == [pid]
    client.kill()
    assert wait_until(lambda: not engines_of(home))


def test_the_engine_stays_for_a_second_client_when_its_parent_is_killed(home, program):
    parent = program(WORK)
    pid = int(parent.line())
    with Engine(options=["--test-verbs"]) as engine:
        assert engine.info["pid"] == pid and not engine.info["started"]
        parent.kill()
        assert wait_until(lambda: engine.ping()["jobs"] == 0), "the job of the dead client goes on"
        assert engine.submit("echo", {"value": 2}).result() == {"value": 2}
    assert wait_until(lambda: not engines_of(home))


def test_an_engine_that_hangs_is_not_waited_for(engine, monkeypatch):
    monkeypatch.setattr("compas_nscd.client.channel.GREETING_S", 0.5)
    suspend(engine.info["pid"])
    try:
        with Engine(options=["--test-verbs"]) as fresh:
            assert fresh.info["started"] and fresh.ping()
    finally:
        resume(engine.info["pid"])
    engine.stop()


def test_an_engine_that_hangs_is_killed_when_it_should_stop(home, monkeypatch):
    monkeypatch.setattr("compas_nscd.client.process.STOP_S", 0.5)
    engine = Engine(options=["--test-verbs"]).start()
    suspend(engine.info["pid"])
    engine.stop()
    assert wait_until(lambda: not engines_of(home), 10.0)
    assert engine.submit("echo", {"value": 1}).result() == {"value": 1}  # by another one
    engine.stop()


def test_a_home_that_cannot_be_written_is_replaced_and_told(tmp_path, monkeypatch):
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    monkeypatch.setenv("NSCD_HOME", str(in_the_way / "home"))
    with Engine(reuse=False) as engine:
        assert str(in_the_way) in engine.info["note"] and "NSCD_HOME" in engine.info["note"]
        used = engine.info["home"]
        assert os.path.isdir(engine.ping()["cache"]["path"])
    assert wait_until(lambda: not engines_of(used))


def test_kernels_without_a_place_go_to_a_temporary_one(home):
    (home / "kernels").write_text("in the way")
    with Engine(reuse=False) as engine:
        cache = engine.ping()["cache"]
        assert "temporary" in cache["note"] and os.path.isdir(cache["path"])
    assert wait_until(lambda: not os.path.exists(cache["path"]))


#: A Python that fails to run the engine as `{}` says, and lacks `{}` when asked.
FAILING = """
import sys
if sys.argv[1] == "-m":
    {}
print('{}')
"""


def fake_python(tmp_path, code):
    return stand_in(tmp_path / "python with a space", code)


def test_a_start_that_fails_shows_the_log(home, tmp_path):
    fails = 'print("cannot open shared object", file=sys.stderr), sys.exit(5)'
    python = fake_python(tmp_path, FAILING.format(fails, "[]"))
    with pytest.raises(EngineStartError, match="exit status 5") as caught:
        Engine(python=python).start()
    assert "cannot open shared object" in str(caught.value)


def test_a_python_without_numba_is_told_what_to_install(home, tmp_path):
    python = fake_python(tmp_path, FAILING.format("sys.exit(1)", '["numba", "scipy"]'))
    with pytest.raises(EngineStartError, match="lacks numba, scipy") as caught:
        Engine(python=python).start()
    assert '"{}" -m pip install "compas_nscd[engine]"'.format(python) in caught.value.remedy
    assert caught.value.detail["missing"] == ["numba", "scipy"]


def test_what_is_missing_is_found_out_by_asking(tmp_path):
    """Against real interpreters: the one that runs the tests lacks nothing, the same without site-packages does."""
    assert Interpreter(sys.executable, "", extra_paths()).missing() == []
    alone = [os.path.realpath(sys.executable), "-S", "-I"]
    code = "import subprocess, sys; sys.exit(subprocess.call({!r} + sys.argv[1:]))".format(alone)
    bare = fake_python(tmp_path, code)
    assert "numba" in Interpreter(bare, "").missing()


def test_a_start_that_takes_too_long_is_given_up(home, tmp_path):
    with pytest.raises(EngineStartError, match="did not come up"):
        Engine(python=fake_python(tmp_path, "import time; time.sleep(60)"), start_s=0.3).start()
