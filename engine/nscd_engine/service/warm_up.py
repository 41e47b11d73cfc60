"""Compile every kernel, by using it once on something as small as can be."""

import logging
import os
import sys
import time

import numpy as np

from compas_nscd.errors import CancelledError
from nscd_engine import kernel_cache
from nscd_engine.core.monitor import Monitor
from nscd_engine.service import libraries, verbs, warm_scenes
from nscd_engine.service.scene_file import request_from_scene

SOLVERS = ("newton", "nlgs", "spg")
FRICTIONS = ("associated", "coulomb")
#: Time without request after which nobody seems to wait [s].
QUIET_S = 1.0

log = logging.getLogger(__name__)


def run(request, monitor):
    """The verb `warm`: `done` names what was tried, `failed` what could not be and why, `left` kernels not compiled."""
    done, failed = [], {}
    tasks = list(_tasks())
    for k, (name, verb, body) in enumerate(tasks):
        try:
            verbs.run(verbs.ANALYSES.get(verb, verb), body, _Share(monitor, name, k, len(tasks)))
            done.append(name)
        except CancelledError:
            raise
        except Exception as error:
            log.exception("warm: %s", name)
            failed[name] = "{}: {}".format(type(error).__name__, error)
    if not failed:
        kernel_cache.mark_warm()
    return {"done": done, "failed": failed, "left": left(), "cache": kernel_cache.state["path"]}


def preload(requests):
    """Bring kernels that are compiled already from the disk into memory, while nobody waits for them yet.

    Takes most of a second, and half of one for motions, as soon as the `Service` of requests has nothing to do.
    Kernels that are not compiled would take a minute: these wait until they are asked for.
    """
    try:
        monitor = Monitor()
        libraries.need(monitor)
        request = request_from_scene(warm_scenes.stack(0.0), {"solver": "newton"})
        if kernel_cache.is_warm(verbs.kernels_of("static", request)):
            verbs.run(verbs.ANALYSES["static"], request, monitor)
        if kernel_cache.is_warm():
            while requests.idle_s() < QUIET_S:
                time.sleep(QUIET_S)
            verbs.run(verbs.ANALYSES["dynamic"], _march(), monitor)
    except Exception:
        log.exception("preload")  # the first analysis will tell the user


def left():
    """Names of the kernels that are loaded, hence may be used, but were never compiled; without those inside others."""
    from numba.core.caching import FunctionCache
    from numba.core.dispatcher import Dispatcher

    if kernel_cache.state["path"] is None:
        return []
    files = [name for _, _, names in os.walk(kernel_cache.state["path"]) for name in names if name.endswith(".nbi")]
    compiled = {name.split("-")[0] for name in files}
    names = set()
    for name, module in list(sys.modules.items()):
        if name.startswith("nscd_engine.kernels."):
            kernels = [kernel for kernel in vars(module).values() if isinstance(kernel, Dispatcher)]
            kernels = [kernel.py_func for kernel in kernels if isinstance(kernel._cache, FunctionCache)]
            own = [kernel.__qualname__ for kernel in kernels if kernel.__module__ == name]
            names.update("{}.{}".format(name.split(".")[-1], kernel) for kernel in own)
    return sorted(names - compiled)


class _Share:
    """Monitor of one task among several: its progress is a share of the whole."""

    def __init__(self, monitor, name, k, count):
        self._whole = monitor
        self._name = name
        self._k = k
        self._count = count

    @property
    def cancelled(self):
        return self._whole.cancelled

    def report(self, phase, fraction=None):
        self._whole.report("{}, {}".format(self._name, phase), (self._k + (fraction or 0.0)) / self._count)


def hard_cases(request, monitor):
    """What no scene needs that is as small as can be: methods that take over where Newton's is slow, large factors."""
    from nscd_engine.contacts.at_rest import detect
    from nscd_engine.core.threads import Threads
    from nscd_engine.gate.settings import read_settings
    from nscd_engine.gate.structure import read_model
    from nscd_engine.linalg.factor import factorised
    from nscd_engine.linalg.symbolic import analyse
    from nscd_engine.solvers import admm, interior_point
    from nscd_engine.solvers.primal_system import System
    from nscd_engine.solvers.problem import static_problem
    from nscd_engine.solvers.solution import Warm
    from nscd_engine.solvers.workspace import Workspace

    model, settings = read_model(request), read_settings(request)
    problem = static_problem(model, detect(model, settings, monitor).contacts)
    system = System(problem)
    start = Warm(np.zeros((len(problem.friction), 3)), problem.v_free, Workspace())
    admm.solve_step(problem, start, True, Threads(1))
    factor = start.workspace.admm
    factorised(factor.sym, factor.panels, factor.arena, Threads(1))
    system.regularise(1e-6)
    interior_point.descend(system)
    analyse(80, np.argwhere(np.triu(np.ones((80, 80)), 1)))  # whose factor is worth several threads
    return {}


def _march():
    """Request for a motion, of blocks on a support that moves, whose steps are taken many at a time."""
    request = request_from_scene(warm_scenes.row(), {"solver": "newton"})
    way, speed = np.array([[0.0] * 6, [0.01] + [0.0] * 5]), np.zeros((2, 6))
    moved = dict(block=np.zeros(1, np.int32), delay=np.zeros(1), times=np.array([0.0, 0.1]), displacement=way)
    case = dict(request["case"], motions=[dict(moved, velocity=speed, common=True)])
    return dict(request, case=case, motion=_motion())


def _motion(**given):
    motion = {"duration": 0.02, "time_step": 5e-3, "theta": 1.0, "level": "position", "restitution": 0.0}
    motion.update(kinetic=1.0, forces=False, adaptive=False, quiet=False, probes=[], interval=None, restart=None)
    return dict(motion, **given)


def _tasks():
    """Name, verb or "module:function", and request."""
    yield "check", "check", request_from_scene(warm_scenes.yard())
    for solver in SOLVERS:
        for friction in FRICTIONS:
            settings = {"solver": solver, "friction": friction}
            scene = warm_scenes.stack(0.0)
            yield "static {} {}".format(solver, friction), "static", request_from_scene(scene, settings)
    yield "tip", "static", request_from_scene(warm_scenes.stack(1.25))
    yield "slide", "static", request_from_scene(warm_scenes.slide())
    level = {"kind": "acceleration", "directions": [[1.0, 0.0, 0.0]], "coulomb": True}
    yield "limit", "limit", dict(request_from_scene(warm_scenes.stack(0.0)), limit=level)
    motion = _motion(restitution=0.5, kinetic=0.9)
    yield "dynamic", "dynamic", dict(request_from_scene(warm_scenes.stack(0.0)), motion=motion)
    yield "march", "dynamic", _march()
    yield "hard cases", "nscd_engine.service.warm_up:hard_cases", request_from_scene(warm_scenes.slide())
    for solver in ("newton", "nlgs"):
        yield "fc3d " + solver, "fc3d", {"problems": [warm_scenes.sliding_contact()], "solver": solver}
