"""What joints can carry beyond friction, put into the problem of a step so that no solver need know of it.

A joint's strength: |T| <= c A + mu N and N >= -a (Mohr and Coulomb, cut off at the tension a <= c A / mu). This set is
a friction cone with its apex at -a n, plus a disc of tangential forces up to r = c A - mu a:

- the cone with another apex is the usual cone and a constant force -a n between the two bodies, which is a load;
- the disc is a second contact at the same point, friction 1, whose normal impulse hardly varies: compliant, and pressed
  from the start by r; the pressure is taken back as a constant force again. While nothing moves it is exact.

Elastic joints have compliance; viscous ones too, without a memory.
"""

from typing import NamedTuple

import numpy as np

from compas_nscd.errors import NotAvailableError
from nscd_engine import model as m
from nscd_engine.kernels import measures
from nscd_engine.model import law_of
from nscd_engine.structs import Problem

#: A tie holds this many times all weights and loads, at every point [-]. Larger: forces lose digits.
TIE = 100.0
#: Friction of what is tied [-].
TIE_FRICTION = 1.0
#: Speed, over a speed of the problem, that changes the radius of a disc by its own size [-]. Larger: nearer to a disc
#: while the joint slides, but the residual is that much coarser.
DISC_SPEED = 100.0
#: Least and greatest part of the tangential stiffness of a joint that its cone has; its disc has the rest [-].
LEAST_PART = 0.1
_TINY = np.finfo(float).tiny


class PointLaw(NamedTuple):
    """Laws of C contacts, times their areas."""

    friction: np.ndarray  # [-] (C,)
    cohesion: np.ndarray  # [N] (C,)
    tension: np.ndarray  # [N] (C,): greatest, at most that of the apex
    stiffness: np.ndarray  # [N/m] (C, 2): normal, tangential; inf: rigid
    viscosity: np.ndarray  # [N s/m] (C,); inf: none
    brittle: np.ndarray  # (C,) bool: what is broken stays broken


class Posed(NamedTuple):
    """A problem with laws: C contacts, then D discs."""

    problem: Problem
    pressed: np.ndarray  # [N s] (C + D,): constant normal impulse that is taken back
    disc: np.ndarray  # (D,) int64: contact that each disc belongs to


def beyond_friction(model):
    """Which laws (rows of Model.law) say more than friction, or what only a motion uses."""
    known = ~np.isnan(model.law[:, [m.COHESION, m.STIFFNESS_N, m.STIFFNESS_T, m.VISCOSITY]])
    return known.any(axis=1) | (model.law[:, m.TIED] > 0.0)


def is_plain(model):
    """Whether all joints have friction alone, at rest."""
    return not beyond_friction(model).any()


def require_plain(model, case, what):
    """Refuse laws and cables that an analysis would leave out."""
    if not is_plain(model) or case.get("cables") is not None:
        raise NotAvailableError(
            "{} of joints with cohesion, stiffness or viscosity, or of cables, is not available.".format(what),
            remedy="Give the joints friction alone (kind coulomb), or analyse the structure under its loads.",
        )


def tributary_areas(interfaces, contacts):
    """Area of the joint that each contact stands for [m2] (C,): they sum up to it, and their centre is its centre.

    About the centroid of the convex outline a contact has half of the two triangles beside it.
    """
    start, count = interfaces.contact_start, np.diff(interfaces.contact_start)
    of = np.repeat(np.arange(len(count)), count)
    equal = (interfaces.area / np.maximum(count, 1))[of]
    if not len(of):
        return equal
    following = np.arange(1, len(of) + 1)
    following[start[1:][count > 0] - 1] = start[:-1][count > 0]
    p, n = contacts.point, interfaces.normal[of]
    first = p[start[:-1][of]]
    fan = _twice_area(p - first, p[following] - first, n)
    total = np.bincount(of, fan, len(count))
    flat = ~(total > 0.0)
    weight = fan / np.where(flat, 1.0, total)[of]
    third = (first + p + p[following]) / 3.0
    centre = np.stack([np.bincount(of, weight * x, len(count)) for x in third.T], axis=1)[of]
    triangle = _twice_area(p - centre, p[following] - centre, n)
    both = triangle.copy()
    both[following] += triangle
    both *= (interfaces.area / np.where(flat, 1.0, 2.0 * total))[of]
    bad = flat | (np.minimum.reduceat(both, start[:-1]) <= 0.0)
    return np.where(bad[of], equal, both)


def _twice_area(a, b, n):
    return np.einsum("ci,ci->c", np.cross(a, b), n)


def point_law(model, contacts, area):
    """Laws of contacts whose areas are known; what has no area has friction alone."""
    has = area > 0.0

    def times_area(column, silent):
        value = law_of(model, contacts.body, column)
        return np.where(np.isnan(value) | ~has, silent, value * area)

    friction = contacts.friction.copy()
    cohesion = times_area(m.COHESION, 0.0)
    apex = np.where(friction > 0.0, cohesion / np.where(friction > 0.0, friction, 1.0), np.inf)
    tension = np.minimum(times_area(m.TENSION, np.inf), np.where(cohesion > 0.0, apex, 0.0))
    tied = (law_of(model, contacts.body, m.TIED) > 0.0) & has
    friction[tied] = TIE_FRICTION
    cohesion[tied] = tension[tied] = TIE * _all_forces(model)
    tension[np.isinf(tension)] = 0.0  # cohesion without friction, and no word about tension
    stiffness = np.stack([times_area(column, np.inf) for column in (m.STIFFNESS_N, m.STIFFNESS_T)], axis=1)
    brittle = (law_of(model, contacts.body, m.BRITTLE) > 0.0) & has
    return PointLaw(friction, cohesion, tension, stiffness, times_area(m.VISCOSITY, np.inf), brittle)


def _all_forces(model):
    """Weights and loads [N]."""
    free = model.bodies.free >= 0
    weight = model.bodies.mass[free] * np.linalg.norm(model.gravity)
    return float(weight.sum() + np.linalg.norm(model.load[free, :3], axis=1).sum()) or 1.0


def without_bond(law, lost):
    """The laws where contacts (C,) bool have lost cohesion and tension."""
    return law._replace(cohesion=np.where(lost, 0.0, law.cohesion), tension=np.where(lost, 0.0, law.tension))


def pose(problem, law, step, softness, speed=0.0):
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

    Returns
    -------
    Posed
    """
    compliance = problem.compliance + softness / law.stiffness
    compliance[:, 1] += 1.0 / (step * law.viscosity)
    radius = law.cohesion - law.friction * law.tension
    disc = np.flatnonzero(radius > 1e-12 * law.cohesion)
    pressed, bias = step * law.tension, problem.bias.copy()
    bias[:, 0] -= softness / law.stiffness[:, 0] * pressed  # springs are at rest without a force, not at the apex
    problem = problem._replace(friction=law.friction, compliance=compliance, bias=bias)
    if len(disc):
        speed = DISC_SPEED * (max(speed, measures.free_velocity(problem)) or 1.0)
        problem = _with_discs(problem, law, disc, step * radius[disc], speed)
        pressed = np.append(pressed, step * radius[disc])
    if pressed.any():
        back = np.zeros((len(pressed), 3))
        back[:, 0] = -pressed
        v_free = measures.velocity_after(problem, back, measures.inverse_inertia(problem))
        problem = problem._replace(v_free=v_free)
    return Posed(problem, pressed, disc)


def _with_discs(problem, law, disc, radius, speed):
    """The problem with a contact more for each disc; the tangential stiffness of the joint is shared with its cone."""
    part = np.clip(law.friction[disc] * law.tension[disc] / law.cohesion[disc], LEAST_PART, 1.0 - LEAST_PART)
    compliance, bias = problem.compliance.copy(), problem.bias[disc].copy()
    soft = np.stack([speed / radius, compliance[disc, 1] / (1.0 - part)], axis=1)
    compliance[disc, 1] /= part
    bias[:, 0] = -speed
    return problem._replace(
        body=np.concatenate([problem.body, problem.body[disc]]),
        arm=np.concatenate([problem.arm, problem.arm[disc]]),
        frame=np.concatenate([problem.frame, problem.frame[disc]]),
        bias=np.concatenate([problem.bias, bias]),
        friction=np.append(problem.friction, np.ones(len(disc))),
        compliance=np.concatenate([compliance, soft]),
    )


def joined(posed, impulses):
    """Impulses of the joints (C, 3): what the solver found (C + D, 3), without the constant ones, discs added."""
    real = impulses.copy()
    real[:, 0] -= posed.pressed
    count = len(real) - len(posed.disc)
    real[posed.disc] += real[count:]
    return real[:count]


def used(law, force):
    """Share of its strength that each contact uses (C,), of shear or of tension; forces [N] (C, 3) in its frame."""
    shear, normal = np.hypot(force[:, 1], force[:, 2]), force[:, 0]
    limit = law.cohesion + law.friction * normal
    return np.maximum(_share(shear, limit), _share(np.maximum(-normal, 0.0), law.tension))


def _share(force, limit):
    """Force over its limit; inf where a force has none to lean on."""
    share = np.where(force > 0.0, np.inf, 0.0)
    return np.divide(force, limit, out=share, where=limit > 1e-12 * force)


class Softening:
    """Bonds that are lost little by little (cohesive zones): strength falls from its peak as the joint opens or slides.

    Opening: along a line, or an exponential, from the end of the elastic branch on; the area under the curve is the
    fracture energy. Sliding: the same in the lasting part of the slip. Both losses act on the whole bond.

    Parameters
    ----------
    energy : array (C, 2)
        Fracture energies of opening and sliding, times the area [J]; nan: the bond does not soften.
    law : PointLaw
        Of the bonds as they were.
    exponential : array (C,) of bool
    """

    def __init__(self, energy, law, exponential):
        self.energy, self.exponential = energy, exponential
        self.elastic = law.tension / law.stiffness[:, 0]  # [m] opening at the peak
        tension, cohesion = np.maximum(law.tension, _TINY), np.maximum(law.cohesion, _TINY)
        # [m] way over which nothing is left (line), half of which is the scale of the exponential
        self.open_way = 2.0 * energy[:, 0] / tension - self.elastic
        self.slip_way = 2.0 * energy[:, 1] / cohesion

    def softened(self, opened):
        """Which bonds have been opened beyond their peak (C,)."""
        return ~np.isnan(self.energy[:, 0]) & (opened > self.elastic)

    def left(self, opened, slipped):
        """Share of the bond that is left [-] (C,)."""
        return self._curve((opened - self.elastic) / self.open_way) * self._curve(slipped / self.slip_way)

    def _curve(self, way):
        way = np.maximum(np.where(np.isnan(self.energy[:, 0]), 0.0, way), 0.0)
        return np.where(self.exponential, np.exp(-2.0 * way), np.maximum(1.0 - way, 0.0))
