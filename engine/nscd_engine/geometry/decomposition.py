"""Blocks as convex parts: convex blocks as they are, concave ones cut along the planes of their faces."""

import numpy as np

from nscd_engine.geometry.coacd import approximate_parts
from nscd_engine.geometry.convex_cells import face_planes, split_block
from nscd_engine.geometry.convex_parts import build
from nscd_engine.geometry.polyhedra import face_vectors, half_edges, joined, polyhedron, spans, without

#: Distance from a plane, over the size of the block, below which neighbouring faces are one and a reflex edge is flat.
#: Larger: real notches vanish. Smaller: careless triangles break a block into slivers.
PLANARITY = 1e-3
#: Distance of the corners of one face from its plane, over the size of the block, up to which it is plane: as far as
#: blocks may overlap at rest. Larger: joints lose their twist. Smaller: the joint of two CAD blocks becomes four.
WARP = 5e-3


def convex_parts(poly, centroid, radius, names, planarity=PLANARITY):
    """Convex parts of all blocks.

    Parameters
    ----------
    poly : Polyhedra
        One vertex without faces stands for a sphere.
    centroid, radius : [m] (B, 3), (B,)
        `radius` is 0 for polyhedra.
    names : (B,) text
        For the error that names a block.

    Returns
    -------
    ConvexParts

    Raises
    ------
    GeometryError
        If a block cannot be cut into parts.
    """
    size = spans(poly, radius)
    concave = reflex_blocks(poly, size, planarity)
    solids, block, inner = [], list(np.flatnonzero(~concave)), []
    for k in np.flatnonzero(concave):
        vertices, faces = with_plane_faces(*polyhedron(poly, k), WARP * size[k])
        cells, cuts = split_block(vertices, faces, names[k])
        if cells is None:
            cells, cuts = approximate_parts(vertices, faces, names[k])
        solids += cells
        inner += cuts
        block += [k] * len(cells)
    parts = joined(without(poly, concave), solids) if solids else poly
    is_inner = np.zeros(len(parts.face_start) - 1, bool)
    is_inner[len(is_inner) - len(inner) :] = inner
    block = np.array(block, np.int32)
    return build(parts, block, centroid, size, is_inner, np.asarray(radius, float)[block], planarity)


def reflex_blocks(poly, size, planarity):
    """Whether each block has an edge at which it is concave by more than `planarity` of its size, or a warped face."""
    count = len(poly.vertex_start) - 1
    face_block = np.repeat(np.arange(count), np.diff(poly.block_face_start))
    twin, following, half_face = half_edges(poly)
    vector, centre = face_vectors(poly)
    area = np.linalg.norm(vector, axis=1)
    normal = vector / np.where(area > 0.0, area, 1.0)[:, None]
    tail = poly.vertices[poly.face_vertices]
    edge = tail[following] - tail
    across = half_face[twin]
    turn = np.einsum("ij,ij->i", np.cross(normal[half_face], normal[across]), edge)
    # The corner of the face across that rises highest above this face is as high as the notch is deep.
    rise = np.zeros(len(tail))
    suspect = np.flatnonzero(turn < 0.0)
    if len(suspect):
        length = np.diff(poly.face_start)[across[suspect]]
        begin = np.concatenate([[0], np.cumsum(length)[:-1]])
        row = np.arange(length.sum()) + np.repeat(poly.face_start[across[suspect]] - begin, length)
        f = np.repeat(half_face[suspect], length)
        height = np.einsum("ij,ij->i", tail[row] - centre[f], normal[f])
        rise[suspect] = np.maximum.reduceat(height, begin)
    deep = np.minimum(rise, rise[twin]) > planarity * np.asarray(size)[face_block[half_face]]
    warped = np.abs(np.einsum("ij,ij->i", tail - centre[half_face], normal[half_face]))
    deep |= warped > WARP * np.asarray(size)[face_block[half_face]]
    concave = np.zeros(count, bool)
    concave[face_block[half_face[deep]]] = True
    return concave


def with_plane_faces(vertices, faces, limit):
    """Fold the faces whose corners are farther than `limit` [m] from a plane; vertices and faces.

    Both sides of a joint are folded alike, whatever their corner order, so that they still fit.
    """
    warp = face_planes(vertices, faces)[1]
    points, polygons = list(vertices), []
    for face, w in zip(faces, warp):
        pieces = [face] if w <= limit else folded(vertices, np.asarray(face), limit)
        if pieces is None:  # triangles about the middle, as the rest detection has it
            pieces = [[len(points), i, j] for i, j in zip(face, np.roll(face, -1))]
            points.append(vertices[face].mean(axis=0))
        polygons += pieces
    return np.array(points), polygons


def folded(vertices, face, limit):
    """The face in two plane pieces along the diagonal that leaves the least warp; None if there is no such diagonal.

    A quadrilateral has two that are as good as each other.
    """
    n, best, least = len(face), None, limit
    for i in range(n - 2 if n > 4 else 0):
        for j in range(i + 2, n - (i == 0)):
            pieces = [face[i : j + 1], np.concatenate([face[j:], face[: i + 1]])]
            warp = face_planes(vertices, pieces)[1].max()
            if warp < least:
                best, least = pieces, warp
    return best
