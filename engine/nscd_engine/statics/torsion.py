"""Statics in which no dry joint relies on more torsion than uniform pressure gives (laws.torsion)."""

from __future__ import annotations

from nscd_engine.contacts.at_rest import Detection
from nscd_engine.core.model import Model
from nscd_engine.core.monitor import Monitor
from nscd_engine.gate.scene import Scene
from nscd_engine.laws import point_laws
from nscd_engine.laws.torsion import Torsion
from nscd_engine.solvers.solution import Warm
from nscd_engine.solvers.workspace import Workspace
from nscd_engine.statics.law_rounds import solve_with_laws
from nscd_engine.statics.solve import Solution, best_solve
from nscd_engine.statics.verdict import judge

#: Most solutions [-]: joints that do not twist take one. Fewer: a joint may rely on more torsion than it resists.
MOST_ROUNDS = 12


def solve_with_torsion(
    scene: Scene, model: Model, detection: Detection, monitor: Monitor
) -> tuple[Detection, Solution, list]:
    """The solution of a scene at rest, the detection with the contacts that it belongs to, and warnings.

    Parameters
    ----------
    scene : Scene
    model : Model
        With all loads.
    detection : Detection
        With contacts at the corners of the joints.
    monitor : Monitor
    """
    before = Warm(workspace=Workspace())
    placed, found = _solve(scene, model, detection, monitor, before, recalled=True)
    if scene.settings.torsion == "corners":
        return placed, found, []
    torsion = Torsion(model, detection)
    solve_s = found.solve_s
    last, beyond = len(torsion.factor) + 1, 0
    for _ in range(MOST_ROUNDS):
        stands = judge(model, found.problem, found.report, scene.settings)[0] == "stable"
        beyond = len(torsion.update(placed.interfaces, found.impulses)) if stands else 0
        if beyond == 0 or (beyond >= last and torsion.rounds > 4):  # none, or no fewer than before
            break
        last = beyond
        before = before._replace(aimed=found.report.aimed)
        placed, found = _solve(scene, model, torsion.reduced(), monitor, before)
        solve_s += found.solve_s
    return placed, found._replace(solve_s=solve_s), _unsettled(beyond)


def _unsettled(joints: int) -> list:
    """The warning of joints that still rely on too much torsion after the last solution."""
    if not joints:
        return []
    text = "{} joints rely on more torsion than uniform pressure gives, and no other forces were found."
    return [{"code": "torsion_unsettled", "message": text.format(joints), "blocks": []}]


def has_laws(scene: Scene) -> bool:
    """Whether anything but friction of rigid joints acts."""
    return scene.cables is not None or scene.carried is not None or not point_laws.is_plain(scene.model)


def _solve(scene, model, detection, monitor, before, recalled=False):
    if has_laws(scene):
        return solve_with_laws(scene, model, detection, monitor)
    return detection, best_solve(model, detection.contacts, scene.settings, monitor, recalled=recalled, before=before)
