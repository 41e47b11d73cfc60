"""The verb `quasistatic`: how elements on springs follow a load that grows, and where it ends (docs/quasistatic.md)."""

from __future__ import annotations

import time

from nscd_engine.core.monitor import Monitor
from nscd_engine.gate.quasistatic import QuasistaticQuestion, read_quasistatic_question
from nscd_engine.gate.scene import read_scene
from nscd_engine.quasistatic.bagi_bojtar import BagiBojtar
from nscd_engine.quasistatic.contacts import spring_contacts
from nscd_engine.quasistatic.increments import Increments, Loading, Method
from nscd_engine.quasistatic.kishino import Kishino
from nscd_engine.quasistatic.reply import quasistatic_reply
from nscd_engine.quasistatic.serrano import Serrano
from nscd_engine.quasistatic.system import System
from nscd_engine.statics.prepare import prepare_rigid


def run(request: dict, monitor: Monitor) -> dict:
    """Answer the verb `quasistatic`."""
    monitor.report("reading")
    scene = read_scene(request)
    question = read_quasistatic_question(request, scene.model)
    model, detection, warnings, detect_s = prepare_rigid(scene, monitor)
    best = None
    for _ in range(scene.settings.repeat):
        start = time.perf_counter()
        springs = spring_contacts(model, detection, question)
        system = System(model, springs, question)
        method = make_method(system, question, monitor, scene.settings)
        outcome = Increments(system, method, Loading(model, question), question, monitor).run()
        spent = time.perf_counter() - start
        best = spent if best is None else min(best, spent)
    monitor.report("collecting results")
    reply = quasistatic_reply(model, detection, system, springs, outcome)
    told = {"time": {"detect_s": detect_s, "solve_s": best}, "warnings": warnings + springs.warnings}
    return dict(reply, method=question.method, **told)


def make_method(system: System, question: QuasistaticQuestion, monitor: Monitor, settings) -> Method:
    """The method that the question names."""
    if question.method == "kishino":
        return Kishino(system, question, monitor, settings.seed or 0)
    kind = Serrano if question.method == "serrano" else BagiBojtar
    return kind(system, question, monitor, settings.threads)
