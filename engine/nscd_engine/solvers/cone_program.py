"""The one cone program behind every limit: interior points on the homogeneous self-dual embedding.

    maximise  gain lambda - cost . gamma  such that  J^T gamma + dead + lambda live = 0,  gamma in K,  gamma_n <= cap
    minimise  cap . p - dead . v          such that  J v + cost + p n in K*,  live . v = gain,  p >= 0

The first asks for forces, the second for a mechanism. Both are found at once, or a proof that one of them does not
exist: a mechanism that the loads drive whatever the multiplier, or forces that balance a multiplier without end.
Unknowns are 6 per body: the matrix is J^T G J as in Newton's method, bordered by the columns of tau and lambda. A cap
has a slack, gamma_n + slack = cap, whose dual p is the speed at which the contact yields; both are eliminated contact
by contact, where they act as a compliance p / slack along the normal.
"""

from typing import NamedTuple

import numpy as np

from compas_nscd.errors import NotConvergedError
from nscd_engine.kernels.linalg.cholesky import solve as solve_factored
from nscd_engine.kernels.solvers import interior_point as ip
from nscd_engine.kernels.solvers.cone_step import greatest_step
from nscd_engine.kernels.solvers.hessian import relative_velocities, subtract_impulses
from nscd_engine.solvers.primal_system import System

#: Relative misses at which the answer is exact, and that still pass [-]: rounding stops long walls at 1e-6 to 1e-5.
TOLERANCE, ACCEPTED = 1e-9, 3e-5
#: Most iterations [-]; 8 to 30 are usual.
MOST_ITERATIONS = 80
#: Iterations in a row that may bring no progress once the miss is below the second [-]: rounding has the last word.
MOST_STUCK, ROUGH = 3, 1e-2
#: Share of the way to the boundary of the cones [-].
STAY_INSIDE = 0.98
#: Corrections of a step for rounding [-].
REFINEMENTS = 2
#: Mass that holds what no contact holds (a ball that spins, a block without friction) over the first stiffness [-].
TINY_MASS = 1e-11
#: Factor on this mass when rounding has made the matrix indefinite, and how often it is applied at most [-].
#: Corrections of the steps make up for the mass.
HEAVIER, MOST_HEAVIER = 100.0, 4


class Program(NamedTuple):
    """What is asked. N bodies, C contacts in the order of the problem."""

    dead: np.ndarray  # [N, N m] (N, 6)
    live: object = None  # [N, N m] (N, 6); None: there is no multiplier
    cost: object = None  # [m] (C, 3) in the contact frames
    gain: float = 1.0
    cap: object = None  # [N] (C,): greatest normal forces, inf where there is none


class Answer(NamedTuple):
    """What was found; of certificates, the forces or the mechanism up to a factor."""

    status: str  # solved; infeasible: no forces balance the loads; unbounded; unsure: rounding came first
    multiplier: float
    value: float  # of the objective
    force: np.ndarray  # [N] (C, 3) in the contact frames
    velocity: np.ndarray  # (N, 6): mechanism; live . v = gain where there is a multiplier
    opening: np.ndarray  # (C, 3): its relative velocities J v
    crushing: np.ndarray  # (C,): speed at which contacts yield along the normal, at their caps
    iterations: int
    miss: float  # greatest relative miss of balance, compatibility and equality of both values [-]


def light_system(problem, cache=None, monitor=None, threads=1):
    """System of a problem whose bodies weigh next to nothing: its matrix is J^T G J."""
    light = TINY_MASS / max(problem.mass.mean(), 1e-300)
    return System(problem._replace(mass=light * problem.mass, inertia=light * problem.inertia), cache, monitor, threads)


def solve(system, program, phase="limit analysis", tolerance=TOLERANCE):
    """Answer to a program on the contacts of a `light_system`."""
    path, light = _Path(system, program), system.problem
    best, stuck, tau = None, 0, path.tau
    for iteration in range(MOST_ITERATIONS):
        if system.monitor is not None:
            system.monitor.report("{}, iteration {}".format(phase, iteration + 1))
        status, miss = path.measure()
        # A falling tau is progress towards a certificate, which does not show yet.
        stuck += best is not None and best.miss < ROUGH and path.tau > 0.5 * tau
        tau = path.tau
        if best is None or miss < best.miss:
            best, stuck = path.answer(status, iteration, miss), 0
        if miss <= tolerance or stuck > MOST_STUCK or not path.advance() > 0.0:
            break
    system.problem = light
    return best if best.miss <= ACCEPTED else best._replace(status="unsure")


def require_sure(answer):
    """Refuse an answer that rounding has spoilt."""
    if answer.status == "unsure":
        raise NotConvergedError(
            "The limit could not be found to {:.0e}: it stopped at {:.1e}.".format(ACCEPTED, answer.miss),
            remedy="Check the model for very small blocks beside very large ones.",
        )
    return answer


class _Path:
    """The point and what an iteration needs, forces over `unit`: x = D gamma, z = D^-1 s as in `interior_point`."""

    def __init__(self, system, program):
        self.system, self.pairs = system, system.pairs
        count, live = len(self.pairs.w), program.live
        self.moving = live is not None
        self.unit = _size(program.dead) or (_size(live) if self.moving else 0.0) or 1.0
        self.pull = (_size(live) / self.unit if self.moving else 0.0) or 1.0
        self.arm = float(np.median(np.abs(self.pairs.arm).max(axis=(1, 2)))) if count else 1.0
        self.dead = program.dead / self.unit
        self.live = live / (self.unit * self.pull) if self.moving else np.zeros_like(self.dead)
        self._scale_objective(program)
        self.slope = np.where(self.pairs.friction > 0.0, self.pairs.friction, 1.0)
        self._set_caps(program)
        self.rigid, self.soft = np.zeros((count, 2)), np.zeros((count, 2))
        self.x, self.z = np.zeros((count, 3)), np.zeros((count, 3))
        self.x[:, 0], self.z[:, 0] = self.slope, 1.0 / self.slope
        self.step_x, self.step_z = np.zeros((count, 3)), np.zeros((count, 3))
        self.scaling, self.middle, self.push = np.empty((count, 4)), np.empty((count, 3)), np.empty((count, 3))
        self.v, self.multiplier, self.tau, self.kappa = np.zeros_like(self.dead), 0.0, 1.0, 1.0

    def _set_caps(self, program):
        """Which contacts have a cap, the caps over the unit, and their slacks and duals."""
        cap = np.full(len(self.slope), np.inf) if program.cap is None else program.cap[self.pairs.contact]
        self.capped = np.flatnonzero(np.isfinite(cap))
        self.cap = cap[self.capped] / self.unit
        self.slack = np.maximum(self.cap, 1.0)
        self.yielding = 1.0 / self.slack
        self.d_slack, self.d_yielding = np.zeros_like(self.cap), np.zeros_like(self.cap)

    def _scale_objective(self, program):
        """Gain, cost and the unit of the objective, such that the velocities of the mechanism are about 1."""
        given = np.zeros((len(self.pairs.w), 3)) if program.cost is None else program.cost[self.pairs.contact]
        if self.moving:
            self.gain = np.linalg.norm(self.live[:, :3], axis=1).sum() or 1.0
            self.worth = self.gain * self.pull / program.gain
        else:
            self.gain, self.worth = 0.0, 1.0 / (self.unit * (np.abs(given).max(initial=0.0) or 1.0))
        self.cost = self.worth * self.unit * given
        self.cost[self.pairs.friction == 0.0, 1:] = 0.0

    def _forces(self, x):
        gamma = x.copy()
        gamma[:, 0] /= self.slope
        return gamma

    def _wrench(self, gamma):
        """J^T gamma (N, 6)."""
        out = np.zeros_like(self.dead)
        subtract_impulses(self.pairs, gamma, 0, len(self.pairs.slot), out)
        return -out

    def _relative(self, v):
        """J v (C, 3), where a contact can tell."""
        u = np.empty_like(self.x)
        relative_velocities(self.pairs, v, 0, len(self.pairs.slot), u)
        u[self.pairs.friction == 0.0, 1:] = 0.0
        return u

    def measure(self):
        """Misses of all equations; (status, greatest relative miss) of the answer that is nearest."""
        tau, gamma = self.tau, self._forces(self.x)
        self.u = self._relative(self.v)
        self.opened = self.z.copy()  # s = D z
        self.opened[:, 0] *= self.slope
        self.miss_motion = self.u + tau * self.cost - self.opened
        self.miss_motion[self.capped, 0] += self.yielding
        self.miss_cap = gamma[self.capped, 0] + self.slack - tau * self.cap
        self.miss_balance = self._wrench(gamma) + tau * self.dead + self.multiplier * self.live
        self.miss_live = _dot(self.live, self.v) - self.gain * tau
        self.best_forces = self.gain * self.multiplier - _dot(self.cost, gamma)
        self.best_motion = _dot(self.cap, self.yielding) - _dot(self.dead, self.v)
        self.miss_gap = self.best_forces - self.best_motion - self.kappa
        live = abs(self.miss_live) / (self.gain or 1.0)
        least = min(abs(self.best_forces), abs(self.best_motion))
        gap = abs(self.best_forces - self.best_motion) / (tau + least)
        cap = self._cap_size(self.miss_cap) / tau
        force = max(self._force_size(self.miss_balance) / tau, cap)
        misses = [force, self._motion_size(self.miss_motion) / tau, live / tau, gap]
        found = [("solved", max(misses))]
        if tau < 1e-2 * self.kappa:
            found += self._certificates()
        return min(found, key=lambda candidate: candidate[1])

    def _certificates(self):
        falls, grows = -self.best_motion, self.best_forces
        if falls > 0.0:
            power = abs(_dot(self.live, self.v)) / (self.gain or 1.0)
            motion = self._motion_size(self.miss_motion - self.tau * self.cost)
            yield "infeasible", max(motion, power) / falls
        if grows > 0.0:
            force = self._force_size(self.miss_balance - self.tau * self.dead)
            yield "unbounded", max(force, self._cap_size(self.miss_cap + self.tau * self.cap)) / grows

    def _force_size(self, wrench):
        return max(np.abs(wrench[:, :3]).max(initial=0.0), np.abs(wrench[:, 3:]).max(initial=0.0) / self.arm)

    def _cap_size(self, force):
        return float((np.abs(force) / (1.0 + self.cap)).max(initial=0.0))

    def _motion_size(self, u):
        return float(np.abs(u).max(initial=0.0)) / (1.0 + float(np.abs(self.u).max(initial=0.0)))

    def advance(self):
        """Affine step, Mehrotra's correction, and the step taken: its length; 0 if rounding has spoilt the matrix."""
        self.soft[self.capped, 0] = self.softness = self.yielding / self.slack
        ip.rescale(self.pairs, self.soft, self.x, self.z, self.scaling, self.middle, self.system.work.G)
        if not self._factorise():
            return 0.0
        self._columns()
        self.step_x[:], self.step_z[:] = 0.0, 0.0
        self.d_slack[:], self.d_yielding[:] = 0.0, 0.0
        self.d_tau = self.d_kappa = 0.0
        mean = self._mean(0.0)
        reached = self._mean(min(self._direction(0.0, 1.0), 1.0))
        sigma = min(max((reached / mean) ** 3, 1e-6), 1.0)
        alpha = min(1.0, STAY_INSIDE * self._direction(sigma * mean, 1.0 - sigma))
        if not np.isfinite(self.d_v).all():
            return 0.0
        self.v += alpha * self.d_v
        self.x += alpha * self.step_x
        self.z += alpha * self.step_z
        self.slack += alpha * self.d_slack
        self.yielding += alpha * self.d_yielding
        self.multiplier += alpha * self.d_multiplier
        self.tau += alpha * self.d_tau
        self.kappa += alpha * self.d_kappa
        return alpha

    def _factorise(self):
        """Factor of the matrix at hand, of heavier bodies if need be; False if there is none."""
        for _ in range(MOST_HEAVIER):
            if self.system.factorise():
                return True
            given = self.system.problem
            self.system.problem = given._replace(mass=HEAVIER * given.mass, inertia=HEAVIER * given.inertia)
        return False

    def _mean(self, alpha):
        """Complementarity after a part of the step at hand, per cone."""
        own = (self.tau + alpha * self.d_tau) * (self.kappa + alpha * self.d_kappa)
        own += _dot(self.slack + alpha * self.d_slack, self.yielding + alpha * self.d_yielding)
        count = len(self.x)
        total = count * ip.complementarity(self.x, self.z, self.step_x, self.step_z, alpha) + own
        return total / (count + len(self.cap) + 1)

    def _solve(self, wrench):
        v = np.empty_like(wrench)
        solve_factored(self.system.sym, self.system.work.factor, wrench, v)
        return v

    def _stiff(self, u):
        gamma = np.empty_like(u)
        ip.stiff_times(self.system.work.G, u, gamma)
        return gamma

    def _columns(self):
        """What v and gamma do per unit of tau and of lambda, and the corner of the bordered system."""
        cost = self._along(self.cost, -self.softness * self.cap)
        v = self._solve(self.dead - self._wrench(self._stiff(cost)))
        u = self._relative(v)
        gamma = -self._stiff(cost + u)
        self.of_tau = v, gamma, self._yield_step(gamma, u + self.cost, -self.cap)
        self.corner = np.array([[self._gap_row(*self.of_tau) + self.kappa / self.tau, 0.0], [0.0, 1.0]])
        if self.moving:
            v = self._solve(self.live)
            u = self._relative(v)
            gamma = -self._stiff(u)
            self.of_lambda = v, gamma, self._yield_step(gamma, u, 0.0)
            self.corner[0, 1] = self._gap_row(*self.of_lambda) + self.gain
            self.corner[1] = _dot(self.live, self.of_tau[0]) - self.gain, _dot(self.live, v)

    def _gap_row(self, v, gamma, yielding):
        return _dot(self.dead, v) - _dot(self.cost, gamma) - _dot(self.cap, yielding)

    def _yield_step(self, gamma, u, wanted):
        """Step of the speeds at the caps that goes with one of the forces, for motions u (C, 3) and wanted slacks.

        It follows from the slack, or from the cone: from the stiffer of the two, the other loses its digits.
        """
        gamma, mu = gamma[self.capped], self.slope[self.capped]
        w_0, w_1, w_2, eta = self.scaling[self.capped].T
        f = mu / eta**2
        along, across = f * mu * (2.0 * w_0 * w_0 - 1.0), -2.0 * f * w_0 * (w_1 * gamma[:, 1] + w_2 * gamma[:, 2])
        by_slack = self.softness * (gamma[:, 0] + wanted)
        return np.where(self.softness < along, by_slack, -u[self.capped, 0] - along * gamma[:, 0] - across)

    def _along(self, vectors, normal):
        """Vectors (C, 3) with something more along the normals of the capped contacts."""
        more = vectors.copy()
        more[self.capped, 0] += normal
        return more

    def _direction(self, centring, share):
        """Step towards complementarity `centring` without `share` of the misses; greatest part that stays inside.

        Corrected, after Mehrotra, for the product of the steps that it finds in place: zero, or the affine ones.
        """
        shifted = self.opened + share * self.miss_motion
        ip.right_side(
            self.pairs, self.rigid, np.zeros_like(self.u), self.x, shifted, self.z, self.scaling, self.middle,
            self.step_x, self.step_z, centring, self.push,
        )  # fmt: skip
        want_slack = (centring - self.d_slack * self.d_yielding) / self.yielding - self.slack
        wanted = want_slack + share * self.miss_cap
        want_kappa = (centring - self.d_tau * self.d_kappa) / self.tau - self.kappa
        right = share * self.miss_balance, want_kappa - share * self.miss_gap, -share * self.miss_live
        step = self._bordered(self.push, wanted, *right)
        for _ in range(REFINEMENTS if centring > 0.0 else 0):  # the affine step only tells how far to go
            more = self._bordered(np.zeros_like(self.u), 0.0, *self._left(step, *right))
            step = [part + other for part, other in zip(step, more)]
        self.d_v, gamma, self.d_yielding[:], self.d_tau, self.d_multiplier = step
        self.d_slack[:] = want_slack - self.d_yielding / self.softness
        self.d_kappa = want_kappa - self.kappa / self.tau * self.d_tau
        # z follows from velocities, not from forces: these are large where a contact sticks, and so is their rounding.
        self.step_z[:] = self._relative(self.d_v) + self.d_tau * self.cost + share * self.miss_motion
        self.step_z[self.capped, 0] += self.d_yielding
        self.step_z[:, 0] /= self.slope
        self.step_x[:] = gamma
        self.step_x[:, 0] *= self.slope
        alpha = greatest_step(self.x, self.z, self.step_x, self.step_z)
        for value, change in ((self.tau, self.d_tau), (self.kappa, self.d_kappa)):
            alpha = min(alpha, -value / change) if change < 0.0 else alpha
        for value, change in ((self.slack, self.d_slack), (self.yielding, self.d_yielding)):
            falls = change < 0.0
            alpha = min(alpha, (-value[falls] / change[falls]).min(initial=np.inf))
        return alpha

    def _bordered(self, push, wanted, balance, gap, live):
        """Steps of v, gamma, the speeds at the caps, tau and lambda for given right sides of the equations."""
        pushed = self._along(push, -self.softness * wanted)
        v = self._solve(balance + self._wrench(self._stiff(pushed)))
        u = self._relative(v)
        gamma = self._stiff(pushed - u)
        step = v, gamma, self._yield_step(gamma, u - push, wanted)
        gap -= self._gap_row(*step)
        if not self.moving:
            d_tau, d_lambda = gap / self.corner[0, 0], 0.0
        else:
            d_tau, d_lambda = self._cornered(gap, live - _dot(self.live, v))
            step = [part + d_lambda * more for part, more in zip(step, self.of_lambda)]
        return [part + d_tau * more for part, more in zip(step, self.of_tau)] + [float(d_tau), float(d_lambda)]

    def _cornered(self, gap, live):
        """Steps of tau and lambda; nan if rounding has spoilt their equations."""
        try:
            return np.linalg.solve(self.corner, [gap, live])
        except np.linalg.LinAlgError:
            return np.nan, np.nan

    def _left(self, step, balance, gap, live):
        """What a step leaves of the right sides, for rounding."""
        v, gamma, yielding, d_tau, d_lambda = step
        balance = balance + self._wrench(gamma) + d_tau * self.dead + d_lambda * self.live
        gap -= self._gap_row(v, gamma, yielding) + self.kappa / self.tau * d_tau + self.gain * d_lambda
        return balance, gap, live - _dot(self.live, v) + self.gain * d_tau

    def answer(self, status, iterations, miss):
        """The point at hand in the units and the order of the problem."""
        scale = self.tau if status == "solved" else 1.0
        force, opening = np.empty_like(self.x), np.empty_like(self.x)
        force[self.pairs.contact] = self._forces(self.x) * (self.unit / scale)
        motion = scale * self.worth * self.unit
        opening[self.pairs.contact] = self.u / motion
        crushing = np.zeros(len(force))
        crushing[self.pairs.contact[self.capped]] = self.yielding / motion
        value = 0.5 * (self.best_forces + self.best_motion) / (scale * self.worth)
        multiplier = self.multiplier / (self.pull * scale)
        return Answer(status, multiplier, value, force, self.v / motion, opening, crushing, iterations, float(miss))


def _dot(a, b):
    return float((a * b).sum())


def _size(wrench):
    return float(np.linalg.norm(wrench[:, :3], axis=1).max(initial=0.0)) or float(np.abs(wrench).max(initial=0.0))
