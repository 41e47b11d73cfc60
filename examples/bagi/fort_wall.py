"""A wall of cut stone with a core of rubble: once its mortar is gone, the core pushes the facing out.

Source: Bagi, The Contact Dynamics Method, on the wall of the Prince of Wales Fort by Isfeld and Shrive 2015: a
section of the wall, polygons outside, discs inside, stable or not depending on the strength of the joints. All sizes
are ours: a core of 66 discs between facings of 0.3 m; discs touch in points, which have no area for mortar to hold.
Asserted: with a friction of 0.3 and without mortar it falls, its facings outwards. With mortar of 100 kPa in the beds
of the facings it stands, with facings of 0.5 m it stands without, and so it does with a friction of 0.6.
"""

import sys
from pathlib import Path

from compas_nscd import Block, ContactLaw, Engine, Structure
from compas_nscd.picture import draw_static

FACES = [[3, 2, 1, 0], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]
RADIUS, ACROSS, ROWS, COURSE = 0.1, 6, 12, 0.3
MORTAR = ContactLaw(0.3, "mohr_coulomb", cohesion=100e3, tension=50e3)


def stone(name, x0, x1, z0, z1, support=False):
    plan = [(x0, 0.0), (x1, 0.0), (x1, 1.0), (x0, 1.0)]
    corners = [(x, y, z) for z in (z0, z1) for x, y in plan]
    return Block(corners, FACES, density=2400.0, name=name, support=support, material="stone")


def wall(facing, friction, mortar=None):
    core, step = 2 * RADIUS * ACROSS, 3**0.5 * RADIUS
    blocks = [stone("ground", -facing - 0.3, core + facing + 0.3, -0.3, 0.0, support=True)]
    for k in range(8):
        blocks.append(stone("left{}".format(k), -facing, 0.0, k * COURSE, (k + 1) * COURSE))
        blocks.append(stone("right{}".format(k), core, core + facing, k * COURSE, (k + 1) * COURSE))
    for row in range(ROWS):  # densest packing: every second row fills the core from side to side
        for i in range(ACROSS - row % 2):
            centre = (RADIUS * (1 + row % 2 + 2 * i), 0.5, RADIUS + row * step)
            blocks.append(Block.disc(centre, RADIUS, 1.0, 2000.0, name="r{}d{}".format(row, i)))
    laws = {} if mortar is None else {("stone", "stone"): mortar}
    return Structure(blocks, ContactLaw(friction), material_laws=laws, planar="y", name="wall with a rubble core")


def main(folder="."):
    walls = {
        "dry": wall(0.3, 0.3),
        "mortar": wall(0.3, 0.3, MORTAR),
        "thick": wall(0.5, 0.3),
        "rough": wall(0.3, 0.6),
    }
    with Engine() as engine:
        results = {name: engine.static(structure) for name, structure in walls.items()}
    for name, result in results.items():
        print("{}: {}".format(name, result.verdict))
    for name in ("dry", "mortar"):
        picture = draw_static(results[name], width=720, view=(0.0, 0.0))
        Path(folder, "fort_wall_{}.svg".format(name)).write_text(picture, encoding="utf-8")

    assert [result.verdict for result in results.values()] == ["collapse", "stable", "stable", "stable"]
    speed = dict(zip(walls["dry"].names, results["dry"].mechanism[:, 0]))
    assert min(v for name, v in speed.items() if name.startswith("left")) < -0.05
    assert max(v for name, v in speed.items() if name.startswith("right")) > 0.05


if __name__ == "__main__":
    main(*sys.argv[1:])
