"""Interior point solve of the rigid step problem: a bounded number of factorisations however the structure falls."""

import numpy as np

from .kernels import interior_point as ip
from .kernels.assembly import assemble, inertial_gradient, relative_velocities, subtract_impulses
from .kernels.cholesky import factor_range, solve

#: Iterations after which the path is given up [-]; hard problems take 15 to 30.
MOST_ITERATIONS = 60
#: Share of the way to the boundary of the cones [-].
STAY_INSIDE = 0.99


def descend(system, tolerance, monitor=None):
    """Move system.work to v, gamma with mean complementarity `tolerance` of its scale; True if reached."""
    problem, pairs, sym, work = system.problem, system.pairs, system.sym, system.work
    count, pair_count = len(pairs.w), len(pairs.slot)
    mu = np.where(pairs.friction > 0.0, pairs.friction, 1.0)
    force = system.scale
    fall = force * np.median(pairs.w)
    x, z = np.zeros((count, 3)), np.zeros((count, 3))
    x[:, 0], z[:, 0] = mu * force, fall / mu
    scaling, point, push = np.empty((count, 4)), np.empty((count, 3)), np.empty((count, 3))
    step_x, step_z, gamma = np.zeros((count, 3)), np.zeros((count, 3)), np.empty((count, 3))
    work.v[:] = 0.0
    start = ip.complementarity(x, z, step_x, step_z, 0.0)
    for k in range(MOST_ITERATIONS):
        if monitor is not None:
            monitor.report("solving by interior points, iteration {}".format(system.iterations + 1))
        relative_velocities(pairs, work.v, 0, pair_count, work.u)
        gamma[:] = x
        gamma[:, 0] /= mu
        mean = ip.complementarity(x, z, step_x, step_z, 0.0)
        inertial_gradient(problem, work.v, work.g)
        subtract_impulses(pairs, gamma, 0, pair_count, work.g)
        left = work.g.copy()
        size = np.abs(left).max() / system.scale
        if system.verbose:
            print("   ip", k, "mean %.2e g %.2e" % (mean / start, size))
        if mean <= tolerance * start and size <= tolerance:
            break
        ip.rescale(pairs, system.compliance, x, z, scaling, point, work.G)
        assemble(problem, pairs, work.G, sym, work.factor)
        if factor_range(sym, work.factor, work.arena, 0, len(sym.first) - 1) >= 0:
            return False
        system.iterations += 1
        step_x[:], step_z[:] = 0.0, 0.0
        for centring in (0.0, None):
            if centring is None:
                after = ip.complementarity(x, z, step_x, step_z, min(alpha, 1.0))
                centring = mean * (after / mean) ** 3
            ip.right_side(
                pairs, system.compliance, system.bias, x, work.u, z, scaling, point, step_x, step_z, centring, push
            )
            ip.stiff_times(work.G, push, gamma)
            work.g[:] = left
            subtract_impulses(pairs, gamma, 0, pair_count, work.g)
            solve(sym, work.factor, -work.g, work.d)
            relative_velocities(pairs, work.d, 0, pair_count, work.du)
            alpha = ip.contact_steps(
                pairs, system.compliance, system.bias, work.G, push, work.u, work.du, x, z, step_x, step_z
            )
        alpha = min(1.0, STAY_INSIDE * alpha)
        x += alpha * step_x
        z += alpha * step_z
        work.v[:] += alpha * work.d
        step_x[:], step_z[:] = 0.0, 0.0
    gamma[:] = x
    gamma[:, 0] /= mu
    work.gamma[:] = gamma
    return True
