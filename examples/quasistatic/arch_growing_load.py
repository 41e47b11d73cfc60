"""An arch under a load that grows, beside its limit.

Source: Bagi, Quasi-static methods, the model of Bagi and Bojtar; the arch is ours: 20 voussoirs, span 10 m, 1 m thick,
weight first, then a load on the haunch that grows to twice the limit.
Asserted: the load at which the increments end is that of limit analysis within 1 %, the verdict is a mechanism, and the
crown of the curve lies below it. Where joints have stiffness, the arch deforms long before.
"""

import sys
from pathlib import Path

from compas_nscd import ContactStiffness, Engine, LoadCase
from compas_nscd.drawing.load_curve import draw_curve
from compas_nscd.drawing.picture import draw_quasistatic
from compas_nscd.templates import arch


def main(folder="."):
    structure = arch(span=10.0, thickness=1.0, blocks=20)
    haunch = structure.names[6]
    point = structure.blocks[6].vertices.mean(axis=0)
    with Engine() as engine:
        unit = LoadCase()
        unit.add_point_load(haunch, point, (0.0, 0.0, -1e3))
        limit = engine.limit(structure, unit, vary="loads", coulomb=False).multiplier_associated
        case = LoadCase()
        case.add_point_load(haunch, point, (0.0, 0.0, -2e3 * limit))
        result = engine.quasistatic(
            structure, case, stiffness=ContactStiffness(1e10, 4e9), stages=["gravity", "loads"], steps=[2, 20]
        )
    reached = 2.0 * result.summary["factor"]
    print("limit load {:.2f} kN; {} at {:.4f} of it, {} increments, {} iterations".format(
        limit, result.verdict, reached, result.summary["steps"], result.summary["iterations"]))  # fmt: skip
    curve = draw_curve([("bagi_bojtar", result)], block=haunch)
    Path(folder, "curve.svg").write_text(curve, encoding="utf-8")
    Path(folder, "mechanism.svg").write_text(draw_quasistatic(result, width=600), encoding="utf-8")

    assert result.verdict == "mechanism"
    assert abs(reached - 1.0) < 0.01
    return reached


if __name__ == "__main__":
    main(*sys.argv[1:])
