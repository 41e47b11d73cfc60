"""A cylinder of radial blocks over an octagonal hole: some blocks fall, and a false dome remains.

Source: Beatini, Royer-Carfagni, Tasora 2017, fig. 10: 16.2 m across and 5 m high, mu 0.4, hole of 7.6 m between
opposite corners; some blocks over the hole fall, a dome-shaped space remains. Sizes of the blocks are in the figure
only; ours are large, 16 sectors by 6 rings by 6 courses around an eye of 0.6 m.
Asserted: unlike the published result, with mu 0.4 in every joint there is a balance of forces: the rings are wedged,
and friction in their upright joints holds them. Without friction in the upright joints, as if these were open, the
false dome forms: fewer blocks fall with every course, none of the upper two, and the rest stands. The same blocks fall
with friction in all joints if contacts are not solved to convergence (5 sweeps of Gauss-Seidel a step).
"""

import sys
from pathlib import Path

import numpy as np

from compas_nscd import ContactLaw, Engine, LoadCase, Settings, Structure
from compas_nscd.drawing import draw_static, draw_structure
from compas_nscd.templates import cylinder

COURSES = 6


def main(folder="."):
    whole = cylinder(8.1, 7.5, 5.0 / COURSES, COURSES, 16, 6, opening=3.8, density=1800.0, friction=0.4)
    careless = Settings(solver="nlgs", max_iterations=5)
    with Engine() as engine:
        wedged = engine.static(whole)
        upright = wedged.interface_body[np.abs(wedged.interface_normal[:, 2]) < 0.5]
        smooth = {(int(a), int(b)): ContactLaw(0.0) for a, b in upright}
        falls = engine.static(Structure(whole.blocks, whole.law, pair_laws=smooth, name="cylinder over a hole"))
        fell = np.linalg.norm(falls.mechanism[:, :3], axis=1) > 0.5
        left = [block for block, out in zip(whole.blocks, fell) if not out]
        dome = engine.static(Structure(left, whole.law, name="false dome"))
        motion = engine.dynamic(whole, LoadCase(), 1.0, 5e-3, careless, interval=0.1, friction="associated").result()
    sank = motion.centroid[:, 2] - motion.position[-1][:, 2] > 0.1
    course = np.floor(falls.centroid[:, 2] * COURSES / 5.0).astype(int)
    print("theirs, friction 0.4: blocks over the hole fall, a false dome remains")
    print("ours, friction 0.4 in all joints:", wedged.verdict)
    for how, out in (("without friction in upright joints", fell), ("with 5 sweeps a step", sank)):
        print("{}: of the courses fall {}".format(how, " ".join(str(out[course == k].sum()) for k in range(COURSES))))
    print("what is left, friction 0.4:", dome.verdict)
    Path(folder, "fig10_falls.svg").write_text(draw_static(falls, view=(-20.0, -40.0)), encoding="utf-8")
    Path(folder, "fig10_remains.svg").write_text(draw_structure(dome.structure, view=(-20.0, -40.0)), encoding="utf-8")

    assert (wedged.verdict, falls.verdict, dome.verdict) == ("stable", "collapse", "stable")
    fallen = [int(fell[course == k].sum()) for k in range(COURSES)]
    assert fallen == sorted(fallen, reverse=True) and fallen[0] > fallen[3] > 0 == fallen[4]
    assert (fell == sank).all()
    return {"assured": wedged.summary.get("assured"), "remains": dome.verdict}


if __name__ == "__main__":
    main(*sys.argv[1:])
