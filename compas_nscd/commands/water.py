"""The option --water, and values given as key=value,..."""

from compas_nscd.client import case_of
from compas_nscd.errors import LoadError
from compas_nscd.loadcase import Water


def add_water(parser):
    text = "water around it: its level z [m]; flow=X:Y:Z [m/s], drag, density"
    parser.add_argument("--water", metavar="level=Z,...", help=text)


def case_in_water(structure, text):
    """The load case of a structure, with the water that the option describes; no water without it."""
    case = case_of(structure, None).copy()
    if text is not None:
        case.water = parse_water(text)
    return case


def parse_water(text):
    """Water of ``level=2.5,flow=0:1.5:0,...``."""
    values = parse_values(text, "--water", ("level", "flow", "density", "drag"))
    if "level" not in values:
        raise LoadError("--water needs a level.", remedy="For example --water level=2.5")
    flow = [parse_number("flow", part, "--water") for part in values.pop("flow", "0:0:0").split(":")]
    return Water(flow=flow, **{key: parse_number(key, value, "--water") for key, value in values.items()})


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
