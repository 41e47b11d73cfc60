"""Interior point solve of the problem a System is aimed at: 12 to 30 factorisations however the structure falls."""

import numpy as np

from nscd_engine.kernels.linalg.cholesky import solve
from nscd_engine.kernels.solvers import interior_point as ip
from nscd_engine.kernels.solvers.hessian import inertial_gradient, relative_velocities, subtract_impulses

#: Iterations after which the path is left [-]; hard problems take 15 to 30.
MOST_ITERATIONS = 40
#: Mean complementarity over that of the start at which Newton's method takes over [-].
GAP = 1e-12
#: Share of the way to the boundary of the cones [-].
STAY_INSIDE = 0.99


class Path:
    """Point on the way to the solution: x = D gamma, z = D^-1 s, and what an iteration needs. C contacts."""

    def __init__(self, system):
        count = len(system.pairs.w)
        self.mu = np.where(system.pairs.friction > 0.0, system.pairs.friction, 1.0)
        self.x, self.z = np.zeros((count, 3)), np.zeros((count, 3))
        self.x[:, 0] = self.mu * system.scale
        self.z[:, 0] = system.scale * np.median(system.pairs.w) / self.mu
        self.scaling, self.point, self.push = np.empty((count, 4)), np.empty((count, 3)), np.empty((count, 3))
        self.step_x, self.step_z = np.zeros((count, 3)), np.zeros((count, 3))

    def gap(self, alpha=0.0):
        return ip.complementarity(self.x, self.z, self.step_x, self.step_z, alpha)

    def gamma(self):
        gamma = self.x.copy()
        gamma[:, 0] /= self.mu
        return gamma


def descend(system, gap=GAP):
    """Move the system from rest to about the solution of the problem it is aimed at; its impulses (C, 3), grouped."""
    path, work = Path(system), system.work
    system.base[:] = work.v[:] = 0.0
    start, stuck = path.gap(), 0
    for _ in range(MOST_ITERATIONS):
        if system.monitor is not None:
            system.monitor.report("solving by interior points, iteration {}".format(system.iterations + 1))
        if path.gap() <= gap * start or stuck > 2:
            break
        alpha = _iterate(system, path)
        if not alpha > 0.0:
            break
        stuck = stuck + 1 if alpha < 0.1 else 0
    system.factored = None
    system.rebase()
    return path.gamma()


def _iterate(system, path):
    """Affine step, Mehrotra's correction, and the step taken; 0 if rounding has spoilt the linear system."""
    problem, pairs, work = system.problem, system.pairs, system.work
    relative_velocities(pairs, work.v, 0, len(pairs.slot), work.u)
    inertial_gradient(problem, work.v, work.g)
    subtract_impulses(pairs, path.gamma(), 0, len(pairs.slot), work.g)
    ip.rescale(pairs, work.e, path.x, path.z, path.scaling, path.point, work.G)
    if not system.factorise():
        return 0.0
    system.iterations += 1
    unbalanced, gap = work.g.copy(), path.gap()
    path.step_x[:], path.step_z[:] = 0.0, 0.0
    alpha = _direction(system, path, unbalanced, 0.0)
    centring = gap * (path.gap(min(alpha, 1.0)) / gap) ** 3
    alpha = min(1.0, STAY_INSIDE * _direction(system, path, unbalanced, centring))
    if not np.isfinite(work.d).all():
        return 0.0
    path.x += alpha * path.step_x
    path.z += alpha * path.step_z
    work.v[:] += alpha * work.d
    path.step_x[:], path.step_z[:] = 0.0, 0.0
    return alpha


def _direction(system, path, unbalanced, centring):
    """Steps of v (in work.d), x and z towards complementarity `centring`; greatest part that stays in the cones."""
    pairs, work = system.pairs, system.work
    ip.right_side(
        pairs, work.e, -system.pull, path.x, work.u, path.z, path.scaling, path.point,
        path.step_x, path.step_z, centring, path.push,
    )  # fmt: skip
    pushed = np.empty_like(path.push)
    ip.stiff_times(work.G, path.push, pushed)
    work.g[:] = unbalanced
    subtract_impulses(pairs, pushed, 0, len(pairs.slot), work.g)
    solve(system.sym, work.factor, -work.g, work.d)
    relative_velocities(pairs, work.d, 0, len(pairs.slot), work.du)
    return ip.contact_steps(
        pairs, work.e, -system.pull, work.G, path.push, work.u, work.du, path.x, path.z,
        path.step_x, path.step_z,
    )  # fmt: skip
