"""Files of the engine: private to the user, in folders of the user; clean-up removes only what an engine made."""

import json
import os
import socket
import stat
import sys
import time

import pytest

from compas_nscd.client import home as homes
from compas_nscd.client import process
from compas_nscd.client.engine import Engine
from compas_nscd.client.interpreters.interpreter import Interpreter
from compas_nscd.errors import EngineStartError
from compas_nscd.files.result_archive import save
from process_tools import engines_of, kill, wait_until

pytest_plugins = ["process_fixtures"]
pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows keeps files private by other means")


def modes(folder):
    """Mode of every file and folder below a folder."""
    found = {}
    for place, folders, names in os.walk(str(folder)):
        for name in folders + names:
            path = os.path.join(place, name)
            found[os.path.relpath(path, str(folder))] = stat.S_IMODE(os.lstat(path).st_mode)
    return found


def test_whatever_the_engine_writes_is_for_its_user_alone(home):
    before = os.umask(0o022)
    try:
        with Engine(options=["--test-verbs"]) as engine:
            engine.submit("echo", {"value": 1}).result()
            found = modes(home)
    finally:
        os.umask(before)
    assert {"engine", "kernels"} <= set(found) and any(name.endswith(".log") for name in found)
    assert not {name: oct(mode) for name, mode in found.items() if mode & 0o077}


def test_a_folder_that_is_open_to_others_is_closed(home):
    (home / "engine").mkdir(mode=0o755)
    os.chmod(str(home / "engine"), 0o755)
    prune()
    assert modes(home)["engine"] == 0o700


@pytest.mark.parametrize("part", ["", "engine"])
def test_a_folder_of_somebody_else_is_refused_with_a_sentence(home, monkeypatch, part):
    theirs, status = str(home / part), os.stat

    def told(path, *arguments, **options):
        found = status(path, *arguments, **options)
        if os.path.abspath(str(path)) != os.path.abspath(theirs):
            return found
        return os.stat_result([*found[:4], found.st_uid + 1, *found[5:10]])

    if part:
        (home / part).mkdir()
    monkeypatch.setattr(homes.os, "stat", told)
    with pytest.raises(EngineStartError, match="belongs to another user") as caught:
        Engine(reuse=False).start()
    assert theirs in str(caught.value) and "NSCD_HOME" in caught.value.remedy


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root can give folders away")
def test_kernels_of_somebody_else_are_not_loaded(home):
    """numba runs what it finds there."""
    (home / "kernels").mkdir()
    os.chown(str(home / "kernels"), 65534, 65534)
    with Engine(reuse=False) as engine:
        assert "belongs to another user" in engine.ping()["cache"]["note"]


# -- clean-up ----------------------------------------------------------------------------------------------------------


def rendezvous(folder, **changes):
    """A rendezvous file of an engine that does not run."""
    data = {"version": "0", "pid": 2**22 + 7, "address": "/nowhere", "key": "00" * 32, "python": "p", "package": "p"}
    path = folder / "0123456789ab.json"
    path.write_text(json.dumps(dict(dict(data, started=1.0), **changes)), encoding="utf-8")
    return path


def prune():
    """What every start of an engine does first."""
    process.prune(process.EngineFiles(Interpreter(sys.executable, ""), shared=False))


def test_clean_up_removes_a_dead_socket_and_nothing_else(home, tmp_path):
    """The address is what a file says: it may name a folder of the user."""
    (home / "engine").mkdir()
    project = tmp_path / "nscd-project"
    project.mkdir()
    (project / "thesis.txt").write_text("years of work")
    for address in (str(project / "thesis.txt"), str(project / "none"), str(project)):
        path = rendezvous(home / "engine", address=address)
        prune()
        assert not path.exists() and (project / "thesis.txt").exists()
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(project / "socket"))
    listener.close()
    rendezvous(home / "engine", address=str(project / "socket"))
    prune()
    assert sorted(os.listdir(str(project))) == ["thesis.txt"]


def test_what_crashed_engines_left_is_pruned(home):
    """Also of engines that are not shared, which nobody looks for again."""
    with Engine(reuse=False, options=["--test-verbs"]) as engine:
        files, address = engine._files, engine._files.read()["address"]
        kill(engine.info["pid"])
        assert wait_until(lambda: not engines_of(home))
    assert os.path.exists(files.rendezvous) and os.path.exists(address)
    with Engine(reuse=False):
        assert not os.path.exists(files.rendezvous) and not os.path.exists(os.path.dirname(address))


def test_old_logs_are_pruned_and_files_of_the_user_are_not(home):
    folder = home / "engine"
    folder.mkdir()
    old = time.time() - 2 * process.LOGS_KEPT_S
    ours = ["0123456789ab.log", "0123456789ab.log.1", "0123456789ab.lock", "0123456789ab.out"]
    theirs = ["notes.log", "results.out", "0123456789ab.txt"]
    for name in ours + theirs:
        (folder / name).write_text("")
        os.utime(str(folder / name), (old, old))
    prune()
    left = set(os.listdir(str(folder)))
    assert not left & set(ours) and set(theirs) <= left


@pytest.mark.parametrize(
    "changes",
    [
        {"address": None},
        {"address": 5},
        {"address": ["127.0.0.1", 10**9]},
        {"address": ["example.com", 80]},
        {"address": "a\0b"},
        {"key": "00zz"},
        {"pid": "x"},
        {"pid": -1},
        {"package": None},
        {"started": None},
        {"version": [1]},
        {"python": {}},
    ],
)
def test_a_rendezvous_with_wrong_fields_is_no_different_from_none(tmp_path, changes):
    path = rendezvous(tmp_path, **changes)
    found = process._read(str(path))
    if changes != {"address": "a\0b"}:
        assert found is None
    for key in ("address", "key", "pid", "package", "started", "version", "python"):
        data = json.loads(rendezvous(tmp_path).read_text(encoding="utf-8"))
        del data[key]
        path.write_text(json.dumps(data), encoding="utf-8")
        assert process._read(str(path)) is None


# -- full disks --------------------------------------------------------------------------------------------------------


class Full:
    """Stands for a file on a disk without room."""

    def __init__(self, *arguments, **options):
        raise OSError(28, "No space left on device")


def test_a_home_without_room_says_so(home, monkeypatch):
    monkeypatch.setattr(homes.os, "write", Full)
    with pytest.raises(EngineStartError, match="No space left") as caught:
        Engine(reuse=False).start()
    assert "Make room on the disk" in caught.value.remedy and str(home) in str(caught.value)


def test_a_result_without_room_says_so(tmp_path):
    from compas_nscd.errors import FileError

    class Empty:
        """Stands for a result."""

        __data__ = {"reply": {}, "structure": {"blocks": []}}
        arrays = ()

        @property
        def structure(self):
            raise OSError(122, "Disk quota exceeded")

    with pytest.raises(FileError, match="quota") as caught:
        save(Empty(), tmp_path / "r.npz")
    assert caught.value.remedy == "Make room on the disk."
