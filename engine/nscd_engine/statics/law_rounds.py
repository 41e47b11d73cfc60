"""Joints with laws beyond friction, solved with the contacts that they need (laws.fibres, laws.partial_opening)."""

from __future__ import annotations

from nscd_engine.contacts.at_rest import Detection
from nscd_engine.core.model import Model
from nscd_engine.core.monitor import Monitor
from nscd_engine.gate.scene import Scene
from nscd_engine.laws.fibres import law_points
from nscd_engine.laws.partial_opening import PartialOpening
from nscd_engine.statics.elastic_brittle import LawSolver
from nscd_engine.statics.solve import SOLVERS, Solution, best_solve
from nscd_engine.statics.verdict import judge

#: Most solutions of a structure whose joints open in part or crack [-]: ten suffice. Fewer: joints that are nearly open
#: as a whole turn too little.
MOST_ROUNDS = 25


def solve_with_laws(scene: Scene, model: Model, corners: Detection, monitor: Monitor) -> tuple[Detection, Solution]:
    """The solution, and the detection with the contacts that it belongs to.

    Parameters
    ----------
    scene : Scene
        For its cables, settings and the forces of the stage before.
    model : Model
        With all loads.
    corners : Detection
        With contacts at the corners of the joints.
    monitor : Monitor
    """
    settings, points = scene.settings, _Points(model, corners, scene)
    solve_s = 0.0
    for _ in range(MOST_ROUNDS):
        detection, area = points.placed()
        laws = LawSolver(model, detection, area, scene.cables, scene.carried, SOLVERS[settings.solver])
        found = best_solve(model, laws.contacts, settings, monitor, laws)
        solve_s += found.solve_s
        stands = judge(model, found.problem, found.report, settings)[0] == "stable"
        if not stands or not points.refine(laws, found.laws):
            break
    return detection, found._replace(solve_s=solve_s)


class _Points:
    """The contacts of a structure, which follow where its joints open and crack."""

    def __init__(self, model, corners, scene):
        self.model, self.corners = model, corners
        self.partial = PartialOpening(model, corners, scene.settings.friction == "associated")
        self.cracked: set = set()
        self.fixed = scene.carried is not None  # forces of the stage before are those of its points
        self.given = law_points(model, corners)

    def placed(self):
        """The detection with these contacts, and their areas [m2] (C,)."""
        return self.partial.placed(*self.given)

    def refine(self, laws, state):
        """Other contacts for the joints that have cracked or opened; whether there are any."""
        if self.fixed:
            return False
        cracked = set(laws.interface[state.broken].tolist()) - self.cracked
        if cracked:
            self.cracked |= cracked
            self.given = law_points(self.model, self.corners, cracked=self.cracked)
        moved = state.displacement is not None and self.partial.cut(state.displacement)
        return bool(cracked) or moved
