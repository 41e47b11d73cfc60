"""Contact detection at rest: bounding boxes that meet, opposing facets, interfaces and contact points."""

from __future__ import annotations

import functools
import math
from typing import NamedTuple, Optional

import numpy as np

from nscd_engine.contacts.curvature import both_curved, may_be_curved, with_curvature
from nscd_engine.contacts.edges import block_edges
from nscd_engine.contacts.facing import NO_JOINTS, OpenJoints, Surroundings, coverage, open_joints, parts_of
from nscd_engine.contacts.interface_laws import interface_rows
from nscd_engine.contacts.line_point import as_patches, filled, is_corner, touches_of
from nscd_engine.contacts.overlap import find_overlaps, is_row, too_deep
from nscd_engine.contacts.patches import join, take
from nscd_engine.contacts.planar_section import section_patches
from nscd_engine.contacts.soundness import (
    connection_warnings,
    coverage_warnings,
    floating_warnings,
    gap_warnings,
    overlap_warnings,
)
from nscd_engine.contacts.spheres import no_patches, sphere_patches
from nscd_engine.contacts.stream import Stream
from nscd_engine.contacts.tolerances import reach_of, thicknesses, tolerances
from nscd_engine.contacts.unmoved import Unmoved
from nscd_engine.core.law_table import FRICTION
from nscd_engine.core.model import Model
from nscd_engine.core.monitor import Monitor
from nscd_engine.core.settings import Settings
from nscd_engine.core.structs import POINT_BITS, Contacts, Interfaces
from nscd_engine.geometry.polyhedra import block_boxes
from nscd_engine.kernels.contacts.broad_phase import touching_pairs

#: Overlap of blocks over the usual tolerance of a gap from which it is told [-]. Larger: drawing errors go unnoticed.
#: Smaller: the precision of a drawing is reported as a defect.
OVERLAP = 5.0
#: Angle between faces of blocks that overlap up to which they are one joint [rad]. Larger: neighbouring sides of a
#: block become joints. Smaller: blocks that are drawn into each other touch on slivers.
TURNED = math.radians(12.0)
#: Relative difference of areas from which the joint of blocks that overlap is another one [-].
SAME_AREA = 0.1


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
    refused: list = []  # [(a, b, depth [m])]: overlaps that are too deep
    open: OpenJoints = NO_JOINTS  # if blocks are not connected
    coverage: tuple = ()  # pairs (P, 2) and the share (P,) of the area facing each other that is in contact


def detect(model: Model, settings: Settings, monitor: Optional[Monitor] = None, thorough: bool = False) -> Detection:
    """Find the interfaces and contacts of a model at rest.

    Parameters
    ----------
    model : Model
    settings : Settings
    monitor : Monitor, optional
        For progress and cancellation.
    thorough : bool, optional
        Measure the coverage of all joints, not only of those in curved surfaces.
    """
    stream = Stream(settings.threads, monitor)
    report = stream.report
    report()
    unmoved = Unmoved(model.polyhedra, 0.5 * settings.gap_tolerance * model.bodies.size, model.bodies.size)
    around = _surroundings(model, unmoved, stream)
    report()
    size = model.bodies.size
    reach = reach_of(settings, size)[:, None]
    pairs = touching_pairs(around.lower - reach, around.upper + reach, model.bodies.free < 0).astype(np.int64)
    allowed = tolerances(settings, size, around.thick, pairs)
    has_sphere = (model.radius[pairs] > 0.0).any(axis=1)
    plain, others = np.flatnonzero(~has_sphere), np.flatnonzero(has_sphere)
    angle = math.radians(settings.angle_tolerance)
    patches, overlaps, slivers, corners, held = _of_polyhedra(around, unmoved, pairs[plain], allowed.rows(plain), angle)
    if len(others):
        touches, deep = sphere_patches(model, pairs[others], allowed.eps[others], allowed.depth[others])
        patches = join(patches._replace(pair=plain[patches.pair]), touches._replace(pair=others[touches.pair]))
        overlaps += deep
    patches, behind = section_patches(patches, pairs, model.planar, angle, model.names)

    report()
    interfaces = _interfaces(pairs, patches)
    law = interface_rows(model, interfaces)
    contacts = _contacts(model, patches, interfaces, law)
    refused = too_deep(overlaps, pairs, allowed.depth)
    isolated = _isolated(model, interfaces, refused)
    covered = _coverage(around, pairs, patches, thorough)
    part = parts_of(interfaces.body, len(model.names))
    warnings = (
        overlap_warnings(model.names, [each for each in overlaps if each not in refused])
        + gap_warnings(model.names, interfaces, _unremarkable(around, allowed, patches))
        + coverage_warnings(model.names, *covered)
        + floating_warnings(model, part, isolated)
        + connection_warnings(model, interfaces, part)
        + _behind(model, behind)
        + _balanced(model, interfaces, held)
    )
    report()
    joints = open_joints(model, around, part)
    return Detection(
        interfaces, contacts, overlaps, isolated, warnings, slivers, corners, law, refused, joints, covered
    )


def _surroundings(model, unmoved, stream):
    """Boxes, facets and thicknesses of the blocks."""
    poly, size = model.polyhedra, model.bodies.size
    lower, upper = block_boxes(poly, model.radius)
    if len(poly.face_start) == 1:  # all are spheres
        return Surroundings(poly, None, None, lower, upper, (upper - lower).min(axis=1), size, stream)
    facets = unmoved.facets(stream)
    edges = functools.lru_cache(None)(lambda: block_edges(poly, facets))  # many structures need none
    if may_be_curved(facets):
        facets = with_curvature(facets, edges(), poly.vertices)
    thick = thicknesses(model.bodies.volume, facets, lower, upper)
    return Surroundings(poly, facets, edges, lower, upper, thick, size, stream)


def _of_polyhedra(around, unmoved, pairs, allowed, angle):
    """Of pairs of polyhedra: patches, overlaps, slivers, corners without force and corners with force."""
    if around.facets is None:
        return no_patches(), [], [], [], []
    patches = unmoved.patches(around, pairs, allowed, angle)
    overlaps = find_overlaps(around, pairs, OVERLAP * allowed.usual)
    if overlaps:
        patches = _with_overlaps(around, pairs, allowed, patches, overlaps, angle)
    around.stream.report()
    patches, *odd = _judge(around, pairs, allowed.eps, patches)
    return (patches, overlaps, *odd)


def _with_overlaps(around, pairs, allowed, patches, overlaps, angle):
    """Patches in which pairs that overlap meet in faces that are less parallel, where these are larger.

    Blocks that are drawn into each other are also turned against each other.
    """
    rows = np.flatnonzero(is_row(pairs, np.array([each[:2] for each in overlaps])))
    some = allowed.rows(rows)
    wide = max(angle, TURNED)
    found = around.patches(pairs[rows], some.eps, some.depth, wide)
    area = np.bincount(patches.pair, patches.area, minlength=len(pairs))
    better = np.bincount(found.pair, found.area, minlength=len(rows)) > (1.0 + SAME_AREA) * area[rows]
    if not better.any():
        return patches
    kept = take(patches, np.flatnonzero(~np.isin(patches.pair, rows[better])))
    found = take(found, np.flatnonzero(better[found.pair]))
    return join(kept, found._replace(pair=rows[found.pair]))


def _unremarkable(around, allowed, patches):
    """Gap of each patch that needs no warning [m] (I,): the usual one, and that of warped and curved faces."""
    usual = allowed.usual[patches.pair]
    if around.facets is None:
        return usual
    flat = np.where((patches.facet >= 0).all(axis=1)[:, None], patches.facet, 0)
    return usual + around.facets.warp[flat].sum(axis=1) + both_curved(around.facets, flat)


def _coverage(around, pairs, patches, thorough):
    """Pairs of blocks (P, 2) with joints, and the share (P,) of the area facing each other that is in contact."""
    used = patches.area > 0.0
    if not thorough and used.any():
        used &= both_curved(around.facets, np.maximum(patches.facet, 0)) > 0.0
    rows = np.unique(patches.pair[used])
    if not len(rows):
        return np.zeros((0, 2), np.int64), np.zeros(0)
    area = np.bincount(patches.pair, patches.area, minlength=len(pairs))[rows]
    return pairs[rows], coverage(around, pairs[rows], area)


def _judge(around, pairs, eps, patches):
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
    touches = touches_of(around, pairs[bare], eps[bare])
    touches = touches._replace(pair=bare[touches.pair])
    others = join(take(patches, np.flatnonzero(narrow)), as_patches(touches))
    doubtful = np.concatenate([np.ones(np.count_nonzero(narrow), bool), is_corner(touches)])
    doubtful = doubtful[np.argsort(np.concatenate([patches.pair[narrow], touches.pair]), kind="stable")]

    body = pairs[others.pair]
    full = filled(len(around.lower), body, others.centroid, 2.0 * eps[others.pair], pairs[wide.pair], wide)
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
    body = interfaces.body.take(owner, axis=0)
    first = np.searchsorted(patches.pair, patches.pair)
    ordinal = (np.arange(len(count)) - first)[owner]
    point = np.arange(len(owner)) - patches.point_start[owner]
    pair = body[:, 0].astype(np.int64) * len(model.names) + body[:, 1]
    key = (pair << 24) | (ordinal.astype(np.int64) << POINT_BITS) | point
    frame = patches.frame.take(owner, axis=0)
    return Contacts(body, patches.point, frame, patches.point_gap, model.law[law[owner], FRICTION], key)


def _isolated(model, interfaces, refused):
    alone = model.bodies.free >= 0
    alone[interfaces.body.ravel()] = False
    alone[[block for a, b, _ in refused for block in (a, b)]] = False
    return np.flatnonzero(alone).tolist()


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
