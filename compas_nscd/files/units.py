"""Units of length of files, in metres."""

from compas_nscd.errors import FileError

#: [m]
LENGTHS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "ft": 0.3048, "in": 0.0254}
#: Units of mass and force that would be read wrongly: only lengths are converted. The rest of `units` is free text.
_FOREIGN = ("t", "g", "lb", "kn", "mn", "kgf", "lbf", "kip")
#: [m] by the name of rhino3dm's unit system.
UNITS = {
    "Microns": 1e-6,
    "Millimeters": 1e-3,
    "Centimeters": 1e-2,
    "Decimeters": 0.1,
    "Meters": 1.0,
    "Dekameters": 10.0,
    "Hectometers": 100.0,
    "Kilometers": 1000.0,
    "Mils": 2.54e-5,
    "Inches": 0.0254,
    "Feet": 0.3048,
    "Yards": 0.9144,
    "Miles": 1609.344,
}


def metres(units):
    """Length of the unit that a text like "mm, kg, s, N; z up" begins with. [m]"""
    words = [word.strip() for word in str(units).split(";")[0].split(",")]
    if words[0].lower() not in LENGTHS:
        text = "The unit of length {!r:.40} is unknown.".format(words[0])
        raise FileError(text, remedy="Begin `units` with one of {}.".format(", ".join(LENGTHS)))
    foreign = [word for word in words[1:] if word.lower() in _FOREIGN]
    if foreign:
        text = "Only lengths are converted; the unit {!r:.40} cannot be used.".format(foreign[0])
        raise FileError(text, remedy="Give masses in kg, times in s and forces in N.")
    return LENGTHS[words[0].lower()]
