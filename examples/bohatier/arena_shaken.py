"""A bay of an arena under ground motion in three directions for three seconds.

Source: Bohatier, Rafiee, Vinches, the arena of Nimes: 2,670 blocks on a table with sine velocities in three
directions for 3 s; the upper arches push the wall outwards. The amplitudes are in a figure only; here 0.12, 0.1 and
0.06 g at 2 Hz. The bay is `templates.arena_bay`, 2,824 blocks, in steps of 5 ms. All 3 s take some minutes;
`main(folder, 0.25)` shakes for a quarter of a second.
Asserted: the front wall has moved outwards, away from the vaults, and more at the springing of the upper vault than
at its foot.
"""

import sys
import time
from pathlib import Path

import numpy as np

from compas_nscd import Engine, GroundMotion, LoadCase
from compas_nscd.drawing import draw_dynamic
from compas_nscd.templates import arena_bay


def main(folder=".", duration=3.0):
    structure = arena_bay()
    shakes = {"x": 0.1, "y": 0.12, "z": 0.06}
    ground = [GroundMotion.sine(axis, pga * 9.81, frequency=2.0, phase=90.0) for axis, pga in shakes.items()]
    began = time.perf_counter()
    with Engine() as engine:
        result = engine.dynamic(structure, LoadCase(ground=ground), float(duration), 5e-3, interval=0.1).result()
    print(
        "{} blocks, {:g} s: {} after {:.0f} s".format(
            len(structure), result.summary["simulated_s"], result.verdict, time.perf_counter() - began
        )
    )
    moved = result.position[-1] - result.centroid - result.ground[-1]

    def outwards(prefix):
        """Mean displacement towards -y of the blocks whose names begin so [m]."""
        return -float(np.mean([moved[i, 1] for i, name in enumerate(structure.names) if name.startswith(prefix)]))

    foot, head = outwards("s0-front"), outwards("s1-upper-front")
    print("the front wall has moved outwards by {:.2g} mm below and {:.2g} mm above".format(1e3 * foot, 1e3 * head))
    Path(folder, "arena_shaken.svg").write_text(draw_dynamic(result, magnify=20.0), encoding="utf-8")
    assert head > foot and head > 1e-5
    return {"foot": foot, "head": head}


if __name__ == "__main__":
    main(*sys.argv[1:])
