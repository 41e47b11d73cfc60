"""MuJoCo: one step of its Newton solver after its soft contacts have settled."""

import json
import sys
import time

import numpy as np

#: Time step [s].
STEP = 2e-3
#: Steps before the measurement. Fewer: the contacts have not settled, and a step takes more iterations.
SETTLE = 100


def row(path):
    """Row of the best of 20 steps, with the greatest acceleration over g and the way blocks sank; `path` is a scene."""
    import mujoco

    with open(path, encoding="utf-8") as file:
        scene = json.load(file)
    model = mujoco.MjModel.from_xml_string(_mjcf(scene))
    data = mujoco.MjData(model)
    before = data.qpos.reshape(-1, 7)[:, :3].copy()
    for _ in range(SETTLE):
        mujoco.mj_step(model, data)
    times = []
    for _ in range(20):
        began = time.perf_counter()
        mujoco.mj_step(model, data)
        times.append(time.perf_counter() - began)
    acceleration = data.qacc.reshape(-1, 6)[:, :3]
    worst = float(np.linalg.norm(acceleration, axis=1).max() / 9.81)
    sunk = float(np.linalg.norm(data.qpos.reshape(-1, 7)[:, :3] - before, axis=1).max())
    return {"code": "mujoco", "time_s": min(times), "unbalanced_max": worst, "verdict": None, "sunk_mm": 1e3 * sunk}


def _mjcf(scene):
    friction = scene["mu"] if "mu" in scene else scene["law"]["friction"]
    meshes, bodies = [], []
    for block in scene["blocks"]:
        points = np.array(block["vertices"])
        centre = points.mean(axis=0)
        name = "m{}".format(block["id"])
        numbers = " ".join("{:.17g}".format(x) for x in (points - centre).ravel())
        meshes.append('<mesh name="{}" vertex="{}"/>'.format(name, numbers))
        joint = "" if block["support"] else "<freejoint/>"
        geom = '<geom type="mesh" mesh="{}" density="{}" friction="{} 0 0"/>'.format(name, block["density"], friction)
        bodies.append('<body pos="{} {} {}">{}{}</body>'.format(*centre, joint, geom))
    option = '<option timestep="{}" cone="elliptic" solver="Newton"><flag multiccd="enable"/></option>'.format(STEP)
    return "<mujoco>{}<size memory='1G'/><asset>{}</asset><worldbody>{}</worldbody></mujoco>".format(
        option, "".join(meshes), "".join(bodies)
    )


if __name__ == "__main__":
    print(json.dumps(row(sys.argv[1])))
