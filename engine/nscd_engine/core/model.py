"""Structure and loads of an analysis: checked by the gate, constant from then on."""

from __future__ import annotations

from typing import NamedTuple, Optional

import numpy as np

from nscd_engine.core.loads import PointLoads
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
    point_loads: PointLoads
    load: np.ndarray  # [N, N m] (B, 6): point loads gathered at the centroids; the water of statics is added to them
    radius: np.ndarray  # [m] (B,): of spheres and discs; 0 for polyhedra
    planar: Optional[np.ndarray]  # (3,) unit vector normal to the plane of a planar model; None in space
    joint_law: np.ndarray = np.zeros(0, np.int64)  # (J,): rows of `law` of points of joints that last in a motion
    elastic: Optional[tuple] = None  # (B,) core.elastic.Elastic or None; None instead of the tuple if all are rigid

    @property
    def first_interface_law(self) -> int:
        """First row of `law` that is of an interface."""
        return len(self.law) - len(self.interface_pair)
