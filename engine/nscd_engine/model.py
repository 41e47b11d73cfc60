"""What an analysis is given, checked once at the gate and constant from then on."""

from typing import NamedTuple

import numpy as np

from nscd_engine.structs import Bodies, Polyhedra


class Model(NamedTuple):
    """A structure with its loads. B blocks."""

    polyhedra: Polyhedra
    bodies: Bodies
    names: list  # (B,) text
    friction: float  # [-] coefficient of every pair without one of its own
    pair: np.ndarray  # (P,) int64, ascending: a * B + b of the pairs a < b with a coefficient of their own
    pair_friction: np.ndarray  # [-] (P,)
    gravity: np.ndarray  # [m/s2] (3,)
    load: np.ndarray  # [N, N m] (B, 6): point loads, gathered at the centroids
    radius: np.ndarray  # [m] (B,): of spheres and discs; 0 for polyhedra
    planar: object  # (3,) unit vector square to the plane of a planar model; None in space


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


def friction_of(model, body_pairs):
    """Coefficient of friction of pairs of blocks.

    Parameters
    ----------
    model : Model
    body_pairs : array (C, 2) of block indices

    Returns
    -------
    array (C,)
    """
    key = pair_key(body_pairs, len(model.names))
    mu = np.full(len(key), model.friction)
    if len(model.pair):
        at = np.minimum(np.searchsorted(model.pair, key), len(model.pair) - 1)
        own = model.pair[at] == key
        mu[own] = model.pair_friction[at[own]]
    return mu
