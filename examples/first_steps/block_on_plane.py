"""A block on a slope of 20 degrees: it holds if the friction exceeds tan 20 = 0.364."""

import math

from compas_nscd import Block, ContactLaw, Engine, LoadCase, Structure

SLOPE = math.radians(20.0)
FACES = [[3, 2, 1, 0], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]


def box(x, y, z, dx, dy, dz):
    plan = [(x, y), (x + dx, y), (x + dx, y + dy), (x, y + dy)]
    return [(a, b, z) for a, b in plan] + [(a, b, z + dz) for a, b in plan]


def main():
    ground = Block(box(-2, -2, -1, 5, 5, 1), FACES, density=2400.0, name="ground", support=True)
    block = Block(box(0, 0, 0, 1.0, 1.0, 0.5), FACES, density=2400.0, name="block")
    # Tilting gravity is the same as tilting the ground.
    tilted = LoadCase(gravity=(9.81 * math.sin(SLOPE), 0.0, -9.81 * math.cos(SLOPE)))
    verdicts = {}
    with Engine() as engine:
        for friction in (0.36, 0.37):
            result = engine.static(Structure([ground, block], ContactLaw(friction)), tilted)
            verdicts[friction] = result.verdict
            print("friction {}: {}".format(friction, result.verdict))
    assert verdicts == {0.36: "collapse", 0.37: "stable"}


if __name__ == "__main__":
    main()
