"""The spandrel wall on ground that shakes with 0.2 g at 1 Hz: across its plane it overturns.

Source: Beatini, Royer-Carfagni, Tasora 2017, sec. 4, fig. 11 and 12: wall of 16.2 x 5.0 x 0.8 m with an opening of
7.6 m, 1800 kg/m3, mu 0.4, ground A sin(2 pi t) with A = 49.7 mm; it falls within 6 s along its plane, and across it.
Static accelerations of 0.2 g it carries along, not across. Blocks are ours, larger than theirs.
Asserted: both static verdicts; across the plane, it has moved by more than 5 cm after 3 s. Along the plane ours
stands for as long as it is followed, other than theirs: printed, not asserted.
"""

import sys
from pathlib import Path

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
    Path(folder, "fig12_across.svg").write_text(draw_dynamic(motion["y"]), encoding="utf-8")
    for figure, axis in (("fig11", "x"), ("fig12", "y")):
        Path(folder, figure + "_keystone.svg").write_text(draw_history(motion[axis]), encoding="utf-8")

    assert static == {"x": "stable", "y": "collapse"}
    assert motion["y"].summary["max_displacement"] > 0.05


if __name__ == "__main__":
    main(*sys.argv[1:])
