"""Limit analyses that `nscd bench --only limit` measures."""

from typing import Any, Dict

from compas_nscd.client.engine import Engine
from compas_nscd.model.structure import Structure
from compas_nscd.templates import arch


def limits(engine: Engine, structure: Structure, repeat: int) -> Dict[str, Any]:
    """Best time of the greatest horizontal acceleration with associated friction [s]."""
    runs = [engine.limit(structure, vary="acceleration:x", coulomb=False) for _ in range(repeat)]
    summary = runs[0].summary
    return {
        "vary": summary["vary"],
        "blocks": summary["blocks"],
        "contacts": summary["contacts"],
        "iterations": summary["iterations"],
        "multiplier": summary["multiplier_associated"],
        "solve_s": min(run.summary["time"]["solve_s"] for run in runs),
    }


def polar(engine: Engine, repeat: int) -> Dict[str, Any]:
    """Best time of a polar diagram of 24 directions of an arch of 60 blocks [s]."""
    structure = arch(span=10.0, thickness=0.75, blocks=60)
    runs = [engine.limit(structure, vary="polar:24").summary for _ in range(repeat)]
    row = {key: runs[0][key] for key in ("vary", "blocks", "contacts", "iterations")}
    best = min(run["time"]["solve_s"] for run in runs)
    return dict(row, multiplier=runs[0]["multiplier_associated"], solve_s=best, scene="arch-60")
