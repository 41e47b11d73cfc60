"""Verbs and jobs, without a process."""

import inspect
import threading
import time

import numpy as np
import pytest

from compas_nscd import wire
from compas_nscd.errors import (
    CancelledError,
    EngineError,
    GeometryError,
    ProtocolError,
    error_from_data,
)
from nscd_engine import kernel_cache
from nscd_engine.core.monitor import Monitor
from nscd_engine.service import fault_verbs, needed_kernels, service, verbs, warm_up
from nscd_engine.service.jobs import Jobs

pytestmark = pytest.mark.short


def ask(svc, verb, **body):
    """The reply, or the error that the client would raise; through the wire, as a client would."""
    reply = wire.unpack(svc.answer(wire.pack(dict(body, verb=verb))))
    if not reply["ok"]:
        raise error_from_data(reply["error"])
    return reply


@pytest.fixture
def svc():
    return service.Service(fault_verbs.VERBS)


def test_arrays_go_and_come_back_unchanged(svc):
    value = np.arange(6.0).reshape(2, 3)
    job = ask(svc, "echo", value=value)["job"]
    reply = ask(svc, "result", job=job, wait_s=10.0)
    assert reply["state"] == "done"
    assert np.array_equal(reply["result"]["value"], value)


def test_a_result_is_kept_until_fetched_and_no_longer(svc):
    job = ask(svc, "echo", value=1)["job"]
    assert ask(svc, "result", job=job, wait_s=10.0)["result"] == {"value": 1}
    with pytest.raises(ProtocolError, match="no job"):
        ask(svc, "result", job=job)


def test_a_result_that_is_not_ready_is_a_state(svc):
    job = ask(svc, "sleep", seconds=30.0)["job"]
    reply = ask(svc, "result", job=job, wait_s=0.1)
    assert reply["state"] == "running" and "result" not in reply
    assert reply["phase"] == "sleeping" and 0.0 <= reply["fraction"] < 1.0
    assert ask(svc, "cancel", job=job)["state"] == "cancelled"
    with pytest.raises(CancelledError):
        ask(svc, "result", job=job, wait_s=10.0)


def test_who_waits_hears_of_a_cancel_though_the_work_is_deaf(svc):
    job = ask(svc, "deaf", seconds=30.0)["job"]
    threading.Timer(0.1, ask, [svc, "cancel"], {"job": job}).start()
    with pytest.raises(CancelledError):
        ask(svc, "result", job=job, wait_s=20.0)


def test_an_unforeseen_exception_tells_type_and_message_only(svc):
    job = ask(svc, "fail")["job"]
    with pytest.raises(EngineError, match="ZeroDivisionError: on purpose") as caught:
        ask(svc, "result", job=job, wait_s=10.0)
    assert "Traceback" not in str(caught.value) and caught.value.detail["exception"] == "ZeroDivisionError"


def test_exhausted_memory_has_a_remedy(svc):
    job = ask(svc, "exhaust")["job"]
    with pytest.raises(EngineError, match="memory") as caught:
        ask(svc, "result", job=job, wait_s=10.0)
    assert "fewer blocks" in caught.value.remedy


def test_an_error_of_ours_keeps_its_payload(svc, monkeypatch):
    def broken(request, monitor):
        raise GeometryError("A block is open.", remedy="Close it.", blocks=["b12"], edges=3)

    monkeypatch.setattr(fault_verbs, "echo", broken)
    job = ask(svc, "echo")["job"]
    with pytest.raises(GeometryError) as caught:
        ask(svc, "result", job=job, wait_s=10.0)
    assert (caught.value.blocks, caught.value.detail, caught.value.remedy) == (["b12"], {"edges": 3}, "Close it.")


@pytest.mark.parametrize("request_", [{"verb": "eval"}, {"verb": ["ping"]}, {"verb": None}, {}, [1], None, "ping"])
def test_what_is_no_verb_is_refused(svc, request_):
    reply = wire.unpack(svc.answer(wire.pack(request_)))
    assert reply["error"]["code"] == "ProtocolError"


@pytest.mark.parametrize("message", [b"", b"garbage", b"NSCD" + b"\xff" * 40, b"\x80\x04\x95." * 10])
def test_garbage_is_refused(svc, message):
    assert wire.unpack(svc.answer(message))["error"]["code"] == "ProtocolError"


@pytest.mark.parametrize("body", [{"job": "1"}, {"job": True}, {"job": 10**30}, {"job": None}, {}])
def test_what_is_no_job_is_refused(svc, body):
    with pytest.raises(ProtocolError):
        ask(svc, "status", **body)


def test_a_wait_that_is_no_number_is_refused(svc):
    job = ask(svc, "echo")["job"]
    with pytest.raises(ProtocolError, match="wait_s"):
        ask(svc, "result", job=job, wait_s="long")


def test_a_result_that_cannot_be_sent_is_an_error_and_not_silence(svc):
    svc.jobs.submit("odd", lambda monitor: {"value": float("nan")})
    with pytest.raises(ProtocolError, match="JSON"):
        ask(svc, "result", job=1, wait_s=10.0)


def test_verbs_that_fail_on_purpose_are_not_in_the_product():
    with pytest.raises(ProtocolError):
        ask(service.Service(), "crash")


TABLES = [verbs.ANALYSES, service.WARM, fault_verbs.VERBS, {"warm_up.SELDOM": warm_up.SELDOM}]


@pytest.mark.parametrize("verb, target", [item for table in TABLES for item in sorted(table.items())])
def test_every_entry_of_the_verb_table_is_a_function(verb, target):
    """They are strings, which neither an import nor a linter checks."""
    function = verbs.resolve(target)
    assert list(inspect.signature(function).parameters) == ["request", "monitor"]
    assert "{}:{}".format(function.__module__, function.__name__) == target


def test_every_analysis_that_is_named_exists():
    assert set(verbs.COMPILED) | set(verbs.PARTIAL) <= set(verbs.ANALYSES)


def test_every_service_can_compile_its_kernels():
    """`warm` runs the analyses, so it is not one of them."""
    assert "warm" not in verbs.ANALYSES
    with pytest.raises(ProtocolError, match="it has .*warm"):
        ask(service.Service({}), "nothing")


def test_four_jobs_run_and_the_fifth_waits():
    jobs, gate = Jobs(running=4), threading.Event()
    submitted = [jobs.submit("wait", lambda monitor: gate.wait(30)) for _ in range(6)]
    assert [job.state for job in submitted] == ["running"] * 4 + ["queued"] * 2
    jobs.cancel(submitted[4])  # a job that has not begun never does
    gate.set()
    assert all(job.finished.wait(10) for job in submitted)
    assert [job.state for job in submitted] == ["done"] * 4 + ["cancelled", "done"]


def test_results_that_nobody_fetches_are_bounded_in_number_and_age():
    jobs = Jobs(kept=3, kept_s=0.2)
    ended = [jobs.submit("one", lambda monitor: {}) for _ in range(8)]
    assert all(job.finished.wait(10) for job in ended)
    jobs.submit("one", lambda monitor: {}).finished.wait(10)
    kept = [job for job in ended if _known(jobs, job)]
    assert len(kept) <= 3
    time.sleep(0.25)
    jobs.submit("one", lambda monitor: {}).finished.wait(10)
    assert not any(_known(jobs, job) for job in ended)


def _known(jobs, job):
    try:
        return jobs.get(job.id) is job
    except ProtocolError:
        return False


def test_jobs_of_a_client_that_has_gone_are_cancelled_and_others_are_not():
    jobs, gate = Jobs(), threading.Event()
    mine, theirs = (jobs.submit("wait", lambda monitor: gate.wait(30), owner=owner) for owner in ("me", "them"))
    jobs.cancel_of("me")
    assert (mine.state, theirs.state) == ("cancelled", "running")
    gate.set()


def test_the_first_run_says_that_it_compiles(monkeypatch, tmp_path):
    monkeypatch.setitem(kernel_cache.state, "path", str(tmp_path))
    parts = []
    monkeypatch.setattr(service.compile_ahead, "compile_missing", lambda part, monitor: parts.append(part))
    svc = service.Service({"static": "nscd_engine.service.fault_verbs:sleep"})
    phases = []
    for _ in range(2):
        job = ask(svc, "static", seconds=0.3, settings={"solver": "newton"})["job"]
        while "sleeping" not in ask(svc, "status", job=job)["phase"]:
            time.sleep(0.01)
        phases.append(ask(svc, "status", job=job)["phase"])
        ask(svc, "result", job=job, wait_s=30.0)
    total = len(needed_kernels.needed()["static-newton"])
    loaded = len(needed_kernels.loaded().intersection(needed_kernels.needed()["static-newton"]))
    text = "compiling, first time only, {} of {} kernels: sleeping".format(loaded, total)
    assert phases == [text, "sleeping"] and parts == ["static-newton"]


def test_a_ping_names_the_kernels_that_are_not_compiled(monkeypatch, tmp_path):
    monkeypatch.setitem(kernel_cache.state, "path", str(tmp_path))
    svc = service.Service()
    assert "hessian.assemble" in ask(svc, "ping")["cache"]["missing"]
    kernel_cache.mark_warm()
    assert ask(svc, "ping")["cache"]["missing"] == []


def test_a_cancelled_monitor_stops_the_work():
    monitor = Monitor()
    monitor.report("detecting", 0.5)
    monitor.cancelled = True
    with pytest.raises(CancelledError, match="detecting"):
        monitor.report("detecting", 0.6)


def test_a_cancel_is_heard_within_a_second_though_a_motion_takes_a_long_step():
    """A motion that is cancelled gives what it has; one that is deaf is given up, and its record is left."""
    jobs, gate = Jobs(), threading.Event()
    deaf = jobs.submit("dynamic", lambda monitor: gate.wait(30), partial=True)
    began = time.monotonic()
    jobs.cancel(deaf)
    assert deaf.finished.wait(10) and time.monotonic() - began < 1.0
    assert deaf.state == "cancelled" and "recover" in deaf.error.remedy
    gate.set()
    quick = jobs.submit("dynamic", lambda monitor: {"heard": wait_for_cancel(monitor)}, partial=True)
    jobs.cancel(quick)
    assert quick.finished.wait(10) and quick.result == {"heard": True} and quick.error is None


def wait_for_cancel(monitor):
    end = time.monotonic() + 10.0
    while not monitor.cancelled and time.monotonic() < end:
        time.sleep(0.01)
    return monitor.cancelled


def test_a_reply_that_cannot_be_packed_is_answered(svc, monkeypatch):
    """Neither a number beyond all floats nor an error with such a detail is met with silence."""
    svc.jobs.submit("odd", lambda monitor: {"value": 10**5000})
    with pytest.raises(ProtocolError, match="cannot be written"):
        ask(svc, "result", job=1, wait_s=10.0)
    svc.jobs.submit("odd", lambda monitor: {"value": {"deep": deep(3000)}})
    with pytest.raises(ProtocolError, match="nested|recursion"):
        ask(svc, "result", job=2, wait_s=10.0)

    def broken(request):
        raise GeometryError("A block is open.", blocks=["b12"], area=float("nan"))

    monkeypatch.setitem(svc._verbs, "ping", broken)
    with pytest.raises(GeometryError, match="A block is open"):
        ask(svc, "ping")


def deep(levels):
    tree = []
    for _ in range(levels):
        tree = [tree]
    return tree
