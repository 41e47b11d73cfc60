"""What a study varies arrives in structure and loads; what does not exist is refused by name."""

import numpy as np
import pytest

from analysed import analyse
from compas_nscd import Block, Cable, ContactLaw, LoadCase, Structure, templates
from compas_nscd.errors import InputError
from compas_nscd.studies.imperfections import imperfect
from compas_nscd.studies.parameters import Source, load_case


@pytest.fixture
def stack():
    return templates.stack()


def test_template_parameters_are_those_of_the_template():
    source = Source("arch", {"blocks": 7})
    assert len(source.structure({"thickness": 0.5})) == 9
    assert source.structure({"friction": 0.3}).law.friction == 0.3


def test_a_function_is_a_template():
    assert len(Source(lambda count: templates.stack(blocks=count)).structure({"count": 4})) == 5


@pytest.mark.parametrize("name", ["thicknes", "law.colour", "cable.length", "tilt", "load.", "settlement"])
def test_a_parameter_that_does_not_exist_is_named(name):
    with pytest.raises(InputError, match="no "):
        Source("arch").check(name)
    with pytest.raises(InputError, match="There is no parameter 'colour'"):
        Source("arch", {"colour": 1})


def test_friction_density_scale_and_laws_of_a_structure(stack):
    stack.set_law((0, 1), ContactLaw(0.9))
    values = {"friction": 0.25, "density": 1800.0, "scale": 2.0, "law.kind": "mohr_coulomb", "law.cohesion": 1e4}
    height = max(block.vertices[:, 2].max() for block in stack.blocks)
    found = Source(stack).structure(values)
    assert found.law.kind == "mohr_coulomb" and found.law.cohesion == 1e4 and found.law.friction == 0.25
    assert found.pair_laws[0, 1].friction == 0.25
    assert {block.density for block in found.blocks} == {1800.0}
    assert max(block.vertices[:, 2].max() for block in found.blocks) == pytest.approx(2.0 * height)


@pytest.mark.parametrize("values", [{"density": -1.0}, {"scale": 0.0}, {"noise": "a"}, {"density": True}])
def test_values_out_of_range_are_refused(stack, values):
    with pytest.raises(InputError, match="cannot be"):
        Source(stack).structure(values)


def test_loads_cables_and_settlements(stack):
    case = LoadCase(cables=[Cable((1, None), ((0, 0, 0.5), (3, 0, 0.5)), strength=100.0)])
    case.add_point_load(1, (0, 0, 0.5), (10.0, 0.0, 0.0))
    found = load_case(stack, case, {"load": 2.0, "load.0": 3.0, "cable.strength": 50.0, "settlement.0": 0.1})
    assert found.loads[0].force == (60.0, 0.0, 0.0) and found.cables[0].strength == 50.0
    assert found.support_motions[0].displacement == pytest.approx((0.0, 0.0, -0.1))
    assert case.loads[0].force == (10.0, 0.0, 0.0)  # that of the study is not changed
    for name in ("load.1", "load.x"):
        with pytest.raises(InputError, match="no point load"):
            load_case(stack, case, {name: 1.0})
    with pytest.raises(InputError, match="no cables"):
        load_case(stack, LoadCase(), {"cable.strength": 1.0})


def test_imperfect_joints_still_touch_and_follow_the_seed():
    arch = templates.arch(blocks=9)
    a, b, c = (imperfect(arch, 0.005, seed) for seed in (1, 1, 2))
    assert a == b and a != c
    moved = np.concatenate([x.vertices - y.vertices for x, y in zip(a.blocks, arch.blocks)])
    assert 0.002 < moved.std() < 0.01
    assert analyse(a).summary["interfaces"] == analyse(arch).summary["interfaces"] == 10
    with pytest.raises(InputError, match="no joints"):
        imperfect(Structure([Block.sphere((0, 0, 0), 1.0, 2000.0)], ContactLaw(0.5)), 0.01, 0)
