"""Steps with bonds, springs or cables: what is good enough for dry blocks that tumble would wear bonds out.

Joints with stiffness let the splitting method go on to any digit, in some fifty iterations. Rigid joints do not, and
what it has not solved is solved exactly.
"""

from nscd_engine.core.threads import Threads
from nscd_engine.solvers import admm, newton
from nscd_engine.solvers.solution import Report

#: What bonds and springs may miss of the impulse that a step brings [-]: more, and those that slide are not at their
#: strength, or others wear out.
RESIDUAL = 1e-2
#: The same in the mean over all contacts, where the splitting method stops [-].
MEAN = 1e-8
#: Its iterations at most; and 1 / (R w): softer than for dry blocks, since joints are.
ITERATIONS, SOFTNESS = 240, 0.1
#: How exactly the rest is solved: regularisations, and residual over the free impulse [-].
EXACT = {"eps": (1e-4, 1e-5), "tolerance": 1e-4}
#: Steps for which what has failed is not tried again, at first and at most, twice as many every time: the usual solver,
#: and the splitting method, which costs a tenth of an exact solve.
USUAL, SPLITTING = (4, 64), (1, 4)


class Trials:
    """When to try a method again that has failed."""

    def __init__(self, bounds, wait=0, stay=None):
        self.bounds = bounds
        self.wait, self.stay = wait, stay or bounds[0]

    def due(self):
        """Whether it is to be tried in this step."""
        self.wait = max(self.wait - 1, -1)
        return self.wait < 0

    def told(self, good):
        """How it went."""
        first, most = self.bounds
        self.wait, self.stay = (0, first) if good else (self.stay, min(2 * self.stay, most))


def solve(usual, problem, warm, settings):
    """Impulses (C, 3) and a Report; `usual` is the solver of steps of dry blocks, `step_solver.solve`."""
    trials = warm.cache.get("bonded") or restored(warm.cache, [[], []])
    spent = 0, 0
    if warm.impulses is None or trials["usual"].due():
        warm.cache["hard"] = 0
        impulses, report = usual(problem, warm, settings)
        good = report.residual <= RESIDUAL
        trials["usual"].told(good)
        if good or warm.impulses is None:
            return impulses, report
        spent = report.iterations, report.factorizations
    if trials["splitting"].due():
        found = _split(problem, warm, settings)
        trials["splitting"].told(found is not None)
        if found is not None:
            return _with(found, spent)
    return _with(newton.solve(problem, warm._replace(impulses=None), settings._replace(**EXACT)), spent)


def saved(cache):
    """For a checkpoint: the trials, or None."""
    trials = cache.get("bonded")
    return None if trials is None else [[each.wait, each.stay] for each in trials.values()]


def restored(cache, kept):
    """The trials, back in the cache from what `saved` gave."""
    if kept is None:
        return None
    usual, splits = kept
    cache["bonded"] = {"usual": Trials(USUAL, *usual), "splitting": Trials(SPLITTING, *splits)}
    return cache["bonded"]


def _with(found, spent):
    """What was found, with the work that was spent before."""
    impulses, report = found
    count = report.iterations + spent[0], report.factorizations + spent[1]
    return impulses, report._replace(iterations=count[0], factorizations=count[1])


def _split(problem, warm, settings):
    """Impulses and a Report by the splitting method, from the step before; None if it does not get there."""
    coulomb, threads = settings.friction == "coulomb", Threads(settings.threads)
    gamma, v, residual, done = admm.iterate(
        problem, warm, warm.velocity, coulomb, threads, _hardness, MEAN, RESIDUAL, (ITERATIONS,)
    )
    return (gamma, Report(v, done, 1, "converged", residual, 0.0, 0.0)) if residual <= RESIDUAL else None


def _hardness(problem, w):
    return 1.0 / (SOFTNESS * w)
