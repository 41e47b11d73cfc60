"""Interface clipping: opposing facets of two blocks are projected to the plane between them and intersected.

Opposing facets -> plane between them -> intersection -> outlines -> contact points. Whether a patch carries is decided
in contacts/at_rest.
"""

from __future__ import annotations

import numpy as np

from nscd_engine.contacts.curvature import both_curved
from nscd_engine.contacts.facets import Facets
from nscd_engine.contacts.patches import Patches, selection
from nscd_engine.kernels.contacts.clipping import (
    Cases,
    Limits,
    Polygons,
    clip_facets,
    facing_facets,
    fan_heights,
    reduce_polygons,
    set_planes,
    surface_points,
)
from nscd_engine.kernels.geometry.outlines import outlines

#: Distance of a corner from the line through its neighbours, over the diameter of the patch, below which it is removed
#: [-]. The centre of pressure cannot move by more. Larger: patches lose corners. Smaller: contact points coincide.
COLLINEAR = 1e-10
#: Distance of corners of neighbouring polygons that are joined, over the width that is rounding error [-]. Larger: thin
#: gaps between pieces close. Smaller: pieces of one face stay separate interfaces.
WELD = 0.1
#: Heights of surfaces above the planes of their facets where none is warped.
PLANE = np.zeros((0, 2))


def find_patches(
    points: np.ndarray,
    facets: Facets,
    pairs: np.ndarray,
    eps: np.ndarray,
    depth: np.ndarray,
    noise: np.ndarray,
    angle: float,
) -> Patches:
    """All patches of all pairs.

    Parameters
    ----------
    points : array (V, 3)
        Vertices of the blocks [m].
    facets : Facets
    pairs : array (P, 2)
        Blocks a < b.
    eps, depth : arrays (P,)
        Greatest distance, and greatest penetration, at which facets touch [m].
    noise : array (P,)
        Width up to which a patch is rounding error [m].
    angle : float
        Greatest angle between opposing facets [rad].
    """
    cases = _cases(facets, pairs, np.maximum(eps, depth), angle)
    owner, start, corner = _clip(points, facets, cases, eps, depth, noise)
    owner, start, corner = _merge(owner, start, corner, noise[cases.pair])
    bulge = both_curved(facets, cases.facet)[owner]
    of = cases.pair[owner]
    return _patches(facets, cases, owner, start, corner, eps[of] + bulge, depth[of] + bulge)


def _patches(facets, cases, owner, start, corner, eps, depth):
    """Patches of the polygons whose gap at the centroid is within eps and depth [m] (m,); `owner` is their case."""
    count, hull, hull_count, measure = _reduce(start, corner)
    centroid, gap = surface_points(cases, owner, measure[:, 1:3].copy(), PLANE)
    touching = (gap <= eps) & (gap >= -depth)
    polygon_start, kept = selection(start[:-1], np.where(touching, count, 0))
    of = np.repeat(owner[touching], count[touching])
    polygon, _ = _surface_points(facets, cases, of, corner.take(kept, axis=0))
    point_start, kept = selection(start[:-1], np.where(touching, hull_count, 0))
    of = np.repeat(owner[touching], hull_count[touching])
    point, point_gap = _surface_points(facets, cases, of, hull.take(kept, axis=0))
    case = owner[touching]
    area = measure[touching, 0]
    return Patches(
        cases.pair[case],
        cases.facet.take(case, axis=0),
        cases.axes.take(case, axis=0),
        area,
        area / measure[touching, 3],
        centroid[touching],
        gap[touching],
        polygon,
        polygon_start[np.append(touching, True)],
        point,
        point_gap,
        point_start[np.append(touching, True)],
    )


def _cases(facets, pairs, eps, angle):
    """Opposing facets, and the plane between them."""
    lean = 0.5 * angle + facets.warp / np.sqrt(np.maximum(facets.area, np.finfo(float).tiny))
    found = np.empty((4 * len(pairs) + 64, 3), np.int64)
    count = facing_facets(pairs, eps, facets, lean, found)
    if count > len(found):
        found = np.empty((count, 3), np.int64)
        facing_facets(pairs, eps, facets, lean, found)
    pair, facet = found[:count, 0].copy(), found[:count, 1:].copy()

    cases = Cases(pair, facet, np.empty((count, 3)), np.empty((count, 3, 3)), np.empty((count, 2, 3)))
    set_planes(facets.normal, facets.origin, facets.along, cases)
    return cases


def _clip(points, facets, cases, eps, depth, noise):
    """Intersections of the facets of each case as convex polygons: case (m,), start (m + 1,), corners (n, 2)."""
    gap = cases.height[:, 1] - cases.height[:, 0]
    warp = facets.warp[cases.facet].sum(axis=1) + both_curved(facets, cases.facet)
    reach = np.stack([eps[cases.pair] + warp, depth[cases.pair] + warp], axis=1)
    longest = int(np.diff(facets.corner_start).max())
    work = tuple(np.empty((2 * longest + 4, 2)) for _ in range(3))
    limits = Limits(gap, reach, noise[cases.pair])
    polygons, corners = len(cases.pair) + 16, 8 * len(cases.pair) + 16 + 2 * longest
    while True:
        out = Polygons(np.empty((corners, 2)), np.empty(polygons, np.int64), np.zeros(polygons + 1, np.int64))
        count, filled = clip_facets(points, facets, cases, limits, work, out)
        if count <= polygons and filled <= corners:
            return out.case[:count], out.start[: count + 1], out.corner[:filled]
        polygons, corners = 2 * polygons, 2 * corners


def _merge(owner, start, corner, noise):
    """Join the polygons of one case along the edges they share."""
    several = np.flatnonzero(np.bincount(owner, minlength=len(noise)) > 1)
    if len(several) == 0:
        return owner, start, corner
    parts = []  # (case, corners) in the order of the cases
    done = 0
    first, last = np.searchsorted(owner, several), np.searchsorted(owner, several, "right")
    for case, begin, end in zip(several, first, last):
        parts += [(owner[k], corner[start[k] : start[k + 1]]) for k in range(done, begin)]
        group = corner[start[begin] : start[end]]
        parts += [(case, loop) for loop in _outlines(group, start[begin : end + 1] - start[begin], WELD * noise[case])]
        done = end
    parts += [(owner[k], corner[start[k] : start[k + 1]]) for k in range(done, len(owner))]
    cases, loops = zip(*parts)
    starts = np.concatenate([[0], np.cumsum([len(loop) for loop in loops])])
    return np.array(cases, np.int64), starts, np.concatenate(loops)


def _outlines(points, start, tolerance):
    """Outlines of the union of polygons, each an array of corners (k, 2) [m]."""
    capacity = 2 * len(points) + 16
    while True:
        edges, out = np.empty((capacity, 4), np.int64), np.empty((len(points) + capacity, 2))
        out_start = np.zeros(len(start), np.int64)
        count, needed = outlines(points, start, tolerance, edges, out, out_start)
        if needed <= capacity:
            return [out[out_start[k] : out_start[k + 1]] for k in range(count)]
        capacity = needed


def _reduce(start, corner):
    """Corners left of each polygon, corners of the hulls and their numbers, and measures as of `reduce_polygons`."""
    polygons = len(start) - 1
    longest = int(np.diff(start).max()) if polygons else 0
    work = np.empty((longest + 2, 2)), np.empty((2 * longest + 2, 2))
    count, hull_count = np.zeros(polygons, np.int64), np.zeros(polygons, np.int64)
    hull, measure = np.empty_like(corner), np.empty((polygons, 4))
    reduce_polygons(corner, start, COLLINEAR, count, hull, hull_count, measure, work)
    return count, hull, hull_count, measure


def _surface_points(facets, cases, case, xy):
    """Points half way between the two surfaces (n, 3), and the distance of the surfaces there (n,) [m]."""
    above = PLANE
    if facets.fan_start[-1] > 0:
        above = np.empty((len(xy), 2))
        fan_heights(facets, cases, case, xy, above)
    return surface_points(cases, case, xy, above)
