"""Request of the least and greatest forces of joints."""

from typing import Any, Dict, Optional, Sequence, Tuple, Union

import numpy as np

from compas_nscd.client.requests import Request, case_of, scene
from compas_nscd.errors import InputError
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure
from compas_nscd.results.force_range import ForceRanges, force_ranges

Joint = Tuple[Union[str, int], Union[str, int]]


class ForceRangeRequest(Request):
    """Request of the range of joint forces.

    Parameters
    ----------
    structure : Structure
    case : LoadCase, optional
        Default: that of the structure, else gravity alone.
    interfaces : list of (block, block), optional
        Blocks by index, name or guid. Default: all joints.
    direction : sequence of 3 floats, optional
        Direction of the measured force component. Default: normal of the joint, compression positive.
    settings : Settings, optional
    """

    def __init__(
        self,
        structure: Structure,
        case: Optional[LoadCase] = None,
        interfaces: Optional[Sequence[Joint]] = None,
        direction: Optional[Sequence[float]] = None,
        settings: Optional[Settings] = None,
    ):
        self.structure, self.case = structure, case_of(structure, case)
        super().__init__("force_range", force_range_request(structure, self.case, interfaces, direction, settings))

    def result(self, reply: Dict[str, Any]) -> ForceRanges:
        """ForceRanges of the reply."""
        return force_ranges(reply, self.structure)


def force_range_request(
    structure: Structure,
    case: LoadCase,
    interfaces: Optional[Sequence[Joint]] = None,
    direction: Optional[Sequence[float]] = None,
    settings: Optional[Settings] = None,
) -> Dict[str, Any]:
    """Body of the request `force_range`; the arguments are those of `ForceRangeRequest`, but the case is required."""
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
