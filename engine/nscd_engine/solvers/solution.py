"""What every solver takes and gives beside the problem: a warm start and a report."""

from typing import NamedTuple

import numpy as np

from nscd_engine.kernels.solvers import operators, residuals


class Warm(NamedTuple):
    """What an earlier solve left that a later one may use."""

    impulses: object = None  # [N s] (C, 3) in the contact frames, or None
    velocity: object = None  # [m/s, rad/s] (N, 6), or None
    cache: object = None  # dict a solver keeps things in that depend on which bodies touch only
    earlier: object = None  # [m/s, rad/s] (N, 6): velocity of the step before that of `velocity`, or None
    hit: bool = False  # without impulses: whether bodies are faster than what acts in one step makes them


class Report(NamedTuple):
    """How a solver fared."""

    velocity: np.ndarray  # [m/s, rad/s] (N, 6): v_free + M^-1 J^T gamma
    iterations: int
    factorizations: int
    status: str  # converged, stalled (no further progress), exhausted (max_iterations)
    residual: float  # natural map over the free impulse [-]
    cone_violation: float  # over the free impulse [-]
    wrong_friction_power: float  # [-]
    eps: tuple = ()  # regularisations passed through
    speed: tuple = ()  # greatest speed of a body at each of them [m/s]


def report(problem, impulses, settings, iterations, factorizations=0, status="converged", eps=(), speed=(), known=None):
    """Measure impulses (C, 3), whoever computed them; `known`: inverse inertia and mobility, if somebody has them."""
    inverse, w = known or (None, None)
    if known is None:
        inverse = operators.inverse_inertia(problem)
        w = operators.mobility(problem, inverse)
    velocity = operators.velocity_after(problem, impulses, inverse)
    u = operators.relative_velocity(problem, velocity)
    return Report(
        velocity,
        iterations,
        factorizations,
        status,
        residuals.natural_map(problem, impulses, u, w, settings.friction == "coulomb"),
        residuals.cone_violation(problem, impulses, w),
        residuals.wrong_friction_power(problem, impulses, u, w),
        eps,
        speed,
    )
