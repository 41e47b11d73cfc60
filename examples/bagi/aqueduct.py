"""An aqueduct of two tiers under ground motion across it.

Source: Bagi, The Contact Dynamics Method, on the aqueduct of Arles by Rafiee et al. 2008: sine waves reproduce the
damage seen today. Their geometry is not published; here two and four arches of large blocks, 0.3 g at 2 Hz.
Asserted: it stands under own weight. Under ground motion it stands for 1 s with damage: the permanent displacement of
the upper tier exceeds that of the lower one.
"""

import sys
from pathlib import Path

import numpy as np

from compas_nscd import Engine, GroundMotion, LoadCase
from compas_nscd.drawing import draw_dynamic
from compas_nscd.templates import aqueduct


def main(folder="."):
    structure = aqueduct(
        arches=2, upper_arches=4, voussoirs=9, upper_voussoirs=7, course=0.8, length=1.6, pier_height=3.2
    )
    case = LoadCase(ground=[GroundMotion.sine("y", 0.3 * 9.81, frequency=2.0, duration=1.0)])
    with Engine() as engine:
        rest = engine.static(structure)
        shaken = engine.dynamic(structure, case, duration=1.0, time_step=5e-3, interval=0.05).result()
    moved = np.linalg.norm(shaken.position[-1] - shaken.centroid - shaken.ground[-1], axis=1)
    upper = np.array([name.startswith("upper") for name in structure.names])
    print("{} blocks at rest: {}; shaken: {}".format(len(structure), rest.verdict, shaken.verdict))
    print("displaced by up to {:.3f} m above, {:.3f} m below".format(moved[upper].max(), moved[~upper].max()))
    picture = draw_dynamic(shaken, magnify=20.0, view=(-25.0, 12.0))
    Path(folder, "aqueduct.svg").write_text(picture, encoding="utf-8")

    assert rest.verdict == "stable"
    assert moved[upper].max() > 1e-3 and moved[upper].max() > moved[~upper].max()
    return {"rest": rest.verdict, "shaken": shaken.verdict}


if __name__ == "__main__":
    main(*sys.argv[1:])
