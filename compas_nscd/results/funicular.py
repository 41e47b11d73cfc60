"""Thrust lines of an arch as funicular polygons: all statically admissible ones, independent of the contact forces.

A chain of blocks and its loads are projected onto a vertical plane. The force S_j in joint j is that of the first joint
plus the loads up to it, so a thrust line has three unknowns x: the two components of S_0 and its moment. All conditions
are linear in x; the least and the greatest thrust are linear programs in three unknowns.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from compas_nscd.errors import InputError, LoadError
from compas_nscd.results import thrust
from compas_nscd.results.joint_table import friction

#: Bound of the unknowns [weight, weight x span]; thrusts above it are not considered. Larger: less accurate corners of
#: the first basis. Smaller: very flat arches seem to collapse.
BOUND = 1e3
#: Tolerance of the conditions [weight, weight x span]. Larger: thrust lines outside the joints are accepted. Smaller:
#: rounding error counts as a violation.
SLACK = 1e-10


class ArchChain(NamedTuple):
    """A chain of J joints projected onto its plane; forces over the weight W, lengths over the span L."""

    edge: np.ndarray  # (J, 2, 2): ends of every joint across its thickness
    normal: np.ndarray  # (J, 2): from each block to the next
    force: np.ndarray  # (J, 2): sum of the loads up to each joint
    moment: np.ndarray  # (J,): of these loads about the origin
    friction: np.ndarray  # (J,)
    frame: tuple[np.ndarray, np.ndarray, float, float]  # origin (3,), axes (2, 3), span [m], weight [N]


class Funicular(NamedTuple):
    """A thrust line."""

    thrust: float  # [N] horizontal component of the force in the first joint
    points: np.ndarray  # [m] (J, 3): intersections with the joints
    forces: np.ndarray  # [N] (J, 3): on the next block of the chain
    inside: bool  # whether it is inside all joints


def ring(result: Any, table: thrust.Links | None = None, chain: thrust.Chain | None = None) -> ArchChain:
    """Project a chain of a StaticResult onto its vertical plane.

    Parameters
    ----------
    result : StaticResult
    table : Links, optional
    chain : Chain, optional
        The loads are the weight of its blocks and the point loads on them. Default: the first chain found.
    """
    table = thrust.links(result) if table is None else table
    if chain is None:
        found = thrust.chains(result, table)
        if not found:
            raise InputError("There is no chain of blocks from support to support.", remedy="Name its blocks.")
        chain = found[0]
    groups = [table.joint[row] for row in chain.links]
    if max(len(group) for group in groups) > 1:
        raise InputError("Blocks of the chain meet in several joints.", remedy="Model each joint as one plane.")
    joints = np.array([group[0] for group in groups])
    centre = result.interface_centroid[joints]
    axes = _axes(result, centre)
    origin, span = centre[0], float(np.linalg.norm((centre[-1] - centre[0]) @ axes[0]))
    if not span > 0.0:
        raise InputError("The chain has no span: it ends above its beginning.")
    load, at = _loads(result, chain.blocks[1:-1])
    weight = float(np.linalg.norm(load.sum(axis=0)))
    load, at = load @ axes.T / weight, (at - origin) @ axes.T / span
    nothing = np.zeros((1, 2))
    force = np.concatenate([nothing, np.cumsum(load, axis=0)])
    moment = np.concatenate([[0.0], np.cumsum(_cross(at, load))])
    sign = np.where(table.pair[chain.links, 0] == chain.blocks[:-1], 1.0, -1.0)
    normal = (sign[:, None] * result.interface_normal[joints]) @ axes.T
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    edge = _edges(result, joints, normal, axes, origin, span)
    return ArchChain(edge, normal, force, moment, friction(result)[joints], (origin, axes, span, weight))


def _axes(result: Any, centre: np.ndarray) -> np.ndarray:
    """Horizontal and vertical unit vector of the plane: from the first to the last joint, and up. (2, 3)"""
    gravity = np.array(result.case.gravity if result.case is not None else (0.0, 0.0, -9.81))
    if not np.linalg.norm(gravity) > 0.0:
        raise LoadError("A thrust line needs gravity.")
    up = -gravity / np.linalg.norm(gravity)
    across = centre[-1] - centre[0]
    across = across - (across @ up) * up
    size = np.linalg.norm(across)
    if not size > 0.0:
        raise InputError("The chain has no span: it ends above its beginning.")
    return np.stack([across / size, up])


def _loads(result: Any, blocks: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Total force on each block and a point of its line of action. [N] (n, 3), [m] (n, 3)"""
    case = result.case
    gravity = np.array(case.gravity)
    force = result.mass[blocks, None] * gravity
    at = result.centroid[blocks].copy()
    where = {block: k for k, block in enumerate(blocks)}
    for block, load in zip(result.structure.indices([load.block for load in case.loads], LoadError), case.loads):
        if block in where:
            k = where[block]
            total = force[k] + load.force
            # shift by d = F x M / F^2, so that d x F is the moment M of the load about the old point
            couple = np.cross(np.array(load.point) - at[k], load.force)
            at[k] = at[k] + np.cross(total, couple) / (total @ total)
            force[k] = total
    return force, at


def _edges(
    result: Any, joints: np.ndarray, normal: np.ndarray, axes: np.ndarray, origin: np.ndarray, span: float
) -> np.ndarray:
    """Ends of every joint across its thickness, in the plane. (J, 2, 2)"""
    out = np.empty((len(joints), 2, 2))
    for k, i in enumerate(joints):
        outline = (result.polygon[result.polygon_start[i] : result.polygon_start[i + 1]] - origin) @ axes.T / span
        middle = (result.interface_centroid[i] - origin) @ axes.T / span
        tangent = np.array([-normal[k, 1], normal[k, 0]])
        reach = (outline - middle) @ tangent
        out[k] = middle + np.array([[reach.min()], [reach.max()]]) * tangent
    return out


def through(arch: ArchChain, points: Any) -> Funicular:
    """The thrust line through three points.

    Parameters
    ----------
    arch : ArchChain
    points : three points [m]
        Each belongs to the joint with the nearest midpoint.

    Returns
    -------
    Funicular
    """
    origin, axes, span, _ = arch.frame
    flat = (np.asarray(points, float).reshape(-1, 3) - origin) @ axes.T / span
    if len(flat) != 3:
        raise InputError("A thrust line is given by three points, not {}.".format(len(flat)))
    middle = arch.edge.mean(axis=1)
    rows = [int(np.linalg.norm(middle - p, axis=1).argmin()) for p in flat]
    conditions = [_moment_about(arch, j, p) for j, p in zip(rows, flat)]
    matrix, right = np.array([row for row, _ in conditions]), np.array([constant for _, constant in conditions])
    if abs(np.linalg.det(matrix)) < 1e-9 or len(set(rows)) < 3:
        raise InputError("The three points do not fix a thrust line.", remedy="Choose them at different joints.")
    return _line(arch, np.linalg.solve(matrix, -right))


def extreme(arch: ArchChain, slide: bool = True) -> tuple[Funicular, Funicular] | None:
    """The thrust lines of least and of greatest thrust inside the joints.

    Parameters
    ----------
    arch : ArchChain
    slide : bool, optional
        Whether friction is limited.

    Returns
    -------
    (Funicular, Funicular) or None
        None if there is no thrust line inside the joints: the arch collapses.
    """
    matrix, right = _conditions(arch, slide)
    found = []
    for sign in (-1.0, 1.0):
        x = maximise(np.array([sign, 0.0, 0.0]), matrix, right)
        if x is None:
            return None
        found.append(_line(arch, x))
    return found[0], found[1]


def _moment_about(arch: ArchChain, j: int, point: np.ndarray) -> tuple[np.ndarray, float]:
    """Moment of S_j about a point as (row, constant): row . x + constant."""
    row = np.array([point[1], -point[0], 1.0])  # - p x S + M with x = (S_0, M_0)
    return row, arch.moment[j] - _cross(point, arch.force[j])


def _conditions(arch: ArchChain, slide: bool) -> tuple[np.ndarray, np.ndarray]:
    """A x <= b: each force between the ends of its joint, and within the friction cone."""
    rows, right = [], []
    for j, (low, high) in enumerate(arch.edge):
        n = arch.normal[j]
        # ends are ordered along t = (-n_y, n_x), and t x n = -1: the moment about the low end is -(q - low)_t S_n
        for point, sign in ((low, 1.0), (high, -1.0)):
            row, constant = _moment_about(arch, j, point)
            rows.append(sign * row)
            right.append(-sign * constant)
        if slide:
            for sign in (1.0, -1.0):
                limit = sign * np.array([-n[1], n[0]]) - arch.friction[j] * n
                rows.append(np.append(limit, 0.0))
                right.append(-limit @ arch.force[j])
    return np.array(rows), np.array(right)


def maximise(c: np.ndarray, matrix: np.ndarray, right: np.ndarray) -> np.ndarray | None:
    """Maximise c . x subject to matrix x <= right, in few unknowns; None if infeasible.

    Dual simplex method. The basis has as many active conditions as unknowns, at first the bounds of the unknowns. The
    most violated condition enters; the ratio test on the multipliers chooses the one that leaves.
    """
    size = len(c)
    scale = np.maximum(np.abs(matrix).max(axis=1), 1e-300)
    rows = np.concatenate([matrix / scale[:, None], np.eye(size), -np.eye(size)])
    bound = np.concatenate([right / scale, np.full(2 * size, BOUND)])
    count = len(matrix)
    basis = [count + k if c[k] >= 0.0 else count + size + k for k in range(size)]
    for _ in range(50 * len(rows)):
        inverse = np.linalg.inv(rows[basis])
        x = inverse @ bound[basis]
        excess = rows @ x - bound
        worst = int(excess.argmax())
        if excess[worst] <= SLACK:
            return x
        multiplier, change = c @ inverse, rows[worst] @ inverse
        ratio = np.where(change > 1e-12, np.maximum(multiplier, 0.0) / np.where(change > 1e-12, change, 1.0), np.inf)
        leave = int(ratio.argmin())
        if not np.isfinite(ratio[leave]):
            return None
        basis[leave] = worst
    raise ArithmeticError("The simplex method did not end.")


def _line(arch: ArchChain, x: np.ndarray) -> Funicular:
    """The thrust line of the unknowns x."""
    origin, axes, span, weight = arch.frame
    force = x[:2] + arch.force
    compression = np.einsum("ij,ij->i", force, arch.normal)
    tangent = np.stack([-arch.normal[:, 1], arch.normal[:, 0]], axis=1)
    low = arch.edge[:, 0]
    moment = x[2] + arch.moment - _cross(low, force)
    reach = -moment / np.where(compression == 0.0, np.nan, compression)
    depth = np.einsum("ij,ij->i", arch.edge[:, 1] - low, tangent)
    inside = bool(((compression > 0.0) & (reach >= -1e-7) & (reach <= depth + 1e-7)).all())
    points = origin + span * (low + reach[:, None] * tangent) @ axes
    return Funicular(float(weight * force[0, 0]), points, weight * force @ axes, inside)


def _cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Cross product in the plane."""
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
