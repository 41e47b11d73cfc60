"""Meshes of blocks: convex ones and boxes without a library, concave ones by the optional mesher pytetwild."""

from __future__ import annotations

from typing import List, NamedTuple, Optional, Sequence

import numpy as np

from compas_nscd.errors import GeometryError
from nscd_engine.core.elastic import Elastic
from nscd_engine.core.structs import Polyhedra
from nscd_engine.deformable.elements import hexahedral
from nscd_engine.deformable.mesh import Mesh
from nscd_engine.deformable.shapes import simplex_gradients
from nscd_engine.deformable.tetwild import tetrahedra_of
from nscd_engine.deformable.topology import HEXAHEDRON, boundary, divided_triangles, hexahedra, tetrahedra, triangles
from nscd_engine.geometry.mass_properties import mass_properties
from nscd_engine.geometry.polygons import ears, plane_axes
from nscd_engine.geometry.polyhedra import face_vectors, joined, starts

#: Cosine between the normal of a face and the axis of a planar model from which the face is the front of the block.
#: Larger: fronts drawn slightly askew are missed. Smaller: oblique sides count as front.
FRONT = 0.99
#: Quality at which an element is flat [-]. Larger: thin stones are refused. Smaller: their stiffness overflows.
FLAT = 1e-6
#: Corners of the virtual nodes of a uniform block in axes in which its points have unit variance: barycentric
#: coordinates are then uncorrelated over the block, so that its mass matrix is exactly diagonal.
VIRTUAL = {
    3: np.array([[1.0, 1.0, 1.0], [-1.0, 1.0, -1.0], [1.0, -1.0, -1.0], [-1.0, -1.0, 1.0]]),
    2: np.array([[2.0**0.5, 0.0], [-(0.5**0.5), 1.5**0.5], [-(0.5**0.5), -(1.5**0.5)]]),
}


class Solids(NamedTuple):
    """B blocks with the same faces."""

    vertices: np.ndarray  # [m] (B, v, 3)
    faces: tuple  # of tuples of rows, counter-clockwise from outside
    volume: np.ndarray  # [m3] (B,)
    centroid: np.ndarray  # [m] (B, 3)
    second: np.ndarray  # [m2] (B, 3, 3): mean of (x - centroid) (x - centroid)^T
    area: np.ndarray  # [m2] (F, 3): outward area vectors of the faces of the first block


def solids(vertices: np.ndarray, faces: Sequence[Sequence[int]]) -> Solids:
    """Blocks with vertices (B, v, 3) [m] and the same faces, with their moments."""
    empty = Polyhedra(np.zeros((0, 3)), starts([]), np.zeros(0, np.int32), starts([]), starts([]))
    poly = joined(empty, [(each, faces) for each in vertices])
    volume, centroid, inertia = mass_properties(poly)
    trace = np.trace(inertia, axis1=1, axis2=2)
    second = 0.5 * trace[:, None, None] * np.eye(3) - inertia
    return Solids(
        np.asarray(vertices, float),
        tuple(tuple(int(k) for k in face) for face in faces),
        volume,
        centroid,
        second / volume[:, None, None],
        face_vectors(poly)[0][: len(faces)],
    )


def mesh(
    vertices: np.ndarray,
    faces: Sequence[Sequence[int]],
    elastic: Elastic,
    planar: Optional[np.ndarray] = None,
    name: str = "",
) -> Mesh:
    """Mesh of one block.

    Parameters
    ----------
    vertices : array (v, 3)
        [m]
    faces : list of lists
        Rows of vertices, counter-clockwise from outside.
    elastic : Elastic
    planar : array (3,), optional
        Axis of a planar model.
    name : str, optional
        Of the block, for errors.
    """
    return meshes(solids(np.asarray(vertices, float)[None], faces), elastic, planar, [name])[0]


def meshes(blocks: Solids, elastic: Elastic, planar: Optional[np.ndarray], names: Sequence[str]) -> List[Mesh]:
    """Meshes of blocks with the same faces and, in planar models, the same front.

    They share their cells, but for tetrahedra of blocks that are not seen whole from their centroid.
    """
    kind = elastic.elements
    if kind == "uniform":
        return _uniform(blocks, planar)
    topology, points = _TOPOLOGY[kind](blocks, elastic.refine, planar, names)
    node = _nodes(topology, points)
    volume, quality = _measure(node[:, topology.cell], planar)
    if kind == "t3":
        volume *= (blocks.volume / volume.sum(axis=1))[:, None]
    bad = ((volume <= 0.0) | (quality <= FLAT)).any(axis=1)
    if kind != "t4":
        _refuse_inverted(bad, kind, names)
    shared = topology.cell, topology.face, topology.face_cell
    return [
        _by_mesher(blocks.vertices[k], blocks.faces, elastic.refine, names[k])
        if bad[k]
        else Mesh(kind, node[k], shared[0], volume[k], *shared[1:], quality[k], topology.refine)
        for k in range(len(node))
    ]


def _nodes(topology, points):
    """Nodes [m] (B, n, 3) of blocks with points (B, v + 1, 3): one sparse product for all of them."""
    count = len(points)
    node = topology.weight @ points.transpose(1, 0, 2).reshape(points.shape[1], -1)
    return node.reshape(-1, count, 3).transpose(1, 0, 2)


def _by_mesher(vertices, faces, refine, name):
    """Tetrahedra of a block of any shape."""
    node, cell = tetrahedra_of(vertices, faces, refine, name)
    volume, quality = _measure(node[None, cell], None)
    _refuse_inverted(((volume <= 0.0) | (quality <= FLAT)).any(axis=1), "t4", [name])
    face, face_cell = boundary(cell)
    return Mesh("t4", node, cell, volume[0], face, face_cell, quality[0], refine)


def is_front(area: np.ndarray, axis: np.ndarray) -> np.ndarray:
    """Whether faces with area vectors (F, 3) [m2] look along the axis (3,) of a planar model; (F,)."""
    return area @ axis > FRONT * np.linalg.norm(area, axis=1)


def _uniform(blocks, planar):
    """Virtual nodes of blocks of uniform strain, such that their mass matrices are exactly diagonal."""
    axes = np.eye(3) if planar is None else plane_axes(planar)
    root = np.linalg.cholesky(axes @ blocks.second @ axes.T)
    node = blocks.centroid[:, None] + VIRTUAL[len(axes)] @ root.transpose(0, 2, 1) @ axes
    cell, none = np.arange(len(axes) + 1, dtype=np.int32)[None], np.zeros((0, 4), np.int32)
    return [
        Mesh("uniform", each, cell, volume, none, none[:, 0], np.ones(1), 1)
        for each, volume in zip(node, blocks.volume[:, None])
    ]


def _t4(blocks, refine, planar, names):
    topology = tetrahedra(blocks.faces, refine)
    return topology, _points(blocks)


def _h8(blocks, refine, planar, names):
    topology = hexahedra(blocks.faces, refine)
    if topology is None:
        raise GeometryError(
            "Block '{}' cannot be divided into hexahedra: a vertex has more than three edges.".format(names[0]),
            remedy="Use elements 't4' for it.",
            blocks=list(names),
        )
    return topology, _points(blocks)


def _t3(blocks, refine, planar, names):
    if planar is None:
        raise GeometryError(
            "Block '{}' has elements 't3', which exist in planar models only.".format(names[0]),
            remedy="Use 't4' or 'h8', or declare the structure planar.",
            blocks=list(names),
        )
    front = np.flatnonzero(is_front(blocks.area, planar))
    outline = _outline([blocks.faces[row] for row in front], names)
    points = _points(blocks)
    points[:, -1] = _area_centroid(blocks.vertices[:, list(outline)], planar)
    topology = _triangles(outline, points[0], refine, planar)
    height = blocks.centroid @ planar
    return topology, points + ((height[:, None] - points @ planar)[..., None]) * planar


#: Kind of element -> topology and points of blocks.
_TOPOLOGY = {"t3": _t3, "t4": _t4, "h8": _h8}


def _points(blocks):
    """Vertices and centroids [m] (B, v + 1, 3)."""
    return np.concatenate([blocks.vertices, blocks.centroid[:, None]], axis=1)


def _outline(faces, names):
    """Vertices around the union of the front faces, counter-clockwise."""
    edges = {(a, b) for face in faces for a, b in zip(face, face[1:] + face[:1])}
    following = {a: b for a, b in edges if (b, a) not in edges}
    outline = list(following)[:1]
    while outline and len(outline) < len(following) and following.get(outline[-1]) not in (None, outline[0]):
        outline.append(following[outline[-1]])
    if len(outline) < 3 or len(outline) != len(following):
        raise GeometryError(
            "Block '{}' has no single outline across the axis of the planar model.".format(names[0]),
            remedy="Draw it as a prism along the axis, or use elements 'uniform'.",
            blocks=list(names),
        )
    return tuple(outline)


def _triangles(outline, points, refine, axis):
    """Triangles of an outline, rows of the points (v + 1, 3); a concave one is first cut into its ears."""
    corner = points[list(outline)]
    edge = np.roll(corner, -1, axis=0) - corner
    turn = np.cross(edge, np.roll(edge, -1, axis=0)) @ axis
    if (turn > -FLAT * np.abs(turn).max()).all():
        return triangles(outline, len(points) - 1, refine)
    flat = corner @ plane_axes(axis).T
    row = {tuple(at): k for at, k in zip(flat, outline)}
    corners = tuple(tuple(row[tuple(at)] for at in ear) for ear in ears(flat))
    return divided_triangles(corners, len(points) - 1, refine)


def _area_centroid(corner, axis):
    """Centroids (B, 3) of the areas of outlines (B, k, 3) across the axis (3,)."""
    arm = corner - corner[:, :1]
    following = np.roll(arm, -1, axis=1)
    area = np.cross(arm, following) @ axis
    return corner[:, 0] + np.einsum("bk,bki->bi", area, arm + following) / (3.0 * area.sum(axis=1)[:, None])


def _measure(corner, planar):
    """Sizes (B, e) and qualities (B, e) of cells with corners (B, e, k, 3)."""
    blocks, cells, nodes, _ = corner.shape
    flat = corner.reshape(-1, nodes, 3)
    if nodes == 8:
        size, quality = hexahedral(flat)[0].volume, _scaled_jacobian(flat)
    else:
        size = simplex_gradients(flat, planar)[1]
        quality = _mean_ratio(flat, size)
    return size.reshape(blocks, cells), quality.reshape(blocks, cells)


def _mean_ratio(corner, size):
    """Size over that of a regular simplex with the same root mean square of edges (E,), in [0, 1]."""
    nodes = corner.shape[1]
    first, second = np.triu_indices(nodes, 1)
    square = ((corner[:, first] - corner[:, second]) ** 2).sum(axis=(1, 2))
    if nodes == 3:
        return 4.0 * 3.0**0.5 * np.abs(size) / square
    return 12.0 * (3.0 * np.abs(size)) ** (2.0 / 3.0) / square


def _scaled_jacobian(corner):
    """Smallest volume (E,) of the unit vectors along the three edges at a corner; 1 for boxes, below 0 if inverted."""
    smallest = np.ones(len(corner))
    for k, sign in enumerate(HEXAHEDRON):
        across = sign * (1 - 2 * np.eye(3, dtype=int))
        ends = (across[:, None] == HEXAHEDRON).all(axis=2).argmax(axis=1)
        edge = corner[:, ends] - corner[:, k : k + 1]
        edge /= np.linalg.norm(edge, axis=2)[..., None]
        smallest = np.minimum(smallest, -sign.prod() * np.linalg.det(edge))
    return smallest


def _refuse_inverted(bad, kind, names):
    """Refuse blocks (B,) with elements that are flat or inverted."""
    if bad.any():
        bad = np.flatnonzero(bad)
        raise GeometryError(
            "Block '{}' has elements {} of no or negative volume.".format(names[bad[0]], kind),
            remedy="Check its faces, split it into convex blocks, or use 't4' or 'uniform'.",
            blocks=[names[k] for k in bad],
        )
