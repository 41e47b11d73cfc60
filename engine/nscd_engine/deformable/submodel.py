"""Sub-model: one block of a rigid analysis as a refined elastic block under the forces of its joints.

The neighbours are rigid plates which press with the resultants of the analysis. Where they touch is found: pressures
p >= 0 at points with gaps g >= 0, p g = 0,

    g = Y h - d + C p,   Y^T p = resultants

h being the position of the plates, C the compliance of the block, d the height of its surface. Rough faces (Bagneris,
Dubois & Martin 2013) have heights at random. Shear is spread evenly over the joint.
"""

from __future__ import annotations

from typing import List, NamedTuple, Optional

import numpy as np
from scipy.linalg import block_diag
from scipy.sparse import csr_matrix

from compas_nscd.errors import InputError
from nscd_engine.core.structs import Contacts, Interfaces
from nscd_engine.deformable.body import DeformableBody, locate
from nscd_engine.deformable.free_body import FreeBody, without_rigid_motion
from nscd_engine.deformable.patches import element_contacts
from nscd_engine.deformable.ragged import expanded
from nscd_engine.deformable.stress import principal, stresses
from nscd_engine.geometry.polygons import plane_axes
from nscd_engine.geometry.polyhedra import starts

#: Imbalance of the forces on a block, over their sum, that is accepted [-]. Larger: the supports of the sub-model carry
#: it. Smaller: results of coarse tolerance are refused.
BALANCED = 1e-5
#: Weight of the resultants against the compliance [-]. Larger: rounding. Smaller: the pressures miss them at first.
EQUALITY = 1e3
#: Stiffening of the compliance, over its mean, which makes it definite [-].
RIDGE = 1e-10
#: Pull of a contact over the greatest force [-] from which its joint is bonded: its forces act as they are.
PULL = 1e-6


class Submodel(NamedTuple):
    """A refined elastic block in balance."""

    body: DeformableBody
    point: np.ndarray  # [m] (P, 3): where its joints press
    force: np.ndarray  # [N] (P, 3): on the block there
    displacement: np.ndarray  # [m] (n, 3): of the nodes, without rigid motion
    stress: np.ndarray  # [Pa] (e, 6): xx yy zz xy yz zx

    @property
    def tension(self) -> float:
        """Greatest principal tension of an element [Pa]."""
        return float(principal(self.stress)[0][:, 0].max())


class _Joint(NamedTuple):
    """Points of one joint of the block."""

    rows: np.ndarray  # (k,): of all points
    plate: np.ndarray  # (k, 3): 1, x, y: the numbers that give the height of a plate there
    resultant: np.ndarray  # [N, N m, N m] (3,): sum of pressures times these
    shear: np.ndarray  # [N] (k, 3): on the block
    height: np.ndarray  # [m] (k,): of the surface of the block, outwards
    normal: np.ndarray  # (3,): outwards


def submodel(
    body: DeformableBody,
    interfaces: Interfaces,
    contacts: Contacts,
    force: np.ndarray,
    load: np.ndarray,
    roughness: float = 0.0,
    seed: int = 0,
) -> Submodel:
    """Press a refined block between its neighbours with the forces of a rigid analysis.

    Parameters
    ----------
    body : DeformableBody
        The refined block.
    interfaces : Interfaces
        Of the analysis; those of other blocks are left out.
    contacts : Contacts
    force : array (C, 3)
        Contact forces on the blocks b, world axes [N].
    load : array (n, 3)
        Other forces on the nodes of the block: its weight, loads [N].
    roughness : float, optional
        Standard deviation of the heights of the faces [m].
    seed : int, optional
        Of the heights.
    """
    near, own, on_block = _of_block(body.block, interfaces, contacts, force)
    bodies: List[Optional[DeformableBody]] = [None] * (1 + int(interfaces.body.max(initial=body.block)))
    bodies[body.block] = body
    fine = element_contacts(near, own, bodies)
    point = fine[1].point
    height = roughness * np.random.default_rng(seed).normal(size=len(point))
    joints, known = _joints(body.block, (near, own), on_block, fine, height)
    for joint in joints:
        known[joint.rows] += joint.shear
    free, share = FreeBody(body), _shares(body, point)
    total = known + _pressures(free, joints, share, load + share @ known)
    nodal = load + share @ total
    _refuse_unbalanced(free, nodal)
    displacement = without_rigid_motion(body, free.displacement(nodal))
    return Submodel(body, point, total, displacement, stresses(body, displacement))


def _shares(body, point):
    """Weights (n, P) of the nodes at points (P, 3) of a body."""
    node, weight = locate(body, point)
    column = np.repeat(np.arange(len(point)), node.shape[1])
    return csr_matrix((weight.ravel(), (node.ravel(), column)), (len(body.mesh.node), len(point)))


def _of_block(block, interfaces, contacts, force):
    """Interfaces and contacts of a block alone, and the forces (C', 3) on it [N]."""
    chosen = np.flatnonzero((interfaces.body == block).any(axis=1))
    counts = [np.diff(start)[chosen] for start in (interfaces.contact_start, interfaces.polygon_start)]
    rows, corners = (
        expanded(start[chosen], count)[0]
        for start, count in zip((interfaces.contact_start, interfaces.polygon_start), counts)
    )
    near = Interfaces(
        *(field[chosen] for field in interfaces[:5]), interfaces.polygon[corners], *map(starts, counts[::-1])
    )
    own = Contacts(*(field[rows] for field in contacts))
    sign = np.where(own.body[:, 1] == block, 1.0, -1.0)
    return near, own, sign[:, None] * force[rows]


def _joints(block, coarse, force, fine, height):
    """Joints that press, and the forces (P, 3) of those that are bonded; `coarse`, `fine`: interfaces and contacts."""
    joints, direct = [], np.zeros((len(height), 3))
    for k in range(len(coarse[0].area)):
        rows = np.arange(*coarse[0].contact_start[k : k + 2])
        places = np.arange(*fine[0].contact_start[k : k + 2])
        if not force[rows].any():
            continue
        outwards = coarse[0].normal[k] * (1.0 if coarse[0].body[k, 0] == block else -1.0)
        if (force[rows] @ outwards).max() > PULL * np.abs(force).max():
            direct[places[: len(rows)]] = force[rows]
            continue
        arms = [each.point - coarse[0].centroid[k] for each in (coarse[1], fine[1])]
        joints.append(_joint(places, outwards, arms[0][rows], force[rows], arms[1][places], height[places]))
    return joints, direct


def _joint(places, normal, arm, force, fine_arm, height):
    """A joint that presses with the resultants of forces (k, 3) at `arm` (k, 3) from its centroid."""
    axes = plane_axes(normal)
    pressure = -force @ normal
    plate, fine_plate = (np.column_stack([np.ones(len(each)), each @ axes.T]) for each in (arm, fine_arm))
    shear = _spread(arm, force + np.outer(pressure, normal), fine_arm, normal)
    return _Joint(places, fine_plate, pressure @ plate, shear, height, normal)


def _spread(arm, shear, fine_arm, normal):
    """Forces (P, 3) at points (P, 3) with the resultant and torsion of others (k, 3) at points (k, 3): a + t n x r."""
    middle = fine_arm.mean(axis=0)
    torsion = np.cross(arm - middle, shear).sum(axis=0) @ normal
    around = np.cross(normal, fine_arm - middle)
    square = (around**2).sum()
    turned = around * (torsion / square) if square > 0.0 else 0.0 * around
    return shear.sum(axis=0) / len(fine_arm) + turned


def _pressures(free, joints, share, load):
    """Forces (P, 3) [N] with which the plates press; share (n, P) are the weights of nodes, load (n, 3) is known."""
    force = np.zeros((share.shape[1], 3))
    if not joints:
        return force
    rows = np.concatenate([joint.rows for joint in joints])
    normal = np.concatenate([np.broadcast_to(joint.normal, (len(joint.rows), 3)) for joint in joints])
    unit = np.einsum("np,pi->nip", share[:, rows].toarray(), normal)
    moved = free.displacement(unit)
    compliance = np.tensordot(unit, moved, axes=([0, 1], [0, 1]))
    surface = np.concatenate([joint.height for joint in joints])
    surface = surface + np.tensordot(unit, free.displacement(load), axes=([0, 1], [0, 1]))
    plate = block_diag(*(joint.plate for joint in joints))
    resultant = np.concatenate([joint.resultant for joint in joints])
    force[rows] = -touching(compliance, surface, plate, resultant)[:, None] * normal
    return force


def touching(compliance: np.ndarray, surface: np.ndarray, plate: np.ndarray, resultant: np.ndarray) -> np.ndarray:
    """Pressures p >= 0 (m,) [N] with C p + Y h - d = g >= 0, p g = 0 and Y^T p = R.

    They minimise 1/2 p C p - d p. Non-negative least squares tells which points touch; on these the equations are then
    solved.

    Parameters
    ----------
    compliance : array (m, m)
        C [m/N].
    surface : array (m,)
        d [m].
    plate : array (m, 3 J)
        Y: 1, x, y [m] of the joint of each point.
    resultant : array (3 J,)
        R [N, N m, N m].
    """
    stiff, force = np.trace(compliance) / len(surface), np.abs(resultant).max() / len(surface)
    root = np.linalg.cholesky(compliance / stiff + RIDGE * np.eye(len(surface)))
    width = np.abs(plate).max(axis=0)
    left = np.concatenate([root.T, EQUALITY * (plate / width).T])
    right = np.concatenate([np.linalg.solve(root, surface / (stiff * force)), EQUALITY * resultant / width / force])
    from scipy.optimize import nnls  # loaded here: few analyses need it

    touches = nnls(left, right, maxiter=30 * len(surface))[0] > 0.0
    while True:
        pressure = _pressure_of(compliance, surface, plate, resultant, touches)
        pulling = pressure < -1e-9 * pressure.max()
        if not pulling.any():
            return np.maximum(pressure, 0.0)
        touches &= ~pulling


def _pressure_of(compliance, surface, plate, resultant, touches):
    """Pressures (m,) of points that touch, 0 of the others."""
    some, count = np.flatnonzero(touches), np.count_nonzero(touches)
    stiff, width = np.trace(compliance) / len(surface), np.abs(plate).max(axis=0)
    own = plate[some] / width
    matrix = np.block([[compliance[np.ix_(some, some)] / stiff, own], [own.T, np.zeros((len(width), len(width)))]])
    right = np.concatenate([surface[some] / stiff, resultant / width])
    pressure = np.zeros(len(surface))
    pressure[some] = np.linalg.lstsq(matrix, right, rcond=1e-13)[0][:count]
    return pressure


def _refuse_unbalanced(free, nodal):
    """Refuse forces whose resultant is not zero."""
    missing = free.imbalance(nodal)
    if missing > BALANCED:
        raise InputError(
            "The forces on the block miss their balance by {:.1e} of their sum.".format(missing),
            remedy="Take forces of an analysis that stands, with all loads of the block.",
            blocks=[str(free.body.block)],
        )
