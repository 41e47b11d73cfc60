"""Component Quasi-static Analysis: displacements and contact forces with moments under a load that grows."""

from typing import Any, Dict

import numpy as np

from compas_nscd.blocks.contact_stiffness import ContactStiffness
from compas_nscd.client.quasistatic_request import QuasistaticRequest
from compas_nscd.client.requests import case_of
from compas_nscd.drawing.quasistatic_layout import magnification, moment_curves
from compas_nscd.geometry.vectors import rotations
from compas_nscd.ghpython.canvas import Canvas, Flag, Number, Text, component
from compas_nscd.ghpython.geometry import Poses
from compas_nscd.ghpython.live_analysis import LiveStatic, newest
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure

#: Outputs of the component.
OUTPUTS = ("result", "verdict", "blocks", "components", "moments", "displacements", "loads", "info")
#: Stiffness of joints unless given [N/m3]: mortar-free stone.
NORMAL, TANGENTIAL = 1e10, 4e9


class LiveQuasistatic(LiveStatic):
    """Quasi-static analyses; the newest question replaces older ones."""

    def request(self, *asked: Any) -> QuasistaticRequest:
        """Request of a question: structure, case, method, normal and tangential stiffness, steps, settings."""
        structure, case, method, normal, tangential, steps, settings = asked
        stiffness = ContactStiffness(normal, tangential)
        stages = _stages(case_of(structure, case), method, steps)
        return QuasistaticRequest(structure, case, method, stiffness, settings=settings, **stages)


def _stages(case: LoadCase, method: str, steps: int) -> Dict[str, Any]:
    """Steps and stages of a request: the weight first, then loads and motions of supports in increments.

    A support that moved before there is any weight would leave joints without force.
    """
    if method == "serrano" or not (case.loads or case.support_motions):
        return {"steps": steps}
    return {"steps": [1, steps], "stages": ["gravity", "loads+supports"]}


@component(*OUTPUTS)
def quasistatic(
    canvas: Canvas,
    structure: Any,
    case: Any,
    method: Text,
    normal: Number,
    tangential: Number,
    steps: Number,
    settings: Any,
    compute: Flag,
) -> Any:
    """Component Quasi-static Analysis: solves at every change; shows the last answer until the newest comes."""
    structure = canvas.need("structure", structure, Structure)
    case = canvas.maybe("case", case, LoadCase)
    settings = canvas.maybe("settings", settings, Settings)
    method = "bagi_bojtar" if method is None else str(method).strip()
    stiffness = NORMAL if normal is None else normal, TANGENTIAL if tangential is None else tangential
    asked = (structure, case, method, *stiffness, 1 if steps is None else int(steps), settings)
    shown = newest(canvas, canvas.kept(LiveQuasistatic.of), asked, compute)
    result = shown.result
    if result is None:
        return (None,) * (len(OUTPUTS) - 1) + (shown.info,)
    moved = magnification(result) * result.displacement
    poses = Poses(result.centroid, result.centroid + moved[:, :3], rotations(moved[:, 3:]))
    along, load = result.curve()
    return (
        result,
        shown.verdict(lambda result: result.verdict),
        canvas.tree(canvas.make.blocks(result.structure, poses)),
        canvas.tree(result.contact_vector.tolist()),
        [canvas.make.polyline(np.asarray(curve.points)) for curve in moment_curves(result)],
        along.tolist(),
        load.tolist(),
        shown.info,
    )
