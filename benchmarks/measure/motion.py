"""Motions that `nscd bench --only dynamic` measures: computing time over simulated time."""

import json
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Optional

from benchmarks.measure import other_codes
from compas_nscd.blocks.block import Block
from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.cli.options.progress import Progress
from compas_nscd.client.engine import Engine
from compas_nscd.loads.case import LoadCase
from compas_nscd.loads.ground_motion import GroundMotion
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure
from compas_nscd.templates import arena_bay, wall
from compas_nscd.templates.parts.shapes import box

G = 9.81
#: Amplitude [m/s2] and frequency [Hz] of the ground along x; the table starts at full speed.
SHAKING = (0.2 * G, 1.0)
#: Scene, time step [s], duration [s].
MOTIONS = (
    ("arch-semi-20", 1e-3, 2.0),
    ("wall-20x25", 5e-3, 0.5),
    ("spandrel", 5e-3, 6.0),
    ("spandrel", 1e-3, 6.0),
)
#: Large structures: how they are made, and amplitudes over gravity by axis [-] and frequency [Hz] of the ground, which
#: starts from rest. The bay is shaken as in examples/bohatier/arena_shaken.py.
LARGE = {
    "arena-bay": (arena_bay, {"x": 0.1, "y": 0.12, "z": 0.06}, 2.0),
    "wall-100x100": (lambda: wall(100, 100), {"x": 0.2}, 1.0),
}
#: Time step and duration of their motions [s].
LARGE_STEP_S, LARGE_S = 5e-3, 1.0
#: Steps before the measurement, which load compiled functions.
WARM_STEPS = 20
#: The same for large structures.
LARGE_WARM_STEPS = 2
#: Stacks of which one is pushed: their number, blocks of each, force over the weight of a block [-], duration [s].
STACKS, HIGH, PUSH, PUSHED_S = 200, 5, 2.0, 0.5
#: Of their blocks [kg/m3].
DENSITY = 2400.0
#: Scene, time step [s], steps of ours, steps of LMGC90: one of its steps takes a minute.
WITH_PEER = (("wall-20x25", 5e-3, 20, 1),)


def motions(engine: Engine, scenes: Dict[str, Structure], progress: Progress) -> List[Dict[str, Any]]:
    """One row for each of MOTIONS.

    Parameters
    ----------
    engine : Engine
        Warm.
    scenes : dict
        Name -> Structure; motions of other scenes are left out.
    progress : Progress
    """
    rows = []
    for name, h, duration in MOTIONS:
        if name in scenes:
            progress.say("motion of {} in steps of {:g} s".format(name, h))
            rows.append(dict({"scene": name}, **motion(engine, scenes[name], h, duration)))
    return rows


def large(engine: Engine, scene: Optional[str], progress: Progress) -> List[Dict[str, Any]]:
    """One row for each of LARGE, or for the one of that name."""
    rows = []
    for name, (make, shakes, frequency) in LARGE.items():
        if scene in (None, name):
            progress.say("motion of {}".format(name))
            ground = [GroundMotion.sine(axis, pga * G, frequency, phase=90.0) for axis, pga in shakes.items()]
            case = LoadCase(ground=ground)
            row = followed(engine, make(), case, LARGE_STEP_S, LARGE_S, LARGE_WARM_STEPS)
            rows.append(dict({"scene": name}, **row))
    return rows


def asleep(engine: Engine, progress: Progress) -> List[Dict[str, Any]]:
    """Stacks of which none, or one, is pushed: the others sleep. One row each."""
    progress.say("motion of {} stacks".format(STACKS))
    structure, rows = stacks(STACKS, HIGH), []
    for name, push in (("all rest", 0.0), ("one is pushed", PUSH * DENSITY * G)):
        case = LoadCase()
        case.add_point_load(HIGH, (0.5, 0.5, HIGH - 0.5), (push, 0.0, 0.0), history=([0.0, PUSHED_S], [1.0, 1.0]))
        row = followed(engine, structure, case, LARGE_STEP_S, PUSHED_S, LARGE_WARM_STEPS)
        rows.append(dict({"scene": "{} stacks, {}".format(STACKS, name)}, **row))
    return rows


def stacks(count: int, height: int) -> Structure:
    """Stacks of cubes of 1 m in a row on a slab, 1 m apart; blocks of stack k are 1 + k * height onwards."""
    slab = Block(*box((-1.0, -1.0, -1.0), (2.0 * count, 2.0, 0.0)), DENSITY, support=True)
    low = [(2.0 * k, 0.0, float(z)) for k in range(count) for z in range(height)]
    cubes = [Block(*box((x, y, z), (x + 1.0, y + 1.0, z + 1.0)), DENSITY) for x, y, z in low]
    return Structure([slab, *cubes], ContactLaw(0.6))


def motion(engine: Engine, structure: Structure, h: float, duration: float) -> Dict[str, Any]:
    """Follow a structure that is shaken by SHAKING in steps of h [s]."""
    case = LoadCase(structure.case.gravity if structure.case else (0.0, 0.0, -G), ground=[_shaking()])
    return followed(engine, structure, case, h, duration, WARM_STEPS)


def followed(
    engine: Engine, structure: Structure, case: LoadCase, h: float, duration: float, warm_steps: int
) -> Dict[str, Any]:
    """Follow a structure in steps of h [s]: real-time factor, iterations, penetration over the least block."""
    engine.dynamic(structure, case, warm_steps * h, h, Settings(), quiet=False).result()
    summary = engine.dynamic(structure, case, duration, h, Settings(), quiet=False).result().summary
    time = summary["time"]
    size = min(_size(block) for block in structure.blocks if not block.support)
    return {
        "step_s": h,
        "simulated_s": summary["simulated_s"],
        "per_step_ms": time["per_step_ms"],
        "real_time_factor": time["real_time_factor"],
        "detect_share": time["detect_s"] / time["total_s"],
        "iterations": summary["iterations_mean"],
        "sunk": summary["penetration_max"] / size,
        "verdict": summary["verdict"],
    }


def peers(engine: Engine, scenes: Dict[str, Structure], progress: Progress) -> List[Dict[str, Any]]:
    """LMGC90 and ours on the same shaken structures with the same step: time of a step."""
    rows: List[Dict[str, Any]] = []
    for name, h, our_steps, their_steps in WITH_PEER:
        if name in scenes:
            progress.say("motion of {} by lmgc90".format(name))
            ours = motion(engine, scenes[name], h, our_steps * h)
            rows.append({"scene": name, "code": "compas_nscd", "step_s": h, "per_step_ms": ours["per_step_ms"]})
            theirs = _lmgc90(scenes[name], h, their_steps)
            rows.append(dict({"scene": name, "code": "lmgc90", "step_s": h}, **theirs))
            for row in rows[-2:]:
                taken = row.get("per_step_ms")
                row["times_slower"] = taken / ours["per_step_ms"] if taken else None
    return rows


def _shaking():
    return GroundMotion.sine("x", *SHAKING)


def _size(block):
    low, high = block.vertices.min(axis=0), block.vertices.max(axis=0)
    return float(((high - low) ** 2).sum() ** 0.5)


def _lmgc90(structure, h, steps):
    with tempfile.TemporaryDirectory() as folder:
        scene = Path(folder) / "scene.json"
        scene.write_text(json.dumps(structure.to_scene()), encoding="utf-8")
        row = other_codes.row("lmgc90_motion", scene, h, steps, *SHAKING)
    return {"per_step_ms": 1e3 * row["time_s"] if row["time_s"] else None, "verdict": row["verdict"]}
