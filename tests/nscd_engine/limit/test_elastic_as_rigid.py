"""Analyses of rigid blocks say so where blocks are deformable, and find the same as without elasticity."""

import pytest

from analysed import stack
from compas_nscd import ContactStiffness, Elastic, wire
from compas_nscd.client.quasistatic_request import QuasistaticRequest
from compas_nscd.client.requests import CheckRequest
from limits import ask, ranges
from nscd_engine.check import run as check
from nscd_engine.core.monitor import Monitor
from nscd_engine.quasistatic import run as quasistatic


def answer(request, verb):
    return request.result(wire.unpack(wire.pack(verb.run(wire.unpack(request.packed), Monitor()))))


def told(warnings):
    return [each["blocks"] for each in warnings if each["code"] == "elastic_as_rigid"]


ANALYSES = {
    "limit": lambda s: ask(s, "acceleration:x", coulomb=False).warnings,
    "force_range": lambda s: ranges(s).warnings,
    "check": lambda s: answer(CheckRequest(s), check)["warnings"],
    "quasistatic": lambda s: answer(QuasistaticRequest(s, stiffness=ContactStiffness(1e9, 1e9)), quasistatic).warnings,
}


@pytest.mark.parametrize("analysis", list(ANALYSES))
def test_deformable_blocks_are_taken_for_rigid_ones_with_a_warning(analysis):
    structure = stack(2)
    assert told(ANALYSES[analysis](structure)) == []
    structure.deform(Elastic(6e10, elements="h8"))
    assert told(ANALYSES[analysis](structure)) == [["s0", "s1"]]


def test_the_limit_does_not_depend_on_the_elasticity():
    rigid, soft = stack(2), stack(2)
    soft.deform(Elastic(1e6))
    found = [ask(each, "acceleration:x", coulomb=False).summary["multiplier_associated"] for each in (rigid, soft)]
    assert found[0] == found[1]
