"""A motion whose engine or program is killed: what it had recorded is found again, and it can go on."""

import os
import sys
import time

import numpy as np
import pytest

from compas_nscd.client.engine import Engine
from compas_nscd.errors import EngineDiedError, FileError, InputError, SettingsError
from compas_nscd.loads.case import LoadCase
from compas_nscd.loads.ground_motion import GroundMotion
from dynamic_helpers import follow, structure_of
from nscd_engine.motion.records import record
from process_tools import Program, kill, wait_until
from solids import box

SLAB = box((-3.0, -3.0, -1.0), (6.0, 6.0, 1.0))
STEP, INTERVAL = 1e-3, 0.05


def tower():
    return structure_of([SLAB] + [box((-0.5 + 0.02 * k, -0.5, 1.0 * k)) for k in range(4)], mu=0.5, name="tower")


def shaken():
    return LoadCase(ground=[GroundMotion.sine("x", 0.25 * 9.81, 2.0)])


def has_checkpoint(job):
    path = record.find(job.record)
    return path is not None and len(record.read_checkpoint(path)) > 0


def test_what_a_killed_engine_recorded_is_recovered_and_goes_on():
    with Engine(reuse=False) as engine:
        job = engine.dynamic(tower(), shaken(), 500.0, STEP, interval=INTERVAL, probes=[4], forces=True)
        wait_until(lambda: (job.progress["fraction"] or 0.0) > 0.0, 300.0)  # kernels may have to be compiled
        wait_until(lambda: job.progress["fraction"] * 500.0 > 10.0 * INTERVAL and has_checkpoint(job), 60.0)
        reached = job.progress["fraction"] * 500.0
        kill(engine.info["pid"])
        with pytest.raises(EngineDiedError, match="recover"):
            job.result(timeout=60.0)
        result = engine.recover(job)  # by a new engine
        assert job.record in [entry["record"] for entry in engine.records()]
    assert result.summary["ended"] == "broken off" and result.verdict in ("stable", "collapse")
    # At most the interval that was under way is lost, and the sum of the steps rounds.
    assert result.times[-1] > reached - INTERVAL - STEP
    np.testing.assert_allclose(np.diff(result.times), INTERVAL, atol=1e-9)
    assert len(result.probe_times) == result.summary["steps"] and result.probe_times[-1] == result.times[-1]
    assert len(result.contact_forces(result.times[-1])[2]) > 0
    whole = follow(tower(), shaken(), 0.2, STEP, interval=INTERVAL)
    np.testing.assert_array_equal(result.position[:5], whole.position)
    assert len(result.checkpoint) > 0
    further = follow(tower(), shaken(), 0.05, STEP, restart=result)
    assert 0.0 < further.times[0] <= result.times[-1] + 1e-9
    os.remove(record.find(job.record))


@pytest.mark.slow
def test_what_a_killed_program_left_is_found_by_the_next():
    """The engine sees its client go, ends the motion and leaves the record."""
    program = Program(
        """
        sys.path[:0] = {!r}
        from test_recovery import shaken, tower
        with Engine(reuse=False) as engine:
            job = engine.dynamic(tower(), shaken(), 500.0, 1e-3, interval=0.05)
            while not (job.progress["fraction"] or 0.0) > 0.0002:
                time.sleep(0.02)
            print(job.record, flush=True)
            sys.stdin.read()
        """.format([os.path.dirname(__file__), *filter(None, sys.path)])
    )
    name = program.line()
    program.kill()
    with Engine(reuse=False) as engine:
        result = engine.recover(name, tower(), shaken())
        assert result.times[-1] >= 0.1 - 1e-9
        with pytest.raises(InputError, match="structure"):
            engine.recover(name)
        with pytest.raises(FileError, match="no record"):
            engine.recover("nobody", tower())
        with pytest.raises(InputError, match="does not name"):
            engine.recover("../etc", tower())
    assert wait_until(lambda: _removed(name))


def _removed(name):
    path = record.find(name)
    if path is not None:
        os.remove(path)
    return path is not None


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("NSCD_HOME", str(tmp_path))
    return tmp_path


def test_a_frame_that_was_half_written_is_left_out(home):
    recorder = record.Recorder("half", {"name": "head"}, 100, 10)
    for k in range(3):
        recorder.add({"time": float(k), "place": np.arange(k, dtype=float)})
    recorder.close(keep=True)
    content = open(recorder.path, "rb").read()
    for cut in (1, 9, 30):
        with open(recorder.path, "wb") as file:
            file.write(content[:-cut])
        head, frames = record.read(recorder.path)
        assert head == {"name": "head"} and [frame["time"] for frame in frames] == [0.0, 1.0]
    assert record.left_behind()[0]["record"] == "half"


def test_a_motion_that_ends_well_leaves_nothing(home):
    follow(tower(), shaken(), 0.02, 5e-3)
    assert not record.left_behind() and not os.listdir(record.folder())


def test_old_records_are_removed(home):
    for k in range(record.KEPT + 2):
        record.Recorder("r{}".format(k), {}, 1, 1).close(keep=True)
        path = record.find("r{}".format(k))
        age = time.time() - record.UNTOUCHED_S - 60.0 * (k + 1)
        os.utime(path, (age, age))
    assert len(record.left_behind()) == record.KEPT and record.find("r0") is not None
    with pytest.raises(SettingsError, match="called"):
        record.Recorder("../r", {}, 1, 1)
