"""Statics of joints with strength or stiffness, of cables and of stages: rounds about the problem of `statics`.

Elastic joints: the displacements at which all is in balance, by steps without speed. Each is the step problem again,
started from the displacements of the one before; the inertia that holds them back dies out within two or three.

Brittle joints: contacts at the end of their strength lose it, and the rest must do without them, until none is lost.
Cables beyond their strength pull with it from then on. Joints of which a part is beyond its cap of compression are
capped from then on: the others need no platens.
"""

import numpy as np

from nscd_engine.core.structs import Contacts
from nscd_engine.gate.loads import read_carried
from nscd_engine.kernels.solvers import operators, residuals
from nscd_engine.laws import cables as cable_rows
from nscd_engine.laws import mohr_coulomb, point_laws
from nscd_engine.laws.fibres import law_points
from nscd_engine.laws.point_laws import point_law
from nscd_engine.solvers.solution import Warm

#: Share of its strength from which a brittle contact breaks [-].
BREAKS = 1.0 - 1e-6
#: Compliance of the softest half of the joints over their mobility [-]. Larger: more steps until inertia has died out.
#: Smaller: drowned by the regularisation of the solvers.
SOFTNESS = 1e-4
#: Least tolerance of a residual that rounding leaves within reach [-].
FINEST = 1e-13
#: Most steps until elastic joints are in balance, and the speed over the free one at which they are [-].
MOST_STEPS, AT_REST = 40, 1e-9
#: Stiffness of rigid joints that go on from the forces of a stage before [Pa/m]. Only ratios count.
STAGE_STIFFNESS = 1e10


class LawSolver:
    """A solver of static problems that knows of laws; called as the solver behind it is.

    Parameters
    ----------
    model : Model
    detection : Detection
    cables : Cables or None
    carried : dict or None
        Forces of the stage before, as the case has them.
    solve : callable
    """

    def __init__(self, model, detection, cables, carried, solve):
        self.detection, area = law_points(model, detection)
        contacts = self.detection.contacts
        count = np.diff(self.detection.interfaces.contact_start)
        self.joint = np.repeat(np.arange(len(count)), count)  # (C,)
        self.law = point_law(model, detection.law[self.joint], contacts.friction, area)
        self.contacts, self.count = contacts, len(area)
        self.cables, self.solve = cables, solve
        self.had, self.lost = np.zeros((self.count, 3)), np.zeros(self.count, bool)
        if carried is not None:
            self.had, self.lost = read_carried(carried, model, contacts)
            least = np.where(area > 0.0, area, np.median(area[area > 0.0]) if (area > 0.0).any() else 1.0)
            stiff = np.minimum(self.law.stiffness, STAGE_STIFFNESS * least[:, None])
            self.law = self.law._replace(stiffness=stiff)
        if cables is not None:
            self.contacts = Contacts(*map(np.concatenate, zip(contacts, cable_rows.at_rest(cables, model))))
            self.had = np.concatenate([self.had, np.zeros((len(cables.length), 3))])
            self.had[self.count :, 0] = cables.prestress
        self.broken = self.lost.copy()
        self.shifted = None  # impulses in the cones of the solver, which say what sticks and what slides
        self.displacement = None  # [m, rad] (N, 6) of elastic joints
        self.cable_force = None  # [N] (K,)

    def __call__(self, problem, warm, settings, monitor=None):
        """Impulses (C, 3) of the joints, and a Report; the problem is that of `contacts`, cables included."""
        self.broken = self.lost.copy()
        yielding = np.zeros(len(problem.friction) - self.count, bool)
        iterations, breakable = 0, self.law.brittle & (self.law.cohesion > 0.0)
        crushing = np.zeros(self.count, bool)
        while True:
            law = point_laws.without_bond(self.law, self.broken)
            law = law._replace(compression=np.where(crushing, law.compression, np.inf))
            found, report = self._balance(problem, law, yielding, warm, settings, monitor)
            iterations += report.iterations
            impulses, self.cable_force = found[: self.count], found[self.count :, 0]
            new = breakable & ~self.broken & (point_laws.used(law, impulses) >= BREAKS)
            strength = np.inf if self.cables is None else self.cables.strength
            yields = ~yielding & (self.cable_force > strength)
            beyond = ~crushing & (impulses[:, 0] > self.law.compression)
            if not new.any() and not yields.any() and not beyond.any():
                return impulses, report._replace(iterations=iterations)
            self.broken |= new
            yielding |= yields
            crushing |= np.isin(self.joint, self.joint[beyond])

    def _balance(self, problem, law, yielding, warm, settings, monitor):
        if self.cables is not None:
            law = cable_rows.extended(law, self.cables, yielding)
        softness = self._softness(problem, law)
        bias = problem.bias - (softness / law.stiffness)[:, [0, 1, 1]] * self.had
        bias[self.count :, 0] += np.where(yielding, cable_rows.OUT_OF_REACH, 0.0)
        displaced, before, bodies = None, np.inf, len(problem.mass)
        fall = residuals.free_velocity(problem) or 1.0
        for _ in range(MOST_STEPS if softness else 1):
            before_this = np.zeros((1, 6)) if displaced is None else displaced
            moved = problem._replace(v_free=problem.v_free + before_this[:bodies], bias=bias)
            platens = None if displaced is None else displaced[bodies:]
            posed = mohr_coulomb.pose(moved, law, 1.0, softness, platen_velocity=platens)
            start = Warm(workspace=warm.workspace)
            found, report = self.solve(posed.problem, start, _finer(settings, moved, posed), monitor)
            way = report.velocity - before_this
            displaced = report.velocity
            size = np.abs(way[:, :3]).max(initial=0.0) / fall
            if size <= AT_REST or (size > 0.5 * before and size > 1e-3):
                break
            before = size
        self.shifted = found[: self.count]
        if softness:
            self.displacement = displaced[:bodies] / softness
        return mohr_coulomb.joined(posed, found), report._replace(velocity=(way if softness else displaced)[:bodies])

    def _softness(self, problem, law):
        """Compliance times stiffness; 0 if nothing is elastic."""
        elastic = np.isfinite(law.stiffness)
        if not elastic.any():
            return 0.0
        w = operators.mobility(problem, operators.inverse_inertia(problem))
        soft = 1.0 / (law.stiffness * w[:, None])
        return SOFTNESS / float(np.median(soft[elastic]))


def _finer(settings, problem, posed):
    """Settings with a tolerance that refers to the weights and loads, not to what presses platens on their joints."""
    if not len(posed.platen):
        return settings
    brought, pressed = (np.abs(each.mass[:, None] * each.v_free[:, :3]).max() for each in (problem, posed.problem))
    share = brought / pressed if brought > 0.0 else 1.0
    return settings._replace(tolerance=max(settings.tolerance * min(share, 1.0), FINEST))
