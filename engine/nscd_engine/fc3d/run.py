"""The verb `fc3d`: published frictional contact problems (W, q, mu), solved with exact Coulomb friction."""

from __future__ import annotations

import time
from typing import Any, Dict

from compas_nscd.errors import InputError
from nscd_engine.core.monitor import Monitor
from nscd_engine.fc3d.solve import solve
from nscd_engine.gate.fc3d import read_problem


def run(request: Dict[str, Any], monitor: Monitor) -> Dict[str, Any]:
    """Solve every problem of a request.

    Parameters
    ----------
    request : dict
        `problems` (see gate/fc3d), `solver` ("newton", "nlgs" or None for both in turn), `tolerance` of the residual
        [-], `max_iterations`, `repeat` for the best time.
    monitor : Monitor

    Returns
    -------
    dict
        `problems`: name, contacts, solver, iterations, residual_q [-] and time_s [s] of each.

    Raises
    ------
    InputError
        If an option is not usable.
    """
    solver, repeat = request.get("solver"), request.get("repeat", 1)
    tolerance, limit = request.get("tolerance", 1e-8), request.get("max_iterations", 20000)
    if not isinstance(solver, (str, type(None))) or solver not in (None, "nlgs", "newton"):
        raise InputError("Solver {!r:.40} cannot solve these; newton and nlgs can.".format(solver))
    problems = request.get("problems")
    if not isinstance(problems, list) or not all(type(n) is int and n > 0 for n in (repeat, limit)):
        raise InputError("A request needs a list of problems, and whole numbers for `repeat` and `max_iterations`.")
    if not isinstance(tolerance, float) or not 0.0 < tolerance < 1.0:
        raise InputError("The tolerance {!r:.40} is not between 0 and 1.".format(tolerance))
    rows = []
    for i, given in enumerate(problems):
        monitor.report("solving contact problems", i / len(problems))
        rows.append(_row(given, solver, tolerance, limit, repeat, monitor))
    return {"problems": rows}


def _row(given, solver, tolerance, limit, repeat, monitor):
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        name, problem = read_problem(given)
        r, used, iterations, error = solve(problem, solver, tolerance, limit, monitor)
        times.append(time.perf_counter() - start)
    return {
        "name": name,
        "contacts": len(r),
        "solver": used,
        "iterations": iterations,
        "residual_q": error,
        "time_s": min(times),
    }
