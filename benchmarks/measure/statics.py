"""Contact detection at rest and static solve of one structure."""

from typing import Any, Dict

from compas_nscd.client.engine import Engine
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure


def detection(engine: Engine, structure: Structure, repeat: int) -> Dict[str, Any]:
    """Best time of contact detection in the engine [s]."""
    replies = [engine.check(structure) for _ in range(repeat)]
    best = min(reply["time"]["detect_s"] for reply in replies)
    return {"blocks": replies[0]["blocks"], "contacts": replies[0]["contacts"], "detect_s": best}


def solution(engine: Engine, structure: Structure, repeat: int) -> Dict[str, Any]:
    """Best time of a static solve in the engine [s], with residual and unbalanced force."""
    keys = ("blocks", "contacts", "iterations", "residual", "unbalanced_max", "verdict")
    summary = engine.static(structure, settings=Settings(solver="newton", repeat=repeat)).summary
    return dict({key: summary[key] for key in keys}, solve_s=summary["time"]["solve_s"])
