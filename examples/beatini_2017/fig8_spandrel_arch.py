"""An arch under spandrels carries loads for which no conventional thrust line fits.

Source: Beatini, Royer-Carfagni, Tasora 2017, fig. 8. With the spandrels as dead weight on the arch alone, no thrust
line fits above loads of about 40 % of the weight of the arch; the assembly of blocks stands. The wall (16.2 x 5.0 x
0.8 m, opening 7.6 m, mu 0.4, 1800 kg/m3) is theirs; bond, ring of 0.56 m and loads on the stones beside the key are
assumed, as for fig. 6.
Asserted: the arch alone falls at 35 to 45 %; the wall stands there, and its effective thrust line differs from the
conventional one by more than a tenth of the ring.
"""

import sys
from pathlib import Path

import numpy as np

from compas_nscd import Engine, LoadCase, Structure
from compas_nscd.drawing import LAYERS, Curve, draw_static
from compas_nscd.results import funicular, thrust
from compas_nscd.templates import spandrel_wall

DEPTH, TOP, WEIGHT = 0.8, 5.0, 1800.0 * 9.81  # [m], [m], [N/m3]


def loads(voussoirs, force, dead):
    """Half the force on the extrados on either side of the key; if `dead`, the wall as a load on every stone below."""
    case, ends = LoadCase(), []
    for block in voussoirs:
        corners = np.unique(block.vertices[:, [0, 2]].round(9), axis=0)  # from left to right
        ends.append(corners[np.sort(np.argsort(np.hypot(*corners.T))[-2:])])  # the outer two
    for k in (12, 14):
        x, z = ends[k].mean(axis=0)
        case.add_point_load(voussoirs[k].name, (x, DEPTH / 2, z), (0.0, 0.0, -force / 2))
    for block, ((x0, z0), (x1, z1)) in zip(voussoirs, ends if dead else ()):
        a, b = TOP - z0, TOP - z1  # sides of a trapezium
        x, z = np.array([x0, z0]) + (a + 2 * b) / (3 * (a + b)) * np.array([x1 - x0, z1 - z0])
        case.add_point_load(block.name, (x, DEPTH / 2, z), (0.0, 0.0, -WEIGHT * DEPTH * (x1 - x0) * (a + b) / 2))
    return case


def main(folder="."):
    wall = spandrel_wall(ring=0.56)
    wall.name = "spandrel arch"
    voussoirs = [block for block in wall.blocks if block.name.startswith("v")]
    arch = Structure(voussoirs + [block for block in wall.blocks if block.support], wall.law, name="arch alone")
    with Engine() as engine:
        weight = engine.static(arch).summary["weight_total"]
        share = engine.limit(arch, loads(voussoirs, weight, True), "loads:0,1", coulomb=False).multiplier_associated
        last = engine.static(arch, loads(voussoirs, (share - 1e-3) * weight, True))
        most = engine.limit(wall, loads(voussoirs, weight, False), coulomb=False).multiplier_associated
        whole = engine.static(wall, loads(voussoirs, share * weight, False))
    print("arch with dead weight: theirs falls at about 40 % of its weight, ours at {:.0%}".format(share))
    print("whole wall: theirs stands there; ours: {}, and falls at {:.0%}".format(whole.verdict, most))
    conventional = funicular.extreme(funicular.ring(last))[0].points
    (effective,) = thrust.thrust_lines(whole, blocks=["base1"] + [block.name for block in voussoirs] + ["base0"])
    apart = np.linalg.norm(conventional - effective, axis=1).max()
    print("thrust lines are up to {:.2f} m apart".format(apart))
    lines = (("effective", effective, "thrust"), ("conventional", conventional, "forces"))
    curves = [Curve("thrust", name + " thrust line", points, LAYERS[to], False, 0.0) for name, points, to in lines]
    Path(folder, "fig8_spandrel_arch.svg").write_text(draw_static(whole, curves=curves, view=(0.0, 0.0)), "utf-8")
    assert 0.35 < share < 0.45 and whole.verdict == "stable" and apart > 0.056
    return {"share": share, "wall": whole.verdict}


if __name__ == "__main__":
    main(*sys.argv[1:])
