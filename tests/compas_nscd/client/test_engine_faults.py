"""What goes wrong with processes: killed, orphaned, stale files, no place to write."""

import os
import signal
import sys

import pytest

from compas_nscd.client.engine import Engine
from compas_nscd.client.interpreter import Interpreter
from compas_nscd.errors import EngineDiedError, EngineStartError
from process_tools import engines_of, wait_until

pytest_plugins = ["process_fixtures"]

pytestmark = pytest.mark.skipif(os.name == "nt", reason="uses signals of POSIX")

WORK = """
engine = Engine(options=["--test-verbs"]).start()
job = engine.submit("busy", {"seconds": 60.0})
print(engine.info["pid"], flush=True)
job.result()
"""


@pytest.mark.short
def test_an_engine_killed_during_a_job_is_reported_and_replaced(engine):
    job = engine.submit("sleep", {"seconds": 30.0})
    killed = engine.info["pid"]
    os.kill(killed, signal.SIGKILL)
    with pytest.raises(EngineDiedError, match="SIGKILL") as caught:
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
    os.kill(engine.info["pid"], signal.SIGKILL)
    assert wait_until(lambda: not engines_of(engine.info["home"]))
    assert os.path.exists(socket) and os.path.exists(engine._files.rendezvous)
    engine.close()
    with Engine(options=["--test-verbs"]) as fresh:
        assert fresh.info["started"] and fresh.ping()
    assert not os.path.exists(os.path.dirname(socket))


def test_an_engine_that_leaves_takes_its_files_with_it(engine, home):
    socket, rendezvous = engine._files.read()["address"], engine._files.rendezvous
    engine.stop()
    assert wait_until(lambda: not engines_of(home))
    assert not os.path.exists(os.path.dirname(socket)) and not os.path.exists(rendezvous)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"key": "zz"}', '{"key": "00", "address": "/nowhere"}'])
def test_a_damaged_rendezvous_file_is_replaced(home, text):
    with Engine() as engine:
        path = engine._files.rendezvous
        engine.stop()
    with open(path, "w") as file:
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
    os.kill(engine.info["pid"], signal.SIGSTOP)
    try:
        with Engine(options=["--test-verbs"]) as fresh:
            assert fresh.info["started"] and fresh.ping()
    finally:
        os.kill(engine.info["pid"], signal.SIGCONT)
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


def fake_python(tmp_path, script):
    path = tmp_path / "python with a space"
    path.write_text("#!/bin/sh\n" + script)
    path.chmod(0o755)
    return str(path)


def test_a_start_that_fails_shows_the_log(home, tmp_path):
    python = fake_python(tmp_path, 'case "$1" in -m) echo "cannot open shared object" >&2; exit 5;; esac; echo "[]"')
    with pytest.raises(EngineStartError, match="exit status 5") as caught:
        Engine(python=python).start()
    assert "cannot open shared object" in str(caught.value)


def test_a_python_without_numba_is_told_what_to_install(home, tmp_path):
    answer = 'case "$1" in -m) exit 1;; esac; echo \'["numba", "scipy"]\''
    python = fake_python(tmp_path, answer)
    with pytest.raises(EngineStartError, match="lacks numba, scipy") as caught:
        Engine(python=python).start()
    assert '"{}" -m pip install "compas_nscd[engine]"'.format(python) in caught.value.remedy
    assert caught.value.detail["missing"] == ["numba", "scipy"]


def test_what_is_missing_is_found_out_by_asking(tmp_path):
    """Against a real interpreter: the one that runs the tests lacks nothing, and nothing with an empty path."""
    assert Interpreter(sys.executable, "").missing() == []
    bare = fake_python(tmp_path, 'exec "{}" -S -I "$@"\n'.format(os.path.realpath(sys.executable)))
    assert "numba" in Interpreter(bare, "").missing()


def test_a_start_that_takes_too_long_is_given_up(home, tmp_path):
    with pytest.raises(EngineStartError, match="did not come up"):
        Engine(python=fake_python(tmp_path, "exec sleep 60"), start_s=0.3).start()
