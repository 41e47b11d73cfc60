"""Deformable blocks of a request: elasticities, and which block has which.

`compas_nscd.blocks.elastic` has the same keys and bounds; tests/nscd_engine/gate/test_client_bounds.py compares the
two.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Optional, Tuple

import numpy as np

from compas_nscd.errors import GeometryError, InputError, MaterialError, ProtocolError
from nscd_engine.core.elastic import Elastic
from nscd_engine.core.model import Model
from nscd_engine.core.structs import Bodies, Polyhedra
from nscd_engine.gate.fields import array, integer, is_number, is_word, number, optional, part

ELEMENTS = ("uniform", "t3", "t4", "h8")
MASSES = ("lumped", "consistent")
PLANES = ("stress", "strain")
CONTACTS = ("corners", "middles")
KEYS = Elastic._fields
#: Bounds of Young's modulus [Pa]. Beyond them the stiffness of a block over its weight loses all digits.
MIN_YOUNG, MAX_YOUNG = 1.0, 1e18
#: Greatest number of elements along an edge.
MAX_REFINE = 1000
#: Greatest number of elements of a structure. Larger: the matrices do not fit the memory of a workstation.
MAX_ELEMENTS = 1_000_000


class Shapes(NamedTuple):
    """What decides whether a block can have the elements that were asked for."""

    polyhedra: Polyhedra
    radius: np.ndarray  # [m] (B,); 0 for polyhedra
    planar: bool


def read_elastic(structure: dict, names: list, bodies: Bodies, shapes: Shapes) -> Optional[tuple]:
    """One Elastic or None per block; None if all blocks are rigid. Supports are rigid whatever was asked."""
    if "elastics" not in structure:
        return None
    table = structure["elastics"]
    if not isinstance(table, list):
        raise ProtocolError("The elasticities should be a list.")
    row = array(structure, "elastic_of", np.int32, (len(names),))
    if ((row < -1) | (row >= len(table))).any():
        raise ProtocolError("'elastic_of' refers to an elasticity that there is none of.")
    first = {int(k): names[i] for i, k in reversed(list(enumerate(row)))}
    checked = [_elastic(given, first.get(k, "no block")) for k, given in enumerate(table)]
    chosen = [checked[k] if k >= 0 and bodies.free[i] >= 0 else None for i, k in enumerate(row)]
    if not any(chosen):
        return None
    _check_shapes(chosen, names, shapes)
    return tuple(chosen)


def _elastic(given: Any, block: str) -> Elastic:
    """One checked elasticity; `block` is named in errors."""
    if not isinstance(given, dict) or set(given) != set(KEYS):
        raise ProtocolError("An elasticity should have the keys {}.".format(", ".join(KEYS)))
    damping = given["damping"]
    damping = damping.tolist() if isinstance(damping, np.ndarray) else damping
    bad = [key for key, ok in _checks(dict(given, damping=damping)).items() if not ok]
    if bad:
        text = "`{}` of a deformable block cannot be {!r:.40}.".format(bad[0], given[bad[0]])
        raise MaterialError(text, remedy=_REMEDIES[bad[0]], blocks=[block])
    return Elastic(**dict(given, damping=tuple(float(x) for x in damping)))


def _checks(given: dict) -> dict:
    """Whether each value is one that the engine can compute with."""
    pair, tension, refine = given["damping"], given["tension"], given["refine"]
    return {
        "young": is_number(given["young"]) and MIN_YOUNG <= given["young"] <= MAX_YOUNG,
        "poisson": is_number(given["poisson"]) and -1.0 < given["poisson"] < 0.5,
        "elements": is_word(given["elements"], ELEMENTS),
        "refine": type(refine) is int and 1 <= refine <= MAX_REFINE,
        "mass": is_word(given["mass"], MASSES),
        "damping": isinstance(pair, (list, tuple)) and len(pair) == 2 and all(is_number(x) and x >= 0.0 for x in pair),
        "plane": is_word(given["plane"], PLANES),
        "tension": tension is None or (is_number(tension) and tension >= 0.0),
        "contacts": is_word(given["contacts"], CONTACTS),
    }


_REMEDIES = {
    "young": "Give a number from {:g} to {:g} Pa; stone has 1e9 to 1e11.".format(MIN_YOUNG, MAX_YOUNG),
    "poisson": "Give a number above -1 and below 0.5.",
    "elements": "It can be {}.".format(", ".join(ELEMENTS)),
    "refine": "Give a whole number from 1 to {}.".format(MAX_REFINE),
    "mass": "It can be {}.".format(", ".join(MASSES)),
    "damping": "Give two numbers of 0 or more: of the mass [1/s] and of the stiffness [s].",
    "plane": "It can be {}.".format(", ".join(PLANES)),
    "tension": "Give a number of 0 or more, in Pa.",
    "contacts": "It can be {}.".format(", ".join(CONTACTS)),
}


def _check_shapes(chosen: list, names: list, shapes: Shapes) -> None:
    """Refuse elements that a block cannot have, and more of them than fit the memory."""
    deformable = [i for i, elastic in enumerate(chosen) if elastic is not None]
    is_round = [names[i] for i in deformable if shapes.radius[i] > 0.0]
    if is_round:
        text = "A sphere or disc cannot be deformable: block {}.".format(is_round[0])
        raise GeometryError(text, remedy="Leave it rigid, or model it as a polyhedron.", blocks=is_round[:20])
    triangles = [names[i] for i in deformable if chosen[i].elements == "t3"]
    if triangles and not shapes.planar:
        text = "Triangles (t3) are elements of planar models only, and block {} has them.".format(triangles[0])
        raise GeometryError(text, remedy="Use t4 or h8, or declare the structure planar.", blocks=triangles[:20])
    corners = _face_corners(shapes.polyhedra)
    count = np.array([_element_count(chosen[i], corners[i]) for i in deformable], float)
    if count.sum() > MAX_ELEMENTS:
        worst = deformable[int(np.argmax(count))]
        text = "The blocks have {:.3g} elements, more than {:,}; most are in block {}."
        raise GeometryError(
            text.format(count.sum(), MAX_ELEMENTS, names[worst]),
            remedy="Refine less: `refine` of this block is {}.".format(chosen[worst].refine),
            blocks=[names[worst]],
        )


def _face_corners(poly: Polyhedra) -> list:
    """Corners of each face, one array (faces,) per block."""
    return np.split(np.diff(poly.face_start), poly.block_face_start[1:-1])


def _element_count(elastic: Elastic, corners: np.ndarray) -> int:
    """Elements of a block whose faces have these numbers of corners; t3 and t4: of a fan from the centroid."""
    if elastic.elements == "uniform":
        return 1
    if elastic.elements == "h8":  # a hexahedron, or one at each vertex, where three faces meet
        return (1 if corners.tolist() == [4] * 6 else int(corners.sum()) // 3) * elastic.refine**3
    if elastic.elements == "t3":
        return int(corners.max()) * elastic.refine**2
    return int(np.where(corners > 3, corners, 1).sum()) * elastic.refine**3


class SubmodelQuestion(NamedTuple):
    """Which block is refined, how, and how rough its faces are."""

    block: int
    elastic: Elastic
    roughness: float  # [m] standard deviation of heights
    seed: int


#: Most modes that may be asked for.
MAX_MODES = 1000
#: Greatest roughness [m], and number that begins the random heights.
MAX_ROUGHNESS, MAX_SEED = 1.0, 2**63 - 1


def read_modes(request: dict, model: Model) -> Tuple[int, Optional[int]]:
    """Number of modes of the verb `modes`, and the block that vibrates alone and free; None: the structure."""
    asked = part(request, "modes")
    block = optional(integer(0, len(model.names) - 1))("block", asked.get("block"))
    if block is not None and (model.elastic is None or model.elastic[block] is None):
        name = model.names[block]
        text = "Block '{}' is rigid: it has no modes of its own.".format(name)
        raise InputError(text, remedy="Give it an elasticity, or ask for another.", blocks=[name])
    return integer(1, MAX_MODES)("count", asked.get("count", 6)), block


def read_submodel(request: dict, model: Model) -> SubmodelQuestion:
    """Question of the verb `submodel`."""
    asked = part(request, "submodel")
    block = integer(0, len(model.names) - 1)("block", asked.get("block"))
    name = model.names[block]
    elastic = _elastic(asked.get("elastic"), name)
    shapes = Shapes(model.polyhedra, model.radius, model.planar is not None)
    _check_shapes([elastic if k == block else None for k in range(len(model.names))], model.names, shapes)
    if model.bodies.free[block] < 0:
        text = "Block '{}' is a support, whose forces are not all known.".format(name)
        raise InputError(text, remedy="Ask for a free block.", blocks=[name])
    roughness = number(-1e-300, MAX_ROUGHNESS)("roughness", asked.get("roughness", 0.0))
    return SubmodelQuestion(block, elastic, roughness, integer(0, MAX_SEED)("seed", asked.get("seed", 0)))
