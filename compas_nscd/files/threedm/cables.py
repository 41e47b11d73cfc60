"""Cables out of .3dm files: straight lines on a layer `cables`."""

from compas_nscd.errors import LoadError, NscdError
from compas_nscd.files.threedm.keys import CABLE_ENDS, CABLE_NUMBERS, GROUND
from compas_nscd.files.threedm.solids import user_text
from compas_nscd.geometry.nearest_block import nearest_block
from compas_nscd.loads.cable import Cable


def read_cables(lines, structure, metre):
    """Cables of objects of a file: the user text has their numbers, and what their ends are fixed to or is nearest.

    Parameters
    ----------
    lines : list of rhino3dm.File3dmObject
    structure : Structure
    metre : float
        Length of the file's unit [m].

    Returns
    -------
    list of Cable
    """
    return [_cable(each, k, structure, metre) for k, each in enumerate(lines)]


def _cable(item, k, structure, metre):
    curve, attributes = item.Geometry, item.Attributes
    called = "Cable {}".format(attributes.Name or k + 1)
    if not curve.IsLinear():
        raise LoadError("{} is not straight.".format(called), remedy="Draw a line for every straight part.")
    points = [tuple(metre * c for c in (p.X, p.Y, p.Z)) for p in (curve.PointAtStart, curve.PointAtEnd)]
    strings = user_text(attributes)
    ends = [_block(strings.get(key), p, structure, called) for key, p in zip(CABLE_ENDS, points)]
    numbers = {key: _number(strings[key], key, called) for key in CABLE_NUMBERS if strings.get(key)}
    try:
        return Cable(ends, points, name=attributes.Name or None, **numbers)
    except NscdError as error:
        raise LoadError("{}: {}".format(called, error.message), remedy=error.remedy)


def _block(text, point, structure, called):
    """Name of the block that an end is fixed to; None for the ground."""
    if not text:
        where = "{} ends at ({:.3g}, {:.3g}, {:.3g}) m, which".format(called, *point)
        return structure.names[nearest_block(structure, point, where)]
    if text.strip().lower() == GROUND and GROUND not in structure.names:
        return None
    return structure.names[structure.indices([text], LoadError)[0]]


def _number(text, key, called):
    try:
        return float(text)
    except ValueError:
        raise LoadError("The user text {} of {} is {!r:.40}.".format(key, called.lower(), text))
