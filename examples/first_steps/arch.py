"""An arch with a load at its crown: verdict, support reactions and thrust line."""

import sys
from pathlib import Path

import numpy as np

from compas_nscd import Engine, LoadCase
from compas_nscd.drawing import draw_static
from compas_nscd.templates import arch


def main(folder="."):
    structure = arch(span=10.0, thickness=0.9, depth=1.0, blocks=21)
    case = LoadCase()
    case.add_point_load("v10", point=(0.0, 0.5, 5.4), force=(0.0, 0.0, -10e3))
    with Engine() as engine:
        result = engine.static(structure, case)

    print("the arch", "stands" if result.verdict == "stable" else "falls")
    for name, force in result.support_reactions.items():
        print("support {:5s} pushes with {:6.1f} kN inwards and {:6.1f} kN up".format(name, *abs(force[[0, 2]]) / 1e3))
    (line,) = result.thrust_lines()
    print("the thrust line passes {} joints".format(len(line)))
    Path(folder, "arch.svg").write_text(draw_static(result), encoding="utf-8")

    assert result.verdict == "stable"
    left, right = result.support_reactions["left"], result.support_reactions["right"]
    weight = result.summary["weight_total"]
    assert np.allclose(left + right, [0.0, 0.0, weight + 10e3], atol=1e-6 * weight)
    assert np.allclose(left, right * [-1.0, 1.0, 1.0], atol=1e-6 * weight)  # the arch and its load are symmetric


if __name__ == "__main__":
    main(*sys.argv[1:])
