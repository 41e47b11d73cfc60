"""Component Limit Analysis: multiplier at collapse, and the mechanism."""

from typing import Any

import numpy as np

from compas_nscd.client.limit_request import LimitRequest
from compas_nscd.ghpython.canvas import Canvas, Flag, Text, component
from compas_nscd.ghpython.geometry import Poses
from compas_nscd.ghpython.live_analysis import LiveStatic, newest
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure
from compas_nscd.results.limit import LimitResult, hinges_and_slides
from compas_nscd.results.static import DISPLACED

#: Outputs of the component.
OUTPUTS = ("result", "multiplier", "multiplier_coulomb", "words", "blocks", "hinges", "slides", "info")


class LiveLimit(LiveStatic):
    """Limit analyses; the newest question replaces older ones."""

    def request(self, *asked: Any) -> LimitRequest:
        """Request of a question: structure, case, vary, settings, coulomb."""
        return LimitRequest(*asked)


@component(*OUTPUTS)
def limit(canvas: Canvas, structure: Any, case: Any, vary: Text, coulomb: Flag, settings: Any, compute: Flag) -> Any:
    """Component Limit Analysis: solves at every change of its inputs; shows the last answer until the newest comes."""
    structure = canvas.need("structure", structure, Structure)
    case = canvas.maybe("case", case, LoadCase)
    settings = canvas.maybe("settings", settings, Settings)
    vary = "loads" if vary is None else str(vary).strip()
    asked = (structure, case, vary, settings, bool(coulomb))
    shown = newest(canvas, canvas.kept(LiveLimit.of), asked, compute)
    result = shown.result
    if result is None:
        return (None,) * (len(OUTPUTS) - 1) + (shown.info,)
    moved = Poses(result.centroid, *result.displaced_pose(DISPLACED * result.structure.block_size))
    hinges, slides = hinges_and_slides(result)
    return (
        result,
        shown.verdict(lambda result: result.multiplier_associated),
        shown.verdict(lambda result: result.multiplier_coulomb),
        shown.verdict(lambda result: result.words),
        canvas.tree(canvas.make.blocks(result.structure, moved)),
        canvas.make.points(_hinge_points(result, hinges)),
        [canvas.make.polyline(result.interfaces[row].outline, closed=True) for row in slides.tolist()],
        shown.info,
    )


def _hinge_points(result: LimitResult, rows: np.ndarray) -> np.ndarray:
    """Points about which joints turn [m]: centres of pressure, which are on an edge; centroids of unloaded joints."""
    centre = result.joints.centre[rows]
    return np.where(np.isnan(centre), result.interface_centroid[rows], centre)
