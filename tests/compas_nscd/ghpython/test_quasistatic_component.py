"""Quasi-static analyses on the canvas."""

import pytest

from compas_nscd import QuasistaticResult, templates

pytest_plugins = ["gh_fixtures"]


def test_an_arch_is_in_balance(rhino, live):
    component = live.add("Nscd_Quasistatic", structure=templates.arch(blocks=8), normal=1e10, tangential=4e9, steps=3)
    live.solve()
    assert rhino.idle(lambda: component["result"] is not None, 240.0), component.told  # kernels may have to compile
    result = component["result"]
    assert isinstance(result, QuasistaticResult) and component["verdict"] == "balance"
    assert len(component["displacements"]) == len(component["loads"]) == 4
    assert component["loads"][-1] == pytest.approx(1.0)
    assert len(component["components"].lists()) == len(result.contact_vector)
    assert component["info"][0] == "It is in balance"


def test_an_unknown_method_is_named(rhino, live):
    component = live.add("Nscd_Quasistatic", structure=templates.arch(blocks=8), method="newton")
    live.solve()
    assert rhino.idle(lambda: "newton" in str(component.told), 60.0), component.told
