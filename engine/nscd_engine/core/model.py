"""What an analysis is given, checked once at the gate and constant from then on."""

from typing import NamedTuple

import numpy as np

from nscd_engine.core.structs import Bodies, Polyhedra

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


class Model(NamedTuple):
    """A structure with its loads. B blocks."""

    polyhedra: Polyhedra
    bodies: Bodies
    names: list  # (B,) text
    pair: np.ndarray  # (P,) int64, ascending: a * B + b of the pairs a < b with a law of their own
    law: np.ndarray  # (1 + P + M + Q, COLUMNS): of all other pairs, of these, of pairs of materials, of interfaces
    material: np.ndarray  # (B,) int64
    material_law: np.ndarray  # (materials, materials) int64: rows of `law`
    interface_pair: np.ndarray  # (Q, 2) int64: blocks of the interfaces with a law of their own
    interface_point: np.ndarray  # [m] (Q, 3): on these interfaces, or near them
    gravity: np.ndarray  # [m/s2] (3,)
    load: np.ndarray  # [N, N m] (B, 6): point loads, gathered at the centroids
    radius: np.ndarray  # [m] (B,): of spheres and discs; 0 for polyhedra
    planar: object  # (3,) unit vector square to the plane of a planar model; None in space
    joint_law: np.ndarray = np.zeros(0, np.int64)  # (J,): rows of `law` of points of joints that last in a motion

    @property
    def first_interface_law(self):
        """First row of `law` that is of an interface."""
        return len(self.law) - len(self.interface_pair)


class Settings(NamedTuple):
    """What the user chose, with the units that the engine uses."""

    solver: str = "newton"  # newton, nlgs, spg
    friction: str = "associated"  # coulomb, associated
    eps: tuple = (1e-5, 1e-8)  # [-] regularisations over trace(W_cc)/3, falling
    tolerance: float = 1e-10  # [-] residual at which a solver stops
    max_iterations: object = None  # None: the solver's own number
    seed: object = None  # of the random order of contacts; None: as they were found
    threads: int = 0  # 0: as many as the machine has
    repeat: int = 1  # times the solve is run; the best time is reported
    gap_tolerance: float = 1e-3  # [-] over the size of the smaller block: faces nearer than this touch
    angle_tolerance: float = 1.0  # [degrees] faces inclined by less may meet as faces
    unsupported: bool = False  # analyse although nothing is a support
    time_step: float = 1e-3  # [s] of a motion


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
