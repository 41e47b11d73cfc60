"""The verb `static`: does it stand, with which forces, or how does it begin to fall (docs/methods.md, section 1).

A structure at rest stands exactly if the velocity v+ after a step of the rigid problem is zero: v+ is the projection of
the free motion on the motions that the contacts admit. Otherwise v+ is the collapse mechanism.
"""

from __future__ import annotations

from nscd_engine.core.monitor import Monitor
from nscd_engine.gate.scene import read_scene
from nscd_engine.statics.assured import judge_assured, with_branch
from nscd_engine.statics.deformable import AtRest, deform, told_of, with_elements
from nscd_engine.statics.deformable import doubts as elastic_doubts
from nscd_engine.statics.prepare import prepare
from nscd_engine.statics.reply import static_reply
from nscd_engine.statics.torsion import has_laws, solve_with_torsion
from nscd_engine.statics.uniform_bending import unbent
from nscd_engine.statics.verdict import judge


def run(request: dict, monitor: Monitor) -> dict:
    """Answer the verb `static`."""
    monitor.report("reading")
    scene = read_scene(request)
    model, detection, warnings, detect_s = prepare(scene, monitor)
    settings = scene.settings
    if has_laws(scene):
        detection = with_elements(model, detection)  # the laws are of the points between elements
    detection, found, twisted = solve_with_torsion(scene, model, detection, monitor)
    found, branch = with_branch(model, found, settings, monitor)
    monitor.report("collecting results")
    verdict, doubts = judge(model, found.problem, found.report, settings)
    assured, wedged = judge_assured(model, detection.contacts, verdict, branch)
    rest, deformed = AtRest(model, detection, found), None
    if verdict == "stable":
        rest, deformed = deform(rest, settings, monitor, scene.cables)
    reply = dict(static_reply(*rest), **told_of(model, deformed))
    time = {"detect_s": detect_s, "solve_s": rest.solution.solve_s}
    told = {
        "verdict": verdict,
        "assured": assured,
        "warnings": warnings + twisted + doubts + wedged + elastic_doubts(model, deformed) + unbent(model),
    }
    return dict(reply, solver=settings.solver, time=time, **told)
