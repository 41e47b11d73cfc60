"""Newton's method on the primal (METHODS M1 to M3): exact, unique, a handful of factorisations.

Every value of `eps` is solved in turn, each from the one before; where Newton's method is slow (structures that slide),
an interior point method finds the start for it. Then follow proximal rounds (method of multipliers): the compliance
acts on the change of the impulses since the round before, so that its effect dies out and the rigid problem is solved
exactly. With Coulomb friction the rounds also update the opening mu |u_t| of De Saxce's form.
"""

import numpy as np

from . import interior_point
from .solution import report
from .system import System

#: Gradient over the free impulse at which a regularised solve on the way counts as done [-].
STAGE_TOLERANCE = 1e-8
#: Iterations that Newton's method is given before the interior point method takes over [-]. Standing structures need 3
#: to 15, those that slide 20 to more than 100; the interior point method 12 to 30.
PATIENCE = 18
#: Iterations to finish what the interior point method found [-].
POLISH = 30
#: Regularisation of the proximal rounds while something moves [-]: finer, rounding of u_t / e drowns the answer.
MOVING_EPS = 1e-6
#: The softest that rounds are tried with [-].
COARSEST_EPS = 1e-4
#: Rounds in a row that may leave the residual as it was [-].
MOST_SLOW_ROUNDS = 3
#: Most proximal rounds [-].
MOST_ROUNDS = 60


def solve(problem, warm, settings, monitor=None):
    """Impulses (C, 3) in the contact frames, and a Report."""
    system = System(problem, warm.cache if warm else None, monitor, settings.threads)
    if warm and warm.velocity is not None:
        system.work.v[:] = warm.velocity
    eps, velocities = _stages(system, settings)
    status = _rounds(system, settings, eps, velocities)
    impulses = system.impulses()
    speeds = tuple(float(np.linalg.norm(v[:, :3], axis=1).max(initial=0.0)) for v in velocities)
    count = system.iterations, system.factorizations
    return impulses, report(problem, impulses, settings, count[0], count[1], status, eps, speeds)


def _stages(system, settings):
    """Solve the problem regularised by every eps in turn: those that were solved, and their velocities."""
    solved, velocities = [], []
    for eps in settings.eps:
        system.aim(eps)
        if solved:  # a standing structure moves in proportion to eps
            system.try_start((eps / solved[-1] - 1.0) * system.base)
        done = _reach(system, STAGE_TOLERANCE)
        if not done and solved:  # rounding: collapse at high speed, at an eps too fine for it
            system.restore()
            break
        solved.append(eps)
        velocities.append(system.velocity())
        system.keep()
    return tuple(solved), velocities


def _reach(system, tolerance):
    """Descend by Newton's method; if that is slow, by interior points first. True if the tolerance was reached."""
    if not system.hard and system.descend(tolerance, PATIENCE):
        return True
    system.hard = True
    interior_point.descend(system)
    return system.descend(tolerance, POLISH)


def _rounds(system, settings, solved, velocities):
    """Proximal rounds until the residual is below the tolerance; the status."""
    coulomb = settings.friction == "coulomb"
    eps, residual, system.hard = solved[-1], system.residual(coulomb), False
    if _shrinking(velocities):
        if residual > settings.tolerance:
            residual = _settle(system, eps, settings.tolerance, coulomb, residual)
    else:
        eps = max(eps, MOVING_EPS)
    slow = 0
    for _ in range(MOST_ROUNDS):
        if residual <= settings.tolerance:
            return "converged"
        if system.iterations > settings.max_iterations:
            return "exhausted"
        system.aim(eps, system.work.gamma.copy(), system.opening() if coulomb else None)
        done = _reach(system, 0.1 * settings.tolerance)
        before, residual = residual, system.residual(coulomb)
        slow = slow + 1 if residual > 0.8 * before else 0
        if slow == MOST_SLOW_ROUNDS:  # blocks wedge: the impulses that would stop them are out of reach
            break
        if done or residual < 0.5 * before:
            system.keep()
        elif eps < COARSEST_EPS:  # too fine to make progress: once more, softer
            eps, residual = 10.0 * eps, before
            system.restore()
        else:
            break
    return "stalled"


def _shrinking(velocities):
    """True if the motion vanishes with eps: the structure stands."""
    return len(velocities) > 1 and np.abs(velocities[-1]).max() < 0.1 * np.abs(velocities[-2]).max()


def _settle(system, eps, tolerance, coulomb, residual):
    """Take the compression of a standing structure for its rest shape, and solve once more about it; the residual.

    With y kept as the centre, u = 0 gives back the impulses and every contact its state, at the edge of the cone too:
    the factor at hand still fits, where a proximal round would have contacts flicker between stick and slide.
    """
    system.aim(eps, (system.work.target - system.work.u) / system.work.e[:, [0, 1, 1]])
    system.try_start(-system.base)
    system.descend(0.1 * tolerance, PATIENCE)
    settled = system.residual(coulomb)
    if settled < residual:
        system.keep()
        return settled
    system.restore()
    return residual
