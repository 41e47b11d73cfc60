"""Construction in stages: blocks, supports and loads are added and removed in order; forces are carried over.

A stage starts from the joint forces of the stage before: joints are springs that respond to the change of loads alone.
Rigid joints are given equal stiffness per area, whose ratio alone decides how the change is distributed. Blocks are
placed, and joints closed, without force at their drawn positions.
"""

from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Set

import numpy as np

from compas_nscd.blocks.block import Block
from compas_nscd.errors import InputError
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure
from compas_nscd.results.static import StaticResult


class Stage:
    """Changes of a stage, and its loads.

    Parameters
    ----------
    add, remove : list, optional
        Blocks of the whole structure that are added or removed, by index, name or guid.
    support, release : list, optional
        Blocks that become supports, and supports that become free.
    case : LoadCase, optional
        Loads from this stage on. Default: those of the stage before; in the first, those of the structure.
    name : str, optional
    """

    def __init__(
        self,
        add: Sequence[Any] = (),
        remove: Sequence[Any] = (),
        support: Sequence[Any] = (),
        release: Sequence[Any] = (),
        case: Optional[LoadCase] = None,
        name: Optional[str] = None,
    ):
        self.add, self.remove, self.support, self.release = (list(each) for each in (add, remove, support, release))
        self.case, self.name = case, name


class StageResult(NamedTuple):
    """Result of a stage."""

    name: str
    structure: Structure  # blocks of the stage
    result: StaticResult


def run_stages(
    engine: Any,
    structure: Structure,
    stages: Sequence[Stage],
    settings: Optional[Settings] = None,
    stop: bool = True,
) -> List[StageResult]:
    """Solve stages one after the other.

    Parameters
    ----------
    engine : Engine
        Or any object with its method `static`.
    structure : Structure
        All blocks of all stages, with the supports of the stage that adds them.
    stages : list of Stage
        The first adds the first blocks.
    settings : Settings, optional
    stop : bool, optional
        End at the first stage that collapses.

    Returns
    -------
    list of StageResult
    """
    there: List[int] = []
    held = {i for i, block in enumerate(structure.blocks) if block.support}
    case, carried = structure.case or LoadCase(), None
    found: List[StageResult] = []
    for k, stage in enumerate(stages):
        name = stage.name or "stage {}".format(k + 1)
        _change(structure, stage, there, held, name)
        case = stage.case or case
        part = _part(structure, there, held)
        previous = _renumbered(carried, {i: row for row, i in enumerate(sorted(there))})
        acting = _known(case, structure, part).with_carried(previous)
        result = engine.static(part, acting, settings)
        found.append(StageResult(name, part, result))
        if stop and result.verdict != "stable":
            break
        carried = _forces(result, sorted(there))
    return found


def _change(structure: Structure, stage: Stage, there: List[int], held: Set[int], name: str) -> None:
    """Apply a stage to the blocks that are there and to those that are held."""
    add, remove, support, release = (
        structure.indices(each) for each in (stage.add, stage.remove, stage.support, stage.release)
    )
    wrong = [structure.names[i] for i in add if i in there] + [structure.names[i] for i in remove if i not in there]
    if wrong:
        raise InputError("{} adds what is there, or removes what is not.".format(name.capitalize()), blocks=wrong)
    there[:] = [i for i in there + add if i not in remove]
    held |= set(support)
    held -= set(release)


def _part(structure: Structure, there: List[int], held: Set[int]) -> Structure:
    """Structure of the blocks that are there."""
    kept = sorted(there)
    blocks = [Block(**dict(structure.blocks[i].__data__, name=structure.names[i], support=i in held)) for i in kept]
    return Structure(blocks, structure.law, structure.name, **structure.options_of(kept))


def _known(case: LoadCase, structure: Structure, part: Structure) -> LoadCase:
    """The case with blocks by name, without the loads and cables of absent blocks."""
    known = set(part.names)

    def name_of(block: Any) -> Optional[str]:
        return None if block is None else structure.names[structure.index(block)]

    data = case.__data__
    loads = [dict(load, block=name_of(load["block"])) for load in data["loads"]]
    cables = [dict(each, blocks=[name_of(end) for end in each["blocks"]]) for each in data.get("cables", [])]
    data["loads"] = [load for load in loads if load["block"] in known]
    data["cables"] = [each for each in cables if set(each["blocks"]) - {None} <= known]
    return LoadCase.__from_data__(data)


def _forces(result: StaticResult, there: List[int]) -> Dict[str, np.ndarray]:
    """Forces of all contacts [N], with blocks by index in the whole structure."""
    of = np.repeat(np.arange(len(result.interface_body)), np.diff(result.contact_start))
    broken = np.zeros(len(of), np.uint8) if result.contact_broken is None else result.contact_broken
    return {
        "block": np.array(there)[result.interface_body[of]],
        "point": result.contact_point,
        "force": result.contact_force,
        "broken": broken,
    }


def _renumbered(carried: Optional[Dict[str, np.ndarray]], row: Dict[int, int]) -> Dict[str, np.ndarray]:
    """The same with blocks by their row, without the contacts of removed blocks. Empty in the first stage."""
    if carried is None:
        none = np.zeros((0, 3))
        return {"block": np.zeros((0, 2), np.int32), "point": none, "force": none, "broken": np.zeros(0, np.uint8)}
    kept = np.array([a in row and b in row for a, b in carried["block"].tolist()], bool)
    out = {key: value[kept] for key, value in carried.items()}
    block = [[row[a], row[b]] for a, b in out["block"].tolist()]
    return dict(out, block=np.array(block, np.int32).reshape(-1, 2))
