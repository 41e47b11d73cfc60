"""Contact detection at rest: bounding boxes that meet, opposing facets, interfaces and contact points."""

from __future__ import annotations

import functools
import math
from typing import NamedTuple, Optional

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from compas_nscd.errors import IsolatedBlockError, OverlapError, SupportError
from nscd_engine.contacts.clipping import find_patches
from nscd_engine.contacts.facets import build_facets
from nscd_engine.contacts.interface_laws import interface_rows
from nscd_engine.contacts.line_point import as_patches, block_edges, filled, is_corner, touches_of
from nscd_engine.contacts.overlap import find_overlaps
from nscd_engine.contacts.patches import join, take
from nscd_engine.contacts.planar_section import section_patches
from nscd_engine.contacts.spheres import no_patches, sphere_patches
from nscd_engine.core.law_table import FRICTION
from nscd_engine.core.model import Model
from nscd_engine.core.monitor import Monitor
from nscd_engine.core.settings import Settings
from nscd_engine.core.structs import POINT_BITS, Contacts, Interfaces
from nscd_engine.geometry.polyhedra import block_boxes
from nscd_engine.kernels.contacts.broad_phase import touching_pairs

#: Greatest penetration of blocks in contact, over the tolerance of a gap [-]; deeper overlap is an error. Larger:
#: drawing errors go unnoticed. Smaller: drawings whose blocks overlap slightly are refused.
OVERLAP = 5.0
#: Greatest tolerance of a gap over the thickness of a block [-]. Larger: the far side of a thin plate is in contact
#: too. Smaller: thin plates lose contacts across small gaps.
THIN = 0.1
#: Width of a patch over the size that is rounding error [-]. Larger: narrow joints are lost. Smaller: faces that only
#: touch along an edge share a patch.
ROUNDING = 1e-9


class Detection(NamedTuple):
    """Result of detection at rest."""

    interfaces: Interfaces
    contacts: Contacts
    overlaps: list  # [(a, b, depth [m])]
    isolated: list  # free blocks without contact
    warnings: list  # [{"code", "message", "blocks"}]
    slivers: list  # [(a, b, area [m2], used)]: patches narrower than the tolerance of a gap
    corners: list  # [[a, b]]: corner on corner where a third block fills the angle: no force
    law: np.ndarray  # (I,) int64: rows of Model.law


def detect(model: Model, settings: Settings, monitor: Optional[Monitor] = None) -> Detection:
    """Find the interfaces and contacts of a model at rest.

    Parameters
    ----------
    model : Model
    settings : Settings
    monitor : Monitor, optional
        For progress and cancellation.
    """
    if monitor is not None:
        monitor.report("finding contacts")
    (lower, upper), size = block_boxes(model.polyhedra, model.radius), model.bodies.size
    reach = settings.gap_tolerance * size
    pairs = touching_pairs(lower - reach[:, None], upper + reach[:, None], model.bodies.free < 0).astype(np.int64)
    has_sphere = (model.radius[pairs] > 0.0).any(axis=1)
    plain, others = np.flatnonzero(~has_sphere), np.flatnonzero(has_sphere)
    angle = math.radians(settings.angle_tolerance)
    patches, overlaps, slivers, corners, held = _of_polyhedra(model, pairs[plain], reach, angle, lower, upper, size)
    if len(others):
        eps = reach[pairs[others]].min(axis=1)
        touches, deep = sphere_patches(model, pairs[others], eps, OVERLAP * eps)
        patches = join(patches._replace(pair=plain[patches.pair]), touches._replace(pair=others[touches.pair]))
        overlaps += deep
    patches, behind = section_patches(patches, pairs, model.planar, angle, model.names)

    interfaces = _interfaces(pairs, patches)
    law = interface_rows(model, interfaces)
    contacts = _contacts(model, patches, interfaces, law)
    isolated = _isolated(model, interfaces, overlaps)
    warnings = _floating(model, interfaces, isolated) + _behind(model, behind) + _balanced(model, interfaces, held)
    return Detection(interfaces, contacts, overlaps, isolated, warnings, slivers, corners, law)


def _of_polyhedra(model, pairs, reach, angle, lower, upper, size):
    """Of pairs of polyhedra: patches, overlaps, slivers, corners without force and corners with force."""
    poly = model.polyhedra
    if len(poly.face_start) == 1:  # all are spheres
        return no_patches(), [], [], [], []
    facets = build_facets(poly, 0.5 * reach, size)
    largest = np.zeros(len(size))
    np.maximum.at(largest, np.repeat(np.arange(len(size)), np.diff(facets.block_start)), facets.area)
    reach = np.minimum(reach, THIN * model.bodies.volume / np.where(largest > 0.0, largest, 1.0))
    eps = reach[pairs].min(axis=1)
    noise = ROUNDING * size[pairs].min(axis=1) + 4.0 * np.finfo(float).eps * np.abs(poly.vertices).max()
    patches = find_patches(poly.vertices, facets, pairs, eps, OVERLAP * eps, noise, angle)

    edges = functools.lru_cache(None)(lambda: block_edges(poly, facets))  # many structures need none
    patches, *odd = _judge(poly, facets, edges, pairs, eps, lower, upper, patches)
    return (patches, find_overlaps(poly, facets, edges, pairs, OVERLAP * eps, lower, upper), *odd)


def _judge(poly, facets, edges, pairs, eps, lower, upper, patches):
    """Patches that carry, with lines and points where a pair has no patch; slivers; corners without and with force.

    Whether a patch narrower than the tolerance exists is uncertain, and two corners have no unique normal. Such a
    contact counts only if the pair has no other and no third block fills the angle between the two.
    """
    narrow = patches.width < eps[patches.pair]
    if not narrow.any() and len(np.unique(patches.pair)) == len(pairs):
        return patches, [], [], []
    wide = take(patches, np.flatnonzero(~narrow))
    has_wide, has_patch = np.zeros(len(pairs), bool), np.zeros(len(pairs), bool)
    has_wide[wide.pair] = True
    has_patch[patches.pair] = True
    bare = np.flatnonzero(~has_patch)
    touches = touches_of(poly, facets, edges(), pairs[bare], eps[bare], lower, upper)
    touches = touches._replace(pair=bare[touches.pair])
    others = join(take(patches, np.flatnonzero(narrow)), as_patches(touches))
    doubtful = np.concatenate([np.ones(np.count_nonzero(narrow), bool), is_corner(touches)])
    doubtful = doubtful[np.argsort(np.concatenate([patches.pair[narrow], touches.pair]), kind="stable")]

    body = pairs[others.pair]
    full = filled(len(lower), body, others.centroid, 2.0 * eps[others.pair], pairs[wide.pair], wide)
    used = ~doubtful | ~(full | has_wide[others.pair])
    sliver = others.area > 0.0
    rows = zip(body[sliver].tolist(), others.area[sliver].tolist(), used[sliver].tolist())
    slivers = [(a, b, area, carries) for (a, b), area, carries in rows]
    corners, held = (np.unique(body[~sliver & some], axis=0).tolist() for some in (~used, used & doubtful))
    return join(wide, take(others, np.flatnonzero(used))), slivers, corners, held


def _interfaces(pairs, patches):
    return Interfaces(
        pairs[patches.pair].astype(np.int32),
        patches.frame[:, 0].copy(),
        patches.area,
        patches.centroid,
        patches.gap,
        patches.polygon,
        patches.polygon_start,
        patches.point_start,
    )


def _contacts(model, patches, interfaces, law):
    """Contacts of the patches; the key is made of pair, interface of the pair and point of the interface."""
    count = np.diff(patches.point_start)
    owner = np.repeat(np.arange(len(count)), count)
    body = interfaces.body[owner]
    first = np.searchsorted(patches.pair, patches.pair)
    ordinal = (np.arange(len(count)) - first)[owner]
    point = np.arange(len(owner)) - patches.point_start[owner]
    pair = body[:, 0].astype(np.int64) * len(model.names) + body[:, 1]
    key = (pair << 24) | (ordinal.astype(np.int64) << POINT_BITS) | point
    frame = patches.frame[owner]
    return Contacts(body, patches.point, frame, patches.point_gap, model.law[law[owner], FRICTION], key)


def _isolated(model, interfaces, overlaps):
    alone = model.bodies.free >= 0
    alone[interfaces.body.ravel()] = False
    alone[[block for a, b, _ in overlaps for block in (a, b)]] = False
    return np.flatnonzero(alone).tolist()


def _floating(model, interfaces, isolated):
    """A warning for blocks that touch each other but are not connected to a support."""
    count = len(model.names)
    a, b = interfaces.body.T
    graph = coo_matrix((np.ones(len(a)), (a, b)), (count, count))
    _, part = connected_components(graph, directed=False)
    held = np.unique(part[model.bodies.free < 0])
    loose = ~np.isin(part, held)
    loose[isolated] = False
    if not loose.any() or len(held) == 0:
        return []
    names = [model.names[i] for i in np.flatnonzero(loose)]
    message = "{} blocks touch each other but no support, directly or through others: they fall.".format(len(names))
    return [{"code": "floating", "message": message, "blocks": names}]


def _behind(model, pairs):
    """A warning for pairs of a planar model that meet only behind each other."""
    if not pairs:
        return []
    names = [model.names[i] for i in sorted({block for pair in pairs for block in pair})]
    message = "{} pairs of blocks meet across the plane of the model; these joints carry nothing.".format(len(pairs))
    return [{"code": "out_of_plane", "message": message, "blocks": names}]


def _balanced(model, interfaces, pairs):
    """A warning for pairs in contact only corner on corner, if one of the two blocks has no joint with an area."""
    joined = model.bodies.free < 0
    joined[interfaces.body[interfaces.area > 0.0].ravel()] = True
    pairs = [pair for pair in pairs if not joined[list(pair)].all()]
    if not pairs:
        return []
    names = [model.names[i] for i in sorted({block for pair in pairs for block in pair})]
    message = (
        "{} pairs of blocks touch only corner on corner, where the direction of the force is not unique: "
        "at rest it is the mean of their normals; in motion they may slip past each other.".format(len(pairs))
    )
    return [{"code": "corner_on_corner", "message": message, "blocks": names}]


def require_sound(model: Model, detection: Detection, settings: Settings) -> None:
    """Raise an error if the structure cannot be analysed.

    Raises
    ------
    OverlapError
        If blocks share volume.
    IsolatedBlockError
        If free blocks have no contact.
    SupportError
        If there is no support, or no free block.
    """
    names = model.names
    if detection.overlaps:
        a, b, depth = max(detection.overlaps, key=lambda overlap: overlap[2])
        blocks = sorted({names[i] for overlap in detection.overlaps for i in overlap[:2]}, key=names.index)
        raise OverlapError(
            "{} pairs of blocks share volume; {!r} and {!r} by {:.3g} m.".format(
                len(detection.overlaps), names[a], names[b], depth
            ),
            remedy="Move them apart, or raise gap_tolerance if this is the precision of the drawing.",
            blocks=blocks,
            depth=float(depth),
        )
    if detection.isolated:
        blocks = [names[i] for i in detection.isolated]
        raise IsolatedBlockError(
            "{} blocks touch nothing.".format(len(blocks)),
            remedy="Move them until they touch, remove them, or raise gap_tolerance to bridge the gap.",
            blocks=blocks,
        )
    free = model.bodies.free >= 0
    if not free.any():
        raise SupportError("Every block is a support.", remedy="Leave at least one block free.")
    if free.all() and not settings.unsupported:
        raise SupportError(
            "No block is a support.", remedy="Name the blocks that stand on the ground, or set unsupported."
        )
