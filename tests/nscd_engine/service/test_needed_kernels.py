"""Which kernels an analysis needs, how many are ready, and which are missing."""

import json
import subprocess
import sys

import pytest

from nscd_engine import kernel_cache
from nscd_engine.kernels.motion.compiled_steps import take_steps
from nscd_engine.service import list_kernels, needed_kernels, signatures


@pytest.mark.parametrize("part", ["static-newton", "limit-newton"])
def test_the_list_is_what_an_analysis_uses(part):
    """In a process of its own: `python -m nscd_engine.service.list_kernels` writes the list anew.

    A kernel that is compiled compiles those that it calls: then the process after it tells.
    """
    names = sorted(needed_kernels.needed()[part])
    assert _names(part) == names or _names(part) == names


@pytest.mark.slow
def test_the_list_is_what_a_motion_uses():
    """It takes half a minute, to compile the largest kernel anew."""
    test_the_list_is_what_an_analysis_uses("dynamic-newton")


def _names(part):
    done = subprocess.run([sys.executable, "-m", list_kernels.MODULE, part], capture_output=True, check=True)
    found, known = json.loads(done.stdout), {}
    return sorted(list_kernels.with_versions(found, known))


def test_kernels_come_after_those_they_call():
    for names in needed_kernels.needed().values():
        for k, name in enumerate(names):
            assert not set(needed_kernels.callees(name)) & set(names[k:]), name


def test_a_kernel_calls_others_directly_and_through_its_parts():
    names = list_kernels.called(take_steps.py_func)
    assert {"persistent_pairs.update_pairs", "admm_step.solve_within"} <= names  # the latter in `take_step`
    assert "admm_step.take_step" not in names


def test_a_kernel_is_loaded_by_its_types_in_words(monkeypatch):
    """Another type or layout of an array would be another kernel, compiled in vain."""
    for name in ("broad_phase._query", "hessian.relative_velocities"):
        needed_kernels.compile_kernel(name)
        kernel = dict(needed_kernels.kernels())[name]
        arguments = needed_kernels._table()["kernels"][name][2]
        assert tuple(signatures.type_of(each) for each in arguments) in kernel.overloads


def test_missing_kernels_are_named(monkeypatch, tmp_path):
    parts = needed_kernels.needed()
    names = sorted({name for each in parts.values() for name in each})
    monkeypatch.setitem(kernel_cache.state, "path", str(tmp_path))
    assert sorted(needed_kernels.missing(parts)) == names
    (tmp_path / "solvers").mkdir()
    for name in names[3:]:
        (tmp_path / "solvers" / (name + "-12.py311.1.nbc")).touch()
    assert sorted(needed_kernels.missing(parts)) == names[:3]
    kernel_cache.mark_warm()
    assert needed_kernels.missing(parts) == []


def test_versions_of_a_kernel_are_counted(monkeypatch, tmp_path):
    monkeypatch.setitem(kernel_cache.state, "path", str(tmp_path))
    for number in (1, 2):
        (tmp_path / "a.one-12.py311.{}.nbc".format(number)).touch()
    assert needed_kernels.compiled() == {"a.one", "a.one 2"}


def test_versions_of_a_kernel_have_numbers():
    known = {}
    first = list_kernels.with_versions({"a.one": ("a", [], [["int64"]]), "a.two": ("a", [], [["int64"]])}, known)
    other = list_kernels.with_versions({"a.one": ("a", [], [["float32"], ["int64"]])}, known)
    assert first == ["a.one", "a.two"] and other == ["a.one 2", "a.one"]


def test_progress_counts_kernels_that_any_process_has_compiled(monkeypatch):
    monkeypatch.setattr(needed_kernels, "needed", lambda: {"static-newton": ["a.one", "a.two", "b.three", "b.four"]})
    monkeypatch.setattr(needed_kernels, "loaded", lambda: {"a.one", "c.other"})
    monkeypatch.setattr(needed_kernels, "compiled", lambda: {"a.one", "b.three"})
    assert needed_kernels.progress("static-newton") == ", 2 of 4 kernels"
    assert needed_kernels.progress("records-") == ""
