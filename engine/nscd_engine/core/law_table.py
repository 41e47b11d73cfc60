"""The table of contact laws: its columns, and which row holds for a pair.

A number that a law does not have is nan. For KINETIC and RESTITUTION a motion then uses its own.
"""

from __future__ import annotations

import numpy as np

from nscd_engine.core.model import Model
from nscd_engine.core.structs import Contacts

#: Coefficient of static friction [-].
FRICTION = 0
#: Coefficient of kinetic friction [-].
KINETIC = 1
#: Newton's coefficient of restitution [-].
RESTITUTION = 2
#: Cohesion [Pa].
COHESION = 3
#: Tensile strength [Pa].
TENSION = 4
#: Compressive strength [Pa].
COMPRESSION = 5
#: Normal stiffness [Pa/m].
STIFFNESS_N = 6
#: Tangential stiffness [Pa/m].
STIFFNESS_T = 7
#: Fracture energy of opening [J/m2].
FRACTURE_N = 8
#: Fracture energy of sliding [J/m2].
FRACTURE_T = 9
#: 1: softening is exponential; 0: linear.
EXPONENTIAL = 10
#: 1: a bond that breaks is lost.
BRITTLE = 11
#: 1: a tie.
TIED = 12
#: Viscosity [Pa s/m].
VISCOSITY = 13
#: Tangent of the angle of dilatancy [-].
DILATANCY = 14
COLUMNS = 15
#: Columns that give a joint more than friction, also in motion.
BONDS = (COHESION, STIFFNESS_N, STIFFNESS_T, VISCOSITY)


def pair_key(body_pairs, block_count: int) -> np.ndarray:
    """One number per pair of blocks, whatever their order; (C,) int64."""
    pairs = np.asarray(body_pairs, np.int64).reshape(-1, 2)
    return pairs.min(axis=1) * block_count + pairs.max(axis=1)


def law_of(model: Model, body_pairs, column: int) -> np.ndarray:
    """A coefficient of the laws of pairs of blocks; nan where a law has none.

    Parameters
    ----------
    model : Model
    body_pairs : array (C, 2) of block indices
    column : int
        FRICTION, ...

    Returns
    -------
    array (C,)
    """
    return model.law[law_rows(model, body_pairs), column]


def law_rows(model: Model, body_pairs) -> np.ndarray:
    """Row of `Model.law` (C,) for pairs of blocks (C, 2): that of the pair, else of their materials."""
    pairs = np.asarray(body_pairs, np.int64).reshape(-1, 2)
    material = model.material[pairs]
    rows = model.material_law[material[:, 0], material[:, 1]]
    if len(model.pair):
        key = pair_key(pairs, len(model.names))
        at = np.minimum(np.searchsorted(model.pair, key), len(model.pair) - 1)
        rows = np.where(model.pair[at] == key, 1 + at, rows)
    return rows


def law_of_contacts(model: Model, contacts: Contacts, column: int) -> np.ndarray:
    """A coefficient of the laws of contacts in motion (C,); points of lasting joints, with keys below 0, have their
    own.
    """
    rows = law_rows(model, contacts.body)
    joint = -1 - contacts.key
    mine = (joint >= 0) & (joint < len(model.joint_law))
    rows[mine] = model.joint_law[joint[mine]]
    return model.law[rows, column]


def friction_of(model: Model, body_pairs) -> np.ndarray:
    """Coefficient of friction (C,) of pairs of blocks (C, 2)."""
    return law_of(model, body_pairs, FRICTION)


def is_said(model: Model, column: int) -> bool:
    """Whether any law has this coefficient."""
    return not np.isnan(model.law[:, column]).all()
