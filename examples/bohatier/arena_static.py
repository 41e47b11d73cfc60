"""A bay of an arena under its own weight: 2,824 blocks.

Source: Bohatier, Rafiee, Vinches, the arena of Nimes: five arches of its first floor with 2,670 blocks. Their
geometry was measured and is not published; `templates.arena_bay` has two storeys of arcades with a vaulted gallery
behind each.
Asserted: it stands; the supports carry its weight; its vaults push the front wall outwards and the back wall in the
opposite direction.
"""

import sys
from pathlib import Path

import numpy as np

from compas_nscd import Engine
from compas_nscd.drawing import draw_static
from compas_nscd.templates import arena_bay


def main(folder="."):
    structure = arena_bay()
    with Engine() as engine:
        result = engine.static(structure)
    weight = result.summary["weight_total"]
    thrust = {"front": 0.0, "back": 0.0}
    for name, force in result.support_reactions.items():
        thrust[name.split("-")[0]] += force[1] / weight
    print("{} blocks: {} after {:.1f} s".format(len(structure), result.verdict, sum(result.summary["time"].values())))
    print("the supports hold the front wall back by {:.2%} of the weight".format(thrust["front"]))
    Path(folder, "arena_static.svg").write_text(draw_static(result), encoding="utf-8")

    assert len(structure.blocks) >= 2670 and result.verdict == "stable"
    assert np.allclose(result.support_reaction, [0.0, 0.0, weight], atol=1e-6 * weight)
    assert thrust["front"] > 1e-4 and abs(thrust["front"] + thrust["back"]) < 1e-6


if __name__ == "__main__":
    main(*sys.argv[1:])
