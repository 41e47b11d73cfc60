"""Compile every kernel, by using it once on something as small as can be."""

import logging

import numpy as np

from compas_nscd.errors import CancelledError
from nscd_engine import cache, service
from nscd_engine.scene_file import request_from_scene

SOLVERS = ("newton", "nlgs", "spg")
FRICTIONS = ("associated", "coulomb")

_PRISM = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]

log = logging.getLogger(__name__)


def run(request, monitor):
    """The verb `warm`: `done` names what was compiled, `failed` what could not be and why."""
    done, failed = [], {}
    tasks = list(_tasks())
    for k, (name, verb, body) in enumerate(tasks):
        try:
            service.run(service.ANALYSES[verb], body, _Share(monitor, name, k, len(tasks)))
            done.append(name)
        except CancelledError:
            raise
        except Exception as error:
            log.exception("warm: %s", name)
            failed[name] = "{}: {}".format(type(error).__name__, error)
    if not failed:
        cache.mark_warm()
    return {"done": done, "failed": failed, "cache": cache.state["path"]}


class _Share:
    """Monitor of one task among several: its progress is a share of the whole."""

    def __init__(self, monitor, name, k, count):
        self._whole = monitor
        self._name = name
        self._k = k
        self._count = count

    def report(self, phase, fraction=None):
        self._whole.report("{}, {}".format(self._name, phase), (self._k + (fraction or 0.0)) / self._count)


def _tasks():
    yield "check", "check", request_from_scene(stack(0.0))
    for solver in SOLVERS:
        for friction in FRICTIONS:
            settings = {"solver": solver, "friction": friction}
            yield "static {} {}".format(solver, friction), "static", request_from_scene(stack(0.0), settings)
    yield "collapse", "static", request_from_scene(stack(1.25))
    for solver in ("newton", "nlgs"):
        yield "fc3d " + solver, "fc3d", {"problems": [sliding_contact()], "solver": solver}


def stack(overhang):
    """A block of 1 m on a slab that is the support; beyond an overhang of 1 m it tips."""
    slab, block = _box([-1.0, -1.0, -1.0], [2.0, 2.0, 1.0]), _box([-0.5 + overhang, -0.5, 0.0], [1.0, 1.0, 1.0])
    load = {"block": 1, "point": [overhang, 0.0, 1.0], "force": [0.0, 0.0, -1.0]}
    return {"blocks": [dict(slab, support=True), dict(block, support=False)], "mu": 0.6, "loads": [load]}


def sliding_contact():
    """One contact with W = 1 that approaches and slides."""
    unit = {"data": np.ones(3), "indices": np.arange(3, dtype=np.int32), "start": np.arange(4, dtype=np.int32)}
    return {"name": "one contact", "friction": np.array([0.5]), "W": unit, "q": np.array([-1.0, 2.0, 0.0])}


def _box(corner, size):
    ring = [(0, 0), (1, 0), (1, 1), (0, 1)]
    units = [(x, y, z) for z in (0, 1) for x, y in ring]
    vertices = [[c + s * u for c, s, u in zip(corner, size, unit)] for unit in units]
    return {"vertices": vertices, "faces": _PRISM, "density": 2000.0}
