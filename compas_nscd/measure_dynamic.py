"""Motions that `nscd bench --only dynamic` measures: how much slower or faster than the event itself."""

import json
import tempfile
from pathlib import Path

from compas_nscd import measure
from compas_nscd.loads.case import LoadCase
from compas_nscd.loads.ground_motion import GroundMotion
from compas_nscd.model.settings import Settings

G = 9.81
#: Amplitude [m/s2] and frequency [Hz] of the ground, along x, as a table that is switched on.
SHAKING = (0.2 * G, 1.0)
#: Scene, time step [s], duration [s].
MOTIONS = (
    ("arch-semi-20", 1e-3, 2.0),
    ("wall-20x25", 5e-3, 0.5),
    ("spandrel", 5e-3, 6.0),
    ("spandrel", 1e-3, 6.0),
)
#: Steps that load what has not been used yet, which is no part of a motion.
WARM_STEPS = 20
#: Scene, time step [s], and number of steps for us and for the other code, which takes a minute for one.
WITH_PEER = (("wall-20x25", 5e-3, 20, 1),)


def motions(engine, scenes, progress):
    """One row per motion.

    Parameters
    ----------
    engine : Engine
        Warm.
    scenes : dict
        Name -> Structure; motions of others are left out.
    progress : Progress
    """
    rows = []
    for name, h, duration in MOTIONS:
        if name in scenes:
            progress.say("motion of {} in steps of {:g} s".format(name, h))
            rows.append(dict({"scene": name}, **motion(engine, scenes[name], h, duration)))
    return rows


def motion(engine, structure, h, duration):
    """Follow a shaken structure: seconds for a second, and how well blocks keep out of each other."""
    case = LoadCase(structure.case.gravity if structure.case else (0.0, 0.0, -G), ground=[_shaking()])
    engine.dynamic(structure, case, WARM_STEPS * h, h, Settings(), quiet=False).result()
    summary = engine.dynamic(structure, case, duration, h, Settings(), quiet=False).result().summary
    time = summary["time"]
    size = min(_size(block) for block in structure.blocks if not block.support)
    return {
        "step_s": h,
        "simulated_s": summary["simulated_s"],
        "per_step_ms": time["per_step_ms"],
        "real_time_factor": time["real_time_factor"],
        "iterations": summary["iterations_mean"],
        "sunk": summary["penetration_max"] / size,
        "verdict": summary["verdict"],
    }


def peers(engine, scenes, progress):
    """LMGC90 and ours on the same shaken structures with the same step: time of a step."""
    rows = []
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
        row = measure.peer("lmgc90_motion", scene, h, steps, *SHAKING)
    return {"per_step_ms": 1e3 * row["time_s"] if row["time_s"] else None, "verdict": row["verdict"]}
