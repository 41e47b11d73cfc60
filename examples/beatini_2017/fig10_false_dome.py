"""A cylinder of radial blocks over an octagonal hole: a heap falls out, and a false dome remains.

Source: Beatini, Royer-Carfagni, Tasora 2017, fig. 10: 16.2 m across and 5 m high, mu 0.4, hole of 7.6 m between
opposite corners; some blocks over the hole fall, a dome-shaped space remains. Sizes of the blocks are only in the
figure; ours are large, 16 sectors by 6 rings by 6 courses around an eye of 0.6 m.
Asserted: with mu 0.4 all of it stands here, other than there: wedged rings hold each other up by friction. With mu
0.1 blocks over the hole fall, fewer with every course, none of the upper half. Without them it stands with mu 0.4.
"""

import sys
from pathlib import Path

import numpy as np

from compas_nscd import Engine, Structure
from compas_nscd.picture import draw_static, draw_structure
from compas_nscd.templates import cylinder


def main(folder="."):
    def make(friction):
        return cylinder(8.1, 7.5, 5.0 / 6, 6, 16, 6, opening=3.8, density=1800.0, friction=friction)

    with Engine() as engine:
        whole, falls = engine.static(make(0.4)), engine.static(make(0.1))
        speed = np.linalg.norm(falls.mechanism[:, :3], axis=1)  # the rest slides apart, at a tenth of the speed
        blocks = whole.structure.blocks
        left = [block for block, v in zip(blocks, speed) if v < 0.5]
        dome = engine.static(Structure(left, whole.structure.law, name="false dome"))
    course = np.round(falls.centroid[:, 2] * 6 / 5.0 - 0.5).astype(int)
    fallen = [int((speed[course == k] > 0.5).sum()) for k in range(6)]
    print("friction 0.4:", whole.verdict)
    print("friction 0.1: of the courses fall", " ".join(map(str, fallen)))
    print("without these, friction 0.4:", dome.verdict)
    Path(folder, "fig10_remains.svg").write_text(draw_structure(dome.structure, view=(-20.0, -40.0)), encoding="utf-8")
    Path(folder, "fig10_falls.svg").write_text(draw_static(falls, view=(-20.0, -40.0)), encoding="utf-8")

    assert (whole.verdict, falls.verdict, dome.verdict) == ("stable", "collapse", "stable")
    assert fallen[0] > fallen[2] > 0 == sum(fallen[4:]) and fallen == sorted(fallen, reverse=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
