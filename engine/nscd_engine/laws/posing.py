"""Laws of contact points put into the problem of a step, so that solvers see friction cones only.

The strength of `laws.mohr_coulomb` takes three devices:

- `pose`: a cone with its apex at -a n is the usual cone and a constant force -a n between the bodies, which is a load;
- `_with_discs`: a disc of shear is a second contact at the same point, of friction 1, whose normal impulse hardly
  varies: it is compliant, and pressed by r from the start; a constant force takes the pressure back. This is exact
  while nothing moves;
- `_with_platens`: a cap of compression is a second law in series with the first, so a body is put between them. This
  platen is held by block a, across the joint and along it, along it with up to fc A. Where the joint crushes, the
  platen moves into block a. This is exact at rest, whatever the mass of the platen.

Elastic and viscous joints are compliant contacts. Bonds that soften: `laws.softening`.
"""

from __future__ import annotations

from typing import NamedTuple, Optional

import numpy as np

from nscd_engine.core.structs import Problem
from nscd_engine.kernels.solvers import operators, residuals
from nscd_engine.laws.mohr_coulomb import PointLaw, shear_discs

#: Speed over a speed of the problem that changes the radius of a disc by its own size [-]. Larger: nearer to a disc
#: while the joint slides, but the residual is coarser in proportion.
DISC_SPEED = 100.0
#: Least share of the tangential stiffness of a joint that its cone has, and its disc [-]. Smaller: one of the two is so
#: soft that iterations are many. Larger: shear is shared less as their strengths are.
LEAST_PART = 0.1
#: Mass of all platens of two blocks over the effective mass of the blocks at the joint [-]. Smaller: rounding of the
#: force that presses them shows in their speed. Larger: in a motion the blocks would be slow in proportion.
PLATEN_MASS = 30.0
#: Force across the joint that a platen can pass on, over the greatest of its contact [-]. Up to 1: the platen slips
#: before the contact does. Larger: a coarser residual.
PLATEN_HOLD = 1.1


class Posed(NamedTuple):
    """A problem with laws: C contacts, then D discs, then 3 links of each of P platens; N bodies, then P platens."""

    problem: Problem
    pressed: np.ndarray  # [N s] (C + D + 3 P,): constant normal impulse in the cones, taken back as a load
    disc: np.ndarray  # (D,) int64: contact that each disc belongs to
    platen: np.ndarray  # (P,) int64: contact that each platen belongs to


def without_laws(problem: Problem) -> Posed:
    """The problem as it is, of contacts with friction alone."""
    none = np.zeros(0, np.int64)
    return Posed(problem, np.zeros(len(problem.friction)), none, none)


def pose(
    problem: Problem,
    law: PointLaw,
    step: float,
    softness: float,
    speed: float = 0.0,
    platen_velocity: Optional[np.ndarray] = None,
) -> Posed:
    """The problem with the laws of its contacts.

    Parameters
    ----------
    problem : Problem
        Of rigid joints with friction.
    law : PointLaw
    step : float
        [s]
    softness : float
        Compliance times stiffness [1/s2]: 1 / step^2 in a motion.
    speed : float, optional
        Speed of sliding joints [m/s], if it exceeds that of the bodies without contacts.
    platen_velocity : array (P, 6), optional
        Velocity of the platens without contacts [m/s, rad/s]. Default: 0.

    Returns
    -------
    Posed
    """
    compliance = problem.compliance + softness / law.stiffness
    compliance[:, 1] += 1.0 / (step * law.viscosity)
    disc, radius = shear_discs(law)
    pressed, bias = step * law.tension, problem.bias.copy()
    bias[:, 0] -= softness / law.stiffness[:, 0] * pressed  # springs are unstretched at zero force, not at the apex
    problem = problem._replace(friction=law.friction, compliance=compliance, bias=bias)
    if len(disc):
        speed = DISC_SPEED * (max(speed, residuals.free_velocity(problem)) or 1.0)
        problem = _with_discs(problem, law, disc, step * radius, speed)
        pressed = np.append(pressed, step * radius)
    platen = np.flatnonzero(np.isfinite(law.compression))
    if len(platen):
        problem, held = _with_platens(problem, law, disc, platen, step, platen_velocity)
        pressed = np.append(pressed, held)
    if pressed.any():
        back = np.zeros((len(pressed), 3))
        back[:, 0] = -pressed
        v_free = operators.velocity_after(problem, back, operators.inverse_inertia(problem))
        problem = problem._replace(v_free=v_free)
    return Posed(problem, pressed, disc, platen)


def _with_discs(problem, law, disc, radius, speed):
    """The problem with a contact more for each disc; the tangential stiffness of the joint is shared with its cone."""
    strength = np.where(law.tension[disc] > 0.0, law.cohesion[disc], 1.0)  # a point that crushes needs no cohesion
    part = np.clip(law.friction[disc] * law.tension[disc] / strength, LEAST_PART, 1.0 - LEAST_PART)
    compliance, bias = problem.compliance.copy(), problem.bias[disc].copy()
    soft = np.stack([speed / radius, compliance[disc, 1] / (1.0 - part)], axis=1)
    compliance[disc, 1] /= part
    bias[:, 0] = -speed
    return _appended(
        problem._replace(compliance=compliance),
        problem.body[disc], problem.arm[disc], problem.frame[disc], bias, np.ones(len(disc)), soft,
    )  # fmt: skip


def _appended(problem, body, arm, frame, bias, friction, compliance):
    """The problem with more contacts."""
    more = {"body": body, "arm": arm, "frame": frame, "bias": bias, "friction": friction, "compliance": compliance}
    return problem._replace(**{key: np.concatenate([getattr(problem, key), rows]) for key, rows in more.items()})


def _with_platens(problem, law, disc, platen, step, velocity):
    """The problem with a platen at each capped contact and three links from it to block a; impulses that press the
    links [N s] (3 P,).

    Links have no friction. The one along the normal pulls the platen back, against the constant force fc A that pushes
    it onto block b. The two across are pressed by more than the contact can transmit, so they hold both ways.
    """
    count, bodies = len(platen), len(problem.mass)
    mass, inertia = _platens(problem, law, platen)
    rows = bodies + np.arange(count, dtype=np.int32)
    at_disc = np.flatnonzero(np.isin(disc, platen))
    mine = np.append(platen, len(law.friction) + at_disc)
    body, arm = problem.body.copy(), problem.arm.copy()
    links = np.repeat(np.stack([problem.body[platen, 0], rows], axis=1), 3, axis=0)
    link_arm = np.zeros((3 * count, 2, 3))
    link_arm[:, 0] = np.repeat(problem.arm[platen, 0], 3, axis=0)
    body[mine, 0] = np.append(rows, rows[np.searchsorted(platen, disc[at_disc])])
    arm[mine, 0] = 0.0
    n, t, s = problem.frame[platen].transpose(1, 0, 2)
    frame = np.stack([np.stack(axes, axis=1) for axes in ((-n, s, t), (t, s, -n), (s, n, t))], axis=1)
    cap = law.compression[platen]
    hold = PLATEN_HOLD * (law.cohesion[platen] + law.friction[platen] * cap)
    rest = np.zeros((count, 6)) if velocity is None else velocity
    problem = problem._replace(
        mass=np.append(problem.mass, mass),
        inertia=np.concatenate([problem.inertia, inertia]),
        v_free=np.concatenate([problem.v_free, rest]),
        body=body,
        arm=arm,
    )
    none = np.zeros((3 * count, 3))
    problem = _appended(
        problem, links, link_arm, frame.reshape(-1, 3, 3), none, np.zeros(3 * count), np.zeros((3 * count, 2))
    )
    return problem, step * np.stack([cap, hold, hold], axis=1).ravel()


def _platens(problem, law, platen):
    """Masses [kg] (P,) and inertias [kg m2] (P, 3, 3) of platens; those of one pair of blocks are as their caps."""
    pair = problem.body[platen].astype(np.int64) @ [len(problem.mass) + 2, 1]
    _, of = np.unique(pair, return_inverse=True)
    cap = law.compression[platen]
    share = cap / np.bincount(of, cap)[of]
    w = operators.mobility(problem, operators.inverse_inertia(problem))[platen]
    mass = PLATEN_MASS * share / w
    reach = (problem.arm[platen] ** 2).sum(axis=2).max(axis=1)
    return mass, (mass * reach)[:, None, None] * np.eye(3)


def joined(posed: Posed, impulses: np.ndarray) -> np.ndarray:
    """Impulses of the contacts [N s] (C, 3) from those of the posed problem (C + D + 3 P, 3).

    The constant impulses are taken off, discs are added to their contacts, links are left out.
    """
    real = impulses[: len(impulses) - 3 * len(posed.platen)].copy()
    real[:, 0] -= posed.pressed[: len(real)]
    count = len(real) - len(posed.disc)
    real[posed.disc] += real[count:]
    return real[:count]
