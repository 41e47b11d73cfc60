"""Whether a balance is reached from the unloaded state, or needs a clamping that nothing produces.

A structure stands if some admissible forces balance its loads. With Coulomb friction that is not enough: the forces may
press blocks between others that do not push, and such a structure moves when it is loaded (docs/methods.md, section
3.3).
"""

from __future__ import annotations

import time
from typing import List, Optional, Tuple

import numpy as np

from nscd_engine.core.model import Model
from nscd_engine.core.monitor import Monitor
from nscd_engine.core.settings import Settings
from nscd_engine.core.structs import Contacts
from nscd_engine.solvers import newton
from nscd_engine.solvers.solution import Warm
from nscd_engine.solvers.tresca import Branch
from nscd_engine.statics.solve import Solution
from nscd_engine.statics.verdict import STANDING_SPEED, speed, speeds

#: Speed over the greatest one from which a block counts as moving [-]. Larger: blocks that follow slowly are left out.
MOVING = 1e-2
#: Most names in a list of the message [-].
MOST_NAMES = 6


def with_branch(
    model: Model, solution: Solution, settings: Settings, monitor: Monitor
) -> Tuple[Solution, Optional[Branch]]:
    """The solution, and what is reached from the unloaded state; None if that is not known.

    NLGS and SPG with Coulomb friction start from the unloaded state: what they find is that solution. If it moves, a
    balance may exist all the same, and Newton's method looks for it.
    """
    problem, impulses, report, laws, solve_s = solution
    if report.follow is not None:
        start = time.perf_counter()
        branch = report.follow()
        return solution._replace(solve_s=solve_s + time.perf_counter() - start), branch
    if laws is not None or settings.solver == "newton" or report.status != "converged":
        return solution, None
    associated = settings._replace(friction="associated", max_iterations=None)
    balance, found = newton.solve(problem, Warm(), associated, monitor)
    if found.follow is None:
        return solution, None
    if settings.friction == "associated":
        return solution, found.follow()
    own = Branch(report.velocity, impulses, True, speed(model, problem, report.velocity) > STANDING_SPEED)
    if own.moves:
        impulses, report = balance, found
    return solution._replace(impulses=impulses, report=report), own


def judge_assured(model: Model, contacts: Contacts, verdict: str, branch: Optional[Branch]) -> Tuple[bool, list]:
    """Whether it stands and is assured to, and the warning `wedged` if not the latter. Unloaded, it has no branch."""
    if verdict != "stable" or branch is None or not branch.moves:
        return verdict == "stable", []
    moving = _moving(model, branch.velocity)
    blocks = [model.names[k] for k in np.flatnonzero(moving)]
    message = _message(blocks, _holders(model, contacts, moving), branch.settled)
    return False, [{"code": "wedged", "message": message, "blocks": blocks}]


def _moving(model: Model, velocity: np.ndarray) -> np.ndarray:
    """Which blocks (B,) move with velocities of the free ones (N, 6)."""
    bodies = model.bodies
    free = np.flatnonzero(bodies.free >= 0)
    fast = speeds(model, velocity[: len(free)])
    moving = np.zeros(len(bodies.free), bool)
    moving[free[fast >= MOVING * fast.max()]] = True
    return moving


def _holders(model: Model, contacts: Contacts, moving: np.ndarray) -> List[str]:
    """Names of the blocks at rest that touch moving ones (B,) bool: the supports, or the others if none does."""
    a, b = contacts.body.T
    at_rest = np.union1d(a[~moving[a] & moving[b]], b[~moving[b] & moving[a]])
    supports = at_rest[model.bodies.free[at_rest] < 0]
    return [model.names[k] for k in (supports if len(supports) else at_rest)]


def _message(blocks: List[str], holders: List[str], settled: bool) -> str:
    held = " between {}".format(_listed(holders)) if holders else ""
    if not settled:
        return (
            "A balance exists, but whether loading from zero leads to it could not be found out: {} may come free{}."
        ).format(_listed(blocks), held)
    return (
        "It stands only if clamped, and nothing produces the clamping: loaded from zero, {} come{} free{}. "
        "Give the blocks something to rest on, or a load or cable that presses the joints together."
    ).format(_listed(blocks), "s" if len(blocks) == 1 else "", held)


def _listed(names: List[str]) -> str:
    more = len(names) - MOST_NAMES
    return ", ".join(names[:MOST_NAMES]) + (" and {} more".format(more) if more > 0 else "")
