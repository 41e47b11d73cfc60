"""What `nscd bench` measures, as functions of an Engine."""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np

from compas_nscd.client.engine import Engine
from compas_nscd.errors import CancelledError
from compas_nscd.model.settings import Settings
from compas_nscd.templates import wall

PEERS = ("lmgc90", "clarabel", "mujoco")
#: Longest time a peer is given on one scene [s].
PATIENCE = 300


def process(engine):
    """Round trips, start, and how the engine answers while it works. Keys end in their unit."""
    return {
        "round_trip_median_ms": 1e3 * median(_timed(engine.ping) for _ in range(1000)),
        "overhead_1000_blocks_ms": 1e3 * min(_overhead(engine) for _ in range(5)),
        "start_to_first_ping_s": min(_start(engine) for _ in range(3)),
        "ping_while_solving_ms": 1e3 * _ping_while_solving(engine),
        "cancel_s": _cancel(engine),
    }


def detection(engine, structure, repeat):
    """Best time of full contact detection in the engine."""
    replies = [engine.check(structure) for _ in range(repeat)]
    best = min(reply["time"]["detect_s"] for reply in replies)
    return {"blocks": replies[0]["blocks"], "contacts": replies[0]["contacts"], "detect_s": best}


def solution(engine, structure, repeat, solver="newton"):
    """Best time of a static solve in the engine, with how exact it is."""
    keys = ("blocks", "contacts", "iterations", "residual", "unbalanced_max", "verdict")
    summary = engine.static(structure, settings=Settings(solver=solver, repeat=repeat)).summary
    return dict({key: summary[key] for key in keys}, solve_s=summary["time"]["solve_s"])


def peers(engine, structure, repeat):
    """Other codes and ours on one structure: time, exactness, and how many times ours is faster."""
    result = engine.static(structure, settings=Settings(repeat=repeat))
    ours = result.summary
    rows = [{"code": "compas_nscd", "time_s": ours["time"]["solve_s"], "unbalanced_max": ours["unbalanced_max"]}]
    rows[0]["verdict"] = ours["verdict"]
    with tempfile.TemporaryDirectory() as folder:
        scene, contacts = Path(folder) / "scene.json", Path(folder) / "contacts.npz"
        scene.write_text(json.dumps(structure.to_scene()), encoding="utf-8")
        np.savez(contacts, **_contact_arrays(result))
        for name in PEERS:
            rows.append(peer(name, contacts if name == "clarabel" else scene))
    for row in rows:
        row["times_slower"] = row["time_s"] / ours["time"]["solve_s"] if row["time_s"] else None
    return rows


def _timed(call):
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def _overhead(engine):
    """Everything but detection and solve for 1,000 blocks: checks, packing, sending, unpacking, results ready."""
    structure = wall(40, 25)
    began = time.perf_counter()
    result = engine.static(structure)
    result.interfaces
    total = time.perf_counter() - began
    return total - result.summary["time"]["detect_s"] - result.summary["time"]["solve_s"]


def _start(engine):
    began = time.perf_counter()
    with Engine(python=engine.info["python"], reuse=False) as fresh:
        fresh.ping()
        return time.perf_counter() - began


def _ping_while_solving(engine):
    """Worst of the pings sent while 2,000 blocks are being solved [s]."""
    job = engine.static(wall(50, 40), settings=Settings(repeat=3), wait=False)
    worst = 0.0
    while not job.done:
        worst = max(worst, _timed(engine.ping))
        time.sleep(0.005)
    job.result()
    return worst


def _cancel(engine):
    """From asking to cancel a long solve to the job having ended [s]."""
    job = engine.static(wall(50, 40), settings=Settings(repeat=50), wait=False)
    time.sleep(0.5)
    began = time.perf_counter()
    job.cancel()
    try:
        job.result()
    except CancelledError:
        pass
    return time.perf_counter() - began


def _contact_arrays(result):
    """Contacts of a result for solvers of force problems: free bodies a, b; arms, frames, friction, loads."""
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


def peer(name, *arguments):
    """One row of another code, run in a process of its own because some end theirs."""
    command = [sys.executable, "-m", "compas_nscd.peers." + name, *map(str, arguments)]
    row = {"code": name, "time_s": None, "unbalanced_max": None, "verdict": None}
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, env=dict(os.environ))
    except subprocess.TimeoutExpired:
        return dict(row, verdict="over {} s".format(PATIENCE))
    if done.returncode != 0:
        missing = "No module named" in done.stderr
        return dict(row, verdict="not installed" if missing else "failed")
    return json.loads(done.stdout.strip().splitlines()[-1])
