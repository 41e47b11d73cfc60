"""Contact detection of growing walls, its memory, and its share of a step at rest."""

import math
from typing import Any, Dict, List, Optional

from compas_nscd.cli.options.progress import Progress
from compas_nscd.client.engine import Engine
from compas_nscd.model.structure import Structure
from compas_nscd.templates import wall

#: Walls in running bond (columns, courses), from about 500 to 20,000 blocks.
WALLS = ((25, 20), (50, 40), (100, 50), (160, 124))
#: Number of blocks from which a structure counts as large: fewer steps are followed.
LARGE = 10000
#: Steps of a motion at rest. Fewer: the scatter of the first step hides the others.
STEPS = 40
#: Steps of a motion at rest of a large structure.
LARGE_STEPS = 4
#: Length of a step [s].
STEP_S = 5e-3
#: Runs, of which the best counts; one of a large structure.
REPEAT = 3


def growth(engine: Engine, repeat: int, progress: Progress) -> List[Dict[str, Any]]:
    """Detection of walls of growing size: time, peak memory of the engine, exponent of the growth since the first."""
    rows: List[Dict[str, Any]] = []
    for columns, courses in WALLS:
        structure = wall(columns, courses)
        progress.say("detect {} blocks".format(len(structure.blocks)))
        replies = [engine.check(structure) for _ in range(repeat)]
        row = {"blocks": replies[0]["blocks"], "contacts": replies[0]["contacts"]}
        row["detect_s"] = min(reply["time"]["detect_s"] for reply in replies)
        row["exponent"] = None
        if rows:
            first = rows[0]
            row["exponent"] = math.log(row["detect_s"] / first["detect_s"]) / math.log(row["blocks"] / first["blocks"])
        row["peak_mb"] = peak_memory(engine.info["pid"])
        rows.append(row)
    return rows


def resting(engine: Engine, scenes: Dict[str, Structure], progress: Progress) -> List[Dict[str, Any]]:
    """Detection and solve of the steps of a motion at rest, and the share of detection in the whole step.

    Parameters
    ----------
    engine : Engine
    scenes : dict
        Name -> Structure.
    progress : Progress

    Returns
    -------
    list of dict
        One row a scene [ms]. The first step, which detects and solves without a warm start, is listed apart from the
        mean of the others. For a large structure the solve of the others is None: it is smaller than the scatter of
        the first step.
    """
    rows = []
    for name, structure in scenes.items():
        progress.say("at rest {}".format(name))
        large = len(structure.blocks) >= LARGE
        steps, repeat = (LARGE_STEPS, 1) if large else (STEPS, REPEAT)
        _follow(engine, structure, 1)  # loads compiled functions, which is no part of a step
        first, whole = ([_follow(engine, structure, count) for _ in range(repeat)] for count in (1, 1 + steps))
        clocks = "detect_s", "solve_s", "total_s"
        detect_1, solve_1, step_1 = (1e3 * min(run["time"][key] for run in first) for key in clocks)
        detect, solve, step = (1e3 * min(run["time"][key] for run in whole) for key in clocks)
        detect, solve, step = (detect - detect_1) / steps, (solve - solve_1) / steps, (step - step_1) / steps
        row = {"blocks": whole[0]["blocks"], "contacts": whole[0]["contacts_max"]}
        row.update(detect_ms=detect, solve_ms=None if large else solve, share=None if large else detect / step)
        row.update(first_detect_ms=detect_1, first_solve_ms=solve_1)
        rows.append(dict(row, peak_mb=peak_memory(engine.info["pid"]), scene=name))
    return rows


def _follow(engine, structure, steps):
    """Summary of some steps at rest."""
    return engine.dynamic(structure, duration=steps * STEP_S, time_step=STEP_S, quiet=False).result().summary


def peak_memory(pid: int) -> Optional[float]:
    """Peak memory of a process [MB]; None where the system does not record it."""
    try:
        with open("/proc/{}/status".format(pid), encoding="ascii") as lines:
            found = [line.split()[1] for line in lines if line.startswith("VmHWM")]
    except OSError:
        return None
    return int(found[0]) / 1024.0 if found else None
