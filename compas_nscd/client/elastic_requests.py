"""Requests on elastic blocks: vibration modes, and one refined block of a rigid analysis."""

from typing import Any, Dict, Mapping, Optional, Union

from compas_nscd.blocks.elastic import Elastic
from compas_nscd.client.requests import Request, case_of, scene
from compas_nscd.errors import InputError
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure
from compas_nscd.results.deformable.modes import ModesResult, modes_result
from compas_nscd.results.deformable.submodel import SubmodelResult


class ModesRequest(Request):
    """Request of the lowest vibration modes with closed joints.

    Parameters
    ----------
    structure : Structure
        With deformable blocks.
    count : int, optional
        Number of modes.
    settings : Settings, optional
    block : int or str, optional
        By index, name or guid: this block alone, and free.
    """

    def __init__(
        self,
        structure: Structure,
        count: int = 6,
        settings: Optional[Settings] = None,
        block: Union[int, str, None] = None,
    ):
        self.structure = structure
        asked = {"count": count, "block": None if block is None else structure.index(block)}
        super().__init__("modes", dict(scene(structure, case_of(structure, None), settings), modes=asked))

    def result(self, reply: Dict[str, Any]) -> ModesResult:
        """ModesResult of the reply."""
        return modes_result(reply, self.structure)


class SubmodelRequest(Request):
    """Request of the stresses in one refined block under the joint forces of a rigid analysis.

    Parameters
    ----------
    structure : Structure
    block : int or str
        By index, name or guid.
    elastic : Elastic or dict
        Of the refined block.
    case : LoadCase, optional
        Default: that of the structure, else gravity alone.
    roughness : float, optional
        Standard deviation of the heights of its faces [m].
    seed : int, optional
        Of these heights.
    settings : Settings, optional
    """

    def __init__(
        self,
        structure: Structure,
        block: Union[int, str],
        elastic: Union[Elastic, Mapping[str, Any]],
        case: Optional[LoadCase] = None,
        roughness: float = 0.0,
        seed: int = 0,
        settings: Optional[Settings] = None,
    ):
        self.structure, self.block, self.case = structure, structure.index(block), case_of(structure, case)
        material = Elastic.of(elastic)
        if material is None:
            raise InputError("A refined block needs its elasticity.", remedy="Give Elastic(young=..., elements='h8').")
        self.material = material
        asked = {"block": self.block, "elastic": material.__data__, "roughness": float(roughness), "seed": int(seed)}
        super().__init__("submodel", dict(scene(structure, self.case, settings), submodel=asked))

    def result(self, reply: Dict[str, Any]) -> SubmodelResult:
        """SubmodelResult of the reply."""
        return SubmodelResult(reply, self.structure, self.block, self.material)
