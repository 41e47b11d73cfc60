"""The option --water, and values given as key=value,..."""

from compas_nscd.client.requests import case_of
from compas_nscd.errors import LoadError
from compas_nscd.geometry.vectors import AXES
from compas_nscd.loads.water import Water


def add_water(parser):
    text = "water around it: its level z [m]; flow=X:Y:Z [m/s], drag, density; behind=Z, towards=X:Y: lower behind"
    parser.add_argument("--water", metavar="level=Z,...", help=text)


def case_in_water(structure, text):
    """The load case of a structure, with the water that the option describes; no water without it."""
    case = case_of(structure, None).copy()
    if text is not None:
        case.water = parse_water(text)
    return case


def parse_water(text):
    """Water of ``level=2.5,flow=0:1.5:0,...``."""
    values = parse_values(text, "--water", ("level", "flow", "density", "drag", "behind", "towards"))
    if "level" not in values:
        raise LoadError("--water needs a level.", remedy="For example --water level=2.5")
    vectors = {key: _vector(key, values.pop(key)) for key in ("flow", "towards") if key in values}
    return Water(**vectors, **{key: parse_number(key, value, "--water") for key, value in values.items()})


def _vector(key, text):
    """Numbers of ``0:1.5:0``; an axis by its name."""
    return text if text in AXES else [parse_number(key, part, "--water") for part in text.split(":")]


def parse_values(text, option, known):
    """Dict of ``key=value,...``, values as text."""
    values = {}
    for part in filter(None, text.split(",")):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise LoadError("{!r:.60} in {} should be key=value.".format(part, option))
        if key not in known:
            raise LoadError("{} has no {!r:.40}.".format(option, key), remedy="It has {}.".format(", ".join(known)))
        values[key] = value
    return values


def parse_number(key, text, option):
    try:
        return float(text)
    except ValueError:
        raise LoadError("{}={!r:.40} in {} is not a number.".format(key, text, option))
