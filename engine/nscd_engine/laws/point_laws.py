"""Laws of a model at its contacts; `kernels.contact_laws` puts them into the problem."""

import numpy as np

from nscd_engine.core import model as m
from nscd_engine.laws.mohr_coulomb import PointLaw

#: A tie holds this many times all weights and loads, at every point [-]. Larger: forces lose digits.
TIE = 100.0
#: Friction of what is tied [-].
TIE_FRICTION = 1.0


def beyond_friction(model, columns=m.BONDS + (m.COMPRESSION,)):
    """Which laws (rows of Model.law) say more than friction: one of these columns, or that they are ties."""
    known = ~np.isnan(model.law[:, columns])
    return known.any(axis=1) | (model.law[:, m.TIED] > 0.0)


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

    cohesion = times_area(m.COHESION, 0.0)
    apex = np.where(friction > 0.0, cohesion / np.where(friction > 0.0, friction, 1.0), np.inf)
    tension = np.minimum(times_area(m.TENSION, np.inf), np.where(cohesion > 0.0, apex, 0.0))
    tied = (model.law[rows, m.TIED] > 0.0) & has
    friction[tied] = TIE_FRICTION
    cohesion[tied] = tension[tied] = TIE * _all_forces(model)
    tension[np.isinf(tension)] = 0.0  # cohesion without friction, and no word about tension
    stiffness = np.stack([times_area(column, np.inf) for column in (m.STIFFNESS_N, m.STIFFNESS_T)], axis=1)
    brittle = (model.law[rows, m.BRITTLE] > 0.0) & has
    viscosity = times_area(m.VISCOSITY, np.inf)
    return PointLaw(friction, cohesion, tension, times_area(m.COMPRESSION, np.inf), stiffness, viscosity, brittle)


def _all_forces(model):
    """Weights and loads [N]."""
    free = model.bodies.free >= 0
    weight = model.bodies.mass[free] * np.linalg.norm(model.gravity)
    return float(weight.sum() + np.linalg.norm(model.load[free, :3], axis=1).sum()) or 1.0
