"""Component Sub-model: one block of a rigid analysis, refined and elastic, under the forces of its joints."""

from typing import Any

from compas_nscd.blocks.elastic import Elastic
from compas_nscd.client.elastic_requests import SubmodelRequest
from compas_nscd.ghpython.canvas import Canvas, Count, Flag, Number, component
from compas_nscd.ghpython.components.elastic import MPA
from compas_nscd.ghpython.components.loads import block_key
from compas_nscd.ghpython.live_analysis import LiveStatic, newest
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure

#: Outputs of the component.
OUTPUTS = ("result", "tension", "tension_smooth", "points", "forces", "info")


class LiveSubmodel(LiveStatic):
    """Sub-models; the newest question replaces older ones."""

    def request(self, *asked: Any) -> SubmodelRequest:
        """Request of a question: structure, block, elastic, case, roughness, seed, settings."""
        return SubmodelRequest(*asked)


@component(*OUTPUTS)
def submodel(
    canvas: Canvas,
    structure: Any,
    block: Any,
    elastic: Any,
    case: Any,
    roughness: Number,
    seed: Count,
    settings: Any,
    compute: Flag,
) -> Any:
    """Component Sub-model: solves at every change; shows the last answer until the newest comes."""
    structure = canvas.need("structure", structure, Structure)
    material = canvas.need("elastic", elastic, Elastic)
    case = canvas.maybe("case", case, LoadCase)
    settings = canvas.maybe("settings", settings, Settings)
    rough = 0.0 if roughness is None else canvas.units.metres(roughness)
    asked = (structure, block_key(block), material, case, rough, 0 if seed is None else seed, settings)
    shown = newest(canvas, canvas.kept(LiveSubmodel.of), asked, compute)
    result = shown.result
    if result is None:
        return (None,) * (len(OUTPUTS) - 1) + (shown.info,)
    return (
        result,
        result.tension / MPA,
        result.tension_smooth / MPA,
        canvas.make.points(result.point),
        canvas.make.plain_vectors(result.force),
        shown.info,
    )
