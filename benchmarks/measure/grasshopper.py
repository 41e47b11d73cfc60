"""Time from a slider of Grasshopper to new forces, without drawing."""

import time
from typing import Any, Dict

from compas_nscd.blocks.block import Block
from compas_nscd.client.engine import Engine
from compas_nscd.ghpython.live_analysis import LiveStatic
from compas_nscd.model.structure import Structure

#: Relative change of the size of the structure at each move of the slider. Zero: the answer is the one before.
MOVE = 1e-4


def slider(engine: Engine, structure: Structure, repeat: int) -> Dict[str, Any]:
    """Best time from new geometry to new forces, through the worker of the component Static.

    Parameters
    ----------
    engine : Engine
        Running and warm.
    structure : Structure
    repeat : int
        Moves of the slider.

    Returns
    -------
    dict
        blocks, and best times [ms]: make_ms builds the blocks, check_ms checks them, to_forces_ms is the whole,
        engine_ms the part of the engine; canvas_ms is how long the canvas waits if it does not wait for the answer.
    """
    given = [(block.vertices, block.faces, block.density, block.name, block.support) for block in structure.blocks]
    live = LiveStatic(lambda: None, lambda text: None, engine=lambda say: engine)
    rows = []
    for k in range(repeat + 1):
        size = 1.0 + MOVE * k
        began = time.perf_counter()
        blocks = [Block(size * vertices, faces, *rest) for vertices, faces, *rest in given]
        moved = Structure(blocks, structure.law, pair_laws=structure.pair_laws)
        made = time.perf_counter()
        _ = moved.report
        checked = time.perf_counter()
        live.worker.ask((moved, structure.case, None))
        asked = time.perf_counter()
        answer = live.worker.look(wait_s=60.0)
        if answer.error is not None:
            raise answer.error
        _ = answer.value.interface_resultants
        end = time.perf_counter()
        spent = answer.value.summary["time"]
        own = spent["detect_s"] + spent["solve_s"]
        rows.append((made - began, checked - made, end - began, own, asked - began))
    live.stop()
    best = [1e3 * min(column) for column in zip(*rows[1:])]
    names = ("make_ms", "check_ms", "to_forces_ms", "engine_ms", "canvas_ms")
    return dict({"blocks": len(structure)}, **dict(zip(names, best)))
