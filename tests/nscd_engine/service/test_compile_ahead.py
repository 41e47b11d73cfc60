"""Processes that compile kernels beside the engine: when they start, what they compile, and when they end."""

import os
import subprocess
import sys

import pytest

from nscd_engine import kernel_cache
from nscd_engine.core.monitor import Monitor
from nscd_engine.kernels.linalg import cholesky
from nscd_engine.kernels.solvers import hessian, newton_step, residuals
from nscd_engine.service import compile_ahead, verbs, warm_scenes, warm_up


def signatures():
    """Types for which kernels of the solver have been compiled in this process."""
    modules = (cholesky, hessian, newton_step, residuals)
    found = [(name, kernel) for module in modules for name, kernel in vars(module).items()]
    return {name: set(kernel.signatures) for name, kernel in found if hasattr(kernel, "signatures")}


@pytest.fixture
def children(monkeypatch):
    """Commands of the processes that would be started."""
    commands = []
    monkeypatch.setattr(compile_ahead, "_started", [])
    monkeypatch.setattr(compile_ahead, "CORES", 8)
    monkeypatch.setattr(os, "getloadavg", lambda: (0.3, 0.0, 0.0), raising=False)
    monkeypatch.setattr(subprocess, "Popen", lambda command, **given: commands.append(command))
    return commands


def test_processes_start_once_if_no_kernel_is_compiled(children, monkeypatch, tmp_path):
    monkeypatch.setitem(kernel_cache.state, "path", str(tmp_path))
    compile_ahead.start()
    compile_ahead.start()
    assert [command[3:] for command in children] == [[str(k), "3"] for k in range(3)]


def test_no_process_starts_on_a_busy_machine(children, monkeypatch, tmp_path):
    monkeypatch.setitem(kernel_cache.state, "path", str(tmp_path))
    monkeypatch.setattr(os, "getloadavg", lambda: (6.8, 0.0, 0.0), raising=False)
    compile_ahead.start()
    assert not children


def test_no_process_starts_beside_compiled_kernels(children, monkeypatch, tmp_path):
    (tmp_path / "solvers").mkdir()
    (tmp_path / "solvers" / "advance-1.nbi").touch()
    monkeypatch.setitem(kernel_cache.state, "path", str(tmp_path))
    compile_ahead.start()
    assert not children


def test_no_process_starts_where_kernels_are_not_kept(children, monkeypatch):
    monkeypatch.setitem(kernel_cache.state, "path", None)
    compile_ahead.start()
    assert not children


@pytest.mark.parametrize("count", [1, 2, 3])
def test_every_process_has_all_tasks_in_an_order_of_its_own(count):
    names = [name for name, _, _ in warm_up.tasks()]
    orders = [[name for name, _, _ in compile_ahead.tasks(k, count)] for k in range(count)]
    assert orders[0][:2] == ["factor_alone", "solve_alone"]
    for order in orders:
        assert sorted(name for name in order if not name.endswith("_alone")) == sorted(names)
    assert len({order[-1] for order in orders}) == count


@pytest.mark.parametrize("part", ["factor_alone", "solve_alone"])
def test_parts_compile_what_a_static_analysis_uses(part):
    """Another type or layout of an array would be another kernel, compiled in vain."""
    verbs.run(verbs.ANALYSES["static"], warm_scenes.stack(0.0, solver="newton"), Monitor())
    before = signatures()
    getattr(compile_ahead, part)({}, Monitor())
    assert signatures() == before


def test_a_process_ends_with_the_engine():
    code = (
        "import os, time; from nscd_engine.service import compile_ahead as c; c._compile = lambda _: time.sleep(60); "
    )
    path = os.pathsep.join(path for path in sys.path if path)
    child = subprocess.Popen(
        [sys.executable, "-c", code + "c.main(0, 1)"], stdin=subprocess.PIPE, env=dict(os.environ, PYTHONPATH=path)
    )
    child.stdin.close()
    assert child.wait(30) == 0
