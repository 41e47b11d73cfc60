"""Meshes as lists of triangles or faces: welded vertices, and pieces that are not connected."""

from __future__ import annotations

import numpy as np

#: Digits of a coordinate over the size of the mesh that are compared when vertices are joined [-]. Larger: close but
#: distinct corners become one. Smaller: files of single precision stay open.
WELD = 1e-6


def welded(corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (n, 3) and corners as indices (m,), of corners (m, 3) in which every face has its own."""
    if not len(corners):
        return corners.reshape(0, 3), np.zeros(0, np.int64)
    size = float(np.ptp(corners, axis=0).max()) or 1.0
    key = np.round((corners - corners.min(axis=0)) / (WELD * size)).astype(np.int64)
    _, first, index = np.unique(key, axis=0, return_index=True, return_inverse=True)
    return corners[first], index.ravel()


def pieces(faces: list[list[int]], count: int) -> list[list[list[int]]]:
    """Faces of each connected piece of a mesh of `count` vertices, in the order of their first faces."""
    parent = list(range(count))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for face in faces:
        first = root(face[0])
        for corner in face[1:]:
            parent[root(corner)] = first
    groups: dict[int, list[list[int]]] = {}
    for face in faces:
        groups.setdefault(root(face[0]), []).append(face)
    return list(groups.values())


def own_vertices(points: np.ndarray, faces: list[list[int]]) -> tuple[np.ndarray, list[list[int]]]:
    """Vertices that some faces use, and the faces in their numbering."""
    used = sorted({i for face in faces for i in face})
    number = {old: new for new, old in enumerate(used)}
    return points[used], [[number[i] for i in face] for face in faces]
