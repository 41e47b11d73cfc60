"""An arch under spandrels carries loads at which its conventional thrust line has long left it.

Source: Beatini, Royer-Carfagni, Tasora 2017, fig. 8. With the spandrels as dead weight on the arch alone, no thrust
line fits beyond loads of about 40 % of the arch's weight; the assembly of blocks stands under them. The wall (16.2 x
5.0 x 0.8 m, opening 7.6 m, mu 0.4, 1800 kg/m3) is theirs; ring, bond and places of the loads are only in the figure.
Asserted: the arch alone falls at 35 to 45 %; the wall stands there, and its effective thrust line differs from the
conventional one by more than a tenth of the ring.
"""

import sys
from pathlib import Path

import numpy as np

from compas_nscd import Engine, LoadCase, Structure, funicular, thrust
from compas_nscd.drawing import LAYERS, Curve
from compas_nscd.picture import draw_static
from compas_nscd.templates import spandrel_wall

DEPTH, TOP, WEIGHT = 0.8, 5.0, 1800.0 * 9.81  # [m], [m], [N/m3]


def extrados(block):
    """The outer edge of a voussoir in elevation, from left to right. (2, 2)"""
    corners = np.unique(block.vertices[:, [0, 2]].round(9), axis=0)
    outer = corners[np.argsort(np.hypot(*corners.T))[-2:]]
    return outer[np.argsort(outer[:, 0])]


def dead_weight(case, voussoirs):
    """The wall above every voussoir as a load on it: a trapezium, at its centroid."""
    for block in voussoirs:
        (x0, z0), (x1, z1) = extrados(block)
        a, b = TOP - z0, TOP - z1
        share = (a + 2 * b) / (3 * (a + b))
        point = (x0 + share * (x1 - x0), DEPTH / 2, z0 + share * (z1 - z0))
        case.add_point_load(block.name, point, (0.0, 0.0, -WEIGHT * DEPTH * (x1 - x0) * (a + b) / 2))
    return case


def concentrated(case, wall, force):
    """Half the force on the extrados on either side of the key."""
    for name in ("v12", "v14"):  # beside the key
        x, z = extrados(wall.blocks[wall.index(name)]).mean(axis=0)
        case.add_point_load(name, (x, DEPTH / 2, z), (0.0, 0.0, -force / 2))
    return case


def main(folder="."):
    wall = spandrel_wall(ring=0.56)
    voussoirs = [block for block in wall.blocks if block.name.startswith("v")]
    arch = Structure(voussoirs + [block for block in wall.blocks if block.support], wall.law, name="arch alone")
    with Engine() as engine:
        weight = engine.static(arch).summary["weight_total"]
        case = dead_weight(concentrated(LoadCase(), arch, weight), voussoirs)
        share = engine.limit(arch, case, vary="loads:0,1", coulomb=False).multiplier_associated
        last = engine.static(arch, dead_weight(concentrated(LoadCase(), arch, (share - 1e-3) * weight), voussoirs))
        case = concentrated(LoadCase(), wall, weight)
        whole_share = engine.limit(wall, case, vary="loads", coulomb=False).multiplier_associated
        whole = engine.static(wall, concentrated(LoadCase(), wall, share * weight))
    print("with the spandrels as dead weight, the arch falls at {:.0%} of its weight".format(share))
    print("with the spandrels as they are, at {:.0%}".format(whole_share))
    table = thrust.links(last)
    conventional = funicular.extreme(funicular.ring(last, table, thrust.chains(last, table)[0]))[0].points
    names = ["base1"] + [block.name for block in voussoirs] + ["base0"]
    (effective,) = thrust.thrust_lines(whole, blocks=names)
    apart = np.linalg.norm(conventional - effective, axis=1)
    print("thrust lines are up to {:.2f} m apart".format(apart.max()))
    curves = [
        Curve("thrust", "effective thrust line", effective, LAYERS["thrust"], False, 0.0),
        Curve("thrust", "conventional thrust line", conventional, LAYERS["forces"], False, 0.0),
    ]
    Path(folder, "fig8_spandrel_arch.svg").write_text(draw_static(whole, curves=curves, view=(0.0, 0.0)), "utf-8")
    assert 0.35 < share < 0.45 and whole.verdict == "stable" and apart.max() > 0.056


if __name__ == "__main__":
    main(*sys.argv[1:])
