"""Component Modes: vibration modes of deformable blocks with closed joints."""

from typing import Any

from compas_nscd.client.elastic_requests import ModesRequest
from compas_nscd.ghpython.canvas import Canvas, Count, Flag, Number, component
from compas_nscd.ghpython.components.loads import block_key
from compas_nscd.ghpython.live_analysis import LiveStatic, newest
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure

#: Outputs of the component.
OUTPUTS = ("result", "frequencies", "periods", "masses", "blocks", "info")
#: Number of modes unless given.
COUNT = 6
#: Greatest displacement in the drawing unless given [diagonal of the structure].
SIZE = 0.1


class LiveModes(LiveStatic):
    """Modal analyses; the newest question replaces older ones."""

    def request(self, *asked: Any) -> ModesRequest:
        """Request of a question: structure, count, settings, block."""
        return ModesRequest(*asked)


@component(*OUTPUTS)
def modes(
    canvas: Canvas,
    structure: Any,
    count: Count,
    mode: Count,
    size: Number,
    block: Any,
    settings: Any,
    compute: Flag,
) -> Any:
    """Component Modes: solves at every change; `mode` and `size` concern the drawing only."""
    structure = canvas.need("structure", structure, Structure)
    settings = canvas.maybe("settings", settings, Settings)
    alone = None if block is None else block_key(block)
    asked = (structure, COUNT if count is None else count, settings, alone)
    shown = newest(canvas, canvas.kept(LiveModes.of), asked, compute)
    result = shown.result
    if result is None:
        return (None,) * (len(OUTPUTS) - 1) + (shown.info,)
    with canvas.input("mode"):
        solids = result.moved(0 if mode is None else mode, SIZE if size is None else size)
    return (
        result,
        result.frequency.tolist(),
        result.period.tolist(),
        canvas.tree(result.modal_mass.tolist()),
        canvas.tree(canvas.make.meshes(solids)),
        shown.info,
    )
