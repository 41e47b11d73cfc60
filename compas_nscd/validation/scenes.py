"""Structures with known limits, as scenes of the documented interchange format.

They are built here and not by the templates, whose mistakes would hide in the cases as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Union

import numpy as np

from compas_nscd.files.scene_file import arguments
from compas_nscd.model.structure import Structure

#: A scene, and a block in it.
Scene = dict[str, Any]
#: Depth of a voussoir along y [m]: one number, or a function of (x, z).
Depth = Union[float, Callable[[float, float], float]]

#: Acceleration of gravity [m/s2].
GRAVITY = 9.81
BOX = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]


def structure_of(scene: Scene, name: str = "scene") -> Structure:
    """The Structure of a scene; blocks are numbered."""
    blocks = [dict(block, id=k) for k, block in enumerate(scene["blocks"])]
    return Structure(**arguments(dict(scene, name=name, blocks=blocks), name))


def box(low: Sequence[float], high: Sequence[float], support: bool = False, density: float = 2400.0) -> Scene:
    """A box between two corners [m]."""
    (x, y, z), (a, b, c) = low, high
    vertices = [[x, y, z], [a, y, z], [a, b, z], [x, b, z], [x, y, c], [a, y, c], [a, b, c], [x, b, c]]
    return {"vertices": vertices, "faces": BOX, "support": support, "density": density}


def prism(profile: Sequence[Any], depth: Any, support: bool = False, density: float = 2400.0) -> Scene:
    """Profile of four points (x, z), counter-clockwise seen from -y, drawn out along y; one depth, or one per point."""
    depths = np.broadcast_to(np.asarray(depth, float), (4,))
    near = [[x, -0.5 * d, z] for (x, z), d in zip(profile, depths)]
    far = [[x, 0.5 * d, z] for (x, z), d in zip(profile, depths)]
    faces = [[0, 1, 2, 3], [7, 6, 5, 4], [0, 4, 5, 1], [1, 5, 6, 2], [2, 6, 7, 3], [3, 7, 4, 0]]
    return {"vertices": near + far, "faces": faces, "support": support, "density": density}


def arch(joints_in: Any, joints_out: Any, depth: Depth = 1.0, friction: float = 1.0, base: float = 0.3) -> Scene:
    """Voussoirs between joints given by their ends (x, z), from right to left; a support outside either end."""
    joints = [(np.asarray(i), np.asarray(o)) for i, o in zip(joints_in, joints_out)]
    blocks = [_voussoir(a, b, depth) for a, b in zip(joints, joints[1:])]
    for end, inner, first in ((joints[0], joints[1], True), (joints[-1], joints[-2], False)):
        across = (end[1] - end[0])[::-1] * [1.0, -1.0]
        across *= np.sign(across @ (end[0] + end[1] - inner[0] - inner[1]))
        outside = tuple(p + base * across / np.linalg.norm(across) for p in end)
        blocks.append(_voussoir(outside, end, depth, True) if first else _voussoir(end, outside, depth, True))
    return {"blocks": blocks, "mu": friction}


def _voussoir(a: Any, b: Any, depth: Depth, support: bool = False) -> Scene:
    profile = [a[0], a[1], b[1], b[0]]
    return prism(profile, [depth(*p) if callable(depth) else depth for p in profile], support)


def circular_arch(count: int, thickness: float, radius: float = 1.0, angle: float = np.pi, **options: Any) -> Scene:
    """`count` voussoirs with straight edges; thickness and radius of the centre line [m]; options of `arch`."""
    turn = np.linspace(0.5 * (np.pi - angle), 0.5 * (np.pi + angle), count + 1)
    ray = np.column_stack([np.cos(turn), np.sin(turn)])
    return arch((radius - 0.5 * thickness) * ray, (radius + 0.5 * thickness) * ray, **options)


def elliptical_arch(thickness: float, rise: float, friction: float = 1.0) -> Scene:
    """100 voussoirs about half an ellipse, half span 1 m; joints normal to the centre line."""
    turn = np.linspace(0.0, np.pi, 101)
    centre = np.column_stack([np.cos(turn), rise * np.sin(turn)])
    normal = np.column_stack([rise * np.cos(turn), np.sin(turn)])
    normal *= 0.5 * thickness / np.linalg.norm(normal, axis=1)[:, None]
    return arch(centre - normal, centre + normal, friction=friction)


def fixed_end_arch() -> Scene:
    """The arch of compas_cra: intrados 5 m, t 0.5 m, 20 blocks of which the end ones are fixed, specific weight 1."""
    turn = np.linspace(0.0, np.pi, 21)
    ray = np.column_stack([np.cos(turn), np.sin(turn)])
    scene = arch(5.0 * ray, 5.5 * ray, depth=0.5, friction=0.7)
    scene["blocks"] = [dict(block, density=1.0 / GRAVITY) for block in scene["blocks"][:20]]
    scene["blocks"][0]["support"] = scene["blocks"][-1]["support"] = True
    return scene


def lunes(thickness: float) -> Scene:
    """Two opposite lunes of a hemispherical dome of radius 1 m, as Heyman cuts it.

    They are 4 degrees wide; a keystone of one degree lies between them, too little to matter.
    """
    half = np.linspace(0.0, 0.5 * np.pi - np.radians(0.5), 51)
    turn = np.concatenate([half, np.pi - half[::-1]])
    ray = np.column_stack([np.cos(turn), np.sin(turn)])
    return arch(
        (1.0 - 0.5 * thickness) * ray,
        (1.0 + 0.5 * thickness) * ray,
        depth=lambda x, z: 2.0 * abs(x) * float(np.tan(np.radians(2.0))),
    )


def _rod() -> tuple[list[tuple[float, float]], float]:
    """Profile of a rod 30 degrees from the vertical, cut vertically at x = 0, and the height of its head."""
    width, height, slope = 0.02, 1.0, float(np.tan(np.radians(30.0)))
    top = height + width / slope
    return [(slope * height, 0.0), (slope * height + width, 0.0), (0.0, top), (0.0, height)], top


def leaning_rods(friction: float = 1.0) -> Scene:
    """Two rods that lean on each other, on the ground."""
    rod, _ = _rod()
    mirror = [(-x, z) for x, z in (rod[1], rod[0], rod[3], rod[2])]
    ground = box((-2.0, -1.0, -0.5), (2.0, 1.0, 0.0), True)
    return {"blocks": [ground, prism(rod, 0.1), prism(mirror, 0.1)], "mu": friction}


def leaning_rods_need() -> float:
    """Friction that they need: H z_head = W (x_foot - x_centroid), H = mu W."""
    rod, top = _rod()
    x, z = np.array(rod).T
    cross = x * np.roll(z, -1) - np.roll(x, -1) * z
    centroid = ((x + np.roll(x, -1)) * cross).sum() / (3.0 * cross.sum())
    return float((rod[0][0] - centroid) / top)


def wall(
    courses: Sequence[Sequence[float]],
    length: float = 0.4,
    height: float = 0.175,
    depth: float = 0.25,
    friction: float = 0.65,
) -> Scene:
    """Courses from bottom to top, blocks in multiples of `length`, negative for an opening; on a fixed slab."""
    widest = max(sum(map(abs, course)) for course in courses) * length
    blocks = [box((-0.5, -0.5, -0.2), (widest + 0.5, depth + 0.5, 0.0), True)]
    for k, course in enumerate(courses):
        x = 0.0
        for size in course:
            if size > 0:
                blocks.append(box((x, 0.0, k * height), (x + size * length, depth, (k + 1) * height)))
            x += abs(size) * length
    return {"blocks": blocks, "mu": friction}


def ferris_tin_loi(which: int) -> Scene:
    """The four walls of Ferris and Tin-Loi (2001)."""
    half, whole = [0.5, 1.0, 1.0, 1.0, 1.0, 0.5], [1.0] * 5
    if which in (1, 2):
        return wall([half, whole] * (3 if which == 1 else 5))
    if which == 3:
        full, offset = [1.0] * 4, [0.5, 1.0, 1.0, 1.0, 0.5]
        window, jamb = [1.0, 0.5, -1.0, 0.5, 1.0], [0.5, 1.0, -1.0, 1.0, 0.5]
    else:
        full, offset = half, whole
        jamb, window = [1.0, -1.0, 1.0, -1.0, 1.0], [0.5, 0.5, -1.0, 0.5, 0.5, -1.0, 0.5, 0.5]
    return wall([full, offset, full, jamb, window, jamb, window, jamb, full, offset, full])


def dem_barrel() -> Scene:
    """The barrel vault of compas_dem: span 7 m, rise 0.1 m, t 0.25 m, 3 m long, nine voussoirs by 13 courses in bond.

    Courses of every second voussoir are shifted by half, which makes 121 blocks; the 26 at the springings are fixed.
    """
    span, rise, thickness, length, rings, courses = 7.0, 0.1, 0.25, 3.0, 9, 13
    radius = (0.25 * span**2 + rise**2) / (2.0 * rise)
    half = np.arcsin(0.5 * span / radius)
    ray = np.column_stack([np.sin(turn := np.linspace(half, -half, rings + 1)), np.cos(turn)])
    inner, outer = ((radius + side * 0.5 * thickness) * ray for side in (-1.0, 1.0))
    low = inner[0, 1]
    blocks = []
    for k in range(rings):
        profile = [(x, z - low) for x, z in (inner[k], outer[k], outer[k + 1], inner[k + 1])]
        joints = np.linspace(0.0, length, courses + 1)
        if k % 2:
            joints = np.unique(np.concatenate([[0.0], joints[:-1] + 0.5 * length / courses, [length]]))
        for y0, y1 in zip(joints, joints[1:]):
            block = prism(profile, y1 - y0, k in (0, rings - 1), 2000.0)
            block["vertices"] = [[x, y + 0.5 * (y0 + y1 - length), z] for x, y, z in block["vertices"]]
            blocks.append(block)
    return {"blocks": blocks, "mu": 0.5}
