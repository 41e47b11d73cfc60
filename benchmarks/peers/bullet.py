"""Bullet: one step of its sequential impulses after the blocks have settled."""

import json
import sys
import time

import numpy as np

#: Time step [s].
STEP = 2e-3
#: Steps before the measurement. Fewer: the contacts have not settled.
SETTLE = 100
#: Iterations of a step [-]: five times Bullet's own number, with which a wall falls apart sooner.
ITERATIONS = 50
GRAVITY = 9.81  # [m/s2]


def row(path):
    """Row of the best of 20 steps, with the greatest acceleration over g and the way blocks sank; `path` is a scene."""
    import pybullet as bullet

    with open(path, encoding="utf-8") as file:
        scene = json.load(file)
    bullet.connect(bullet.DIRECT)
    bullet.setGravity(0.0, 0.0, -GRAVITY)
    bullet.setPhysicsEngineParameter(fixedTimeStep=STEP, numSolverIterations=ITERATIONS)
    free = [body for block in scene["blocks"] for body in [_body(bullet, block, scene)] if not block["support"]]
    before = _places(bullet, free)
    for _ in range(SETTLE):
        bullet.stepSimulation()
    times = []
    for _ in range(20):
        slow = _velocities(bullet, free)
        began = time.perf_counter()
        bullet.stepSimulation()
        times.append(time.perf_counter() - began)
    worst = np.linalg.norm(_velocities(bullet, free) - slow, axis=1).max() / (STEP * GRAVITY)
    sunk = np.linalg.norm(_places(bullet, free) - before, axis=1).max()
    row = {"code": "bullet", "time_s": min(times), "unbalanced_max": float(worst), "verdict": None}
    return dict(row, sunk_mm=1e3 * float(sunk))


def _body(bullet, block, scene):
    """Number of the convex body of a block; its margin, which Bullet adds around a shape, is left out."""
    friction = scene["mu"] if "mu" in scene else scene["law"]["friction"]
    points = np.array(block["vertices"])
    centre = points.mean(axis=0)
    shape = bullet.createCollisionShape(bullet.GEOM_MESH, vertices=(points - centre).tolist())
    mass = 0.0 if block["support"] else block["density"] * _volume(points, block["faces"])
    body = bullet.createMultiBody(mass, shape, basePosition=centre.tolist(), useMaximalCoordinates=1)
    bullet.changeDynamics(body, -1, lateralFriction=np.sqrt(friction), collisionMargin=0.0)  # Bullet multiplies both
    return body


def _volume(points, faces):
    """Volume [m3] of a closed polyhedron: tetrahedra from the origin over triangles of its faces."""
    corners = [(face[0], face[k], face[k + 1]) for face in faces for k in range(1, len(face) - 1)]
    return float(np.linalg.det(points[np.array(corners)]).sum() / 6.0)


def _places(bullet, bodies):
    return np.array([bullet.getBasePositionAndOrientation(body)[0] for body in bodies])


def _velocities(bullet, bodies):
    return np.array([bullet.getBaseVelocity(body)[0] for body in bodies])


if __name__ == "__main__":
    print(json.dumps(row(sys.argv[1])))
