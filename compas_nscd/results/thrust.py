"""Thrust lines and force networks of a static result.

The effective thrust line of a chain of blocks passes through the centre of pressure of every joint. Chains are found
where each block transmits its force to exactly one other: an arch has one, from springing to springing; a stack has
one, from its base to its top joint; a bonded wall has none, but selected blocks or a section plane define one, and the
force network contains all forces.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from compas_nscd.errors import InputError


class Links(NamedTuple):
    """Pairs of blocks with a compressed joint; several joints between two blocks are one link."""

    pair: np.ndarray  # (L, 2): blocks a < b
    force: np.ndarray  # [N] (L, 3): on b
    centre: np.ndarray  # [m] (L, 3): centre of pressure
    normal: np.ndarray  # [-] (L, 3): from a to b
    joint: list[np.ndarray]  # L arrays: the interfaces of each link


class Chain(NamedTuple):
    """A sequence of links; link j is between block j and block j + 1."""

    blocks: list[int]  # n + 1 indices
    links: list[int]  # n rows of Links


class Network(NamedTuple):
    """Forces from block to block, as lines from centroids to centres of pressure."""

    nodes: np.ndarray  # [m] (n, 3): centroids of the blocks, then centres of pressure
    edges: np.ndarray  # (m, 2): rows of nodes
    force: np.ndarray  # [N] (m,): magnitude of the resultant in the joint of the edge


class Label(NamedTuple):
    """A joint at a limit of its resistance."""

    interface: int
    kind: str  # "hinge" or "slide"
    point: np.ndarray  # [m] (3,): centre of pressure


def links(result: Any) -> Links:
    """Loaded joints of a StaticResult, by pair of blocks."""
    table = result.joints
    rows = np.flatnonzero(table.loaded)
    body = result.interface_body[rows].astype(np.int64)
    count = len(result.structure.blocks)
    _, first, of = np.unique(body[:, 0] * count + body[:, 1], return_index=True, return_inverse=True)
    of = of.reshape(-1)
    size = len(first)
    weight = table.normal_force[rows]
    total = np.bincount(of, weight, size)
    force, centre, normal = np.zeros((size, 3)), np.zeros((size, 3)), np.zeros((size, 3))
    np.add.at(force, of, table.resultant[rows])
    np.add.at(centre, of, weight[:, None] * table.centre[rows])
    np.add.at(normal, of, weight[:, None] * result.interface_normal[rows])
    normal /= np.maximum(np.linalg.norm(normal, axis=1), 1e-300)[:, None]
    rows, end = rows[np.argsort(of, kind="stable")], np.cumsum(np.bincount(of, minlength=size)).tolist()
    joint = [rows[a:b] for a, b in zip([0] + end, end)]
    return Links(body[first], force, centre / total[:, None], normal, joint)


def chains(result: Any, table: Links | None = None) -> list[Chain]:
    """Chains of blocks that begin at a support, each once.

    Parameters
    ----------
    result : StaticResult
    table : Links, optional
        Default: all links of the result.

    Returns
    -------
    list of Chain
        With at least two links.
    """
    table = links(result) if table is None else table
    supports = set(result.structure.supports)
    pairs = table.pair.tolist()
    of_block: dict[int, list[int]] = {}
    for row, pair in enumerate(pairs):
        for block in pair:
            of_block.setdefault(block, []).append(row)
    found: list[Chain] = []
    seen: set[int] = set()
    for row, pair in enumerate(pairs):
        start = next((block for block in pair if block in supports), None)
        if start is None or row in seen:
            continue
        chain = _walk(row, start, pairs, of_block, supports)
        seen.update(chain.links)
        if len(chain.links) > 1:
            found.append(chain)
    return found


def _walk(row: int, block: int, pairs: list[list[int]], of_block: dict[int, list[int]], supports: set[int]) -> Chain:
    """The chain that starts at `block` with link `row`."""
    blocks, rows = [block], [row]
    while True:
        a, b = pairs[rows[-1]]
        blocks.append(b if blocks[-1] == a else a)
        onward = [other for other in of_block[blocks[-1]] if other != rows[-1]]
        if blocks[-1] in supports or len(onward) != 1 or onward[0] == rows[0]:
            return Chain(blocks, rows)
        rows.append(onward[0])


def chain_of(result: Any, blocks: Sequence[Any], table: Links | None = None) -> Chain:
    """The chain through selected blocks, given in order by index, name or guid.

    Raises
    ------
    InputError
        If there is no force between two consecutive blocks.
    """
    table = links(result) if table is None else table
    rows_of_blocks: list[int] = result.structure.indices(blocks)
    row_of = {tuple(pair): row for row, pair in enumerate(table.pair.tolist())}
    rows = [row_of.get((min(a, b), max(a, b))) for a, b in zip(rows_of_blocks, rows_of_blocks[1:])]
    if None in rows:
        k = rows.index(None)
        a, b = (result.structure.names[i] for i in rows_of_blocks[k : k + 2])
        raise InputError(
            "No force passes between {} and {}.".format(a, b), remedy="Choose blocks that touch.", blocks=[a, b]
        )
    return Chain(rows_of_blocks, [row for row in rows if row is not None])


def links_in_plane(result: Any, plane: Any) -> Links:
    """Links whose blocks and joints are cut by a plane.

    Parameters
    ----------
    result : StaticResult
    plane : (point, normal)
        [m], [-]

    Returns
    -------
    Links
    """
    table = links(result)
    point, normal = (np.asarray(part, float) for part in plane)
    if not np.linalg.norm(normal) > 0.0:
        raise InputError("The normal of the section plane has no length.")
    normal = normal / np.linalg.norm(normal)
    poly = result.structure.surfaces
    cut = _straddles((poly.vertices - point) @ normal, poly.vertex_start)
    joint = _straddles((result.polygon - point) @ normal, result.polygon_start)
    if not cut.any():
        raise InputError("The section plane cuts no block.", remedy="Move it inside the blocks, off their faces.")
    keep = [
        row for row, (a, b) in enumerate(table.pair.tolist()) if cut[a] and cut[b] and joint[table.joint[row]].any()
    ]
    joints = [table.joint[row] for row in keep]
    return Links(table.pair[keep], table.force[keep], table.centre[keep], table.normal[keep], joints)


def _straddles(height: np.ndarray, start: np.ndarray) -> np.ndarray:
    """Which groups of points lie on both sides of a plane, by more than rounding error."""
    if not len(height):
        return np.zeros(len(start) - 1, bool)
    low, high = np.minimum.reduceat(height, start[:-1]), np.maximum.reduceat(height, start[:-1])
    least = 1e-9 * np.ptp(height)
    return (low < -least) & (high > least)


def thrust_lines(result: Any, blocks: Sequence[Any] | None = None, plane: Any = None) -> list[np.ndarray]:
    """Effective thrust lines, through the centres of pressure.

    Parameters
    ----------
    result : StaticResult
    blocks : list, optional
        Blocks of one chain, in order.
    plane : (point, normal), optional
        Only blocks and joints cut by this plane.

    Returns
    -------
    list of (n, 3) array
        Points [m], beginning at a support. Without `blocks`, of every chain found.
    """
    table, found = _chosen(result, blocks, plane)
    return [table.centre[chain.links] for chain in found]


def envelopes(result: Any, blocks: Sequence[Any] | None = None, plane: Any = None) -> list[np.ndarray]:
    """Envelopes of the resultants: intersections of the lines of action of consecutive joint forces.

    In each block the two intersect on the line of action of its load; of skew lines the midpoint of their common
    perpendicular is used.

    Returns
    -------
    list of (n, 3) array
        From the first to the last centre of pressure [m]; chains as in `thrust_lines`.
    """
    table, found = _chosen(result, blocks, plane)
    return [_envelope(table, chain) for chain in found]


def _chosen(result: Any, blocks: Sequence[Any] | None, plane: Any) -> tuple[Links, list[Chain]]:
    """Links, and the chains that refer to their rows."""
    table = links(result) if plane is None else links_in_plane(result, plane)
    return table, chains(result, table) if blocks is None else [chain_of(result, blocks, table)]


def _envelope(table: Links, chain: Chain) -> np.ndarray:
    at = table.centre[chain.links]
    along = table.force[chain.links]
    along = along / np.linalg.norm(along, axis=1)[:, None]
    p, q, d, e = at[:-1], at[1:], along[:-1], along[1:]
    cosine = np.einsum("ij,ij->i", d, e)
    sine2 = 1.0 - cosine**2
    apart = sine2 > 1e-14
    first, second = (np.einsum("ij,ij->i", q - p, v) for v in (d, e))
    on_first = (first - cosine * second) / np.where(apart, sine2, 1.0)
    on_second = (cosine * first - second) / np.where(apart, sine2, 1.0)
    meet = 0.5 * (p + on_first[:, None] * d + q + on_second[:, None] * e)
    meet = np.where(apart[:, None], meet, 0.5 * (p + q))
    return np.concatenate([at[:1], meet, at[-1:]])


def force_network(result: Any) -> Network:
    """Forces of a wall or a vault as a network.

    Returns
    -------
    Network
        Two edges per link: from the centroid of block a to the centre of pressure and on to that of block b.
    """
    table = links(result)
    blocks = len(result.centroid)
    middle = blocks + np.arange(len(table.pair))
    edges = np.stack([table.pair[:, 0], middle, middle, table.pair[:, 1]], axis=1).reshape(-1, 2)
    force = np.repeat(np.linalg.norm(table.force, axis=1), 2)
    return Network(np.concatenate([result.centroid, table.centre]), edges, force)


def labels(result: Any) -> list[Label]:
    """Joints at a limit: hinges, with the centre of pressure at the edge, and sliding joints.

    Returns
    -------
    list of Label
        In the order of the interfaces; a joint that is both occurs twice.
    """
    table = result.joints
    out = []
    for kind, mask in (("hinge", table.hinge), ("slide", table.sliding)):
        out += [Label(i, kind, table.centre[i]) for i in np.flatnonzero(mask).tolist()]
    return sorted(out, key=lambda label: label.interface)
