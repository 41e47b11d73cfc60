"""Options of the form ``key=value,key=value``."""

from typing import Dict, Sequence

from compas_nscd.errors import LoadError


def parse_values(text: str, option: str, known: Sequence[str]) -> Dict[str, str]:
    """Keys and values as text.

    Parameters
    ----------
    text : str
        ``key=value,...``
    option : str
        Name of the option, for messages.
    known : sequence of str
        Keys that the option has.
    """
    values: Dict[str, str] = {}
    for part in filter(None, text.split(",")):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise LoadError("{!r:.60} in {} should be key=value.".format(part, option))
        if key not in known:
            raise LoadError("{} has no {!r:.40}.".format(option, key), remedy="It has {}.".format(", ".join(known)))
        values[key] = value
    return values


def parse_number(key: str, text: str, option: str) -> float:
    """Number of a value."""
    try:
        return float(text)
    except ValueError:
        raise LoadError("{}={!r:.40} in {} is not a number.".format(key, text, option))
