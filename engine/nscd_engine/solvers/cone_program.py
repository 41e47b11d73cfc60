"""The cone program of all limit analyses: interior points on the homogeneous self-dual embedding.

    maximise  gain lambda - cost . gamma  such that  J^T gamma + dead + lambda live = 0,  gamma in K,  gamma_n <= cap
    minimise  cap . p - dead . v          such that  J v + cost + p n in K*,  live . v = gain,  p >= 0

The first is solved by forces, the second by a mechanism. The embedding finds both, or a certificate that one of them
does not exist: a mechanism that the loads drive whatever the multiplier, or forces that balance an unbounded
multiplier. Unknowns are 6 per body: the matrix is J^T G J as in Newton's method, bordered by the columns of tau and
lambda. A cap has a slack, gamma_n + slack = cap, whose dual p is the speed at which the contact yields. Both are
eliminated contact by contact, where they act as a compliance p / slack along the normal. docs/methods.md, section 8.
"""

from __future__ import annotations

from typing import Any, Iterator, List, NamedTuple, Optional, Tuple

import numpy as np

from compas_nscd.errors import NotConvergedError
from nscd_engine.core.monitor import Monitor
from nscd_engine.core.structs import Problem
from nscd_engine.kernels.solvers import interior_point as ip
from nscd_engine.kernels.solvers.hessian import relative_velocities, subtract_impulses
from nscd_engine.solvers.primal_system import System
from nscd_engine.solvers.workspace import Workspace

#: Greatest relative residual at which the iterations stop [-].
TOLERANCE = 1e-9
#: Greatest relative residual of an answer [-]: rounding stops long walls at 1e-6 to 1e-5. Larger: wrong limits pass.
ACCEPTED = 3e-5
#: Most iterations [-]; 8 to 30 are usual.
MOST_ITERATIONS = 80
#: Iterations in a row without progress that are allowed once the residual is below ROUGH [-].
MOST_STUCK = 3
#: Residual below which missing progress means that rounding has been reached [-].
ROUGH = 1e-2
#: Share of the step to the boundary of the cones [-]. Larger: the next steps are short. Smaller: more iterations.
STAY_INSIDE = 0.98
#: Iterative refinements of a step [-].
REFINEMENTS = 2
#: Mass that holds motions without stiffness (a ball that spins, a block without friction) over the first stiffness [-].
#: Larger: it carries a part of the loads. Smaller: the matrix is indefinite more often.
TINY_MASS = 1e-11
#: Factor on this mass when rounding has made the matrix indefinite [-]; refinements make up for the mass.
HEAVIER = 100.0
#: Most times that it is applied [-].
MOST_HEAVIER = 4


class Program(NamedTuple):
    """A cone program. N bodies, C contacts in the order of the problem."""

    dead: np.ndarray  # [N, N m] (N, 6): loads that do not vary
    live: Any = None  # [N, N m] (N, 6): loads times the multiplier; None: there is no multiplier
    cost: Any = None  # [m] (C, 3) in the contact frames; None: 0
    gain: float = 1.0
    cap: Any = None  # [N] (C,): greatest normal forces, inf where there is none; None: there are none


class Answer(NamedTuple):
    """Solution or certificate; of certificates, the forces or the mechanism are known up to a factor."""

    status: str  # solved; infeasible: no forces balance the loads; unbounded; unsure: the residual is above ACCEPTED
    multiplier: float
    value: float  # of the objective
    force: np.ndarray  # [N] (C, 3) in the contact frames
    velocity: np.ndarray  # (N, 6): mechanism; live . v = gain where there is a multiplier
    opening: np.ndarray  # (C, 3): its relative velocities J v
    crushing: np.ndarray  # (C,): speed at which contacts yield along the normal, at their caps
    iterations: int
    residual: float  # greatest relative residual of balance, compatibility and equality of both values [-]


def light_system(
    problem: Problem, workspace: Optional[Workspace] = None, monitor: Optional[Monitor] = None, threads: int = 1
) -> System:
    """System of a problem whose bodies have next to no mass: its matrix is J^T G J."""
    light = TINY_MASS / max(problem.mass.mean(), 1e-300)
    problem = problem._replace(mass=light * problem.mass, inertia=light * problem.inertia)
    return System(problem, workspace, monitor, threads)


def solve(system: System, program: Program, phase: str = "limit analysis", tolerance: float = TOLERANCE) -> Answer:
    """Answer to a program on the contacts of a `light_system`."""
    path = _Path(system, program)
    best: Any = None
    stuck, tau = 0, path.tau
    for iteration in range(MOST_ITERATIONS):
        if system.monitor is not None:
            system.monitor.report("{}, iteration {}".format(phase, iteration + 1))
        status, residual = path.measure()
        # A falling tau is progress towards a certificate that the residual does not show yet.
        stuck += best is not None and best.residual < ROUGH and path.tau > 0.5 * tau
        tau = path.tau
        if best is None or residual < best.residual:
            best, stuck = path.answer(status, iteration, residual), 0
        if residual <= tolerance or stuck > MOST_STUCK or not path.advance() > 0.0:
            break
    return best if best.residual <= ACCEPTED else best._replace(status="unsure")


def require_sure(answer: Answer) -> Answer:
    """The answer; an error if rounding has spoilt it."""
    if answer.status == "unsure":
        raise NotConvergedError(
            "The limit could not be found to {:.0e}: it stopped at {:.1e}.".format(ACCEPTED, answer.residual),
            remedy="Check the model for very small blocks beside very large ones.",
        )
    return answer


#: Steps of v (N, 6), gamma (C, 3), the speeds at the caps, tau and lambda.
_Step = List[Any]


class _Path:
    """The iterate, forces over `unit`: x = D gamma, z = D^-1 s as in `kernels.solvers.interior_point`."""

    def __init__(self, system: System, program: Program) -> None:
        self.system, self.grouped = system, system.grouped
        self.problem = system.problem  # its masses grow when rounding requires it
        count, live = len(self.grouped.w), program.live
        self.moving = live is not None
        self.unit = _size(program.dead) or (_size(live) if self.moving else 0.0) or 1.0
        self.pull = (_size(live) / self.unit if self.moving else 0.0) or 1.0
        self.arm = float(np.median(np.abs(self.grouped.arm).max(axis=(1, 2)))) if count else 1.0
        self.dead = program.dead / self.unit
        self.live = live / (self.unit * self.pull) if self.moving else np.zeros_like(self.dead)
        self._scale_objective(program)
        self.slope = np.where(self.grouped.friction > 0.0, self.grouped.friction, 1.0)
        self._set_caps(program)
        self.soft = np.zeros((count, 2))
        self.rigid = ip.ConeProblem(self.grouped.friction, np.zeros((count, 2)), np.zeros((count, 3)))
        self.point = ip.cone_point(self.slope, 1.0 / self.slope)
        self.v, self.multiplier, self.tau, self.kappa = np.zeros_like(self.dead), 0.0, 1.0, 1.0

    def _set_caps(self, program: Program) -> None:
        """The contacts with a cap, the caps over the unit, their slacks and duals."""
        cap = np.full(len(self.slope), np.inf) if program.cap is None else program.cap[self.grouped.contact]
        self.capped = np.flatnonzero(np.isfinite(cap))
        self.cap = cap[self.capped] / self.unit
        self.slack = np.maximum(self.cap, 1.0)
        self.yielding = 1.0 / self.slack
        self.d_slack, self.d_yielding = np.zeros_like(self.cap), np.zeros_like(self.cap)

    def _scale_objective(self, program: Program) -> None:
        """Gain, cost and the unit of the objective, such that the velocities of the mechanism are about 1."""
        given = np.zeros((len(self.grouped.w), 3)) if program.cost is None else program.cost[self.grouped.contact]
        if self.moving:
            self.gain = np.linalg.norm(self.live[:, :3], axis=1).sum() or 1.0
            self.worth = self.gain * self.pull / program.gain
        else:
            self.gain, self.worth = 0.0, 1.0 / (self.unit * (np.abs(given).max(initial=0.0) or 1.0))
        self.cost: np.ndarray = self.worth * self.unit * given
        self.cost[self.grouped.friction == 0.0, 1:] = 0.0

    def _forces(self) -> np.ndarray:
        """gamma (C, 3) over the unit, grouped."""
        gamma = self.point.x.copy()
        gamma[:, 0] /= self.slope
        return gamma

    def _wrench(self, gamma: np.ndarray) -> np.ndarray:
        """J^T gamma (N, 6)."""
        out = np.zeros_like(self.dead)
        subtract_impulses(self.grouped, gamma, out)
        return -out

    def _relative(self, v: np.ndarray) -> np.ndarray:
        """J v (C, 3), without the slip of contacts that have no friction."""
        u = np.empty_like(self.point.x)
        relative_velocities(self.grouped, v, u)
        u[self.grouped.friction == 0.0, 1:] = 0.0
        return u

    def measure(self) -> Tuple[str, float]:
        """Residuals of all equations; (status, greatest relative residual) of the answer that is nearest."""
        tau, gamma = self.tau, self._forces()
        self.u = self._relative(self.v)
        self.opened = self.point.z.copy()  # s = D z
        self.opened[:, 0] *= self.slope
        self.residual_motion = self.u + tau * self.cost - self.opened
        self.residual_motion[self.capped, 0] += self.yielding
        self.residual_cap = gamma[self.capped, 0] + self.slack - tau * self.cap
        self.residual_balance = self._wrench(gamma) + tau * self.dead + self.multiplier * self.live
        self.residual_live = _dot(self.live, self.v) - self.gain * tau
        self.best_forces = self.gain * self.multiplier - _dot(self.cost, gamma)
        self.best_motion = _dot(self.cap, self.yielding) - _dot(self.dead, self.v)
        self.residual_gap = self.best_forces - self.best_motion - self.kappa
        live = abs(self.residual_live) / (self.gain or 1.0)
        least = min(abs(self.best_forces), abs(self.best_motion))
        gap = abs(self.best_forces - self.best_motion) / (tau + least)
        cap = self._cap_size(self.residual_cap) / tau
        force = max(self._force_size(self.residual_balance) / tau, cap)
        found_residuals = [force, self._motion_size(self.residual_motion) / tau, live / tau, gap]
        found = [("solved", max(found_residuals))]
        if tau < 1e-2 * self.kappa:
            found += self._certificates()
        return min(found, key=lambda candidate: candidate[1])

    def _certificates(self) -> Iterator[Tuple[str, float]]:
        """Status and residual of the certificates that the iterate is near."""
        falls, grows = -self.best_motion, self.best_forces
        if falls > 0.0:
            power = abs(_dot(self.live, self.v)) / (self.gain or 1.0)
            motion = self._motion_size(self.residual_motion - self.tau * self.cost)
            yield "infeasible", max(motion, power) / falls
        if grows > 0.0:
            force = self._force_size(self.residual_balance - self.tau * self.dead)
            yield "unbounded", max(force, self._cap_size(self.residual_cap + self.tau * self.cap)) / grows

    def _force_size(self, wrench: np.ndarray) -> float:
        return max(np.abs(wrench[:, :3]).max(initial=0.0), np.abs(wrench[:, 3:]).max(initial=0.0) / self.arm)

    def _cap_size(self, force: np.ndarray) -> float:
        return float((np.abs(force) / (1.0 + self.cap)).max(initial=0.0))

    def _motion_size(self, u: np.ndarray) -> float:
        return float(np.abs(u).max(initial=0.0)) / (1.0 + float(np.abs(self.u).max(initial=0.0)))

    def advance(self) -> float:
        """Affine step, Mehrotra's correction, and the step taken: its length; 0 if rounding has spoilt the matrix."""
        self.soft[self.capped, 0] = self.softness = self.yielding / self.slack
        ip.rescale(self.grouped.friction, self.soft, self.point, self.system.work.G)
        if not self._factorise():
            return 0.0
        self._columns()
        self.point.step_x[:], self.point.step_z[:] = 0.0, 0.0
        self.d_slack[:], self.d_yielding[:] = 0.0, 0.0
        self.d_tau = self.d_kappa = 0.0
        mean = self._mean(0.0)
        reached = self._mean(min(self._direction(0.0, 1.0), 1.0))
        sigma = min(max((reached / mean) ** 3, 1e-6), 1.0)
        alpha = min(1.0, STAY_INSIDE * self._direction(sigma * mean, 1.0 - sigma))
        if not np.isfinite(self.d_v).all():
            return 0.0
        self.v += alpha * self.d_v
        self.point.x[:] += alpha * self.point.step_x
        self.point.z[:] += alpha * self.point.step_z
        self.slack += alpha * self.d_slack
        self.yielding += alpha * self.d_yielding
        self.multiplier += alpha * self.d_multiplier
        self.tau += alpha * self.d_tau
        self.kappa += alpha * self.d_kappa
        return alpha

    def _factorise(self) -> bool:
        """Factor of the matrix, with heavier bodies if rounding requires it; False if there is none."""
        for _ in range(MOST_HEAVIER):
            if self.system.factorise(self.problem):
                return True
            mass, inertia = HEAVIER * self.problem.mass, HEAVIER * self.problem.inertia
            self.problem = self.problem._replace(mass=mass, inertia=inertia)
        return False

    def _mean(self, alpha: float) -> float:
        """Mean complementarity over all cones after a step of length alpha."""
        own = (self.tau + alpha * self.d_tau) * (self.kappa + alpha * self.d_kappa)
        own += _dot(self.slack + alpha * self.d_slack, self.yielding + alpha * self.d_yielding)
        count = len(self.point.x)
        total = count * ip.complementarity(self.point, alpha) + own
        return total / (count + len(self.cap) + 1)

    def _solve(self, wrench: np.ndarray) -> np.ndarray:
        """Solution (N, 6) for a right side (N, 6) by the current factor."""
        v = np.empty_like(wrench)
        self.system.solve_factored(wrench, v)
        return v

    def _stiff(self, u: np.ndarray) -> np.ndarray:
        """G u (C, 3)."""
        gamma = np.empty_like(u)
        ip.stiff_times(self.system.work.G, u, gamma)
        return gamma

    def _columns(self) -> None:
        """Change of v and gamma per unit of tau and of lambda, and the corner of the bordered system."""
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

    def _gap_row(self, v: np.ndarray, gamma: np.ndarray, yielding: np.ndarray) -> float:
        """Row of the gap between both values, times a step."""
        return _dot(self.dead, v) - _dot(self.cost, gamma) - _dot(self.cap, yielding)

    def _yield_step(self, gamma: np.ndarray, u: np.ndarray, wanted: Any) -> np.ndarray:
        """Step of the speeds at the caps for a step gamma of the forces, motions u (C, 3) and wanted slacks.

        It follows from the slack or from the cone, whichever is stiffer: the other loses digits to cancellation.
        """
        gamma, mu = gamma[self.capped], self.slope[self.capped]
        w_0, w_1, w_2, eta = self.point.scaling[self.capped].T
        f = mu / eta**2
        along, across = f * mu * (2.0 * w_0 * w_0 - 1.0), -2.0 * f * w_0 * (w_1 * gamma[:, 1] + w_2 * gamma[:, 2])
        by_slack = self.softness * (gamma[:, 0] + wanted)
        return np.where(self.softness < along, by_slack, -u[self.capped, 0] - along * gamma[:, 0] - across)

    def _along(self, vectors: np.ndarray, normal: np.ndarray) -> np.ndarray:
        """Vectors (C, 3) plus `normal` along the normals of the capped contacts."""
        more = vectors.copy()
        more[self.capped, 0] += normal
        return more

    def _direction(self, centring: float, share: float) -> float:
        """Step towards complementarity `centring` that removes `share` of the residuals; greatest length in the cones.

        Mehrotra's correction is for the product of the steps in `point`: zero, or those of the affine step.
        """
        ip.right_side(self.rigid, self.point, self.opened + share * self.residual_motion, centring)
        want_slack = (centring - self.d_slack * self.d_yielding) / self.yielding - self.slack
        wanted = want_slack + share * self.residual_cap
        want_kappa = (centring - self.d_tau * self.d_kappa) / self.tau - self.kappa
        right = share * self.residual_balance, want_kappa - share * self.residual_gap, -share * self.residual_live
        step = self._bordered(self.point.push, wanted, *right)
        for _ in range(REFINEMENTS if centring > 0.0 else 0):  # not of the affine step, which only decides the centring
            more = self._bordered(np.zeros_like(self.u), 0.0, *self._left(step, *right))
            step = [part + other for part, other in zip(step, more)]
        self.d_v, gamma, self.d_yielding[:], self.d_tau, self.d_multiplier = step
        self.d_slack[:] = want_slack - self.d_yielding / self.softness
        self.d_kappa = want_kappa - self.kappa / self.tau * self.d_tau
        step_x, step_z = self.point.step_x, self.point.step_z
        # z follows from velocities: forces are large where a contact sticks, and so is their rounding.
        step_z[:] = self._relative(self.d_v) + self.d_tau * self.cost + share * self.residual_motion
        step_z[self.capped, 0] += self.d_yielding
        step_z[:, 0] /= self.slope
        step_x[:] = gamma
        step_x[:, 0] *= self.slope
        return self._length()

    def _length(self) -> float:
        """Greatest length of the step that stays in all cones."""
        alpha = ip.greatest_step(self.point)
        for value, change in ((self.tau, self.d_tau), (self.kappa, self.d_kappa)):
            alpha = min(alpha, -value / change) if change < 0.0 else alpha
        for values, changes in ((self.slack, self.d_slack), (self.yielding, self.d_yielding)):
            falls = changes < 0.0
            alpha = min(alpha, (-values[falls] / changes[falls]).min(initial=np.inf))
        return alpha

    def _bordered(self, push: np.ndarray, wanted: Any, balance: np.ndarray, gap: float, live: float) -> _Step:
        """Step for given right sides of the equations of contacts, caps, balance, gap and live loads."""
        pushed = self._along(push, -self.softness * wanted)
        v = self._solve(balance + self._wrench(self._stiff(pushed)))
        u = self._relative(v)
        gamma = self._stiff(pushed - u)
        step: Any = (v, gamma, self._yield_step(gamma, u - push, wanted))
        gap -= self._gap_row(*step)
        if not self.moving:
            d_tau, d_lambda = gap / self.corner[0, 0], 0.0
        else:
            d_tau, d_lambda = self._cornered(gap, live - _dot(self.live, v))
            step = [part + d_lambda * more for part, more in zip(step, self.of_lambda)]
        return [part + d_tau * more for part, more in zip(step, self.of_tau)] + [float(d_tau), float(d_lambda)]

    def _cornered(self, gap: float, live: float) -> Any:
        """Steps of tau and lambda; NaN if rounding has made their equations singular."""
        try:
            return np.linalg.solve(self.corner, [gap, live])
        except np.linalg.LinAlgError:
            return np.nan, np.nan

    def _left(self, step: _Step, balance: np.ndarray, gap: float, live: float) -> Tuple[np.ndarray, float, float]:
        """Right sides of balance, gap and live loads that a step leaves, by rounding."""
        v, gamma, yielding, d_tau, d_lambda = step
        balance = balance + self._wrench(gamma) + d_tau * self.dead + d_lambda * self.live
        gap -= self._gap_row(v, gamma, yielding) + self.kappa / self.tau * d_tau + self.gain * d_lambda
        return balance, gap, live - _dot(self.live, v) + self.gain * d_tau

    def answer(self, status: str, iterations: int, residual: float) -> Answer:
        """The iterate in the units and the order of the problem."""
        scale = self.tau if status == "solved" else 1.0
        force, opening = np.empty_like(self.point.x), np.empty_like(self.point.x)
        force[self.grouped.contact] = self._forces() * (self.unit / scale)
        motion = scale * self.worth * self.unit
        opening[self.grouped.contact] = self.u / motion
        crushing = np.zeros(len(force))
        crushing[self.grouped.contact[self.capped]] = self.yielding / motion
        value = 0.5 * (self.best_forces + self.best_motion) / (scale * self.worth)
        multiplier = self.multiplier / (self.pull * scale)
        velocity = self.v / motion
        return Answer(status, multiplier, value, force, velocity, opening, crushing, iterations, float(residual))


def _dot(a: np.ndarray, b: np.ndarray) -> float:
    return float((a * b).sum())


def _size(wrench: np.ndarray) -> float:
    """Greatest force of a wrench (N, 6), or greatest moment if there is no force."""
    return float(np.linalg.norm(wrench[:, :3], axis=1).max(initial=0.0)) or float(np.abs(wrench).max(initial=0.0))
