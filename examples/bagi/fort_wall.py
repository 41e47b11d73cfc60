"""A wall of cut stone with a rubble core: without mortar the core pushes the facing out; grout prevents it.

Source: Bagi, The Contact Dynamics Method, on the wall of the Prince of Wales Fort by Isfeld and Shrive 2015: a section
of rigid polygons outside and discs inside, joints with several strengths in tension and shear. The strengths decide
whether it stands under own weight, and grout injected into the core helps. All sizes and strengths are ours: a core of
66 discs between facings of 0.3 m, friction 0.3. Discs touch in points, which have no area for mortar, so that mortar
is in the beds of the facings only. Grouted rubble is a honeycomb: every stone with the grout around it.
Asserted: without strength the wall falls, its facings outwards; with 30 kPa in their beds it falls, with 100 kPa it
stands. With grout of 1 kPa in the core it stands without mortar in the facings; with a dry honeycomb it falls.
"""

import math
import sys
from pathlib import Path

from compas_nscd import Block, ContactLaw, Engine, Structure
from compas_nscd.drawing import draw_static
from compas_nscd.templates import shapes

RADIUS, ACROSS, COURSE = 0.1, 6, 0.3  # [m], discs from side to side, [m]


def stone(name, x0, x1, z0, z1, support=False):
    return Block(*shapes.box((x0, 0.0, z0), (x1, 1.0, z1)), 2400.0, name, support, material="stone")


def rubble(name, x, z, grouted):
    if not grouted:
        return Block.disc((x, 0.5, z), RADIUS, 1.0, 2000.0, name=name)
    corners = [(2 / 3**0.5 * RADIUS, math.radians(30 + 60 * k)) for k in range(6)]
    outline = [(x + r * math.cos(a), z + r * math.sin(a)) for r, a in corners]
    return Block(*shapes.prism(outline, 0.0, 1.0), 2000.0, name, material="grouted")


def wall(mortar, grout=None):
    core, foot = 2 * RADIUS * ACROSS, RADIUS * (1.0 if grout is None else 2 / 3**0.5)
    blocks = [stone("ground", -0.6, core + 0.6, -0.3, 0.0, support=True)]
    for side, x in (("left", -0.3), ("right", core)):
        blocks += [stone(side + str(k), x, x + 0.3, k * COURSE, (k + 1) * COURSE) for k in range(8)]
    for row in range(12):  # densest packing: every second row fills the core from side to side
        for i in range(ACROSS - row % 2):
            at = RADIUS * (1 + row % 2 + 2 * i), foot + row * 3**0.5 * RADIUS
            blocks.append(rubble("r{}d{}".format(row, i), *at, grout is not None))
    strengths = (("stone", mortar), ("grouted", grout))
    laws = {(of, of): ContactLaw(0.3, "mohr_coulomb", cohesion=s, tension=s / 2) for of, s in strengths if s}
    return Structure(blocks, ContactLaw(0.3), material_laws=laws, planar="y", name="wall with a rubble core")


def main(folder="."):
    with Engine() as engine:
        mortared = {kPa: engine.static(wall(1e3 * kPa)) for kPa in (0, 10, 30, 100)}
        grouted = {kPa: engine.static(wall(0.0, 1e3 * kPa)) for kPa in (0, 1)}
    for where, results in (("mortar in the facings", mortared), ("grout in the core", grouted)):
        print("{}:".format(where), ", ".join("{} kPa {}".format(k, result.verdict) for k, result in results.items()))
    for name, result in (("dry", mortared[0]), ("mortar", mortared[100]), ("grout", grouted[1])):
        picture = draw_static(result, width=720, view=(0.0, 0.0))
        Path(folder, "fort_wall_{}.svg".format(name)).write_text(picture, encoding="utf-8")

    assert [result.verdict for result in mortared.values()] == ["collapse"] * 3 + ["stable"]
    assert [result.verdict for result in grouted.values()] == ["collapse", "stable"]
    outwards = mortared[0].mechanism[1:17, 0].reshape(2, 8)  # the left facing, the right one
    assert outwards[0].min() < -0.05 and outwards[1].max() > 0.05


if __name__ == "__main__":
    main(*sys.argv[1:])
