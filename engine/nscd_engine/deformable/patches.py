"""Contact points between element faces: vertices of the patches in which those of two blocks meet.

The edges of the element faces of both sides and the outline of the interface divide it into patches. Their vertices are
the corners of the outline, and inside it the nodes and crossings of these edges. Linear shape functions are integrated
exactly from them, so that a constant pressure passes between unlike meshes. All interfaces are treated at once.
"""

from __future__ import annotations

from typing import NamedTuple, Optional, Sequence, Tuple

import numpy as np

from compas_nscd.errors import InputError
from nscd_engine.core.structs import POINT_BITS, Contacts, Interfaces
from nscd_engine.deformable.body import DeformableBody
from nscd_engine.deformable.ragged import expanded, pairs_within
from nscd_engine.geometry.polygons import cross

#: Distance of points that are one, over the diameter of the interface [-]. Larger: narrow patches are lost. Smaller:
#: nodes that coincide but for rounding count twice.
COINCIDE = 1e-7
#: Cosine of the normals of an element face and of the interface from which the face belongs to it [-]. Larger: faces of
#: curved surfaces are lost. Smaller: those of neighbouring sides are taken.
PARALLEL = 0.95
#: Distance of an element face from the interface within which it belongs to it, over the diameter of the interface [-].
#: Larger: faces of a step are taken. Smaller: faces of curved surfaces are lost.
NEAR = 0.02


class ContactPoints(NamedTuple):
    """Contact points of I interfaces between element faces, C in all."""

    point: np.ndarray  # [m] (C, 3)
    gap: np.ndarray  # [m] (C,)
    start: np.ndarray  # (I + 1,) int32


class _Planes(NamedTuple):
    """Planes of the interfaces."""

    origin: np.ndarray  # [m] (I, 3)
    axes: np.ndarray  # (I, 3, 3): rows n, t1, t2
    size: np.ndarray  # [m] (I,): twice the greatest distance of a corner from the origin
    height: np.ndarray  # (I, 3): z = h0 + h1 x + h2 y of the outline above the plane [m, -, -]
    gap: np.ndarray  # (I, 3): the same of the gap [m, -, -]

    def local(self, of: np.ndarray, point: np.ndarray) -> np.ndarray:
        """Coordinates (..., 3) of points (N, ..., 3) along n, t1, t2 of planes (N,) [m]."""
        arm = point - self.origin[of].reshape(len(of), *[1] * (point.ndim - 2), 3)
        return np.einsum("nij,n...j->n...i", self.axes[of], arm)


class _Segments(NamedTuple):
    """Segments in the planes of interfaces."""

    of: np.ndarray  # (s,): interface, ascending
    end: np.ndarray  # [m] (s, 2, 2)


class _Points(NamedTuple):
    """Points in the planes of interfaces."""

    of: np.ndarray  # (c,): interface
    at: np.ndarray  # [m] (c, 2)


def contact_points(
    interfaces: Interfaces,
    contacts: Contacts,
    bodies: Sequence[Optional[DeformableBody]],
) -> ContactPoints:
    """Contact points of interfaces between element faces.

    An interface with one element face on either side keeps its points; a rigid block and a block of uniform strain
    have one. The points of the others begin with those of the rigid blocks. Blocks whose `contacts` are "middles" add
    the middles of their element faces (Acary & Jean 1998), of a single one too.

    Parameters
    ----------
    interfaces : Interfaces
        I interfaces at rest.
    contacts : Contacts
        Their points if the blocks were rigid.
    bodies : sequence of DeformableBody or None (B,)
        None where a block is rigid.
    """
    divided = np.array([body is not None and _adds_points(body) for body in bodies], bool)
    if not divided[interfaces.body].any():
        return ContactPoints(contacts.point, contacts.gap, interfaces.contact_start)
    planes = _planes(interfaces, contacts)
    found = _patch_vertices(interfaces, planes, bodies, divided)
    value = np.column_stack([np.ones(len(found.of)), found.at])
    height, gap = (np.einsum("ci,ci->c", each[found.of], value) for each in (planes.height, planes.gap))
    local = np.column_stack([height, found.at])
    point = planes.origin[found.of] + np.einsum("ci,cij->cj", local, planes.axes[found.of])
    return _joined(interfaces, contacts, found.of, point, gap, COINCIDE * planes.size)


def element_contacts(
    interfaces: Interfaces,
    contacts: Contacts,
    bodies: Sequence[Optional[DeformableBody]],
) -> Tuple[Interfaces, Contacts]:
    """Interfaces and contacts with the points between element faces; parameters as of `contact_points`.

    Frame, friction and blocks of the points are those of the interface, keys are counted on.
    """
    found = contact_points(interfaces, contacts, bodies)
    count = np.diff(found.start)
    crowded = np.flatnonzero(count > 1 << POINT_BITS)
    if len(crowded):
        raise InputError(
            "A joint has {} contact points between element faces, more than {}.".format(
                count[crowded].max(), 1 << POINT_BITS
            ),
            remedy="Refine the blocks beside it less.",
        )
    first = np.repeat(interfaces.contact_start[:-1], count)
    rank = np.arange(len(first)) - np.repeat(found.start[:-1], count)
    if len(first) == len(contacts.gap):
        return interfaces, contacts
    made = Contacts(
        contacts.body[first],
        found.point,
        contacts.frame[first],
        found.gap,
        contacts.friction[first],
        contacts.key[first] + rank,
    )
    return interfaces._replace(contact_start=found.start), made


def _adds_points(body):
    """Whether sides of a block may have several element faces, or middles of faces are wanted."""
    return body.mesh.refine > 1 or len(body.mesh.face) > 6 or (_has_middles(body) and len(body.mesh.face) > 0)


def _has_middles(body):
    """Whether middles of element faces are contact points."""
    return body.elastic.contacts == "middles"


def _planes(interfaces, contacts):
    """Planes of the interfaces, with the affine functions through heights of outlines and gaps of points."""
    count, origin = len(interfaces.area), interfaces.centroid
    axes = np.zeros((count, 3, 3))
    some = np.diff(interfaces.contact_start) > 0
    axes[some] = contacts.frame[interfaces.contact_start[:-1][some]]
    planes = _Planes(origin, axes, np.zeros(count), np.zeros((count, 3)), np.zeros((count, 3)))
    of = np.repeat(np.arange(count), np.diff(interfaces.polygon_start))
    corner = planes.local(of, interfaces.polygon)
    np.maximum.at(planes.size, of, 2.0 * np.linalg.norm(corner, axis=1))
    owner = np.repeat(np.arange(count), np.diff(interfaces.contact_start))
    at = planes.local(owner, contacts.point)[:, 1:]
    return planes._replace(
        height=_affine(of, corner[:, 1:], corner[:, 0], count), gap=_affine(owner, at, contacts.gap, count)
    )


def _affine(of, at, value, count):
    """Coefficients (count, 3) of affine functions through values (N,) at points (N, 2) of groups, by least squares."""
    each = np.maximum(np.bincount(of, minlength=count), 1)
    mean = np.stack([np.bincount(of, column, count) for column in (value, *at.T)], axis=1) / each[:, None]
    arm, rise = at - mean[of, 1:], value - mean[of, 0]
    normal, right = np.zeros((count, 2, 2)), np.zeros((count, 2))
    np.add.at(normal, of, arm[:, :, None] * arm[:, None])
    np.add.at(right, of, arm * rise[:, None])
    slope = np.einsum("kij,kj->ki", np.linalg.pinv(normal, rcond=1e-9, hermitian=True), right)
    return np.column_stack([mean[:, 0] - (slope * mean[:, 1:]).sum(axis=1), slope])


def _patch_vertices(interfaces, planes, bodies, divided):
    """Vertices of the patches, repeated ones and corners of the outlines included; on the outlines or inside."""
    active = (interfaces.area > 0.0) & divided[interfaces.body].any(axis=1)
    rim = _outlines(interfaces, planes, active)
    sides, points = [], []
    for side in range(2):
        rows = np.flatnonzero(active & divided[interfaces.body[:, side]])
        faces = _faces_of(interfaces, planes, bodies, rows, side)
        segments, middle = _edges(faces, planes)
        sides.append(segments)
        points += [_Points(np.repeat(segments.of, 2), segments.end.reshape(-1, 2)), middle]
    points += [_crossings(*pair, planes) for pair in ((sides[0], sides[1]), (sides[0], rim), (sides[1], rim))]
    every = _sorted(_Points(*(np.concatenate(fields) for fields in zip(*points))))
    kept = _within(every, rim, planes)
    return _Points(every.of[kept], every.at[kept])


def _sorted(rows):
    """Segments or points in the order of their interfaces."""
    order = np.argsort(rows.of, kind="stable")
    return type(rows)(*(field[order] for field in rows))


def _outlines(interfaces, planes, active):
    """Edges of the outlines of the active interfaces."""
    start, count = interfaces.polygon_start[:-1], np.diff(interfaces.polygon_start)
    of = np.repeat(np.arange(len(active)), count)
    following = np.arange(1, len(of) + 1)
    following[(start + count - 1)[count > 0]] = start[count > 0]
    at = planes.local(of, interfaces.polygon)[:, 1:]
    chosen = active[of]
    return _Segments(of[chosen], np.stack([at, at[following]], axis=1)[chosen])


class _Faces(NamedTuple):
    """Element faces of one side of interfaces."""

    of: np.ndarray  # (f,): interface, ascending
    face: np.ndarray  # (f, 4): rows of `node`, padded by -1; two nodes of t3
    node: np.ndarray  # [m] (n, 3)
    axis: Optional[np.ndarray]  # (3,): of a planar model
    middles: np.ndarray  # (f,) bool: whether the middle of the face is a contact point


def _faces_of(interfaces, planes, bodies, rows, side):
    """Element faces of the blocks on a side of interfaces (rows), where there are several or their middles count."""
    used, own = np.unique(interfaces.body[rows, side], return_inverse=True)
    meshes = [bodies[k].mesh for k in used]
    axis = bodies[used[0]].planar if len(used) else None
    node = np.concatenate([mesh.node for mesh in meshes] or [np.zeros((0, 3))])
    shift = np.cumsum([0] + [len(mesh.node) for mesh in meshes])
    face = [np.where(mesh.face >= 0, mesh.face + first, -1) for mesh, first in zip(meshes, shift)]
    count = np.array([len(each) for each in face], int)
    face = np.concatenate(face or [np.zeros((0, 4), int)])
    row, _ = expanded((np.cumsum(count) - count)[own], count[own])
    of = np.repeat(rows, count[own])
    area, middle = _face_vectors(node, face, axis)
    n = planes.axes[of, 0] * (1.0 - 2.0 * side)
    parallel = np.einsum("fi,fi->f", area[row], n) > PARALLEL * np.linalg.norm(area, axis=1)[row]
    distance = np.abs(np.einsum("fi,fi->f", middle[row] - planes.origin[of], n))
    kept = np.flatnonzero(parallel & (distance < NEAR * planes.size[of] + np.abs(interfaces.gap[of])))
    middles = np.repeat(np.array([_has_middles(bodies[k]) for k in used], bool)[own], count[own])
    several = np.bincount(of[kept], minlength=len(planes.size))[of[kept]] > 1
    kept = kept[several | middles[kept]]
    return _Faces(of[kept], face[row[kept]], node, axis, middles[kept])


def _face_vectors(node, face, axis):
    """Vectors (f, 3) along the outward normals, and points in the middle [m] (f, 3), of element faces (f, 4)."""
    first, second, third = (node[face[:, k]] for k in range(3))
    last = node[np.where(face[:, 3] >= 0, face[:, 3], face[:, 2])]
    area, middle = np.cross(third - first, last - second), 0.5 * (first + third)
    line = face[:, 2] < 0
    if line.any():
        area[line] = np.cross((second - first)[line], axis)
        middle[line] = 0.5 * (first + second)[line]
    return area, middle


def _edges(faces, planes):
    """Edges of element faces, each once, and the middles of the faces where they are wanted.

    A node of t3 is a line along the axis of the planar model, and so is the middle between two.
    """
    of, face, node, axis, middles = faces
    used, line = face >= 0, face[:, 2] < 0
    following = np.where(np.roll(used, -1, axis=1), np.roll(face, -1, axis=1), face[:, :1])
    end = np.sort(np.stack([face, following], axis=2)[~line][used[~line]], axis=1)
    owner = np.repeat(of[~line], used[~line].sum(axis=1))
    key = np.unique((owner * len(node) + end[:, 0]) * len(node) + end[:, 1])
    end = np.stack([key // len(node) % len(node), key % len(node)], axis=1) if len(node) else end
    owner = key // max(len(node), 1) ** 2
    segments = [_Segments(owner, planes.local(owner, node[end])[..., 1:])]
    middle = ((node[face] * used[..., None]).sum(axis=1) / used.sum(axis=1)[:, None])[middles]
    middle_of = of[middles]
    if line.any():
        key = np.unique(of[line, None] * len(node) + face[line, :2])
        ends, owner = node[key % len(node)], key // len(node)
        among = line[middles]
        segments.append(_lines(np.append(owner, middle_of[among]), np.concatenate([ends, middle[among]]), axis, planes))
        middle, middle_of = middle[~among], middle_of[~among]
    every = _sorted(_Segments(*(np.concatenate(fields) for fields in zip(*segments))))
    return every, _Points(middle_of, planes.local(middle_of, middle)[:, 1:])


def _lines(of, point, axis, planes):
    """Segments along the axis through points (c, 3), longer than the interfaces."""
    at = planes.local(of, point)[:, 1:]
    reach = planes.axes[of, 1:] @ axis * planes.size[of, None]
    return _Segments(of, np.stack([at - reach, at + reach], axis=1))


def _crossings(one, other, planes):
    """Points in which segments cross others of the same interface; parallel ones have none."""
    i, j = pairs_within(one.of, other.of)
    of, a, b = one.of[i], one.end[i, 0], other.end[j, 0]
    p, q = one.end[i, 1] - a, other.end[j, 1] - b
    area, length = cross(p, q), np.linalg.norm([p, q], axis=2)
    crossing = np.abs(area) > COINCIDE * length[0] * length[1]
    area = np.where(crossing, area, 1.0)
    s = np.stack([cross(b - a, q), cross(b - a, p)]) / area
    slack = COINCIDE * planes.size[of] / np.where(crossing, length, 1.0)
    crossing &= ((s >= -slack) & (s <= 1.0 + slack)).all(axis=0)
    return _Points(of[crossing], (a + s[0, :, None] * p)[crossing])


def _within(points, rim, planes):
    """Which points (c,) are inside the outline of their interface or on it."""
    i, j = pairs_within(points.of, rim.of)
    arm, edge = points.at[i] - rim.end[j, 0], rim.end[j, 1] - rim.end[j, 0]
    foot = np.clip((arm * edge).sum(axis=1) / np.maximum((edge**2).sum(axis=1), np.finfo(float).tiny), 0.0, 1.0)
    distance = np.linalg.norm(arm - foot[:, None] * edge, axis=1)
    on = distance <= COINCIDE * planes.size[points.of[i]]
    # the ray to the right of the point crosses the edge; heights are compared themselves, not their differences, so
    # that both edges at a corner agree on which side it is
    above = rim.end[j, :, 1] > points.at[i, 1, None]
    spans = above[:, 0] != above[:, 1]
    crosses = spans & ((cross(edge, arm) > 0.0) == (edge[:, 1] > 0.0))
    count = len(points.of)
    return (np.bincount(i, on, count) > 0) | (np.bincount(i, crosses, count) % 2 == 1)


def _joined(interfaces, contacts, of, point, gap, tolerance):
    """Points of the contacts, then those (c, 3) that are none of them, each once, interface by interface."""
    first = np.repeat(np.arange(len(tolerance)), np.diff(interfaces.contact_start))
    owner = np.concatenate([first, of])
    every, gaps = np.concatenate([contacts.point, point]), np.concatenate([contacts.gap, gap])
    # one tree for all: points of two interfaces are far apart in its fourth coordinate
    scaled = (every - interfaces.centroid[owner]) / np.maximum(tolerance, np.finfo(float).tiny)[owner, None]
    from scipy.spatial import cKDTree  # loaded here: rigid blocks do without

    same = cKDTree(np.column_stack([scaled, 10.0 * owner])).query_pairs(1.0, output_type="ndarray")
    kept = np.ones(len(every), bool)
    kept[same.max(axis=1)] = False
    kept[: len(first)] = True
    order = np.argsort(owner[kept], kind="stable")
    start = np.concatenate([[0], np.cumsum(np.bincount(owner[kept], minlength=len(tolerance)))]).astype(np.int32)
    return ContactPoints(every[kept][order], gaps[kept][order], start)
