"""Compiled kernels that come with the package: when they are used, and that they run from another place."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from nscd_engine import kernel_cache, kernel_sources, shipped_kernels
from nscd_engine.core.monitor import Monitor
from nscd_engine.service import ship_kernels, warm_up

COMMON = pytest.mark.skipif(shipped_kernels.processor() is None, reason="no common processor for this kind of machine")


@pytest.fixture
def archives(monkeypatch, tmp_path):
    """An empty folder of archives, in a process that has not loaded numba yet; the common processor was not chosen."""
    monkeypatch.setattr(shipped_kernels, "FOLDER", str(tmp_path / "archives"))
    monkeypatch.setattr(shipped_kernels, "chosen_by_user", lambda: False)
    monkeypatch.setattr(shipped_kernels, "processor", lambda: "common")
    monkeypatch.setattr(shipped_kernels, "runs_here", lambda: True)
    monkeypatch.setattr(shipped_kernels, "choose", lambda: monkeypatch.setenv("CHOSEN", "yes"))
    monkeypatch.delenv(shipped_kernels.ASKED, raising=False)
    return tmp_path / "archives"


def kernels(folder: Path, path: str) -> None:
    """An archive of one kernel, and the mark that it is all."""
    (folder / "solvers").mkdir(parents=True)
    for name in ("solvers/a.step-1.py311.nbi", "solvers/a.step-1.py311.1.nbc", "warm-all", "probe-17"):
        (folder / name).write_text(name)
    shipped_kernels.pack(str(folder), path)


def test_an_archive_of_the_same_hash_is_used(archives, tmp_path):
    name = kernel_cache.digest("common")
    kernels(tmp_path / "made", shipped_kernels.archive(name))
    assert kernel_cache._name() == name and os.environ["CHOSEN"] == "yes"


def test_an_archive_of_other_sources_or_versions_is_not(archives, tmp_path):
    kernels(tmp_path / "made", shipped_kernels.archive("0" * 16))
    assert kernel_cache._name() == kernel_cache.digest() and "CHOSEN" not in os.environ


def test_a_machine_that_cannot_run_its_code_compiles(archives, tmp_path, monkeypatch):
    kernels(tmp_path / "made", shipped_kernels.archive(kernel_cache.digest("common")))
    monkeypatch.setattr(shipped_kernels, "runs_here", lambda: False)
    assert kernel_cache._name() == kernel_cache.digest() and "CHOSEN" not in os.environ


def test_a_processor_that_the_user_names_is_kept(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.delitem(sys.modules, "numba")
    monkeypatch.setenv("NUMBA_CPU_NAME", "generic")
    assert shipped_kernels.chosen_by_user()
    monkeypatch.setenv("NUMBA_CPU_NAME", str(shipped_kernels.processor()))
    assert not shipped_kernels.chosen_by_user()


def test_kernels_are_unpacked_once_and_marked(archives, tmp_path, monkeypatch):
    archive, folder = shipped_kernels.archive("0" * 16), tmp_path / "folder"
    kernels(tmp_path / "made", archive)
    monkeypatch.setitem(kernel_cache.state, "path", str(folder))
    kernel_cache._unpack(archive)
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.*"))
    assert files == ["solvers/a.step-1.py311.1.nbc", "solvers/a.step-1.py311.nbi"] and kernel_cache.is_warm()
    (folder / files[0]).write_text("newer")
    kernel_cache._unpack(archive)
    assert (folder / files[0]).read_text() == "newer"


def test_the_index_of_a_kernel_follows_its_code(archives, tmp_path):
    """numba looks for the code as soon as it finds the index."""
    archive = shipped_kernels.archive("0" * 16)
    kernels(tmp_path / "made", archive)
    with zipfile.ZipFile(archive) as packed:
        assert [Path(name).suffix for name in packed.namelist()] == [".nbc", ".nbi", ""]


def test_a_damaged_archive_is_told_and_kernels_are_compiled(archives, tmp_path, monkeypatch):
    archives.mkdir()
    (archives / "broken.zip").write_bytes(b"PK\3\4 no archive")
    monkeypatch.setitem(kernel_cache.state, "path", str(tmp_path / "folder"))
    monkeypatch.setitem(kernel_cache.state, "note", None)
    kernel_cache._unpack(str(archives / "broken.zip"))
    assert "cannot be unpacked" in kernel_cache.state["note"] and not kernel_cache.is_warm()


def test_nothing_is_packed_if_a_kernel_failed(monkeypatch, capsys):
    monkeypatch.setenv("NUMBA_CPU_NAME", str(shipped_kernels.processor()))
    monkeypatch.setattr(warm_up, "run", lambda request, monitor=Monitor(): {"failed": {"limit": "why"}, "left": []})
    monkeypatch.setattr(shipped_kernels, "pack", lambda *given: pytest.fail("packed"))
    assert ship_kernels._compile_and_pack() == 1
    assert "limit" in capsys.readouterr().err


USE = """
import os
import nscd_engine
from nscd_engine import kernel_cache
from nscd_engine.kernels.geometry.rotations import {kernel} as kernel
import numpy as np
kernel(np.array([[1.0, 0.0, 0.0, 0.0]]))
path = kernel_cache.state["path"]
for told in (os.path.basename(path), sum(kernel.stats.cache_hits.values()), path):
    print(told)
"""


@COMMON
def test_kernels_made_in_one_place_run_in_another(tmp_path):
    """Compiled from one copy of the sources, used by another, each with a home of its own."""
    one, other = tmp_path / "one" / "nscd_engine", tmp_path / "other" / "nscd_engine"
    for copy in (one, other):
        shutil.copytree(kernel_sources.PACKAGE, str(copy), ignore=shutil.ignore_patterns("__pycache__", "precompiled"))
    made = use(one.parent, tmp_path / "first", **{shipped_kernels.ASKED: "1"})
    if made[0] == kernel_cache.digest():
        pytest.skip("this machine does not run code of the common processor")
    assert made[1] == "0"
    shipped_kernels.pack(made[2], str(other / "precompiled" / (made[0] + ".zip")))
    used = use(other.parent, tmp_path / "second")
    assert used[:2] == [made[0], "1"]


def use(sources, home, **variables):
    """Run a kernel in a new process: name of its folder of kernels, how often its code was found, and the folder."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith("NUMBA")}
    path = os.pathsep.join([str(sources), str(Path(kernel_sources.PACKAGE).parents[1])])
    environment = dict(clean, NSCD_HOME=str(home), PYTHONPATH=path, PYTHONIOENCODING="utf-8", **variables)
    call = [sys.executable, "-c", USE.format(kernel="rotation_matrices")]
    done = subprocess.run(call, capture_output=True, env=environment, check=True)
    return done.stdout.decode("utf-8").splitlines()
