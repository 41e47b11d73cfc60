"""What every solver takes and returns beside the problem: a warm start and a report."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple, Optional, Tuple

import numpy as np

from nscd_engine.core.settings import Settings
from nscd_engine.core.structs import Problem
from nscd_engine.kernels.solvers import operators, residuals


class Warm(NamedTuple):
    """What an earlier solve left that a later one may use."""

    impulses: Any = None  # [N s] (C, 3) in the contact frames, or None
    velocity: Any = None  # [m/s, rad/s] (N, 6), or None
    workspace: Any = None  # Workspace of this structure, or None: nothing is kept
    earlier: Any = None  # [m/s, rad/s] (N, 6): velocity one step before `velocity`, or None
    aimed: Any = None  # [N s] (C, 3): impulses before their projection, of a similar problem, or None
    impact: bool = False  # without impulses: bodies are faster than the external impulse of one step makes them


class Report(NamedTuple):
    """Quality and cost of a solution."""

    velocity: np.ndarray  # [m/s, rad/s] (N, 6): v_free + M^-1 J^T gamma
    iterations: int
    factorizations: int
    status: str  # converged, stalled (no further progress), exhausted (max_iterations)
    residual: float  # natural map over the free impulse [-]
    cone_violation: float  # over the free impulse [-]
    wrong_friction_power: float  # [-]
    eps: Tuple[float, ...] = ()  # regularisations solved in turn [-]
    speed: Tuple[float, ...] = ()  # greatest speed of a body at each of them [m/s]
    products: int = 0  # of conjugate gradients with a matrix
    aimed: Optional[np.ndarray] = None  # [N s] (C, 3): of a balance: as of `System.aimed`, at the first eps
    follow: Optional[Callable[[], Any]] = None  # of a balance: tresca.Branch reached from the unloaded state


def report(
    problem: Problem,
    impulses: np.ndarray,
    settings: Settings,
    iterations: int,
    status: str = "converged",
    known: Optional[Tuple[np.ndarray, np.ndarray]] = None,
) -> Report:
    """Report on impulses (C, 3), computed from them alone.

    Parameters
    ----------
    problem : Problem
    impulses : array (C, 3)
        [N s] in the contact frames.
    settings : Settings
    iterations : int
    status : str, optional
    known : tuple of arrays, optional
        Inverse inertia (N, 3, 3) and mobility (C,), if they have been computed.
    """
    inverse, w = known or (None, None)
    if known is None:
        inverse = operators.inverse_inertia(problem)
        w = operators.mobility(problem, inverse)
    velocity = operators.velocity_after(problem, impulses, inverse)
    u = operators.relative_velocity(problem, velocity)
    return Report(
        velocity,
        iterations,
        0,
        status,
        residuals.natural_map(problem, impulses, u, w, settings.friction == "coulomb"),
        residuals.cone_violation(problem, impulses, w),
        residuals.wrong_friction_power(problem, impulses, u, w),
    )
