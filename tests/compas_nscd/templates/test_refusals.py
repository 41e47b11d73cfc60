"""Impossible parameters are refused with the range that is allowed."""

import inspect
import re

import numpy as np
import pytest

from compas_nscd import templates
from compas_nscd.errors import InputError, NscdError
from compas_nscd.templates.parts import limits
from template_checks import require_sound

REFUSED = [
    ("arch", dict(span=-1.0), "span is -1.0; it must be at least 0.001 and at most 1000."),
    ("arch", dict(blocks=0), "blocks is 0; it must be a whole number from 2 to 100000."),
    ("arch", dict(blocks=7.5), "whole number"),
    ("arch", dict(rise=6.0), "rise is 6.0; it must be at least 0.001 and at most 5."),
    ("arch", dict(rise=0.0), "rise is 0.0; it must be at least 0.001 and at most 5."),
    ("arch", dict(thickness=10.0), "thickness is 10.0; it must be at least 0.001 and under 10."),
    ("arch", dict(thickness=float("nan")), "thickness"),
    ("arch", dict(shape="pointed", rise=4.0), "rise is 4.0; it must be over 5 and at most 1000."),
    ("arch", dict(shape="basket", rise=1.0), "rise is 1.0; it must be over 1.33975 and under 5."),
    ("arch", dict(shape="elliptical", rise=2.0, thickness=2.0), "under 1.6"),
    ("arch", dict(shape="gothic"), "one of circular, pointed, elliptical, basket, catenary"),
    ("arch", dict(joints="level"), "one of radial, vertical"),
    ("arch", dict(shape="pointed", blocks=200), "must be fewer"),
    ("wall", dict(columns=0), "from 1 to 100000"),
    ("wall", dict(gap=6.0), "at least 0 and at most 5"),
    ("wall", dict(openings=[(0, 0, 1, 1)]), "columns from 0.5 to 9.5"),
    ("wall", dict(openings=[(1, 0, 1.25, 1)]), "steps of 0.5"),
    ("wall", dict(openings=[(1, 0, 2, 2), (2, 1, 2, 2)]), "meet"),
    ("wall", dict(openings=["door"]), "(column, course, columns, courses)"),
    ("pattern_wall", dict(pattern="1 1 / 1 1 1"), "these are 2, 3"),
    ("pattern_wall", dict(pattern="one"), "numbers"),
    ("pattern_wall", dict(pattern="1 0 1"), "the length of a block is 0.0; it must be at least 0.001 and"),
    ("dome", dict(thickness=10.0), "under 10"),
    ("dome", dict(oculus=0.0), "at least 0.001 and under 90"),
    ("dome", dict(rise=3.0), "at least 5"),
    ("dome", dict(rise=10.0, oculus=1.0), "under 90"),
    ("dome", dict(sectors=2), "from 3 to"),
    ("cylinder", dict(thickness=2.6), "under 2.6"),
    ("cylinder", dict(opening=3.0), "under 2.57776"),
    ("cupola", dict(oculus=8.0), "under 8"),
    ("cupola", dict(pillars=2), "from 3 to"),
    ("groin_vault", dict(courses=10), "odd"),
    ("barrel_vault", dict(blocks=0), "from 1 to"),
    ("column", dict(taper=1.5), "at least 0.01 and at most 1"),
    ("flat_arch", dict(centre=0.0), "at least 0.001"),
    ("corbelled_arch", dict(shoulder=0.5), "at least 0.8"),
    ("buttressed_arch", dict(pier=0.5), "at least 0.8"),
    ("buttressed_arch", dict(foot=1.0), "at least 2.2"),
    ("spandrel_wall", dict(width=8.0), "width is 8.0; it must be over 8.8 and at most 1000."),
    ("spandrel_wall", dict(height=4.0), "height is 4.0; it must be at least 4.46"),
    ("spandrel_wall", dict(springing=0.01), "springing is 0.01; it must be at least 0.075"),
    ("spandrel_wall", dict(shape="circular"), "one of semicircular"),
    ("spandrel_wall", dict(rise=3.0), "rise is 3.0; it must be at least 3.8 and at most 3.8."),
    ("spandrel_wall", dict(shape="elliptical", rise=1.0, ring=9.0), "ring is 9.0"),
    ("bridge", dict(pier=0.9), "pier is 0.9; it must be over 1 and"),
    ("bridge", dict(wall=1.6), "under 1.6"),
    ("aqueduct", dict(upper_pier=0.5), "over 0.7"),
    ("aqueduct", dict(upper_depth=2.0), "at least 0 and at most 1.6"),
    ("arena_bay", dict(wall=0.5), "over 0.7"),
    ("facade", dict(window_height=9.0), "window_height is 9.0; it must be at least 0.001 and under"),
    ("nave_wall", dict(height=5.0), "height is 5.0; it must be over"),
    ("apse", dict(oculus=3.0), "under 3"),
    ("rock_mass", dict(families=[(30.0, 0.0, -1.0)]), "spacing is -1.0; it must be at least 0.001 and at most 1000."),
    ("rock_mass", dict(families=[(100.0, 0.0, 1.0)]), "dip is 100.0; it must be at least 0 and at most 90."),
    ("rock_mass", dict(families=[(30.0, 0.0)]), "(dip, direction, spacing)"),
    ("rock_mass", dict(families="steep"), "(dip, direction, spacing)"),
    ("rock_mass", dict(spread=1.0), "at least 0 and at most 0.9"),
    ("rock_slope", dict(face=95.0), "at least 10 and at most 90"),
    ("rock_slope", dict(seed=-1), "from 0 to"),
    ("stack", dict(blocks=0), "from 1 to"),
]


@pytest.mark.short
@pytest.mark.parametrize("name, given, told", REFUSED, ids=["{}-{}".format(n, "-".join(g)) for n, g, _ in REFUSED])
def test_refusal_tells_what_is_allowed(name, given, told):
    with pytest.raises(InputError, match=re.escape(told)):
        getattr(templates, name)(**given)


@pytest.mark.parametrize("name", templates.__all__)
def test_no_number_of_any_template_may_be_negative_or_absent(name):
    """Every length, count, density and friction: -1 is refused, as an error of this project, not as a crash."""
    template = getattr(templates, name)
    for parameter, described in inspect.signature(template).parameters.items():
        if isinstance(described.default, (int, float)) and not isinstance(described.default, bool):
            for wrong in (-1, -1.0, float("inf"), "wide", True):
                with pytest.raises(NscdError):
                    template(**{parameter: wrong})


@pytest.mark.parametrize("name", templates.__all__)
def test_templates_have_docstrings_units_and_defaults(name):
    template = getattr(templates, name)
    text = inspect.getdoc(template)
    for parameter, described in inspect.signature(template).parameters.items():
        assert described.default is not inspect.Parameter.empty
        assert re.search(r"(^|, ){}(,| :)".format(parameter), text, re.M), parameter
    assert "Returns\n-------\nStructure" in text
    assert template().name == name


NONSENSE = [
    0, -1, float("nan"), float("-inf"), 1e300, 1e-300, 10**400, "x", "", b"a", None, [], {}, [1.0, 2.0], 1j, object,
    np.array([1.0]),
]  # fmt: skip


@pytest.mark.parametrize("name", templates.__all__)
def test_nonsense_is_refused_or_makes_a_sound_structure(name):
    """Whatever is given, it makes a structure without findings, or an error that names the parameter."""
    template = getattr(templates, name)
    for parameter, described in inspect.signature(template).parameters.items():
        for wrong in NONSENSE:
            try:
                structure = template(**{parameter: wrong})
            except NscdError as error:
                assert parameter.split("_")[-1].rstrip("s") in str(error) or parameter == "families", error
            else:
                default = (wrong is None and described.default in (None, ())) or parameter == "openings"
                small = wrong in (0, 1e-300) and isinstance(described.default, (int, float))
                assert default or small, (parameter, wrong)
                require_sound(structure)


@pytest.mark.parametrize("name", templates.__all__)
def test_numbers_of_numpy_are_numbers(name):
    template, made = getattr(templates, name), {}
    for parameter, described in inspect.signature(template).parameters.items():
        if isinstance(described.default, (int, float)) and not isinstance(described.default, bool):
            made[parameter] = np.array([described.default])[0]
    assert template(**made) == template()


TOO_MANY = [
    ("wall", dict(columns=100, courses=100), "There would be more than 5000 blocks."),
    ("rock_mass", dict(width=20.0, depth=20.0, height=14.0), "There would be more than 5000 blocks."),
    ("rock_slope", dict(families=[(0.0, 0.0, 0.001)]), "spacing is 0.001; to divide 12 m it must be at least 0.012."),
    ("stack", dict(blocks=10**7), "from 1 to 100000"),
    ("spandrel_wall", dict(course=1e-9), "course is 1e-09; it must be at least 0.001"),
    ("aqueduct", dict(span=1e3, length=1e-3), "length is 0.001; to divide 4008 m it must be at least 0.04008."),
]


@pytest.mark.parametrize("name, given, told", TOO_MANY, ids=[case[0] for case in TOO_MANY])
def test_too_many_blocks_are_refused_before_they_are_made(name, given, told, monkeypatch):
    monkeypatch.setattr(limits, "MOST_BLOCKS", 5000)
    with pytest.raises(InputError, match=re.escape(told)):
        getattr(templates, name)(**given)


def test_what_is_made_can_be_watched():
    told = []
    with limits.watched(lambda *words: told.append(words), interval=0.0):
        templates.wall(50, 50)
        templates.rock_mass()
    assert told[:2] == [(1000, "laid"), (2000, "laid")] and {done for _, done in told[2:]} == {"cut"}
    templates.wall(50, 50)
    assert told.count((1000, "laid")) == 1
