"""A stone lintel that bends under a load until it cracks.

Source: a beam on two supports; Navier's stress M/W, own computation. 2.0 x 0.3 x 0.4 m, bearings of 0.2 m,
2400 kg/m3, E 30 GPa, strength 2 MPa; the load is in the middle of the top.
Asserted: rigid blocks say that it stands under both loads. The greatest tension of an element is between 0.5 and 1.0 of
M/W: friction of the bearings holds the ends back, and stresses are means of elements. Under four times the load it
exceeds the strength, and the stone is reported as cracked.
"""

import sys
from pathlib import Path

from compas_nscd import Block, ContactLaw, Elastic, Engine, LoadCase, PointLoad, Structure
from compas_nscd.drawing.picture import draw_elastic

LENGTH, WIDTH, HEIGHT, BEARING = 2.0, 0.3, 0.4, 0.2
DENSITY, STRENGTH = 2400.0, 2e6


def box(name, low, high, support=False):
    """A block from its lower to its upper corner [m]."""
    (x, y, z), (u, v, w) = low, high
    vertices = [(x, y, z), (u, y, z), (u, v, z), (x, v, z), (x, y, w), (u, y, w), (u, v, w), (x, v, w)]
    faces = [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
    return Block(vertices, faces, DENSITY, name, support)


def main(folder="."):
    blocks = [
        box("left", (-0.3, 0.0, -0.5), (BEARING, WIDTH, 0.0), True),
        box("right", (LENGTH - BEARING, 0.0, -0.5), (LENGTH + 0.3, WIDTH, 0.0), True),
        box("lintel", (0.0, 0.0, 0.0), (LENGTH, WIDTH, HEIGHT)),
    ]
    structure = Structure(blocks, ContactLaw(0.3), name="lintel")
    structure.deform(Elastic(young=3e10, poisson=0.2, elements="h8", refine=6, tension=STRENGTH))
    found = {}
    with Engine() as engine:
        for load in (2e4, 8e4):
            case = LoadCase(loads=[PointLoad("lintel", (LENGTH / 2, WIDTH / 2, HEIGHT), (0.0, 0.0, -load))])
            result = found[load] = engine.static(structure, case)
            middle = result.elastic.tension.max()
            words = "cracked" if result.elastic.cracked else "sound"
            print("{:.0f} kN: {}, tension {:.2f} MPa, {}".format(load / 1e3, result.verdict, middle / 1e6, words))
            Path(folder, "lintel_{:.0f}.svg".format(load / 1e3)).write_text(draw_elastic(result), encoding="utf-8")

    for load, result in found.items():
        clear = LENGTH - 2.0 * BEARING
        weight = DENSITY * 9.81 * WIDTH * HEIGHT
        bending = (load * clear / 4.0 + weight * clear**2 / 8.0) / (WIDTH * HEIGHT**2 / 6.0)
        assert result.verdict == "stable"
        assert 0.5 * bending < result.elastic.tension.max() < bending
    assert found[2e4].elastic.cracked == [] and found[8e4].elastic.cracked == ["lintel"]


if __name__ == "__main__":
    main(*sys.argv[1:])
