"""Statics of joints with strength or stiffness: rounds about the problem of `statics`.

Elastic joints: the displacements at which all is in balance, by steps without speed. Each is the step problem again,
started from the displacements of the one before; the inertia that holds them back dies out within two or three.

Brittle joints: contacts at the end of their strength lose it, and the rest must do without them, until none is lost.
"""

import numpy as np

from nscd_engine import contact_laws
from nscd_engine.kernels import measures
from nscd_engine.solution import Warm

#: Share of its strength from which a brittle contact breaks [-].
BREAKS = 1.0 - 1e-6
#: Compliance of the softest half of the joints over their mobility [-]. Larger: more steps until inertia has died out.
#: Smaller: drowned by the regularisation of the solvers.
SOFTNESS = 1e-4
#: Most steps until elastic joints are in balance, and the speed over the free one at which they are [-].
MOST_STEPS, AT_REST = 40, 1e-9


class LawSolver:
    """A solver of static problems that knows of laws; called as the solver behind it is.

    Parameters
    ----------
    model : Model
    detection : Detection
    solve : callable
    """

    def __init__(self, model, detection, solve):
        area = contact_laws.tributary_areas(detection.interfaces, detection.contacts)
        self.law = contact_laws.point_law(model, detection.contacts, area)
        self.solve = solve
        self.broken = np.zeros(len(area), bool)
        self.shifted = None  # impulses in the cones of the solver, which say what sticks and what slides
        self.displacement = None  # [m, rad] (N, 6) of elastic joints

    def __call__(self, problem, warm, settings, monitor=None):
        """Impulses (C, 3) of the joints, and a Report."""
        self.broken[:] = False
        law, iterations = self.law, 0
        breakable = law.brittle & (law.cohesion > 0.0)
        while True:
            impulses, report = self._balance(problem, law, warm, settings, monitor)
            iterations += report.iterations
            new = breakable & ~self.broken & (contact_laws.used(law, impulses) >= BREAKS)
            if not new.any():
                return impulses, report._replace(iterations=iterations)
            self.broken |= new
            law = contact_laws.without_bond(law, self.broken)

    def _balance(self, problem, law, warm, settings, monitor):
        softness = self._softness(problem, law)
        displaced, report, before = np.zeros_like(problem.v_free), None, np.inf
        fall = measures.free_velocity(problem) or 1.0
        for _ in range(MOST_STEPS if softness else 1):
            moved = problem._replace(v_free=problem.v_free + displaced)
            posed = contact_laws.pose(moved, law, 1.0, softness)
            found, report = self.solve(posed.problem, Warm(cache=warm.cache), settings, monitor)
            way = report.velocity - displaced
            displaced = report.velocity
            size = np.abs(way[:, :3]).max(initial=0.0) / fall
            if size <= AT_REST or (size > 0.5 * before and size > 1e-3):
                break
            before = size
        self.shifted = found[: len(law.friction)]
        if softness:
            self.displacement = displaced / softness
            report = report._replace(velocity=way)
        return contact_laws.joined(posed, found), report

    def _softness(self, problem, law):
        """Compliance times stiffness; 0 if nothing is elastic."""
        elastic = np.isfinite(law.stiffness)
        if not elastic.any():
            return 0.0
        w = measures.mobility(problem, measures.inverse_inertia(problem))
        soft = 1.0 / (law.stiffness * w[:, None])
        return SOFTNESS / float(np.median(soft[elastic]))
