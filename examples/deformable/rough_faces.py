"""One block at the foot of a pier, refined and elastic, between rough faces.

Source: Bagneris, Dubois and Martin 2013, as Bagi reviews it: forces of rigid blocks are taken to one elastic block,
nodes of its faces are moved at random across them. The pier is ours: 10 courses of 1 x 1 x 0.5 m, 2400 kg/m3, E 30 GPa.
Asserted: the mean stress is that of the weight above, smooth or rough; a roughness of 1 micrometre raises the greatest
principal tension more than ten times, and one of 10 micrometres further.
"""

import sys
from pathlib import Path

import numpy as np

from compas_nscd import Elastic, Engine
from compas_nscd.drawing.picture import draw_elastic
from compas_nscd.templates import stack


def main(folder="."):
    pier = stack(blocks=10, width=1.0, depth=1.0, height=0.5, density=2400.0)
    stone = Elastic(young=3e10, poisson=0.2, elements="h8", refine=6)
    foot = next(i for i, block in enumerate(pier.blocks) if not block.support)
    with Engine() as engine:
        found = {
            roughness: engine.submodel(pier, foot, stone, roughness=roughness, seed=1) for roughness in (0, 1e-6, 1e-5)
        }
    for roughness, result in found.items():
        print("roughness {:4.0f} um: tension {:.3f} MPa".format(1e6 * roughness, result.tension / 1e6))
    Path(folder, "pier.svg").write_text(draw_elastic(found[1e-5]), encoding="utf-8")

    weight = 9.5 * 0.5 * 2400.0 * 9.81  # above the middle of the block [Pa]
    for result in found.values():
        mean = result.elastic.volume @ result.elastic.stress[:, 2, 2] / result.elastic.volume.sum()
        assert np.isclose(mean, -weight, rtol=1e-5)
    assert 10.0 * found[0].tension < found[1e-6].tension < found[1e-5].tension


if __name__ == "__main__":
    main(*sys.argv[1:])
