"""A stack of blocks on a base under a pulse, and under a sine motion.

Source: Bagi, The Contact Dynamics Method, on the tests of Ceh et al. 2015 with stacks under pulses. The sizes are
ours: ten blocks of 0.5 x 0.5 x 0.25 m.
Asserted: the stack uplifts as one body at width over height, 0.2 g. A pulse of 0.15 g moves nothing, one of 0.6 g for
0.6 s overturns it. Under a sine motion of 0.15 g it stays together, and in its plane.
"""

import sys
from pathlib import Path

import numpy as np

from compas_nscd import Engine, GroundMotion, LoadCase
from compas_nscd.drawing import draw_dynamic
from compas_nscd.templates import stack

G = 9.81


def main(folder="."):
    structure = stack(blocks=10)
    motions = {
        "pulse of 0.15 g": GroundMotion.rectangular("x", 0.15 * G, 0.4),
        "pulse of 0.6 g": GroundMotion.rectangular("x", 0.6 * G, 0.6),
        "harmonic, 0.15 g": GroundMotion.sine("x", 0.15 * G, frequency=2.0, phase=90.0),
    }
    with Engine() as engine:
        results = {
            name: engine.dynamic(structure, LoadCase(ground=[motion]), 1.2, 5e-3, interval=0.05).result()
            for name, motion in motions.items()
        }
    for name, result in results.items():
        print("{}: {}, moved by {:.2g} m".format(name, result.verdict, result.summary["max_displacement"]))
    small, large, harmonic = results.values()
    Path(folder, "stack.svg").write_text(draw_dynamic(large, at=1.0, width=600), encoding="utf-8")

    assert [result.verdict for result in results.values()] == ["stable", "collapse", "stable"]
    assert small.summary["max_displacement"] < 1e-4
    assert np.abs(harmonic.position[:, :, 1] - harmonic.centroid[:, 1]).max() < 1e-6
    return {name: result.verdict for name, result in results.items()}


if __name__ == "__main__":
    main(*sys.argv[1:])
