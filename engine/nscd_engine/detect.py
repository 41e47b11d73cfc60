"""Contacts of a structure at rest: boxes that meet, facets that face each other, points that carry."""

import math
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from compas_nscd.errors import IsolatedBlockError, OverlapError, SupportError
from nscd_engine.facets import build_facets
from nscd_engine.ingest import block_sizes
from nscd_engine.kernels.broad_phase import touching_pairs
from nscd_engine.model import friction_of
from nscd_engine.patches import find_patches
from nscd_engine.structs import Contacts, Interfaces


class Detection(NamedTuple):
    """What was found."""

    interfaces: Interfaces
    contacts: Contacts
    overlaps: list  # [(a, b, depth [m])]
    isolated: list  # free blocks that touch nothing
    warnings: list  # [{"code", "message", "blocks"}]


def detect(model, settings, monitor=None):
    """Find the interfaces and contacts of a model at rest.

    Parameters
    ----------
    model : Model
    settings : Settings
    monitor : Monitor, optional

    Returns
    -------
    Detection
    """
    if monitor is not None:
        monitor.report("finding contacts")
    poly, bodies = model.polyhedra, model.bodies
    lower, upper, size = block_sizes(poly)
    eps = settings.gap_tolerance * size
    pairs = touching_pairs(lower - eps[:, None], upper + eps[:, None], bodies.free < 0)
    facets = build_facets(poly, 0.5 * eps, size)
    patches = _find(poly, facets, pairs, size, eps, settings)
    interfaces = _interfaces(pairs, patches)
    contacts = _contacts(model, patches, interfaces)
    isolated = _isolated(model, interfaces)
    return Detection(interfaces, contacts, [], isolated, _floating(model, interfaces, isolated))


def _find(poly, facets, pairs, size, eps, settings):
    smaller = size[pairs].min(axis=1)
    rounding = 4.0 * np.finfo(float).eps * np.abs(poly.vertices).max()
    noise = 1e-9 * smaller + rounding
    angle = math.radians(settings.angle_tolerance)
    return find_patches(poly.vertices, facets, pairs, eps[pairs].min(axis=1), noise, angle)


def _interfaces(pairs, patches):
    return Interfaces(
        pairs[patches.pair],
        patches.frame[:, 0].copy(),
        patches.area,
        patches.centroid,
        patches.gap,
        patches.polygon,
        patches.polygon_start,
        patches.point_start,
    )


def _contacts(model, patches, interfaces):
    count = np.diff(patches.point_start)
    owner = np.repeat(np.arange(len(count)), count)
    body = interfaces.body[owner]
    # Key: the pair, then the interface among those of the pair, then the point among those of the interface.
    first = np.searchsorted(patches.pair, patches.pair)
    ordinal = (np.arange(len(count)) - first)[owner]
    point = np.arange(len(owner)) - patches.point_start[owner]
    pair = body[:, 0].astype(np.int64) * len(model.names) + body[:, 1]
    key = (pair << 24) | (ordinal.astype(np.int64) << 10) | point
    frame = patches.frame[owner]
    return Contacts(body, patches.point, frame, patches.point_gap, friction_of(model, body), key)


def _isolated(model, interfaces):
    alone = model.bodies.free >= 0
    alone[interfaces.body.ravel()] = False
    return np.flatnonzero(alone).tolist()


def _floating(model, interfaces, isolated):
    """A warning for the blocks that hang together but on no support."""
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


def require_sound(model, detection, settings):
    """Refuse what cannot be analysed: blocks that overlap, that touch nothing, or a structure without support."""
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
