"""The option --water."""

from argparse import ArgumentParser
from typing import Any, List, Optional, Union

from compas_nscd.cli.options.values import parse_number, parse_values
from compas_nscd.client.requests import case_of
from compas_nscd.errors import LoadError
from compas_nscd.geometry.vectors import AXES
from compas_nscd.loads.case import LoadCase
from compas_nscd.loads.water import Water
from compas_nscd.model.structure import Structure

#: Keys of --water.
WATER = ("level", "flow", "density", "drag", "behind", "towards")


def add_water(parser: ArgumentParser) -> None:
    """Add --water."""
    text = "water around it: its level z [m]; flow=X:Y:Z [m/s], drag, density; behind=Z, towards=X:Y: lower behind"
    parser.add_argument("--water", metavar="level=Z,...", help=text)


def case_in_water(structure: Structure, text: Optional[str]) -> LoadCase:
    """Copy of the load case of a structure, with the water of the option if it is given."""
    case = case_of(structure).copy()
    if text is not None:
        case.water = parse_water(text)
    return case


def parse_water(text: str) -> Water:
    """Water of ``level=2.5,flow=0:1.5:0,...``."""
    values = parse_values(text, "--water", WATER)
    if "level" not in values:
        raise LoadError("--water needs a level.", remedy="For example --water level=2.5")
    given: Any = {key: _vector(key, values.pop(key)) for key in ("flow", "towards") if key in values}
    given.update((key, parse_number(key, value, "--water")) for key, value in values.items())
    return Water(**given)


def _vector(key: str, text: str) -> Union[str, List[float]]:
    """Numbers of ``0:1.5:0``, or the name of an axis."""
    return text if text in AXES else [parse_number(key, part, "--water") for part in text.split(":")]
