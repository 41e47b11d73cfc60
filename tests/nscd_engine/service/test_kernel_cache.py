"""Where compiled kernels are kept."""

import os
import subprocess
import sys
import time

import numpy as np
import pytest

from nscd_engine import kernel_cache, kernel_sources


def package(tmp_path, monkeypatch, **sources):
    for name, text in sources.items():
        (tmp_path / (name + ".py")).write_text(text)
    monkeypatch.setattr(kernel_sources, "PACKAGE", str(tmp_path))


SOURCES = {
    "kernel": "from numba import njit\nfrom nscd_engine.numbers import TEN\nfrom nscd_engine import units\n",
    "numbers": "from nscd_engine.deeper import ONE\nTEN = 10 * ONE\n",
    "deeper": "ONE = 1\nfrom .near import (  # relative, and over several lines\n    TWO,\n)\nfrom . import nearest\n",
    "near": "TWO = 2\n",
    "nearest": "THREE = 3\n",
    "units": "METRE = 1.0\n",
    "talk": "import nscd_engine.kernel\n",
}


@pytest.mark.short
@pytest.mark.parametrize("name", ["kernel", "numbers", "deeper", "units", "near", "nearest"])
def test_a_change_of_anything_that_reaches_a_kernel_changes_the_directory(tmp_path, monkeypatch, name):
    package(tmp_path, monkeypatch, **SOURCES)
    before = kernel_cache.digest()
    (tmp_path / (name + ".py")).write_text(SOURCES[name] + "CHANGED = True\n")
    assert kernel_cache.digest() != before


def test_tuples_of_arrays_count_without_the_rest_of_their_file(tmp_path, monkeypatch):
    """Only the order of the fields is compiled in."""
    head = "from typing import NamedTuple\nfrom nscd_engine import helpers\n\n\n"
    tuples = "class Point(NamedTuple):\n    x: float\n\n    y: float\n"
    package(tmp_path, monkeypatch, tuples=head + tuples + "\n\nONE = 1\n", helpers="ONE = 1\n")
    before = kernel_cache.digest()
    (tmp_path / "helpers.py").write_text("ONE = 2\n")
    (tmp_path / "tuples.py").write_text(head + tuples + "\n\nTWO = 2\n")
    assert kernel_cache.digest() == before
    (tmp_path / "tuples.py").write_text(head + tuples + "    z: float\n\n\nONE = 1\n")
    assert kernel_cache.digest() != before


def test_the_directory_does_not_depend_on_the_place_or_the_ends_of_lines(tmp_path, monkeypatch):
    """Archives are made on another machine."""
    digests = []
    for name, end in (("here", "\n"), ("there", "\r\n")):
        (tmp_path / name).mkdir()
        sources = {key: text.replace("\n", end) for key, text in SOURCES.items()}
        for key, text in sources.items():
            (tmp_path / name / (key + ".py")).write_bytes(text.encode())
        monkeypatch.setattr(kernel_sources, "PACKAGE", str(tmp_path / name))
        digests.append(kernel_cache.digest("common"))
    assert digests[0] == digests[1]


def test_versions_are_found_without_the_metadata_of_packages():
    assert kernel_cache._version("numpy") == np.__version__ == kernel_cache._version_by_metadata("numpy")
    assert kernel_cache._version("no_such_library") is None


def test_a_change_of_what_only_calls_kernels_keeps_them(tmp_path, monkeypatch):
    package(tmp_path, monkeypatch, **SOURCES)
    before = kernel_cache.digest()
    (tmp_path / "talk.py").write_text("import nscd_engine.kernel\n\n")
    assert kernel_cache.digest() == before


@pytest.mark.short
def test_every_file_with_a_kernel_counts():
    counted = kernel_sources.compiled_sources()
    for folder, _, names in os.walk(kernel_sources.PACKAGE):
        for name in names:
            path = os.path.join(folder, name)
            if name.endswith(".py") and "\n@njit" in open(path, encoding="utf-8").read():
                assert os.path.relpath(path, kernel_sources.PACKAGE).replace(os.sep, "/") in counted
    assert "core/structs.py" in counted  # kernels take its tuples


def test_old_directories_are_pruned_and_recent_ones_are_not(tmp_path):
    now = time.time()
    days = {"0" * 16: 0, "1" * 16: 1 / 24, "a" * 16: 1, "b" * 16: 7, "c" * 16: 365, "thesis": 365}
    for name, age in days.items():
        (tmp_path / name).mkdir()
        os.utime(str(tmp_path / name), (now - 86400 * age, now - 86400 * age))
    kernel_cache.prune(str(tmp_path), keep=1, in_use_s=7200.0)
    # What has another name than a digest is not ours.
    assert sorted(os.listdir(str(tmp_path))) == ["0" * 16, "1" * 16, "thesis"]


def test_kernels_with_checked_bounds_have_a_directory_of_their_own(monkeypatch):
    """numba does not tell them apart."""
    before = kernel_cache.digest()
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    assert kernel_cache.digest() != before


def test_without_any_place_kernels_compile_in_memory(tmp_path):
    """numba refuses cache=True for code that is in no file, unless nothing is cached at all."""
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")
    code = """
import tempfile
def refuse(*args, **kwargs): raise OSError("read-only")
tempfile.mkdtemp = refuse
import nscd_engine
from nscd_engine import kernel_cache
from numba import njit
double = njit(cache=True)(lambda x: 2 * x)
print(kernel_cache.state["path"], kernel_cache.state["note"], double(21))
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        env=dict(os.environ, NSCD_HOME=str(in_the_way / "home"), PYTHONUTF8="1"),
    )
    out = done.stdout.decode("utf-8")
    assert out.startswith("None Kernels are compiled at every start") and out.strip().endswith("42"), done.stderr


@pytest.mark.short
def test_libraries_are_told_to_use_one_thread_before_numpy_is_loaded():
    code = "import nscd_engine, os, sys; print('numpy' in sys.modules, os.environ['OPENBLAS_NUM_THREADS'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True)
    assert done.stdout.split() == [b"False", b"1"]


def test_marks_tell_parts_from_the_whole(tmp_path, monkeypatch):
    monkeypatch.setitem(kernel_cache.state, "path", str(tmp_path))
    kernel_cache.mark_warm("static-nlgs")
    assert (
        kernel_cache.is_warm("static-nlgs") and not kernel_cache.is_warm("static-newton") and not kernel_cache.is_warm()
    )
    kernel_cache.mark_warm()
    assert kernel_cache.is_warm("static-newton") and kernel_cache.is_warm()


def test_sources_are_read_once_as_long_as_no_file_is_written(tmp_path, monkeypatch):
    monkeypatch.setenv("NSCD_HOME", str(tmp_path / "home"))
    (tmp_path / "home" / "kernels").mkdir(parents=True)
    (tmp_path / "package").mkdir()
    package(tmp_path / "package", monkeypatch, **SOURCES)
    before = kernel_cache.digest()
    with monkeypatch.context() as patch:
        patch.setattr(kernel_sources, "_read", None)
        assert kernel_cache.digest() == before
    kept = tmp_path / "home" / "kernels" / "sources"
    for torn in ("", "one", "one two three"):
        kept.write_text(torn)
        assert kernel_cache.digest() == before
