"""Laws of a model at its contacts; `kernels.contact_laws` puts them into the problem."""

from typing import NamedTuple

import numpy as np

from nscd_engine.core import law_table

#: A tie holds this many times all weights and loads, at every point [-]. Larger: forces lose digits.
TIE = 100.0
#: Friction of what is tied [-].
TIE_FRICTION = 1.0


def beyond_friction(model, columns=law_table.BONDS + (law_table.COMPRESSION,)):
    """Which laws (rows of Model.law) say more than friction: one of these columns, or that they are ties."""
    known = ~np.isnan(model.law[:, columns])
    return known.any(axis=1) | (model.law[:, law_table.TIED] > 0.0)


def is_plain(model):
    """Whether all joints have friction alone, at rest."""
    return not beyond_friction(model).any()


def point_law(model, rows, friction, area):
    """Laws of contacts (C,): rows of `Model.law`, friction [-] and area [m2]; what has no area has friction alone."""
    has = area > 0.0
    friction = friction.copy()

    def times_area(column, silent):
        value = model.law[rows, column]
        return np.where(np.isnan(value) | ~has, silent, value * area)

    cohesion = times_area(law_table.COHESION, 0.0)
    apex = np.where(friction > 0.0, cohesion / np.where(friction > 0.0, friction, 1.0), np.inf)
    tension = np.minimum(times_area(law_table.TENSION, np.inf), np.where(cohesion > 0.0, apex, 0.0))
    tied = (model.law[rows, law_table.TIED] > 0.0) & has
    friction[tied] = TIE_FRICTION
    cohesion[tied] = tension[tied] = TIE * _all_forces(model)
    tension[np.isinf(tension)] = 0.0  # cohesion without friction, and no word about tension
    stiffness = np.stack(
        [times_area(column, np.inf) for column in (law_table.STIFFNESS_N, law_table.STIFFNESS_T)], axis=1
    )
    brittle = (model.law[rows, law_table.BRITTLE] > 0.0) & has
    viscosity = times_area(law_table.VISCOSITY, np.inf)
    return PointLaw(
        friction, cohesion, tension, times_area(law_table.COMPRESSION, np.inf), stiffness, viscosity, brittle
    )


def _all_forces(model):
    """Weights and loads [N]."""
    free = model.bodies.free >= 0
    weight = model.bodies.mass[free] * np.linalg.norm(model.gravity)
    return float(weight.sum() + np.linalg.norm(model.load[free, :3], axis=1).sum()) or 1.0


class PointLaw(NamedTuple):
    """Laws of C contacts, times their areas."""

    friction: np.ndarray  # [-] (C,)
    cohesion: np.ndarray  # [N] (C,)
    tension: np.ndarray  # [N] (C,): greatest, at most that of the apex
    compression: np.ndarray  # [N] (C,): greatest; inf: no cap
    stiffness: np.ndarray  # [N/m] (C, 2): normal, tangential; inf: rigid
    viscosity: np.ndarray  # [N s/m] (C,); inf: none
    brittle: np.ndarray  # (C,) bool: what is broken stays broken


def without_bond(law, lost):
    """The laws where contacts (C,) bool have lost cohesion and tension."""
    return law._replace(cohesion=np.where(lost, 0.0, law.cohesion), tension=np.where(lost, 0.0, law.tension))


def used(law, force):
    """Share of its strength that each contact uses (C,), of shear or of tension; forces [N] (C, 3) in its frame."""
    shear, normal = np.hypot(force[:, 1], force[:, 2]), force[:, 0]
    limit = law.cohesion + law.friction * normal
    return np.maximum(_share(shear, limit), _share(np.maximum(-normal, 0.0), law.tension))


def _share(force, limit):
    """Force over its limit; inf where a force has none to lean on."""
    share = np.where(force > 0.0, np.inf, 0.0)
    return np.divide(force, limit, out=share, where=limit > 1e-12 * force)
