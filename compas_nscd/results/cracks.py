"""Joints that have opened or slid."""

from typing import NamedTuple

import numpy as np

from compas_nscd.geometry.vectors import cross

#: A contact has opened or slipped when it moves by more than this share of the fastest vertex. Smaller: rounding error
#: of the mechanism shows as cracks.
MOVED = 1e-3


def motion(result):
    """Greatest opening and sliding of the contact points of every interface in the mechanism. (I,), (I,)

    Both are ratios to the way of the fastest vertex of the structure.
    """
    count = len(result.interface_body)
    if result.mechanism is None or not len(result.contact_point):
        return np.zeros(count), np.zeros(count)
    along, across, of = contact_motion(result)
    opening, slip = np.zeros(count), np.zeros(count)
    np.maximum.at(opening, of, along)
    np.maximum.at(slip, of, across)
    return opening, slip


def contact_motion(result):
    """Opening and sliding of every contact point in the mechanism, and its interface. (C,), (C,), (C,)"""
    velocity = result.mechanism
    of = np.repeat(np.arange(len(result.interface_body)), np.diff(result.contact_start))
    body = result.interface_body[of]
    there = [velocity[k, :3] + cross(velocity[k, 3:], result.contact_point - result.centroid[k]) for k in body.T]
    relative = there[1] - there[0]
    normal = result.interface_normal[of]
    along = np.einsum("ij,ij->i", relative, normal)
    return along, np.linalg.norm(relative - along[:, None] * normal, axis=1), of


class Crack(NamedTuple):
    """A joint that opens or slides as the structure falls."""

    interface: int
    blocks: tuple  # names of a and b
    opening: float  # [-] of the way of the fastest vertex
    slip: float  # [-] likewise
    outline: np.ndarray  # [m] (n, 3)


def cracks(result, least=MOVED):
    """Joints that open or slide in the mechanism, widest first; none if the structure stands.

    Parameters
    ----------
    result : StaticResult
    least : float, optional
        Opening or slip that counts [way of the fastest vertex].

    Returns
    -------
    list of Crack
    """
    opening, slip = motion(result)
    worst = np.maximum(opening, slip)
    rows = np.flatnonzero(worst > least)
    names, start = result.structure.names, result.polygon_start
    found = []
    for i in rows[np.argsort(-worst[rows], kind="stable")].tolist():
        a, b = result.interface_body[i]
        outline = result.polygon[start[i] : start[i + 1]]
        found.append(Crack(i, (names[a], names[b]), float(opening[i]), float(slip[i]), outline))
    return found
