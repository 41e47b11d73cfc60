"""Scenes as small as can be, that together need every kernel."""

import numpy as np

SQUARE = [(0, 0), (1, 0), (1, 1), (0, 1)]
ELL = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]


def stack(overhang):
    """A block of 1 m on a slab that is the support; beyond an overhang of 1 m it tips."""
    slab, block = prism(SQUARE, (-1, -1, -1), (2, 2, 1)), prism(SQUARE, (overhang - 0.5, -0.5, 0))
    load = {"block": 1, "point": [overhang, 0.0, 1.0], "force": [0.0, 0.0, -1.0]}
    return {"blocks": [dict(slab, support=True), block], "mu": 0.6, "loads": [load]}


def row():
    """Thirteen blocks beside each other on a slab, four contacts each: enough for a motion to be marched."""
    slab = dict(prism(SQUARE, (-1, -1, -1), (28, 3, 1)), support=True)
    return {"blocks": [slab] + [prism(SQUARE, (2 * k, 0, 0)) for k in range(13)], "mu": 0.6}


def slide():
    """Two blocks that slide down a slope: the solver has to work hardest when everything moves."""
    slab = dict(prism(SQUARE, (-1, -1, -1), (3, 3, 1)), support=True)
    blocks = [slab, prism(SQUARE, (0, 0, 0)), prism(SQUARE, (0.05, 0.005, 1))]
    return {"blocks": blocks, "mu": 0.3, "gravity": [4.0, 3.0, -8.0]}


def yard():
    """Whatever can be wrong or odd: concave blocks, warped and triangulated faces, overlaps, edges and corners."""
    slab = dict(prism(SQUARE, (-1, -1, -1), (12, 12, 1)), support=True)
    blocks = [
        slab,
        prism(ELL, (0, 0, 0)),
        prism(ELL, (1.5, 0.5, 0)),  # shares volume with the one before
        warped(prism(SQUARE, (5, 0, 0))),
        prism(SQUARE, (5.5, 0.2, 0.2)),  # shares volume with the one before
        triangulated(prism(SQUARE, (8, 0, 0))),
        prism(SQUARE, (9, 1, 0)),  # an edge of the one before
        prism(SQUARE, (10, 2, 1)),  # a corner of the one before
        prism(SQUARE, (0, 5, 0)),
        prism([(0, 0), (1, -1), (1, 1)], (1, 5.5, 0)),  # its edge in a face of the one before
        ball((5, 5, 0.5)),
        ball((6, 5, 0.5)),  # beside the one before
    ]
    return {"blocks": blocks, "mu": 0.6}


def sliding_contact():
    """One contact with W = 1 that approaches and slides."""
    unit = {"data": np.ones(3), "indices": np.arange(3, dtype=np.int32), "start": np.arange(4, dtype=np.int32)}
    return {"name": "one contact", "friction": np.array([0.5]), "W": unit, "q": np.array([-1.0, 2.0, 0.0])}


def prism(outline, corner, size=(1, 1, 1)):
    """Block with a counter-clockwise outline in plan, from z = 0 to 1, scaled and moved."""
    n = len(outline)
    units = [(x, y, z) for z in (0, 1) for x, y in outline]
    vertices = [[float(c + s * u) for c, s, u in zip(corner, size, unit)] for unit in units]
    sides = [[k, (k + 1) % n, (k + 1) % n + n, k + n] for k in range(n)]
    faces = [list(range(n))[::-1], list(range(n, 2 * n))] + sides
    return {"vertices": vertices, "faces": faces, "support": False, "density": 2000.0}


def ball(centre):
    """Sphere of 1 m."""
    return {"sphere": {"centre": list(centre), "radius": 0.5}, "support": False, "density": 2000.0}


def warped(block):
    """With a corner of the base lifted by a hair."""
    vertices = [list(vertex) for vertex in block["vertices"]]
    vertices[0][2] += 2e-4
    return dict(block, vertices=vertices)


def triangulated(block):
    """With every face cut into triangles."""
    return dict(block, faces=[[f[0], f[k], f[k + 1]] for f in block["faces"] for k in range(1, len(f) - 1)])
