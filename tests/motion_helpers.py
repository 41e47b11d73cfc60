"""Models of moving blocks and spheres, for tests."""

import numpy as np
from detection import moved, request_of, turn
from nscd_engine.decompose import joined, starts
from nscd_engine.ingest import read_model
from nscd_engine.structs import Bodies, Polyhedra
from solids import prism


def upright(outline, depth):
    """A polygon in the x-z plane, counter-clockwise seen from -y, drawn out from y = -depth to y = 0."""
    return moved(prism(outline, depth), turn(0, 90.0))


def polyhedra(solids):
    """Solids as one struct."""
    empty = Polyhedra(np.zeros((0, 3)), starts([]), np.zeros(0, np.int32), starts([]), starts([]))
    return joined(empty, solids)


def model_of(solids, supports=(0,), friction=0.6):
    """A model of solids under gravity, through the gate."""
    return read_model(request_of(solids, supports))._replace(friction=friction)


def with_spheres(model, centres, radius, density=2000.0, disc_depth=None):
    """The model and spheres behind its blocks, all free; discs of this depth about y if it is given. Also all radii."""
    n, centres = len(centres), np.asarray(centres, float)
    poly = joined(model.polyhedra, [(centre[None], []) for centre in centres])
    volume = 4.0 / 3.0 * np.pi * radius**3 if disc_depth is None else np.pi * radius**2 * disc_depth
    factor = 0.4 if disc_depth is None else 0.5
    mass, old = density * volume, model.bodies
    bodies = Bodies(
        np.append(old.mass, np.full(n, mass)),
        np.append(old.volume, np.full(n, volume)),
        np.vstack([old.centroid, centres]),
        np.concatenate([old.inertia, np.tile(factor * mass * radius**2 * np.eye(3), (n, 1, 1))]),
        np.append(old.size, np.full(n, 2.0 * radius)),
        np.append(old.free, np.arange(n) + old.free.max() + 1).astype(np.int32),
    )
    names = model.names + ["s{}".format(i) for i in range(n)]
    load = np.vstack([model.load, np.zeros((n, 6))])
    radii = np.append(np.zeros(len(model.names)), np.full(n, radius))
    return model._replace(polyhedra=poly, bodies=bodies, names=names, load=load), radii
