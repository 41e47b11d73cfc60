"""Spheres, discs and planar models: directions by name, and polyhedra that show what is round."""

import math

import numpy as np

from compas_nscd.geometry.findings import Finding

#: Corners of a disc as it is drawn.
CORNERS = 32
#: Times that the triangles of an icosahedron are divided into four to draw a sphere: 80 triangles.
DIVISIONS = 1


def findings(blocks, planar):
    """What is wrong with the spheres and discs among the blocks of a structure, planar about an axis or None."""
    bad, missing, odd, out = [], [], [], []
    for i, block in enumerate(blocks):
        if not block.is_round:
            continue
        lengths = [block.radius] if block.depth is None else [block.radius, block.depth]
        if not all(0.0 < length < math.inf for length in lengths):
            bad.append(i)
        elif not np.isfinite(block.vertices).all():
            missing.append(i)
        if block.depth is not None and (planar is None or abs(np.dot(planar, block.axis)) < 1.0 - 1e-9):
            odd.append(i)
    remedy = "Give each sphere and disc a radius, and each disc a depth, above zero in metres."
    _add(out, "radius", "The radius or depth is not a positive number", bad, remedy)
    _add(out, "not-finite", "Coordinates that are not finite", missing, "Export it again.")
    _add(out, "planar", "Discs need a planar structure about their axis", odd, 'Give the structure planar="y".')
    return out


def _add(out, code, what, blocks, remedy):
    if blocks:
        out.append(Finding(code, "error", what, tuple(blocks), remedy))


def sphere_surface(centre, radius):
    """Vertices (n, 3) [m] and triangles of a polyhedron with its corners on a sphere."""
    vertices, faces = _icosahedron()
    for _ in range(DIVISIONS):
        vertices, faces = _divided(vertices, faces)
    return np.asarray(centre, float) + radius * vertices, faces


def disc_surface(centre, radius, depth, axis):
    """Vertices (n, 3) [m] and faces of a prism with its edges on a cylinder."""
    axis = np.asarray(axis, float)
    across = np.eye(3)[np.argmin(np.abs(axis))]
    u = np.cross(axis, across)
    u /= np.linalg.norm(u)
    angle = 2.0 * np.pi * np.arange(CORNERS) / CORNERS
    rim = radius * (np.outer(np.cos(angle), u) + np.outer(np.sin(angle), np.cross(axis, u)))
    half = 0.5 * depth * axis
    vertices = np.asarray(centre, float) + np.concatenate([rim - half, rim + half])
    n = CORNERS
    sides = [[i, (i + 1) % n, n + (i + 1) % n, n + i] for i in range(n)]
    return vertices, [list(range(n))[::-1], list(range(n, 2 * n))] + sides


def _icosahedron():
    """Vertices on the unit sphere and outward triangles: a cap of five about each pole and a belt of ten between."""
    z, r = 1.0 / math.sqrt(5.0), 2.0 / math.sqrt(5.0)
    upper = [(r * math.cos(a), r * math.sin(a), z) for a in (0.4 * math.pi * k for k in range(5))]
    lower = [(r * math.cos(a), r * math.sin(a), -z) for a in (0.4 * math.pi * (k + 0.5) for k in range(5))]
    faces = []
    for k in range(5):
        up, up_next, low, low_next = 1 + k, 1 + (k + 1) % 5, 6 + k, 6 + (k + 1) % 5
        faces += [[0, up, up_next], [up, low, up_next], [low, low_next, up_next], [11, low_next, low]]
    return np.array([(0.0, 0.0, 1.0)] + upper + lower + [(0.0, 0.0, -1.0)]), faces


def _divided(vertices, faces):
    """Every triangle as four, the middles of its edges lifted to the unit sphere."""
    points, middle = list(vertices), {}

    def between(i, j):
        key = min(i, j), max(i, j)
        if key not in middle:
            middle[key] = len(points)
            half = points[i] + points[j]
            points.append(half / np.linalg.norm(half))
        return middle[key]

    out = []
    for a, b, c in faces:
        ab, bc, ca = between(a, b), between(b, c), between(c, a)
        out += [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
    return np.array(points), out
