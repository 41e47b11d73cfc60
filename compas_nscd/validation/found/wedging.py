"""Found wrong: clamping that nothing produces (V50 to V54, V67, V68).

Rigid Coulomb contact has several solutions. The physical one is reached from the unloaded state; a balance that needs
clamping which nothing produces is told as not assured.
"""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

from compas_nscd.loads.case import LoadCase
from compas_nscd.loads.point_load import PointLoad
from compas_nscd.loads.support_motion import SupportMotion
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure
from compas_nscd.results.static import StaticResult
from compas_nscd.templates import flat_arch
from compas_nscd.validation.assemblies import random_assembly
from compas_nscd.validation.case import Trial
from compas_nscd.validation.chapter import Chapter
from compas_nscd.validation.scenes import GRAVITY as G
from compas_nscd.validation.scenes import prism
from compas_nscd.validation.solids import SLAB, box, follow, structure

CHAPTER = Chapter("Found wrong: wedging")
BRANCH = "The physical branch of Coulomb friction, reached from the unloaded state."


def assured(result: StaticResult) -> Any:
    """`assured` of a result; None from a version that does not say it."""
    return getattr(result, "assured", result.summary.get("assured"))


def _lifted(block: int, centroid: Any, force: float) -> LoadCase:
    case = LoadCase()
    case.add_point_load(block, centroid, (0.0, 0.0, force))
    return case


@CHAPTER.case(
    "V50",
    "Keystone pulled upwards; a lone wedge",
    "C D",
    "two methods: Tresca bounds renewed, and NLGS; F = W for the wedge",
    "0.5 % between the two methods",
    False,
    others="4.219 kN by bounds that are renewed, 4.212 kN by NLGS",
)
def keystone(trial: Trial) -> None:
    """Keystone of `flat_arch()` (1.54 kN); a wedge of 8 degrees between fixed faces, mu 0.2 and 0.5."""
    arch = flat_arch()
    key = arch.indices(["v4"])[0]
    centroid = trial.engine.static(arch).centroid[key]
    found = trial.engine.limit(arch, _lifted(key, centroid, 1000.0), "loads")
    trial.number("keystone, Coulomb [kN]", 4.215, found.multiplier_coulomb, relative=5e-3)
    for share, stays in ((0.98, True), (1.02, False)):
        result = trial.engine.static(arch, _lifted(key, centroid, 4215.0 * share))
        trial.verdict("keystone at {} of it: assured".format(share), stays, assured(result))
        motion = follow(trial, arch, _lifted(key, centroid, 4215.0 * share), 0.5, 5e-3)
        moved = motion.summary["max_displacement"] > 0.01
        trial.verdict("keystone at {} of it: comes out in motion".format(share), not stays, bool(moved))
    for friction in (0.2, 0.5):
        _lone_wedge(trial, friction)
    trial.picture(arch, (0.0, 0.0))


def _lone_wedge(trial: Trial, friction: float) -> None:
    slope, half, height = math.tan(math.radians(4.0)), 0.2, 0.5
    low, high = half, half + slope * height
    left = [(-2.0, 0.0), (-low, 0.0), (-high, height), (-2.0, height)]
    right = [(low, 0.0), (2.0, 0.0), (2.0, height), (high, height)]
    profiles = [left, right, [(-low, 0.0), (low, 0.0), (high, height), (-high, height)]]
    solids = [(p["vertices"], p["faces"]) for p in (prism(profile, 0.4) for profile in profiles)]
    wedge = structure(solids, friction, supports=(0, 1))
    weight = 2000.0 * 0.4 * height * (low + high) * G
    found = trial.engine.limit(wedge, _lifted(2, (0.0, 0.0, 0.5 * height), weight), "loads")
    trial.number("wedge, mu {}: F/W".format(friction), 1.0, found.multiplier_coulomb, relative=5e-3)


@CHAPTER.case("V51", "Cube between two fixed walls, nothing below", "D", "nothing clamps it", BRANCH, False)
def between_walls(trial: Trial) -> None:
    """mu 0.05, 0.3, 0.6: at rest, moving down at 1 m/s, and on a pedestal that sinks from under it."""
    walls = [box((-2.0, -1.0, -3.0), (1.5, 2.0, 5.0)), box((0.5, -1.0, -3.0), (1.5, 2.0, 5.0))]
    cube = box((-0.5, -0.5, 0.0))
    for friction in (0.05, 0.3, 0.6):
        shaft = structure([*walls, cube], friction, supports=(0, 1))
        trial.verdict("mu {}: assured".format(friction), False, assured(trial.engine.static(shaft)))
        for speed in (0.0, 1.0):
            case = LoadCase()
            case.set_velocity(2, (0.0, 0.0, -speed))
            fallen = -float(follow(trial, shaft, case, 0.4, 2e-3).displacement(2)[-1, 2])
            expected = speed * 0.4 + 0.5 * G * 0.4**2
            trial.number("mu {}, {} m/s: fall in 0.4 s [m]".format(friction, speed), expected, fallen, relative=0.02)
    pedestal = box((-0.5, -0.5, -1.0))
    stood = structure([*walls, cube, pedestal], 0.3, supports=(0, 1, 3))
    case = LoadCase(support_motions=[SupportMotion(3, (0.0, 0.0, -0.2), 0.5)])
    sunk = -float(follow(trial, stood, case, 0.8, 2e-3).displacement(2)[-1, 2])
    trial.number("on a pedestal that sinks by 0.2 m [m]", 0.2, sunk, relative=0.02)
    trial.picture(shaft, (0.0, 0.0))


@CHAPTER.case(
    "V52", "Block sliding between two touching rails", "D", "v^2 / (2 mu g): the rails press nothing", "v h / 2", False
)
def rails(trial: Trial) -> None:
    """3 m/s, mu 0.4, gaps of 0, 1e-8 and 1e-6 m, h = 1 ms."""
    for gap in (0.0, 1e-8, 1e-6):
        sides = [box((-5.0, y, 0.0), (10.0, 0.5, 0.5)) for y in (-0.7 - gap, 0.2 + gap)]
        block = box((-0.2, -0.2, 0.0), (0.4, 0.4, 0.2))
        case = LoadCase()
        case.set_velocity(3, (3.0, 0.0, 0.0))
        rail = structure([SLAB, *sides, block], 0.4, supports=(0, 1, 2))
        distance = float(follow(trial, rail, case, 1.0, 1e-3).displacement(3)[-1, 0])
        trial.number("gap {:g} m: distance [m]".format(gap), 9.0 / (0.8 * G), distance, absolute=2e-3)


@CHAPTER.case(
    "V53", "Middle one of five bricks pulled out along its bed", "D", "mu W: neighbours press nothing", "3 %", False
)
def pulled_brick(trial: Trial) -> None:
    """Five free bricks side by side on a bed, mu 0.6; the middle one is pulled square to the row."""
    bricks = [box((0.2 * k, 0.0, 0.0), (0.2, 0.4, 0.1)) for k in range(5)]
    row = structure([box((-1.0, -1.0, -0.2), (3.0, 3.0, 0.2)), *bricks], 0.6)
    weight = 2000.0 * 0.2 * 0.4 * 0.1 * G
    case = LoadCase()
    case.add_point_load(3, (0.5, 0.2, 0.0), (0.0, -weight, 0.0))
    found = trial.engine.limit(row, case, "loads")
    trial.number("F/W, Coulomb", 0.6, found.multiplier_coulomb, relative=0.03)
    for share, stays in ((0.97, True), (1.03, False)):
        pulled = LoadCase(loads=[PointLoad(3, (0.5, 0.2, 0.0), (0.0, -0.6 * share * weight, 0.0))])
        trial.verdict("at {} of it: assured".format(share), stays, assured(trial.engine.static(row, pulled)))
        slid = abs(float(follow(trial, row, pulled, 0.3, 2e-3).displacement(3)[-1, 1])) > 1e-3
        trial.verdict("at {} of it: slides in motion".format(share), not stays, slid)
    trial.picture(row)


#: Random assemblies of V54.
ASSEMBLIES = 200


@CHAPTER.case(
    "V54",
    "Newton and NLGS on random assemblies, Coulomb friction",
    "R",
    "our own two solvers",
    "verdicts are equal or not",
    False,
)
def two_solvers(trial: Trial) -> None:
    """200 random piles of boxes on one support, pushed or tilted: no self-stress between supports is possible."""
    differ = []
    for seed in range(ASSEMBLIES):
        pile, case = random_assembly(seed)
        verdicts = {
            trial.engine.static(pile, case, Settings(solver=solver, friction="coulomb", tolerance=1e-8)).verdict
            for solver in ("newton", "nlgs")
        }
        differ += [seed] * (len(verdicts) > 1)
    trial.number("assemblies with different verdicts", 0, len(differ))


def _told(result: StaticResult) -> str:
    """What a result tells in the words of the models of compas_cra."""
    if result.verdict == "collapse":
        return "falls"
    return {True: "stands", False: "jammed"}.get(assured(result), "stable, assured not told")


@CHAPTER.case(
    "V67",
    "Models of compas_cra",
    "R",
    "RBE and CRA of compas_cra 0.8, LMGC90, our NLGS",
    "verdicts are equal or not",
    False,
    others="RBE calls jammed ones stable, CRA finds no solution, LMGC90 lets them fall",
)
def cra_models(trial: Trial) -> None:
    """24 models: they stand, fall, or are jammed: a balance exists, but nothing produces the clamping that it needs."""
    index = json.loads(trial.shared("peers", "cra", "index.json").read_text(encoding="utf-8"))
    for model in index:
        result = trial.engine.static(Structure.from_file(trial.shared("peers", "cra", model["name"] + ".json")))
        trial.verdict(model["name"], model["expected"], _told(result))


@CHAPTER.case(
    "V68",
    "Joints of meshed curved faces (curve-3-blocks of compas_cra)",
    "R",
    "CRA and a cone program: it stands",
    "area of two meshed faces: 5 %",
    False,
)
def curved_joints(trial: Trial) -> None:
    """Gaps of 1e-3, 3e-3 and 1e-2 by angles of 1, 5 and 10 degrees: one verdict, joints of about 2.4 m2."""
    model = Structure.from_file(trial.shared("peers", "cra", "curve-3-blocks.json"))
    for gap in (1e-3, 3e-3, 1e-2):
        for angle in (1.0, 5.0, 10.0):
            result = trial.engine.static(model, settings=Settings(gap_tolerance=gap, angle_tolerance=angle))
            trial.verdict("gap {:g}, {:g} degrees".format(gap, angle), "stable", result.verdict)
            area = float(np.sum(result.interface_area))
            trial.number("gap {:g}, {:g} degrees: joints [m2]".format(gap, angle), 2.4, area, relative=0.05)
    trial.picture(result)
