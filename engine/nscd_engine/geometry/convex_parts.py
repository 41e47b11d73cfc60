"""Convex parts: polyhedra whose planes, edges and neighbourhoods are prepared for the narrow phase.

A part lives in the axes of its block: origin at the centroid, turned as the block stands at rest. Coplanar faces of
the mesh (the two triangles of a quad, a warped face split in two) become one face here, so that a block that lies on
another one gives one patch. A sphere is a part without faces: one vertex, its centre, and a radius.
"""

from typing import NamedTuple

import numpy as np

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
    edges: np.ndarray  # (E, 4) int32: from vertex, to vertex, the face that runs along the edge, the one against it
    edge_start: np.ndarray  # (P + 1,) int32
    radius: np.ndarray  # [m] (P,): of a sphere; 0 for a polyhedron
    reach: np.ndarray  # [m] (P,): greatest distance of a point of the part from the centroid of its block
    size: np.ndarray  # [m] (P,): of the block, however it is turned; tolerances refer to it


def build(poly, block, centroid, size, inner, radius, planarity):
    """Prepare convex polyhedra for the narrow phase.

    Parameters
    ----------
    poly : Polyhedra
        Convex polyhedra in world axes, each a part of a block. One vertex without faces stands for a sphere.
    block : (P,) int32
        The block of each.
    centroid, size : [m] (B, 3), (B,)
        Of the blocks.
    inner : (F,) bool
        Faces that are cuts through a block.
    radius : [m] (P,)
        Of spheres, 0 for polyhedra.
    planarity : float
        Distance from a plane, over the size of the block, below which a face is a part of the plane.

    Returns
    -------
    ConvexParts
    """
    counts = np.diff(poly.vertex_start)
    poly = poly._replace(vertices=poly.vertices - np.repeat(centroid[block], counts, axis=0))
    twin, following, half_face = half_edges(poly)
    vector, centre = face_vectors(poly)
    area = np.linalg.norm(vector, axis=1)
    normal = vector / np.where(area > 0.0, area, 1.0)[:, None]
    face_part = np.repeat(np.arange(len(block)), np.diff(poly.block_face_start))
    order = np.lexsort((-area, face_part)).astype(np.int32)
    region, region_start = flat_regions(
        poly, twin, half_face, normal, centre, order, planarity * np.asarray(size)[block]
    )
    count = int(region_start[-1])
    corner, corner_start, edge_vertices, edge_faces = region_outlines(
        poly.face_vertices, following, twin, region[half_face], count
    )
    summed = np.zeros((count, 3))
    np.add.at(summed, region, vector)
    normal = summed / np.linalg.norm(summed, axis=1)[:, None]
    corners = np.diff(corner_start)
    height = np.einsum("ij,ij->i", np.repeat(normal, corners, axis=0), poly.vertices[corner])
    offset = np.add.reduceat(height, corner_start[:-1]) / corners if count else np.zeros(0)
    surface = np.zeros(count, bool)
    surface[region[~inner]] = True

    used = np.zeros(len(poly.vertices), bool)
    used[corner] = True
    used[poly.vertex_start[:-1][radius > 0.0]] = True
    row = np.concatenate([[0], np.cumsum(used)])
    vertex_start = row[poly.vertex_start]
    vertices = np.ascontiguousarray(poly.vertices[used])
    region_part = np.searchsorted(region_start, np.arange(count), side="right") - 1
    edge_part = region_part[edge_faces[:, 0]]
    corner = row[corner] - vertex_start[np.repeat(region_part, corners)]
    edge_vertices = row[edge_vertices] - vertex_start[edge_part][:, None]
    edge_faces = edge_faces - region_start[edge_part][:, None]
    edge_start = np.searchsorted(edge_part, np.arange(len(block) + 1))
    reach = np.maximum.reduceat(np.linalg.norm(vertices, axis=1), vertex_start[:-1]) + radius
    return ConvexParts(
        block=np.asarray(block, np.int32),
        vertices=vertices,
        vertex_start=vertex_start.astype(np.int32),
        face_vertices=corner.astype(np.int32),
        face_start=corner_start,
        part_face_start=region_start,
        planes=np.column_stack([normal, offset, ~surface]),
        edges=np.hstack([edge_vertices, edge_faces]).astype(np.int32),
        edge_start=edge_start.astype(np.int32),
        radius=np.asarray(radius, float),
        reach=reach,
        size=np.asarray(size, float)[block],
    )
