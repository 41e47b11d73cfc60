"""Facets of blocks: the faces of a block that lie in one plane, as convex pieces ready to be clipped.

A triangulated cube so has six facets like any cube. A facet keeps the faces it is made of: where they are not exactly
plane, its height above any plane is that of the triangles about the means of the faces (see mass_properties).
"""

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from nscd_engine.kernels.clip import is_convex

#: Least cosine between the normals of faces in one plane (5 degrees): small triangles have poor normals, and what
#: their corners may leave the plane by is bounded anyway.
SAME_PLANE = 0.996


class Facets(NamedTuple):
    """Planar parts of the boundaries of blocks. K facets, Q convex pieces."""

    block_start: np.ndarray  # (B + 1,) int32: facets of block k
    normal: np.ndarray  # (K, 3): unit, outward
    origin: np.ndarray  # [m] (K, 3): a point of the plane
    area: np.ndarray  # [m2] (K,)
    warp: np.ndarray  # [m] (K,): greatest distance of a corner from the plane
    lower: np.ndarray  # [m] (K, 3): bounding box
    upper: np.ndarray  # [m] (K, 3)
    face_start: np.ndarray  # (K + 1,) int32: into face
    face: np.ndarray  # (F,) int32: faces of the polyhedra
    piece_start: np.ndarray  # (K + 1,) int32: pieces of facet k
    corner_start: np.ndarray  # (Q + 1,) int32: into corner
    corner: np.ndarray  # int32: vertices of the pieces, counter-clockwise from outside
    convex: np.ndarray  # (B,) bool: whether every vertex is behind every facet


def build_facets(poly, size, gap_tolerance):
    """Facets of all blocks; faces of a block are in one plane within half the tolerance of a gap."""
    faces = len(poly.face_start) - 1
    corners = len(poly.face_vertices)
    normal, mean, area = _face_planes(poly)
    facets = Facets(
        np.zeros(len(size) + 1, np.int32),
        np.zeros((faces, 3)),
        np.zeros((faces, 3)),
        np.zeros(faces),
        np.zeros(faces),
        np.zeros((faces, 3)),
        np.zeros((faces, 3)),
        np.zeros(faces + 1, np.int32),
        np.zeros(faces, np.int32),
        np.zeros(faces + 1, np.int32),
        np.zeros(corners + 1, np.int32),
        np.zeros(3 * corners, np.int32),
        np.zeros(len(size), np.bool_),
    )
    most = int(np.diff(poly.face_start).max())
    _group(poly, normal, mean, area, 0.5 * gap_tolerance * size, SAME_PLANE, facets)
    _cut(poly, facets, np.empty((most, 2)), np.empty(most, np.int32))
    _mark_convex(poly, facets, gap_tolerance * size)
    return facets


def _face_planes(poly):
    """Unit normal (F, 3), mean of the corners (F, 3) and area (F,) of every face."""
    face_size = np.diff(poly.face_start)
    first = poly.vertices[poly.face_vertices[poly.face_start[:-1]]]
    local = poly.vertices[poly.face_vertices] - np.repeat(first, face_size, axis=0)
    mean = np.add.reduceat(local, poly.face_start[:-1], axis=0) / face_size[:, None]
    local -= np.repeat(mean, face_size, axis=0)
    following = np.arange(1, len(local) + 1)
    following[poly.face_start[1:] - 1] = poly.face_start[:-1]
    vector = 0.5 * np.add.reduceat(np.cross(local, local[following]), poly.face_start[:-1], axis=0)
    area = np.linalg.norm(vector, axis=1)
    return vector / np.where(area > 0.0, area, 1.0)[:, None], first + mean, area


@njit(cache=True, nogil=True)
def _within(poly, face, origin, normal, k, tolerance):
    """Whether all corners of a face are within the tolerance of plane k."""
    for c in range(poly.face_start[face], poly.face_start[face + 1]):
        v = poly.face_vertices[c]
        d = 0.0
        for i in range(3):
            d += (poly.vertices[v, i] - origin[k, i]) * normal[k, i]
        if abs(d) > tolerance:
            return False
    return True


@njit(cache=True, nogil=True)
def _group(poly, normal, mean, area, tolerance, least_cosine, facets):
    """Gather the faces in the plane of the largest face that is left, until none is left."""
    taken = np.zeros(area.shape[0], np.bool_)
    count = 0
    listed = 0
    for block in range(tolerance.shape[0]):
        begin, end = poly.block_face_start[block], poly.block_face_start[block + 1]
        while True:
            seed = -1
            for face in range(begin, end):
                if not taken[face] and (seed < 0 or area[face] > area[seed] * (1.0 + 1e-9)):
                    seed = face
            if seed < 0:
                break
            for face in range(begin, end):
                cosine = 0.0
                for i in range(3):
                    cosine += normal[face, i] * normal[seed, i]
                alike = cosine > least_cosine or area[face] == 0.0
                if face == seed or (
                    not taken[face] and alike and _within(poly, face, mean, normal, seed, tolerance[block])
                ):
                    taken[face] = True
                    facets.face[listed] = face
                    listed += 1
            facets.face_start[count + 1] = listed
            _fit(poly, normal, mean, area, facets, count)
            count += 1
        facets.block_start[block + 1] = count


@njit(cache=True, nogil=True)
def _fit(poly, normal, mean, area, facets, k):
    """Plane, box and warp of facet k from its faces, weighted by their areas."""
    begin, end = facets.face_start[k], facets.face_start[k + 1]
    total = 0.0
    for f in range(begin, end):
        total += area[facets.face[f]]
    length = 0.0
    for i in range(3):
        vector = origin = 0.0
        base = mean[facets.face[begin], i]
        for f in range(begin, end):
            face = facets.face[f]
            vector += area[face] * normal[face, i]
            origin += area[face] * (mean[face, i] - base)
        facets.normal[k, i] = vector
        facets.origin[k, i] = base + (origin / total if total > 0.0 else 0.0)
        facets.lower[k, i] = np.inf
        facets.upper[k, i] = -np.inf
        length += vector * vector
    length = math.sqrt(length)
    for i in range(3):
        facets.normal[k, i] /= length if length > 0.0 else 1.0
    facets.area[k] = length
    for f in range(begin, end):
        for c in range(poly.face_start[facets.face[f]], poly.face_start[facets.face[f] + 1]):
            v = poly.face_vertices[c]
            d = 0.0
            for i in range(3):
                d += (poly.vertices[v, i] - facets.origin[k, i]) * facets.normal[k, i]
                facets.lower[k, i] = min(facets.lower[k, i], poly.vertices[v, i])
                facets.upper[k, i] = max(facets.upper[k, i], poly.vertices[v, i])
            facets.warp[k] = max(facets.warp[k], abs(d))


@njit(cache=True, nogil=True)
def plane_axes(poly, facets, k, axes):
    """Rows 0 and 1 of axes become t1 along the first edge of facet k that has a length, and n x t1; row 2 is n."""
    for q in range(facets.face_start[k], facets.face_start[k + 1]):
        face = facets.face[q]
        for c in range(poly.face_start[face], poly.face_start[face + 1] - 1):
            dot = 0.0
            for i in range(3):
                axes[0, i] = poly.vertices[poly.face_vertices[c + 1], i] - poly.vertices[poly.face_vertices[c], i]
                dot += axes[0, i] * axes[2, i]
            length = 0.0
            for i in range(3):
                axes[0, i] -= dot * axes[2, i]
                length += axes[0, i] ** 2
            length = math.sqrt(length)
            if length > 0.0:
                for i in range(3):
                    axes[0, i] /= length
                for i in range(3):
                    j, m = (i + 1) % 3, (i + 2) % 3
                    axes[1, i] = axes[2, j] * axes[0, m] - axes[2, m] * axes[0, j]
                return


@njit(cache=True, nogil=True)
def _cut(poly, facets, flat, ring):
    """Convex pieces of all facets: convex faces as they are, others cut into triangles."""
    axes = np.empty((3, 3))
    pieces = 0
    corners = 0
    for k in range(facets.block_start[-1]):
        for i in range(3):
            axes[2, i] = facets.normal[k, i]
        plane_axes(poly, facets, k, axes)
        for q in range(facets.face_start[k], facets.face_start[k + 1]):
            face = facets.face[q]
            begin = poly.face_start[face]
            count = poly.face_start[face + 1] - begin
            extent = 0.0
            for c in range(count):
                ring[c] = poly.face_vertices[begin + c]
                for j in range(2):
                    flat[c, j] = 0.0
                    for i in range(3):
                        flat[c, j] += (poly.vertices[ring[c], i] - facets.origin[k, i]) * axes[j, i]
                    extent = max(extent, abs(flat[c, j]))
            if is_convex(flat, count, 1e-9 * extent):
                for c in range(count):
                    facets.corner[corners + c] = ring[c]
                corners += count
                pieces += 1
                facets.corner_start[pieces] = corners
            else:
                while count > 2:
                    corners = _cut_ear(flat, ring, count, facets.corner, corners)
                    count -= 1
                    pieces += 1
                    facets.corner_start[pieces] = corners
        facets.piece_start[k + 1] = pieces


@njit(cache=True, nogil=True)
def _turn(flat, i, j, k):
    return (flat[j, 0] - flat[i, 0]) * (flat[k, 1] - flat[i, 1]) - (flat[j, 1] - flat[i, 1]) * (flat[k, 0] - flat[i, 0])


@njit(cache=True, nogil=True)
def _cut_ear(flat, ring, count, corner, corners):
    """Write the ear of a polygon with the best shape as a triangle and take its tip off the ring.

    A polygon that crosses itself may have no ear: then the widest corner goes, so that the cutting always ends.
    """
    best = -1
    best_shape = -np.inf
    for k in range(count):
        i = k - 1 if k > 0 else count - 1
        j = k + 1 if k + 1 < count else 0
        turn = _turn(flat, i, k, j)
        longest = 0.0
        for a, b in ((i, k), (k, j), (j, i)):
            longest = max(longest, (flat[a, 0] - flat[b, 0]) ** 2 + (flat[a, 1] - flat[b, 1]) ** 2)
        shape = turn / longest if longest > 0.0 else 0.0
        for m in range(count):
            if m != i and m != j and m != k and turn > 0.0:
                inside = _turn(flat, i, k, m) >= 0.0 and _turn(flat, k, j, m) >= 0.0 and _turn(flat, j, i, m) >= 0.0
                if inside and _turn(flat, j, i, m) + _turn(flat, i, k, m) + _turn(flat, k, j, m) > 0.0:
                    shape = min(shape, 0.0) - 1.0
                    break
        if shape > best_shape:
            best, best_shape = k, shape
    corner[corners] = ring[best - 1 if best > 0 else count - 1]
    corner[corners + 1] = ring[best]
    corner[corners + 2] = ring[best + 1 if best + 1 < count else 0]
    for m in range(best, count - 1):
        ring[m] = ring[m + 1]
        flat[m, 0] = flat[m + 1, 0]
        flat[m, 1] = flat[m + 1, 1]
    return corners + 3


@njit(cache=True, nogil=True)
def _mark_convex(poly, facets, tolerance):
    for block in range(tolerance.shape[0]):
        convex = True
        for k in range(facets.block_start[block], facets.block_start[block + 1]):
            for v in range(poly.vertex_start[block], poly.vertex_start[block + 1]):
                d = 0.0
                for i in range(3):
                    d += (poly.vertices[v, i] - facets.origin[k, i]) * facets.normal[k, i]
                if d > tolerance[block]:
                    convex = False
        facets.convex[block] = convex
