"""A Roman bridge in a plane, its blocks rigid and deformable: directions of stress and states of joints.

Source: Chetouane et al. 2005, as told by Bagi (the contact dynamics method): Pont Julien in a plane with dry joints,
its weight alone; they compare principal stresses and states of contacts of rigid and deformable blocks, and find the
latter more realistic. The geometry is ours: the middle span of 16 m, a ring of 0.9 m, and spandrels.
Asserted: both stand with the same weight on their supports. In the ring the direction of greatest compression differs
by less than 15 degrees in the mean. More joints open between deformable blocks, and fewer carry all the friction they
can: the forces of rigid blocks are not unique, and those that are found may lie at the limit.
"""

import sys
from pathlib import Path

import numpy as np

from compas_nscd import Elastic, Engine, Structure
from compas_nscd.drawing import draw_elastic, draw_static
from compas_nscd.templates import spandrel_wall

STONE = Elastic(young=2e10, poisson=0.2, elements="t3", refine=2)


def built(elastic):
    drawn = spandrel_wall(26.0, 10.4, 1.0, 16.0, 0.9, 25, course=0.8, length=1.8, density=2400.0, friction=0.6)
    structure = Structure(drawn.blocks, drawn.law, "bridge", planar="y")
    structure.deform(elastic)
    return structure


def compression_axes(result, blocks):
    """Directions of the greatest compression of the mean stress of blocks."""
    return result.stresses().directions[blocks, 0]


def main(folder="."):
    with Engine() as engine:
        rigid, elastic = (engine.static(built(each)) for each in (None, STONE))
    ring = [k for k, name in enumerate(rigid.structure.names) if name.startswith("v")]
    along = np.abs(np.einsum("bi,bi->b", compression_axes(rigid, ring), compression_axes(elastic, ring)))
    angle = np.degrees(np.arccos(np.minimum(along, 1.0)))
    states = [
        np.bincount(np.where(each.joints.loaded, each.joints.status, 0), minlength=3) for each in (rigid, elastic)
    ]
    print("direction of compression in the ring differs by {:.1f} degrees in the mean".format(angle.mean()))
    for name, (opened, sticks, slides) in zip(("rigid", "deformable"), states):
        print("{}: {} joints open, {} stick, {} slide".format(name, opened, sticks, slides))
    print("greatest compression {:.2f} MPa".format(-1e-6 * elastic.elastic.summary["stress_min"]))
    Path(folder, "bridge_rigid.svg").write_text(draw_static(rigid, view=(0.0, 0.0)), encoding="utf-8")
    picture = draw_elastic(elastic, "compression", view=(0.0, 0.0))
    Path(folder, "bridge_deformable.svg").write_text(picture, encoding="utf-8")

    assert rigid.stands and elastic.stands
    assert np.allclose(rigid.support_reaction, elastic.support_reaction, atol=1e-4 * rigid.summary["weight_total"])
    assert angle.mean() < 15.0 and states[0][0] < states[1][0] and states[0][2] > states[1][2]
    return {"angle": angle.mean(), "states": states}


if __name__ == "__main__":
    main(*sys.argv[1:])
