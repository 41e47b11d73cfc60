"""Damaged messages: bytes and trees through the wire and the gate, and requests of every verb to a running engine."""

import copy
import time
import uuid

import numpy as np

from benchmarks.reliability.outcome import Outcome, Size
from benchmarks.reliability.requests import sound_requests
from compas_nscd import wire
from compas_nscd.client.engine import Engine
from compas_nscd.errors import EngineDiedError, EngineError, NscdError
from nscd_engine.gate.fc3d import read_problem
from nscd_engine.gate.limit import read_limit_question
from nscd_engine.gate.motion import read_options
from nscd_engine.gate.quasistatic import read_quasistatic_question
from nscd_engine.gate.scene import read_scene
from process_tools import resident_mb
from strategies import damage_bytes, damage_tree

#: Time after which an analysis of a damaged request is cancelled [s]: it may be a sound request for a long one.
ENOUGH_S = 2.0
#: Requests between two measurements of the memory [-].
MEMORY_EVERY = 20


def packed(size: Size, seed: int = 0) -> Outcome:
    """Damaged messages through `wire.unpack` and the gate."""
    outcome, rng = Outcome("packed messages", size.full), np.random.default_rng(seed)
    requests = [dict(body, verb=verb) for verb, body in sound_requests()]
    messages = [wire.pack(request) for request in requests]

    def attempt(k):
        which = k % len(requests)
        if k % 2:
            message = damage_bytes(messages[which], rng)
        else:
            message = wire.pack(damage_tree(requests[which], rng))
        _read(wire.unpack(message))

    outcome.attack(size, attempt)
    return outcome


def _read(request):
    """Everything of a request that the gate reads."""
    if not isinstance(request, dict) or "structure" not in request:
        problems = request.get("problems") if isinstance(request, dict) else None
        for problem in problems if isinstance(problems, list) else []:
            read_problem(problem)
        return
    scene = read_scene(request)
    if "motion" in request:
        read_options(request["motion"])
    if "limit" in request:
        read_limit_question(request, scene.model, scene.water)
    if "quasistatic" in request:
        read_quasistatic_question(request, scene.model)


def live(size: Size, seed: int = 1) -> Outcome:
    """Damaged requests of every verb to a running engine; an analysis that takes long is cancelled."""
    outcome, rng = Outcome("live messages, every verb", size.full), np.random.default_rng(seed)
    requests = sound_requests()
    with Engine(reuse=False) as engine:
        for verb, body in requests:  # kernels are loaded before the memory is measured
            _ask(engine, outcome, verb, _own(body))
        outcome.refused, outcome.worst_s = 0, 0.0
        for k in size.turns():
            verb, body = requests[k % len(requests)]
            _ask(engine, outcome, verb, _own(damage_tree(body, rng)))
            outcome.done += 1
            if k % MEMORY_EVERY == 0:
                outcome.note_memory(resident_mb(engine.info["pid"]))
    return outcome


def _own(body):
    """The request with a record of its own, if it is one of a motion."""
    motion = body.get("motion")
    if not isinstance(motion, dict) or "record" not in motion:
        return body
    return dict(body, motion=dict(copy.copy(motion), record=uuid.uuid4().hex))


def _ask(engine, outcome, verb, body):
    try:
        wire.pack(body)
    except NscdError:
        return  # the client refuses it
    try:
        reply = _timed(outcome, engine.request, verb, **{key: value for key, value in body.items() if key != "verb"})
        if "job" in reply:
            _finish(engine, outcome, reply["job"])
    except EngineDiedError:
        outcome.deaths += 1
    except EngineError as error:
        outcome.refused += 1
        if "fault of the program" in str(error) or "The engine failed" in str(error):
            outcome.note_fault(error)
    except NscdError:
        outcome.refused += 1


def _finish(engine, outcome, job):
    """Wait for a job, and cancel it when it takes long: the cancel has to be heard."""
    reply = engine.request("result", job=job, wait_s=ENOUGH_S)
    if "result" not in reply:
        _timed(outcome, engine.request, "cancel", job=job)
        _timed(outcome, engine.request, "result", job=job, wait_s=60.0)


def _timed(outcome, function, *arguments, **options):
    began = time.perf_counter()
    try:
        return function(*arguments, **options)
    finally:
        outcome.note_time(began)
