"""Engines that are killed, disks that are full, and a long day of use."""

import os
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np

from benchmarks.reliability.outcome import Outcome, Size
from compas_nscd import Engine, GroundMotion, LoadCase
from compas_nscd.errors import EngineDiedError, NscdError
from compas_nscd.templates import arch, stack
from process_tools import kill, resident_mb

#: Time of use between two measurements of the memory [s].
MEMORY_S = 2.0


def kills(size: Size, seed: int = 3) -> Outcome:
    """Engines killed at any moment of a motion: the next request is answered by another one."""
    outcome, rng, structure = Outcome("kills", size.full), np.random.default_rng(seed), stack(blocks=3)
    with Engine(reuse=False) as engine:
        engine.static(structure)
        for _ in size.turns():
            job = engine.dynamic(structure, duration=1000.0, time_step=5e-3)
            time.sleep(rng.uniform(0.0, 0.5))
            kill(engine.info["pid"])
            began = time.perf_counter()
            try:
                job.result(timeout=60.0)
                outcome.note_fault(AssertionError("a result of an engine that was killed"))
            except EngineDiedError:
                outcome.refused += 1
            engine.ping()  # of a new engine
            outcome.note_time(began)
            _still_works(engine, outcome, structure)
            outcome.done += 1
    return outcome


def _still_works(engine, outcome, structure):
    try:
        engine.static(structure)
    except EngineDiedError:
        outcome.deaths += 1
    except Exception as error:
        outcome.note_fault(error)


def full_disks(size: Size, seed: int = 4) -> Outcome:
    """Motions whose record meets the end of the disk: a typed error, a record that is read again, an engine that lives.

    A limit of the size of files stands for the end of the disk; it is that of a program of its own and its engine.
    """
    outcome, rng = Outcome("full disks", size.full), np.random.default_rng(seed)
    for _ in size.turns():
        limit = int(rng.integers(20_000, 400_000))
        command = [sys.executable, "-m", "benchmarks.reliability.processes", str(limit)]
        with tempfile.TemporaryDirectory() as home:
            kernels = os.path.join(os.environ.get("NSCD_HOME") or os.path.expanduser("~/.nscd"), "kernels")
            os.symlink(kernels, os.path.join(home, "kernels"))
            environment = dict(os.environ, NSCD_HOME=home, PYTHONPATH=os.pathsep.join(filter(None, sys.path)))
            done = subprocess.run(command, env=environment, capture_output=True, text=True)
        outcome.done += 1
        outcome.refused += done.returncode == 0
        if done.returncode == 0:
            outcome.worst_s = max(outcome.worst_s, float(done.stdout))
        else:
            outcome.note_fault(AssertionError(done.stderr.strip().splitlines()[-1] if done.stderr else "no text"))
    return outcome


def _one_full_disk(limit):
    """Run a motion whose record may have so many bytes; exit status 0 if all is as promised."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    structure = stack(blocks=3)
    with Engine(reuse=False) as engine:
        job = engine.dynamic(structure, duration=100.0, time_step=5e-3, interval=5e-3, quiet=False)
        try:
            job.result(timeout=60.0)
            raise AssertionError("the disk was not full")
        except NscdError as error:
            assert "Make room on the disk" in str(error), str(error)
        began = time.perf_counter()
        assert len(engine.recover(job, structure).times) > 1
        assert engine.ping()["pid"] == engine.info["pid"]
        print(time.perf_counter() - began)
        engine.static(structure)


def use(size: Size, seed: int = 5) -> Outcome:
    """A day of use without the pauses: analyses, motions, cancels and new clients in turn."""
    outcome, rng = Outcome("seconds of use", size.full), np.random.default_rng(seed)
    seconds = min(size.count, size.seconds)
    began = measured = time.perf_counter()
    with Engine(reuse=False) as engine:
        pid = engine.info["pid"]
        while time.perf_counter() - began < seconds:
            asked = time.perf_counter()
            try:
                _action(engine, rng)
            except EngineDiedError:
                outcome.deaths += 1
            except NscdError as error:
                outcome.note_refusal(error)
            except Exception as error:
                outcome.note_fault(error)
            outcome.note_time(asked)
            if time.perf_counter() - measured > MEMORY_S:
                measured = time.perf_counter()
                outcome.note_memory(resident_mb(pid))
        outcome.deaths += engine.ping()["pid"] != pid
    outcome.done = int(seconds)
    return outcome


def _action(engine, rng):
    """What a user does next."""
    structure = arch(blocks=int(rng.integers(5, 40)), thickness=rng.uniform(0.3, 2.0))
    choice = rng.integers(5)
    if choice == 0:
        engine.static(structure)
    elif choice == 1:
        engine.limit(structure, vary="acceleration:x")
    elif choice == 2:
        case = LoadCase(ground=[GroundMotion.sine("x", 2.0, 2.0)])
        engine.dynamic(structure, case, duration=0.2, time_step=2e-3).result()
    elif choice == 3:
        job = engine.dynamic(structure, duration=100.0, time_step=1e-3, quiet=False)
        time.sleep(rng.uniform(0.0, 0.2))
        job.cancel()
        job.result(timeout=10.0)
    else:
        engine.check(structure)


if __name__ == "__main__":
    _one_full_disk(int(sys.argv[1]))
