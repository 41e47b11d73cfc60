"""Finished runs on disk: cut lines, a full disk, two programs."""

import errno
import json

import pytest

from compas_nscd.errors import FileError, InputError
from compas_nscd.studies.store import Store
from compas_nscd.studies.table import Table, replace_text


def row(key, **more):
    line = {"key": key, "values": {"x": 1.5}, "motion": None, "level": None, "factor": None}
    return dict(line, collapse=False, found={"verdict": "stable"}, error=None, **more)


def test_rows_are_on_disk_at_once(tmp_path):
    with Store(tmp_path / "new" / "folder").writing() as store:
        store.add(row("a"))
        other = Store(store.folder)  # as another program sees it
        assert "a" in other and other.row("a")["values"] == {"x": 1.5}


def test_a_line_that_was_cut_is_dropped(tmp_path):
    with Store(tmp_path).writing() as store:
        store.add(row("a"))
        store.add(row("b"))
    path = tmp_path / "runs.jsonl"
    path.write_bytes(path.read_bytes()[:-10])
    assert "a" in Store(tmp_path) and "b" not in Store(tmp_path)
    with Store(tmp_path).writing() as store:
        store.add(row("c"))
    assert [json.loads(line)["key"] for line in path.read_text().splitlines()] == ["a", "c"]


def test_a_run_that_was_repeated_counts_as_it_ended_last(tmp_path):
    with Store(tmp_path).writing() as store:
        store.add(row("a", again=True))
        store.add(row("a"))
    assert len(Store(tmp_path)) == 1 and "again" not in Store(tmp_path).row("a")


def test_a_full_disk_is_told_and_leaves_the_rows_intact(tmp_path):
    with Store(tmp_path).writing() as store:
        store.add(row("a"))
        store._file = Full(store._file)
        with pytest.raises(FileError, match=r"No space left.*goes on with the 1 runs"):
            store.add(row("b"))
    assert len(Store(tmp_path)) == 1
    with Store(tmp_path).writing() as store:
        store.add(row("b"))
    assert len(Store(tmp_path)) == 2


class Full:
    """A file on a disk that has room for ten more bytes."""

    def __init__(self, file):
        self.file = file

    def seek(self, place):
        self.file.seek(place)

    def write(self, line):
        self.file.write(line[:10])

    def flush(self):
        self.file.flush()
        raise OSError(errno.ENOSPC, "No space left on device")


def test_two_programs_do_not_run_one_study(tmp_path):
    with Store(tmp_path).writing(), pytest.raises(InputError, match="Another program"), Store(tmp_path).writing():
        pass


def test_a_folder_that_cannot_be_made_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="cannot be written"):
        Store(tmp_path / "file" / "folder")


def test_table_has_parameters_and_results_and_no_times():
    table = Table([row("a", run_s=1.0), dict(row("b"), found={}, collapse=None, error={"code": "E", "message": "No."})])
    assert table.columns == ["run", "x", "collapse", "verdict", "error", "key"]
    assert table.to_csv() == "run,x,collapse,verdict,error,key\n0,1.5,0,stable,,a\n1,1.5,,,E: No.,b\n"
    assert table.column("collapse").tolist() == [0.0]  # of the runs that did not fail
    with pytest.raises(InputError, match="no column 'y'"):
        table.column("y")


def test_a_file_that_cannot_be_replaced_stays(tmp_path, monkeypatch):
    path = tmp_path / "table.csv"
    path.write_text("old")
    monkeypatch.setattr("os.replace", lambda *names: (_ for _ in ()).throw(OSError(errno.ENOSPC, "No space left")))
    with pytest.raises(FileError, match="No space left"):
        replace_text(path, "new")
    assert path.read_text() == "old"
