"""Facets of blocks: coplanar faces of a block as one facet, in convex pieces for clipping.

A triangulated cube has six facets like any cube. Where the faces of a facet are not exactly plane, its height above a
plane is that of the triangles about the means of its faces (see geometry/mass_properties).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nscd_engine.contacts.patches import joined_starts
from nscd_engine.contacts.stream import Stream
from nscd_engine.core.structs import Polyhedra
from nscd_engine.kernels.contacts.facets import all_behind, cut_faces, group_faces

#: Warp over the size of the block below which a facet is plane [-]. Larger: gaps of warped facets are wrong by as much.
#: Smaller: rounding makes plane facets warped, and clipping slower.
PLANE = 1e-9
#: Distance of a corner inside the line of its neighbours, over the extent of the face, from which the face is concave
#: [-]. Larger: shallow notches are bridged. Smaller: rounding makes straight edges concave.
REFLEX = 1e-9
#: Relative difference of lengths below which two edges are equally long [-]. Larger: a shorter edge may give t1.
#: Smaller: rounding decides which edge of a square gives t1.
AS_LONG = 1e-6


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


class Faces(NamedTuple):
    """Faces of all blocks. F faces."""

    start: np.ndarray  # (F + 1,) int64: into corner
    corner: np.ndarray  # int64: vertices
    following: np.ndarray  # int64: row in `corner` of the next corner of the face
    of: np.ndarray  # int64: face of every corner
    point: np.ndarray  # [m] (V, 3)
    normal: np.ndarray  # (F, 3)
    mean: np.ndarray  # [m] (F, 3): of the corners
    area: np.ndarray  # [m2] (F,)


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
    block_faces = poly.block_face_start.astype(np.int64)
    label = group_faces(block_faces, face, tolerance)
    # Facets are numbered in the order of the blocks: sorting faces by facet keeps this order.
    order = np.argsort(label, kind="stable")
    count = int(label.max()) + 1
    first = np.searchsorted(label[order], np.arange(count))
    block = np.repeat(np.arange(len(size)), np.diff(block_faces))[order[first]]
    block_start = np.searchsorted(block, np.arange(len(size) + 1))

    vector = np.add.reduceat((face.normal * face.area[:, None])[order], first, axis=0)
    area = np.linalg.norm(vector, axis=1)
    normal = vector / np.where(area > 0.0, area, 1.0)[:, None]
    base = face.mean[order[first]]
    weight = np.maximum(face.area[order], np.finfo(float).tiny)
    shift = (face.mean[order] - np.repeat(base, np.diff(np.append(first, len(order))), axis=0)) * weight[:, None]
    total = np.add.reduceat(weight, first)
    origin = base + np.add.reduceat(shift, first, axis=0) / total[:, None]

    piece, corner_start, corner = _pieces(poly, face, order, label[order], normal, origin)
    piece_start = np.searchsorted(piece, np.arange(count + 1))
    point = poly.vertices[corner]
    corner_first = corner_start[piece_start[:-1]]
    of = np.repeat(np.arange(count), np.diff(np.append(corner_first, len(corner))))
    off = np.abs(np.einsum("ci,ci->c", point - origin[of], normal[of]))
    warp = np.maximum.reduceat(off, corner_first)
    fan_start, fan = _fans(poly, face, label, warp > PLANE * size[block])
    lower = np.minimum.reduceat(point, corner_first, axis=0)
    upper = np.maximum.reduceat(point, corner_first, axis=0)
    along = _longest_edges(point, corner_start, corner_first, of, normal)
    convex = all_behind(poly.vertices, poly.vertex_start, block_start, origin, normal, tolerance)
    return Facets(
        block_start, normal, origin, along, area, warp, lower, upper, piece_start, corner_start, corner, label,
        fan_start, fan, convex, np.zeros(count), np.zeros(count),
    )  # fmt: skip


def _faces(poly):
    start, corner = poly.face_start.astype(np.int64), poly.face_vertices.astype(np.int64)
    of = np.repeat(np.arange(len(start) - 1), np.diff(start))
    first = poly.vertices[corner[start[:-1]]]
    local = poly.vertices[corner] - first[of]
    mean = np.add.reduceat(local, start[:-1], axis=0) / np.diff(start)[:, None]
    local -= mean[of]
    following = _following(start)
    vector = 0.5 * np.add.reduceat(np.cross(local, local[following]), start[:-1], axis=0)
    area = np.linalg.norm(vector, axis=1)
    normal = vector / np.where(area > 0.0, area, 1.0)[:, None]
    return Faces(start, corner, following, of, poly.vertices, normal, first + mean, area)


def _following(start):
    """Row of the next corner of the same polygon."""
    following = np.arange(1, start[-1] + 1)
    following[start[1:] - 1] = start[:-1]
    return following


def _pieces(poly, face, order, label, normal, origin):
    """Convex pieces: facet (Q,), corner_start (Q + 1,), corner. Faces that are not convex are cut into triangles."""
    size = np.diff(face.start)[order]
    start = np.concatenate([[0], np.cumsum(size)])
    place = np.repeat(face.start[:-1][order] - start[:-1], size) + np.arange(start[-1])
    corner = face.corner[place]
    of = label[np.repeat(np.arange(len(order)), size)]
    local = poly.vertices[corner] - origin[of]
    following = _following(start)
    edge = local[following] - local
    turn = np.einsum("ci,ci->c", np.cross(edge, edge[following]), normal[of])
    longest = np.maximum.reduceat(np.einsum("ci,ci->c", edge, edge), start[:-1])
    concave = np.minimum.reduceat(turn, start[:-1]) < -REFLEX * longest
    if not concave.any():
        return label, start, corner
    return cut_faces(start, corner, local, normal, label, concave)


def _fans(poly, face, label, warped):
    """Triangles about the means of the faces of warped facets, ordered by facet: fan_start (K + 1,), fan (T, 3, 3)."""
    facet = label[face.of]
    chosen = np.flatnonzero(warped[facet])
    chosen = chosen[np.argsort(facet[chosen], kind="stable")]
    mean = face.mean[face.of[chosen]]
    here, there = poly.vertices[face.corner[chosen]], poly.vertices[face.corner[face.following[chosen]]]
    return np.searchsorted(facet[chosen], np.arange(len(warped) + 1)), np.stack([mean, here, there], axis=1)


def _longest_edges(point, corner_start, corner_first, of, normal):
    """Direction (K, 3) of the longest edge of every facet; of edges of equal length, the first."""
    edge = point[_following(corner_start)] - point
    edge -= np.einsum("ci,ci->c", edge, normal[of])[:, None] * normal[of]
    length = np.linalg.norm(edge, axis=1)
    longest = np.maximum.reduceat(length, corner_first)
    alike = np.flatnonzero(length >= (1.0 - AS_LONG) * longest[of])
    chosen = alike[np.searchsorted(of[alike], np.arange(len(longest)))]
    return edge[chosen] / np.where(longest > 0.0, longest, 1.0)[:, None]
