"""One problem as the primal methods see it: grouped contacts, structure of the factor, memory, and the iterations."""

import numpy as np

from nscd_engine.core.threads import Threads
from nscd_engine.kernels.solvers import operators, residuals
from nscd_engine.kernels.solvers.hessian import Pairs, assemble, relative_velocities
from nscd_engine.kernels.solvers.newton_step import Work, advance, evaluate, greatest_pull
from nscd_engine.kernels.solvers.pair_grouping import runs
from nscd_engine.linalg.factor import factorised, symbolic

#: Share of the miss in velocities that counts as residual [-].
SLIP_WEIGHT = 0.1


class System:
    """A problem with its memory. Velocities are kept as a base and what was added since the last `aim`.

    The relative velocity of a stuck contact is a difference of large numbers, and is divided by a tiny compliance;
    counted from a base whose own relative velocity is computed once, its rounding no longer changes from iteration
    to iteration, and the gradient falls as far as it should.
    """

    def __init__(self, problem, cache=None, monitor=None, threads=1):
        self.problem, self.monitor = problem, monitor
        inverse = operators.inverse_inertia(problem)
        self.inverse, self.w = inverse, operators.mobility(problem, inverse)
        self.scale = residuals.free_impulse(problem, self.w)
        self.unit = np.full(len(problem.mass), self.scale)  # [N s] (N,): what is out of balance is measured by
        self.pairs, self.sym = structure(problem, self.w, cache)
        self.compliance = problem.compliance[self.pairs.contact]
        self.bias = problem.bias[self.pairs.contact]
        self.work = _memory(len(self.w), len(problem.mass), self.sym, cache)
        self.base = np.zeros((len(problem.mass), 6))
        self.shifted = problem
        self.threads = Threads(threads)
        self.iterations = self.factorizations = 0
        self.eps = None
        self.factored = None  # eps of the factor at hand

    def refer_to_step(self, velocity):
        """Measure by what the step brings to each body, which moved with `velocity` (N, 6): by the impulse of its
        weight and loads, not by that of its travel, nor by that of a heavier one."""
        self.own, self.greatest = residuals.brought(self.problem, velocity)
        self.unit = residuals.balance_unit(self.problem, self.own, self.greatest)

    def aim(self, eps, centre=None, opening=None):
        """Set the compliance, the impulses about which it acts, and the opening of sliding contacts (C,)."""
        soft = eps * self.pairs.w[:, None]
        self.eps = eps
        np.add(self.compliance, soft, out=self.work.e)
        self.pull = -self.bias
        if centre is not None:
            self.pull += soft * centre
        if opening is not None:
            self.pull[:, 0] -= opening
        self.rebase()

    def rebase(self):
        """Count velocities from here on; all that depends on them."""
        work = self.work
        self.base += work.v
        work.v[:] = 0.0
        self.shifted = self.problem._replace(v_free=self.problem.v_free - self.base)
        relative_velocities(self.pairs, self.base, 0, len(self.pairs.slot), work.du)
        np.subtract(self.pull, work.du, out=work.target)
        self.size = evaluate(self.shifted, self.pairs, work, self.unit)
        self.floor = 4.0 * np.finfo(float).eps * greatest_pull(self.pairs, work, self.unit)

    def try_start(self, step):
        """Begin at base + step (N, 6) instead of the base, if the gradient is smaller there."""
        self.work.v[:] = step
        size = evaluate(self.shifted, self.pairs, self.work, self.unit)
        if size < self.size:
            self.size = size
        else:
            self.work.v[:] = 0.0
            evaluate(self.shifted, self.pairs, self.work, self.unit)

    def descend(self, tolerance, most):
        """Iterate to a gradient of `tolerance` over the unit of every body; True if reached."""
        for k in range(most):
            if self.size <= max(tolerance, self.floor):
                return True
            if self.monitor is not None:
                self.monitor.report("solving at eps {:g}, iteration {}".format(self.eps, self.iterations + 1))
            if k == 0 and self.factored == self.eps:  # the factor of the round before: often good enough
                self.factored = None
            elif self.factorise():
                self.factored = self.eps
            else:
                return False
            before = self.size
            self.size = advance(self.shifted, self.pairs, self.sym, self.work, self.unit)
            self.iterations += 1
            if self.size < 1e-3 * before:
                self.factored = self.eps
        return self.size <= max(tolerance, self.floor)

    def keep(self):
        """Remember velocities and impulses, to fall back on."""
        self.kept = self.velocity(), self.work.gamma.copy()

    def restore(self):
        self.move_to(*self.kept)

    def move_to(self, velocity, gamma):
        """Take velocities (N, 6) and impulses (C, 3, grouped) for the state at hand; `aim` must follow."""
        self.base[:], self.work.gamma[:] = velocity, gamma
        self.work.v[:] = 0.0

    def opening(self):
        """mu |u_t| (C,): what De Saxce's form adds to the opening of a contact that slides at the velocity at hand."""
        u = np.empty_like(self.work.u)
        relative_velocities(self.pairs, self.velocity(), 0, len(self.pairs.slot), u)
        u += self.bias + self.compliance[:, [0, 1, 1]] * self.work.gamma  # what a soft joint gives does not slide
        return self.pairs.friction * np.hypot(u[:, 1], u[:, 2])

    def factorise(self):
        """Hessian for the stiffness in work.G, and its factor; False if rounding has made it indefinite."""
        assemble(self.problem, self.pairs, self.work.G, self.sym, self.work.factor)
        self.factorizations += 1
        return factorised(self.sym, self.work.factor, self.work.arena, self.threads)

    def velocity(self):
        """[m/s, rad/s] (N, 6)."""
        return self.base + self.work.v

    def impulses(self):
        """[N s] (C, 3), in the order of the problem."""
        return self.ungrouped(self.work.gamma)

    def ungrouped(self, gamma):
        """Impulses (C, 3) of the grouped contacts, in the order of the problem."""
        impulses = np.empty_like(gamma)
        impulses[self.pairs.contact] = gamma
        return impulses

    def residual(self, coulomb):
        """Natural map of the impulses at hand (METHODS M4), over the free impulse or over the free velocity.

        The greater of the two: the one alone is blind where a heavy block rests on a light one. There the other cannot
        fall below the rounding of the heavy block's weight, which then does not count. Velocities are wanted to one
        digit less than impulses: those of light blocks between heavy ones that slide have no more.
        """
        impulses = self.impulses()
        velocity = operators.velocity_after(self.problem, impulses, self.inverse)
        u = operators.relative_velocity(self.problem, velocity)
        miss = residuals.natural_map(self.problem, impulses, u, self.w, coulomb)
        slip = SLIP_WEIGHT * residuals.natural_slip(self.problem, impulses, u, self.w, coulomb)
        fall = residuals.free_velocity(self.problem)
        rounding = 8.0 * np.finfo(float).eps * np.abs(impulses).max(initial=0.0) * self.w.max(initial=0.0)
        return slip if slip > miss and slip * fall > SLIP_WEIGHT * rounding else miss


def structure(problem, w, cache=None):
    """The contacts, grouped, and the structure of the factor: what an earlier problem left in the cache, if it fits."""
    sym = symbolic(problem.body, len(problem.mass), cache)
    return _pairs(problem, w, sym), sym


def _memory(contacts, bodies, sym, cache):
    """Arrays of a solve, those of an earlier one if they fit."""
    key = (contacts, bodies, int(sym.panel_start[-1]), sym.arena)
    if cache is not None and cache.get("size") == key:
        work = cache["work"]
    else:
        work = Work(
            e=np.empty((contacts, 2)),
            target=np.empty((contacts, 3)),
            u=np.empty((contacts, 3)),
            du=np.empty((contacts, 3)),
            gamma=np.empty((contacts, 3)),
            state=np.empty(contacts, np.int8),
            G=np.empty((contacts, 6)),
            v=np.empty((bodies, 6)),
            g=np.empty((bodies, 6)),
            d=np.empty((bodies, 6)),
            factor=np.empty(key[2]),
            arena=np.empty(key[3]),
        )
        if cache is not None:
            cache.update(size=key, work=work)
    work.v[:] = 0.0
    work.gamma[:] = 0.0
    return work


def _pairs(problem, w, sym):
    """The contacts by pairs; in another order, if those of a pair do not all follow each other."""
    body, contact = problem.body, np.arange(len(w))
    start, slot, repeated = runs(body, sym.pair_start, sym.other)
    fields = problem.arm, problem.frame, problem.friction, w
    if repeated:
        contact = np.lexsort((body[:, 1], body[:, 0]))
        body = body[contact]
        start, slot, _ = runs(body, sym.pair_start, sym.other)
        fields = [field[contact] for field in fields]
    return Pairs(body[start[:-1]].astype(np.int64), start, slot, contact, *fields)
