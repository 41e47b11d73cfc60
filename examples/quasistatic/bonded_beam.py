"""A beam of bonded spheres until its bond breaks.

Source: Bagi, Quasi-static methods, contacts with six components; the beam is ours: ten spheres of 0.1 m at a held one,
a load across its end that grows.
Asserted: deflection F n / kT + F a^2 n (4 n^2 - 1) / (12 kbend) to 1e-6; the first bond breaks where F a (n - 1/2)
reaches the bending strength, to the size of an increment; then nothing holds the beam.
"""

import sys
from pathlib import Path

from compas_nscd import Block, ContactBond, ContactLaw, ContactStiffness, Engine, LoadCase, Structure
from compas_nscd.drawing.load_curve import draw_curve
from compas_nscd.drawing.picture import draw_quasistatic

COUNT, RADIUS, LOAD, STRENGTH, STEPS = 10, 0.05, 100.0, 60.0, 16
NORMAL, TANGENTIAL, TWIST, BEND = 1e7, 4e6, 1e5, 1e5


def main(folder="."):
    a = 2.0 * RADIUS
    blocks = [Block.sphere((a * k, 0.0, 0.0), RADIUS, 2000.0, support=k == 0) for k in range(COUNT + 1)]
    beam = Structure(blocks, ContactLaw(friction=0.5), "bonded beam")
    case = LoadCase(gravity=(0.0, 0.0, 0.0))
    case.add_point_load(COUNT, (a * COUNT, 0.0, 0.0), (0.0, 0.0, -LOAD))
    options = {"stiffness": ContactStiffness(NORMAL, TANGENTIAL, TWIST, BEND), "steps": STEPS, "tolerance": 1e-9}
    with Engine() as engine:
        strong = engine.quasistatic(beam, case, bond=ContactBond(), **options)
        weak = engine.quasistatic(beam, case, bond=ContactBond(bending=STRENGTH), **options)
    deflection = LOAD * (COUNT / TANGENTIAL + a**2 * COUNT * (4 * COUNT**2 - 1) / (12.0 * BEND))
    breaks = STRENGTH / (a * (COUNT - 0.5)) / LOAD
    print("deflection {:.6f} mm, closed form {:.6f} mm".format(-1e3 * strong.displacement[-1, 2], 1e3 * deflection))
    print("{} at {:.4f} of the load; the bond breaks at {:.4f}".format(weak.verdict, weak.summary["factor"], breaks))
    Path(folder, "beam.svg").write_text(draw_quasistatic(strong, width=600), encoding="utf-8")
    curves = draw_curve([("strong", strong), ("weak", weak)], block=COUNT)
    Path(folder, "curve.svg").write_text(curves, encoding="utf-8")

    assert abs(-strong.displacement[-1, 2] / deflection - 1.0) < 1e-6
    assert weak.verdict == "mechanism" and weak.summary["broken_bonds"] >= 1
    assert 0.0 <= breaks - weak.summary["factor"] < 1.0 / STEPS
    return weak.summary["factor"]


if __name__ == "__main__":
    main(*sys.argv[1:])
