"""A biaxial test of discs by all three methods.

Source: Bagi, Quasi-static methods: Serrano and Rodriguez-Ortiz, Kishino, Bagi and Bojtar. The sample is ours: about 60
discs in a random packing, friction 0.5, 10 kPa on the sides, normal stiffness 1000 times that, strain 1e-3.
Asserted: Kishino's and Bagi and Bojtar's curves differ by less than 2 %; the side plates carry the pressure; in
Serrano's linear step contacts pull, and the force is another one.
"""

import sys
from pathlib import Path

import numpy as np

from compas_nscd import ContactStiffness, Engine
from compas_nscd.drawing.load_curve import draw_curve
from compas_nscd.drawing.picture import draw_quasistatic
from compas_nscd.templates.packing import biaxial, guides

PRESSURE, NORMAL = 1e4, 1e7


def main(folder="."):
    sample = biaxial(60, "random", pressure=PRESSURE, strain=1e-3, seed=1)
    common = {"stiffness": ContactStiffness(NORMAL, 0.5 * NORMAL), "springs": guides(sample, NORMAL)}
    stages = {"stages": ["loads", "supports"], "steps": [2, 10], "tolerance": 1e-4}
    with Engine() as engine:
        newton = engine.quasistatic(sample, method="bagi_bojtar", **common, **stages)
        relaxed = engine.quasistatic(sample, method="kishino", **common, **stages)
        linear = engine.quasistatic(sample, method="serrano", **common)
    results = [("bagi_bojtar", newton), ("kishino", relaxed), ("serrano", linear)]
    for name, result in results:
        s = result.summary
        print("{}: {}, {} increments, {} iterations, {} halved, {:.2f} s".format(
            name, s["verdict"], s["steps"], s["iterations"], s["failures"], s["time"]["solve_s"]))  # fmt: skip
    Path(folder, "curve.svg").write_text(draw_curve(results, block="top", load="top"), encoding="utf-8")
    Path(folder, "sample.svg").write_text(draw_quasistatic(newton, width=600), encoding="utf-8")

    (x, first), (y, second) = newton.curve("top", load="top"), relaxed.curve("top", load="top")
    late = newton.history_stage == 1
    difference = np.abs(np.interp(-x[1:][late], -y, second) - first[1:][late]).max() / np.abs(first).max()
    print("greatest difference of the curves: {:.2%}".format(difference))
    assert newton.verdict == relaxed.verdict == "balance"
    assert difference < 0.02
    side = abs(newton.history_reaction[-1, sample.index("left"), 0])
    pushed = abs(sample.case.loads[0].force[0])
    assert abs(side / pushed - 1.0) < 1e-3
    assert linear.contact_vector[:, 0].max() > 0.0 >= newton.contact_vector[:, 0].max()
    return difference


if __name__ == "__main__":
    main(*sys.argv[1:])
