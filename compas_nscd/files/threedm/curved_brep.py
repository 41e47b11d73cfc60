"""Meshes of Breps with curved faces for which the file stores none.

Edges are divided into chords. A planar face is the polygon of its edges. A curved face with four sides, two of them
straight, is ruled between the other two: cylinders, cones and extruded curves. Other curved faces are refused.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from compas_nscd.errors import GeometryError
from compas_nscd.files.threedm.solids import listed

#: Distance of a chord from its edge, over the size of the Brep [-]. Larger: coarse joints. Smaller: more faces.
SAGITTA = 1e-3
#: Most chords of an edge [-]. More: many narrow faces.
MOST_CHORDS = 64
#: Distance of points of two faces that are one, over the size [-].
SAME = 1e-7

Faces = list[list[int]]


def curved_shape(brep: Any, tolerance: float) -> tuple[np.ndarray, Faces]:
    """Vertices and faces of a closed Brep without holes in its faces.

    Parameters
    ----------
    brep : rhino3dm.Brep
    tolerance : float
        Greatest deviation of a face from a plane and of an edge from a line [unit of the file].
    """
    edges, faces = listed(brep.Edges), listed(brep.Faces)
    if any(len(listed(face.Loops)) > 1 for face in faces):
        raise GeometryError("faces with holes and no stored mesh")
    trims = [listed(face.OuterLoop.Trims) for face in faces]
    flat = [bool(face.IsPlanar(tolerance)) for face in faces]
    chords = _chords(edges, trims, flat, tolerance)
    welded = _Welded(SAME * _size(edges))
    out: Faces = []
    for face, sides, plane in zip(faces, trims, flat):
        lines = [_points(edges[side.EdgeIndex], chords[side.EdgeIndex], side.IsReversed) for side in sides]
        found = [np.concatenate([line[:-1] for line in lines])] if plane else _ruled(lines)
        for polygon in found:
            corners = welded.indices(polygon)
            if len(corners) > 2:
                out.append(corners[::-1] if face.OrientationIsReversed else corners)
    return np.array(welded.points), out


def _size(edges: list[Any]) -> float:
    points = np.concatenate([_points(edge, 4, False) for edge in edges])
    return float(np.linalg.norm(np.ptp(points, axis=0)))


def _points(edge: Any, count: int, backward: bool) -> np.ndarray:
    """Ends of the chords of an edge (count + 1, 3)."""
    at = np.linspace(edge.Domain.T0, edge.Domain.T1, count + 1)
    points = np.array([(p.X, p.Y, p.Z) for p in (edge.PointAt(float(t)) for t in at)])
    return points[::-1] if backward else points


def _chords(edges: list[Any], trims: list[list[Any]], flat: list[bool], tolerance: float) -> list[int]:
    """Number of chords of each edge: as many on opposite sides of a curved face."""
    curved = [not edge.IsLinear(tolerance) for edge in edges]
    most, size = 1, _size(edges)
    while most < MOST_CHORDS and any(_sagitta(edge, most) > SAGITTA * size for edge, c in zip(edges, curved) if c):
        most *= 2
    count = [most if c else 1 for c in curved]
    for _ in edges:
        for sides, plane in zip(trims, flat):
            if not plane and len(sides) == 4:
                for k in range(2):
                    a, b = sides[k].EdgeIndex, sides[k + 2].EdgeIndex
                    count[a] = count[b] = max(count[a], count[b])
    return count


def _sagitta(edge: Any, count: int) -> float:
    """Greatest distance of the middles of chords from the points of an edge between their ends."""
    fine = _points(edge, 2 * count, False)
    return float(np.linalg.norm(0.5 * (fine[:-2:2] + fine[2::2]) - fine[1::2], axis=1).max())


def _ruled(lines: list[np.ndarray]) -> list[np.ndarray]:
    """Quadrangles between two opposite sides; the other two are straight."""
    if len(lines) != 4 or min(len(lines[0]), len(lines[1])) > 2:
        raise GeometryError("curved faces that are not ruled, and no stored mesh")
    first = 0 if len(lines[0]) > 2 else 1
    low, high = lines[first], lines[first + 2][::-1]
    return [np.stack([low[k], low[k + 1], high[k + 1], high[k]]) for k in range(len(low) - 1)]


class _Welded:
    """Points of which those that coincide are one."""

    def __init__(self, grid: float) -> None:
        self.grid = grid
        self.points: list[np.ndarray] = []
        self._number: dict[tuple, int] = {}

    def indices(self, polygon: np.ndarray) -> list[int]:
        """Indices of the corners of a polygon (n, 3) without repetition."""
        found: list[int] = []
        for point in polygon:
            key = tuple(np.round(point / self.grid).astype(np.int64).tolist())
            if key not in self._number:
                self._number[key] = len(self.points)
                self.points.append(point)
            if self._number[key] not in found:
                found.append(self._number[key])
        return found
