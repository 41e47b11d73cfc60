"""Disks that are full, read-only or taken away while a motion is recorded."""

import errno
import os
import shutil
import stat

import numpy as np
import pytest

from compas_nscd.errors import EngineError, SettingsError
from compas_nscd.loads.case import LoadCase
from dynamic_helpers import follow, structure_of
from nscd_engine import home as engine_home
from nscd_engine.core.monitor import Monitor
from nscd_engine.motion.records import record, recovery
from solids import box

SLAB = box((-3.0, -3.0, -1.0), (6.0, 6.0, 1.0))
RUN = dict(interval=1e-2, quiet=False)


def pair():
    return structure_of([SLAB, box((-0.5, -0.5, 0.0))])


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("NSCD_HOME", str(tmp_path))
    return tmp_path


class FullFile:
    """A file on a disk that has room for so many bytes more."""

    def __init__(self, file, room, error=errno.ENOSPC):
        self.file, self.room, self.error = file, room, error

    def write(self, content):
        if self.room <= 0:
            raise OSError(self.error, os.strerror(self.error))
        written = self.file.write(bytes(content)[: self.room])  # a system writes what fits
        self.room -= written
        return written

    def __getattr__(self, name):
        return getattr(self.file, name)


@pytest.mark.parametrize("room, error", [(5000, errno.ENOSPC), (9000, errno.EDQUOT), (20001, errno.EFBIG)])
def test_a_motion_on_a_full_disk_is_kept_up_to_its_last_frame(home, monkeypatch, room, error):
    create = record._create
    monkeypatch.setattr(record, "_create", lambda path: FullFile(create(path), room, error))
    with pytest.raises(EngineError, match="cannot be written.*kept up to its last frame") as caught:
        follow(pair(), LoadCase(), 1.0, 5e-3, **RUN)
    assert "Make room on the disk" in caught.value.remedy and str(home) in caught.value.message
    monkeypatch.undo()
    monkeypatch.setenv("NSCD_HOME", str(home))
    reply = recovery.recover({"record": caught.value.detail["record"]}, Monitor())
    frames = len(reply["times"])
    assert frames > 1 and reply["times"][-1] == pytest.approx(1e-2 * (frames - 1))
    assert follow(pair(), LoadCase(), 0.02, 5e-3, **RUN).times[-1] == pytest.approx(0.02)  # once there is room


def test_a_disk_that_is_full_before_the_motion(home, monkeypatch):
    create = record._create
    monkeypatch.setattr(record, "_create", lambda path: FullFile(create(path), 10))
    with pytest.raises(EngineError, match="cannot be written"):
        follow(pair(), LoadCase(), 0.1, 5e-3, **RUN)
    assert os.listdir(str(home / "records")) == []


def test_a_folder_that_is_removed_while_a_motion_is_recorded(home, monkeypatch):
    add = record.Recorder.add

    def removed(self, body):
        shutil.rmtree(str(home / "records"), ignore_errors=True)
        add(self, body)

    monkeypatch.setattr(record.Recorder, "add", removed)
    if os.name == "nt":
        pytest.skip("Windows does not remove what is open")
    assert follow(pair(), LoadCase(), 0.1, 5e-3, **RUN).times[-1] == pytest.approx(0.1)


def test_a_folder_that_cannot_be_written(home):
    (home / "records").write_text("in the way")
    with pytest.raises(EngineError, match="cannot be used for records") as caught:
        follow(pair(), LoadCase(), 0.1, 5e-3, **RUN)
    assert "NSCD_HOME" in caught.value.remedy


def test_two_motions_cannot_share_a_record(home):
    first = record.Recorder("same", {"of": "first"}, 1, 1)
    with pytest.raises(SettingsError, match="already"):
        record.Recorder("same", {"of": "second"}, 1, 1)
    first.add({"time": 0.0})
    first.close(keep=True)
    assert record.read(first.path)[0] == {"of": "first"}


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps files private by other means")
def test_records_and_their_folder_are_private(home):
    before = os.umask(0)
    try:
        recorder = record.Recorder("mine", {}, 1, 1)
        recorder._checked_at = -10.0
        recorder.keep_checkpoint(lambda: np.zeros(4, np.uint8))
        recorder.close(keep=True)
    finally:
        os.umask(before)
    paths = [record.folder(), recorder.path, record._beside(recorder.path)]
    assert [stat.S_IMODE(os.stat(path).st_mode) for path in paths] == [0o700, 0o600, 0o600]


def test_clean_up_leaves_files_of_others(home):
    folder = record.folder()
    for name in ("a b.nscdrec", "thesis.txt"):
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write("x")
        os.utime(path, (1.0, 1.0))
    record.folder()
    assert sorted(os.listdir(folder)) == ["a b.nscdrec", "thesis.txt"]


@pytest.mark.skipif(os.name == "nt", reason="Windows keeps files private by other means")
def test_a_folder_of_somebody_else_is_refused(home, monkeypatch):
    record.folder()
    monkeypatch.setattr(engine_home.os, "geteuid", lambda: 4242)
    with pytest.raises(EngineError, match="belongs to another user"):
        record.folder()
