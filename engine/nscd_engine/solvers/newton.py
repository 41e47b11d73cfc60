"""Newton's method on the primal (METHODS M1 to M3): exact, unique, a handful of factorisations.

Every value of `eps` is solved in turn, each from the one before. Where that is slow (structures near their limit, or
that slide) an interior point method goes straight to the last one. Then follow proximal rounds (method of multipliers):
the compliance acts on the change of the impulses since the round before, so that its effect dies out and the rigid
problem is solved exactly. With Coulomb friction the rounds also update the opening mu |u_t| of De Saxce's form.
"""

import numpy as np

from nscd_engine.kernels.solvers import residuals
from nscd_engine.solvers import de_saxce, interior_point
from nscd_engine.solvers.primal_system import System
from nscd_engine.solvers.solution import report

#: Gradient over the free impulse at which a regularised solve on the way counts as done [-].
STAGE_TOLERANCE = 1e-8
#: Iterations that Newton's method is given before the interior point method takes over [-]. Standing structures need 3
#: to 15, those that slide 20 to more than 100; the interior point method 12 to 40.
PATIENCE = 18
#: Iterations after which a gradient of so many times the free impulse means that it will be slow [-].
FIRST_LOOK, STILL_FAR = 5, 5.0
#: Iterations of a round, and those to finish what the interior point method found [-].
POLISH = 40
#: Speed over the free one at the last eps up to which a structure may stand [-]: it then moves by 1e3 to 1e4 eps.
NEARLY_STILL = 1e-2
#: Regularisation of the proximal rounds while something moves [-]: finer, rounding of u_t / e drowns the answer.
MOVING_EPS = 1e-6
#: The finest and the softest that rounds are tried with while something moves [-].
FINEST_EPS, COARSEST_EPS = 1e-7, 1e-4
#: Where blocks wedge, impulses grow by little a round: every so many slow rounds one is so much finer [-].
LEAP_EVERY, LEAP = 4, 0.1
#: Rounds in a row that may leave the residual as it was [-].
MOST_SLOW_ROUNDS = 30
#: Most proximal rounds [-].
MOST_ROUNDS = 200
#: Iterations if the user names no number [-].
MOST_ITERATIONS = 500


def solve(problem, warm, settings, monitor=None):
    """Impulses (C, 3) in the contact frames, and a Report."""
    system = System(problem, warm.cache if warm else None, monitor, settings.threads)
    if warm and warm.velocity is not None:
        system.work.v[:] = warm.velocity
    eps, velocities, still, hard = _stages(system, settings.eps)
    most = settings.max_iterations or MOST_ITERATIONS
    if settings.friction == "coulomb" and not still:
        status = de_saxce.rounds(system, settings.tolerance, most, hard)
    else:
        status = _rounds(system, settings, most, eps[-1], still)
    impulses = system.impulses()
    speeds = tuple(float(np.linalg.norm(v[:, :3], axis=1).max(initial=0.0)) for v in velocities)
    count, known = (system.iterations, system.factorizations), (system.inverse, system.w)
    return impulses, report(problem, impulses, settings, *count, status, eps, speeds, known)


def _stages(system, stages):
    """Solve the problem regularised by every eps in turn: those solved, velocities; does it stand, was it hard."""
    solved, velocities = [], []
    for eps in stages:
        system.aim(eps)
        if solved:  # a standing structure moves in proportion to eps
            system.try_start((eps / solved[-1] - 1.0) * system.base)
        if not _quick(system):
            still = _leap(system, stages[-1])
            return tuple(solved) + (stages[-1],), velocities + [system.velocity()], still, True
        solved.append(eps)
        velocities.append(system.velocity())
    system.keep()
    return tuple(solved), velocities, _shrinking(velocities), False


def _quick(system):
    """Descend by Newton's method as long as it does well; True if it got there."""
    if not system.descend(STAGE_TOLERANCE, FIRST_LOOK) and system.size > STILL_FAR:
        return False
    return system.descend(STAGE_TOLERANCE, PATIENCE - FIRST_LOOK)


def _leap(system, eps):
    """Solve at eps by interior points; True if the structure is about still.

    Then Newton's method finishes the regularised solution; the impulses of a structure that moves are kept as they are:
    rounding of its velocities would drown them at so small an eps, but they are a good centre for rounds with a larger.
    """
    system.aim(eps)
    impulses = interior_point.descend(system)
    velocity = system.velocity()
    fast = np.abs(velocity[:, :3]).max(initial=0.0)
    still = fast < NEARLY_STILL * residuals.free_velocity(system.problem) and system.descend(STAGE_TOLERANCE, POLISH)
    if not still:
        system.move_to(velocity, impulses)
    system.keep()
    return still


def _rounds(system, settings, most, eps, still):
    """Proximal rounds until the residual is below the tolerance; the status."""
    coulomb = settings.friction == "coulomb"
    residual, tolerance = system.residual(coulomb), 0.1 * settings.tolerance
    if still:
        residual = _settle(system, eps, settings.tolerance, coulomb, residual)
    else:
        eps = max(eps, MOVING_EPS)
    slow, best, finest = 0, residual, min(eps, FINEST_EPS)
    for _ in range(MOST_ROUNDS):
        if residual <= settings.tolerance:
            return "converged"
        if system.iterations > most:
            system.restore()
            return "exhausted"
        system.aim(eps, system.work.gamma.copy(), system.opening() if coulomb else None)
        done = system.descend(tolerance, POLISH)
        before, residual = residual, system.residual(coulomb)
        slow = slow + 1 if residual > 0.5 * before else 0
        if slow:
            eps = max(0.1 * eps, finest) if slow % LEAP_EVERY else LEAP * finest
            tolerance = max(0.1 * tolerance, 1e-15)
        if slow == MOST_SLOW_ROUNDS:  # the impulses that would stop the blocks are out of reach
            break
        if residual < best:
            best = residual
            system.keep()
        if done or residual < 0.5 * before:
            continue
        if eps < COARSEST_EPS:  # too fine to make progress: once more, softer
            eps, residual = 10.0 * eps, best
            system.restore()
        else:
            break
    system.restore()
    return "stalled"


def _shrinking(velocities):
    """True if the motion vanishes with eps: the structure stands."""
    return len(velocities) > 1 and np.abs(velocities[-1]).max() < 0.1 * np.abs(velocities[-2]).max()


def _settle(system, eps, tolerance, coulomb, residual):
    """Take the compression of a standing structure for its rest shape and solve about it, while it helps; residual.

    With y kept as the centre, u = 0 gives back the impulses and every contact its state, at the edge of the cone too:
    the factor at hand still fits, where a proximal round would have contacts flicker between stick and slide.
    """
    while residual > tolerance:
        system.aim(eps, (system.work.target - system.work.u) / system.work.e[:, [0, 1, 1]])
        system.try_start(-system.base)
        system.descend(0.1 * tolerance, PATIENCE)
        before, residual = residual, system.residual(coulomb)
        if residual > before:
            system.restore()
            return before
        system.keep()
        if residual > 0.2 * before:
            break
    return residual
