"""The static problem solved by the chosen method, and timed."""

from __future__ import annotations

import time
from typing import NamedTuple, Optional

import numpy as np

from nscd_engine.core.model import Model
from nscd_engine.core.monitor import Monitor
from nscd_engine.core.settings import Settings
from nscd_engine.core.structs import Contacts, Problem
from nscd_engine.solvers import newton
from nscd_engine.solvers.classic import nlgs, spg
from nscd_engine.solvers.problem import static_problem
from nscd_engine.solvers.solution import Report, Warm
from nscd_engine.solvers.workspace import Workspace
from nscd_engine.statics import recent
from nscd_engine.statics.elastic_brittle import LawSolver, LawState

#: ADMM is a method for deformable blocks (statics.deformable); their verdict, that of rigid ones, is Newton's.
SOLVERS = {"newton": newton.solve, "admm": newton.solve, "nlgs": nlgs.solve, "spg": spg.solve}


class Solution(NamedTuple):
    """Solution of the static problem. C contacts."""

    problem: Problem
    impulses: np.ndarray  # [N s] (C, 3) in the contact frames
    report: Report
    laws: Optional[LawState] = None  # None: friction alone
    solve_s: float = 0.0  # [s] time of the fastest solve


def best_solve(
    model: Model,
    contacts: Contacts,
    settings: Settings,
    monitor: Monitor,
    laws: Optional[LawSolver] = None,
    recalled: bool = False,
    before: Optional[Warm] = None,
) -> Solution:
    """Solve `repeat` times from rest; later solves reuse the symbolic factor and the workspace of the first.

    Parameters
    ----------
    model : Model
    contacts : Contacts
        Those of `laws`, cables included, if there are any.
    settings : Settings
    monitor : Monitor
    laws : LawSolver, optional
        For joints with more than friction.
    recalled : bool, optional
        Start from what an earlier analysis of the same contacts found, if the settings say so and one solve is asked.
    before : Warm, optional
        Workspace and `aimed` of another solution with the same contacts.
    """
    solve = SOLVERS[settings.solver]
    before, best = before or Warm(workspace=Workspace()), np.inf
    recalled = recalled and settings.warm_start
    for k in range(settings.repeat):
        monitor.report("solving" if settings.repeat == 1 else "solving, run {} of {}".format(k + 1, settings.repeat))
        start = time.perf_counter()
        problem = static_problem(model, contacts)
        if laws is None:
            similar = recent.recall(contacts, problem) if recalled and settings.repeat == 1 else before.aimed
            impulses, report = solve(problem, before._replace(aimed=similar), settings, monitor)
            state = None
            if recalled:
                recent.remember(contacts, problem, report.aimed)
        else:
            impulses, report, state = laws.solve(problem, before._replace(aimed=None), settings, monitor)
        best = min(best, time.perf_counter() - start)
    return Solution(problem, impulses, report, state, best)
