"""LMGC90 through compas_lmgc90: mean time of a step under ground motion."""

import json
import sys
import time

import numpy as np

from benchmarks.peers.lmgc90 import prepared


def row(path, h, steps, acceleration, frequency):
    """Follow `steps` steps of `h` [s]; the ground moves along x with A cos(2 pi f t), A = acceleration / (2 pi f)."""
    omega = 2.0 * np.pi * frequency
    solver, _ = prepared(path, h, np.array([0.0, acceleration / omega, omega, 0.0, 1.0, 0.0]))
    began = time.perf_counter()
    for _ in range(steps):
        solver.lmgc90.compute_one_step()
    elapsed = (time.perf_counter() - began) / steps
    return {"code": "lmgc90", "time_s": elapsed, "unbalanced_max": None, "verdict": None}


if __name__ == "__main__":
    scene, h, steps, acceleration, frequency = sys.argv[1:]
    print(json.dumps(row(scene, float(h), int(steps), float(acceleration), float(frequency))))
