"""Blocks for the tests of deformable bodies."""

import numpy as np

from nscd_engine.core.structs import Polyhedra
from nscd_engine.geometry.polyhedra import joined, starts

#: Faces of a hexahedron whose vertices are those of a box, bottom first.
BOX = ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))
CORNER = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1.0]])
Y = np.array([0.0, 1.0, 0.0])


def box(size=(0.6, 0.3, 0.25), at=(3.0, 4.0, 5.0)):
    """Vertices of a box [m]."""
    return CORNER * size + at


def wedge():
    """Vertices of a voussoir [m]."""
    vertices = box()
    vertices[4:, 0] += 0.2 * (3.3 - vertices[4:, 0])
    return vertices


def skew():
    """Vertices of a parallelepiped [m]."""
    return box() @ np.array([[1.0, 0.1, 0.2], [0.0, 1.0, 0.3], [0.2, 0.0, 1.0]])


def prism(sides=6):
    """Vertices [m] and faces of a prism over a regular polygon, along y."""
    angle = 2.0 * np.pi * np.arange(sides) / sides
    ring = np.stack([np.cos(angle), np.zeros(sides), -np.sin(angle)], axis=1)
    faces = [tuple(range(sides))[::-1], tuple(range(sides, 2 * sides))]
    faces += [(k, (k + 1) % sides, sides + (k + 1) % sides, sides + k) for k in range(sides)]
    return np.concatenate([ring, ring + Y]), tuple(faces)


def polyhedra(solids):
    """Polyhedra of solids (vertices, faces)."""
    empty = Polyhedra(np.zeros((0, 3)), starts([]), np.zeros(0, np.int32), starts([]), starts([]))
    return joined(empty, solids)
