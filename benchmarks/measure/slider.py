"""Slider: a wall that changes its size, from new blocks to new forces, and where the time goes."""

import time
from typing import Any, Dict

from compas_nscd.client.engine import Engine
from compas_nscd.client.requests import StaticRequest
from compas_nscd.model.settings import Settings
from compas_nscd.templates import wall

#: Lengths of a block, one a move [m].
LENGTHS = [0.5 + 0.005 * k for k in range(20)]


def slider(engine: Engine, repeat: int) -> Dict[str, Any]:
    """Best time of `repeat` rounds of moves of a wall of 411 blocks [ms]: the graph of its blocks stays as it is.

    Returns
    -------
    dict
        total_ms from the structure to its contact forces, of which request_ms to check and pack it, detect_ms and
        solve_ms; the rest, rest_ms, is for transfer, reading in the engine and the reply.
    """
    moves = [_move(engine, wall(20, 20, length=length)) for _ in range(repeat) for length in LENGTHS]
    return min(moves, key=lambda move: move["total_ms"])


def _move(engine: Engine, structure: Any) -> Dict[str, float]:
    began = time.perf_counter()
    request = StaticRequest(structure, settings=Settings(warm_start=True))
    _ = request.packed
    packed = time.perf_counter() - began
    result = engine.submit(request).result()
    _ = result.contact_force
    total = time.perf_counter() - began
    spent = result.summary["time"]
    parts = {"request": packed, "detect": spent["detect_s"], "solve": spent["solve_s"]}
    parts["rest"] = total - sum(parts.values())
    return dict({"total_ms": 1e3 * total}, **{name + "_ms": 1e3 * value for name, value in parts.items()})
