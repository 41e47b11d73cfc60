"""Other codes on the structures of ours, each in a process of its own because some end theirs."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, List

import numpy as np

from compas_nscd.client.engine import Engine
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure
from compas_nscd.results.static import StaticResult

#: Modules of benchmarks/peers that solve a static problem.
STATIC = ("lmgc90", "clarabel", "mujoco", "bullet")
#: Longest time of another code on one scene [s]. Larger: `nscd bench --peers` takes longer where a code does not end.
TIME_LIMIT = 300
ROOT = Path(__file__).resolve().parents[2]


def static(engine: Engine, structure: Structure, repeat: int) -> List[Dict[str, Any]]:
    """One row a code: time, unbalanced force, how far blocks sink (engines of games), and its time over ours."""
    result = engine.static(structure, settings=Settings(repeat=repeat))
    ours = result.summary
    rows = [{"code": "compas_nscd", "time_s": ours["time"]["solve_s"], "unbalanced_max": ours["unbalanced_max"]}]
    rows[0].update(verdict=ours["verdict"], sunk_mm=None)  # contacts are rigid
    with tempfile.TemporaryDirectory() as folder:
        scene, contacts = Path(folder) / "scene.json", Path(folder) / "contacts.npz"
        scene.write_text(json.dumps(structure.to_scene()), encoding="utf-8")
        np.savez(contacts, **_contact_arrays(result))
        for name in STATIC:
            rows.append(row(name, contacts if name == "clarabel" else scene))
    for each in rows:
        each["times_slower"] = each["time_s"] / ours["time"]["solve_s"] if each["time_s"] else None
    return rows


def row(name: str, *arguments: Any) -> Dict[str, Any]:
    """Row of the module `name` of benchmarks/peers: code, time_s, unbalanced_max, verdict.

    A code that is not installed, fails or exceeds TIME_LIMIT has no time, and its verdict says why.
    """
    command = [sys.executable, "-m", "benchmarks.peers." + name, *map(str, arguments)]
    empty = {"code": name, "time_s": None, "unbalanced_max": None, "verdict": None}
    try:
        done = subprocess.run(command, cwd=str(ROOT), capture_output=True, text=True, timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        return dict(empty, verdict="over {} s".format(TIME_LIMIT))
    if done.returncode != 0:
        missing = "No module named" in done.stderr
        return dict(empty, verdict="not installed" if missing else "failed")
    return json.loads(done.stdout.strip().splitlines()[-1])


def _contact_arrays(result: StaticResult) -> Dict[str, np.ndarray]:
    """Contacts of a result for a solver of the force problem.

    Returns
    -------
    dict
        body (C, 2), indices of free bodies, -1 for supports; arm [m] (C, 2, 3); frame (C, 3, 3), rows normal, tangent,
        tangent; friction (C,); load [N, N m] (F, 6).
    """
    structure = result.structure
    free = np.full(len(structure.blocks), -1)
    held = np.array([block.support for block in structure.blocks], bool)
    free[~held] = np.arange((~held).sum())
    joint = np.repeat(np.arange(len(result.interface_body)), np.diff(result.contact_start))
    normal, body = result.interface_normal[joint], result.interface_body[joint]
    helper = np.where(np.abs(normal[:, 2:]) < 0.9, [[0.0, 0.0, 1.0]], [[1.0, 0.0, 0.0]])
    first = np.cross(normal, helper)
    first /= np.linalg.norm(first, axis=1)[:, None]
    load = np.zeros(((~held).sum(), 6))
    load[:, 2] = -9.81 * result.mass[~held]
    return {
        "body": free[body],
        "arm": result.contact_point[:, None] - result.centroid[body],
        "frame": np.stack([normal, first, np.cross(normal, first)], axis=1),
        "friction": np.full(len(joint), structure.law.friction),
        "load": load,
    }
