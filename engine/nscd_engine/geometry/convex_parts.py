"""Convex parts: polyhedra with the planes and edges that the narrow phase needs.

A part is in the axes of its block: origin at the centroid, parallel to the world axes at rest. Coplanar faces of the
mesh (the two triangles of a quadrilateral, a warped face split in two) become one face, so that a block that lies on
another one has one patch. A sphere is a part without faces: one vertex, its centre, and a radius.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nscd_engine.core.structs import Polyhedra
from nscd_engine.geometry.polyhedra import face_vectors, half_edges
from nscd_engine.kernels.geometry.coplanar_regions import flat_regions, region_outlines


class ConvexParts(NamedTuple):
    """P convex parts, flat. F faces, E edges, V vertices of all parts together; indices count from the part's first."""

    block: np.ndarray  # (P,) int32
    vertices: np.ndarray  # [m] (V, 3): block axes
    vertex_start: np.ndarray  # (P + 1,) int32
    face_vertices: np.ndarray  # (sum of face sizes,) int32: counter-clockwise from outside
    face_start: np.ndarray  # (F + 1,) int32
    part_face_start: np.ndarray  # (P + 1,) int32
    planes: np.ndarray  # (F, 5): outward normal n, offset [m] with n . x = offset; 1 for a cut, 0 for surface
    edges: np.ndarray  # (E, 4) int32: from vertex, to vertex, the face with this direction, the face across
    edge_start: np.ndarray  # (P + 1,) int32
    radius: np.ndarray  # [m] (P,): of a sphere; 0 for a polyhedron
    reach: np.ndarray  # [m] (P,): greatest distance of a point of the part from the centroid of its block
    size: np.ndarray  # [m] (P,): of the block; tolerances refer to it


class _Regions(NamedTuple):
    """Coplanar faces joined into R regions; indices count all parts together."""

    of_face: np.ndarray  # (F,) int32
    part_start: np.ndarray  # (P + 1,) int32: regions of each part
    corner: np.ndarray  # int32: vertices
    corner_start: np.ndarray  # (R + 1,) int32
    edge_vertices: np.ndarray  # (E, 2) int32
    edge_faces: np.ndarray  # (E, 2) int32
    vector: np.ndarray  # [m2] (F, 3): area vectors of the faces


def build(
    poly: Polyhedra,
    block: np.ndarray,
    centroid: np.ndarray,
    size: np.ndarray,
    inner: np.ndarray,
    radius: np.ndarray,
    planarity: float,
) -> ConvexParts:
    """Prepare convex polyhedra for the narrow phase.

    Parameters
    ----------
    poly : Polyhedra
        Convex polyhedra in world axes, each a part of a block. One vertex without faces stands for a sphere.
    block : array (P,) int32
        The block of each.
    centroid, size : arrays (B, 3), (B,)
        Of the blocks [m].
    inner : array (F,) of bool
        Faces that are cuts through a block.
    radius : array (P,)
        Of spheres [m], 0 for polyhedra.
    planarity : float
        Distance from a plane, over the size of the block, below which a face is in the plane [-].
    """
    counts = np.diff(poly.vertex_start)
    poly = poly._replace(vertices=poly.vertices - np.repeat(centroid[block], counts, axis=0))
    regions = _regions(poly, planarity * np.asarray(size)[block])
    used = np.zeros(len(poly.vertices), bool)
    used[regions.corner] = True
    used[poly.vertex_start[:-1][radius > 0.0]] = True
    row = np.concatenate([[0], np.cumsum(used)])  # number of each vertex when unused ones are removed
    vertex_start = row[poly.vertex_start]
    vertices = np.ascontiguousarray(poly.vertices[used])
    return ConvexParts(
        block=np.asarray(block, np.int32),
        vertices=vertices,
        vertex_start=vertex_start.astype(np.int32),
        face_start=regions.corner_start,
        part_face_start=regions.part_start,
        planes=_planes(poly, regions, inner),
        radius=np.asarray(radius, float),
        reach=np.maximum.reduceat(np.linalg.norm(vertices, axis=1), vertex_start[:-1]) + radius,
        size=np.asarray(size, float)[block],
        **_own_indices(regions, row, vertex_start),
    )


def _regions(poly, tolerance):
    """Regions of faces within the tolerance [m] (P,) of a plane."""
    twin, following, half_face = half_edges(poly)
    vector, centre = face_vectors(poly)
    area = np.linalg.norm(vector, axis=1)
    normal = vector / np.where(area > 0.0, area, 1.0)[:, None]
    face_part = np.repeat(np.arange(len(tolerance)), np.diff(poly.block_face_start))
    order = np.lexsort((-area, face_part)).astype(np.int32)
    region, start = flat_regions(poly, twin, half_face, normal, centre, order, tolerance)
    outlines = region_outlines(poly.face_vertices, following, twin, region[half_face], int(start[-1]))
    return _Regions(region, start, *outlines, vector)


def _planes(poly, regions, inner):
    """Planes (R, 5) of the regions, as of ConvexParts."""
    count = len(regions.corner_start) - 1
    summed = np.zeros((count, 3))
    np.add.at(summed, regions.of_face, regions.vector)
    normal = summed / np.linalg.norm(summed, axis=1)[:, None]
    corners = np.diff(regions.corner_start)
    height = np.einsum("ij,ij->i", np.repeat(normal, corners, axis=0), poly.vertices[regions.corner])
    offset = np.add.reduceat(height, regions.corner_start[:-1]) / corners if count else np.zeros(0)
    surface = np.zeros(count, bool)
    surface[regions.of_face[~inner]] = True
    return np.column_stack([normal, offset, ~surface])


def _own_indices(regions, row, vertex_start):
    """Corners and edges of the regions with indices that count from the first vertex and face of their part."""
    part = np.searchsorted(regions.part_start, np.arange(regions.part_start[-1]), side="right") - 1
    corner = row[regions.corner] - vertex_start[np.repeat(part, np.diff(regions.corner_start))]
    edge_part = part[regions.edge_faces[:, 0]]
    edge_vertices = row[regions.edge_vertices] - vertex_start[edge_part][:, None]
    edge_faces = regions.edge_faces - regions.part_start[edge_part][:, None]
    return {
        "face_vertices": corner.astype(np.int32),
        "edges": np.hstack([edge_vertices, edge_faces]).astype(np.int32),
        "edge_start": np.searchsorted(edge_part, np.arange(len(regions.part_start))).astype(np.int32),
    }
