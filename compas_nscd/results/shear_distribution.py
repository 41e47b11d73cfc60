"""Shear forces of a joint redistributed over its contact points, with the same resultant.

The distribution over the points of one joint depends on the solver; the resultant does not.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from compas_nscd.geometry.vectors import cross
from compas_nscd.results.joint_table import sums


def proportional_shear(result: Any) -> np.ndarray:
    """Forces at the contact points with shear in proportion to compression, after Bohatier [N] (C, 3).

    The shear at a point of a joint is t = N_i (a + b n x r), with r from the centre of pressure; a and b preserve the
    resultant and the moment about the normal. Without such a moment every point has the same ratio of shear to
    friction. Normal forces, and joints without compression, do not change.

    Parameters
    ----------
    result : StaticResult

    Returns
    -------
    array (C, 3)
    """
    count = len(result.interface_body)
    of = np.repeat(np.arange(count), np.diff(result.contact_start))
    n = result.interface_normal[of]
    along = np.einsum("ci,ci->c", result.contact_force, n)
    shear = result.contact_force - along[:, None] * n
    weight = np.maximum(along, 0.0)
    total = np.bincount(of, weight, count)
    pressed = total > 0.0
    share = weight / np.where(pressed, total, 1.0)[of]
    centre = sums(share[:, None] * (result.contact_point - result.interface_centroid[of]), of, count)
    arm = result.contact_point - result.interface_centroid[of] - centre[of]
    arm -= np.einsum("ci,ci->c", arm, n)[:, None] * n
    sliding = sums(shear, of, count)
    twist = np.bincount(of, np.einsum("ci,ci->c", cross(arm, shear), n), count)
    polar = np.bincount(of, share * np.einsum("ci,ci->c", arm, arm), count)
    turn = np.where(polar > 0.0, twist / np.where(polar > 0.0, polar, 1.0), 0.0)
    spread = share[:, None] * (sliding[of] + turn[of][:, None] * cross(n, arm))
    return np.where(pressed[of][:, None], along[:, None] * n + spread, result.contact_force)


def with_proportional_shear(result: Any) -> Any:
    """A copy of the result with shear in proportion to compression in every joint; see `proportional_shear`."""
    data = result.__data__
    data["reply"] = dict(data["reply"], contact_force=proportional_shear(result))
    return type(result).__from_data__(data)
