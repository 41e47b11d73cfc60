"""A wall in running bond, tilted about its length until it falls: it topples when its weight leaves the base."""

import math
import sys
from pathlib import Path

from compas_nscd import Engine, LoadCase
from compas_nscd.drawing import draw_static
from compas_nscd.templates import wall


def main(folder="."):
    structure = wall(columns=6, courses=8, length=0.5, height=0.25, depth=0.4, friction=0.7)
    # As one body it topples where tan(angle) = depth / height = 0.4 / 2.0; the joints cannot hold it beyond.
    limit = math.degrees(math.atan(0.4 / 2.0))
    verdicts = {}
    with Engine() as engine:
        for angle in (limit - 0.05, limit + 0.05):
            a = math.radians(angle)
            tilted = LoadCase(gravity=(0.0, 9.81 * math.sin(a), -9.81 * math.cos(a)))
            result = engine.static(structure, tilted)
            verdicts[angle] = result.verdict
            print("tilted by {:.2f} degrees: {}".format(angle, verdicts[angle]))
    Path(folder, "wall.svg").write_text(draw_static(result), encoding="utf-8")
    assert list(verdicts.values()) == ["stable", "collapse"]


if __name__ == "__main__":
    main(*sys.argv[1:])
