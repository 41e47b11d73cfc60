"""The table of contact laws: its columns, and which row holds for a pair."""

import numpy as np

#: Columns of `Model.law`, nan where a law is silent: friction of what sticks, of what slides, restitution [-] (silent:
#: as the motion has it); cohesion, tensile and compressive strength [Pa]; stiffness along and across the normal [Pa/m];
#: fracture energies of opening and of sliding [J/m2]; what kind of law it is, 1 or 0; viscosity [Pa s/m]; tangent of
#: the angle of dilatancy [-].
(
    FRICTION, KINETIC, RESTITUTION, COHESION, TENSION, COMPRESSION, STIFFNESS_N, STIFFNESS_T, FRACTURE_N, FRACTURE_T,
    EXPONENTIAL, BRITTLE, TIED, VISCOSITY, DILATANCY,
) = range(15)  # fmt: skip
COLUMNS = 15
#: Columns that give a joint more than friction, in motion too.
BONDS = (COHESION, STIFFNESS_N, STIFFNESS_T, VISCOSITY)


def pair_key(body_pairs, block_count):
    """One number per pair of blocks, whatever their order; (C,) int64."""
    pairs = np.asarray(body_pairs, np.int64).reshape(-1, 2)
    return pairs.min(axis=1) * block_count + pairs.max(axis=1)


def law_of(model, body_pairs, column):
    """A coefficient of the laws of pairs of blocks; nan where a law does not say it.

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


def law_rows(model, body_pairs):
    """Row of `Model.law` (C,) for pairs of blocks (C, 2): that of the pair, else of their materials."""
    pairs = np.asarray(body_pairs, np.int64).reshape(-1, 2)
    material = model.material[pairs]
    rows = model.material_law[material[:, 0], material[:, 1]]
    if len(model.pair):
        key = pair_key(pairs, len(model.names))
        at = np.minimum(np.searchsorted(model.pair, key), len(model.pair) - 1)
        rows = np.where(model.pair[at] == key, 1 + at, rows)
    return rows


def law_of_contacts(model, contacts, column):
    """A coefficient of the laws of contacts in motion (C,): of joints that last, which have keys below 0, their own."""
    rows = law_rows(model, contacts.body)
    joint = -1 - contacts.key
    mine = (joint >= 0) & (joint < len(model.joint_law))
    rows[mine] = model.joint_law[joint[mine]]
    return model.law[rows, column]


def friction_of(model, body_pairs):
    """Coefficient of friction (C,) of pairs of blocks (C, 2)."""
    return law_of(model, body_pairs, FRICTION)


def is_said(model, column):
    """Whether any law says this coefficient."""
    return not np.isnan(model.law[:, column]).all()
