"""Memory of the solvers: arrays are used again if they fit, and the choice of methods survives a snapshot."""

from collections import deque

import numpy as np
import pytest

from block_problems import stack
from nscd_engine.linalg import factor
from nscd_engine.linalg.factor import symbolic
from nscd_engine.solvers.workspace import BondedRetries, Retry, Workspace

pytestmark = pytest.mark.short


def test_arrays_are_used_again_only_if_they_fit():
    problem, workspace = stack(4), Workspace()
    sym = workspace.factor_structure(problem.body, 4)
    first = workspace.newton_arrays(16, 4, sym)
    first.v[:], first.gamma[:] = 1.0, 2.0
    assert workspace.newton_arrays(16, 4, sym) is first
    assert not first.v.any() and not first.gamma.any()
    assert workspace.newton_arrays(12, 4, sym) is not first
    arrays = workspace.admm_arrays(sym)
    assert workspace.admm_arrays(sym) is arrays and arrays.panels.dtype == np.float32
    assert workspace.admm_arrays(symbolic(stack(5).body, 5)) is not arrays


def test_the_structure_of_a_graph_is_kept_for_the_next_analysis(monkeypatch):
    """A slider moves geometry, and the same blocks touch."""
    monkeypatch.setattr(factor, "_recent", deque(maxlen=2))
    body = stack(4).body
    first = symbolic(body, 4)
    assert symbolic(np.flip(body, axis=0), 4) is first  # the same pairs in another order
    assert symbolic(body[:-4], 4) is not first
    symbolic(stack(5).body, 5)
    assert symbolic(body, 4) is not first  # two later graphs have taken its place


def test_the_structure_of_a_large_graph_is_not_kept(monkeypatch):
    monkeypatch.setattr(factor, "_recent", deque(maxlen=2))
    monkeypatch.setattr(factor, "LARGEST", 3)
    body = stack(4).body
    assert symbolic(body, 4) is not symbolic(body, 4)


def test_a_method_that_failed_waits_twice_as_long_every_time():
    retry, tried = Retry((2, 6)), []
    for step in range(20):
        if retry.is_due():
            tried.append(step)
            retry.note(False)
    assert tried == [0, 3, 8, 15]  # 2, 4 and 6 steps are left out
    retry.note(True)
    assert retry.is_due() and retry.snapshot() == [-1, 2]


def test_hold_of_a_method_ends_at_zero():
    workspace = Workspace()
    workspace.hold_method(10)
    workspace.count_steps(4)
    assert (workspace.method_hold_steps, workspace.method_hold_length) == (6, 10)
    workspace.count_steps(250)
    assert (workspace.method_hold_steps, workspace.method_hold_length) == (0, 10)


def test_snapshot_and_restore():
    workspace, other = Workspace(), Workspace()
    assert workspace.snapshot() == {"method_hold_steps": 0, "method_hold_length": 0, "bonded": None}
    workspace.hold_method(20)
    workspace.count_steps()
    workspace.bonded_retries().dry.note(False)
    kept = workspace.snapshot()
    other.restore(kept)
    assert other.snapshot() == kept == {
        "method_hold_steps": 19,
        "method_hold_length": 20,
        "bonded": [[4, 8], [0, 1]],
    }  # fmt: skip
    assert isinstance(other.bonded, BondedRetries)
