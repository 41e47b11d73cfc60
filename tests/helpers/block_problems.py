"""Step problems of boxes on a fixed ground, built by hand: no detection in between."""

import numpy as np

from nscd_engine.core.structs import Problem

GRAVITY = 9.81
STEP = 1.0  # [s]: impulses are forces

CORNERS = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))


def ground(points, gravity=(0.0, 0.0, -GRAVITY), friction=0.6, mass=1000.0, compliance=0.0):
    """A unit cube that touches the ground at points (x, y) of its lower face."""
    arms = [[(0.0, 0.0, 0.0), (x, y, -0.5)] for x, y in points]
    return problem([(-1, 0)] * len(points), arms, gravity, friction, [mass], compliance)


def stack(count, gravity=(0.0, 0.0, -GRAVITY), friction=0.6, masses=None, compliance=0.0):
    """Unit cubes one above the other, four contacts each."""
    bodies = [(k - 1, k) for k in range(count) for _ in CORNERS]
    arms = [[(x, y, 0.5), (x, y, -0.5)] for _ in range(count) for x, y in CORNERS]
    return problem(bodies, arms, gravity, friction, masses or [1000.0] * count, compliance)


def problem(bodies, arms, gravity, friction, masses, compliance):
    """Contacts with normal z; cubes of unit size."""
    count, mass = len(bodies), np.asarray(masses, float)
    v_free = np.zeros((len(mass), 6))
    v_free[:, :3] = STEP * np.asarray(gravity)
    return Problem(
        mass=mass,
        inertia=mass[:, None, None] / 6.0 * np.eye(3),
        v_free=v_free,
        body=np.array(bodies, np.int32).reshape(count, 2),
        arm=np.array(arms, float).reshape(count, 2, 3),
        frame=np.tile(np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]), (count, 1, 1)),
        bias=np.zeros((count, 3)),
        friction=np.full(count, float(friction)),
        compliance=np.full((count, 2), float(compliance)),
    )


def resultant(given, impulses, contacts):
    """Force and moment about the centroid of b that contacts (all of the same pair) exert on b, world axes."""
    force = np.einsum("ckx,ck->cx", given.frame[contacts], impulses[contacts])
    moment = np.cross(given.arm[contacts, 1], force)
    return np.concatenate([force.sum(axis=0), moment.sum(axis=0)])


def incline(degrees):
    """Gravity of a table tilted about y."""
    angle = np.radians(degrees)
    return GRAVITY * np.array([np.sin(angle), 0.0, -np.cos(angle)])
