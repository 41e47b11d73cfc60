"""One request class an analysis: what is sent, its digest, and what the reply becomes."""

import numpy as np
import pytest

from compas_nscd import LoadCase, Settings, templates, wire
from compas_nscd.client import requests
from compas_nscd.client.dynamic_request import DynamicRequest
from compas_nscd.client.engine import Engine
from compas_nscd.client.force_range_request import ForceRangeRequest
from compas_nscd.client.job import Job
from compas_nscd.client.limit_request import LimitRequest
from compas_nscd.client.requests import CheckRequest, Request, StaticRequest


@pytest.fixture
def arch():
    return templates.arch(blocks=5)


def dynamic(structure, case=None, **options):
    return DynamicRequest(structure, case, 0.1, 1e-3, **options)


KINDS = {
    "static": StaticRequest,
    "check": CheckRequest,
    "limit": lambda structure: LimitRequest(structure, vary="friction"),
    "force_range": ForceRangeRequest,
    "dynamic": dynamic,
}


@pytest.mark.short
@pytest.mark.parametrize("verb", KINDS)
def test_a_request_has_verb_body_and_message(arch, verb):
    request = KINDS[verb](arch)
    assert request.verb == verb
    message = wire.unpack(request.packed)
    assert message.pop("verb") == verb and set(message) == set(request.body)
    assert {"structure", "case", "settings"} <= set(message)


@pytest.mark.short
@pytest.mark.parametrize("verb", KINDS)
def test_the_digest_is_that_of_the_question(arch, verb):
    make = KINDS[verb]
    assert make(arch).digest == make(arch.copy()).digest
    assert make(arch).digest != make(templates.arch(blocks=6)).digest
    assert len({KINDS[other](arch).digest for other in KINDS}) == len(KINDS)


def test_what_is_chosen_is_part_of_the_digest(arch):
    assert StaticRequest(arch).digest != StaticRequest(arch, LoadCase(gravity=(0, 0, -1.0))).digest
    assert StaticRequest(arch).digest != StaticRequest(arch, settings=Settings(tolerance=1e-6)).digest
    assert dynamic(arch).digest != dynamic(arch, theta=0.5).digest


def test_two_texts_for_one_direction_are_two_questions(arch):
    """The message is the same, but the result quotes the text."""
    x, angle = (LimitRequest(arch, vary="acceleration:" + text) for text in ("x", "0"))
    assert x.packed == angle.packed and x.digest != angle.digest


def test_every_motion_has_a_record_of_its_own_and_other_requests_none(arch):
    first, second = dynamic(arch), dynamic(arch)
    assert first.record == first.body["motion"]["record"] != second.record
    assert first.digest == second.digest
    assert StaticRequest(arch).record is None


class Channel:
    """Answers with jobs that are done at once."""

    def __init__(self, reply):
        self.reply, self.sent = reply, []

    def request(self, message):
        self.sent.append(wire.unpack(message) if isinstance(message, bytes) else message)
        if self.sent[-1]["verb"] == "result":
            return {"state": "done", "phase": "", "fraction": 1.0, "elapsed_s": 0.0, "result": self.reply}
        return {"job": 7}


@pytest.fixture
def engine(monkeypatch):
    engine = Engine()
    monkeypatch.setattr(engine, "_connection", lambda: channel)
    channel = engine.channel = Channel({"answer": 42})
    return engine


def test_a_verb_and_a_body_are_a_request_too(engine):
    job = engine.submit("echo", {"value": 1})
    assert isinstance(job, Job) and (job.id, job.verb, job.record) == (7, "echo", None)
    assert engine.channel.sent == [{"verb": "echo", "value": 1}]
    assert job.result() == {"answer": 42}


def test_the_request_makes_the_result(engine):
    class Doubled(Request):
        def result(self, reply):
            return 2 * reply["answer"]

    assert engine.submit(Doubled("echo")).result() == 84


def test_a_large_body_is_packed_once(engine, monkeypatch):
    packed = []
    pack = wire.pack
    monkeypatch.setattr(requests.wire, "pack", lambda body: packed.append(body["verb"]) or pack(body))
    request = Request("echo", {"value": np.zeros(1000)})
    assert request.digest == request.digest
    engine.submit(request)
    engine.submit(request)
    assert packed == ["echo"]


def test_a_check_lists_the_defects_of_blocks_that_are_not_sent(arch):
    broken = templates.arch(blocks=5)
    broken.blocks[2].faces.pop()
    request = CheckRequest(broken)
    assert len(request.body["structure"]["names"]) == len(broken) - 1
    result = request.result({"warnings": [], "interfaces": 0})
    assert result["blocks"] == len(broken) and result["open"] == [broken.names[2]]
