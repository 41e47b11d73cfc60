"""Detection on solids given as (vertices, faces), for tests."""

import numpy as np

from nscd_engine.contacts.at_rest import detect
from nscd_engine.gate.settings import read_settings
from nscd_engine.gate.structure import read_model
from scene_requests import request_from_scene


def scene_of(solids, supports=(0,), mu=0.6):
    blocks = [
        {"vertices": np.asarray(v).tolist(), "faces": faces, "support": k in supports, "density": 2000.0}
        for k, (v, faces) in enumerate(solids)
    ]
    return {"blocks": blocks, "mu": mu}


def request_of(solids, supports=(0,), **settings):
    return request_from_scene(scene_of(solids, supports), settings)


def run(solids, supports=(0,), **settings):
    """Model and Detection."""
    request = request_of(solids, supports, **settings)
    model = read_model(request)
    return model, detect(model, read_settings(request))


def moved(solid, rotation=None, shift=(0.0, 0.0, 0.0)):
    vertices, faces = solid
    turned = vertices if rotation is None else vertices @ np.asarray(rotation).T
    return turned + np.asarray(shift), faces


def turn(axis, degrees):
    """Rotation about a coordinate axis."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    i, j = [k for k in range(3) if k != axis]
    matrix = np.eye(3)
    matrix[i, i] = matrix[j, j] = c
    matrix[i, j], matrix[j, i] = (-s, s) if axis != 1 else (s, -s)
    return matrix


def triangulated(solid):
    vertices, faces = solid
    return vertices, [[f[0], f[k], f[k + 1]] for f in faces for k in range(1, len(f) - 1)]


def ring(inner=1.0, outer=3.0, height=1.0):
    """A square block with a square hole through it; its top and bottom are four quadrilaterals each."""
    squares = [[(-s, -s), (s, -s), (s, s), (-s, s)] for s in (0.5 * outer, 0.5 * inner)]
    vertices = np.array([(x, y, z) for z in (0.0, height) for square in squares for x, y in square])
    faces = []
    for i in range(4):
        j = (i + 1) % 4
        faces += [[i, j, 8 + j, 8 + i], [4 + j, 4 + i, 12 + i, 12 + j]]
        faces += [[j, i, 4 + i, 4 + j], [8 + i, 8 + j, 12 + j, 12 + i]]
    return vertices, faces


def between(detection, a, b):
    """Rows of the interfaces of two blocks."""
    return np.flatnonzero((detection.interfaces.body == [min(a, b), max(a, b)]).all(axis=1))


def points_of(detection, interface):
    start = detection.interfaces.contact_start
    return detection.contacts.point[start[interface] : start[interface + 1]]
