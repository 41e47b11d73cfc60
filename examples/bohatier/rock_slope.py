"""A slope of rock cut into blocks by six families of fractures: which blocks are loose, and does the rest stand?

Source: Bohatier, Rafiee, Vinches, fig. 8: a slope with six families measured in a quarry. The measurements are not
published; these families, their scatter and the slope, 8 m high at 60 degrees, are ours.
Asserted: with a friction of 0.7 less than a twentieth of the blocks fall out of the face, and the rest stands once they
are removed. With 0.15, less than the slope of the bedding, tan 12 degrees = 0.21, most of the slope slides out.
"""

import sys
from pathlib import Path

import numpy as np

from compas_nscd import Engine, Structure
from compas_nscd.drawing import draw_static
from compas_nscd.templates import rock_slope

SLOPE = dict(height=8.0, face=60.0, bench=4.0, depth=8.0)


def moving(result):
    return np.linalg.norm(result.mechanism[:, :3], axis=1) > 0.05


def main(folder="."):
    loose = []
    with Engine() as engine:
        slope = rock_slope(friction=0.7, **SLOPE)
        result = first = engine.static(slope)
        while result.verdict == "collapse" and len(loose) < 50:
            loose += [slope.names[i] for i in np.flatnonzero(moving(result))]
            rest = [block for block in slope.blocks if block.name not in loose]
            slope = Structure(rest, slope.law, name="slope without loose blocks")
            result = engine.static(slope)
        slides = engine.static(rock_slope(friction=0.15, **SLOPE))
    count = len(slides.structure)
    print("friction 0.7: of {} blocks {} are loose; the rest {}".format(count, len(loose), result.verdict))
    print("friction 0.15: {} blocks slide".format(moving(slides).sum()))
    first.structure.name, slides.structure.name = "slope with friction 0.7", "slope with friction 0.15"
    for name, drawn in (("loose", first), ("slides", slides)):
        Path(folder, "rock_slope_{}.svg".format(name)).write_text(draw_static(drawn), encoding="utf-8")

    assert result.verdict == "stable" and len(loose) < count / 20
    assert slides.verdict == "collapse" and moving(slides).sum() > count / 2
    assert slides.mechanism[:, 0].mean() < 0.0  # out of the slope, which faces -x


if __name__ == "__main__":
    main(*sys.argv[1:])
