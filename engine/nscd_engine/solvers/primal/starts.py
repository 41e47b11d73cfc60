"""Velocities from which Newton's method starts: the contacts of a similar problem are known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from nscd_engine.kernels.solvers import operators

if TYPE_CHECKING:
    from nscd_engine.solvers.primal_system import System

#: Friction over its limit below which a contact is predicted to stick [-]. Larger: contacts that slide are held.
STUCK = 1.0 - 1e-6


def predict(system: System, centre: np.ndarray, eps: float) -> None:
    """Move to the velocities at which contacts that carried keep their points and all others are open.

    `centre` (C, 3) are the impulses of the step before, grouped. While blocks turn, velocities of the step before
    do not fit the contacts of this one: they are off by w^2 r h, which is small, but large against the compliance,
    so that contacts seem to open or to slide.
    """
    grouped, work = system.grouped, system.work
    system.regularise(eps, centre)
    before, size = system.velocity(), system.size
    normal, tangent = centre[:, 0], np.hypot(centre[:, 1], centre[:, 2])
    closed = normal > 0.0
    stuck = closed & (tangent < STUCK * grouped.friction * normal)
    stiff = 1.0 / work.e[:, 0]
    work.G[:] = 0.0
    work.G[:, 0] = np.where(closed, stiff, 0.0)
    work.G[:, 3] = work.G[:, 5] = np.where(stuck, stiff, 0.0)
    y = work.target / work.e[:, [0, 1, 1]]
    work.gamma[:] = np.where(stuck[:, None], y, centre)
    work.gamma[:, 0] = np.where(closed, y[:, 0], 0.0)
    system.shifted_gradient()
    if system.factorise():
        system.solve_linear(-work.g, work.v)
        system.count_iteration()
    system.rebase()
    if not system.size < size:  # too many contacts have changed: back to the velocities of the step before
        system.base[:], work.v[:] = before, 0.0


def resume(system: System, aimed: np.ndarray) -> None:
    """Move to the solution for contacts that keep their states, if its gradient is smaller than that of the base.

    `aimed` (C, 3) are impulses before their projection, in the order of the problem, of a similar one: a contact
    that is open, sticks or slides there does so here, in the same direction. It is a Newton iteration that starts
    at those impulses. The velocities of the similar problem would not do: what they are off by is small, but large
    against the compliance.
    """
    work, size, target = system.work, system.size, system.work.target.copy()
    work.target[:] = system.grouped_rows(aimed)
    work.target[:, :1] *= work.e[:, :1]
    work.target[:, 1:] *= work.e[:, 1:]
    system.evaluate()  # at the base, so that impulses and stiffness are those of `aimed`
    u = target - work.target
    work.target[:] = target
    pushed = work.gamma.copy()
    for k, row in enumerate(((0, 1, 2), (1, 3, 4), (2, 4, 5))):
        pushed[:, k] += sum(work.G[:, i] * u[:, j] for j, i in enumerate(row))
    free = operators.velocity_after(system.problem, system.ungrouped(pushed), system.inverse) - system.base
    turning = np.einsum("nij,nj->ni", system.problem.inertia, free[:, 3:])
    if system.factorise():
        system.solve_linear(np.hstack([system.problem.mass[:, None] * free[:, :3], turning]), work.v)
        system.count_iteration()
        system.factored = system.eps
    system.size = system.evaluate()
    if not system.size < size:
        work.v[:] = 0.0
        system.size = system.evaluate()
