"""Units of length, in metres."""

from __future__ import annotations

from compas_nscd.errors import FileError

#: Units of scenes, meshes and .obj files. [m]
LENGTHS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "ft": 0.3048, "in": 0.0254}
#: Units of mass and force that would be read wrongly, since only lengths are converted. Other words are free text.
_FOREIGN = ("t", "g", "lb", "kn", "mn", "kgf", "lbf", "kip")
#: Unit systems of Rhino documents and .3dm files, by the name of Rhino's enumeration. [m]
RHINO_UNITS = {
    "Microns": 1e-6,
    "Millimeters": LENGTHS["mm"],
    "Centimeters": LENGTHS["cm"],
    "Decimeters": 0.1,
    "Meters": LENGTHS["m"],
    "Dekameters": 10.0,
    "Hectometers": 100.0,
    "Kilometers": 1000.0,
    "Mils": 2.54e-5,
    "Inches": LENGTHS["in"],
    "Feet": LENGTHS["ft"],
    "Yards": 0.9144,
    "Miles": 1609.344,
}


def metres(units: str) -> float:
    """Length of the unit at the beginning of a text such as "mm, kg, s, N; z up". [m]

    Raises
    ------
    FileError
        If the unit is unknown, or a unit of mass or force is not SI.
    """
    words = [word.strip() for word in str(units).split(";")[0].split(",")]
    if words[0].lower() not in LENGTHS:
        text = "The unit of length {!r:.40} is unknown.".format(words[0])
        raise FileError(text, remedy="Begin `units` with one of {}.".format(", ".join(LENGTHS)))
    foreign = [word for word in words[1:] if word.lower() in _FOREIGN]
    if foreign:
        text = "Only lengths are converted; the unit {!r:.40} cannot be used.".format(foreign[0])
        raise FileError(text, remedy="Give masses in kg, times in s and forces in N.")
    return LENGTHS[words[0].lower()]
