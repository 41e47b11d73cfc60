"""A deformable bar of many elements in a row, which no refinement of a block gives, and its hit on a wall."""

import numpy as np

from elastic_blocks import BOX, CORNER
from motion_helpers import model_of
from nscd_engine.core.elastic import Elastic
from nscd_engine.core.settings import Settings
from nscd_engine.core.state import rest_state
from nscd_engine.deformable.assembly import assembled, diagonal
from nscd_engine.deformable.body import DeformableBody
from nscd_engine.deformable.elements import h8_mass, h8_stiffness, hexahedral, lame
from nscd_engine.deformable.mesh import Mesh
from nscd_engine.motion.deformable.state import Deformation
from nscd_engine.motion.moreau_jean import Scheme
from nscd_engine.motion.simulation import Simulation
from nscd_engine.solvers.deformables import Deformables

LENGTH, WIDTH, SPEED = 1.0, 0.05, 0.1  # [m], [m], [m/s]
DENSITY, ELASTIC = 2000.0, Elastic(1e9, 0.0, "h8")
C = np.sqrt(ELASTIC.young / DENSITY)  # [m/s] speed of the wave


def row_of_elements(block, count):
    """Body of a bar along x from the origin, with `count` H8 in a row."""
    corner = (CORNER + np.arange(count)[:, None, None] * [1.0, 0.0, 0.0]) * [LENGTH / count, WIDTH, WIDTH]
    corner[..., 1:] -= 0.5 * WIDTH
    node, cell = np.unique(np.round(corner.reshape(-1, 3), 12), axis=0, return_inverse=True)
    cell = cell.reshape(count, 8).astype(np.int32)
    mass = h8_mass(corner).sum(axis=2) * DENSITY
    share = np.bincount(cell.ravel(), mass.ravel(), len(node))
    gradient = hexahedral(corner)[0].mean_gradient
    none = np.zeros((0, 4), np.int32)
    volume = np.full(count, LENGTH * WIDTH**2 / count)
    mesh = Mesh("h8", node, cell, volume, none, none[:, 0], np.ones(count), 1)
    stiff = assembled(h8_stiffness(corner, lame(ELASTIC, None))[None], cell, len(node), 3)[0]
    centroid = share @ node / share.sum()
    return DeformableBody(block, mesh, stiff, diagonal(np.repeat(share, 3)), share, gradient, centroid, ELASTIC, None)


def forces_on_the_wall(count, step):
    """Times [s] and force [N] at every step of a bar that hits a wall; step over the time a wave takes an element."""
    h = step * LENGTH / count / C
    bar = CORNER * [LENGTH, WIDTH, WIDTH] - [0.0, 0.5 * WIDTH, 0.5 * WIDTH]
    wall = CORNER - [1.0, 0.5, 0.5]
    model = model_of([(wall, BOX), (bar, BOX)], friction=0.0)._replace(gravity=np.zeros(3))
    state = rest_state(model)
    state.velocity[1, 0] = -SPEED
    bodies = Deformables(model.bodies, [row_of_elements(1, count)])
    simulation = Simulation(model, Scheme(h), Settings(), state=state, deformation=Deformation(bodies))
    forces = []
    for _ in range(int(2.3 * LENGTH / C / h)):
        forces.append(simulation.advance().impulses[:, 0].sum() / h)
    return h * np.arange(1, len(forces) + 1), np.array(forces)
