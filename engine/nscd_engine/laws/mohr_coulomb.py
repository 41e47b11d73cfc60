"""Strength of a contact point: Mohr-Coulomb friction and cohesion, cut off in tension, capped in compression.

    |T| <= c A + mu N,    N >= -a with a <= c A / mu,    N <= fc A

N is the normal force, T the tangential one, A the area of the point, c the cohesion, a the tensile strength, fc the
compressive strength. Without the cap this is a friction cone with its apex at -a n, plus a disc of tangential forces
up to r = c A - mu a. `laws.posing` puts it into the problem of a step.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

#: Share of its strength from which a brittle contact breaks [-]. Larger: rounding decides. Smaller: it breaks early.
BREAKS = 1.0 - 1e-6


class PointLaw(NamedTuple):
    """Laws of C contacts, times their areas."""

    friction: np.ndarray  # [-] (C,)
    cohesion: np.ndarray  # [N] (C,)
    tension: np.ndarray  # [N] (C,): strength, at most that of the apex
    compression: np.ndarray  # [N] (C,): strength; inf: no cap
    stiffness: np.ndarray  # [N/m] (C, 2): normal, tangential; inf: rigid
    viscosity: np.ndarray  # [N s/m] (C,); inf: none
    brittle: np.ndarray  # (C,) bool: a bond that breaks is lost for ever


def without_bond(law: PointLaw, lost: np.ndarray) -> PointLaw:
    """The laws where contacts (C,) bool have lost cohesion and tension."""
    return law._replace(cohesion=np.where(lost, 0.0, law.cohesion), tension=np.where(lost, 0.0, law.tension))


def used(law: PointLaw, force: np.ndarray) -> np.ndarray:
    """Share of its strength that each contact uses (C,), of shear or of tension; forces [N] (C, 3) in its frame."""
    shear, normal = np.hypot(force[:, 1], force[:, 2]), force[:, 0]
    limit = law.cohesion + law.friction * normal
    return np.maximum(_share(shear, limit), _share(np.maximum(-normal, 0.0), law.tension))


def breaks(law: PointLaw, force: np.ndarray, in_cone: np.ndarray) -> np.ndarray:
    """Which bonds are at their strength (C,) bool; forces [N] (C, 3) of the contacts, and those in their cones.

    Where tension is cut off, shear is shared by a cone and a disc as their strengths are without pressure. Near the
    tensile strength a the cone has nothing left for its share: it slides, which keeps the tension below a, by up to
    a T / (c A). Such a bond is at its strength.
    """
    pulled = (force[:, 0] < 0.0) & (law.tension > 0.0)
    slides = np.hypot(in_cone[:, 1], in_cone[:, 2]) >= BREAKS * law.friction * in_cone[:, 0]
    return (law.cohesion > 0.0) & ((used(law, force) >= BREAKS) | (pulled & slides))


def shear_discs(law: PointLaw) -> tuple[np.ndarray, np.ndarray]:
    """Contacts (D,) whose strength is more than a cone, and the radii of their discs of shear [N] (D,)."""
    radius = law.cohesion - law.friction * law.tension
    disc = np.flatnonzero(radius > 1e-12 * law.cohesion)
    return disc, radius[disc]


def _share(force, limit):
    """Force over its limit; inf where the limit is zero."""
    share = np.where(force > 0.0, np.inf, 0.0)
    return np.divide(force, limit, out=share, where=limit > 1e-12 * force)
