"""Spheres and discs: checks, and polyhedra for drawing."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from compas_nscd.geometry.findings import Finding

#: Corners of a disc in drawings. Larger: larger files. Smaller: visibly polygonal.
CORNERS = 32
#: Subdivisions of the icosahedron that represents a sphere in drawings: 1 gives 80 triangles, each more four times as
#: many. Smaller: visibly polygonal.
DIVISIONS = 1


def findings(blocks: Iterable[Any], planar: Sequence[float] | None) -> list[Finding]:
    """Defects of spheres and discs.

    Parameters
    ----------
    blocks : iterable of Block
        Of a structure.
    planar : (3,) sequence of float, optional
        Axis of a planar structure.
    """
    bad: list[int] = []
    missing: list[int] = []
    odd: list[int] = []
    out: list[Finding] = []
    for i, block in enumerate(blocks):
        if not block.is_round:
            continue
        lengths = [block.radius] if block.depth is None else [block.radius, block.depth]
        if not all(0.0 < length < math.inf for length in lengths):
            bad.append(i)
        elif not np.isfinite(block.vertices).all():
            missing.append(i)
        if block.depth is not None and (planar is None or abs(np.dot(planar, block.axis)) < 1.0 - 1e-9):
            odd.append(i)
    remedy = "Give each sphere and disc a radius, and each disc a depth, above zero in metres."
    _add(out, "radius", "The radius or depth is not a positive number", bad, remedy)
    _add(out, "not-finite", "Coordinates that are not finite", missing, "Export it again.")
    _add(out, "planar", "Discs need a planar structure about their axis", odd, 'Give the structure planar="y".')
    return out


def _add(out: list[Finding], code: str, what: str, blocks: list[int], remedy: str) -> None:
    if blocks:
        out.append(Finding(code, "error", what, tuple(blocks), remedy))


def sphere_surface(centre: Any, radius: float) -> tuple[np.ndarray, list[list[int]]]:
    """Vertices (n, 3) [m] and triangles of a polyhedron inscribed in a sphere."""
    vertices, faces = _icosahedron()
    for _ in range(DIVISIONS):
        vertices, faces = _divided(vertices, faces)
    return np.asarray(centre, float) + radius * vertices, faces


def disc_surface(centre: Any, radius: float, depth: float, axis: Any) -> tuple[np.ndarray, list[list[int]]]:
    """Vertices (n, 3) [m] and faces of a prism inscribed in a cylinder."""
    axis = np.asarray(axis, float)
    across = np.eye(3)[np.argmin(np.abs(axis))]
    u = np.cross(axis, across)
    u /= np.linalg.norm(u)
    angle = 2.0 * np.pi * np.arange(CORNERS) / CORNERS
    rim = radius * (np.outer(np.cos(angle), u) + np.outer(np.sin(angle), np.cross(axis, u)))
    half = 0.5 * depth * axis
    vertices = np.asarray(centre, float) + np.concatenate([rim - half, rim + half])
    n = CORNERS
    sides = [[i, (i + 1) % n, n + (i + 1) % n, n + i] for i in range(n)]
    return vertices, [list(range(n))[::-1], list(range(n, 2 * n))] + sides


def _icosahedron() -> tuple[np.ndarray, list[list[int]]]:
    """Vertices on the unit sphere and outward triangles: a cap of five at each pole and a belt of ten."""
    z, r = 1.0 / math.sqrt(5.0), 2.0 / math.sqrt(5.0)
    upper = [(r * math.cos(a), r * math.sin(a), z) for a in (0.4 * math.pi * k for k in range(5))]
    lower = [(r * math.cos(a), r * math.sin(a), -z) for a in (0.4 * math.pi * (k + 0.5) for k in range(5))]
    faces = []
    for k in range(5):
        up, up_next, low, low_next = 1 + k, 1 + (k + 1) % 5, 6 + k, 6 + (k + 1) % 5
        faces += [[0, up, up_next], [up, low, up_next], [low, low_next, up_next], [11, low_next, low]]
    return np.array([(0.0, 0.0, 1.0)] + upper + lower + [(0.0, 0.0, -1.0)]), faces


def _divided(vertices: np.ndarray, faces: list[list[int]]) -> tuple[np.ndarray, list[list[int]]]:
    """Divide every triangle into four; the midpoints of its edges are projected onto the unit sphere."""
    points = list(vertices)
    middle: dict[tuple[int, int], int] = {}

    def between(i: int, j: int) -> int:
        key = min(i, j), max(i, j)
        if key not in middle:
            middle[key] = len(points)
            half = points[i] + points[j]
            points.append(half / np.linalg.norm(half))
        return middle[key]

    out = []
    for a, b, c in faces:
        ab, bc, ca = between(a, b), between(b, c), between(c, a)
        out += [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
    return np.array(points), out
