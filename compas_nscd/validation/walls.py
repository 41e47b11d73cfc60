"""Walls, buttresses and blocks in contact: limits, tilting, stress, plurality of forces, mortar."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure
from compas_nscd.validation.case import Trial
from compas_nscd.validation.chapter import Chapter
from compas_nscd.validation.references import BEAM_WALLS, FERRIS_TIN_LOI, MORTAR_SHEAR
from compas_nscd.validation.scenes import GRAVITY as G
from compas_nscd.validation.scenes import (
    Scene,
    box,
    ferris_tin_loi,
    leaning_rods,
    leaning_rods_need,
    structure_of,
    wall,
)

CHAPTER = Chapter("Walls and joints")
FTL = "Ferris and Tin-Loi 2001; linear programming"
SOLVED = "The cone program is solved to 1e-5 or better."


@CHAPTER.case(
    "V28",
    "Walls of Ferris and Tin-Loi, horizontal body force",
    "C P",
    FTL,
    "five digits; without dilatancy three digits, a local minimum",
    False,
    others="true Coulomb friction lies between both numbers",
)
def ferris_walls(trial: Trial) -> None:
    """Blocks of 0.4 x 0.175 m, mu 0.65: associated multiplier, and estimate without dilatancy."""
    for which, (associated, coulomb) in FERRIS_TIN_LOI.items():
        found = trial.engine.limit(structure_of(ferris_tin_loi(which)), vary="acceleration:x")
        trial.number("wall {}: associated [g]".format(which), associated, found.multiplier_associated, relative=1e-4)
        trial.number("wall {}: no dilatancy [g]".format(which), coulomb, found.multiplier_coulomb, relative=2e-3)
        if which > 2:
            trial.picture(found, (0.0, 0.0))


@CHAPTER.case("V29", "Tilting table", "D", "tan(angle) = multiplier of V28", SOLVED)
def tilting_table(trial: Trial) -> None:
    """Wall 1 of V28."""
    found = trial.engine.limit(structure_of(ferris_tin_loi(1)), vary="tilt:x", coulomb=False)
    trial.number("tan(angle)", FERRIS_TIN_LOI[1][0], found.multiplier_associated, relative=1e-4)


@CHAPTER.case(
    "V30", "Two rods that lean on each other", "D", "tan(beta) / 2, corrected for the width of the rods", SOLVED
)
def rods(trial: Trial) -> None:
    """30 degrees from the vertical, 2 cm wide: least friction of the base."""
    found = trial.engine.limit(structure_of(leaning_rods()), vary="friction")
    trial.number("least friction", leaning_rods_need(), found.multiplier_associated, relative=2e-3)
    trial.picture(structure_of(leaning_rods(), "rods"), (0.0, 0.0))


@CHAPTER.case("V31", "Buttress pushed at its top", "D", "W b / (2 h); mu times the weight of the top course", SOLVED)
def buttress(trial: Trial) -> None:
    """In one piece of 0.8 x 2 m it overturns; of five courses the top one slides, mu 0.5."""
    whole = structure_of(wall([[1]], 0.8, 2.0, 1.0, 2.0))
    case = LoadCase()
    case.add_point_load(1, (0.0, 0.5, 2.0), (1000.0, 0.0, 0.0))
    most = trial.engine.limit(whole, case, "loads").multiplier_associated
    trial.number("overturning force [kN]", 2.4 * 0.8 * 2.0 * G * 0.8 / 4.0, most, relative=1e-5)
    case = LoadCase()
    case.add_point_load(5, (0.0, 0.5, 0.81), (1000.0, 0.0, 0.0))
    found = trial.engine.limit(structure_of(wall([[1]] * 5, 1.0, 0.2, 1.0, 0.5)), case, "loads")
    trial.number("sliding force [kN]", 0.5 * 2.4 * 0.2 * G, found.multiplier_associated, relative=1e-5)
    trial.number("the same, Coulomb friction [kN]", 0.5 * 2.4 * 0.2 * G, found.multiplier_coulomb, relative=1e-4)


@CHAPTER.case(
    "V32", "Mean stress of a block in a stack", "D", "-(N + W/2) / A along the axis, nothing across", "balance to 1e-8"
)
def mean_stress(trial: Trial) -> None:
    """Three cubes of 1 m, 2400 kg/m3: the lowest carries the weight of two."""
    cubes = [box((-1, -1, -1), (2, 2, 0), True)] + [box((0, 0, k), (1, 1, k + 1)) for k in range(3)]
    tensors = trial.engine.static(structure_of({"blocks": cubes, "mu": 0.6})).stresses().tensor
    for k in range(3):
        expected = -2.4 * G * (2.5 - k)
        trial.number(
            "cube {}: vertical stress [kPa]".format(k + 1), expected, 1e-3 * float(tensors[1 + k][2, 2]), relative=1e-6
        )
    across = np.abs(tensors[1:] - np.einsum("kii->ki", tensors[1:])[:, :, None] * np.eye(3)).max()
    trial.number("greatest shear [kPa]", 0.0, 1e-3 * float(across), absolute=1e-6)


@CHAPTER.case(
    "V33",
    "Three-point table and four-point table",
    "D P",
    "a third of the weight each; totals do not depend on the order",
    "balance to 1e-6; the regularised problem is solved to 1e-10",
)
def tables(trial: Trial) -> None:
    """A plate on three fixed spheres, and on four: forces of NLGS by seed, and those of the regularised problem."""
    three = _table(((0.1, 0.2), (0.9, 0.2), (0.5, 0.9)))
    for name, force in trial.engine.static(three).support_reactions.items():
        trial.number("three points: share of {}".format(name), 1.0 / 3.0, float(force[2]) / PLATE, relative=1e-6)
    four = _table(((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)))
    seeds = [trial.engine.static(four, settings=Settings(solver="nlgs", seed=k)) for k in (1, 2)]
    for seed, result in zip((1, 2), seeds):
        trial.number(
            "four points, seed {}: total".format(seed), 1.0, float(result.support_reaction[2]) / PLATE, relative=1e-6
        )
    for name, force in trial.engine.static(four).support_reactions.items():
        trial.number("four points, regularised: share of {}".format(name), 0.25, float(force[2]) / PLATE, relative=1e-6)
    trial.picture(three)


#: Weight of a plate of 1 x 1 x 0.1 m and 2400 kg/m3 [N].
PLATE = 240.0 * G


def _table(points: Sequence[tuple[float, float]]) -> Structure:
    """A plate on fixed spheres of 5 cm below these points, about the mean of the points."""
    feet = [
        {
            "sphere": {"centre": [x, y, -0.05], "radius": 0.05},
            "support": True,
            "density": 2400.0,
            "name": "foot{}".format(k),
        }
        for k, (x, y) in enumerate(points)
    ]
    x, y = np.mean(points, axis=0)
    plate = box((x - 0.5, y - 0.5, 0.0), (x + 0.5, y + 0.5, 0.1))
    return structure_of({"blocks": [*feet, plate], "mu": 0.6}, "plate on points")


#: V34: courses of the walls, top to bottom; equal letters are one block.
LAYOUTS = {
    3: ("abcd", "effg", "hhii", "jklm"),
    4: ("abcd", "ebff", "gghi", "jklm"),
    5: ("abcd", "ebfg", "hhii", "jklm"),
    6: ("abcd", "efgg", "hhij", "klim"),
    7: ("abcd", "efgh", "ijjk", "llmm"),
}


def beam_wall(layout: int) -> Structure:
    """A wall of 4 x 4 squares of 1 m and unit weight, some joined, under a beam of weight 96."""
    rows = LAYOUTS[layout]
    ground, beam = box((-1, 0, -1), (5, 1, 0), True), box((0, 0, 4), (4, 1, 5), density=24.0 / G)
    letters = sorted(set("".join(rows)))
    blocks = []
    for letter in letters:
        cells = [(x, 3 - row) for row, line in enumerate(rows) for x, found in enumerate(line) if found == letter]
        (x0, z0), (x1, z1) = np.min(cells, axis=0), np.max(cells, axis=0)
        blocks.append(box((x0, 0, z0), (x1 + 1, 1, z1 + 1), density=1.0 / G))
    scene: Scene = {"blocks": [ground, beam, *blocks], "mu": 0.58, "planar": "y"}
    return structure_of(scene, "layout {}".format(layout))


@CHAPTER.case(
    "V34",
    "Walls of 4 x 4 under a loaded beam, five layouts",
    "P",
    "qianqing-wanggg/mosek_optim, grid4_canti_3layouts.py, linear programming",
    "eight digits; solved to 1e-6",
    False,
)
def beam_walls(trial: Trial) -> None:
    """mu 0.58, beam of six times the weight of the wall, pushed by 4 at its middle; head joints rough or smooth."""
    for layout, (rough, smooth) in BEAM_WALLS.items():
        structure = beam_wall(layout)
        case = LoadCase()
        case.add_point_load(1, (2.0, 0.5, 4.5), (4.0, 0.0, 0.0))
        found = trial.engine.limit(structure, case, "loads", coulomb=False)
        trial.number("layout {}".format(layout), rough, found.multiplier_associated, relative=1e-5)
        trial.picture(found, (0.0, 0.0))
        upright = np.abs(found.interface_normal[:, 0]) > 0.5
        for a, b in found.interface_body[upright].tolist():
            structure.set_law((a, b), ContactLaw(0.0))
        found = trial.engine.limit(structure, case, "loads", coulomb=False)
        trial.number("layout {}, smooth head joints".format(layout), smooth, found.multiplier_associated, relative=1e-5)


@CHAPTER.case(
    "V37",
    "Shear strength of a mortar joint",
    "P",
    "c A + mu N",
    "The law is exact; " + SOLVED,
    others="0.320384 and 0.314984 MPa published with an elastic block model",
)
def mortar_joint(trial: Trial) -> None:
    """0.14 x 0.1 m, c = ft = 0.27 MPa, mu 0.94, pressed with 0.0536 MPa; bonded over its length or 0.98 of it."""
    length, width, pressure, cohesion, friction = 0.14, 0.1, 53.6e3, 0.27e6, 0.94
    for bonded, expected in zip((1.0, 0.98), MORTAR_SHEAR):
        law = ContactLaw(friction, "mohr_coulomb", cohesion=cohesion, tension=cohesion)
        dry = ContactLaw(friction)
        parts = [(0.0, bonded * length)] + [(bonded * length, length)] * (bonded < 1.0)
        lower = [box((x0, 0.0, -0.1), (x1, width, 0.0), True) for x0, x1 in parts]
        upper = box((0.0, 0.0, 0.0), (length, width, 0.05), density=1e-3)
        structure = structure_of({"blocks": [*lower, upper], "mu": friction})
        for k, joint in enumerate((law, dry)[: len(parts)]):
            structure.set_law((k, len(parts)), joint)
        area, middle = length * width, (0.5 * length, 0.5 * width)
        case = LoadCase(gravity=(0.0, 0.0, -1e-6))
        case.add_point_load(len(parts), (*middle, 0.05), (0.0, 0.0, -pressure * area))
        case.add_point_load(len(parts), (*middle, 0.0), (1e6 * area, 0.0, 0.0))
        found = trial.engine.limit(structure, case, "loads:1", coulomb=False)
        trial.number("bonded {:g} [MPa]".format(bonded), expected, found.multiplier_associated, relative=1e-4)
