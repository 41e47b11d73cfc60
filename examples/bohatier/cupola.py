"""A cupola with an oculus on five pillars stands with a friction of 0.7, and of 0.5.

Source: Bohatier, Rafiee, Vinches, the cupola of Junas: half sphere of radius 4 m, opening of 1 m, five pillars 2 m
high, stable with both coefficients. Thickness 0.4 m, lintels and sizes of the blocks are ours.
Asserted: both verdicts, and the same share of the weight on every pillar. Without friction it falls.
"""

import sys
from pathlib import Path

import numpy as np

from compas_nscd import Engine
from compas_nscd.drawing import draw_static
from compas_nscd.templates import cupola


def main(folder="."):
    with Engine() as engine:
        results = {friction: engine.static(cupola(friction=friction)) for friction in (0.7, 0.5, 0.05)}
    for friction, result in results.items():
        print("friction {}: {}".format(friction, result.verdict))
    weight = results[0.5].summary["weight_total"]
    shares = np.array([force[2] for force in results[0.5].support_reactions.values()]) / weight
    print("shares of the pillars:", " ".join("{:.3f}".format(share) for share in shares))
    Path(folder, "cupola.svg").write_text(draw_static(results[0.5], view=(-18.0, 8.0)), encoding="utf-8")

    assert [result.verdict for result in results.values()] == ["stable", "stable", "collapse"]
    assert np.allclose(shares, 0.2, atol=1e-6)
    return {friction: result.verdict for friction, result in results.items()}


if __name__ == "__main__":
    main(*sys.argv[1:])
