"""Detection in runs: the same contacts as at once, on any number of threads, and a cancel is heard between two runs."""

import numpy as np
import pytest

from compas_nscd import LoadCase
from compas_nscd.client.requests import scene
from compas_nscd.errors import CancelledError
from compas_nscd.model.settings import Settings
from compas_nscd.templates import dome, spandrel_wall, wall
from nscd_engine.contacts import stream
from nscd_engine.contacts.at_rest import detect
from nscd_engine.contacts.stream import Stream
from nscd_engine.core.monitor import Monitor
from nscd_engine.gate.scene import read_scene


def detected(structure, threads=1, monitor=None):
    read = read_scene(scene(structure, LoadCase(), Settings(threads=threads)))
    return detect(read.model, read.settings, monitor)


def bits(detection):
    arrays = [*detection.interfaces, *detection.contacts]
    return [(array.dtype.str, array.shape, array.tobytes()) for array in arrays], detection[2:7]


@pytest.mark.parametrize(
    "structure",
    [wall(6, 5), dome(courses=6, sectors=10, bond="running"), spandrel_wall()],
    ids=["wall", "dome", "spandrel"],
)
def test_runs_have_the_bits_of_the_whole(monkeypatch, structure):
    whole = bits(detected(structure))
    monkeypatch.setattr(stream, "RUN", 800.0)
    monkeypatch.setattr("nscd_engine.core.threads.CORES", 2)
    assert bits(detected(structure, threads=1)) == whole
    assert bits(detected(structure, threads=2)) == whole


def test_rows_are_cut_by_their_cost(monkeypatch):
    monkeypatch.setattr(stream, "RUN", 10.0)
    cost = np.array([4.0, 4.0, 4.0, 30.0, 1.0, 1.0])
    found = Stream().runs("rows", cost, lambda rows: (rows.start, rows.stop))
    ends = [each for _, each in found]
    assert ends == [(0, 2), (2, 3), (3, 6)]  # no run has more than one row beyond its measure
    assert Stream().runs("rows", np.zeros(0), lambda rows: (rows.start, rows.stop))[0][1] == (0, 0)


def test_a_cancel_is_heard_after_one_run(monkeypatch):
    monkeypatch.setattr(stream, "RUN", 1.0)
    monitor, done = Monitor(), []

    def work(rows):
        done.append(rows)
        monitor.cancel()

    with pytest.raises(CancelledError, match="finding contacts"):
        Stream(1, monitor).runs("joints", np.ones(50), work)
    assert len(done) == 1


def test_progress_tells_the_stage(monkeypatch):
    monkeypatch.setattr(stream, "RUN", 1.0)
    monitor, told = Monitor(), []
    Stream(1, monitor).runs("joints", np.ones(4), lambda rows: told.append(monitor.told()))
    assert told[1:] == [
        "finding contacts, joints 25 %",
        "finding contacts, joints 50 %",
        "finding contacts, joints 75 %",
    ]
