"""Engine process: round trips, start, answers while it solves, cancelling."""

import time
from statistics import median
from typing import Callable, Dict

from compas_nscd.client.engine import Engine
from compas_nscd.errors import CancelledError
from compas_nscd.model.settings import Settings
from compas_nscd.templates import wall


def process(engine: Engine) -> Dict[str, float]:
    """Times of the engine process; each key ends in its unit."""
    return {
        "round_trip_median_ms": 1e3 * median(_timed(engine.ping) for _ in range(1000)),
        "overhead_1000_blocks_ms": 1e3 * min(_overhead(engine) for _ in range(5)),
        "start_to_first_ping_s": min(_start(engine) for _ in range(3)),
        "ping_while_solving_ms": 1e3 * _ping_while_solving(engine),
        "cancel_s": _cancel(engine),
    }


def _timed(call: Callable) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def _overhead(engine):
    """Time of a static analysis of 1,000 blocks without detection and solve [s]: checks, packing, transfer."""
    structure = wall(40, 25)
    began = time.perf_counter()
    result = engine.static(structure)
    _ = result.interfaces
    total = time.perf_counter() - began
    return total - result.summary["time"]["detect_s"] - result.summary["time"]["solve_s"]


def _start(engine):
    began = time.perf_counter()
    with Engine(python=engine.info["python"], reuse=False) as fresh:
        fresh.ping()
        return time.perf_counter() - began


def _ping_while_solving(engine):
    """Longest ping while 2,000 blocks are solved [s]."""
    job = engine.static(wall(50, 40), settings=Settings(repeat=3), wait=False)
    worst = 0.0
    while not job.done:
        worst = max(worst, _timed(engine.ping))
        time.sleep(0.005)
    job.result()
    return worst


def _cancel(engine):
    """Time from the request to cancel a long solve to the end of its job [s]."""
    job = engine.static(wall(50, 40), settings=Settings(repeat=50), wait=False)
    time.sleep(0.5)
    began = time.perf_counter()
    job.cancel()
    try:
        job.result()
    except CancelledError:
        pass
    return time.perf_counter() - began
