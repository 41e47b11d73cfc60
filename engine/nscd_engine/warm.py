"""Compile every kernel, by using it once on a scene as small as can be."""

import importlib
import logging

from nscd_engine import cache
from nscd_engine.scene_file import request_from_scene
from nscd_engine.service import ANALYSES

SOLVERS = ("newton", "nlgs", "spg")
FRICTIONS = ("associated", "coulomb")

_CUBE = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]

log = logging.getLogger(__name__)


def run(request, monitor):
    """The verb `warm`: {"done": [...]} names what was compiled, {"failed": {...}} what could not be."""
    tasks = [("check", {})] + [("static", {"solver": s, "friction": f}) for s in SOLVERS for f in FRICTIONS]
    done, failed = [], {}
    for k, (verb, settings) in enumerate(tasks):
        name = " ".join([verb, *settings.values()])
        monitor.report(name, k / len(tasks))
        module, function = ANALYSES[verb].split(":")
        try:
            getattr(importlib.import_module(module), function)(request_from_scene(stack(), settings), monitor)
            done.append(name)
        except Exception as error:
            monitor.report(name, k / len(tasks))  # a cancelled job ends here
            log.exception("warm: %s", name)
            failed[name] = "{}: {}".format(type(error).__name__, error)
    if not failed:
        cache.mark_warm("all")
    return {"done": done, "failed": failed, "cache": cache.state["path"]}


def stack():
    """A cube of 1 m on a wider one, which is the support; a load on the upper one."""
    blocks = [_box(-1.0, -1.0, 2.0, True), _box(-0.5, 0.0, 1.0, False)]
    return {"blocks": blocks, "mu": 0.6, "loads": [{"block": 1, "point": [0.0, 0.0, 1.0], "force": [0.0, 0.0, -1.0]}]}


def _box(x, z, size, support):
    ring = [[x, x], [x + size, x], [x + size, x + size], [x, x + size]]
    height = 1.0
    vertices = [[a, b, z] for a, b in ring] + [[a, b, z + height] for a, b in ring]
    return {"vertices": vertices, "faces": _CUBE, "support": support, "density": 2000.0}
