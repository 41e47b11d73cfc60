"""Sizes, boxes and faces of polyhedra."""

import numpy as np

from nscd_engine.core.structs import Polyhedra


def block_sizes(poly, centroid, radius=0.0):
    """Size [m] (B,) of every block: twice the distance of its farthest vertex from its centroid (B, 3).

    Of a box it is the diagonal, of a sphere the diameter. Rotations do not change it, hence no tolerance either.
    """
    arm = poly.vertices - np.repeat(centroid, np.diff(poly.vertex_start), axis=0)
    square = np.maximum.reduceat((arm * arm).sum(axis=1), poly.vertex_start[:-1])
    return 2.0 * (np.sqrt(square) + radius)


def block_boxes(poly, radius):
    """Lower and upper corners (B, 3) of the boxes around blocks."""
    lower = np.minimum.reduceat(poly.vertices, poly.vertex_start[:-1], axis=0)
    upper = np.maximum.reduceat(poly.vertices, poly.vertex_start[:-1], axis=0)
    reach = np.reshape(radius, (-1, 1))
    return lower - reach, upper + reach


def half_edges(poly):
    """For every half-edge: its twin, the one that follows it in its face, and its face; each (H,) int32.

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


def face_vectors(poly):
    """Area vectors [m2] (F, 3), outward, exact for plane polygons, a mean for warped ones; mean vertices (F, 3)."""
    size = np.diff(poly.face_start)
    corner = poly.vertices[poly.face_vertices]
    if not len(size):
        return np.zeros((0, 3)), np.zeros((0, 3))
    centre = np.add.reduceat(corner, poly.face_start[:-1], axis=0) / size[:, None]
    following = np.arange(1, len(corner) + 1)
    following[poly.face_start[1:] - 1] = poly.face_start[:-1]
    arm = corner - np.repeat(centre, size, axis=0)
    return 0.5 * np.add.reduceat(np.cross(arm, arm[following]), poly.face_start[:-1], axis=0), centre


def spans(poly, radius):
    """Twice the greatest distance [m] (B,) of a vertex from the mean of the vertices.

    Contact margins of motions are measured by it, `block_sizes` is for all else. Both are the same for boxes and spheres
    and differ by a few per cent for voussoirs; with one for the other, motions differ in their last digits.
    """
    count = np.diff(poly.vertex_start)
    middle = np.add.reduceat(poly.vertices, poly.vertex_start[:-1], axis=0) / count[:, None]
    arm = np.linalg.norm(poly.vertices - np.repeat(middle, count, axis=0), axis=1)
    return 2.0 * (np.maximum.reduceat(arm, poly.vertex_start[:-1]) + radius)


def polyhedron(poly, k):
    """Vertices (v, 3) and faces (lists of rows) of one block."""
    first = poly.vertex_start[k]
    faces = [
        poly.face_vertices[poly.face_start[f] : poly.face_start[f + 1]] - first
        for f in range(poly.block_face_start[k], poly.block_face_start[k + 1])
    ]
    return poly.vertices[first : poly.vertex_start[k + 1]], faces


def without(poly, gone):
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


def joined(poly, solids):
    """Polyhedra with more solids behind them, each (vertices, faces)."""
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


def starts(counts):
    """Where each of consecutive runs begins, and where the last ends; int32."""
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
