"""Which kernels an analysis needs, how many are ready, and which are missing."""

import json
import subprocess
import sys

import pytest

from nscd_engine import kernel_cache
from nscd_engine.service import list_kernels, needed_kernels


@pytest.mark.parametrize("part", ["static-newton", "dynamic-newton"])
def test_the_list_is_what_an_analysis_uses(part):
    """In a process of its own: `python -m nscd_engine.service.list_kernels` writes the list anew.

    A kernel that is compiled compiles those that it calls: then the process after it tells.
    """
    names = list(needed_kernels.needed()[part])
    assert _names(part) == names or _names(part) == names


def _names(part):
    done = subprocess.run([sys.executable, "-m", list_kernels.MODULE, part], capture_output=True, check=True)
    return json.loads(done.stdout)


def test_missing_kernels_are_named(monkeypatch, tmp_path):
    names = sorted({name for each in needed_kernels.needed().values() for name in each})
    monkeypatch.setitem(kernel_cache.state, "path", str(tmp_path))
    assert needed_kernels.missing() == names
    (tmp_path / "solvers").mkdir()
    for name in names[3:]:
        (tmp_path / "solvers" / (name + "-12.py311.nbi")).touch()
    assert needed_kernels.missing() == names[:3]
    kernel_cache.mark_warm()
    assert needed_kernels.missing() == []


def test_progress_counts_kernels_that_are_ready(monkeypatch):
    monkeypatch.setattr(needed_kernels, "needed", lambda: {"static-newton": ("a.one", "a.two", "b.three")})
    monkeypatch.setattr(needed_kernels, "loaded", lambda: {"a.one", "b.three", "c.other"})
    assert needed_kernels.progress("static-newton") == ", 2 of 3 kernels"
    assert needed_kernels.progress("records-") == ""
