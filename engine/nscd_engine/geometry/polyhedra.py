"""Sizes, bounding boxes and faces of polyhedra."""

from __future__ import annotations

from typing import Sequence, Tuple, Union

import numpy as np

from nscd_engine.core.structs import Polyhedra


def block_sizes(poly: Polyhedra, centroid: np.ndarray, radius: Union[float, np.ndarray] = 0.0) -> np.ndarray:
    """Sizes [m] (B,) of blocks: twice the distance from the centroid to the farthest vertex.

    It is the diagonal of a box and the diameter of a sphere. It does not change when a block is turned, as the diagonal
    of the bounding box would, nor when a face is subdivided, as the distance from the mean vertex would.

    Parameters
    ----------
    poly : Polyhedra
    centroid : array (B, 3)
        Of the blocks [m].
    radius : array (B,) or float
        Of spheres [m], 0 for polyhedra.
    """
    arm = poly.vertices - np.repeat(centroid, np.diff(poly.vertex_start), axis=0)
    square = np.maximum.reduceat((arm * arm).sum(axis=1), poly.vertex_start[:-1])
    return 2.0 * (np.sqrt(square) + radius)


def block_boxes(poly: Polyhedra, radius: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """Lower and upper corners (B, 3) [m] of the bounding boxes of blocks; `radius` (B,) is 0 for polyhedra."""
    lower = np.minimum.reduceat(poly.vertices, poly.vertex_start[:-1], axis=0)
    upper = np.maximum.reduceat(poly.vertices, poly.vertex_start[:-1], axis=0)
    reach = np.reshape(radius, (-1, 1))
    return lower - reach, upper + reach


def half_edges(poly: Polyhedra) -> Tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Twin, next half-edge of the same face, and face of every half-edge; each (H,) int32.

    The polyhedra are closed: every half-edge has exactly one twin.
    """
    tail = poly.face_vertices.astype(np.int64)
    following = np.arange(1, len(tail) + 1, dtype=np.int32)
    following[poly.face_start[1:] - 1] = poly.face_start[:-1]
    head = tail[following] if len(tail) else tail
    count = len(poly.vertices)
    twin = np.empty(len(tail), np.int32)
    twin[np.argsort(tail * count + head)] = np.argsort(head * count + tail)
    face = np.repeat(np.arange(len(poly.face_start) - 1, dtype=np.int32), np.diff(poly.face_start))
    return twin, following, face


def face_vectors(poly: Polyhedra) -> Tuple[np.ndarray, np.ndarray]:
    """Outward area vectors [m2] (F, 3), exact for plane faces, a mean for warped ones; mean vertices [m] (F, 3)."""
    size = np.diff(poly.face_start)
    corner = poly.vertices[poly.face_vertices]
    if not len(size):
        return np.zeros((0, 3)), np.zeros((0, 3))
    centre = np.add.reduceat(corner, poly.face_start[:-1], axis=0) / size[:, None]
    following = np.arange(1, len(corner) + 1)
    following[poly.face_start[1:] - 1] = poly.face_start[:-1]
    arm = corner - np.repeat(centre, size, axis=0)
    return 0.5 * np.add.reduceat(np.cross(arm, arm[following]), poly.face_start[:-1], axis=0), centre


def spans(poly: Polyhedra, radius: np.ndarray) -> np.ndarray:
    """Sizes [m] (B,) of blocks from their mean vertices, for the decomposition and the tolerances of motions only.

    They differ from `block_sizes`, to which all other tolerances refer.
    """
    count = np.diff(poly.vertex_start)
    middle = np.add.reduceat(poly.vertices, poly.vertex_start[:-1], axis=0) / count[:, None]
    arm = np.linalg.norm(poly.vertices - np.repeat(middle, count, axis=0), axis=1)
    return 2.0 * (np.maximum.reduceat(arm, poly.vertex_start[:-1]) + radius)


def polyhedron(poly: Polyhedra, k: int) -> Tuple[np.ndarray, list]:
    """Vertices (v, 3) [m] and faces (lists of rows) of block k."""
    first = poly.vertex_start[k]
    faces = [
        poly.face_vertices[poly.face_start[f] : poly.face_start[f + 1]] - first
        for f in range(poly.block_face_start[k], poly.block_face_start[k + 1])
    ]
    return poly.vertices[first : poly.vertex_start[k + 1]], faces


def without(poly: Polyhedra, gone: np.ndarray) -> Polyhedra:
    """The polyhedra whose entry in `gone` (B,) is False."""
    faces, vertices = np.diff(poly.block_face_start), np.diff(poly.vertex_start)
    sizes = np.diff(poly.face_start)
    keep_face = np.repeat(~gone, faces)
    keep_vertex = np.repeat(~gone, vertices)
    row = np.cumsum(keep_vertex) - 1
    return Polyhedra(
        poly.vertices[keep_vertex],
        starts(vertices[~gone]),
        row[poly.face_vertices[np.repeat(keep_face, sizes)]].astype(np.int32),
        starts(sizes[keep_face]),
        starts(faces[~gone]),
    )


def joined(poly: Polyhedra, solids: list) -> Polyhedra:
    """Polyhedra followed by more solids, each (vertices, faces)."""
    first = len(poly.vertices)
    corners = [poly.face_vertices]
    for points, faces in solids:
        corners += [np.asarray(face) + first for face in faces]
        first += len(points)
    vertices = [len(points) for points, _ in solids]
    sizes = [len(face) for _, faces in solids for face in faces]
    faces = [len(faces) for _, faces in solids]
    return Polyhedra(
        np.vstack([poly.vertices] + [points for points, _ in solids]),
        starts(np.concatenate([np.diff(poly.vertex_start), vertices])),
        np.concatenate(corners).astype(np.int32),
        starts(np.concatenate([np.diff(poly.face_start), sizes])),
        starts(np.concatenate([np.diff(poly.block_face_start), faces])),
    )


def starts(counts: Union[Sequence[int], np.ndarray]) -> np.ndarray:
    """Start of each of consecutive runs, and end of the last; int32."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
