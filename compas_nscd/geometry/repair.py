"""Repairs of polyhedra that do not change their shape: weld vertices, drop degenerate faces, flip faces.

Every function treats all blocks at once and returns which blocks it changed. `checks` decides which are refused.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

import numpy as np

from compas_nscd.geometry.polyhedra import Polyhedra, bounding_diagonals, by_faces, rebuild, starts

#: Distance below which vertices are welded [diagonal of the block]: the rounding error of coordinates in single
#: precision or with seven digits. Larger: thin wedges lose an edge. Smaller: gaps of rounding error leave meshes open.
WELD = 1e-7

# Direction that is not parallel to usual edges, so that the corners of boxes have different projections.
_GENERIC = np.array([0.530715, 0.612893, 0.585421])


class Edges(NamedTuple):
    """Half-edges grouped by the edge they lie on."""

    order: np.ndarray  # (H,): half-edges, those of one edge side by side
    first: np.ndarray  # (E,): into order
    faces: np.ndarray  # (E,): number of faces at the edge; 2 in a closed mesh
    turns: np.ndarray  # (E,): half-edges in one direction minus the others; 0 if two faces are oriented alike
    block: np.ndarray  # (E,)


@by_faces
def edges(poly: Polyhedra) -> Edges:
    """Group the half-edges of all blocks by edge."""
    tail, head = poly.face_vertices, poly.head
    key = np.minimum(tail, head) * (len(poly.vertices) + 1) + np.maximum(tail, head)
    order = np.argsort(key)
    first = np.flatnonzero(np.diff(key[order], prepend=-1))
    count = np.diff(first, append=len(key))
    way = np.where(tail < head, 1, -1)[order]
    turns = np.add.reduceat(way, first) if len(first) else first
    block = poly.face_block[poly.corner_face[order[first]]]
    return Edges(order, first, count, turns, block)


def weld(poly: Polyhedra) -> tuple[Polyhedra, np.ndarray]:
    """Join vertices of a block that are closer than `WELD`.

    Returns
    -------
    (Polyhedra, (B,) bool)
        Faces refer to one vertex of each cluster; `tidy` removes the others. The blocks that changed.
    """
    block = poly.vertex_block
    reach = WELD * bounding_diagonals(poly)[block]
    along = poly.vertices @ _GENERIC
    order = np.lexsort((along, block))
    label = np.arange(len(poly.vertices))
    pairs = _close_pairs(poly.vertices, order, along[order], block[order], reach[order])
    if not len(pairs):
        return poly, np.zeros(len(poly.vertex_start) - 1, bool)
    a, b = pairs.T
    while True:  # the lowest number spreads through each cluster
        low = np.minimum(label[a], label[b])
        if np.array_equal(low, label[a]) and np.array_equal(low, label[b]):
            break
        np.minimum.at(label, a, low)
        np.minimum.at(label, b, low)
    welded = np.zeros(len(poly.vertex_start) - 1, bool)
    welded[block[a]] = True
    return poly._replace(face_vertices=label[poly.face_vertices]), welded


def _close_pairs(
    xyz: np.ndarray, order: np.ndarray, along: np.ndarray, block: np.ndarray, reach: np.ndarray
) -> np.ndarray:
    """Pairs of vertices of the same block within `reach`. (n, 2)

    `order` sorts the vertices by block and position `along` a line; the arrays after it are in this order.
    """
    found: list[np.ndarray] = []
    rows = np.arange(len(xyz))
    step = 1
    while True:
        rows = rows[: np.searchsorted(rows, len(xyz) - step)]
        near = (block[rows] == block[rows + step]) & (along[rows + step] - along[rows] <= reach[rows])
        rows = rows[near]
        if not len(rows):
            return np.concatenate(found) if found else np.zeros((0, 2), np.int64)
        pairs = np.stack([order[rows], order[rows + step]], axis=1)
        touch = np.linalg.norm(xyz[pairs[:, 1]] - xyz[pairs[:, 0]], axis=1) <= reach[rows]
        found.append(pairs[touch])
        step += 1


def tidy(poly: Polyhedra) -> tuple[Polyhedra, np.ndarray, np.ndarray]:
    """Drop repeated corners, then faces with fewer than three corners, and vertices without a face.

    Returns
    -------
    (Polyhedra, (B,) bool, (B,) bool)
        The blocks that lost faces, and those that had vertices without a face.
    """
    blocks = len(poly.vertex_start) - 1
    face_block = poly.face_block
    filled = np.diff(poly.face_start) > 0
    lost = np.bincount(face_block[~filled], minlength=blocks) > 0
    if not filled.all():
        poly, face_block = _without(poly, filled), face_block[filled]
    distinct, corners = poly.head != poly.face_vertices, np.diff(poly.face_start)
    if not distinct.all():
        corners = np.add.reduceat(distinct, poly.face_start[:-1], dtype=np.int64)
        poly = poly._replace(face_vertices=poly.face_vertices[distinct], face_start=starts(corners))
    lost |= np.bincount(face_block[corners < 3], minlength=blocks) > 0
    used = np.zeros(len(poly.vertices), bool)
    used[poly.face_vertices] = True
    stray = np.bincount(poly.vertex_block[~used], minlength=blocks) > 0
    if lost.any() or stray.any():
        poly = rebuild(poly, corners > 2)
    return poly, lost, stray


def _without(poly: Polyhedra, filled: np.ndarray) -> Polyhedra:
    """Drop faces without corners."""
    begin = starts(filled)[poly.block_face_start]
    return poly._replace(face_start=poly.face_start[np.append(filled, True)], block_face_start=begin)


@by_faces
def repeated_corners(poly: Polyhedra) -> np.ndarray:
    """Faces that pass through the same vertex more than once. (F,) bool"""
    key = np.sort(poly.corner_face * len(poly.vertices) + poly.face_vertices)
    twice = key[1:][key[1:] == key[:-1]] // max(len(poly.vertices), 1)
    return np.bincount(twice, minlength=len(poly.face_start) - 1) > 0


def turn(poly: Polyhedra, turned: np.ndarray) -> Polyhedra:
    """Flip the marked faces, (F,) bool."""
    first = poly.face_start[:-1]
    corners = np.diff(poly.face_start)
    place = np.arange(len(poly.face_vertices))
    mirrored = np.repeat(2 * first + corners - 1, corners) - place
    return poly._replace(face_vertices=poly.face_vertices[np.where(np.repeat(turned, corners), mirrored, place)])


def agree(poly: Polyhedra, edge: Edges, blocks: np.ndarray) -> tuple[np.ndarray, list[int]]:
    """Faces to flip so that neighbours are oriented alike, for blocks of which every edge has two faces.

    Returns
    -------
    ((F,) bool, list of int)
        The faces, and the blocks that cannot be oriented.
    """
    turned = np.zeros(len(poly.face_start) - 1, bool)
    hopeless = []
    face = poly.corner_face[edge.order]
    for block in blocks:
        rows = np.flatnonzero(edge.block == block)
        first = edge.first[rows]
        links: dict[int, list[tuple[int, bool]]] = {}
        for f, g, twisted in zip(face[first].tolist(), face[first + 1].tolist(), (edge.turns[rows] != 0).tolist()):
            links.setdefault(f, []).append((g, twisted))
            links.setdefault(g, []).append((f, twisted))
        choice = _two_colours(links)
        if choice is None:
            hopeless.append(int(block))
        else:
            turned[[f for f, flip in choice.items() if flip]] = True
    return turned, hopeless


def _two_colours(links: dict[int, list[tuple[int, bool]]]) -> dict[int, bool] | None:
    """Colour the faces: neighbours alike, but unlike across a twisted edge. None if that is impossible."""
    colour: dict[int, bool] = {}
    for seed in links:
        if seed in colour:
            continue
        colour[seed] = False
        queue = deque([seed])
        while queue:
            f = queue.popleft()
            for g, twisted in links[f]:
                if g not in colour:
                    colour[g] = colour[f] ^ twisted
                    queue.append(g)
                elif colour[g] != colour[f] ^ twisted:
                    return None
    return colour
