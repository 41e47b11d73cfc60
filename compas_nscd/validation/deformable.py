"""Deformable blocks: stress, waves, friction, and an arch of triangles (V70 to V78)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.blocks.elastic import Elastic
from compas_nscd.drawing.picture import draw_elastic
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.structure import Structure
from compas_nscd.results.static import StaticResult
from compas_nscd.templates.arch import arch
from compas_nscd.templates.parts.shapes import Solid
from compas_nscd.validation.case import WIDTH, Trial
from compas_nscd.validation.chapter import Chapter
from compas_nscd.validation.published import example
from compas_nscd.validation.scenes import GRAVITY as G
from compas_nscd.validation.scenes import prism
from compas_nscd.validation.solids import SLAB, box, follow, slope, structure

CHAPTER = Chapter("Deformable blocks")
#: Density [kg/m3] and Young's modulus [Pa] of the stone of Acary and Jean.
DENSITY, YOUNG = 2700.0, 6e10
NO_GRAVITY = (0.0, 0.0, 0.0)
ROUNDING = "Linear equations are solved to rounding."


@CHAPTER.case(
    "V70",
    "Patch test: unlike meshes pressed together",
    "D",
    "constant stress F / A",
    ROUNDING + " Distorted hexahedra need not pass: 4 %.",
)
def patch_test(trial: Trial) -> None:
    """Two cubes between a support and a rigid plate, 1 MN, nu 0; then with a trapezium for a plan, joint oblique."""
    for below, above in ((("h8", 2), ("t4", 3)), (("t4", 1), ("h8", 3)), (("t4", 2), ("t4", 1))):
        meshes = "{} {} on {} {}".format(*above, *below)
        trial.number(meshes + ": error of the stress [F/A]", 0.0, _pressed(trial, below, above), absolute=1e-10)
    planar = _pressed(trial, ("t3", 2), ("t3", 3), planar="y")
    trial.number("t3 3 on t3 2, planar: error of the stress [F/A]", 0.0, planar, absolute=1e-10)
    distorted = _pressed(trial, ("h8", 2), ("h8", 3), far=0.6)
    trial.number("h8 3 on h8 2, distorted: error of the stress [F/A]", 0.0, distorted, absolute=4e-2)


def _pressed(trial: Trial, below: tuple[str, int], above: tuple[str, int], far: float = 1.0, **options: Any) -> float:
    """Greatest error of a stress of two blocks pressed by a plate [F/A].

    They are 1 m deep at x = 0 and `far` at x = 1 m, where their joint is higher by half of what the depth lacks.
    """
    rise = 0.5 * (1.0 - far)
    heights = [(0.0, 0.0), (1.0, 1.0 + rise), (2.0, 2.0), (2.2, 2.2)]
    parts = [SLAB] + [_solid(low, high, far) for low, high in zip(heights, heights[1:])]
    pair = structure(parts, 0.8, **options)
    for k, (elements, refine) in enumerate((below, above), start=1):
        pair.deform(Elastic(YOUNG, 0.0, elements, refine), blocks=[k])
    area, centroid = 0.5 * (1.0 + far), (1.0 + 2.0 * far) / (3.0 + 3.0 * far)
    case = LoadCase(gravity=NO_GRAVITY)
    case.add_point_load(3, (centroid, 0.0, 2.2), (0.0, 0.0, -1e6 * area))
    stress = _elastic(trial.engine.static(pair, case)).stress / 1e6
    stress[:, 2, 2] += 1.0
    return float(np.abs(stress).max())


def _solid(low: tuple[float, float], high: tuple[float, float], far: float) -> Solid:
    """A block from x = 0 to 1 m between heights at both ends, 1 m deep at x = 0 and `far` at x = 1 m."""
    scene = prism([(0.0, low[0]), (1.0, low[1]), (1.0, high[1]), (0.0, high[0])], (1.0, far, far, 1.0))
    return scene["vertices"], scene["faces"]


def _elastic(result: Any) -> Any:
    """Stresses of a result; a case whose structure falls has none and fails."""
    if result.elastic is None:
        raise ArithmeticError("The structure does not stand.")
    return result.elastic


@CHAPTER.case(
    "V72",
    "Rotation is no strain",
    "D",
    "a rigid motion: no stress, constant velocities",
    "Rounding of positions times Young's modulus, some 1e-12 E. Carried along tangents, 4 MPa would appear.",
    quick=False,
)
def rotation(trial: Trial) -> None:
    """1 x 0.6 x 0.3 m, E 6e10, in free flight: spun at 10 rad/s, and tumbling, for 0.2 s; h = 2 ms."""
    for elements in ("uniform", "h8"):
        result = _thrown(trial, elements, (0.0, 0.0, 10.0))
        stress = float(np.abs(_elastic(result).stress).max())
        trial.number("{}, spun: greatest stress [Pa]".format(elements), 0.0, stress, absolute=0.1)
        change = float(np.abs(result.velocity[:, 1] - result.velocity[0, 1]).max())
        trial.number("{}, spun: change of a velocity [m/s, rad/s]".format(elements), 0.0, change, absolute=1e-9)
    tumbling = _elastic(_thrown(trial, "h8", (6.0, 5.0, 4.0)))
    trial.number("h8, tumbling: greatest stress [Pa]", 0.0, float(np.abs(tumbling.stress).max()), absolute=0.1)


def _thrown(trial: Trial, elements: str, spin: tuple[float, float, float]) -> Any:
    case = LoadCase(gravity=NO_GRAVITY)
    case.set_velocity(1, (0.0, 0.0, 0.3), spin)
    block = structure([SLAB, box((-0.5, -0.3, 1.0), (1.0, 0.6, 0.3))])
    block.deform(Elastic(YOUNG, 0.2, elements))
    return follow(trial, block, case, 0.2, 2e-3)


@CHAPTER.case(
    "V73",
    "Bending and axial vibration of a clamped bar",
    "D",
    "F L^3 / 3 E I + 6 F L / 5 G A (Timoshenko); c / 4 L",
    "Four hexahedra through the depth: 2 %. Twenty along a quarter of a wave: 0.1 %.",
)
def clamped_bar(trial: Trial) -> None:
    """2 x 0.5 x 0.5 m, E 6e10, nu 0, tied to a support, 1 kN at its end, 4 x 4 x 4 H8; 1 m, 20 H8 in a row."""
    length, depth, force = 2.0, 0.5, 1e3
    bar = structure(
        [box((-1.0, -0.5, -0.5)), box((0.0, -0.25, -0.25), (length, depth, depth))], law=ContactLaw(kind="tie")
    )
    bar.deform(Elastic(YOUNG, 0.0, "h8", 4))
    case = LoadCase(gravity=NO_GRAVITY)
    for y in (-0.25, 0.25):
        for z in (-0.25, 0.25):
            case.add_point_load(1, (length, y, z), (0.0, 0.0, -0.25 * force))
    elastic = _elastic(trial.engine.static(bar, case))
    end = elastic.displacement[elastic.nodes[:, 0] > length - 1e-6, 2].mean()
    bending = force * length**3 / (3.0 * YOUNG * depth**4 / 12.0)
    shear = 1.2 * force * length / (0.5 * YOUNG * depth**2)
    trial.number("deflection [um]", 1e6 * (bending + shear), -1e6 * float(end), relative=0.02)
    modes = trial.engine.modes(_bar(20, 1.0, 0.05, 2000.0, Elastic(1e9, 0.0, "h8")), 12)
    axial = [k for k in range(len(modes)) if np.abs(modes.displacement(k, 20)[:, 0]).mean() > 0.5]
    trial.number("axial frequency [Hz]", math.sqrt(1e9 / 2000.0) / 4.0, float(modes.frequency[axial[0]]), relative=1e-3)


@CHAPTER.case(
    "V74",
    "Bar that hits a wall",
    "D",
    "2 L / c and rho c v A, of one-dimensional waves",
    "50 elements and a tenth of the time a wave takes an element: 1 %; the mean has a front of some elements, 5 %.",
    quick=False,
)
def bar_on_wall(trial: Trial) -> None:
    """1 m long, of 50 blocks in a row of one H8 each, E 1e9, nu 0, 0.1 m/s."""
    count, length, width, speed, density, young = 50, 1.0, 0.05, 0.1, 2000.0, 1e9
    c = math.sqrt(young / density)
    bar = _bar(count, length, width, density, Elastic(young, 0.0, "h8"))
    case = LoadCase(gravity=NO_GRAVITY)
    for k in range(1, count + 1):
        case.set_velocity(k, (-speed, 0.0, 0.0))
    h = 0.1 * length / count / c
    result = follow(trial, bar, case, 2.3 * length / c, h, interval=h, forces=True)
    force = np.array([_force_on_wall(result, at) for at in result.times[1:]])
    expected = density * c * speed * width**2
    on = force > 0.01 * expected
    trial.number("contact lasts [ms]", 2e3 * length / c, 1e3 * h * float(on.sum()), relative=0.01)
    trial.number("median force [N]", expected, float(np.median(force[on])), relative=0.01)
    trial.number("mean force [N]", expected, float(force[on].mean()), relative=0.05)


def _bar(count: int, length: float, width: float, density: float, elastic: Elastic) -> Structure:
    """A bar along x of blocks in a row that begins at a wall; nothing pulls them apart before the bar leaves it."""
    each = length / count
    solids = [box((-1.0, -0.5, -0.5))]
    solids += [box((k * each, -0.5 * width, -0.5 * width), (each, width, width)) for k in range(count)]
    bar = structure(solids, 0.0, density)
    bar.deform(elastic)
    return bar


def _force_on_wall(result: Any, at: float) -> float:
    """Force on the wall, which is block 0 [N]."""
    body, _, force = result.contact_forces(at)
    return float(np.abs(force[(body == 0).any(axis=1), 0].sum()))


@CHAPTER.case(
    "V75",
    "Deformable block on a slope of 30 degrees",
    "D",
    "g (sin - mu cos)",
    "The solver of a motion stops at an imbalance of 1e-4 of the weight.",
    quick=False,
)
def on_a_slope(trial: Trial) -> None:
    """One H8 of E 1e10, flat, 1.4 m, 0.14 m and 14 m long: mu 0.2 slides, mu 0.8 sticks, whatever the size."""
    for size in (1.4, 0.14, 14.0):
        for mu in (0.2, 0.8):
            slab = box((-5.0 * size, -5.0 * size, -size), (10.0 * size, 10.0 * size, size))
            block = structure([slab, box((0.0, 0.0, 0.0), (size, size, 0.5 * size))], mu)
            block.deform(Elastic(1e10, 0.2, "h8"))
            result = follow(trial, block, slope(30.0), 0.1 * math.sqrt(size), 2e-3 * math.sqrt(size))
            found = float(result.velocity[-1, 1, 0] / result.times[-1])
            expected = max(G * (math.sin(math.radians(30.0)) - mu * math.cos(math.radians(30.0))), 0.0)
            quantity = "{} m, mu {}: acceleration [m/s2]".format(size, mu)
            trial.number(quantity, expected, found, absolute=1e-4 * G)


@CHAPTER.case(
    "V76",
    "Young's modulus from 1e8 to 1e14",
    "D",
    "statics: stiffness scales displacements alone; rigid blocks; moment tensor",
    "Forces are solved to 1e-8 and better.",
)
def any_modulus(trial: Trial) -> None:
    """Arch of 9 blocks of one H8 each, nu 0.2; column of 6, whose joint forces are determinate."""
    forces = []
    for young in (6e10, 1e8, 1e14):
        ring = arch(4.0, 0.6, 0.5, 9)
        ring.deform(Elastic(young, 0.2, "h8"))
        result = trial.engine.static(ring)
        forces.append(result.contact_force / np.abs(result.contact_force).max())
        lack = _moment_tensor_lack(result)
        trial.number("E {:g}: mean stress less moment tensor [-]".format(young), 0.0, lack, absolute=1e-8)
    for young, force in ((1e8, forces[1]), (1e14, forces[2])):
        change = float(np.abs(force - forces[0]).max())
        trial.number("E {:g}: change of a contact force [-]".format(young), 0.0, change, absolute=1e-6)
    rigid, elastic = (trial.engine.static(_column(each)) for each in (None, Elastic(YOUNG, 0.0, "h8")))
    lack = np.abs(elastic.interface_resultants - rigid.interface_resultants).max() / (6.0 * DENSITY * G)
    trial.number("column: joint forces less those of rigid blocks [-]", 0.0, float(lack), absolute=1e-6)
    trial.picture(draw_elastic(result, width=WIDTH))


def _moment_tensor_lack(result: StaticResult) -> float:
    """Greatest difference of mean stress and moment tensor of a block, over the greatest of them [-]."""
    elastic, moment = _elastic(result), result.stresses().tensor
    lack = [np.abs(elastic.mean_stress(k) - moment[k]).max() / np.abs(moment[k]).max() for k in elastic.blocks]
    return float(max(lack))


def _column(elastic: Elastic | None = None) -> Structure:
    """A column of 3 m of six blocks, 1 x 1 m."""
    tall = structure([SLAB] + [box((0.0, 0.0, 0.5 * k), (1.0, 1.0, 0.5)) for k in range(6)], density=DENSITY)
    tall.deform(elastic)
    return tall


@CHAPTER.case(
    "V77",
    "Column under its weight",
    "D",
    "rho g H^2 / 2 E",
    ROUNDING + " Tetrahedra share out the weight unevenly: 0.2 %.",
)
def column(trial: Trial) -> None:
    """Six blocks, 3 m, 2700 kg/m3, E 6e10, nu 0: how far the top sinks."""
    exact = DENSITY * G * 3.0**2 / (2.0 * YOUNG)
    for elements, tolerance in (("uniform", 1e-6), ("h8", 1e-6), ("t4", 2e-3)):
        elastic = _elastic(trial.engine.static(_column(Elastic(YOUNG, 0.0, elements))))
        top = elastic.displacement[elastic.nodes[:, 2] > 2.999, 2]
        sinks = "{}: the top sinks [um]".format(elements)
        trial.number(sinks, 1e6 * exact, -1e6 * float(top.mean()), relative=tolerance)


@CHAPTER.case(
    "V78",
    "Arch of 30 blocks of eight triangles",
    "P",
    "Acary and Jean 1998, fig. 3 and 4a; weight over area of the springing",
    "Verdicts and places of the hinges; stresses within six times the mean of the springing, since edges press.",
    quick=False,
)
def arch_of_triangles(trial: Trial) -> None:
    """E 6e10, nu 0.27, 2700 kg/m3, mu 0.5, beside rigid blocks: gravity, shear wave, settlement of 4 cm."""
    found = example(trial, "acary_jean_1998/deformable_arch.py")
    for name in ("gravity", "shear wave", "settlement"):
        trial.verdict(name, "stable", found[name])
    trial.inside("greatest compression over weight / 2 A of the springing [-]", 1.0, 6.0, found["stress"])
    trial.verdict("joints that open as the support settles", found["rigid hinges"], found["hinges"])
