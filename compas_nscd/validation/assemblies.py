"""Random assemblies of boxes, for comparisons of solvers with each other and with other programs."""

from __future__ import annotations

import numpy as np

from compas_nscd.loads.case import LoadCase
from compas_nscd.model.structure import Structure
from compas_nscd.validation.scenes import GRAVITY
from compas_nscd.validation.solids import box, structure


def random_assembly(seed: int, clamped: bool = False, in_plane: bool = False) -> tuple[Structure, LoadCase]:
    """Courses of boxes of random lengths with gaps on a slab, pushed, tilted or loaded at random.

    Parameters
    ----------
    seed : int
    clamped : bool, optional
        Between two fixed walls that touch the ends of the first course. Default: one support, between whose parts no
        self-stress is possible.
    in_plane : bool, optional
        All loads act in the middle plane y = const: nothing twists.
    """
    random = np.random.default_rng(seed)
    courses, width = int(random.integers(2, 5)), float(random.uniform(0.8, 1.6))
    height, depth = float(random.uniform(0.15, 0.3)), float(random.uniform(0.2, 0.4))
    solids = [box((-1.0, -1.0, -0.3), (width + 2.0, depth + 2.0, 0.3))]
    for k in range(courses):
        joints = _joints(random, width)
        for j, (x0, x1) in enumerate(zip(joints, joints[1:])):
            if k < courses - 1 or j == 0 or random.random() > 0.3:  # only the top course has gaps: nothing floats
                solids.append(box((x0, 0.0, k * height), (x1 - x0, depth, height)))
    supports = [0]
    if clamped:
        supports += [len(solids), len(solids) + 1]
        solids += [box((x, -0.5, 0.0), (0.4, depth + 1.0, 0.9 * height)) for x in (-0.4, width)]
    assembly = structure(solids, float(random.uniform(0.3, 0.8)), supports=supports, name="assembly {}".format(seed))
    return assembly, _random_case(random, assembly, supports, in_plane)


def _joints(random: np.random.Generator, width: float) -> np.ndarray:
    """Ends of the boxes of a course [m], none shorter than a tenth of the width."""
    inner = np.sort(random.uniform(0.1, 0.9, random.integers(1, 4)))
    inner = inner[np.diff(inner, prepend=-1.0) > 0.1]
    return width * np.concatenate([[0.0], inner[inner < 0.9], [1.0]])


def _random_case(random: np.random.Generator, assembly: Structure, supports: list[int], in_plane: bool) -> LoadCase:
    """A tilt of up to 35 degrees in a random direction, and in half the cases a force on a random block."""
    tilt, towards = random.uniform(0.0, np.radians(35.0)), random.uniform(0.0, 2.0 * np.pi)
    plane = np.array([1.0, 0.0, 1.0]) if in_plane else np.ones(3)
    down = plane * [np.sin(tilt) * np.cos(towards), np.sin(tilt) * np.sin(towards), -np.cos(tilt)]
    case = LoadCase(gravity=GRAVITY * down)
    if random.random() < 0.5:
        block = int(random.choice([k for k in range(len(assembly.blocks)) if k not in supports]))
        vertices = assembly.blocks[block].vertices
        size, weight = np.ptp(vertices, axis=0), assembly.blocks[block].density * GRAVITY
        place = random.uniform(0.2, 0.8, 3)
        place[1] = 0.5 if in_plane else place[1]
        force = plane * random.uniform(-1.0, 1.0, 3) * weight * float(np.prod(size))
        case.add_point_load(block, vertices.min(axis=0) + place * size, force)
    return case
