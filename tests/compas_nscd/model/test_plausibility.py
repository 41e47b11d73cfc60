"""Suspicious input: each mistake gets a warning that names it, and sound input none."""

import pytest

from analysed import analyse, box, stack
from compas_nscd import ContactLaw, LoadCase, Structure


def codes(structure):
    return [warning["code"] for warning in structure.warnings]


def column(density=2000.0, friction=0.6, scale=1.0):
    ground = box((-1, -1, -1), (2, 2, 0), density=2000.0, support=True)
    low = box((0, 0, 0), (1, 1, 1), density=density)
    high = box((0, 0, 1), (scale, scale, 1 + scale), density=2000.0)
    return Structure([ground, low, high], ContactLaw(friction))


def test_sound_input_has_no_warnings():
    assert codes(column()) == [] and analyse(stack()).warnings == []


@pytest.mark.parametrize(
    "changes, code, words",
    [
        ({"friction": 35.0}, "doubtful_friction", "35 degrees would be 0.70"),
        ({"density": 2.4}, "doubtful_density", "2.4 t/m3 would be 2400"),
        ({"density": 24000.0}, "doubtful_density", "24000"),
        ({"scale": 0.01}, "doubtful_weight", "factor"),
    ],
)
def test_doubtful_numbers(changes, code, words):
    structure = column(**changes)
    assert codes(structure) == [code] and words in structure.warnings[0]["message"]


def test_a_load_off_its_block():
    structure = column()
    case = LoadCase()
    case.add_point_load(1, (46.0, 0.5, 1.0), (0.0, 0.0, -1.0))
    found = [w for w in analyse(structure, case).warnings if w["code"] == "doubtful_load"]
    assert found[0]["blocks"] == ["1"] and "45 m" in found[0]["message"]
    case = LoadCase()
    case.add_point_load(1, (0.5, 0.5, 1.0), (0.0, 0.0, -1.0))
    assert analyse(structure, case).warnings == []


def test_two_blocks_in_the_same_place():
    blocks = column().blocks
    assert "same_place" in codes(Structure([*blocks, blocks[2]], ContactLaw(0.6)))


def test_parts_that_do_not_touch_and_supports_that_carry_nothing():
    far = [box((9, 0, -1), (10, 1, 0), density=2000.0, support=True), box((9, 0, 0), (10, 1, 1), density=2000.0)]
    result = analyse(Structure([*column().blocks, *far], ContactLaw(0.6)))
    assert [(w["code"], w["blocks"]) for w in result.warnings] == [("parts", ["3", "4"])]
    result = analyse(Structure([*column().blocks, far[0]], ContactLaw(0.6)))
    assert [(w["code"], w["blocks"]) for w in result.warnings] == [("idle_support", ["3"])]
