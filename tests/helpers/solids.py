"""Small solids with known properties, for tests."""

import numpy as np

BOX_FACES = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]


def box(lower=(0.0, 0.0, 0.0), size=(1.0, 1.0, 1.0)):
    """Vertices and outward faces of a box along the axes."""
    plan = [(0, 0), (1, 0), (1, 1), (0, 1)]
    unit = np.array([(x, y, z) for z in (0, 1) for x, y in plan], float)
    return unit * np.array(size) + np.array(lower), [list(face) for face in BOX_FACES]


def prism(outline, height=1.0):
    """Vertices and outward faces of a straight prism over a polygon given counter-clockwise."""
    n = len(outline)
    vertices = np.array([(x, y, z) for z in (0.0, height) for x, y in outline])
    sides = [[i, (i + 1) % n, n + (i + 1) % n, n + i] for i in range(n)]
    return vertices, [list(range(n))[::-1], list(range(n, 2 * n))] + sides


def wall(count):
    """`count` boxes side by side, as lists of vertices and faces."""
    solids = [box((1.1 * i, 0.0, 0.0)) for i in range(count)]
    return [v for v, _ in solids], [f for _, f in solids]


def random_rotation(seed):
    q, r = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    return q if np.linalg.det(q) > 0 else -q
