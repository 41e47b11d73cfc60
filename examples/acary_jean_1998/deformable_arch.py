"""The arch of Acary and Jean with elastic blocks, 8 triangles each, beside the rigid one.

Source: Acary and Jean 1998, fig. 3 and 4a: E 60 GPa, nu 0.27, 2700 kg/m3, mu 0.5, 8 triangles a block. The geometry is
in figures only: a half circle of 5 m span with 30 blocks, 0.5 m deep and 25 cm along the ring, in plane stress.
Asserted: it stands elastic and rigid; the mean vertical compression of the first blocks is half the weight over the
section within 25 %, and no principal stress is above ten times it; mean stresses of blocks equal the moment tensors of
their contact forces to 1e-6.
"""

import sys
from pathlib import Path

import numpy as np

from compas_nscd import Elastic, Engine
from compas_nscd.drawing.picture import draw_elastic
from compas_nscd.templates import arch

THICKNESS, DEPTH = 0.5, 1.0


def main(folder="."):
    structure = arch(span=5.0, thickness=THICKNESS, depth=DEPTH, blocks=30, density=2700.0, friction=0.5)
    structure.planar = (0.0, 1.0, 0.0)
    with Engine() as engine:
        rigid = engine.static(structure)
        structure.deform(Elastic(young=6e10, poisson=0.27, elements="t3", refine=2))
        found = engine.static(structure)
    elastic = found.elastic
    print("rigid: {}, elastic: {}".format(rigid.verdict, found.verdict))
    low, high = elastic.principal.min(), elastic.principal.max()
    print("principal stresses {:.3f} to {:.3f} MPa".format(low / 1e6, high / 1e6))
    Path(folder, "deformable_arch.svg").write_text(draw_elastic(found, view=(0.0, 0.0)), encoding="utf-8")

    assert rigid.verdict == found.verdict == "stable"
    weight = rigid.summary["weight_total"]
    mean = 0.5 * weight / (THICKNESS * DEPTH)  # [Pa] at the springings
    free = [i for i, block in enumerate(structure.blocks) if not block.support]
    tensors, plane = found.stresses().tensor, np.ix_([0, 2], [0, 2])
    for i in (free[0], free[-1]):
        assert np.isclose(-elastic.mean_stress(i)[2, 2], mean, rtol=0.25)
    for i in free:
        assert np.allclose(elastic.mean_stress(i)[plane], tensors[i][plane], atol=1e-6 * mean)
    assert np.abs(elastic.principal).max() < 10.0 * mean


if __name__ == "__main__":
    main(*sys.argv[1:])
