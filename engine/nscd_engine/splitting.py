"""Splitting solve of the problem of a step: many cheap iterations with one factor, for blocks that slide and hit.

From the step before it is some twenty iterations, however many contacts change between stick, slide and open; Newton's
method has to find out which do, and interior points start from nothing.
"""

import numpy as np

from .kernels.splitting import alternate

#: 1 / (R w) [-]: smaller, and the friction law comes late; larger, and blocks tremble.
SOFTNESS = 0.03


def descend(system, impulses, velocity, coulomb, tolerance, most):
    """Impulses (C, 3) in grouped order and velocities (N, 6), in balance with each other, from those given.

    `tolerance` is how far the impulses may be from the friction cones, or from complementarity, in the mean and over
    the free impulse.
    """
    pairs, work = system.pairs, system.work
    hardness = 1.0 / (SOFTNESS * pairs.w)
    work.G[:] = 0.0
    work.G[:, 0] = work.G[:, 3] = work.G[:, 5] = hardness
    system.factored = None
    v = velocity.copy()
    if not system.factorise():
        return impulses, v
    acting = np.empty_like(impulses)
    system.iterations += alternate(
        system.problem, pairs, system.sym, work.factor, system.compliance, system.bias, hardness, coulomb, most,
        tolerance * system.scale, v, impulses.copy(), acting,
    )  # fmt: skip
    return acting, v
