"""Vibration modes of a free block, and of an assembly whose joints stay closed.

K x = omega^2 M x, the lowest by Lanczos' method with shift and inverse (scipy.sparse.linalg.eigsh). In an assembly the
two sides of every contact point are tied by stiff springs.
"""

from __future__ import annotations

from typing import List, NamedTuple, Optional, Sequence, Tuple

import numpy as np
from scipy.linalg import eigh
from scipy.sparse import block_diag, csr_matrix, hstack, identity, kron
from scipy.sparse.linalg import eigsh

from compas_nscd.errors import InputError
from nscd_engine.core.structs import Bodies, Contacts
from nscd_engine.deformable.body import DeformableBody, locate
from nscd_engine.geometry.polygons import plane_axes

#: Stiffness of the springs that close a joint over the greatest of the nodes [-]. Larger: rounding errors. Smaller:
#: joints give way, frequencies drop by half its inverse.
TIE = 1e6
#: Shift over the frequency of a wave through a block [-]. Larger: slower. Smaller: the shifted matrix is nearly
#: singular where a block can move rigidly.
SHIFT = 0.1


class Modes(NamedTuple):
    """K modes, lowest first, each of unit mass."""

    frequency: np.ndarray  # [Hz] (K,)
    shape: List[np.ndarray]  # of every block (K, n, 3): of its nodes; (K, 2, 3) of rigid ones: linear, angular


def block_modes(body: DeformableBody, count: int = 6) -> Modes:
    """The lowest elastic modes of a free block; its rigid motions are left out.

    Parameters
    ----------
    body : DeformableBody
    count : int, optional
        Number of modes; fewer if the block has fewer.
    """
    basis = _node_basis(body)
    rigid = 6 if body.planar is None else 3
    square, vector = _lowest(_within(basis, body.stiffness), _within(basis, body.mass), count + rigid, _wave(body))
    shape = np.asarray(vector.T @ basis)[rigid:].reshape(-1, *body.mesh.node.shape)
    return Modes(_hertz(square[rigid:]), [shape])


def assembly_modes(
    bodies: Bodies,
    deformable: Sequence[Optional[DeformableBody]],
    contacts: Contacts,
    planar: Optional[np.ndarray] = None,
    count: int = 6,
) -> Modes:
    """The lowest modes of an assembly on its supports with closed joints, which neither open nor slide.

    Parameters
    ----------
    bodies : Bodies
        B blocks; supports do not move.
    deformable : sequence of DeformableBody or None (B,)
        None where a block is rigid.
    contacts : Contacts
    planar : array (3,), optional
        Axis of a planar model.
    count : int, optional
        Number of modes; fewer if the assembly has fewer.
    """
    free = np.flatnonzero(bodies.free >= 0).tolist()
    elastic = [body for body in (deformable[k] for k in free) if body is not None]
    if not elastic:
        raise InputError(
            "No block is deformable: with closed joints nothing vibrates.", remedy="Give blocks `elastic`."
        )
    parts = [_part(bodies, deformable[k], k, planar) for k in free]
    stiffness, mass, basis = (block_diag(each, format="csr") for each in zip(*parts))
    ties = _ties(bodies, deformable, contacts, free) @ basis.T
    spring = TIE * max(body.stiffness.diagonal().max() for body in elastic)
    wave = min(map(_wave, elastic)) / len(free)
    square, vector = _lowest(stiffness + spring * (ties.T @ ties), mass, count, wave)
    ends = np.cumsum([part[2].shape[1] for part in parts])[:-1]
    moved = dict(zip(free, np.split(np.asarray(vector.T @ basis), ends, axis=1)))
    still = np.zeros((len(square), 6))
    return Modes(_hertz(square), [moved.get(k, still).reshape(len(square), -1, 3) for k in range(len(bodies.mass))])


def _lowest(stiffness, mass, count, wave) -> Tuple[np.ndarray, np.ndarray]:
    """The lowest squares of circular frequencies [1/s2] and their vectors; `wave` [1/s] is of their order."""
    size = stiffness.shape[0]
    if 2 * count > size:  # Lanczos' method needs room
        square, vector = eigh(stiffness.toarray(), mass.toarray())
        return square[:count], vector[:, :count]
    start = np.random.default_rng(0).normal(size=size)  # the same result every time
    square, vector = eigsh(stiffness.tocsc(), count, mass.tocsc(), sigma=-((SHIFT * wave) ** 2), v0=start)
    order = np.argsort(square)
    return square[order], vector[:, order]


def _hertz(square):
    return np.sqrt(np.maximum(square, 0.0)) / (2.0 * np.pi)


def _wave(body):
    """Speed of a wave in a bar of the material over the size of the block [1/s]."""
    density = body.node_mass.sum() / body.mesh.cell_volume.sum()
    return (body.young / density) ** 0.5 / np.linalg.norm(np.ptp(body.mesh.node, axis=0))


def _within(basis, matrix):
    """A matrix in the numbers that may change."""
    return basis @ matrix @ basis.T


def _node_basis(body):
    """Rows (2 n, 3 n) that keep the numbers of the nodes in the plane of a planar model; the identity in space."""
    count = len(body.mesh.node)
    if body.planar is None:
        return identity(3 * count, format="csr")
    return kron(identity(count), plane_axes(body.planar), format="csr")


def _part(bodies, body, k, planar):
    """Stiffness and mass of block k in the numbers that may change, and the rows that these are of all its numbers."""
    if body is not None:
        basis = _node_basis(body)
        return _within(basis, body.stiffness), _within(basis, body.mass), basis
    mass = block_diag([bodies.mass[k] * np.eye(3), bodies.inertia[k]], format="csr")
    basis = identity(6, format="csr")
    if planar is not None:
        basis = csr_matrix(block_diag([plane_axes(planar), planar[None]]))
    return csr_matrix((basis.shape[0], basis.shape[0])), _within(basis, mass), basis


def _ties(bodies, deformable, contacts, free):
    """Relative displacement (3 C, numbers) of the two sides of the contact points, b minus a."""
    columns = []
    for k in free:
        numbers = 6 if deformable[k] is None else 3 * len(deformable[k].mesh.node)
        column = csr_matrix((3 * len(contacts.body), numbers))
        for side, sign in ((0, -1.0), (1, 1.0)):
            rows = np.flatnonzero(contacts.body[:, side] == k)
            point = contacts.point[rows]
            moves = _rigid_motion(bodies.centroid[k], point) if deformable[k] is None else _motion(deformable[k], point)
            place = csr_matrix((np.ones(len(rows)), (rows, np.arange(len(rows)))), (len(contacts.body), len(rows)))
            column += sign * kron(place, np.eye(3), format="csr") @ moves
        columns.append(column)
    return hstack(columns, format="csr")


def _motion(body, point):
    """Displacement (3 k, 3 n) of points (k, 3) of a deformable block from that of its nodes."""
    node, weight = locate(body, point)
    row = np.repeat(np.arange(len(point)), node.shape[1])
    share = csr_matrix((weight.ravel(), (row, node.ravel())), (len(point), len(body.mesh.node)))
    return kron(share, np.eye(3), format="csr")


def _rigid_motion(centroid, point):
    """Displacement (3 k, 6) of points (k, 3) of a rigid block from its motion: v + w x r."""
    across = np.cross(np.eye(3), (point - centroid)[:, None])  # (k, 3, 3): row j is e_j x r
    linear = np.broadcast_to(np.eye(3), across.shape)
    return csr_matrix(np.concatenate([linear, across.transpose(0, 2, 1)], axis=2).reshape(-1, 6))
