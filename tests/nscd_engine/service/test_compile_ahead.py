"""Kernels compiled on all cores: who takes which, when processes start, and what happens if one ends."""

import io
import subprocess
import threading

import pytest

from compas_nscd.errors import CancelledError
from nscd_engine import kernel_cache
from nscd_engine.core import later
from nscd_engine.core.monitor import Monitor
from nscd_engine.service import compile_ahead, needed_kernels

#: Kernels of an analysis, and others; "a.three" calls "a.one".
NAMES, OTHERS = ["a.one", "a.two", "a.three", "b.four"], ["c.five"]


@pytest.fixture
def compiled(monkeypatch, tmp_path):
    """Names of the kernels that this process compiles, of a list of its own in an empty folder."""
    done = []
    monkeypatch.setitem(kernel_cache.state, "path", str(tmp_path))
    monkeypatch.setattr(compile_ahead, "CORES", 3)
    monkeypatch.setattr(compile_ahead, "_list", compile_ahead.Worklist())
    monkeypatch.setattr(compile_ahead, "_processes", [])
    monkeypatch.setattr(compile_ahead, "_working", set())
    monkeypatch.setattr(later, "awaited", set())
    monkeypatch.setattr(needed_kernels, "needed", lambda: {"static-newton": NAMES, "limit-newton": NAMES + OTHERS})
    monkeypatch.setattr(needed_kernels, "callees", lambda name: ["a.one"] if name == "a.three" else [])
    monkeypatch.setattr(needed_kernels, "compile_kernel", done.append)
    return done


class Process:
    """A process that compiles as many kernels as it is told, and then ends."""

    def __init__(self, kernels):
        self.stdin, self.stdout = io.BytesIO(), io.BytesIO(b"\n" * (kernels + 1))

    def wait(self):
        return 0


@pytest.fixture
def processes(monkeypatch):
    """Arguments of the processes that are started, which end at once."""
    started = []
    monkeypatch.setattr(subprocess, "Popen", lambda command, **given: started.append(given) or Process(-1))
    return started


def test_all_kernels_of_an_analysis_are_compiled(compiled, processes):
    compile_ahead.compile_missing("static-newton", Monitor())
    assert compiled == NAMES


def test_one_process_starts_for_every_further_core_and_once(compiled, processes):
    compile_ahead.compile_missing("static-newton", Monitor())
    compile_ahead.compile_missing("limit-newton", Monitor())
    assert len(processes) == 2


def test_windows_shows_no_window_and_other_programs_come_first(compiled, processes, monkeypatch):
    monkeypatch.setattr(compile_ahead.sys, "platform", "win32")
    monkeypatch.setattr(subprocess, "CREATE_NO_WINDOW", 1, raising=False)
    monkeypatch.setattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 2, raising=False)
    compile_ahead.compile_missing("static-newton", Monitor())
    assert processes[0]["creationflags"] == 3


@pytest.mark.parametrize("why", ["compiled", "alone", "temporary", "unknown"])
def test_no_process_starts_in_vain(compiled, processes, monkeypatch, tmp_path, why):
    if why == "compiled":
        for name in NAMES[:2]:
            (tmp_path / (name + "-12.py311.1.nbc")).touch()
    elif why == "alone":
        monkeypatch.setattr(compile_ahead, "CORES", 1)
    elif why == "temporary":
        monkeypatch.setitem(kernel_cache.state, "temporary", str(tmp_path))
    compile_ahead.compile_missing("modes-newton" if why == "unknown" else "static-newton", Monitor())
    assert not processes and not compiled


def test_kernels_of_the_analysis_come_first(compiled):
    work = compile_ahead.Worklist()
    work.add(OTHERS + NAMES)
    work.add(NAMES, first=True)
    assert [work.take() for _ in NAMES] == ["a.one", "a.two", "b.four", "c.five"]


def test_a_kernel_waits_for_those_it_calls(compiled):
    work = compile_ahead.Worklist()
    work.add(["a.one", "a.three"])
    assert work.take() == "a.one" and work.take() is None
    work.done("a.one")
    assert work.take() == "a.three"


def test_a_kernel_is_taken_once_and_given_back_by_a_process_that_ends(compiled):
    compile_ahead._list.add(NAMES)
    compile_ahead._employ(Process(1))
    assert compile_ahead._list.take() == "a.two"  # "a.one" is done; "a.two" was not finished
    compile_ahead._list.add(NAMES)
    assert compile_ahead._list.take() == "a.three"


def test_a_process_without_a_core_does_not_hold_up_the_analysis(compiled, processes, monkeypatch):
    monkeypatch.setattr(compile_ahead, "PATIENCE_S", 0.1)
    compile_ahead._list.add(NAMES)
    assert compile_ahead._list.take() == "a.one"  # and it is never done
    compile_ahead.compile_missing("static-newton", Monitor())
    assert compiled == ["a.two", "b.four"]


def test_the_analysis_waits_for_a_kernel_that_is_nearly_done(compiled, processes):
    compile_ahead._list.add(NAMES)
    taken = compile_ahead._list.take()
    threading.Timer(0.2, compile_ahead._list.done, [taken]).start()
    compile_ahead.compile_missing("static-newton", Monitor())
    assert compiled == ["a.two", "b.four", "a.three"]


def test_compiling_is_cancelled(compiled, processes):
    monitor = Monitor()
    monitor.cancel()
    with pytest.raises(CancelledError):
        compile_ahead.compile_missing("static-newton", monitor)
    assert not compiled


# -- kernels that an analysis does without -----------------------------------------------------------------------------


@pytest.fixture
def without_two(monkeypatch):
    """Analyses can do without "a.two" for a while."""
    monkeypatch.setattr(needed_kernels, "LATER", frozenset(["a.two"]))


def test_what_an_analysis_can_do_without_is_left_to_a_process(compiled, without_two, monkeypatch):
    """Also if nothing else is missing; the process takes it after all others of the analysis."""
    monkeypatch.setattr(compile_ahead, "_start_processes", lambda: compile_ahead._working.add("process"))
    compile_ahead.compile_missing("static-newton", Monitor())
    assert compiled == ["a.one", "a.three", "b.four"] and later.awaited == {"a.two"}
    assert compile_ahead._list.take() == "a.two"
    compile_ahead._list.done("a.two")
    compile_ahead._leave_to_processes({"a.two"})
    assert not later.awaited  # it was ready before the analysis asked


def test_it_is_awaited_until_it_is_compiled_or_the_process_ends(compiled, without_two):
    for kernels in (1, 0):
        later.awaited.add("a.two")
        compile_ahead._list = compile_ahead.Worklist()
        compile_ahead._list.add(["a.two"])
        compile_ahead._employ(Process(kernels))
        assert not later.awaited


def test_it_is_not_awaited_where_no_process_starts(compiled, processes, without_two, monkeypatch):
    monkeypatch.setattr(compile_ahead, "_start_processes", lambda: None)
    compile_ahead.compile_missing("static-newton", Monitor())
    assert not later.awaited
