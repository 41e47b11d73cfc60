"""Restitution: Newton's law where contacts close fast enough, limited so that impacts gain no energy.

Newton's law sets the normal velocity after an impact to -e times that before. With friction, in oblique hits of turning
blocks or at several points at once, the impulses that this takes may do positive work. Those of all blocks that hit
together are then reduced by a common factor, to the one at which their work is zero (docs/methods.md, section 5.2).
"""

from __future__ import annotations

from typing import NamedTuple, Optional, Tuple

import numpy as np

from nscd_engine.core.components import components
from nscd_engine.core.law_table import RESTITUTION, is_said, law_of_contacts
from nscd_engine.core.model import Model
from nscd_engine.core.structs import Contacts, Problem
from nscd_engine.kernels.motion import moreau_jean
from nscd_engine.kernels.solvers import operators
from nscd_engine.motion.moreau_jean import Drift, Scheme, velocities_at_begin


class Rebound(NamedTuple):
    """Contacts that bounce in a step. C contacts."""

    hits: np.ndarray  # (C,) bool
    meets: np.ndarray  # (C,) bool: those, and others without an overlap, the removal of which may do work
    bias: np.ndarray  # [m/s] (C,): their normal bias: e times the velocity before, and that of moving supports


def bounces(model: Model, scheme: Scheme) -> bool:
    """Whether any contact has restitution."""
    return scheme.restitution > 0.0 or is_said(model, RESTITUTION)


def rebound(
    model: Model,
    drift: Drift,
    contacts: Contacts,
    arm: np.ndarray,
    scheme: Scheme,
    rate: Optional[np.ndarray] = None,
) -> Rebound:
    """Contacts that close in the step, faster than `scheme.bounce_threshold`; arms (C, 2, 3) [m].

    `rate` (C,) [m/s] is that at which the deformation of blocks opens the contacts, of deformable ones.
    """
    h, bodies = scheme.theta * scheme.time_step, model.bodies
    fall = float(np.linalg.norm(model.gravity))
    e = law_of_contacts(model, contacts, RESTITUTION)
    e = np.where(np.isnan(e), scheme.restitution, e)
    rate = np.zeros(len(e)) if rate is None else rate
    before = _relative(model, contacts, arm, velocities_at_begin(model, drift))[:, 0] + rate
    size = bodies.size[contacts.body].min(axis=1)
    threshold = scheme.bounce_threshold * np.sqrt(0.2 * np.maximum(fall, size) * size)
    touches = contacts.gap + h * (_relative(model, contacts, arm, drift.v_free)[:, 0] + rate) <= 0.0
    hits = (e > 0.0) & touches & (-before > threshold)
    meets = hits | ((e > 0.0) & (contacts.gap >= 0.0))
    return Rebound(hits, meets, e * before + of_supports(model, drift, contacts, arm)[:, 0])


def of_supports(model: Model, drift: Drift, contacts: Contacts, arm: np.ndarray) -> np.ndarray:
    """Velocities [m/s] (C, 3) of b relative to a that supports have, beyond those of the ground, in the frames."""
    return _relative(model, contacts, arm, _moving(drift), only_supports=True)


def without_gain(
    model: Model, drift: Drift, contacts: Contacts, problem: Problem, meets: np.ndarray, impulses: np.ndarray
) -> Tuple[np.ndarray, np.ndarray]:
    """Impulses (C, 3) of a step, reduced where those of blocks that hit together do work, and velocities (N, 6) in
    balance with them.

    Parameters
    ----------
    model : Model
    drift : Drift
    contacts : Contacts
    problem : Problem
    meets : array (C,) bool
        Contacts of blocks that hit each other.
    impulses : array (C, 3)
        Of the solver [N s].
    """
    inverse = operators.inverse_inertia(problem)
    free = _moving(drift)
    after = free.copy()
    after[model.bodies.free >= 0] = operators.velocity_after(problem, impulses, inverse)
    u = (_relative(model, contacts, problem.arm, each) for each in (free, after))
    impulses = factors(problem, meets, impulses, *u)[0][:, None] * impulses
    return impulses, operators.velocity_after(problem, impulses, inverse)


def factors(
    problem: Problem, meets: np.ndarray, impulses: np.ndarray, u_free: np.ndarray, u_after: np.ndarray
) -> Tuple[np.ndarray, np.ndarray]:
    """Factors of contacts (C,) and of bodies (N,) [-] on what impulses (C, 3) do, with which they do no work.

    `u_free` and `u_after` (C, 3) [m/s] are the velocities of b relative to a without the impulses and with them.
    """
    of_body = _parts(problem, impulses)
    (a, b), count = problem.body.T, len(of_body)
    part = of_body[np.where(a >= 0, a, b)]
    # With a factor f on the impulses their work is f p + f^2 q.
    p = _sums(impulses, u_free, part, count)
    q = 0.5 * (_sums(impulses, u_after, part, count) - p)
    gains = (np.bincount(part, meets, count) > 0) & (q > 0.0) & (p + q > 0.0)
    factor = np.where(gains, np.maximum(-p, 0.0) / np.where(gains, q, 1.0), 1.0)
    return factor[part], factor[of_body]


def _parts(problem, impulses):
    """Number (N,) of the set of free bodies, linked by impulses, that a body belongs to."""
    (a, b), count = problem.body.T, len(problem.mass)
    links = (a >= 0) & (b >= 0) & impulses.any(axis=1)
    return components(a[links], b[links], count)


def _sums(impulses, u, part, count):
    """Sum of impulses times velocities [J] (count,) over the contacts of each part."""
    return np.bincount(part, np.einsum("ck,ck->c", impulses, u), count)


def _moving(drift):
    """Velocities (B, 6) without contacts, in axes that move with the supports."""
    moving = drift.v_free.copy()
    moving[:, :3] -= drift.ground
    return moving


def _relative(model, contacts, arm, velocity, only_supports=False):
    """Velocities of b relative to a at the contacts [m/s] (C, 3), in their frames."""
    u = np.empty((len(contacts.gap), 3))
    moreau_jean.relative_to(contacts, arm, velocity, only_supports, model.bodies.free, u)
    return u
