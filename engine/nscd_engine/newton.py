"""Newton's method on the primal (METHODS M1 to M3): exact, unique, a handful of factorisations.

Every value of `eps` is solved in turn, each from the one before. Then follow proximal rounds (method of multipliers):
the compliance acts on the change of the impulses since the round before, so that its effect dies out and the rigid
problem is solved exactly. With Coulomb friction the rounds also update the opening mu |u_t| of De Saxce's form.
"""

import numpy as np

from .analyse import analyse
from .kernels import measures
from .kernels.assembly import Pairs
from .kernels.newton_step import Work, evaluate, iterate
from .solution import report

#: Gradient over the free impulse at which a regularised solve on the way counts as done [-].
STAGE_TOLERANCE = 1e-8
#: Most proximal rounds [-].
MOST_ROUNDS = 50


class System:
    """One problem with its grouped contacts, the structure of its factor, and the memory of a solve."""

    def __init__(self, problem, cache):
        self.problem = problem
        w = measures.mobility(problem, measures.inverse_inertia(problem))
        self.scale = measures.free_impulse(problem, w)
        self.pairs, touching = group(problem, w)
        self.sym = _symbolic(len(problem.mass), touching, cache)
        self.compliance = problem.compliance[self.pairs.contact]
        self.bias = problem.bias[self.pairs.contact]
        contacts, bodies = len(w), len(problem.mass)
        self.work = Work(
            e=np.empty((contacts, 2)),
            target=np.empty((contacts, 3)),
            u=np.empty((contacts, 3)),
            du=np.empty((contacts, 3)),
            gamma=np.zeros((contacts, 3)),
            state=np.zeros(contacts, np.int8),
            G=np.empty((contacts, 6)),
            v=np.zeros((bodies, 6)),
            g=np.empty((bodies, 6)),
            d=np.empty((bodies, 6)),
            factor=np.empty(int(self.sym.panel_start[-1])),
            arena=np.empty(self.sym.arena),
        )
        self.iterations = 0

    def aim(self, eps, centre=None, opening=None):
        """Set the compliance, the impulses about which it acts, and the opening of sliding contacts."""
        soft = eps * self.pairs.w[:, None]
        self.eps = eps
        self.work.e[:] = self.compliance + soft
        self.work.target[:] = -self.bias if centre is None else soft * centre - self.bias
        if opening is not None:
            self.work.target[:, 0] -= opening

    def floor(self):
        """Size of the gradient that rounding leaves: relative velocities are differences of larger numbers."""
        speed = np.abs(self.work.v).max(initial=0.0)
        return 4.0 * np.finfo(float).eps * speed / (self.eps * self.pairs.w.max(initial=0.0) * self.scale + 1e-300)

    def descend(self, tolerance, most, monitor=None, label=""):
        """Iterate to a gradient of `tolerance` over the free impulse; True if reached."""
        size = evaluate(self.problem, self.pairs, self.work) / self.scale
        for _ in range(most):
            if size <= max(tolerance, self.floor()):
                return True
            if monitor is not None:
                monitor.report("solving{}, iteration {}".format(label, self.iterations + 1))
            size, _ = iterate(self.problem, self.pairs, self.sym, self.work)
            if size < 0.0:
                return False
            size /= self.scale
            self.iterations += 1
        return size <= max(tolerance, self.floor())

    def impulses(self):
        """(C, 3), in the order of the problem."""
        impulses = np.empty_like(self.work.gamma)
        impulses[self.pairs.contact] = self.work.gamma
        return impulses


def group(problem, w):
    """Contacts by pair of bodies, and the pairs of two free bodies (K, 2)."""
    body = problem.body.astype(np.int64)
    key = (body[:, 0] + 1) * (len(problem.mass) + 1) + body[:, 1] + 1
    contact = np.argsort(key, kind="stable")
    key = key[contact]
    first = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]])) if len(key) else np.zeros(0, np.int64)
    body = body[contact[first]]
    both = (body >= 0).all(axis=1)
    pairs = Pairs(
        body=body,
        start=np.concatenate([first, [len(key)]]),
        slot=np.where(both, np.cumsum(both) - 1, -1),
        contact=contact,
        arm=problem.arm[contact],
        frame=problem.frame[contact],
        friction=problem.friction[contact],
        w=w[contact],
    )
    return pairs, body[both]


def _symbolic(count, touching, cache):
    if cache is None:
        return analyse(count, touching)
    key = (count, touching.tobytes())
    if cache.get("graph") != key:
        cache["symbolic"] = analyse(count, touching)
        cache["graph"] = key
    return cache["symbolic"]


def solve(problem, warm, settings, monitor=None):
    """Impulses (C, 3) in the contact frames, and a Report."""
    system = System(problem, warm.cache if warm else None)
    work = system.work
    if warm and warm.velocity is not None:
        work.v[:] = warm.velocity
    speeds, done = [], True
    for eps in settings.eps:
        system.aim(eps)
        done = system.descend(STAGE_TOLERANCE, settings.max_iterations, monitor, " at eps {:g}".format(eps))
        speeds.append(float(np.abs(work.v[:, :3]).max(initial=0.0)))
    coulomb = settings.friction == "coulomb"
    for _ in range(MOST_ROUNDS):
        if _residual(system, coulomb) <= settings.tolerance:
            break
        opening = system.pairs.friction * np.hypot(work.u[:, 1], work.u[:, 2]) if coulomb else None
        system.aim(settings.eps[-1], work.gamma.copy(), opening)
        done = system.descend(0.1 * settings.tolerance, settings.max_iterations, monitor, " exactly")
    impulses = system.impulses()
    answer = report(
        problem, impulses, settings, system.iterations, system.iterations, "converged", settings.eps, tuple(speeds)
    )
    status = "converged" if answer.residual <= settings.tolerance else "stalled" if done else "exhausted"
    return impulses, answer._replace(status=status)


def _residual(system, coulomb):
    impulses = system.impulses()
    inverse = measures.inverse_inertia(system.problem)
    velocity = measures.velocity_after(system.problem, impulses, inverse)
    u = measures.relative_velocity(system.problem, velocity)
    return measures.natural_map(system.problem, impulses, u, measures.mobility(system.problem, inverse), coulomb)
