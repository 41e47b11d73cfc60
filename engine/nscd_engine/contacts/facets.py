"""Facets of blocks: coplanar faces of a block as one facet, in convex pieces for clipping.

A triangulated cube has six facets like any cube. Where the faces of a facet are not exactly plane, its height above a
plane is that of the triangles about the means of its faces (see geometry/mass_properties).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nscd_engine.contacts.patches import joined_starts, selection
from nscd_engine.contacts.stream import Stream
from nscd_engine.core.structs import Polyhedra
from nscd_engine.kernels.contacts.facets import (
    Faces,
    Pieces,
    Planes,
    all_behind,
    cut_faces,
    fit_planes,
    group_faces,
    measure_facets,
)

#: Warp over the size of the block below which a facet is plane [-]. Larger: gaps of warped facets are wrong by as much.
#: Smaller: rounding makes plane facets warped, and clipping slower.
PLANE = 1e-9
#: Work of a face over that of comparing a pair of facets [-].
FACE_COST = 20.0


class Facets(NamedTuple):
    """Plane parts of the boundaries of blocks. K facets, Q convex pieces, T triangles."""

    block_start: np.ndarray  # (B + 1,) int64: facets of block k
    normal: np.ndarray  # (K, 3): unit, outward
    origin: np.ndarray  # [m] (K, 3): a point of the plane
    along: np.ndarray  # (K, 3): unit, in the plane, along the longest edge
    area: np.ndarray  # [m2] (K,)
    warp: np.ndarray  # [m] (K,): greatest distance of a corner from the plane
    lower: np.ndarray  # [m] (K, 3): bounding box
    upper: np.ndarray  # [m] (K, 3)
    piece_start: np.ndarray  # (K + 1,) int64: pieces of facet k
    corner_start: np.ndarray  # (Q + 1,) int64: into corner
    corner: np.ndarray  # int64: vertices of the pieces, counter-clockwise from outside
    of_face: np.ndarray  # (F,) int64: facet of each face of the polyhedra
    fan_start: np.ndarray  # (K + 1,) int64: triangles of facet k, none if it is plane
    fan: np.ndarray  # [m] (T, 3, 3): corners
    convex: np.ndarray  # (B,) bool: whether every vertex is behind every facet of its block
    turn: np.ndarray  # [rad] (K,): angle to neighbouring facets of a curved surface (contacts/curvature); 0 if plane
    bulge: np.ndarray  # [m] (K,): distance from the curved surface; 0 if plane


def facets_in_runs(poly: Polyhedra, tolerance: np.ndarray, size: np.ndarray, stream: Stream) -> Facets:
    """`build_facets`, of a run of blocks at a time."""
    cost = FACE_COST * np.diff(poly.block_face_start)
    several = stream.runs("faces", cost, lambda rows: build_facets(_some(poly, rows), tolerance[rows], size[rows]))
    if len(several) == 1:
        return several[0][1]
    starts = [int(poly.vertex_start[rows.start]) for rows, _ in several]
    return _put_together([facets for _, facets in several], starts)


def _some(poly, rows):
    """The polyhedra of a run of blocks, numbered from 0."""
    vertex_start = poly.vertex_start[rows.start : rows.stop + 1]
    block_face_start = poly.block_face_start[rows.start : rows.stop + 1]
    face_start = poly.face_start[block_face_start[0] : block_face_start[-1] + 1]
    return Polyhedra(
        poly.vertices[vertex_start[0] : vertex_start[-1]],
        vertex_start - vertex_start[0],
        poly.face_vertices[face_start[0] : face_start[-1]] - vertex_start[0],
        face_start - face_start[0],
        block_face_start - block_face_start[0],
    )


def _put_together(several, vertices):
    """Facets of consecutive runs of blocks as one; the first vertex of each run is given."""
    starts = ("block_start", "piece_start", "corner_start", "fan_start")
    before = np.cumsum([0] + [len(facets.area) for facets in several[:-1]])
    fields = {name: joined_starts([getattr(facets, name) for facets in several]) for name in starts}
    fields["corner"] = np.concatenate([facets.corner + first for facets, first in zip(several, vertices)])
    fields["of_face"] = np.concatenate([facets.of_face + first for facets, first in zip(several, before)])
    for name in Facets._fields:
        if name not in fields:
            fields[name] = np.concatenate([getattr(facets, name) for facets in several])
    return Facets(**fields)


def build_facets(poly: Polyhedra, tolerance: np.ndarray, size: np.ndarray) -> Facets:
    """Facets of all blocks.

    Parameters
    ----------
    poly : Polyhedra
    tolerance : array (B,)
        Distance within which faces of a block are in one plane [m].
    size : array (B,)
        Of the blocks [m].
    """
    face = _faces(poly)
    label, block_start = group_faces(poly.block_face_start.astype(np.int64), face, tolerance)
    count = int(block_start[-1])
    planes = Planes(np.empty((count, 3)), np.empty((count, 3)), np.empty(count))
    order = np.argsort(label, kind="stable")
    concave = fit_planes(face, label, order, planes)
    pieces = _pieces(face, order, label, planes, concave)
    box, along = np.empty((2, count, 3)), np.empty((count, 3))
    warp = measure_facets(face.point, pieces, planes, box, along)
    fan_start, fan = _fans(face, label, warp > PLANE * np.repeat(size, np.diff(block_start)))
    convex = all_behind(face.point, poly.vertex_start, block_start, planes.origin, planes.normal, tolerance)
    return Facets(
        block_start, planes.normal, planes.origin, along, planes.area, warp, box[0], box[1], pieces.start,
        pieces.corner_start, pieces.corner, label, fan_start, fan, convex, np.zeros(count), np.zeros(count),
    )  # fmt: skip


def _faces(poly):
    """Faces of the blocks, not measured yet."""
    start, count = poly.face_start.astype(np.int64), len(poly.face_start) - 1
    corner = poly.face_vertices.astype(np.int64)
    return Faces(start, corner, poly.vertices, np.empty((count, 3)), np.empty((count, 3)), np.empty(count))


def _following(start):
    """Row of the next corner of the same polygon."""
    following = np.arange(1, start[-1] + 1)
    following[start[1:] - 1] = start[:-1]
    return following


def _pieces(face, order, label, planes, concave):
    """Convex pieces of the faces in the order of the facets; faces that are not convex are cut into triangles."""
    start, chosen = selection(face.start[order], np.diff(face.start)[order])
    start, corner, facet = start.astype(np.int64), face.corner[chosen], label[order]
    if concave.any():
        local = face.point[corner] - np.repeat(planes.origin[facet], np.diff(start), axis=0)
        facet, start, corner = cut_faces(start, corner, local, planes.normal, facet, concave[order])
    return Pieces(np.searchsorted(facet, np.arange(len(planes.area) + 1)), start, corner)


def _fans(face, label, warped):
    """Triangles about the means of the faces of warped facets, ordered by facet: fan_start (K + 1,), fan (T, 3, 3)."""
    if not warped.any():
        return np.zeros(len(warped) + 1, np.int64), np.zeros((0, 3, 3))
    of = np.repeat(np.arange(len(label)), np.diff(face.start))
    chosen = np.flatnonzero(warped[label[of]])
    chosen = chosen[np.argsort(label[of[chosen]], kind="stable")]
    here, there = face.point[face.corner[chosen]], face.point[face.corner[_following(face.start)[chosen]]]
    facet = label[of[chosen]]
    return np.searchsorted(facet, np.arange(len(warped) + 1)), np.stack([face.mean[of[chosen]], here, there], axis=1)
