"""An arch under two loads beside its crown falls by hinges, or by sliding springers if friction is low.

Source: Beatini, Royer-Carfagni, Tasora 2017, fig. 6 and 7. Their loads at failure are about 10 % of the weight of the
arch with mu 0.8, and about 6 % with mu 0.4. Intrados of 3.8 m and depth of 0.8 m are theirs; ring, number of voussoirs
and places of the loads are in figures only. Ours - 0.56 m, 27, the stones beside the key - are assumed, and chosen so
that both limits are near theirs; limits for loads farther from the key are printed.
Asserted: with mu 0.8 it falls at 8 to 14 % of its weight and no joint slides; with mu 0.4 at 4 to 7 %, and both
springers slide, no other joint. At either limit the verdict changes, and a thrust line ceases to fit.
"""

import sys
from pathlib import Path

import numpy as np

from compas_nscd import Engine, LoadCase
from compas_nscd.drawing import LAYERS, Curve, draw_static
from compas_nscd.results import funicular
from compas_nscd.templates import arch

THEIRS = ((6, 0.8, "about 10 %, by hinges"), (7, 0.4, "about 6 %, springers slide"))


def loaded(structure, force, away=1):
    """Half the force on either side of the key, in the middle of the extrados of the stones so many places away."""
    case = LoadCase()
    for block in (structure.blocks[13 - away], structure.blocks[13 + away]):
        outer = block.vertices[np.argsort(np.hypot(block.vertices[:, 0], block.vertices[:, 2]))[-4:]]
        case.add_point_load(block.name, outer.mean(axis=0), (0.0, 0.0, -force / 2))
    return case


def main(folder="."):
    found = []
    with Engine() as engine:
        for figure, friction, theirs in THEIRS:
            structure = arch(2 * 3.8 + 0.56, 0.56, 0.8, blocks=27, density=1800.0, friction=friction)
            structure.name = "arch with friction {}".format(friction)
            weight = engine.static(structure).summary["weight_total"]
            limit, *farther = (engine.limit(structure, loaded(structure, weight, away)) for away in (1, 2, 3))
            share = limit.multiplier_associated
            print(
                "friction {}: theirs {}; ours {:.1%}, {} hinges, {} joints slide".format(
                    friction, theirs, share, len(limit.hinges), len(limit.slides)
                )
            )
            shares = [other.multiplier_associated for other in farther]
            print("  loads 2 and 3 stones from the key: {:.0%}, {:.0%}".format(*shares))
            below, above = (engine.static(structure, loaded(structure, (share + d) * weight)) for d in (-1e-3, 1e-3))
            last, none = (funicular.extreme(funicular.ring(result)) for result in (below, above))
            assert (below.verdict, above.verdict, none) == ("stable", "collapse", None)
            curve = Curve("thrust", "the last thrust line", last[0].points, LAYERS["thrust"], False, 0.0)
            picture = draw_static(above, curves=[curve], view=(0.0, 0.0))
            Path(folder, "fig{}.svg".format(figure)).write_text(picture, encoding="utf-8")
            found.append(limit)
    hinged, slid = found
    assert 0.08 < hinged.multiplier_associated < 0.14 and not hinged.slides and len(hinged.hinges) >= 5
    assert 0.04 < slid.multiplier_associated < 0.07
    assert {frozenset(pair) for pair in slid.slides} == {frozenset(("v0", "right")), frozenset(("v26", "left"))}
    shares = {"mu {}".format(mu): limit.multiplier_associated for (_, mu, _), limit in zip(THEIRS, found)}
    return dict(shares, **{"sliding joints": len(slid.slides)})


if __name__ == "__main__":
    main(*sys.argv[1:])
