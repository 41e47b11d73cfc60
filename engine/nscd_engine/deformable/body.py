"""Deformable bodies: mesh, stiffness and mass of blocks, and the nodes that move their points."""

from __future__ import annotations

from typing import Dict, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np
import scipy  # and its matrices where they are used: rigid blocks do without

from nscd_engine.core.elastic import Elastic
from nscd_engine.core.structs import Polyhedra
from nscd_engine.deformable.assembly import assembled, diagonal
from nscd_engine.deformable.elements import (
    constant_strain,
    h8_mass,
    h8_stiffness,
    hexahedral,
    in_plane_only,
    lame,
    simplex_mass,
    stiffness,
)
from nscd_engine.deformable.mesh import Mesh
from nscd_engine.deformable.meshing import Solids, is_front, meshes, solids
from nscd_engine.deformable.shapes import in_hexahedra, in_simplices
from nscd_engine.geometry.polyhedra import face_vectors, polyhedron

#: Digits to which coordinates of blocks, over their size, are compared: blocks equal up to translation share their
#: matrices. More: rounding far from the origin makes equal blocks differ. Fewer: matrices of unequal blocks are mixed.
SAME = 11
#: Weight of a node that is rounding error [-]. Larger: a point of a small gap loses its lever arm. Smaller: points of a
#: face couple the nodes behind it.
ROUNDING = 1e-12
#: Kind of block -> shape -> blocks.
_Groups = Dict[tuple, Dict[bytes, List[int]]]


class DeformableBody(NamedTuple):
    """A deformable block with n nodes and e elements; 3 numbers a node, node by node.

    In planar models the numbers along the axis have mass but no stiffness.
    """

    block: int
    mesh: Mesh
    stiffness: scipy.sparse.csr_matrix  # [N/m] (3 n, 3 n)
    mass: scipy.sparse.csr_matrix  # [kg] (3 n, 3 n)
    node_mass: np.ndarray  # [kg] (n,): row sums
    gradient: np.ndarray  # [1/m] (e, k, 3): mean gradients of the shape functions over the elements
    centroid: np.ndarray  # [m] (3,): centre of mass of the nodes, that of the block
    elastic: Elastic
    planar: Optional[np.ndarray]  # (3,): axis of a planar model

    @property
    def young(self) -> float:
        """Young's modulus [Pa]."""
        return self.elastic.young

    @property
    def poisson(self) -> float:
        """Poisson's ratio [-]."""
        return self.elastic.poisson

    @property
    def damping(self) -> Tuple[float, float]:
        """Rayleigh damping [1/s, s]."""
        return self.elastic.damping

    @property
    def tension(self) -> Optional[float]:
        """Tensile strength [Pa], or None."""
        return self.elastic.tension


def deformable_body(
    block: int,
    vertices: np.ndarray,
    faces: Sequence[Sequence[int]],
    density: float,
    elastic: Elastic,
    planar: Optional[np.ndarray] = None,
    name: str = "",
) -> DeformableBody:
    """Deformable body of one block.

    Parameters
    ----------
    block : int
        Its index.
    vertices : array (v, 3)
        [m]
    faces : list of lists
        Rows of vertices, counter-clockwise from outside.
    density : float
        [kg/m3]
    elastic : Elastic
    planar : array (3,), optional
        Axis of a planar model.
    name : str, optional
        Of the block, for errors.
    """
    each = _alike(solids(np.asarray(vertices, float)[None], faces), np.array([density]), elastic, planar, [name])
    return each[0]._replace(block=block)


def deformable_bodies(
    poly: Polyhedra,
    density: np.ndarray,
    elastic: Sequence[Optional[Elastic]],
    planar: Optional[np.ndarray],
    names: Sequence[str],
) -> List[Optional[DeformableBody]]:
    """Deformable bodies of many blocks; None where a block is rigid.

    Blocks that differ by a translation share their matrices, and blocks with the same faces their elements.

    Parameters
    ----------
    poly : Polyhedra
        B blocks.
    density : array (B,)
        [kg/m3]
    elastic : sequence of Elastic or None (B,)
    planar : array (3,), optional
        Axis of a planar model.
    names : sequence of str (B,)
    """
    bodies: List[Optional[DeformableBody]] = [None] * len(names)
    for kind, shapes in _by_faces(poly, density, elastic, planar).items():
        first = [rows[0] for rows in shapes.values()]
        vertices = np.array([_vertices(poly, k) - _vertices(poly, k)[0] for k in first])
        blocks = solids(vertices, polyhedron(poly, first[0])[1])
        made = _alike(blocks, density[first], kind[0], planar, [names[k] for k in first])
        for body, rows in zip(made, shapes.values()):
            for k in rows:
                bodies[k] = _moved(body, k, _vertices(poly, k)[0])
    return bodies


def locate(body: DeformableBody, point: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """Nodes (k, m) int64 that move points (k, 3) [m] of a body at rest, and their weights (k, m); see locate_all."""
    return locate_all([body], np.zeros(len(point), np.int64), point)


def locate_all(bodies: Sequence[DeformableBody], owner: np.ndarray, point: np.ndarray) -> Tuple[np.ndarray, np.ndarray]:
    """Nodes that move points of bodies at rest, and their weights.

    The weights of a point sum to 1 and those times the nodes are the point, in planar models its projection. A point
    beyond the surface, in the gap of a joint, moves as the nearest element would.

    Parameters
    ----------
    bodies : sequence of DeformableBody
    owner : array (k,)
        Row of the body of each point.
    point : array (k, 3)
        [m]

    Returns
    -------
    node : array (k, m) int64
        Rows of the nodes of the body; padded by 0.
    weight : array (k, m)
        [-]; padded by 0.
    """
    owner, point = np.asarray(owner), np.asarray(point, float).reshape(-1, 3)
    width = np.array([body.mesh.cell.shape[1] for body in bodies])
    node, weight = np.zeros((len(point), 8), np.int64), np.zeros((len(point), 8))
    for k in np.unique(width[owner]):
        mine = np.flatnonzero(width == k).tolist()
        rows = np.flatnonzero(width[owner] == k)
        some, mesh_of = [bodies[each].mesh for each in mine], np.searchsorted(mine, owner[rows])
        if k == 8:
            found = in_hexahedra(some, mesh_of, point[rows])
        else:
            found = in_simplices(some, [bodies[each].gradient for each in mine], mesh_of, point[rows])
        node[rows, :k], weight[rows, :k] = found
    return _compact(node, weight)


def _compact(node, weight):
    """Without weights that are rounding errors, the largest first."""
    weight = np.where(np.abs(weight) < ROUNDING, 0.0, weight)
    order = np.argsort(-np.abs(weight), axis=1, kind="stable")
    weight = np.take_along_axis(weight, order, 1)
    node = np.where(weight != 0.0, np.take_along_axis(node, order, 1), 0)
    weight[:, 0] += 1.0 - weight.sum(axis=1)
    used = max(1, int((weight != 0.0).sum(axis=1).max(initial=0)))
    return node[:, :used], weight[:, :used]


def _by_faces(
    poly: Polyhedra, density: np.ndarray, elastic: Sequence[Optional[Elastic]], planar: Optional[np.ndarray]
) -> _Groups:
    """Deformable blocks by what they have in common, and among these by shape up to translation and by density."""
    shape, face_row = _grid_shapes(poly), poly.face_vertices - np.repeat(poly.vertex_start[:-1], _corners(poly))
    face_size = np.diff(poly.face_start)
    groups: _Groups = {}
    for k, each in enumerate(elastic):
        if each is not None:
            first, last = poly.block_face_start[k], poly.block_face_start[k + 1]
            rows = face_row[poly.face_start[first] : poly.face_start[last]]
            kind = (each, face_size[first:last].tobytes(), rows.tobytes())
            own = shape[poly.vertex_start[k] : poly.vertex_start[k + 1]].tobytes() + density[k].tobytes()
            groups.setdefault(kind, {}).setdefault(own, []).append(k)
    return groups if planar is None else _by_front(poly, groups, planar)


def _grid_shapes(poly):
    """Vertices (V, 3) int64 from the first of their block, in steps of SAME digits of its size."""
    count = np.diff(poly.vertex_start)
    arm = poly.vertices - np.repeat(poly.vertices[poly.vertex_start[:-1]], count, axis=0)
    size = np.maximum.reduceat(np.abs(arm).max(axis=1), poly.vertex_start[:-1])
    digits = SAME - np.floor(np.log10(np.where(size > 0.0, size, 1.0)))
    return np.rint(arm * np.repeat(10.0**digits, count)[:, None]).astype(np.int64)


def _corners(poly):
    """Numbers of corners of all faces of every block (B,)."""
    return np.diff(poly.face_start[poly.block_face_start])


def _by_front(poly, groups, planar):
    """The same groups, divided by the faces that look along the axis of the planar model."""
    divided = {}
    front = is_front(face_vectors(poly)[0], planar)
    for kind, shapes in groups.items():
        for shape, rows in shapes.items():
            first, last = poly.block_face_start[rows[0] : rows[0] + 2]
            divided.setdefault((*kind, front[first:last].tobytes()), {})[shape] = rows
    return divided


def _vertices(poly, k):
    return poly.vertices[poly.vertex_start[k] : poly.vertex_start[k + 1]]


def _alike(
    blocks: Solids, density: np.ndarray, elastic: Elastic, planar: Optional[np.ndarray], names: Sequence[str]
) -> List[DeformableBody]:
    """Bodies of blocks with the same faces and the same elasticity."""
    each = meshes(blocks, elastic, planar, names)
    mass = density * blocks.volume
    if all(mesh.cell is each[0].cell for mesh in each):
        return _bodies(each, mass, elastic, planar)
    return [_bodies([mesh], mass[k : k + 1], elastic, planar)[0] for k, mesh in enumerate(each)]


def _bodies(
    each: List[Mesh], total: np.ndarray, elastic: Elastic, planar: Optional[np.ndarray]
) -> List[DeformableBody]:
    """Bodies of meshes with the same cells, and of total masses (B,) [kg]."""
    cell, count = each[0].cell, len(each[0].node)
    corner = np.array([mesh.node[cell] for mesh in each])
    volume = np.array([mesh.cell_volume for mesh in each])
    gradient, stiff, mass = _elements(corner, volume, elastic, planar)
    # the mass is that of the block: elements of warped faces, and those of a mesher, fill it nearly
    mass *= (total / volume.sum(axis=1))[:, None, None, None]
    shares = np.array([np.bincount(cell.ravel(), one.sum(axis=2).ravel(), count) for one in mass])
    stiffnesses = assembled(stiff, cell, count, 3)
    if elastic.mass == "lumped" or elastic.elements == "uniform":
        masses = [diagonal(np.repeat(one, 3)) for one in shares]
    else:
        masses = [scipy.sparse.kron(one, np.eye(3), format="csr") for one in assembled(mass, cell, count, 1)]
    return [
        DeformableBody(0, mesh, k, m, share, g, share @ mesh.node / share.sum(), elastic, planar)
        for mesh, k, m, share, g in zip(each, stiffnesses, masses, shares, gradient)
    ]


def _elements(corner, volume, elastic, planar):
    """Mean gradients (B, e, k, 3), stiffness (B, e, 3 k, 3 k) [N/m] and mass per density (B, e, k, k) [m3]."""
    blocks, cells, nodes, _ = corner.shape
    flat, size = corner.reshape(-1, nodes, 3), volume.reshape(-1)
    constants = lame(elastic, planar)
    if nodes == 8:
        integration, _ = hexahedral(flat)
        stiff, mass = h8_stiffness(flat, constants), h8_mass(flat)
    else:
        integration = constant_strain(flat, planar)._replace(weight=size[:, None])
        stiff, mass = stiffness(integration, constants), simplex_mass(size, nodes)
    if elastic.elements == "uniform":
        mass = size[:, None, None] * np.eye(nodes) / nodes
    shape = (blocks, cells)
    return (
        integration.mean_gradient.reshape(*shape, nodes, 3),
        in_plane_only(stiff, planar).reshape(*shape, 3 * nodes, 3 * nodes),
        mass.reshape(*shape, nodes, nodes),
    )


def _moved(body, block, shift):
    """The body of another block, with the shape of this one moved by a vector (3,) [m]."""
    mesh = body.mesh._replace(node=body.mesh.node + shift)
    return body._replace(block=block, mesh=mesh, centroid=body.centroid + shift)
