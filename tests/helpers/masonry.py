"""Scenes with known limits, built here: a mistake of the templates must not hide in the tests as well."""

import numpy as np

from nscd_engine.core.monitor import Monitor
from nscd_engine.statics.run import run
from scene_requests import request_from_scene

GRAVITY = 9.81
BOX = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]


def box(low, high, support=False, density=2400.0):
    (x, y, z), (a, b, c) = low, high
    vertices = [[x, y, z], [a, y, z], [a, b, z], [x, b, z], [x, y, c], [a, y, c], [a, b, c], [x, b, c]]
    return {"vertices": vertices, "faces": BOX, "support": support, "density": density}


def prism(profile, depth, support=False, density=2400.0):
    """Profile of four points (x, z), counter-clockwise seen from -y, drawn out along y; one depth, or one per point."""
    depth = np.broadcast_to(np.asarray(depth, float), (4,))
    near = [[x, -0.5 * d, z] for (x, z), d in zip(profile, depth)]
    far = [[x, 0.5 * d, z] for (x, z), d in zip(profile, depth)]
    faces = [[0, 1, 2, 3], [7, 6, 5, 4], [0, 4, 5, 1], [1, 5, 6, 2], [2, 6, 7, 3], [3, 7, 4, 0]]
    return {"vertices": near + far, "faces": faces, "support": support, "density": density}


def arch(joints_in, joints_out, depth=1.0, friction=1.0, base=0.3):
    """Voussoirs between joints given by their ends (x, z), from right to left; a support outside either end.

    depth: one number, or a function of (x, z).
    """
    width = depth if callable(depth) else lambda x, z: depth

    def block(a, b, support=False):
        profile = [a[0], a[1], b[1], b[0]]
        return prism(profile, [width(*p) for p in profile], support)

    joints = [(np.asarray(i), np.asarray(o)) for i, o in zip(joints_in, joints_out)]
    blocks = [block(a, b) for a, b in zip(joints, joints[1:])]
    for end, inner, first in ((joints[0], joints[1], True), (joints[-1], joints[-2], False)):
        across = (end[1] - end[0])[::-1] * [1.0, -1.0]
        across *= np.sign(across @ (end[0] + end[1] - inner[0] - inner[1]))
        outside = tuple(p + base * across / np.linalg.norm(across) for p in end)
        support = block(outside, end, True) if first else block(end, outside, True)
        blocks.append(support)
    return {"blocks": blocks, "mu": friction}


def circular_arch(count, thickness, radius=1.0, angle=np.pi, **kwargs):
    """`count` voussoirs with straight edges; thickness and radius of the centre line [m]."""
    turn = np.linspace(0.5 * (np.pi - angle), 0.5 * (np.pi + angle), count + 1)
    ray = np.column_stack([np.cos(turn), np.sin(turn)])
    return arch((radius - 0.5 * thickness) * ray, (radius + 0.5 * thickness) * ray, **kwargs)


def elliptical_arch(thickness, rise, friction=1.0):
    """100 voussoirs about half an ellipse, half span 1 m; joints normal to the centre line."""
    turn = np.linspace(0.0, np.pi, 101)
    centre = np.column_stack([np.cos(turn), rise * np.sin(turn)])
    normal = np.column_stack([rise * np.cos(turn), np.sin(turn)])
    normal *= 0.5 * thickness / np.linalg.norm(normal, axis=1)[:, None]
    return arch(centre - normal, centre + normal, friction=friction)


def lunes(thickness):
    """Two opposite lunes of a hemispherical dome of radius 1 m, as Heyman cuts it.

    They are 4 degrees wide; a keystone of one degree lies between them, too little to matter.
    """
    half = np.linspace(0.0, 0.5 * np.pi - np.radians(0.5), 51)
    turn = np.concatenate([half, np.pi - half[::-1]])
    ray = np.column_stack([np.cos(turn), np.sin(turn)])
    return arch(
        (1.0 - 0.5 * thickness) * ray,
        (1.0 + 0.5 * thickness) * ray,
        depth=lambda x, z: 2.0 * abs(x) * np.tan(np.radians(2.0)),
    )


def _rod():
    """Profile of a rod 30 degrees from the vertical, cut vertically at x = 0, and the height of its head."""
    width, height, slope = 0.02, 1.0, np.tan(np.radians(30.0))
    top = height + width / slope
    return [(slope * height, 0.0), (slope * height + width, 0.0), (0.0, top), (0.0, height)], top


def leaning_rods(friction=1.0):
    """Two rods that lean on each other, on the ground."""
    rod, _ = _rod()
    mirror = [(-x, z) for x, z in (rod[1], rod[0], rod[3], rod[2])]
    ground = box((-2.0, -1.0, -0.5), (2.0, 1.0, 0.0), True)
    return {"blocks": [ground, prism(rod, 0.1), prism(mirror, 0.1)], "mu": friction}


def leaning_rods_need():
    """Friction that they need: H z_head = W (x_foot - x_centroid), H = mu W."""
    rod, top = _rod()
    x, z = np.array(rod).T
    cross = x * np.roll(z, -1) - np.roll(x, -1) * z
    centroid = ((x + np.roll(x, -1)) * cross).sum() / (3.0 * cross.sum())
    return (rod[0][0] - centroid) / top


def wall(courses, length=0.4, height=0.175, depth=0.25, friction=0.65):
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


def ferris_tin_loi(which):
    """The four walls of Ferris & Tin-Loi (2001) with the courses of docs/validation.md, V28."""
    half, whole = [0.5, 1, 1, 1, 1, 0.5], [1] * 5
    if which in (1, 2):
        return wall([half, whole] * (3 if which == 1 else 5))
    if which == 3:
        full, offset = [1] * 4, [0.5, 1, 1, 1, 0.5]
        window, jamb = [1, 0.5, -1, 0.5, 1], [0.5, 1, -1, 1, 0.5]
    else:
        full, offset = half, whole
        jamb, window = [1, -1, 1, -1, 1], [0.5, 0.5, -1, 0.5, 0.5, -1, 0.5, 0.5]
    return wall([full, offset, full, jamb, window, jamb, window, jamb, full, offset, full])


def static(scene, **settings):
    """Reply of the verb `static`, at the tolerance the client asks for."""
    chosen = dict({"tolerance": 1e-10, "friction": "associated", "max_iterations": 400}, **settings)
    return run(request_from_scene(scene, chosen), Monitor())


def verdict(scene, **settings):
    """Verdict of a converged analysis."""
    reply = static(scene, **settings)
    assert reply["status"] == "converged", (reply["status"], reply["residual"])
    return reply["verdict"]


def pushed(scene, share):
    """The same scene with a horizontal body force, `share` of the weight, along x."""
    return dict(scene, gravity=[share * GRAVITY, 0.0, -GRAVITY])


def tilted(scene, angle):
    """The same scene on a table tilted about y."""
    return dict(scene, gravity=[GRAVITY * np.sin(angle), 0.0, -GRAVITY * np.cos(angle)])
