"""The spandrel wall on ground that shakes with 0.2 g at 1 Hz: it rocks across its plane, and holds along it.

Source: Beatini, Royer-Carfagni, Tasora 2017, sec. 4, fig. 11 and 12: wall of 16.2 x 5.0 x 0.8 m with an opening of
7.6 m, 1800 kg/m3, mu 0.4, ground A sin(2 pi t) with A = 49.7 mm. There it falls within 6 s along its plane and, apart
from that, across it; a static acceleration of 0.2 g it carries along, not across. Blocks are ours, 123, larger than
theirs.
Asserted: both static verdicts. Across its plane the wall lifts off and rocks: its head moves by more than 10 cm
against the ground, its keystone rises and falls by more than 5 mm. It does not fall here, in neither direction, nor
within 6 s, nor with 376 smaller blocks; across, a rigid block of its height and thickness (Housner's equation) does
not either: it turns by a third of what overturns it. What is known of the motion along is in docs/dynamics.md.
"""

import sys
from pathlib import Path

import numpy as np

from compas_nscd import Engine, GroundMotion, LoadCase
from compas_nscd.history_plot import draw_history
from compas_nscd.picture import draw_dynamic
from compas_nscd.templates import spandrel_wall

PGA = 0.2 * 9.81


def main(folder="."):
    structure = spandrel_wall(ring=0.6, voussoirs=21, course=0.5, length=1.0)
    static, motion = {}, {}
    with Engine() as engine:
        for axis, pushed in (("x", (PGA, 0.0, -9.81)), ("y", (0.0, PGA, -9.81))):
            static[axis] = engine.static(structure, LoadCase(gravity=pushed)).verdict
            case = LoadCase(ground=[GroundMotion.sine(axis, PGA, frequency=1.0)])
            motion[axis] = engine.dynamic(structure, case, 3.0, 5e-3, interval=0.05, probes=["v10"]).result()
            print("static 0.2 g along {}: {}; shaken: {}, moved by {:.3f} m".format(
                axis, static[axis], motion[axis].verdict, motion[axis].summary["max_displacement"]))
    rocks = motion["y"].displacement("v10")
    farthest = float(motion["y"].times[np.abs(rocks[:, 1]).argmax()])
    picture = draw_dynamic(motion["y"], at=farthest, view=(60.0, 8.0))
    Path(folder, "fig12_across.svg").write_text(picture, encoding="utf-8")
    for figure, axis in (("fig11", "x"), ("fig12", "y")):
        Path(folder, figure + "_keystone.svg").write_text(draw_history(motion[axis]), encoding="utf-8")

    assert static == {"x": "stable", "y": "collapse"}
    assert np.abs(rocks[:, 1]).max() > 0.1 and np.ptp(rocks[:, 2]) > 0.005
    assert {axis: result.verdict for axis, result in motion.items()} == {"x": "stable", "y": "stable"}


if __name__ == "__main__":
    main(*sys.argv[1:])
