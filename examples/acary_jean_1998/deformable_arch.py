"""An arch of deformable blocks, eight triangles each, beside the rigid one.

Source: Acary and Jean 1998, fig. 3 and 4a: 2700 kg/m3, mu 0.5, blocks of eight triangles with E 6e10 Pa, nu 0.27; of
the modulus only the mantissa can be read in our copy. Geometry and wave are ours, those of `arch.py` in a plane.
Asserted: it stands under its weight, a shear wave and a settlement of 4 cm. The greatest compression is one to six
times half the weight over the area of a springing. As the support settles, the same joints open as in rigid blocks.
"""

import sys
from pathlib import Path

import numpy as np

from compas_nscd import Elastic, Engine, GroundMotion, LoadCase, Structure, SupportMotion
from compas_nscd.drawing import draw_dynamic, draw_elastic
from compas_nscd.templates import arch

BLOCKS = 30
STONE = Elastic(young=6e10, poisson=0.27, elements="t3", refine=2)
WAVE = LoadCase(ground=[GroundMotion.half_sine("x", 0.1 * 9.81, 0.3, speed=50.0, travel="x")])
SETTLES = LoadCase(support_motions=[SupportMotion("right", (0.0, 0.0, -0.04), 1.0)])


def built(elastic):
    drawn = arch(span=5.0, thickness=0.5, depth=1.0, blocks=BLOCKS, density=2700.0, friction=0.5)
    structure = Structure(drawn.blocks, drawn.law, "arch", planar="y")
    structure.deform(elastic)
    return structure


def hinges(moved):
    """Joints whose blocks have turned against each other by more than a tenth of a degree."""
    turn = np.degrees(2.0 * np.arcsin(moved.orientation[-1, :BLOCKS, 2]))
    return [k for k in range(BLOCKS - 1) if abs(turn[k + 1] - turn[k]) > 0.1]


def main(folder="."):
    rigid, elastic = built(None), built(STONE)
    with Engine() as engine:
        weight = engine.static(elastic)
        shaken = engine.dynamic(elastic, WAVE, duration=0.45, time_step=5e-3, interval=0.05).result()
        settled, settled_rigid = (
            engine.dynamic(each, SETTLES, duration=1.1, time_step=5e-3, interval=0.05).result()
            for each in (elastic, rigid)
        )
    springing = 0.5 * weight.summary["weight_total"] / 0.5  # over the area of 0.5 x 1 m
    share = -weight.elastic.summary["stress_min"] / springing
    print("weight: {}, wave: {}, settlement: {}".format(weight.verdict, shaken.verdict, settled.verdict))
    print("compression up to {:.2f} MPa, {:.1f} times the mean of a springing".format(1e-6 * share * springing, share))
    print("joints that open: {}; of rigid blocks: {}".format(hinges(settled), hinges(settled_rigid)))
    Path(folder, "arch_at_rest.svg").write_text(draw_elastic(weight, view=(0.0, 0.0)), encoding="utf-8")
    picture = draw_dynamic(settled, magnify=10.0, view=(0.0, 0.0))
    Path(folder, "arch_settled.svg").write_text(picture, encoding="utf-8")

    assert weight.verdict == shaken.verdict == settled.verdict == settled_rigid.verdict == "stable"
    assert not any(each.warnings for each in (weight, shaken, settled))  # every step has converged
    assert 1.0 < share < 6.0 and hinges(settled) == hinges(settled_rigid) != []
    verdicts = {"gravity": weight.verdict, "shear wave": shaken.verdict, "settlement": settled.verdict}
    return dict(verdicts, stress=share, hinges=hinges(settled), **{"rigid hinges": hinges(settled_rigid)})


if __name__ == "__main__":
    main(*sys.argv[1:])
