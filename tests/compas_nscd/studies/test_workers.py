"""Real workers: local processes and a Dask scheduler, killed in the middle of a study."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from compas_nscd.errors import EngineDiedError, NotAvailableError
from compas_nscd.studies import Study
from compas_nscd.studies.running import executors
from compas_nscd.studies.running.store import RUNS, Store
from places import ROOT
from process_tools import wait_until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kills processes by signals")

STUDY = {
    "template": "arch",
    "parameters": {"blocks": 7},
    "vary": {"thickness": [0.3, 0.6], "friction": {"low": 0.2, "high": 0.8}},
    "sampler": "latin",
    "runs": 60,
    "seed": 3,
}


def study():
    return Study("arch", **{key: value for key, value in STUDY.items() if key != "template"})


def environment():
    paths = [str(ROOT), str(ROOT / "engine"), os.environ.get("PYTHONPATH", "")]
    return dict(os.environ, PYTHONPATH=os.pathsep.join(filter(None, paths)), PYTHONUNBUFFERED="1")


def started(*command, **options):
    return subprocess.Popen([sys.executable, *map(str, command)], env=environment(), **options)


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """The table, computed by one local process."""
    return study().run(out=tmp_path_factory.mktemp("one"), workers=1).table.to_csv()


@pytest.fixture
def cluster():
    """Address of a scheduler with two workers, and the processes of the workers."""
    pytest.importorskip("distributed")
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    dask = ["-m", "distributed.cli.dask_scheduler"]
    scheduler = started(*dask, "--host", "127.0.0.1", "--port", "0", "--no-dashboard", **options)
    address = next(word for line in scheduler.stdout for word in line.split() if word.startswith("tcp://127"))
    lone = ["--no-nanny", "--nthreads", "1", "--no-dashboard"]
    workers = [
        started(
            "-m", "distributed.cli.dask_worker", address, *lone, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for _ in range(2)
    ]
    yield address, workers, scheduler
    for process in [*workers, scheduler]:
        process.kill()
        process.wait()
    scheduler.stdout.close()


def test_a_dask_worker_dies_and_the_study_ends_complete(cluster, expected, tmp_path):
    """The same seed gives the same table on local processes and on Dask."""
    address, workers, _ = cluster
    with executors.connect(address) as client:
        client.wait_for_workers(2, timeout=60)
        killed = []

        def watch(status):
            if status["done"] >= 5 and not killed:
                workers[0].kill()
                killed.append(status["done"])

        found = study().run(client, out=tmp_path, progress=watch)
    assert killed and killed[0] < 60
    assert (found.done, found.failed, found.workers) == (60, 0, 2)
    assert found.table.to_csv() == expected


@pytest.mark.slow
def test_a_lost_scheduler_is_told_and_the_study_goes_on_elsewhere(cluster, expected, tmp_path):
    address, _, scheduler = cluster

    def watch(status):
        if status["done"] >= 5:
            scheduler.kill()

    with pytest.raises(EngineDiedError, match="workers are lost.*goes on with the"):
        study().run(scheduler=address, out=tmp_path, progress=watch)
    before = len(Store(tmp_path))
    found = study().run(out=tmp_path, workers=1)
    assert 0 < before < 60 and found.reused == before and found.table.to_csv() == expected


@pytest.mark.slow
def test_a_local_worker_dies_and_the_study_ends_complete(expected, tmp_path):
    pool = executors.LocalProcesses(1)
    killed = []

    def watch(status):
        if status["done"] >= 5 and not killed:
            killed.extend(pool.executor._processes)
            os.kill(killed[0], signal.SIGKILL)

    found = study().run(pool, out=tmp_path, progress=watch)
    assert killed and found.failed == 0 and found.table.to_csv() == expected


@pytest.mark.slow
def test_a_study_goes_on_after_sigkill_of_everything(expected, tmp_path):
    path, out = tmp_path / "study.json", tmp_path / "out"
    path.write_text(json.dumps(STUDY))
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "start_new_session": True}
    command = ("-m", "compas_nscd", "study", "run", path, "--out", out, "--workers", "1")
    first = started(*command, **quiet)
    assert wait_until(lambda: (out / RUNS).exists() and (out / RUNS).read_bytes().count(b"\n") >= 5, 60.0)
    os.killpg(first.pid, signal.SIGKILL)  # the program and its workers; engines end with their workers
    first.wait()
    before = len(Store(out))
    assert 0 < before < 60
    found = study().run(out=out, workers=1)
    assert found.reused == before and found.table.to_csv() == expected


@pytest.mark.slow
def test_interrupted_by_ctrl_c(tmp_path):
    path, out = tmp_path / "study.json", tmp_path / "out"
    path.write_text(json.dumps(dict(STUDY, runs=5000)))
    command = ("-m", "compas_nscd", "study", "run", path, "--out", out, "--workers", "1", "--json")
    program = started(*command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    assert wait_until(lambda: (out / RUNS).exists() and (out / RUNS).read_bytes().count(b"\n") >= 5, 60.0)
    began = time.monotonic()
    os.killpg(program.pid, signal.SIGINT)
    answer, told = program.communicate(timeout=30)
    assert program.returncode == 130 and "interrupted" in told and time.monotonic() - began < 10.0
    assert json.loads(answer)["interrupted"] and (out / "table.csv").exists()


def test_without_dask_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(NotAvailableError, match=r"compas_nscd\[studies\], with Python 3.10"):
        executors.pool_of(scheduler="tcp://127.0.0.1:8786")
