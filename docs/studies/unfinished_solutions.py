"""Make the study of unfinished solutions: `python docs/studies/unfinished_solutions.py` runs it and writes the page.

V43 and V42 with sweeps of Gauss-Seidel that are too few to converge, beside the exact solution of every step.
"""

from pathlib import Path

import numpy as np

from compas_nscd import Engine, GroundMotion, LoadCase, Settings
from compas_nscd.templates import cylinder, spandrel_wall

PAGE = Path(__file__).with_suffix(".md")
#: Sweeps of Gauss-Seidel in a step; None: Newton, every step to its tolerance.
SWEEPS = (3, 10, 30, None)
#: Times at which the keystone is read [s].
READ = (0.5, 1.0, 1.5)
HEAD = """# Unfinished solutions

Made by `python docs/studies/unfinished_solutions.py`.

Beatini, Royer-Carfagni and Tasora (2017) report falls in two examples whose contact problems may have been left
unfinished: their runs were almost in real time, which leaves about a millisecond for a step. Their bond is only in
figures, so that the structures below are like theirs, not theirs.

V43: solved exactly the wall settles once and then stays; with too few sweeps its keystone keeps moving.
V42: as many blocks fall out of the cylinder with few sweeps and with exact solutions, which let them down more slowly.
A balance of forces exists (static verdict stable), but it needs a clamping that nothing produces (`assured` false,
warning `wedged`). There the published fall is what Coulomb friction gives.

"""


def solved(sweeps):
    """Settings of a run, and its name."""
    if sweeps is None:
        return None, "exactly"
    return Settings(solver="nlgs", max_iterations=sweeps), "{} sweeps".format(sweeps)


def shaken_wall(engine):
    """V43: keystone of the spandrel wall, 0.2 g at 1 Hz along the wall."""
    wall = spandrel_wall(voussoirs=21, course=0.5, length=1.0)
    case = LoadCase(ground=[GroundMotion.sine("x", 0.2 * 9.81, frequency=1.0)])
    rows = []
    for sweeps in SWEEPS:
        settings, name = solved(sweeps)
        result = engine.dynamic(wall, case, READ[-1], 5e-3, settings, interval=0.05, probes=["v10"]).result()
        sunk = np.interp(READ, result.times, -1e3 * result.displacement("v10")[:, 2])
        rows.append([name, *("{:.1f}".format(s) for s in sunk), result.verdict])
        print(rows[-1], flush=True)
    return rows


def cylinder_over_hole(engine):
    """V42: blocks of the cylinder that sink by more than 0.1 m in 0.5 s."""
    whole = cylinder(8.1, 7.5, 5.0 / 6, 6, 16, 6, opening=3.8, density=1800.0, friction=0.4)
    rows = []
    for sweeps in (5, 20, None):
        settings, name = solved(sweeps)
        result = engine.dynamic(whole, LoadCase(), 0.5, 5e-3, settings, interval=0.1).result()
        sunk = result.centroid[:, 2] - result.position[-1][:, 2]
        rows.append([name, str(int((sunk > 0.1).sum())), "{:.3f}".format(float(sunk.max())), result.verdict])
        print(rows[-1], flush=True)
    return rows


def table(columns, rows):
    """Rows as a table of Markdown."""
    lines = ["| {} |".format(" | ".join(cells)) for cells in (columns, ["---"] * len(columns), *rows)]
    return "\n".join(lines) + "\n"


def main():
    """Run both and write the page."""
    with Engine() as engine:
        wall, holed = shaken_wall(engine), cylinder_over_hole(engine)
    columns = ["a step is solved", *("sunk after {:g} s [mm]".format(t) for t in READ), "verdict"]
    parts = [
        HEAD,
        "## V43: spandrel wall shaken along its plane\n",
        "123 blocks, mu 0.4, 0.2 g at 1 Hz, h = 5 ms: keystone.\n",
    ]
    parts += [table(columns, wall), "## V42: cylinder over an octagonal hole\n"]
    parts += ["mu 0.4 in all joints, Coulomb friction, h = 5 ms: blocks that sink by more than 0.1 m in 0.5 s.\n"]
    parts.append(table(["a step is solved", "blocks that sink", "greatest [m]", "verdict"], holed))
    PAGE.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
