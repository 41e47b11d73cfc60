"""An arch on piers: the abutments carry its thrust to the ground.

Source: Acary and Jean 1998, fig. 4b: arch, piers and abutments of blocks of 50 x 25 cm under own weight, 2700
kg/m3, mu 0.5. The proportions are in a figure only; the piers of `templates.buttressed_arch` widen towards the foot.
Asserted: it stands; the supports carry its weight, and their thrusts are equal and opposite.
"""

import sys
from pathlib import Path

import numpy as np

from compas_nscd import Engine
from compas_nscd.drawing import draw_static
from compas_nscd.templates import buttressed_arch


def main(folder="."):
    with Engine() as engine:
        result = engine.static(buttressed_arch(density=2700.0, friction=0.5))
    weight = result.summary["weight_total"]
    left, right = result.support_reactions.values()
    stress = result.stresses().principal
    print("the arch on piers", result.verdict, "with a thrust of {:.1f} kN".format(abs(left[0]) / 1e3))
    print("mean stresses from {:.0f} to {:.1f} kPa".format(np.nanmin(stress) / 1e3, np.nanmax(stress) / 1e3))
    Path(folder, "piers.svg").write_text(draw_static(result, view=(0.0, 0.0)), encoding="utf-8")

    assert result.verdict == "stable"
    assert np.allclose(left + right, [0.0, 0.0, weight], atol=1e-6 * weight) and abs(left[0]) > 0.01 * weight
    return {"verdict": result.verdict}


if __name__ == "__main__":
    main(*sys.argv[1:])
