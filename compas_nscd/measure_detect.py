"""What `nscd bench` measures of contact detection beyond single scenes: growth, memory, its share of a step at rest."""

import math

from compas_nscd.templates import wall

#: Walls in running bond (columns, courses), from about 500 to 20,000 blocks.
WALLS = ((25, 20), (50, 40), (100, 50), (160, 124))
#: Steps of a motion at rest, fewer of so many blocks, and their length [s].
STEPS, FEW, MANY, STEP_S = 40, 4, 10000, 5e-3
#: Runs of which the best counts.
REPEAT = 3


def growth(engine, repeat, progress):
    """Detection of walls of growing size: time, peak memory of the engine, exponent of the growth since the first."""
    rows = []
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


def resting(engine, scenes, progress):
    """Detection beside the solve in a motion in which nothing moves; scenes {name: structure}.

    The first step, in which all is found and solved for the first time, stands apart from the mean of the others. With
    very many blocks it takes so much longer to solve that the solve of the others is lost in its scatter: it is None.
    """
    rows = []
    for name, structure in scenes.items():
        progress.say("at rest {}".format(name))
        steps = STEPS if len(structure.blocks) < MANY else FEW
        _follow(engine, structure, 1)  # loads what has not been used yet, which is no part of a step
        repeat = REPEAT if steps == STEPS else 1
        first, whole = ([_follow(engine, structure, count) for _ in range(repeat)] for count in (1, 1 + steps))
        detect_1, solve_1 = (1e3 * min(run["time"][key] for run in first) for key in ("detect_s", "solve_s"))
        detect, solve = (1e3 * min(run["time"][key] for run in whole) for key in ("detect_s", "solve_s"))
        detect, solve = (detect - detect_1) / steps, (solve - solve_1) / steps
        row = {"blocks": whole[0]["blocks"], "contacts": whole[0]["contacts_max"]}
        row.update(detect_ms=detect, solve_ms=solve, share=detect / solve)
        if steps == FEW:
            row.update(solve_ms=None, share=None)
        row.update(first_detect_ms=detect_1, first_solve_ms=solve_1)
        rows.append(dict(row, peak_mb=peak_memory(engine.info["pid"]), scene=name))
    return rows


def _follow(engine, structure, steps):
    """Summary of some steps at rest."""
    return engine.dynamic(structure, duration=steps * STEP_S, time_step=STEP_S, quiet=False).result().summary


def peak_memory(pid):
    """Greatest memory [MB] that a process has had so far; None where the system does not tell."""
    try:
        with open("/proc/{}/status".format(pid), encoding="ascii") as lines:
            found = [line.split()[1] for line in lines if line.startswith("VmHWM")]
    except OSError:
        return None
    return int(found[0]) / 1024.0 if found else None
