"""Finished runs on disk: cut lines, a full disk, two programs."""

import errno
import json
import os
import subprocess
import sys
import textwrap
import time

import pytest

from compas_nscd.errors import FileError, InputError
from compas_nscd.studies.running.store import Store
from compas_nscd.studies.table import Table, replace_text
from places import ROOT


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
        self.file, self.room = file, 10

    def seek(self, place):
        self.file.seek(place)

    def write(self, line):
        if not self.room:
            raise OSError(errno.ENOSPC, "No space left on device")
        written, self.room = self.file.write(line[: self.room]), 0
        return written


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


def test_a_large_table_is_written_in_proportion_to_its_rows():
    """10,000 rows take 0.2 s; going through all of them for every row takes minutes."""
    table = Table(row(str(k)) for k in range(10000))
    began = time.process_time()
    assert table.to_csv().count("\n") == 10001
    assert time.process_time() - began < 5.0


def test_a_file_that_cannot_be_replaced_stays(tmp_path, monkeypatch):
    path = tmp_path / "table.csv"
    path.write_text("old")
    monkeypatch.setattr("os.replace", lambda *names: (_ for _ in ()).throw(OSError(errno.ENOSPC, "No space left")))
    with pytest.raises(FileError, match="No space left"):
        replace_text(path, "new")
    assert path.read_text() == "old"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no limit of the size of files")
def test_a_file_that_may_not_grow_is_an_error_of_ours_also_when_it_is_closed(tmp_path):
    """What does not fit must not be written once more at the end."""
    code = """
        import resource, sys
        from pathlib import Path
        sys.path[:0] = {!r}
        from compas_nscd.errors import FileError
        from compas_nscd.studies.running.store import Store
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
        try:
            with Store(Path({!r})).writing() as store:
                for k in range(100):
                    store.add({{"key": str(k), "text": "x" * 100}})
        except FileError as error:
            print(error.remedy)
        """
    command = [sys.executable, "-c", textwrap.dedent(code).format([str(ROOT)], str(tmp_path))]
    told = subprocess.run(command, capture_output=True, text=True)
    assert told.stdout.startswith("Make room") and not told.stderr, told.stderr
    assert len(Store(tmp_path)) > 10
