"""First minute: analyses by new processes from an empty folder of compiled kernels on, and where time goes later."""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Dict, List, Sequence

from compas_nscd.cli.options.progress import Progress
from compas_nscd.files.scene_file import write_scene
from compas_nscd.templates import arch

#: First command of a user, the next ones, and what each asks for.
COMMANDS = {
    "static": ["static"],
    "limit": ["limit", "--vary", "acceleration:x"],
    "motion": ["dynamic", "--duration", "0.5"],
}


def first(repeat: int, progress: Progress) -> Dict[str, List[Dict[str, Any]]]:
    """Times of the first static analysis, limit analysis and motion of an arch, each by a new process [s].

    Returns
    -------
    dict
        first: one row for kernels that are compiled, one for those that come with the package if it has them: static_s,
        limit_s, motion_s one after the other from an empty folder; load over one minute before them. fresh: the static
        analysis by a new process when its kernels are compiled, best of `repeat`: total_s, of which imports_s of the
        command, read_s, engine_s until the engine answers, analysis_s; the rest, kernels_s, is for libraries and
        kernels.
    """
    tables: Dict[str, List[Dict[str, Any]]] = {"first": [], "fresh": []}
    for kernels, environment in _variants().items():
        with tempfile.TemporaryDirectory(prefix="nscd-first-") as folder:
            home = dict(os.environ, NSCD_HOME=folder, **environment)
            row: Dict[str, Any] = {"kernels": kernels, "load": _load()}
            row.update(_first(("static", "limit"), home, folder, progress))
            # Before the motion, which leaves a process behind that still compiles.
            runs = [_fresh(home, folder) for _ in range(repeat)]
            best = min(runs, key=lambda run: run["total_s"])
            tables["fresh"].append(dict({"kernels": kernels, "load": _load()}, **best))
            row.update(_first(("motion",), home, folder, progress))
            tables["first"].append(row)
    return tables


def _variants() -> Dict[str, Dict[str, str]]:
    """Origin of the kernels -> variables of the environment."""
    from llvmlite import binding

    from nscd_engine import shipped_kernels

    # A processor that is named is not the common one, so that the archives are left alone.
    rows = {"compiled": {"NUMBA_CPU_NAME": binding.get_host_cpu_name()}}
    if shipped_kernels.any_here():
        rows["shipped"] = {}
    return rows


def _first(names: Sequence[str], environment: Dict[str, str], folder: str, progress: Progress) -> Dict[str, float]:
    times = {}
    for name in names:
        progress.say("first {}".format(name))
        times[name + "_s"] = _run(name, environment, folder)[0]
    return times


def _fresh(environment: Dict[str, str], folder: str) -> Dict[str, float]:
    total, answer = _run("static", environment, folder)
    spent = answer["time"]
    parts = {
        "total_s": total,
        "imports_s": total - spent["total_s"],
        "read_s": spent["read_s"],
        "engine_s": spent["start_s"],
        "analysis_s": spent["detect_s"] + spent["solve_s"],
    }
    parts["kernels_s"] = 2.0 * total - sum(parts.values())
    return parts


def _run(name: str, environment: Dict[str, str], folder: str) -> Any:
    """Time of a command on an arch [s], and its answer."""
    scene = Path(folder) / "arch.json"
    if not scene.exists():
        write_scene(arch(span=10.0, thickness=0.75, blocks=20), scene)
    command, *options = COMMANDS[name]
    call = [sys.executable, "-m", "compas_nscd", command, str(scene), *options, "--json", "--quiet"]
    began = time.perf_counter()
    done = subprocess.run(call, stdout=subprocess.PIPE, env=environment, check=True)
    return time.perf_counter() - began, json.loads(done.stdout)


def _load() -> float:
    """Processes that ran or waited over the last minute [-]; 0 where the system does not tell."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
