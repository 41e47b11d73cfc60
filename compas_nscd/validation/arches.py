"""Arches and domes under their own weight: thinnest shapes, thrust, spreading supports, acceleration."""

from __future__ import annotations

import json
import math
from functools import partial
from pathlib import Path

from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure
from compas_nscd.validation.case import Trial
from compas_nscd.validation.chapter import Chapter
from compas_nscd.validation.references import (
    BARREL_WEIGHT,
    ITS_THICKNESS,
    LEAST_FRICTION,
    OPPENHEIM,
    SPREAD,
    THINNEST_ARCH,
    THINNEST_DOME,
    THINNEST_ELLIPSE,
    THINNEST_SLIDING_ARCH,
    THRUST,
    THRUST_CRA,
    THRUST_DEM,
)
from compas_nscd.validation.scenes import (
    circular_arch,
    dem_barrel,
    elliptical_arch,
    fixed_end_arch,
    lunes,
    structure_of,
)

#: Joint forces that LMGC90 found in `dem_barrel`.
LMGC90_FORCES = Path(__file__).parent / "data" / "barrel_lmgc90.json"
CHAPTER = Chapter("Arches, vaults and domes")
LP = "linear programming"
DIGITS = "The reference has three to five digits; rigid problems are solved to 1e-5 or better."


def _semicircle(count: int, thickness: float) -> Structure:
    return structure_of(circular_arch(count, thickness))


def _half_ellipse(rise: float, friction: float, thickness: float) -> Structure:
    return structure_of(elliptical_arch(thickness, rise, friction))


@CHAPTER.case(
    "V20",
    "Thinnest semicircular arch of N voussoirs",
    "C P",
    LP,
    DIGITS,
    False,
    others="continuous arch 0.1075 (published)",
)
def thinnest_arch(trial: Trial) -> None:
    """Straight voussoirs, radial joints, mu 1: smallest t/R, bisected on the verdict."""
    for count, limit in THINNEST_ARCH.items():
        found = trial.engine.limit_parameter(partial(_semicircle, count), 0.98 * limit, 1.02 * limit, tolerance=2e-4)
        trial.number("N {}: t/R".format(count), limit, found.value, relative=1e-3)
    trial.picture(trial.engine.static(structure_of(circular_arch(15, 0.12), "t/R 0.12")), (0.0, 0.0))
    trial.picture(trial.engine.static(structure_of(circular_arch(15, 0.10), "t/R 0.10")), (0.0, 0.0))


@CHAPTER.case(
    "V21", "The same with finite friction", "P C", LP, "100 voussoirs for a continuous arch; " + DIGITS, False
)
def thinnest_sliding_arch(trial: Trial) -> None:
    """Thickness where hinges and sliding meet; least friction by thickness; friction below which none stands."""
    (first, limit), *others = THINNEST_SLIDING_ARCH.items()
    met = trial.engine.limit_parameter(
        lambda t: structure_of(circular_arch(100, t, friction=first)), 0.99 * limit, 1.01 * limit, tolerance=1e-3
    )
    trial.number("mu {}: t/R".format(first), limit, met.value, relative=2e-3)
    for friction, limit in others:
        found = trial.engine.limit(structure_of(circular_arch(100, limit)), vary="friction", coulomb=False)
        trial.number("t/R {}: least friction".format(limit), friction, found.multiplier_associated, relative=2e-3)
    found = trial.engine.limit(structure_of(circular_arch(100, 2.0 * ITS_THICKNESS)), vary="friction", coulomb=False)
    trial.number("thick arch: least friction", LEAST_FRICTION, found.multiplier_associated, relative=1e-3)


@CHAPTER.case("V22", "Range of the thrust of a semicircle", "C", LP, "40 voussoirs for a continuous arch; " + DIGITS)
def thrust_range(trial: Trial) -> None:
    """H/W at the crown: both ends of the range, and the reported thrust inside it."""
    for thickness, least, most in THRUST:
        arch = structure_of(circular_arch(40, thickness))
        result = trial.engine.static(arch)
        weight, crown = result.summary["weight_total"], trial.engine.force_range(arch, interfaces=[(19, 20)])[0]
        name = "t/R {}: ".format(thickness)
        trial.number(name + "least H/W", least, crown.least / weight, relative=2e-3)
        trial.number(name + "greatest H/W", most, crown.greatest / weight, relative=2e-3)
        trial.inside(name + "reported H/W", least, most, abs(result.support_reactions["40"][0]) / weight)
    trial.picture(result, (0.0, 0.0))


@CHAPTER.case("V23", "Thinnest elliptical arch", "C", LP, "100 voussoirs for a continuous arch; three digits", False)
def thinnest_ellipse(trial: Trial) -> None:
    """Rise b, half span a, joints normal to the centre line: smallest t/a, bisected on the verdict."""
    for rise, limit, friction in THINNEST_ELLIPSE:
        found = trial.engine.limit_parameter(
            partial(_half_ellipse, rise, friction),
            0.95 * limit,
            1.05 * limit,
            tolerance=1e-3,
        )
        trial.number("b/a {}, mu {}: t/a".format(rise, friction), limit, found.value, relative=2e-3)
    trial.picture(structure_of(elliptical_arch(0.2, 0.5), "b/a 0.5"), (0.0, 0.0))


@CHAPTER.case(
    "V24",
    "Supports spread until the arch falls",
    "C",
    "kinematics, linear programs in displaced positions",
    DIGITS,
    False,
)
def spreading(trial: Trial) -> None:
    """20 voussoirs, no slip: spread in % of 2R."""
    for thickness, percent in SPREAD:
        found = trial.engine.limit(structure_of(circular_arch(20, thickness)), vary="spread:x", coulomb=False)
        spread = found.multiplier_associated
        trial.number("t/R {} [%]".format(thickness), percent, None if spread is None else 50.0 * spread, relative=3e-3)
    trial.picture(found, (0.0, 0.0))


@CHAPTER.case(
    "V25",
    "Arch of Oppenheim under horizontal acceleration",
    "C P",
    "virtual work on four hinges; Oppenheim 1992",
    DIGITS,
    others="0.37 g published",
)
def oppenheim(trial: Trial) -> None:
    """R 10 m, t 1.5 m, 157.5 degrees, seven straight-edged voussoirs."""
    found = trial.engine.limit(structure_of(circular_arch(7, 1.5, 10.0, math.radians(157.5))), vary="acceleration:x")
    trial.number("acceleration [g]", OPPENHEIM, found.multiplier_associated, relative=1e-3)
    trial.number("hinges", 4, len(found.hinges))
    trial.picture(found, (0.0, 0.0))


@CHAPTER.case("V26", "Thinnest hemispherical dome", "C P", LP, DIGITS, others="0.042 (Heyman 1967)")
def thinnest_dome(trial: Trial) -> None:
    """Two opposite lunes of 4 degrees, each standing by itself, as Heyman cuts it."""
    found = trial.engine.limit_parameter(lambda t: structure_of(lunes(t)), 0.041, 0.045, tolerance=1e-3)
    trial.number("t/R", THINNEST_DOME, found.value, relative=3e-3)


@CHAPTER.case("V27", "Arch of compas_cra", "P C", LP, DIGITS, others="compas_cra reports the least thrust")
def cra_arch(trial: Trial) -> None:
    """Intrados 5 m, t 0.5 m, depth 0.5 m, 20 blocks, mu 0.7, specific weight 1; end blocks fixed, or none."""
    scene = fixed_end_arch()
    arch = structure_of(scene)
    result = trial.engine.static(arch)
    trial.verdict("end blocks fixed", "stable", result.verdict)
    trial.inside("reported H [N]", *THRUST_CRA, abs(float(result.support_reactions["0"][0])))
    _thrust_range(trial, arch, THRUST_CRA, 2e-4)
    free = {"blocks": [dict(block, support=False) for block in scene["blocks"]], "mu": scene["mu"]}
    floating = trial.engine.static(structure_of(free), settings=Settings(unsupported=True))
    trial.verdict("nothing fixed", "collapse", floating.verdict)
    trial.picture(result, (0.0, 0.0))


def _thrust_range(trial: Trial, arch: Structure, expected: tuple[float, float], close: float) -> None:
    """Compare both ends of the range of H of a semicircle of 20 blocks, the first of which is fixed."""
    found = trial.engine.force_range(arch, interfaces=[(0, 1)], direction=(1.0, 0.0, 0.0))[0]
    least, most = sorted((abs(found.least), abs(found.greatest)))
    trial.number("least H [N]", expected[0], least, relative=close)
    trial.number("greatest H [N]", expected[1], most, relative=close)


@CHAPTER.case(
    "V36",
    "Arch of compas_dem",
    "R",
    "range by linear programming; compas_cra on the same arch",
    "six digits; solved to 1e-6",
    others="compas_cra reports the least thrust, LMGC90 one inside the range",
)
def dem_arch(trial: Trial) -> None:
    """20 blocks, rise 5, span 10, t 0.5, specific weight 1: H, end blocks fixed. Its centre line is that of V27."""
    _thrust_range(trial, structure_of(fixed_end_arch()), THRUST_DEM, 1e-5)


@CHAPTER.case(
    "V35",
    "Barrel vault of compas_dem",
    "R",
    "LMGC90 on the same vault, run by us",
    "forces of LMGC90 are rounded to 0.1 N",
    False,
    others="LMGC90 leaves up to 0.8 % of the weight of a block out of balance",
)
def dem_barrel_vault(trial: Trial) -> None:
    """121 blocks, mu 0.5: weight on the supports, and joints in which the force of LMGC90 lies inside our range."""
    vault = structure_of(dem_barrel())
    result = trial.engine.static(vault)
    trial.number("weight on the supports [N]", BARREL_WEIGHT, float(result.support_reaction[2]), relative=1e-6)
    joints = json.loads(LMGC90_FORCES.read_text(encoding="utf-8"))["joints"]
    ranges = trial.engine.force_range(vault)
    inside = 0
    for a, b, force in joints:
        found = ranges.of(str(a), str(b))
        inside += found.least - 0.1 <= force <= found.greatest + 0.1
    trial.number("joints inside", len(joints), inside)
    trial.picture(result)
