"""A block on a slope of 20 degrees: it holds if the friction exceeds tan 20 = 0.364."""

import math
import sys
from pathlib import Path

from compas_nscd import Block, ContactLaw, Engine, LoadCase, Structure
from compas_nscd.drawing import draw_static

SLOPE = math.radians(20.0)
FACES = [[3, 2, 1, 0], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]


def box(x, y, z, dx, dy, dz):
    plan = [(x, y), (x + dx, y), (x + dx, y + dy), (x, y + dy)]
    return [(a, b, z) for a, b in plan] + [(a, b, z + dz) for a, b in plan]


def main(folder="."):
    ground = Block(box(-2, -2, -1, 5, 5, 1), FACES, density=2400.0, name="ground", support=True)
    block = Block(box(0, 0, 0, 1.0, 1.0, 0.5), FACES, density=2400.0, name="block")
    # Tilting gravity is the same as tilting the ground.
    tilted = LoadCase(gravity=(9.81 * math.sin(SLOPE), 0.0, -9.81 * math.cos(SLOPE)))
    verdicts = {}
    with Engine() as engine:
        for friction in (0.36, 0.37):
            structure = Structure([ground, block], ContactLaw(friction), name="block with friction {}".format(friction))
            result = engine.static(structure, tilted)
            verdicts[friction] = result.verdict
            if result.verdict == "collapse":
                Path(folder, "block_on_plane.svg").write_text(draw_static(result, width=600), encoding="utf-8")
            print("friction {}: {}".format(friction, result.verdict))
    assert verdicts == {0.36: "collapse", 0.37: "stable"}


if __name__ == "__main__":
    main(*sys.argv[1:])
