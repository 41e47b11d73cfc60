"""What an analysis is given, checked once at the gate and constant from then on."""

from typing import NamedTuple

import numpy as np

from nscd_engine.core.structs import Bodies, Polyhedra


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
