"""The order of contacts selects one of many balanced force systems, but does not change their sums.

Source: Bagi, The Contact Dynamics Method: pairs of blocks are visited in random order, and each order gives other
contact forces, all in balance. A rigid wall is highly redundant.
Asserted: without regularisation, forces of two orders differ by more than a hundredth of a block's weight; every block
and the sum of the supports are in balance in both; the same seed gives the same forces.
"""

import sys
from pathlib import Path

import numpy as np

from compas_nscd import Engine, Settings
from compas_nscd.drawing import draw_static
from compas_nscd.templates import wall


def main(folder="."):
    structure = wall(5, 4, friction=0.6)
    with Engine() as engine:
        results = [engine.static(structure, settings=Settings(solver="nlgs", seed=seed)) for seed in (1, 2, 1)]
        unique = engine.static(structure)
    block = unique.mass[1:].max() * 9.81
    differ = np.abs(results[0].contact_force - results[1].contact_force).max() / block
    sums = np.abs(results[0].support_reaction - results[1].support_reaction).max() / block
    print("contact forces differ by {:.3f} of a block's weight, their sums by {:.0e}".format(differ, sums))
    Path(folder, "random_order.svg").write_text(draw_static(results[0]), encoding="utf-8")

    assert all(result.verdict == "stable" and result.summary["unbalanced_max"] < 1e-6 for result in results)
    assert differ > 0.01 and sums < 1e-6
    assert np.array_equal(results[0].contact_force, results[2].contact_force)
    return {"forces": differ, "sums": sums}


if __name__ == "__main__":
    main(*sys.argv[1:])
