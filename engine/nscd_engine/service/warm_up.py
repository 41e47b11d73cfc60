"""Compile every kernel, by using it once on the smallest possible request."""

from __future__ import annotations

import logging
import time
from typing import Any, Callable, Dict, Iterator, List, Optional, Tuple

import numpy as np

from compas_nscd.errors import CancelledError
from nscd_engine import kernel_cache
from nscd_engine.core.monitor import Monitor
from nscd_engine.service import libraries, needed_kernels, verbs, warm_scenes

SOLVERS = ("newton", "nlgs", "spg")
FRICTIONS = ("associated", "coulomb")
#: Time without request after which the engine is idle [s]. Longer: the first motion waits for its kernels. Shorter:
#: loading them competes with an analysis.
IDLE_S = 1.0
#: Further users of kernels, beside the analyses.
SELDOM = "nscd_engine.service.warm_up:seldom_used_methods"

log = logging.getLogger(__name__)


def run(request: Dict[str, Any], monitor: Monitor) -> Dict[str, Any]:
    """The verb `warm`.

    Returns
    -------
    dict
        done: names of the tasks; failed: those that raised an error, and which; left: kernels that were not compiled;
        cache: folder of the compiled kernels.
    """
    done, failed = [], {}
    chosen = list(tasks())
    for k, (name, target, body) in enumerate(chosen):
        try:
            verbs.run(target, body, _Share(monitor, name, k, len(chosen)))
            done.append(name)
        except CancelledError:
            raise
        except Exception as error:
            log.exception("warm: %s", name)
            failed[name] = "{}: {}".format(type(error).__name__, error)
    if not failed:
        kernel_cache.mark_warm()
    return {"done": done, "failed": failed, "left": left(), "cache": kernel_cache.state["path"]}


def preload(idle_s: Callable[[], float]) -> None:
    """Load compiled kernels from the disk before the first analysis asks for them.

    Takes most of a second at once, and half of one for motions when the engine is idle: `idle_s` gives the time since
    the last request [s]. Kernels that are not compiled are left out: they would take a minute.
    """
    try:
        monitor = Monitor()
        libraries.need(monitor)
        request = warm_scenes.stack(0.0, solver="newton")
        if kernel_cache.is_warm(verbs.kernels_of("static", request)):
            verbs.run(verbs.ANALYSES["static"], request, monitor)
        if kernel_cache.is_warm():
            while idle_s() < IDLE_S:
                time.sleep(IDLE_S)
            verbs.run(verbs.ANALYSES["dynamic"], _compiled_steps(), monitor)
    except Exception:
        log.exception("preload")  # the first analysis reports it to the user


def left() -> List[str]:
    """Names of the kernels that are loaded but were never compiled; those that only kernels call are not counted."""
    if kernel_cache.state["path"] is None:
        return []
    return sorted({name for name, _ in needed_kernels.kernels()} - needed_kernels.compiled())


class _Share(Monitor):
    """Monitor of one task among several: its progress is a share of the whole."""

    def __init__(self, monitor: Monitor, name: str, k: int, count: int) -> None:
        super().__init__()
        self._whole = monitor
        self._name = name
        self._k = k
        self._count = count

    def report(self, phase: str, fraction: Optional[float] = None) -> None:
        self.cancelled = self._whole.cancelled
        self._whole.report("{}, {}".format(self._name, phase), (self._k + (fraction or 0.0)) / self._count)


def seldom_used_methods(request: Dict[str, Any], monitor: Monitor) -> Dict[str, Any]:
    """Methods that no small scene needs: those that take over where Newton's is slow, and those of many bodies."""
    from nscd_engine.contacts.at_rest import detect
    from nscd_engine.core.threads import Threads
    from nscd_engine.gate.settings import read_settings
    from nscd_engine.gate.structure import read_model
    from nscd_engine.kernels.solvers.hessian import soften
    from nscd_engine.linalg.factor import factorised
    from nscd_engine.linalg.ordering import dissected
    from nscd_engine.linalg.symbolic import analyse
    from nscd_engine.solvers import admm, interior_point
    from nscd_engine.solvers.primal_system import System
    from nscd_engine.solvers.problem import static_problem
    from nscd_engine.solvers.solution import Warm
    from nscd_engine.solvers.workspace import Workspace, new_admm_arrays

    model, settings = read_model(request), read_settings(request)
    problem = static_problem(model, detect(model, settings, monitor).contacts)
    system = System(problem)
    start = Warm(np.zeros((len(problem.friction), 3)), problem.v_free, Workspace())
    admm.solve_step(problem, start, True, Threads(1))
    factor = start.workspace.admm
    _in_parts(problem, start, factor, Threads(1))
    factorised(factor.sym, factor.panels, factor.arena, Threads(1))
    start.workspace.admm = new_admm_arrays(factor.sym, np.float64)  # for steps that single precision does not solve
    admm.solve_step(problem, start, True, Threads(1))
    system.regularise(1e-6)
    soften(system.grouped.friction, system.work, 1.0)
    interior_point.descend(system)
    pairs = np.argwhere(np.triu(np.ones((80, 80)), 1))
    analyse(80, pairs)  # a factor large enough for several threads
    dissected(pairs, np.arange(80))
    _as_of_many_bodies(problem, Threads(1))
    return {}


def _as_of_many_bodies(problem, threads):
    """Newton's method in parts, and conjugate gradients."""
    from nscd_engine.linalg.conjugate_gradients import ConjugateGradients, block_structure
    from nscd_engine.solvers.parts import Parts
    from nscd_engine.solvers.primal_system import System

    system = System(problem)
    system.parts = Parts(problem, system.grouped, threads)
    system.regularise(1e-6)
    system.descend(1e-8, most=3)
    gradients = ConjugateGradients(block_structure(2, np.array([[0, 1]])), threads)
    gradients.prepare(np.array([np.eye(6), np.eye(6), 0.5 * np.eye(6)]).ravel())
    gradients.solve(np.ones((2, 6)), np.empty((2, 6)), 1e-8)


def _in_parts(problem, start, factor, threads):
    """Iterations of ADMM in parts, as of many bodies."""
    from nscd_engine.kernels.solvers.admm_step import prepare
    from nscd_engine.solvers.admm import solve_in_parts

    given, velocity, limits = prepare(problem, start.velocity, start.velocity, True)
    sym = factor.sym._replace(task_start=np.array([0, 0, len(factor.sym.schedule)]))  # one task, of nothing, before all
    solve_in_parts(given, factor._replace(sym=sym), limits, velocity, start.impulses.copy(), threads)


def _compiled_steps():
    """Request for a motion of blocks on a moving support, most of whose steps are compiled ones."""
    request = warm_scenes.row(solver="newton")
    motion: Dict[str, Any] = {
        "block": np.zeros(1, np.int32),
        "delay": np.zeros(1),
        "times": np.array([0.0, 0.1]),
        "displacement": np.array([[0.0] * 6, [0.01] + [0.0] * 5]),
        "velocity": np.zeros((2, 6)),
        "common": True,
    }
    case = dict(request["case"], motions=[motion])
    return dict(request, case=case, motion=_motion())


def _quasistatic(method, order):
    """Request of a quasi-static analysis of one block."""
    request = warm_scenes.stack(0.0)
    blocks = len(request["structure"]["names"])
    asked: Dict[str, Any] = {
        "method": method,
        "stiffness": {"normal": 1e9, "tangential": 1e9},
        "bond": None,
        "springs": np.zeros((blocks, 6)),
        "motion": np.zeros((blocks, 6)),
        "stages": [{"gravity": True, "loads": True, "supports": True, "steps": 1}],
    }
    asked.update(tolerance=1e-3, max_iterations=100, rho=1e-6, order=order, halvings=0, second_order=False)
    return dict(request, quasistatic=asked)


def _motion(**given):
    motion = {"duration": 0.02, "time_step": 5e-3, "theta": 1.0, "level": "position", "restitution": 0.0}
    motion.update(kinetic=1.0, forces=False, adaptive=False, quiet=False, probes=[], interval=None, restart=None)
    return dict(motion, **given)


def tasks() -> Iterator[Tuple[str, str, Dict[str, Any]]]:
    """Name, "module:function" and request of analyses that together need every kernel."""
    analyses = verbs.ANALYSES
    yield "check", analyses["check"], warm_scenes.yard()
    for solver in SOLVERS:
        for friction in FRICTIONS:
            request = warm_scenes.stack(0.0, solver=solver, friction=friction)
            yield "static {} {}".format(solver, friction), analyses["static"], request
    yield "inclined joint", analyses["static"], warm_scenes.wedges(solver="newton")
    yield "tip", analyses["static"], warm_scenes.stack(1.25)
    yield "slide", analyses["static"], warm_scenes.slide()
    level = {"kind": "acceleration", "directions": [[1.0, 0.0, 0.0]], "coulomb": True}
    yield "limit", analyses["limit"], dict(warm_scenes.stack(0.0), limit=level)
    motion = _motion(restitution=0.5, kinetic=0.9)
    yield "dynamic", analyses["dynamic"], dict(warm_scenes.stack(0.0), motion=motion)
    yield "at rest", analyses["dynamic"], dict(warm_scenes.stack(0.0, solver="newton"), motion=_motion())
    yield "compiled steps", analyses["dynamic"], _compiled_steps()
    for elements in ("uniform", "h8"):
        request = warm_scenes.deformable(elements, friction="coulomb")
        yield "static {}".format(elements), analyses["static"], request
        yield "dynamic {}".format(elements), analyses["dynamic"], dict(request, motion=_motion())
    for solver in ("admm", "nlgs"):
        yield "static h8 " + solver, analyses["static"], warm_scenes.deformable("h8", solver=solver)
    yield "seldom used methods", SELDOM, warm_scenes.slide()
    for method, order in (("bagi_bojtar", "greedy"), ("kishino", "greedy"), ("kishino", "random")):
        yield "quasistatic {} {}".format(method, order), analyses["quasistatic"], _quasistatic(method, order)
    for solver in ("newton", "nlgs"):
        request = {"problems": [warm_scenes.sliding_contact()], "solver": solver}
        yield "fc3d " + solver, analyses["fc3d"], request
