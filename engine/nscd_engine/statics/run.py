"""Does it stand, with which forces, or how does it begin to fall (METHODS M1).

A structure at rest stands exactly if the velocity v+ after a step of the rigid problem is zero: v+ is the projection of
the free motion on the motions that the contacts admit. Otherwise v+ is the collapse mechanism.
"""

import time

import numpy as np

from nscd_engine.contacts.at_rest import detect, require_sound
from nscd_engine.gate.fields import part
from nscd_engine.gate.loads import read_cables
from nscd_engine.gate.settings import read_settings
from nscd_engine.gate.structure import read_model
from nscd_engine.laws import point_laws
from nscd_engine.laws.cables import without_hanging
from nscd_engine.loads.water import with_water
from nscd_engine.solvers import newton, nlgs, spg
from nscd_engine.solvers.problem import static_problem
from nscd_engine.solvers.solution import Warm
from nscd_engine.solvers.workspace import Workspace
from nscd_engine.statics.elastic_brittle import LawSolver
from nscd_engine.statics.reply import static
from nscd_engine.statics.verdict import judge

SOLVERS = {"newton": newton.solve, "nlgs": nlgs.solve, "spg": spg.solve}


def run(request, monitor):
    """The verb `static`."""
    monitor.report("reading")
    model = read_model(request)
    settings = read_settings(request)
    start = time.perf_counter()
    case = part(request, "case")
    cables = read_cables(case, model)
    detection = without_hanging(detect(model, settings, monitor), cables)
    require_sound(model, detection, settings)
    found = time.perf_counter()
    model, wet = with_water(model, case, detection.interfaces)
    laws, contacts = None, detection.contacts
    if cables is not None or case.get("carried") is not None or not point_laws.is_plain(model):
        laws = LawSolver(model, detection, cables, case.get("carried"), SOLVERS[settings.solver])
        contacts, detection = laws.contacts, laws.detection
    problem, impulses, report, solve_s = best_solve(model, contacts, settings, monitor, laws)
    monitor.report("collecting results")
    warnings = list(detection.warnings) + wet
    verdict = judge(model, problem, report, settings, warnings)
    reply = static(model, detection, problem, impulses, report, laws)
    reply.update(verdict=verdict, solver=settings.solver, warnings=warnings)
    reply["time"] = {"detect_s": found - start, "solve_s": solve_s}
    return reply


def best_solve(model, contacts, settings, monitor, laws=None):
    """Solve `repeat` times, each from rest with only the structure of the factor and the memory kept; the best time."""
    solve, workspace, best = laws or SOLVERS[settings.solver], Workspace(), np.inf
    for k in range(settings.repeat):
        monitor.report("solving" if settings.repeat == 1 else "solving, run {} of {}".format(k + 1, settings.repeat))
        start = time.perf_counter()
        problem = static_problem(model, contacts)
        impulses, report = solve(problem, Warm(workspace=workspace), settings, monitor)
        best = min(best, time.perf_counter() - start)
    return problem, impulses, report, best
