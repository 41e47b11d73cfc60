"""LMGC90 through compas_lmgc90: first time step, to its own convergence test."""

import json
import sys
import time

import numpy as np


def row(path):
    """Row of one implicit step of 10 ms under own weight; `path` is a scene file."""
    solver, blocks = prepared(path, 1e-2, np.zeros(6))
    began = time.perf_counter()
    result = solver.lmgc90.compute_one_step()
    elapsed = time.perf_counter() - began
    worst = _unbalanced(result, blocks, solver.density)
    return {"code": "lmgc90", "time_s": elapsed, "unbalanced_max": worst, "verdict": None}


def prepared(path, h, velocity):
    """Solver of LMGC90 with a scene, in steps of h [s], and the blocks of the scene.

    Supports move along x with the velocity (v0 + v1 cos(v2 t + v3)) min(1, v4 + v5 t), coefficients as LMGC90 has them.
    """
    from compas_lmgc90.solver import Solver

    with open(path, encoding="utf-8") as file:
        scene = json.load(file)
    blocks = scene["blocks"]
    solver = Solver(dt=h, theta=0.5, density=blocks[0]["density"])
    solver.geometry_from_v_f(blocks)
    for index, block in enumerate(blocks):
        if block["support"]:
            for component in range(1, 7):
                solver.v_drvdof[index][component] = velocity if component == 1 else np.zeros(6)
    solver.contact_law("IQS_CLB", scene["mu"] if "mu" in scene else scene["law"]["friction"])
    solver.preprocess()
    return solver, blocks


def _unbalanced(result, blocks, density):
    """Greatest unbalanced force of a free block over its weight; contact forces act on the first block of a pair."""
    from compas.datastructures import Mesh

    force = np.zeros((len(blocks), 3))
    for (first, second), pull in zip(result.interaction_bodies, result.interaction_force_global):
        force[first - 1] += pull
        force[second - 1] -= pull
    worst = 0.0
    for block, pull in zip(blocks, force):
        if not block["support"]:
            weight = 9.81 * density * Mesh.from_vertices_and_faces(block["vertices"], block["faces"]).volume()
            worst = max(worst, np.linalg.norm(pull - [0.0, 0.0, weight]) / weight)
    return float(worst)


if __name__ == "__main__":
    print(json.dumps(row(sys.argv[1])))
