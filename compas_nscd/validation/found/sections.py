"""Found wrong: joints are sections, not corners (V55 to V58, V66)."""

from __future__ import annotations

import math

import numpy as np

from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.structure import Structure
from compas_nscd.validation.case import Trial
from compas_nscd.validation.chapter import Chapter
from compas_nscd.validation.scenes import GRAVITY as G
from compas_nscd.validation.solids import SLAB, box, follow, structure

CHAPTER = Chapter("Found wrong: sections")
CELLS = "Cells of the section: 2 %."


@CHAPTER.case(
    "V55",
    "Couple about the vertical on a flat block",
    "D",
    "0.3826 mu N a, uniform pressure on a square",
    "Uniform pressure by some cells: 3 %",
    others="corners alone carry 1.85 times as much",
)
def torsion(trial: Trial) -> None:
    """1 x 1 x 0.2 m, mu 0.5, on a bed: couple of limit analysis over mu N a."""
    plate = structure([SLAB, box((-0.5, -0.5, 0.0), (1.0, 1.0, 0.2))], 0.5)
    weight = 2000.0 * 0.2 * G
    case = LoadCase()
    for side in (-0.5, 0.5):  # a couple of 0.5 W m
        case.add_point_load(1, (side, 0.0, 0.0), (0.0, math.copysign(0.5 * weight, side), 0.0))
    found = trial.engine.limit(plate, case, "loads")
    most = found.multiplier_associated
    trial.number("couple / (mu N a)", 0.3826, None if most is None else 0.5 * most / 0.5, relative=0.03)


def _displacement(trial: Trial, of: Structure, case: LoadCase, block: int, component: int) -> float:
    """Component of the displacement of a block at rest [m, rad]; NaN if there is none."""
    found = trial.engine.static(of, case).displacement
    return math.nan if found is None else float(found[block, component])


#: Elastic joint of V56: side [m], normal stiffness [Pa/m], normal force [N]; rotations by eccentricity [m].
SIDE, STIFFNESS, FORCE = 0.5, 2e8, 1e5
ROTATIONS = {0.05: 0.0048, 0.15: 0.0222, 0.20: 0.0889}


@CHAPTER.case(
    "V56", "Elastic joint under an eccentric force", "D", "N e / (kn I) in the kern; no tension beyond it", CELLS
)
def eccentric(trial: Trial) -> None:
    """0.5 x 0.5 m, kn 2e8 Pa/m, N 1e5 N: rotation at rest."""
    law = ContactLaw(0.6, "elastic", normal_stiffness=STIFFNESS, tangential_stiffness=STIFFNESS)
    block = structure([SLAB, box((-0.25, -0.25, 0.0), (SIDE, SIDE, 0.2))], law=law, density=1e-3)
    for eccentricity, rotation in ROTATIONS.items():
        case = LoadCase(gravity=(0.0, 0.0, -1e-3))
        case.add_point_load(1, (eccentricity, 0.0, 0.2), (0.0, 0.0, -FORCE))
        found = abs(_displacement(trial, block, case, 1, 4))
        trial.number("e {} m: rotation [rad]".format(eccentricity), rotation, found, relative=0.02)


@CHAPTER.case(
    "V57", "Blocks on elastic joints: deflection and period", "D", "bending stiffness kn b d^3 / 12", CELLS, False
)
def elastic_column(trial: Trial) -> None:
    """Six cubes of 0.5 m pushed at the top by 0.02 W; period of a block of 0.5 x 0.5 x 1 m that rocks by 1e-4 rad."""
    law = ContactLaw(0.8, "elastic", normal_stiffness=STIFFNESS, tangential_stiffness=STIFFNESS)
    inertia = SIDE**4 / 12.0
    column = structure([SLAB] + [box((-0.25, -0.25, 0.5 * k), (SIDE,) * 3) for k in range(6)], law=law)
    force = 0.02 * 6 * 2000.0 * SIDE**3 * G
    case = LoadCase()
    case.add_point_load(6, (0.0, 0.0, 3.0), (force, 0.0, 0.0))
    # Joints at 0, 0.5, ... 2.5 m turn by M / (kn I) and slip by F / (kt A); the centroid of the top cube is at 2.75 m.
    turns = sum(force * (3.0 - z) * (2.75 - z) / (STIFFNESS * inertia) for z in np.arange(0.0, 3.0, 0.5))
    slips = 6 * force / (STIFFNESS * SIDE**2)
    trial.number(
        "deflection of the top [mm]",
        1e3 * (turns + slips),
        1e3 * _displacement(trial, column, case, 6, 0),
        relative=0.02,
    )
    trial.number("period [s]", *_period(trial, inertia), relative=0.02)


def _period(trial: Trial, inertia: float) -> tuple[float, float | None]:
    """Period [s] of a block that rocks on a joint that does not slip, in closed form and from a motion."""
    height, step, stiffness = 1.0, 2e-4, 2e7
    law = ContactLaw(0.8, "elastic", normal_stiffness=stiffness, tangential_stiffness=1e4 * stiffness)
    block = structure([SLAB, box((-0.25, -0.25, 0.0), (SIDE, SIDE, height))], law=law)
    mass = 2000.0 * SIDE**2 * height
    about_joint = mass * ((SIDE**2 + height**2) / 12.0 + 0.25 * height**2)
    closed = 2.0 * math.pi * math.sqrt(about_joint / (stiffness * inertia - 0.5 * mass * G * height))
    case = LoadCase()
    spin = 1e-4 * 2.0 * math.pi / closed
    case.set_velocity(1, (0.5 * height * spin, 0.0, 0.0), (0.0, spin, 0.0))
    result = follow(trial, block, case, 2.2 * closed, step, interval=step)
    lean = result.orientation[:, 1, 2]
    up = np.flatnonzero((lean[:-1] <= 0.0) & (lean[1:] > 0.0))
    return closed, float(result.times[up[-1]] - result.times[up[0]]) / (len(up) - 1) if len(up) > 1 else None


@CHAPTER.case(
    "V58", "Brittle bond in bending", "D", "first crack at ft b d^2 / 6, and nothing is left beyond it", CELLS
)
def brittle_bending(trial: Trial) -> None:
    """0.5 x 0.5 m, ft 0.1 MPa, next to no compression: couple at which the bond breaks, bisected on the verdict."""
    tension = 1e5
    law = ContactLaw(0.6, "brittle", cohesion=1e6, tension=tension)
    block = structure([SLAB, box((-0.25, -0.25, 0.0), (SIDE, SIDE, 1.0))], law=law, density=10.0)
    expected = (tension + 10.0 * G) * SIDE**3 / 6.0

    def stands(couple: float) -> bool:
        case = LoadCase()
        for z, sign in ((0.0, -1.0), (1.0, 1.0)):
            case.add_point_load(1, (0.0, 0.0, z), (sign * couple, 0.0, 0.0))
        return trial.engine.static(block, case).verdict == "stable"

    low, high = 0.2 * expected, 5.0 * expected
    while high - low > 2e-3 * expected:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if stands(middle) else (low, middle)
    trial.number("couple [kN m]", 1e-3 * expected, 5e-4 * (low + high), relative=0.02)


@CHAPTER.case(
    "V66",
    "Compression cap in motion",
    "D",
    "as at rest: N = fc b (d - 2 e)",
    "The cap at rest errs by up to 2 %: 5 % either side",
    False,
)
def cap_in_motion(trial: Trial) -> None:
    """0.5 x 0.5 m, fc 1 MPa, a force at e = 0.1 m, 5 % below and above what the section carries."""
    strength, eccentricity = 1e6, 0.1
    law = ContactLaw(0.8, "coulomb", compression=strength)
    block = structure([SLAB, box((-0.25, -0.25, 0.0), (SIDE, SIDE, 0.5))], law=law)
    most = strength * SIDE * (SIDE - 2.0 * eccentricity)
    for share, holds in ((0.95, True), (1.05, False)):
        case = LoadCase()
        case.add_point_load(1, (eccentricity, 0.0, 0.5), (0.0, 0.0, -share * most))
        at_rest = trial.engine.static(block, case).verdict == "stable"
        trial.verdict("{} of the strength holds at rest".format(share), holds, at_rest)
        moved = follow(trial, block, case, 0.3, 1e-3).summary["max_displacement"]
        trial.verdict("{} of the strength holds in motion".format(share), holds, bool(moved < 5e-3))
