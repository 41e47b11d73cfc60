"""The request for the range of joint forces."""

import numpy as np

from compas_nscd.client.requests import scene
from compas_nscd.errors import InputError


def force_range_request(structure, case, interfaces=None, direction=None, settings=None):
    """Body of the request `force_range`.

    Parameters
    ----------
    structure : Structure
    case : LoadCase
    interfaces : list of (block, block), optional
        Blocks by index, name or guid; all joints if left out.
    direction : sequence of 3 floats, optional
        Along which the force is measured; else along the normal of the joint, compression positive.
    """
    pairs = [structure.indices(list(pair), InputError) for pair in interfaces or []]
    if any(len(pair) != 2 for pair in pairs):
        raise InputError("A joint is named by two blocks.", remedy='Give pairs like ("v3", "v4").')
    along = None
    if direction is not None:
        along = np.array(direction, float).reshape(-1)
        if along.shape != (3,) or not np.isfinite(along).all() or not along.any():
            raise InputError("A direction is three numbers, not {!r:.40}.".format(direction))
        along = along / np.linalg.norm(along)
    asked = {"pairs": np.array(pairs, np.int32).reshape(-1, 2), "direction": along}
    return dict(scene(structure, case, settings), force_range=asked)
