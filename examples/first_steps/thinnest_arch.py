"""How thin may a semicircular arch be? With 20 voussoirs 10.7 % of its radius (Milankovitch without joints: 10.75)."""

import sys
from pathlib import Path

from compas_nscd import Engine
from compas_nscd.drawing import draw_static
from compas_nscd.templates import arch

RADIUS = 5.0


def main(folder="."):
    low, high = 0.08, 0.15  # falls, stands: thickness over radius
    with Engine() as engine:
        while high - low > 1e-4:
            middle = 0.5 * (low + high)
            structure = arch(span=2 * RADIUS, thickness=middle * RADIUS, blocks=20, friction=1.0)
            result = engine.static(structure)
            print("t/R = {:.5f}: {}".format(middle, result.verdict))
            if result.verdict == "stable":
                high = middle
            else:
                low, falls = middle, result
    Path(folder, "thinnest_arch.svg").write_text(draw_static(falls, view=(0.0, 0.0)), encoding="utf-8")
    # 0.10735 by limit analysis of 20 straight-edged voussoirs.
    assert low <= 0.10735 <= high


if __name__ == "__main__":
    main(*sys.argv[1:])
