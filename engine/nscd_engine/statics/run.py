"""The verb `static`: does it stand, with which forces, or how does it begin to fall (docs/methods.md, section 1).

A structure at rest stands exactly if the velocity v+ after a step of the rigid problem is zero: v+ is the projection of
the free motion on the motions that the contacts admit. Otherwise v+ is the collapse mechanism.
"""

from __future__ import annotations

from nscd_engine.core.monitor import Monitor
from nscd_engine.gate.scene import read_scene
from nscd_engine.statics.assured import judge_assured, with_branch
from nscd_engine.statics.deformable import deform, told_of
from nscd_engine.statics.prepare import prepare
from nscd_engine.statics.reply import static_reply
from nscd_engine.statics.torsion import solve_with_torsion
from nscd_engine.statics.verdict import judge


def run(request: dict, monitor: Monitor) -> dict:
    """Answer the verb `static`."""
    monitor.report("reading")
    scene = read_scene(request)
    model, detection, warnings, detect_s = prepare(scene, monitor)
    settings = scene.settings
    detection, found, twisted = solve_with_torsion(scene, model, detection, monitor)
    found, branch = with_branch(model, found, settings, monitor)
    monitor.report("collecting results")
    verdict, doubts = judge(model, found.problem, found.report, settings)
    assured, wedged = judge_assured(model, detection.contacts, verdict, branch)
    deformed = None
    if verdict == "stable":
        found, deformed = deform(model, found, settings, monitor)
    reply = dict(static_reply(model, detection, found), **told_of(model, deformed))
    time = {"detect_s": detect_s, "solve_s": found.solve_s}
    told = {"verdict": verdict, "assured": assured, "warnings": warnings + twisted + doubts + wedged}
    return dict(reply, solver=settings.solver, time=time, **told)
