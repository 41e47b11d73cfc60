"""Construction in stages: blocks, supports and loads that come and go in order, forces carried over.

The joints of a stage go on from the forces of the one before: springs for which what has changed counts, and nothing
else. Rigid joints are taken for stiff ones of equal stiffness per area, which alone decides how forces spread. Blocks
are placed, and joints made, without force where the drawing has them.
"""

from typing import NamedTuple

import numpy as np

from compas_nscd.blocks.block import Block
from compas_nscd.errors import InputError
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.structure import Structure


class Stage:
    """What a stage changes, and what acts in it.

    Parameters
    ----------
    add, remove : list, optional
        Blocks of the whole structure that appear or vanish, by index, name or guid.
    support, release : list, optional
        Blocks that are held from now on, and supports that are not any more.
    case : LoadCase, optional
        What acts from now on; default: the one of the stage before, at first that of the structure.
    name : str, optional
    """

    def __init__(self, add=(), remove=(), support=(), release=(), case=None, name=None):
        self.add, self.remove, self.support, self.release = (list(each) for each in (add, remove, support, release))
        self.case, self.name = case, name


class StageResult(NamedTuple):
    """A stage, solved."""

    name: str
    structure: Structure  # what is there
    result: object  # StaticResult


def run_stages(engine, structure, stages, settings=None, stop=True):
    """Solve stages one after the other.

    Parameters
    ----------
    engine : Engine
        Or anything with its method `static`.
    structure : Structure
        Of all blocks that are ever there; supports as in the first stage in which they are.
    stages : list of Stage
        The first one adds the blocks that it begins with.
    settings : Settings, optional
    stop : bool, optional
        End with the first stage that collapses.

    Returns
    -------
    list of StageResult
    """
    there, held = [], {i for i, block in enumerate(structure.blocks) if block.support}
    case, carried, found = structure.case or LoadCase(), None, []
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


def _change(structure, stage, there, held, name):
    """Blocks that are there and those that are held after a stage; the lists are changed."""
    add, remove, support, release = (
        structure.indices(each) for each in (stage.add, stage.remove, stage.support, stage.release)
    )
    wrong = [structure.names[i] for i in add if i in there] + [structure.names[i] for i in remove if i not in there]
    if wrong:
        raise InputError("{} adds what is there, or removes what is not.".format(name.capitalize()), blocks=wrong)
    there[:] = [i for i in there + add if i not in remove]
    held |= set(support)
    held -= set(release)


def _part(structure, there, held):
    """The structure of the blocks that are there."""
    kept = sorted(there)
    blocks = [Block(**dict(structure.blocks[i].__data__, name=structure.names[i], support=i in held)) for i in kept]
    return Structure(blocks, structure.law, structure.name, **structure.options_of(kept))


def _known(case, structure, part):
    """The case with blocks by name, and without the loads and cables of blocks that are not there."""
    known = set(part.names)

    def name_of(block):
        return None if block is None else structure.names[structure.index(block)]

    data = case.__data__
    loads = [dict(load, block=name_of(load["block"])) for load in data["loads"]]
    cables = [dict(each, blocks=[name_of(end) for end in each["blocks"]]) for each in data.get("cables", [])]
    data["loads"] = [load for load in loads if load["block"] in known]
    data["cables"] = [each for each in cables if set(each["blocks"]) - {None} <= known]
    return LoadCase.__from_data__(data)


def _forces(result, there):
    """Forces of all contacts, with blocks by their index in the whole structure."""
    of = np.repeat(np.arange(len(result.interface_body)), np.diff(result.contact_start))
    broken = np.zeros(len(of), np.uint8) if result.contact_broken is None else result.contact_broken
    return {
        "block": np.array(there)[result.interface_body[of]],
        "point": result.contact_point,
        "force": result.contact_force,
        "broken": broken,
    }


def _renumbered(carried, row):
    """The same with blocks by their row; contacts of blocks that have gone are left out. Empty at first."""
    if carried is None:
        none = np.zeros((0, 3))
        return {"block": np.zeros((0, 2), np.int32), "point": none, "force": none, "broken": np.zeros(0, np.uint8)}
    kept = np.array([a in row and b in row for a, b in carried["block"].tolist()], bool)
    out = {key: value[kept] for key, value in carried.items()}
    block = [[row[a], row[b]] for a, b in out["block"].tolist()]
    return dict(out, block=np.array(block, np.int32).reshape(-1, 2))
