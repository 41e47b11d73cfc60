"""Does it stand, with which forces, or how does it begin to fall (METHODS M1).

A structure at rest stands exactly if the velocity v+ after a step of the rigid problem is zero: v+ is the projection of
the free motion on the motions that the contacts admit. Otherwise v+ is the collapse mechanism.
"""

import time

import numpy as np

from nscd_engine.contacts.at_rest import detect, require_sound
from nscd_engine.gate.structure import part, read_model, read_settings
from nscd_engine.laws import point_laws
from nscd_engine.laws.cables import read_cables, without_hanging
from nscd_engine.loads.water import with_water
from nscd_engine.solvers import newton, nlgs, spg
from nscd_engine.solvers.problem import free_fall, static_problem
from nscd_engine.solvers.solution import Warm
from nscd_engine.statics.elastic_brittle import LawSolver
from nscd_engine.statics.reply import static

SOLVERS = {"newton": newton.solve, "nlgs": nlgs.solve, "spg": spg.solve}

#: Speed over that of free fall up to which a structure stands [-]. Rounding leaves 1e-9; a structure loaded 0.01 %
#: beyond its limit moves at about 1e-5.
STANDING_SPEED = 1e-6
#: The same for an answer that did not converge [-]; it comes with a warning.
UNSURE_SPEED = 1e-3
#: Iterations of newton if the user names no number [-]; in motion it has fewer. Sliding collapse may take as many.
MOST_ITERATIONS = 2500


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
    solve, cache, best = laws or SOLVERS[settings.solver], {}, np.inf
    if settings.solver == "newton" and not settings.max_iterations:
        settings = settings._replace(max_iterations=MOST_ITERATIONS)
    for k in range(settings.repeat):
        monitor.report("solving" if settings.repeat == 1 else "solving, run {} of {}".format(k + 1, settings.repeat))
        start = time.perf_counter()
        problem = static_problem(model, contacts)
        impulses, report = solve(problem, Warm(cache=cache), settings, monitor)
        best = min(best, time.perf_counter() - start)
    return problem, impulses, report, best


def speed(model, problem, velocity):
    """Greatest speed of a free block over that of free fall [-]; turning counts with half the size of the block."""
    size = model.bodies.size[model.bodies.free >= 0]
    linear = np.linalg.norm(velocity[:, :3], axis=1)
    turning = 0.5 * size * np.linalg.norm(velocity[:, 3:], axis=1)
    return float(np.maximum(linear, turning).max(initial=0.0)) / free_fall(model, problem)


def judge(model, problem, report, settings, warnings):
    """`stable` or `collapse`; a warning if the solver did not reach its tolerance."""
    fast = speed(model, problem, report.velocity)
    if report.status == "converged":
        return "stable" if fast <= STANDING_SPEED else "collapse"
    warnings.append(
        {
            "code": "not_converged",
            "message": (
                "The solver {} stopped ({}) at a residual of {:.1e}, above the tolerance {:.1e}; the verdict is "
                "uncertain. Raise max_iterations or the tolerance, or use the solver newton."
            ).format(settings.solver, report.status, report.residual, settings.tolerance),
            "blocks": [],
        }
    )
    shrinking = len(report.speed) > 1 and report.speed[-1] < 0.1 * report.speed[-2]
    most = UNSURE_SPEED if shrinking or not report.speed else STANDING_SPEED
    return "stable" if fast <= most else "collapse"
