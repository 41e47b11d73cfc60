"""The verb `limit`: how far a structure is from collapse, and how it would collapse (docs/limit.md)."""

from __future__ import annotations

import time

from nscd_engine.core.monitor import Monitor
from nscd_engine.gate.limit import read_limit_question
from nscd_engine.gate.scene import read_scene
from nscd_engine.limit.analysis import LimitAnalysis
from nscd_engine.statics.prepare import prepare_rigid


def run(request: dict, monitor: Monitor) -> dict:
    """Answer the verb `limit`."""
    monitor.report("reading")
    scene = read_scene(request)
    question = read_limit_question(request, scene.model, scene.water)
    model, detection, warnings, detect_s = prepare_rigid(scene, monitor)
    start = time.perf_counter()
    analysis = LimitAnalysis(model, detection, scene.cables, scene.settings, monitor)
    reply = analysis.answer(question)
    reply["time"] = {"detect_s": detect_s, "solve_s": time.perf_counter() - start}
    return dict(reply, kind=question.kind, warnings=warnings + analysis.warnings)
