"""A wall over a gap: a triangle falls out, and the rest stands as a natural arch.

Source: Beatini, Royer-Carfagni, Tasora 2017, fig. 9: wall of 16.2 x 5.0 x 0.8 m with mu 0.4, whose base ends at a gap
of 7.6 m. Blocks of 0.9 x 0.42 m are ours; theirs are smaller, and in the figure only.
Asserted: after 0.9 s every block has either fallen by more than half a metre or is within a quarter of a metre of its
place. All blocks of the lowest courses over the gap have fallen, and no block outside a triangle that narrows by half a
block on either side with every course.
"""

import sys
from pathlib import Path

import numpy as np

from compas_nscd import Engine, LoadCase
from compas_nscd.drawing import draw_dynamic
from compas_nscd.templates import wall

COLUMNS, COURSES, GAP = 18, 12, 7.6


def main(folder="."):
    length, height = 16.2 / COLUMNS, 5.0 / COURSES
    structure = wall(COLUMNS, COURSES, length, height, 0.8, density=1800.0, friction=0.4, gap=GAP)
    structure.name = "wall over a gap"
    with Engine() as engine:
        result = engine.dynamic(structure, LoadCase(), duration=0.9, time_step=5e-3, interval=0.05).result()
    way = np.linalg.norm(result.position[-1] - result.centroid, axis=1)
    fell = way > 0.5
    print("{} of {} blocks fell, the others moved by at most {:.2f} m".format(fell.sum(), len(way), way[~fell].max()))
    Path(folder, "fig9_natural_arch.svg").write_text(draw_dynamic(result, view=(0.0, 0.0)), encoding="utf-8")

    x = result.centroid[:, 0] - 16.2 / 2
    course = np.floor(result.centroid[:, 2] / height)
    half = GAP / 2 - 0.5 * length * course  # of the triangle
    over = (course >= 0) & (np.abs(x) < half - length / 2)
    assert result.verdict == "collapse" and way[~fell].max() < 0.25
    assert (np.abs(x) < half)[fell].all() and fell[over & (course < 3)].all()
    return {"verdict": result.verdict}


if __name__ == "__main__":
    main(*sys.argv[1:])
