"""Contact laws of a request as rows of the law table.

`compas_nscd.blocks.contact_law` has the same kinds and keys; tests/nscd_engine/gate/test_client_bounds.py compares the
two.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from compas_nscd.errors import MaterialError, ProtocolError
from nscd_engine.core import law_table
from nscd_engine.core.law_table import pair_key
from nscd_engine.gate.fields import array, is_number, is_word

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
    "friction": law_table.FRICTION,
    "kinetic": law_table.KINETIC,
    "restitution": law_table.RESTITUTION,
    "cohesion": law_table.COHESION,
    "tension": law_table.TENSION,
    "compression": law_table.COMPRESSION,
    "normal_stiffness": law_table.STIFFNESS_N,
    "tangential_stiffness": law_table.STIFFNESS_T,
    "normal_fracture": law_table.FRACTURE_N,
    "tangential_fracture": law_table.FRACTURE_T,
    "viscosity": law_table.VISCOSITY,
}
#: Keys whose number must be above zero.
_POSITIVE = STIFFNESS + ("normal_fracture", "tangential_fracture", "viscosity", "compression")


class Laws(NamedTuple):
    """Law table of a structure and which row holds where, as in `core.model.Model`."""

    pair: np.ndarray
    law: np.ndarray
    material: np.ndarray
    material_law: np.ndarray
    interface_pair: np.ndarray
    interface_point: np.ndarray


def read_law(law: Any, blocks: list) -> list:
    """A law as a row of COLUMNS numbers, nan where it has none; names of blocks for an error."""
    kind = law.get("kind") if isinstance(law, dict) else None
    needed, more = KINDS[kind] if isinstance(kind, str) and kind in KINDS else ((), ())
    given = set(map(str, law)) if isinstance(law, dict) else set()
    if not needed or not set(needed) <= given or given - {"kind"} - set(needed + more + COMMON):
        raise MaterialError(
            "The contact law {!r:.120} is not known, or its keys are not those of its kind.".format(law),
            remedy='Give {"kind": "coulomb", "friction": ...}, or see docs/laws.md.',
            blocks=blocks,
        )
    row = [math.nan] * law_table.COLUMNS
    for key, column in _COLUMN.items():
        value = law.get(key)
        if value is not None or key in needed:
            _check(key, value, law, blocks)
            row[column] = float(value)
    row[law_table.BRITTLE] = float(kind in ("brittle", "mortar", "damage"))
    row[law_table.TIED] = float(kind == "tie")
    row[law_table.EXPONENTIAL] = float(_softening(law, blocks) == "exponential")
    row[law_table.DILATANCY] = _dilatancy(law, blocks)
    return row


def _check(key, value, law, blocks):
    most = {"kinetic": law["friction"], "restitution": 1.0}.get(key, math.inf)
    ok = is_number(value) and (value > 0.0 if key in _POSITIVE else value >= 0.0)
    if not ok or value > most:
        raise MaterialError("{} = {!r:.40} of a contact law is out of range.".format(key, value), blocks=blocks)


def _softening(law, blocks):
    found = law.get("softening", SOFTENING[0])
    if not is_word(found, SOFTENING):
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


def read_laws(structure: dict, names: list) -> Laws:
    """The checked laws of a structure whose blocks have these names."""
    of_pairs = _pair_laws(structure, names)
    keys = sorted(of_pairs)
    rows = [read_law(structure.get("law"), [])] + [of_pairs[key] for key in keys]
    material = _materials(structure, len(names))
    material_law = np.zeros((material.max() + 1,) * 2, np.int64)
    for (i, j), entry in _entries(structure, "material_laws", "materials", len(material_law)):
        material_law[i, j] = material_law[j, i] = len(rows)
        rows.append(read_law(entry.get("law"), []))
    pairs, points = [], []
    for blocks, entry in _entries(structure, "interface_laws", "blocks", len(names)):
        pair = [names[i] for i in blocks]
        if blocks[0] == blocks[1]:
            raise MaterialError("A contact law of an interface does not name two blocks.", blocks=pair[:1])
        rows.append(read_law(entry.get("law"), pair))
        pairs.append(blocks)
        points.append(array(entry, "point", np.float64, (3,), MaterialError))
    return Laws(
        np.array(keys, np.int64),
        np.array(rows, np.float64),
        material,
        material_law,
        np.array(pairs, np.int64).reshape(-1, 2),
        np.array(points, np.float64).reshape(-1, 3),
    )


def _pair_laws(structure, names):
    """Rows of the laws of pairs of blocks, by the key of the pair."""
    laws = {}
    for blocks, entry in _entries(structure, "pair_laws", "blocks", len(names)):
        pair = [names[i] for i in blocks]
        key = int(pair_key([blocks], len(names))[0])
        if blocks[0] == blocks[1]:
            raise MaterialError("A contact law of a pair does not name two blocks of the structure.")
        if key in laws:
            raise MaterialError("A pair of blocks has two contact laws.", remedy="Keep one.", blocks=pair)
        laws[key] = read_law(entry.get("law"), pair)
    return laws


def _materials(structure, count):
    """Number of the material of each block (B,)."""
    if "material" not in structure:
        return np.zeros(count, np.int64)
    material = array(structure, "material", np.int64, (count,), MaterialError)
    if (material < 0).any() or (material >= count).any():
        raise MaterialError("The materials of the blocks are not numbered from 0.")
    return material


def _entries(structure, key, of, count):
    """Pairs of numbers below `count` under the key `of`, and the entries of a list of laws."""
    given = structure.get(key, [])
    if not isinstance(given, list):
        raise ProtocolError("{!r} should be a list.".format(key))
    for entry in given:
        pair = entry.get(of) if isinstance(entry, dict) else None
        ok = isinstance(pair, list) and len(pair) == 2 and all(type(i) is int for i in pair)
        if not ok or not all(0 <= i < count for i in pair):
            raise MaterialError("A contact law of a pair does not name two {} of the structure.".format(of))
        yield pair, entry
