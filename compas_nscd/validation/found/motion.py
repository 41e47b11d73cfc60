"""Found wrong: motions (V59 to V65, V69)."""

from __future__ import annotations

import math

import numpy as np

from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.loads.body_acceleration import BodyAcceleration
from compas_nscd.loads.case import LoadCase
from compas_nscd.loads.ground_motion import GroundMotion
from compas_nscd.loads.point_load import PointLoad
from compas_nscd.model.structure import Structure
from compas_nscd.templates import wall
from compas_nscd.validation.case import Trial
from compas_nscd.validation.chapter import Chapter
from compas_nscd.validation.scenes import GRAVITY as G
from compas_nscd.validation.scenes import box as scene_box
from compas_nscd.validation.scenes import prism, structure_of
from compas_nscd.validation.single_blocks import lean, peaks_of, rocking_block
from compas_nscd.validation.solids import SLAB, box, follow, slope, structure

CHAPTER = Chapter("Found wrong: motions")
#: A support out of reach, for bodies that float.
FAR = box((-50.0, -50.0, -60.0))


@CHAPTER.case(
    "V59", "Shear stiffness with theta 0.5 and 0.75", "D", "F / (kt A)", "The load grows slowly, over 100 periods: 2 %"
)
def theta_shear(trial: Trial) -> None:
    """2 x 2 m joint, kt 2e6 Pa/m, 300 N that grow over 1 s, h = 5 ms: mean of the last 0.5 s of 2 s."""
    law = ContactLaw(0.8, "elastic", normal_stiffness=2e8, tangential_stiffness=2e6)
    block = structure([SLAB, box((-1.0, -1.0, 0.0), (2.0, 2.0, 0.5))], law=law, density=100.0)
    case = LoadCase(loads=[PointLoad(1, (0.0, 0.0, 0.0), (300.0, 0.0, 0.0), ([0.0, 1.0, 3.0], [0.0, 1.0, 1.0]))])
    for theta in (0.5, 0.75, 1.0):
        result = follow(trial, block, case, 2.0, 5e-3, theta=theta, interval=5e-3)
        x = result.displacement(1)[result.times > 1.5, 0]
        trial.number("theta {}: displacement [um]".format(theta), 37.5, 1e6 * float(x.mean()), relative=0.02)


@CHAPTER.case(
    "V60", "Viscous joint on a slope of 20 degrees", "D", "rho g h sin(20) / eta", "The first order of the scheme: 1 %"
)
def viscous_creep(trial: Trial) -> None:
    """Cube of 1 m, mu 0.8, eta 5e4 and 5e6 Pa s/m: rate after 1 s, h = 2 ms."""
    for viscosity in (5e4, 5e6):
        law = ContactLaw(0.8, "viscous", viscosity=viscosity)
        result = follow(trial, structure([SLAB, box((-0.5, -0.5, 0.0))], law=law), slope(20.0), 1.0, 2e-3)
        rate = 2000.0 * G * math.sin(math.radians(20.0)) / viscosity
        trial.number(
            "eta {:g}: rate [mm/s]".format(viscosity), 1e3 * rate, 1e3 * float(result.velocity[-1, 1, 0]), relative=0.01
        )


@CHAPTER.case("V61", "Pulse of 1 ms with steps of 5, 1 and 0.1 ms", "D", "integral of the table", "rounding")
def short_pulse(trial: Trial) -> None:
    """A triangle of 1 ms that begins at 2.1 ms, as a load and as a body acceleration; nothing else acts."""
    times, factors = [0.0, 2.1e-3, 2.6e-3, 3.1e-3, 1.0], [0.0, 0.0, 1.0, 0.0, 0.0]
    body = structure([FAR, box((0.0, 0.0, 0.0))], density=1000.0)
    load = LoadCase(gravity=(0.0, 0.0, 0.0), loads=[PointLoad(1, (0.5, 0.5, 0.5), (1e6, 0.0, 0.0), (times, factors))])
    push = LoadCase(gravity=(0.0, 0.0, 0.0), accelerations=[BodyAcceleration("x", times, [1e3 * f for f in factors])])
    for name, case in (("load", load), ("body acceleration", push)):
        for step in (5e-3, 1e-3, 1e-4):
            result = follow(trial, body, case, 0.02, step)
            quantity = "{}, h {:g} ms: velocity [m/s]".format(name, 1e3 * step)
            trial.number(quantity, 0.5, float(result.velocity[-1, 1, 0]), relative=1e-6)


@CHAPTER.case("V62", 'Rocking peaks with time_step="auto"', "D", "Housner 1963", "asked of the error estimate: 2 %")
def automatic_step(trial: Trial) -> None:
    """A block of slenderness 0.3 (0.3 x 1 m) released at 0.12 rad."""
    start = 0.12
    result = follow(trial, structure([SLAB, rocking_block(start, 0.3, 1.0)], 1.0), None, 1.5, "auto", interval=1e-3)
    peaks = peaks_of(start + lean(result))
    for k, expected in enumerate((0.0859, 0.0631)):
        trial.number(
            "peak {} [rad]".format(k + 1), expected, float(peaks[k]) if k < len(peaks) else None, relative=0.02
        )


@CHAPTER.case(
    "V63", "Ties between blocks without weight and in free fall", "D", "they stay together", "1e-4 of the size"
)
def ties(trial: Trial) -> None:
    """Two cubes tied side by side: pulled apart by 1 kN; one thrown at 5 m/s, without gravity and in free fall."""
    law = ContactLaw(kind="tie")
    pair = structure([FAR, box((0.0, 0.0, 0.0)), box((1.0, 0.0, 0.0))], law=law)
    pulls = [PointLoad(k, (x, 0.5, 0.5), (f, 0.0, 0.0)) for k, x, f in ((1, 0.0, -1e3), (2, 2.0, 1e3))]
    floating, falling = LoadCase(gravity=(0.0, 0.0, 0.0)), LoadCase()
    for thrown in (floating, falling):
        thrown.set_velocity(1, (0.0, 0.0, 5.0))
    pulled = LoadCase(gravity=(0.0, 0.0, 0.0), loads=pulls)
    for name, case in (("pulled", pulled), ("without weight", floating), ("in free fall", falling)):
        result = follow(trial, pair, case, 0.5, 2e-3)
        apart = np.linalg.norm(result.position[-1, 2] - result.position[-1, 1]) - 1.0
        trial.number("{}: change of distance [m]".format(name), 0.0, float(abs(apart)), absolute=1e-4)


#: Pairs of V64 in one motion, and motions; 10,000 in all.
PAIRS, MOTIONS = 500, 20


@CHAPTER.case(
    "V64",
    "Energy of 10,000 oblique hits with restitution",
    "D",
    "no hit gains energy",
    "1e-6 of the energy: tolerance of a step",
    False,
)
def oblique_hits(trial: Trial) -> None:
    """Pairs of turned cubes with random velocities and spins, e and mu random: greatest gain over the energy before."""
    worst = -math.inf
    for seed in range(MOTIONS):
        worst = max(worst, _greatest_gain(trial, np.random.default_rng(seed)))
    trial.number("greatest gain [-]", 0.0, max(worst, 0.0), absolute=1e-6)


def _greatest_gain(trial: Trial, random: np.random.Generator) -> float:
    """Greatest gain of kinetic energy of PAIRS pairs of cubes that meet, over what each pair had."""
    solids, case = [box((-50.0, -50.0, -600.0))], LoadCase(gravity=(0.0, 0.0, 0.0))
    for k in range(PAIRS):
        place = 10.0 * np.array([k % 25, k // 25, 0.0])
        for side in (-1.0, 1.0):
            vertices, faces = box((-0.5, -0.5, -0.5))
            turn, _ = np.linalg.qr(random.normal(size=(3, 3)))
            turn *= np.sign(np.linalg.det(turn))
            centre = place + [0.9 * side, *random.uniform(-0.3, 0.3, 2)]
            solids.append(((np.array(vertices) @ turn.T + centre).tolist(), faces))
            velocity = random.normal(size=3) - [3.0 * side, 0.0, 0.0]
            case.set_velocity(len(solids) - 1, velocity, random.normal(size=3))
    pairs = structure(solids, float(random.uniform(0.0, 1.0)), density=1000.0, planarity=1e-3)
    result = follow(trial, pairs, case, 0.3, 5e-3, restitution=float(random.uniform(0.2, 1.0)), interval=0.3)
    speed = result.velocity[[0, -1], 1:]  # inertia of a cube of 1 m: m / 6 about every axis
    energy = (speed[:, :, :3] ** 2).sum(axis=2) + (speed[:, :, 3:] ** 2).sum(axis=2) / 6.0
    before, after = energy.reshape(2, PAIRS, 2).sum(axis=2)
    return float(((after - before) / before).max())


@CHAPTER.case(
    "V65",
    "Wall of 30 blocks of unlike masses",
    "D",
    "it rests; a ground motion below its limit moves nothing",
    "0.1 mm, 1 mm",
    False,
)
def unlike_masses(trial: Trial) -> None:
    """Densities from 1 to 1e5 at rest for 1 s; from 1 to 1e3 shaken with 0.1 g at 2 Hz for 1 s. h = 5 ms."""
    for greatest, ground, name, tolerance in ((1e5, 0.0, "at rest", 1e-4), (1e3, 0.1, "shaken", 1e-3)):
        masonry = wall(5, 6)
        random = np.random.default_rng(0)
        for block in masonry.blocks:
            block.density = float(greatest ** random.uniform(0.0, 1.0))
        shaking = [GroundMotion.sine("x", ground * G, 2.0, phase=90.0)] if ground else []
        result = follow(trial, masonry, LoadCase(ground=shaking), 1.0, 5e-3)
        moved = np.linalg.norm(result.position[-1] - result.centroid - result.ground[-1], axis=1).max()
        trial.number("{}: displacement [m]".format(name), 0.0, float(moved), absolute=tolerance)


#: V69: least and greatest amplitude at overturning [g] by UDEC, LMGC90 and HybriDFEM, by duration of the pulse [s].
OVERTURNING = {
    0.15: (2.05, 2.20),
    0.2: (1.45, 1.48),
    0.3: (0.87, 0.88),
    0.4: (0.29, 0.31),
    0.5: (0.25, 0.27),
    1.0: (0.20, 0.21),
}


def tapered_column() -> Structure:
    """Eight trapezoids on a base: widths from 1.11 m at the foot to 0.9 m at 5.95 m, seven heights of 0.82 m."""
    levels = [0.82 * k for k in range(8)] + [5.95]
    half = [0.5 * (1.11 - 0.21 * z / 5.95) for z in levels]
    blocks = [scene_box((-2.0, -0.5, -0.5), (2.0, 0.5, 0.0), True)]
    for (z0, a), (z1, b) in zip(zip(levels, half), zip(levels[1:], half[1:])):
        blocks.append(prism([(-a, z0), (a, z0), (b, z1), (-b, z1)], 1.0, density=2620.0))
    return structure_of({"blocks": blocks, "mu": 0.7, "planar": "y"}, "column")


@CHAPTER.case(
    "V69",
    "Column of eight blocks under a base pulse",
    "P",
    "UDEC, LMGC90, HybriDFEM",
    "3 % beyond the three codes on either side",
    False,
    others="t_p 0.15 s: 2.05 / 2.20 / 2.14 g; 0.2: 1.46 / 1.48 / 1.45; 0.3: 0.87 / 0.88 / 0.87; "
    "0.4: 0.31 / 0.30 / 0.29; 0.5: 0.27 / 0.25 / 0.25; 1.0: 0.20 / 0.21 / 0.20; statically 0.19",
)
def column_pulse(trial: Trial) -> None:
    """Ground acceleration a for t_p, then -a/2 for 2 t_p: verdict 3 % below and above the codes, h = 2 ms."""
    column = tapered_column()
    static = trial.engine.limit(column, vary="acceleration:x", coulomb=False).multiplier_associated
    trial.number("statically [g]", 0.1933, static, relative=2e-3)
    for duration, (least, most) in OVERTURNING.items():
        for amplitude, expected in ((0.97 * least, "stable"), (1.03 * most, "collapse")):
            pulses = ((amplitude, duration, 0.0), (-0.5 * amplitude, 2.0 * duration, duration))
            case = LoadCase(ground=[GroundMotion.rectangular("x", a * G, length, start) for a, length, start in pulses])
            result = follow(trial, column, case, 3.0 * duration + 4.0, 2e-3, quiet=True)
            trial.verdict("t_p {} s, {:.3f} g".format(duration, amplitude), expected, result.verdict)
    trial.picture(column, (0.0, 0.0))
