"""Interior point solve of the regularised problem of a System: Mehrotra's predictor-corrector.

12 to 30 factorisations, however the structure falls (docs/methods.md, section 2.4).
"""

from __future__ import annotations

import numpy as np

from nscd_engine.kernels.solvers import interior_point as ip
from nscd_engine.solvers.primal_system import System

#: Most iterations [-]; sliding structures take 15 to 30. Smaller: Newton's method starts far from the solution.
MOST_ITERATIONS = 40
#: Mean complementarity over that at the start, at which Newton's method takes over [-]. Larger: more Newton iterations.
#: Smaller: rounding stops the path.
GAP = 1e-12
#: Share of the step to the boundary of the cones [-]. Larger: the next steps are short. Smaller: more iterations.
STAY_INSIDE = 0.99
#: Step length below which an iteration counts as stuck [-].
SHORT_STEP = 0.1
#: Stuck iterations in a row that are allowed [-].
MOST_STUCK = 2


class Path:
    """The iterate, from the axis of the cones to the solution: x = D gamma, z = D^-1 s. C contacts, grouped."""

    def __init__(self, system: System) -> None:
        grouped = system.grouped
        self.cones = ip.ConeProblem(grouped.friction, system.work.e, -system.pull)
        self.mu = np.where(grouped.friction > 0.0, grouped.friction, 1.0)
        soft = np.median(grouped.w) if len(grouped.w) else 1.0
        self.point = ip.cone_point(self.mu * system.scale, system.scale * soft / self.mu)

    def gap(self, alpha: float = 0.0) -> float:
        """Mean complementarity, after a step of length alpha."""
        return ip.complementarity(self.point, alpha)

    def gamma(self) -> np.ndarray:
        """Impulses [N s] (C, 3), grouped."""
        gamma = self.point.x.copy()
        gamma[:, 0] /= self.mu
        return gamma

    def clear_steps(self) -> None:
        """Set the steps to 0."""
        self.point.step_x[:], self.point.step_z[:] = 0.0, 0.0

    def advance(self, alpha: float) -> None:
        """Go a step of length alpha."""
        self.point.x[:] += alpha * self.point.step_x
        self.point.z[:] += alpha * self.point.step_z
        self.clear_steps()


def descend(system: System, gap: float = GAP) -> np.ndarray:
    """Move the system from rest to about the solution of its regularised problem; the impulses (C, 3), grouped."""
    system.use_factor()  # the matrices become too ill-conditioned for conjugate gradients
    path = Path(system)
    system.start_at_rest()
    start, stuck = path.gap(), 0
    for _ in range(MOST_ITERATIONS):
        if system.monitor is not None:
            system.monitor.report("solving by interior points, iteration {}".format(system.iterations + 1))
        if path.gap() <= gap * start or stuck > MOST_STUCK:
            break
        alpha = _iterate(system, path)
        if not alpha > 0.0:
            break
        stuck = stuck + 1 if alpha < SHORT_STEP else 0
    system.discard_factor()
    system.rebase()
    return path.gamma()


def _iterate(system: System, path: Path) -> float:
    """Affine step, Mehrotra's correction, and the step taken: its length; 0 if rounding has spoilt the matrix."""
    work = system.work
    system.relative_velocities(work.v, work.u)
    system.gradient(work.v, path.gamma(), work.g)
    ip.rescale(system.grouped.friction, work.e, path.point, work.G)
    if not system.factorise():
        return 0.0
    system.count_iteration()
    unbalanced, gap = work.g.copy(), path.gap()
    path.clear_steps()
    alpha = _direction(system, path, unbalanced, 0.0)
    centring = gap * (path.gap(min(alpha, 1.0)) / gap) ** 3
    alpha = min(1.0, STAY_INSIDE * _direction(system, path, unbalanced, centring))
    if not np.isfinite(work.d).all():
        return 0.0
    path.advance(alpha)
    work.v[:] += alpha * work.d
    return alpha


def _direction(system: System, path: Path, unbalanced: np.ndarray, centring: float) -> float:
    """Steps of v (in work.d), x and z towards complementarity `centring`; greatest step that stays in the cones."""
    work, point = system.work, path.point
    ip.right_side(path.cones, point, work.u, centring)
    pushed = np.empty_like(point.push)
    ip.stiff_times(work.G, point.push, pushed)
    work.g[:] = unbalanced
    system.subtract_impulses(pushed, work.g)
    system.solve_linear(-work.g, work.d)
    system.relative_velocities(work.d, work.du)
    return ip.contact_steps(path.cones, point, work.G, work.u, work.du)
