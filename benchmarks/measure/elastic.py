"""Deformable blocks that `nscd bench --only elastic` measures: times, and their ratio to those of rigid blocks."""

from typing import Any, Dict, List, Optional, Tuple

from benchmarks.measure.detection import peak_memory
from benchmarks.measure.motion import motion
from compas_nscd.blocks.elastic import Elastic
from compas_nscd.cli.options.progress import Progress
from compas_nscd.client.engine import Engine
from compas_nscd.model.structure import Structure
from compas_nscd.templates import wall

#: Modulus [Pa] and Poisson's ratio of the blocks (Acary and Jean 1998).
STONE = {"young": 6e10, "poisson": 0.27}
#: Scene, elements, refinement, whether it is planar; None for rigid blocks. Rigid ones come first, for the ratio.
STATICS: Tuple[Tuple[str, Optional[str], int, bool], ...] = (
    ("arch-semi-20", None, 1, False),
    ("arch-semi-20", "uniform", 1, False),
    ("wall-10x10", None, 1, False),
    ("wall-10x10", "uniform", 1, False),
    ("wall-10x10", "h8", 1, False),
    ("wall-20x25", None, 1, False),
    ("wall-20x25", "h8", 1, False),
    ("arch-semi-20", None, 1, True),
    ("arch-semi-20", "t3", 2, True),
)
#: Walls (columns, courses) of one H8 a block whose memory is measured; the first tells what the engine itself needs.
WALLS = ((2, 2), (10, 10), (20, 20), (40, 20))
#: Time step and duration of the shaken planar arch [s].
STEP, DURATION = 1e-3, 0.2


def statics(engine: Engine, scenes: Dict[str, Structure], progress: Progress, repeat: int) -> List[Dict[str, Any]]:
    """One row for each of STATICS: least solver time of some runs, and how many times that of rigid blocks it is."""
    rows: List[Dict[str, Any]] = []
    rigid_s = float("nan")
    for name, elements, refine, planar in STATICS:
        if name not in scenes:
            continue
        progress.say("static {} {}".format(name, elements or "rigid"))
        row = _static(engine, _deformed(scenes[name], elements, refine, planar), repeat)
        rigid_s = row["solve_s"] if elements is None else rigid_s
        what = {"scene": name + (" planar" if planar else ""), "elements": elements or "rigid"}
        rows.append(dict(what, **row, ratio=row["solve_s"] / rigid_s))
    return rows


def steps(engine: Engine, scenes: Dict[str, Structure], progress: Progress) -> List[Dict[str, Any]]:
    """Time of a step of the shaken planar arch of rigid blocks, of uniform strain, and of eight triangles a block."""
    rows = []
    for elements, refine in ((None, 1), ("uniform", 1), ("t3", 2)):
        if "arch-semi-20" in scenes:
            progress.say("motion of an arch, {}".format(elements or "rigid"))
            structure = _deformed(scenes["arch-semi-20"], elements, refine, True)
            rows.append(dict({"elements": elements or "rigid"}, **motion(engine, structure, STEP, DURATION)))
    return rows


def memory(progress: Progress) -> List[Dict[str, Any]]:
    """Peak memory of engines of their own that solve walls of growing size, and its growth per unknown."""
    rows: List[Dict[str, Any]] = []
    for columns, courses in WALLS:
        structure = _deformed(wall(columns, courses), "h8", 1, False)
        progress.say("memory of {} blocks".format(len(structure.blocks)))
        with Engine() as engine:
            told = engine.static(structure).summary["elastic"]
            row = {"unknowns": told["unknowns"], "peak_mb": peak_memory(engine.info["pid"]), "kb_per_unknown": None}
        if rows and row["peak_mb"] is not None:
            more, since = row["peak_mb"] - rows[0]["peak_mb"], row["unknowns"] - rows[0]["unknowns"]
            row["kb_per_unknown"] = 1024.0 * more / since
        rows.append(row)
    return rows


def _deformed(structure: Structure, elements: Optional[str], refine: int, planar: bool) -> Structure:
    """A copy whose blocks deform."""
    copy = Structure(structure.blocks, structure.law, structure.name, planar="y" if planar else None)
    copy.deform(None if elements is None else Elastic(elements=elements, refine=refine, **STONE))
    return copy


def _static(engine: Engine, structure: Structure, repeat: int) -> Dict[str, Any]:
    summaries = [engine.static(structure).summary for _ in range(max(repeat, 2))]
    told = summaries[-1]["elastic"]
    unknowns = told["unknowns"] if told else None
    solve_s = min(each["time"]["solve_s"] for each in summaries)
    return {"verdict": summaries[-1]["verdict"], "unknowns": unknowns, "solve_s": solve_s}
