"""Experiments: tests that people made on real blocks and bridges, with the numbers that they read.

A model of rigid blocks leaves things out; each case says which. A miss is shown as a miss.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from compas_nscd.loads.case import LoadCase
from compas_nscd.results.dynamic import DynamicResult
from compas_nscd.validation.case import Trial
from compas_nscd.validation.chapter import Chapter
from compas_nscd.validation.scenes import GRAVITY as G
from compas_nscd.validation.scenes import arch, structure_of
from compas_nscd.validation.single_blocks import lean, rocking_block
from compas_nscd.validation.solids import SLAB, box, follow, structure, turned

CHAPTER = Chapter("Experiments")
ELGAWADY = (
    "ElGawady, Ma, Butterworth and Ingham, Effects of interface material on the dynamic behaviour of rigid blocks "
    "(abstract, taylorfrancis.com, 10.1201/9781003060888-45)"
)

#: Prestwood bridge. Ring [m] as in the report; span, rise, width and cover [m] as later papers quote them (assumed).
RING, SPAN, RISE, WIDTH, COVER = 0.22, 6.55, 1.43, 3.8, 0.165
#: Specific weight of brickwork and of fill [N/m3] (assumed).
BRICKWORK, FILL = 20e3, 20e3
#: Voussoirs of the model: a hinge can form every 0.15 m.
VOUSSOIRS = 50


@CHAPTER.case(
    "E1",
    "Prestwood bridge, load on a line at quarter span",
    "E",
    "TRRL report RR110 (trl.co.uk/reports/RR110): brick ring of 220 mm, four hinges at 228 kN",
    "Loads at collapse of one bridge differ by a fifth from models without measured strengths: 20 %.",
    False,
    leaves_out="the passive resistance of the fill, its spreading of the load, its distortion, the spandrel walls; "
    "span, rise, width, cover and weights are quoted, not read in the report",
)
def prestwood(trial: Trial) -> None:
    """Segmental ring of 50 voussoirs; fill as dead weight on the extrados; a line load on the ring, mu 0.6."""
    scene, tops = prestwood_ring()
    bridge = structure_of(scene, "Prestwood bridge, ring alone")
    case = LoadCase()
    for block, (left, right) in enumerate(tops):
        heights = [RISE + RING + COVER - z for _, z in (left, right)]
        middle = 0.5 * (np.array(left) + np.array(right))
        weight = FILL * WIDTH * abs(right[0] - left[0]) * 0.5 * sum(heights)
        case.add_point_load(block, (middle[0], 0.0, middle[1]), (0.0, 0.0, -weight))
    at = min(range(VOUSSOIRS), key=lambda k: abs(0.5 * (tops[k][0][0] + tops[k][1][0]) - 0.25 * SPAN))
    x, z = 0.5 * (np.array(tops[at][0]) + np.array(tops[at][1]))
    case.add_point_load(at, (x, 0.0, z), (0.0, 0.0, -1e3))
    found = trial.engine.limit(bridge, case, "loads:{}".format(VOUSSOIRS), coulomb=False)
    trial.number("load [kN]", 228.0, found.multiplier_associated, relative=0.2)
    trial.number("hinges", 4, len(found.hinges))
    trial.picture(found, (0.0, 0.0))


def prestwood_ring() -> tuple[dict[str, Any], list]:
    """Scene of the ring, and the ends (x, z) of the extrados of every voussoir [m]."""
    radius = (0.25 * SPAN**2 + RISE**2) / (2.0 * RISE)
    half = math.asin(0.5 * SPAN / radius)
    turn = np.linspace(0.5 * math.pi - half, 0.5 * math.pi + half, VOUSSOIRS + 1)
    ray = np.column_stack([np.cos(turn), np.sin(turn)])
    inner, outer = (r * ray - [0.0, radius - RISE] for r in (radius, radius + RING))
    scene = arch(inner, outer, depth=WIDTH, friction=0.6)
    scene["blocks"] = [dict(block, density=BRICKWORK / G) for block in scene["blocks"]]
    return scene, [(tuple(a), tuple(b)) for a, b in zip(outer, outer[1:])]


def _kept(result: DynamicResult, start: float) -> float:
    """Share of the angular velocity that is left after the first impact [-]: both are read at 0.01 rad from upright."""
    angle, speed = start + lean(result), np.abs(result.velocity[:, 1, 4])
    before = int(np.argmax(angle < 0.01))
    after = int(np.argmax(angle < -0.01))
    return float(speed[after] / speed[before])


def _rocking(trial: Trial, ratio: float) -> float:
    """Restitution of a block of this height over width, released at half its slenderness angle."""
    start, height = 0.5 * math.atan(1.0 / ratio), 1.0
    block = structure([SLAB, rocking_block(start, height / ratio, height)], 1.0)
    result = follow(trial, block, None, 0.5, 5e-4, interval=5e-4)
    return _kept(result, start)


@CHAPTER.case(
    "E2",
    "Free rocking on concrete: angular velocity kept at an impact",
    "E",
    ELGAWADY,
    "The source says approximately; 5 % covers its two ratios.",
    False,
    leaves_out="material of the base, bouncing, rounded edges: the loss is that of a plastic impact on an edge",
)
def rocking_on_concrete(trial: Trial) -> None:
    """Height over width 3 and 5. Measured: 0.97 and 0.95 of 1 - 1.5 sin(alpha)^2."""
    for ratio, share in ((3.0, 0.97), (5.0, 0.95)):
        predicted = 1.0 - 1.5 * math.sin(math.atan(1.0 / ratio)) ** 2
        trial.number("ratio {:g}: restitution".format(ratio), share * predicted, _rocking(trial, ratio), relative=0.055)


@CHAPTER.case(
    "E3",
    "Free rocking on rubber",
    "E",
    ELGAWADY,
    "as on concrete",
    False,
    leaves_out="the damping of the rubber, which is what was measured here: a miss",
)
def rocking_on_rubber(trial: Trial) -> None:
    """Height over width 5. Measured: 0.67 of 1 - 1.5 sin(alpha)^2. Rigid blocks on a rigid base do not lose as much."""
    predicted = 1.0 - 1.5 * math.sin(math.atan(1.0 / 5.0)) ** 2
    trial.number("ratio 5: restitution", 0.67 * predicted, _rocking(trial, 5.0), relative=0.055)


@CHAPTER.case(
    "E4",
    "A brick that topples from 35 degrees",
    "E",
    "physicsforums.com, thread 975485: red brick of 0.225 x 0.104 m, time by the sound on a telephone",
    "The author read 0.4 or 0.5 s.",
    False,
    leaves_out="rounded edges, sliding of a real floor (mu 1 here)",
)
def toppling_brick(trial: Trial) -> None:
    """Released at rest at 35 degrees from upright, beyond its balance at 24.8; time until it lies."""
    start = math.radians(35.0)
    brick = turned(box((0.0, -0.0375, 0.0), (0.104, 0.075, 0.225)), start)
    result = follow(trial, structure([SLAB, brick], 1.0, 2300.0), None, 1.0, 1e-3, interval=1e-3)
    lying = np.degrees(start + np.abs(lean(result))) > 89.0
    trial.inside("time [s]", 0.4, 0.5, float(result.times[int(np.argmax(lying))]) if lying.any() else None)
