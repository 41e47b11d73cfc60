"""A stone bridge under flood: buoyancy and the drag of the current.

Source: Bagi, The Contact Dynamics Method, on bridges under flood: buoyancy and a force across the bridge. The bridge
is `templates.bridge` with two arches.
Asserted: it stands dry and in still water, where the supports carry the weight less that of the displaced water, 1000
over 2400 of it. The current at which it falls is between 2 and 12 m/s, found to 0.1 m/s.
"""

import sys
from pathlib import Path

import numpy as np

from compas_nscd import Engine, LoadCase, Water
from compas_nscd.drawing import draw_static
from compas_nscd.templates import bridge


def main(folder="."):
    structure = bridge(arches=2, voussoirs=11, course=0.6, length=1.2, friction=0.5)
    level = max(block.vertices[:, 2].max() for block in structure.blocks) + 0.5
    with Engine() as engine:

        def flooded(speed):
            return engine.static(structure, LoadCase(water=Water(level, flow=(0.0, speed, 0.0))))

        dry, still = engine.static(structure), flooded(0.0)
        low, high = 2.0, 12.0
        stands, falls = flooded(low), flooded(high)
        assert (stands.verdict, falls.verdict) == ("stable", "collapse")
        while high - low > 0.1:
            result = flooded(0.5 * (low + high))
            if result.verdict == "stable":
                low = 0.5 * (low + high)
            else:
                high, falls = 0.5 * (low + high), result
    print("dry: {}, under water: {}, in a current of {:.1f} m/s it falls".format(dry.verdict, still.verdict, high))
    Path(folder, "flood.svg").write_text(draw_static(falls, view=(150.0, 20.0)), encoding="utf-8")

    assert dry.verdict == still.verdict == "stable"
    weight = dry.summary["weight_total"]
    assert np.isclose(still.support_reaction[2], (1.0 - 1000.0 / 2400.0) * weight, rtol=1e-6)
    return {"dry": dry.verdict, "still": still.verdict, "share": still.support_reaction[2] / weight, "current": high}


if __name__ == "__main__":
    main(*sys.argv[1:])
