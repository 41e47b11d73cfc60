"""Time from a slider of Grasshopper to new geometry, on the stand-in of Rhino in .NET (tests/helpers/rhino_net)."""

import contextlib
import sys
import time
from typing import Any, Dict, Iterator, List

import numpy as np

import rhino_net
from compas_nscd.client.engine import Engine
from compas_nscd.errors import InputError
from compas_nscd.ghpython.shared_engine import session
from compas_nscd.model.structure import Structure

#: Relative change of the size of the structure at each move of the slider. Zero: the answer is the one before.
MOVE = 1e-4
#: Longest wait for an answer [s].
PATIENCE_S = 120.0


def slider(engine: Engine, structure: Structure, repeat: int) -> Dict[str, Any]:
    """Best times of the components of a definition from meshes to coloured meshes and arrows.

    Parameters
    ----------
    engine : Engine
        Not used: components have the engine of their session.
    structure : Structure
    repeat : int
        Moves of the slider.

    Returns
    -------
    dict
        blocks, and best times [ms]: structure_ms of Block and Structure, displaced_ms and arrows_ms of the displays,
        to_geometry_ms the whole, engine_ms the part of the engine; beside it coloured_ms of blocks by stress. Times of
        components are those of the processor in their scripts; the whole is that of the clock, with the solutions of
        the stand-in.
    """
    reason = rhino_net.missing()
    if reason is not None:
        raise InputError("Components are measured on .NET: {}.".format(reason))
    with _canvas() as (app, definition):
        drawn = _Drawn(app, definition, structure)
        rows = [drawn.move(1.0 + MOVE * k) for k in range(repeat + 3)][3:]  # the first ones load modules
    best = {key: min(row[key] for row in rows) for key in rows[0]}
    return dict({"blocks": len(structure)}, **best)


@contextlib.contextmanager
def _canvas() -> Iterator[Any]:
    from rhino_net.canvas import Application, Definition

    with rhino_net.importable():
        app = Application()
        sys.modules.update(app.modules())
        try:
            yield app, Definition(app)
        finally:
            app.close()
            session.close()
            del sys.modules["scriptcontext"]


class _Drawn:
    """A definition: Block, Structure, Static, and the displays of its result."""

    def __init__(self, app: Any, definition: Any, structure: Structure):
        from rhino_net.canvas import Wire

        self.app, self.definition, self.given = app, definition, structure
        blocks, add = structure.blocks, definition.add
        law = add("Nscd_ContactLaw", friction=structure.law.friction)
        self.blocks = add(
            "Nscd_Block",
            density=[block.density for block in blocks],
            name=list(structure.names),
            support=[block.support for block in blocks],
        )
        self.structure = add("Nscd_Structure", blocks=Wire(self.blocks, "block"), law=Wire(law, "law"))
        self.static = add("Nscd_Static", structure=Wire(self.structure, "structure"), case=structure.case)
        self.displaced = add("Nscd_DisplacedBlocks", result=Wire(self.static, "result"))
        self.arrows = add("Nscd_ForceArrows", result=Wire(self.static, "result"))
        self.coloured = type(definition)(app).add("Nscd_DisplacedBlocks", colour="stress")  # beside it, in a document

    def move(self, size: float) -> Dict[str, float]:
        """Times after a move of the slider [ms]."""
        shapes = self._meshes(size)
        self.blocks.set(geometry=shapes)
        began = time.perf_counter()
        self.definition.solve()
        if not self.app.idle(lambda: self.static["stands"] is not None, PATIENCE_S):
            raise InputError("The structure was not analysed: {}.".format(self.static.told))
        end = time.perf_counter()
        self.coloured.set(result=self.static["result"])
        self.coloured.definition.solve()
        shown = [self.displaced.spent, self.arrows.spent]
        spent = self.static["result"].summary["time"]
        seconds = {
            "structure_ms": self.blocks.spent + self.structure.spent,
            "displaced_ms": shown[0],
            "coloured_ms": self.coloured.spent,
            "arrows_ms": shown[1],
            "to_geometry_ms": end - began,
            "engine_ms": spent["detect_s"] + spent["solve_s"],
        }
        return {key: 1e3 * value for key, value in seconds.items()}

    def _meshes(self, size: float) -> List[Any]:
        """Meshes of the blocks; polygons cut into triangles, as meshes of Breps are."""
        make, blocks = self.app.shapes.mesh, self.given.blocks
        return [make(size * np.asarray(block.vertices), block.faces, double=False) for block in blocks]
