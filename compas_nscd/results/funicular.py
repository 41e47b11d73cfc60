"""Conventional thrust lines of an arch: all those that statics allows, not the one the contact forces chose.

The blocks of a chain and their loads are looked at in a vertical plane. The force S_j that passes joint j is that of
the first joint plus the loads up to it, so every thrust line is given by three numbers x: the two components of S_0 and
its moment. All conditions are linear in x; the least and the greatest thrust are linear programs in three unknowns.
"""

from typing import NamedTuple

import numpy as np

from compas_nscd.errors import InputError, LoadError
from compas_nscd.results import thrust
from compas_nscd.results.joint_table import friction

#: Bounds of the unknowns [weight, weight x span]: a thrust a thousand times the weight is no arch's.
BOUND = 1e3
#: How much a condition may be missed [weight, weight x span].
SLACK = 1e-10


class Ring(NamedTuple):
    """A chain of J joints in its plane; forces over the weight W, lengths over the span L."""

    edge: np.ndarray  # (J, 2, 2): ends of every joint's thickness
    normal: np.ndarray  # (J, 2): from each block to the next
    force: np.ndarray  # (J, 2): sum of the loads up to each joint
    moment: np.ndarray  # (J,): of these loads about the origin
    friction: np.ndarray  # (J,)
    frame: tuple  # origin (3,), axes (2, 3), span [m], weight [N]


class Funicular(NamedTuple):
    """A thrust line."""

    thrust: float  # [N] horizontal component of the force in the first joint
    points: np.ndarray  # [m] (J, 3): where it passes the joints
    forces: np.ndarray  # [N] (J, 3): on the next block of the chain
    inside: bool  # whether it stays within all joints


def ring(result, table=None, chain=None):
    """Lay a chain of a StaticResult into its vertical plane.

    Parameters
    ----------
    result : StaticResult
    table : Links, optional
    chain : Chain, optional
        Only the weight of its own blocks and the point loads on them count. Default: the first that is found.
    """
    table = thrust.links(result) if table is None else table
    if chain is None:
        found = thrust.chains(result, table)
        if not found:
            raise InputError("There is no chain of blocks from support to support.", remedy="Name its blocks.")
        chain = found[0]
    joints = [table.joint[row] for row in chain.links]
    if max(len(group) for group in joints) > 1:
        raise InputError("Blocks of the chain meet in several joints.", remedy="Model each joint as one plane.")
    joints = np.array([group[0] for group in joints])
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
    return Ring(edge, normal, force, moment, friction(result)[joints], (origin, axes, span, weight))


def _axes(result, centre):
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


def _loads(result, blocks):
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
            # The moment of the two about the old point, M = d x F, is kept by d = F x M / F^2.
            couple = np.cross(np.array(load.point) - at[k], load.force)
            at[k] = at[k] + np.cross(total, couple) / (total @ total)
            force[k] = total
    return force, at


def _edges(result, joints, normal, axes, origin, span):
    """Ends of the thickness of every joint in the plane. (J, 2, 2)"""
    out = np.empty((len(joints), 2, 2))
    for k, i in enumerate(joints):
        outline = (result.polygon[result.polygon_start[i] : result.polygon_start[i + 1]] - origin) @ axes.T / span
        middle = (result.interface_centroid[i] - origin) @ axes.T / span
        tangent = np.array([-normal[k, 1], normal[k, 0]])
        reach = (outline - middle) @ tangent
        out[k] = middle + np.array([[reach.min()], [reach.max()]]) * tangent
    return out


def through(arch, points):
    """The thrust line through three points.

    Parameters
    ----------
    arch : Ring
    points : three points [m]
        Each belongs to the joint whose middle is nearest.

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
    matrix, right = zip(*(_moment_about(arch, j, p) for j, p in zip(rows, flat)))
    matrix, right = np.array(matrix), np.array(right)
    if abs(np.linalg.det(matrix)) < 1e-9 or len(set(rows)) < 3:
        raise InputError("The three points do not fix a thrust line.", remedy="Choose them at different joints.")
    return _line(arch, np.linalg.solve(matrix, -right))


def extreme(arch, slide=True):
    """The thrust lines of least and of greatest thrust within the joints.

    Parameters
    ----------
    arch : Ring
    slide : bool, optional
        Whether joints can slide; otherwise friction has no limit.

    Returns
    -------
    (Funicular, Funicular) or None
        None if no thrust line stays within the joints: the arch falls.
    """
    matrix, right = _conditions(arch, slide)
    found = []
    for sign in (-1.0, 1.0):
        x = maximise(np.array([sign, 0.0, 0.0]), matrix, right)
        if x is None:
            return None
        found.append(_line(arch, x))
    return tuple(found)


def _moment_about(arch, j, point):
    """Moment of S_j about a point as (row, constant): row . x + constant."""
    row = np.array([point[1], -point[0], 1.0])  # - p x S + M with x = (S_0, M_0)
    return row, arch.moment[j] - _cross(point, arch.force[j])


def _conditions(arch, slide):
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


def maximise(c, matrix, right):
    """Greatest c . x with matrix x <= right, in few unknowns; None if no x will do.

    Dual simplex: three conditions are met with equality; the one violated most replaces the one that keeps the
    multipliers positive. Bounds on the unknowns are the first three.
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


def _line(arch, x):
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


def _cross(a, b):
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
