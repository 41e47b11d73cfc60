"""Opening and sliding of joints in a mechanism."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from compas_nscd.geometry.vectors import cross

#: Opening or sliding above which a joint is a crack [velocity of the fastest vertex]. Larger: small cracks are missed.
#: Smaller: rounding error of the mechanism shows as cracks.
MOVED = 1e-3


def motion(result: Any) -> tuple[np.ndarray, np.ndarray]:
    """Greatest opening and sliding of the contact points of every interface in the mechanism. (I,), (I,)

    Both relative to the velocity of the fastest vertex of the structure [-].
    """
    count = len(result.interface_body)
    if result.mechanism is None or not len(result.contact_point):
        return np.zeros(count), np.zeros(count)
    along, across, of = contact_motion(result)
    opening, slip = np.zeros(count), np.zeros(count)
    np.maximum.at(opening, of, along)
    np.maximum.at(slip, of, across)
    return opening, slip


def contact_motion(result: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
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
    """A joint that opens or slides in the mechanism."""

    interface: int
    blocks: tuple[str, str]  # names of a and b
    opening: float  # [-] relative to the fastest vertex
    slip: float  # [-] likewise
    outline: np.ndarray  # [m] (n, 3)


def cracks(result: Any, least: float = MOVED) -> list[Crack]:
    """Joints that open or slide in the mechanism, widest first; none if the structure is stable.

    Parameters
    ----------
    result : StaticResult
    least : float, optional
        Threshold of opening or slip [velocity of the fastest vertex].

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
