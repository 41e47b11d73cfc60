"""Clarabel, an interior-point solver: forces in the friction cones that balance the weights, if there are any."""

import json
import sys
import time

import numpy as np


def row(path):
    """Row of one second-order cone feasibility problem; `path` is an .npz of contacts (measure/other_codes.py)."""
    import clarabel
    from scipy import sparse

    contacts = np.load(path, allow_pickle=False)
    balance, load = _equilibrium(contacts)
    count = len(contacts["friction"])
    # Form of Clarabel: A x + s = b, s in the cones; equilibrium first, then (mu n, t1, t2) of every contact.
    scale = np.ones((count, 3))
    scale[:, 0] = contacts["friction"]
    stacked = sparse.vstack([balance, -sparse.diags(scale.ravel())]).tocsc()
    right = np.concatenate([load, np.zeros(3 * count)])
    cones = [clarabel.ZeroConeT(len(load))] + [clarabel.SecondOrderConeT(3)] * count
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    began = time.perf_counter()
    empty = sparse.csc_matrix((3 * count, 3 * count))
    solution = clarabel.DefaultSolver(empty, np.zeros(3 * count), stacked, right, cones, settings).solve()
    elapsed = time.perf_counter() - began
    stands = "Solved" in str(solution.status)
    left = np.abs(balance @ np.array(solution.x) - load).reshape(-1, 6)[:, :3].max(axis=1) if stands else np.zeros(1)
    worst = float((left / np.maximum(np.abs(load.reshape(-1, 6)[:, 2]), 1e-300)).max()) if stands else None
    verdict = "stable" if stands else "collapse"
    return {"code": "clarabel", "time_s": elapsed, "unbalanced_max": worst, "verdict": verdict}


def _equilibrium(contacts):
    """Matrix from contact forces to wrenches on the free bodies, and minus the loads. (6 F, 3 C), (6 F,)"""
    from scipy import sparse

    body, arm, frame = contacts["body"], contacts["arm"], contacts["frame"]
    rows, columns, values = [], [], []
    for side, sign in ((0, -1.0), (1, 1.0)):
        held = np.flatnonzero(body[:, side] >= 0)
        force = sign * np.swapaxes(frame[held], 1, 2)  # columns n, t1, t2 in world axes
        moment = np.cross(arm[held, side][:, :, None], force, axis=1)
        wrench = np.concatenate([force, moment], axis=1)  # (k, 6, 3)
        rows.append(np.broadcast_to((6 * body[held, side])[:, None, None] + np.arange(6)[None, :, None], wrench.shape))
        columns.append(np.broadcast_to((3 * held)[:, None, None] + np.arange(3)[None, None, :], wrench.shape))
        values.append(wrench)
    flat = [np.concatenate([part.ravel() for part in parts]) for parts in (values, rows, columns)]
    shape = (contacts["load"].size, 3 * len(body))
    return sparse.csc_matrix((flat[0], (flat[1], flat[2])), shape=shape), -contacts["load"].ravel()


if __name__ == "__main__":
    print(json.dumps(row(sys.argv[1])))
