"""Rows of the law table as laws of contact points."""

from __future__ import annotations

import numpy as np

from nscd_engine.core import law_table
from nscd_engine.core.model import Model
from nscd_engine.laws.mohr_coulomb import PointLaw

#: Strength of a tie over all weights and loads, at every point [-]. Larger: forces lose digits. Smaller: a tie could
#: give way where forces concentrate.
TIE = 100.0
#: Friction of a tie [-].
TIE_FRICTION = 1.0
#: Stiffness of rigid brittle bonds where no joint has any [Pa/m]. Only ratios of stiffness count.
BOND_STIFFNESS = 1e10
#: The same over the greatest stiffness of a joint [-]. Larger: more steps to equilibrium. Smaller: rigid joints yield.
STIFFER = 1e3
#: The same over the greatest stiffness of a deformable block [-]. Larger: the stress of a bond follows single nodes of
#: the mesh. Smaller: bonds give way by what one sees.
STIFFER_THAN_BLOCKS = 30.0


def beyond_friction(model: Model, columns: tuple = law_table.BONDS + (law_table.COMPRESSION,)) -> np.ndarray:
    """Which laws, (rows of Model.law,) bool, have more than friction: a number in one of these columns, or a tie."""
    known = ~np.isnan(model.law[:, columns])
    return known.any(axis=1) | (model.law[:, law_table.TIED] > 0.0)


def is_plain(model: Model) -> bool:
    """Whether all joints have friction alone, at rest."""
    return not bool(beyond_friction(model).any())


def point_law(model: Model, rows: np.ndarray, friction: np.ndarray, area: np.ndarray) -> PointLaw:
    """Laws of contacts.

    Parameters
    ----------
    model : Model
    rows : array (C,)
        Rows of `Model.law`.
    friction : array (C,)
        [-]
    area : array (C,)
        [m2]; a contact without area has friction alone.
    """
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
    tension[np.isinf(tension)] = 0.0  # cohesion without friction, tension not given
    stiffness = np.stack(
        [times_area(column, np.inf) for column in (law_table.STIFFNESS_N, law_table.STIFFNESS_T)], axis=1
    )
    brittle = (model.law[rows, law_table.BRITTLE] > 0.0) & has
    viscosity = times_area(law_table.VISCOSITY, np.inf)
    return PointLaw(
        friction, cohesion, tension, times_area(law_table.COMPRESSION, np.inf), stiffness, viscosity, brittle
    )


def block_stiffness(model: Model) -> float:
    """Greatest stiffness of a deformable block, Young's modulus over its size [Pa/m]; 0 if all are rigid."""
    each = (own.young / size for own, size in zip(model.elastic or (), model.bodies.size) if own is not None)
    return max(each, default=0.0)


def with_bond_stiffness(law: PointLaw, area: np.ndarray, blocks: float) -> PointLaw:
    """Laws of contacts with areas [m2] (C,), rigid brittle bonds made elastic: stress is then linear over a joint, and
    decides where it begins to crack. `blocks` is the `block_stiffness` [Pa/m].
    """
    rigid = (law.brittle & (law.cohesion > 0.0))[:, None] & np.isinf(law.stiffness)
    if not rigid.any():
        return law
    size = np.where(area > 0.0, area, 1.0)[:, None]
    known = (law.stiffness / size)[np.isfinite(law.stiffness)]
    least = STIFFER_THAN_BLOCKS * blocks or BOND_STIFFNESS
    stiff = max(STIFFER * known.max(), STIFFER_THAN_BLOCKS * blocks) if len(known) else least
    return law._replace(stiffness=np.where(rigid, stiff * size, law.stiffness))


def _all_forces(model):
    """Sum of all weights and loads [N]."""
    free = model.bodies.free >= 0
    weight = model.bodies.mass[free] * np.linalg.norm(model.gravity)
    return float(weight.sum() + np.linalg.norm(model.load[free, :3], axis=1).sum()) or 1.0
