"""How long Grasshopper takes from a slider to new forces, everything included but drawing."""

import time

from compas_nscd.blocks.block import Block
from compas_nscd.ghpython.live_analysis import LiveStatic
from compas_nscd.model.structure import Structure

#: Relative change of the size of the structure from one move of the slider to the next.
MOVE = 1e-4


def slider(engine, structure, repeat):
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
        blocks, and best times [ms]: blocks made, checks, everything up to the forces, of that the engine's own;
        `canvas` is how long the canvas is held if it does not wait for the answer.
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
        moved.report
        checked = time.perf_counter()
        live.worker.ask((moved, structure.case, None))
        asked = time.perf_counter()
        answer = live.worker.look(wait_s=60.0)
        if answer.error is not None:
            raise answer.error
        answer.value.interface_resultants
        end = time.perf_counter()
        spent = answer.value.summary["time"]
        own = spent["detect_s"] + spent["solve_s"]
        rows.append((made - began, checked - made, end - began, own, asked - began))
    live.stop()
    best = [1e3 * min(column) for column in zip(*rows[1:])]
    names = ("make_ms", "check_ms", "to_forces_ms", "engine_ms", "canvas_ms")
    return dict({"blocks": len(structure)}, **dict(zip(names, best)))
