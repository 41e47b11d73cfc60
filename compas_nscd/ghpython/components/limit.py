"""Component Limit Analysis: how far it is from collapse."""

import numpy as np

from compas_nscd.client.limit_request import limit_request
from compas_nscd.ghpython.canvas import component
from compas_nscd.ghpython.live_analysis import LiveStatic, newest
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure
from compas_nscd.results.limit import LimitResult, hinges_and_slides
from compas_nscd.results.static import DISPLACED

OUTPUTS = ("result", "multiplier", "multiplier_coulomb", "words", "blocks", "hinges", "slides", "info")


class LiveLimit(LiveStatic):
    """Limit analyses, of which the newest counts."""

    verb = "limit"

    def request(self, structure, case, chosen, vary, coulomb):
        body = limit_request(structure, case, vary, chosen, coulomb)
        return body, lambda reply: LimitResult.from_reply(reply, structure, case, vary)


@component(*OUTPUTS)
def limit(canvas, structure, case, vary, coulomb, settings, compute):
    """Component Limit Analysis: solves at every change; shows the newest answer, and the last one meanwhile."""
    structure = canvas.need("structure", structure, Structure)
    case = canvas.maybe("case", case, LoadCase)
    settings = canvas.maybe("settings", settings, Settings)
    vary = "loads" if vary is None else str(vary).strip()
    asked = (structure, case, settings, vary, bool(coulomb))
    result, info = newest(canvas, canvas.kept(LiveLimit.of), asked, compute)
    if result is None:
        return (None,) * (len(OUTPUTS) - 1) + (info,)
    moved = result.displaced_vertices(DISPLACED * result.structure.block_size)
    hinges, slides = hinges_and_slides(result)
    return (
        result,
        result.multiplier_associated,
        result.multiplier_coulomb,
        result.words,
        canvas.tree(canvas.make.blocks(result.structure, moved)),
        [canvas.make.point(xyz) for xyz in _hinge_points(result, hinges)],
        [canvas.make.polyline(result.interfaces[row].outline, closed=True) for row in slides.tolist()],
        info,
    )


def _hinge_points(result, rows):
    """Where joints turn: their centres of pressure, at the limit on an edge; of joints without force the middle."""
    centre = result.joints.centre[rows]
    return np.where(np.isnan(centre), result.interface_centroid[rows], centre)
