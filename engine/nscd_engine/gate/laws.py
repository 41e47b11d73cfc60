"""Contact laws of a message as rows of `Model.law`, or an error that says what is wrong with them."""

import math

from compas_nscd.errors import MaterialError
from nscd_engine.core import model as m

#: Keys that every law may have.
COMMON = ("kinetic", "restitution", "compression", "dilatancy")
STRENGTH = ("friction", "cohesion")
STIFFNESS = ("normal_stiffness", "tangential_stiffness")
FRACTURE = ("tension", "normal_fracture", "tangential_fracture")
#: Keys that a law of each kind must have, and may have beside COMMON.
KINDS = {
    "coulomb": (("friction",), ()),
    "mohr_coulomb": (STRENGTH, ("tension",)),
    "brittle": (STRENGTH, ("tension",)),
    "elastic": (("friction",) + STIFFNESS, ()),
    "mortar": (STRENGTH + STIFFNESS, ("tension",)),
    "damage": (STRENGTH + FRACTURE, STIFFNESS + ("softening",)),
    "viscous": (("friction", "viscosity"), ()),
    "sticking": (("friction",), ()),
    "tie": (("friction",), ()),
}
SOFTENING = ("linear", "exponential")
_COLUMN = {
    "friction": m.FRICTION,
    "kinetic": m.KINETIC,
    "restitution": m.RESTITUTION,
    "cohesion": m.COHESION,
    "tension": m.TENSION,
    "compression": m.COMPRESSION,
    "normal_stiffness": m.STIFFNESS_N,
    "tangential_stiffness": m.STIFFNESS_T,
    "normal_fracture": m.FRACTURE_N,
    "tangential_fracture": m.FRACTURE_T,
    "viscosity": m.VISCOSITY,
}
#: Those that must be above zero.
_POSITIVE = STIFFNESS + ("normal_fracture", "tangential_fracture", "viscosity", "compression")


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def read_law(law, blocks):
    """A law as a row of COLUMNS numbers; nan where it is silent."""
    kind = law.get("kind") if isinstance(law, dict) else None
    needed, more = KINDS[kind] if isinstance(kind, str) and kind in KINDS else ((), ())
    given = set(map(str, law)) if isinstance(law, dict) else set()
    if not needed or not set(needed) <= given or given - {"kind"} - set(needed + more + COMMON):
        raise MaterialError(
            "The contact law {!r:.120} is not known, or its keys are not those of its kind.".format(law),
            remedy='Give {"kind": "coulomb", "friction": ...}, or see docs/laws.md.',
            blocks=blocks,
        )
    row = [math.nan] * m.COLUMNS
    for key, column in _COLUMN.items():
        value = law.get(key)
        if value is not None or key in needed:
            _check(key, value, law, blocks)
            row[column] = float(value)
    row[m.BRITTLE] = float(kind in ("brittle", "mortar", "damage"))
    row[m.TIED] = float(kind == "tie")
    row[m.EXPONENTIAL] = float(_softening(law, blocks) == "exponential")
    row[m.DILATANCY] = _dilatancy(law, blocks)
    return row


def _check(key, value, law, blocks):
    most = {"kinetic": law["friction"], "restitution": 1.0}.get(key, math.inf)
    ok = is_number(value) and (value > 0.0 if key in _POSITIVE else value >= 0.0)
    if not ok or value > most:
        raise MaterialError("{} = {!r:.40} of a contact law is out of range.".format(key, value), blocks=blocks)


def _softening(law, blocks):
    found = law.get("softening", SOFTENING[0])
    if found not in SOFTENING:
        raise MaterialError("The softening {!r:.40} is not known.".format(found), blocks=blocks)
    return found


def _dilatancy(law, blocks):
    """Tangent of the angle of dilatancy; the angle is at most that of friction."""
    angle = law.get("dilatancy")
    if angle is None:
        return math.nan
    if not is_number(angle) or not 0.0 <= angle <= math.degrees(math.atan(law["friction"])) + 1e-9:
        text = "The dilatancy {!r:.40} is not an angle up to that of friction."
        raise MaterialError(text.format(angle), blocks=blocks)
    return math.tan(math.radians(angle))
