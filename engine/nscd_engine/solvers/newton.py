"""Newton's method on the primal problem (docs/methods.md, sections 1 to 3): exact, unique, few factorisations.

Every value of `eps` is solved in turn, each from the one before. Where that is slow (structures near their limit, or
that slide) an interior point method goes directly to the last one. Then follow proximal rounds (method of multipliers):
the compliance acts on the change of the impulses since the round before, so that its effect vanishes and the rigid
problem is solved exactly. With Coulomb friction the rounds also update De Saxce's opening mu |u_t|.
"""

from __future__ import annotations

import functools
from typing import List, NamedTuple, Optional, Tuple

import numpy as np

from nscd_engine.core.monitor import Monitor
from nscd_engine.core.settings import Settings
from nscd_engine.core.structs import Problem
from nscd_engine.kernels.solvers import residuals
from nscd_engine.solvers import de_saxce, interior_point, tresca
from nscd_engine.solvers.primal.starts import resume
from nscd_engine.solvers.primal_system import System
from nscd_engine.solvers.solution import Report, Warm, report

#: Imbalance over the free impulse at which a regularised solve before the last counts as done [-]. Smaller: iterations
#: on a problem that is not the last. Larger: a worse start of the next one.
STAGE_TOLERANCE = 1e-8
#: Imbalance over the greatest momentum at which such a solve counts as done too [-]: the next one begins with about
#: that momentum out of balance. Smaller: iterations on a problem that is not the last. Larger: contacts begin the next
#: one in a wrong state.
STAGE_SHARE = 3.0
#: Iterations of Newton's method before the interior point method takes over [-]. Standing structures need 3 to 15,
#: large ones on arches up to 40, those that slide 20 to more than 100; the interior point method 12 to 40.
PATIENCE = 40
#: Imbalance over the free impulse at which it is given as many again [-]. Larger: iterations in vain where structures
#: slide. Smaller: interior points, whose result rounding spoils, where a structure is at its limit.
ALMOST = 1e-2
#: Iterations after which a large imbalance shows that Newton's method will be slow [-].
FIRST_LOOK = 5
#: That imbalance over the free impulse [-].
STILL_FAR = 5.0
#: Speed over the free one at which it does [-]. Larger: more iterations before interior points find how a structure
#: falls. Smaller: they take over from Newton's method where large structures stand.
FALLING = 0.1
#: Imbalance over the free impulse up to which a start from a similar problem is taken [-]. Larger: iterations from a
#: start that does not fit. Smaller: structures that changed a little start from rest.
SIMILAR = 0.1
#: Iterations of a round, and after the interior point method [-].
POLISH = 40
#: Speed over the free one at the last eps below which a structure may stand [-]: it then moves by 1e3 to 1e4 eps.
#: Larger: slow collapses are solved as if they stood, which fails. Smaller: standing structures take the slower rounds.
NEARLY_STILL = 1e-2
#: Factor on the regularisation about the compressed shape where contacts change their states [-]. Smaller: rounding.
#: Larger: more rounds.
FINER = 0.1
#: Imbalance after an iteration over that before, from which they do [-].
HARDLY = 0.5
#: Regularisation of the proximal rounds while something moves [-]. Smaller: the rounding of u_t / e dominates.
MOVING_EPS = 1e-6
#: Finest regularisation of such rounds [-].
FINEST_EPS = 1e-7
#: Coarsest regularisation of such rounds [-].
COARSEST_EPS = 1e-4
#: Slow rounds after which one is finer [-]: where blocks wedge, impulses grow by little a round.
LEAP_EVERY = 4
#: Factor on the regularisation in that round [-].
LEAP = 0.1
#: Rounds in a row without progress before the solve stalls [-].
MOST_SLOW_ROUNDS = 30
#: Most proximal rounds [-].
MOST_ROUNDS = 200
#: Residual over the least so far from which a round that settles a branch is slow [-]; most have 0.1 to 0.7. Larger:
#: rounds in vain. Smaller: the rounds of De Saxce, which take more factorisations, begin early.
SETTLES = 0.9
#: Slow rounds in a row after which it is not settled further [-]. Larger, smaller: as SETTLES.
UNSETTLED = 2
#: Most iterations if the user names no number [-]. Standing structures need 3 to 15, sliding collapse may need nearly
#: all. Smaller: such collapses end with the warning `not_converged`. The documentation of `Settings` names this number.
MOST_ITERATIONS = 2500


class Stages(NamedTuple):
    """What the regularised solves found."""

    eps: Tuple[float, ...]  # regularisations solved in turn [-]
    velocities: List[np.ndarray]  # [m/s, rad/s] (N, 6) after each of them
    still: bool  # the structure stands
    slow: bool  # Newton's method was slow, and interior points took over
    aimed: Optional[np.ndarray] = None  # [N s] (C, 3): as of `System.aimed`, after the first; None if it was slow


def solve(
    problem: Problem,
    warm: Optional[Warm],
    settings: Settings,
    monitor: Optional[Monitor] = None,
    most_moving: Optional[int] = None,
) -> Tuple[np.ndarray, Report]:
    """Impulses (C, 3) in the contact frames, and a Report.

    `most_moving` is the greatest number of iterations if something moves, that of the settings otherwise.
    """
    workspace = warm.workspace if warm else None
    system = System(problem, workspace, monitor, settings.threads, iterative=True, softened=True)
    if warm and warm.velocity is not None:
        system.start_at(warm.velocity)
    stages = _stages(system, settings.eps, warm.aimed if warm else None)
    most = settings.max_iterations or MOST_ITERATIONS
    if settings.friction == "coulomb" and not stages.still:
        most = most if most_moving is None else most_moving
        status = de_saxce.rounds(system, settings.tolerance, most, stages.slow)
    else:
        status = _rounds(system, settings, most, stages.eps[-1], stages.still)
    impulses = system.impulses()
    speeds = tuple(float(np.linalg.norm(v[:, :3], axis=1).max(initial=0.0)) for v in stages.velocities)
    found = report(problem, impulses, settings, system.iterations, status, (system.inverse, system.w))
    found = found._replace(factorizations=system.factorizations, products=system.products, eps=stages.eps, speed=speeds)
    if stages.still:
        found = found._replace(follow=functools.partial(_branch, system, stages), aimed=stages.aimed)
    return impulses, found


def from_nothing(problem: Problem, settings: Settings) -> tresca.Branch:
    """The Coulomb solution of a step in which something moves, reached from the unloaded state."""
    most = settings.max_iterations or MOST_ITERATIONS
    return tresca.from_nothing(System(problem, None, None, settings.threads), MOVING_EPS, most)


def release(problem: Problem, branch: tresca.Branch, settings: Settings) -> Tuple[np.ndarray, Report]:
    """The solution on a branch, to the tolerance: impulses (C, 3) in the contact frames, and a Report."""
    system = System(problem, None, None, settings.threads)
    system.move_to(branch.velocity, system.grouped_rows(branch.impulses))
    system.keep()
    if not branch.moves:
        _settle_branch(system, settings.eps[-1], settings.tolerance)
    status = de_saxce.rounds(system, settings.tolerance, settings.max_iterations or MOST_ITERATIONS, slow=False)
    impulses = system.impulses()
    found = report(problem, impulses, settings, system.iterations, status, (system.inverse, system.w))
    return impulses, found._replace(factorizations=system.factorizations)


def _settle_branch(system: System, eps: float, tolerance: float) -> None:
    """Solve about the compressed shape of a branch that stands, as long as the residual falls.

    As `_settle`, with friction bounded by mu times the normal impulses of the round before, as on the way to the
    branch: the impulses stay near it, and the states of the contacts are those of its factor.
    """
    best, slow = np.inf, 0
    system.bound_friction(system.friction_bounds())
    system.regularise(eps)
    for _ in range(MOST_ROUNDS):
        residual = system.residual(coulomb=True)
        slow = 0 if residual < SETTLES * best else slow + 1
        if residual < best:
            best = residual
            system.keep()
        if residual <= tolerance or slow == UNSETTLED:
            break
        system.bound_friction(system.friction_bounds())
        system.regularise(eps, system.aims())
        system.try_start(-system.base)
        system.descend(0.1 * tolerance, POLISH)
    system.bound_friction(None)
    system.restore()


def _branch(system: System, stages: Stages) -> tresca.Branch:
    """The Coulomb solution that is reached from the unloaded state, from the last of the regularised solutions."""
    system.move_to(stages.velocities[-1], system.work.gamma)
    system.regularise(stages.eps[-1])
    return tresca.follow(system, stages.eps[-1])


def _stages(system: System, eps_values: Tuple[float, ...], similar: Optional[np.ndarray] = None) -> Stages:
    """Solve the problem regularised by every eps in turn; `similar` (C, 3) is `System.aimed` of a similar problem."""
    solved: List[float] = []
    velocities: List[np.ndarray] = []
    aimed: Optional[np.ndarray] = None
    for eps in eps_values:
        system.regularise(eps)
        if solved:  # a standing structure moves in proportion to eps
            system.try_start((eps / solved[-1] - 1.0) * system.base)
        share = 0.0 if eps == eps_values[-1] else STAGE_SHARE
        if not (aimed is None and _is_similar(system, similar, share)) and not _is_quick(system, share):
            still = _leap(system, eps_values[-1])
            return Stages(tuple(solved) + (eps_values[-1],), velocities + [system.velocity()], still, True)
        aimed = system.aimed() if aimed is None else aimed
        solved.append(eps)
        velocities.append(system.velocity())
    system.keep()
    return Stages(tuple(solved), velocities, _is_shrinking(velocities), False, aimed)


def _is_similar(system: System, similar: Optional[np.ndarray], share: float) -> bool:
    """True if Newton's method has converged from the impulses of a similar problem; at rest again if not."""
    if similar is None:
        return False
    resume(system, similar)
    if system.size <= SIMILAR and system.descend(STAGE_TOLERANCE, FIRST_LOOK, share):
        return True
    system.discard_factor()
    system.start_at_rest()
    system.regularise(system.eps)
    return False


def _is_quick(system: System, share: float) -> bool:
    """Iterate by Newton's method as long as it makes progress; True if it has converged, or to `share` (`descend`)."""
    found = system.descend(STAGE_TOLERANCE, FIRST_LOOK, share)
    if not found and system.size > STILL_FAR and _is_faster(system, FALLING):
        return False
    if system.descend(STAGE_TOLERANCE, PATIENCE - FIRST_LOOK, share):
        return True
    return system.size <= ALMOST and system.descend(STAGE_TOLERANCE, PATIENCE, share)


def _is_faster(system: System, share: float) -> bool:
    """True if a component of a linear velocity is at least that share [-] of the free one."""
    fast = np.abs(system.velocity()[:, :3]).max(initial=0.0)
    return bool(fast >= share * residuals.free_velocity(system.problem))


def _leap(system: System, eps: float) -> bool:
    """Solve at eps by interior points; True if the structure stands.

    If it about does, Newton's method finishes the regularised solution. Otherwise the impulses are kept as they are:
    the rounding of velocities would spoil them at so small an eps, but they are a good centre for rounds with a larger
    one.
    """
    system.regularise(eps)
    impulses = interior_point.descend(system)
    velocity = system.velocity()
    still = not _is_faster(system, NEARLY_STILL) and system.descend(STAGE_TOLERANCE, POLISH)
    if not still:
        system.move_to(velocity, impulses)
    system.keep()
    return still


def _rounds(system: System, settings: Settings, most: int, eps: float, still: bool) -> str:
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
        system.regularise(eps, system.work.gamma.copy(), system.opening() if coulomb else None)
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
        if eps < COARSEST_EPS:  # too fine to make progress: once more, coarser
            eps, residual = 10.0 * eps, best
            system.restore()
        else:
            break
    system.restore()
    return "stalled"


def _is_shrinking(velocities: List[np.ndarray]) -> bool:
    """True if the motion vanishes with eps: the structure stands."""
    return len(velocities) > 1 and np.abs(velocities[-1]).max() < 0.1 * np.abs(velocities[0]).max()


def _settle(system: System, eps: float, tolerance: float, coulomb: bool, residual: float) -> float:
    """Solve about the compressed shape of a standing structure, as long as the residual falls; the residual.

    With y kept as the centre, u = 0 gives the same impulses and every contact its state, at the edge of the cone too:
    the factor still fits. In a proximal round such contacts would alternate between stick and slide. Where an
    iteration gains little, contacts change their states, and a finer compliance leads farther.
    """
    while residual > tolerance:
        centre = system.aims()
        system.regularise(eps, centre)
        system.try_start(-system.base)
        size = system.size
        if not system.descend(0.1 * tolerance, 1) and system.size > HARDLY * size:
            system.regularise(FINER * eps, centre)
            system.try_start(-system.base)
        system.descend(0.1 * tolerance, POLISH)
        before, residual = residual, system.residual(coulomb)
        if residual > before:
            system.restore()
            return before
        system.keep()
        if residual > 0.2 * before:
            break
    return residual
