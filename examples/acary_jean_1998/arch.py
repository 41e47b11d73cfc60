"""An arch of blocks of 50 x 25 cm under own weight, a shear wave, and a settlement of 4 cm.

Source: Acary and Jean 1998, fig. 3 and 4a: 2700 kg/m3, mu 0.5. Their blocks are elastic, ours rigid. The geometry is
in figures only: here a half circle of 5 m span with 30 blocks, 0.5 m deep and 25 cm along the ring. The wave is ours:
a pulse of 0.1 g that reaches the right springing after the left one.
Asserted: the arch stands in all three cases, and the settled support is 4 cm lower. It follows by hinges: some blocks
hardly rotate, others by more than half and less than ten times the angle of 4 cm over the span.
"""

import sys
from pathlib import Path

import numpy as np

from compas_nscd import Engine, GroundMotion, LoadCase, SupportMotion
from compas_nscd.drawing import draw_dynamic, draw_static
from compas_nscd.templates import arch


def main(folder="."):
    structure = arch(span=5.0, thickness=0.5, depth=1.0, blocks=30, density=2700.0, friction=0.5)
    wave = LoadCase(ground=[GroundMotion.half_sine("x", 0.1 * 9.81, 0.3, speed=50.0, travel="x")])
    settles = LoadCase(support_motions=[SupportMotion("right", (0.0, 0.0, -0.04), 1.0)])
    with Engine() as engine:
        weight = engine.static(structure)
        shaken, settled = (
            engine.dynamic(structure, case, duration=1.5, time_step=5e-3, interval=0.05).result()
            for case in (wave, settles)
        )
    print("weight: {}, wave: {}, settlement: {}".format(weight.verdict, shaken.verdict, settled.verdict))
    turned = np.degrees(2.0 * np.arccos(np.clip(np.abs(settled.orientation[-1, :, 0]), 0.0, 1.0)))
    print("after the settlement, blocks are turned by up to {:.2f} degrees".format(turned.max()))
    Path(folder, "arch_at_rest.svg").write_text(draw_static(weight, view=(0.0, 0.0)), encoding="utf-8")
    picture = draw_dynamic(settled, magnify=10.0, view=(0.0, 0.0))
    Path(folder, "arch_settled.svg").write_text(picture, encoding="utf-8")

    assert weight.verdict == shaken.verdict == settled.verdict == "stable"
    assert np.allclose(settled.displacement("right")[-1], [0.0, 0.0, -0.04], atol=1e-9)
    # As one body it would turn by 4 cm over 5 m; hinges turn parts of it by more, and others not at all.
    rigid = np.degrees(0.04 / 5.0)
    assert 0.5 * rigid < turned.max() < 10.0 * rigid and turned.min() < 0.1 * rigid
    return {"gravity": weight.verdict, "shear wave": shaken.verdict, "settlement": settled.verdict}


if __name__ == "__main__":
    main(*sys.argv[1:])
