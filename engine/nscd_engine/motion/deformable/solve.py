"""Solution of a step with deformable bodies: Newton's method from the step before, interior points where it fails."""

from __future__ import annotations

from typing import Optional, Tuple

import numpy as np

from nscd_engine.solvers import interior_point
from nscd_engine.solvers.deformable_system import DeformableSystem
from nscd_engine.solvers.fixed_point import FixedPoint
from nscd_engine.solvers.primal.starts import predict
from nscd_engine.solvers.step_solver import GAP, RESIDUAL, Found, by_newton, greatest_residual

#: Residual of a contact over the external impulse at which a step that begins anew is exact [-].
EXACT = 1e-8
#: The same of a step with bonds, springs or cables [-]. Larger: bonds wear out.
EXACT_WITH_LAWS = 1e-6
#: The same up to which a step counts as solved [-]. Larger: the budget of energy does not close, and nobody is told.
FOUND = 1e-2
#: Imbalance at which a round ends [-].
BALANCED = 1e-9
#: The same of a round with bounds on friction, after which others follow [-].
SETTLED = 1e-6
#: Compliance over that of the nodes beside a contact [-]. Larger: more rounds. Smaller: contacts open
#: and close from iteration to iteration.
SOFT = 1e-3
#: The same in rounds that renew the bounds of friction, of which there are several anyhow [-].
SOFT_WITH_BOUNDS = 3e-2
#: Iterations of Newton's method in a round, and rounds of a step [-].
PATIENCE, MOST_ROUNDS = 30, 12


def from_the_step_before(
    system: DeformableSystem, impulses: np.ndarray, velocity: np.ndarray, coulomb: bool, exact: float = RESIDUAL
) -> Found:
    """Solution from impulses (C, 3) [N s] and velocities (T, 6) of the step before, to a residual `exact` [-]."""
    if coulomb:
        found: Optional[Found] = by_bounds(system, impulses, velocity, exact)
    else:
        found = by_newton(system, impulses, velocity, False)
    if found is not None and found[2] <= RESIDUAL:
        return found
    other = anew(system, impulses, coulomb, exact)
    return other if found is None or other[2] < found[2] else found


def by_bounds(system: DeformableSystem, impulses: np.ndarray, velocity: np.ndarray, exact: float = RESIDUAL) -> Found:
    """Solution with Coulomb friction whose bounds are renewed from round to round, from the step before.

    Every round is a convex problem, also where many contacts slide at once. They end at a residual `exact` [-].
    """
    system.move_to(velocity, impulses)
    centre, tolerance = impulses, min(SETTLED, exact)
    bounds = FixedPoint(system.friction_bounds())
    for k in range(MOST_ROUNDS):
        system.bound_friction(bounds.now)
        system.regularise(SOFT_WITH_BOUNDS, centre)
        if k == 0 and system.size > tolerance:  # not at rest
            predict(system, centre, SOFT_WITH_BOUNDS)
            system.regularise(SOFT_WITH_BOUNDS, centre)
        system.descend(tolerance, PATIENCE)
        centre = system.work.gamma.copy()
        found = system.impulses(), system.velocity()
        residual = _residual(system, found, True)
        if residual <= exact:
            break
        bounds.update(system.friction_bounds())
    system.bound_friction(None)
    return (*found, residual)


def anew(system: DeformableSystem, impulses: np.ndarray, coulomb: bool, exact: float = EXACT) -> Found:
    """Solution by interior points, then Newton's method, to a residual of a contact over the external impulse [-].

    If De Saxce's opening does not settle, friction is associated: that gains no energy.
    """
    for friction in (True, False) if coulomb else (False,):
        centre, opening = impulses, FixedPoint(np.zeros(len(impulses)))
        for _ in range(MOST_ROUNDS):
            system.regularise(SOFT, centre, opening.now)
            interior_point.descend(system, GAP)
            system.descend(BALANCED, PATIENCE)
            if friction:
                opening.update(system.opening())
            centre = system.work.gamma.copy()
            found = system.impulses(), system.velocity()
            residual = _residual(system, found, friction)
            if residual <= exact:
                break
        if residual <= RESIDUAL:
            break
    best = (*found, residual)
    if coulomb and not residual <= RESIDUAL:  # an impact at the first step
        other = by_bounds(system, best[0], best[1])
        best = other if other[2] < residual else best
    return best


def _residual(system: DeformableSystem, found: Tuple[np.ndarray, np.ndarray], coulomb: bool) -> float:
    """Greatest residual of a contact, or imbalance of two nodes, over the greatest external impulse of a body [-]."""
    return max(greatest_residual(system, *found, coulomb), system.imbalance(*found))
