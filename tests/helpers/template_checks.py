"""What all tests of templates ask: sound geometry, and the volume of the free blocks."""

import numpy as np

from compas_nscd.geometry.polyhedra import measure


def require_sound(structure):
    """Closed, outward, planar, of volume, uniquely named, supported: nothing repaired, nothing to warn of.

    Stones that are concave on purpose are only noted.
    """
    structure.validate()
    assert [f for f in structure.report.findings if f.code != "concave"] == []
    assert len(set(structure.names)) == len(structure)


def volume(structure, supports=False):
    """Of the free blocks, or of the supports [m3]."""
    each = measure(structure.polyhedra).volume
    assert (each > 0.0).all()
    held = np.array([block.support for block in structure.blocks])
    return float(each[held == supports].sum())


def opening_area(voussoirs):
    """Under a ring of prisms in the xz plane, down to its springing: its convex hull less itself [m2]."""
    faces = [b.vertices[b.vertices[:, 1] == b.vertices[:, 1].min()][:, [0, 2]] for b in voussoirs]
    return _area(_hull(np.concatenate(faces))) - sum(map(_area, faces))


def _area(polygon):
    x, z = polygon.T
    return float(abs(np.sum(x * np.roll(z, -1) - np.roll(x, -1) * z)) / 2)


def _hull(points):
    """Convex hull, by Andrew's monotone chain."""
    points = sorted(map(tuple, points))
    chains = []
    for ordered in (points, points[::-1]):
        chain = []
        for p in ordered:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], p) <= 0.0:
                chain.pop()
            chain.append(p)
        chains += chain[:-1]
    return np.array(chains)


def _turn(a, b, c):
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
