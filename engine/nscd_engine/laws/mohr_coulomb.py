"""What joints can carry beyond friction, put into the problem of a step so that no solver need know of it.

A joint's strength: |T| <= c A + mu N and N >= -a (Mohr and Coulomb, cut off at the tension a <= c A / mu), N <= fc A.
Without the cap this is a friction cone with its apex at -a n, plus a disc of tangential forces up to r = c A - mu a:

- `pose`: the cone with another apex is the usual cone and a constant force -a n between the bodies, which is a load;
- `_with_discs`: the disc is a second contact at the same point, friction 1, whose normal impulse hardly varies:
  compliant, and pressed from the start by r; the pressure is taken back as a constant force again. While nothing moves
  it is exact;
- `_with_platens`: the cap is a second law behind the first, and what is in series needs a body in between: a platen on
  the side of block a, held by it across the joint, and along it with up to fc A and no more. Where the joint
  crushes the platen gives way, into block a. At rest it is exact, whatever the platen weighs.

Elastic joints have compliance; viscous ones too, without a memory. Bonds that soften: `kernels.softening`.
"""

from typing import NamedTuple

import numpy as np

from nscd_engine.core.structs import Problem
from nscd_engine.kernels.solvers import operators, residuals

#: Speed, over a speed of the problem, that changes the radius of a disc by its own size [-]. Larger: nearer to a disc
#: while the joint slides, but the residual is that much coarser.
DISC_SPEED = 100.0
#: Least and greatest part of the tangential stiffness of a joint that its cone has; its disc has the rest [-].
LEAST_PART = 0.1
#: Mass of all platens of two blocks over that of the blocks, as it shows at the joint [-]. Smaller: rounding of the
#: force that presses them shows in their speed. Larger: in a motion the blocks are slow by that much.
PLATEN_MASS = 30.0
#: Force across the joint that a platen passes on, over the greatest that its contact can have [-].
PLATEN_HOLD = 1.1


class Posed(NamedTuple):
    """A problem with laws: C contacts, then D discs, then 3 links of each of P platens; N bodies, then P platens."""

    problem: Problem
    pressed: np.ndarray  # [N s] (C + D + 3 P,): constant normal impulse that is taken back
    disc: np.ndarray  # (D,) int64: contact that each disc belongs to
    platen: np.ndarray  # (P,) int64: contact that each platen belongs to


def pose(problem, law, step, softness, speed=0.0, platen_velocity=None):
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
        Of joints that slide [m/s], if it is more than that of the bodies without contacts.
    platen_velocity : array (P, 6), optional
        Of the platens without contacts; 0 if it is not given.

    Returns
    -------
    Posed
    """
    compliance = problem.compliance + softness / law.stiffness
    compliance[:, 1] += 1.0 / (step * law.viscosity)
    disc, radius = discs(law)
    pressed, bias = step * law.tension, problem.bias.copy()
    bias[:, 0] -= softness / law.stiffness[:, 0] * pressed  # springs are at rest without a force, not at the apex
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


def discs(law):
    """Contacts whose strength needs a disc of shear (D,), and its radii [N] (D,)."""
    radius = law.cohesion - law.friction * law.tension
    disc = np.flatnonzero(radius > 1e-12 * law.cohesion)
    return disc, radius[disc]


def _with_discs(problem, law, disc, radius, speed):
    """The problem with a contact more for each disc; the tangential stiffness of the joint is shared with its cone."""
    part = np.clip(law.friction[disc] * law.tension[disc] / law.cohesion[disc], LEAST_PART, 1.0 - LEAST_PART)
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
    """The problem with a body at each capped contact and three links of it to block a; what presses the links (3 P,).

    Links have no friction. That along the normal pulls the platen back, against the constant force fc A that drives it
    onto block b; those across, pressed by more than they will ever be asked for, hold both ways.
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
    """Masses [kg] (P,) and inertias (P, 3, 3): of the platens of two blocks in proportion to their areas."""
    pair = problem.body[platen].astype(np.int64) @ [len(problem.mass) + 2, 1]
    _, of = np.unique(pair, return_inverse=True)
    cap = law.compression[platen]
    share = cap / np.bincount(of, cap)[of]
    w = operators.mobility(problem, operators.inverse_inertia(problem))[platen]
    mass = PLATEN_MASS * share / w
    reach = (problem.arm[platen] ** 2).sum(axis=2).max(axis=1)
    return mass, (mass * reach)[:, None, None] * np.eye(3)


def joined(posed, impulses):
    """Impulses of the joints (C, 3): what the solver found, without the constant ones, discs added, links left out."""
    real = impulses[: len(impulses) - 3 * len(posed.platen)].copy()
    real[:, 0] -= posed.pressed[: len(real)]
    count = len(real) - len(posed.disc)
    real[posed.disc] += real[count:]
    return real[:count]
