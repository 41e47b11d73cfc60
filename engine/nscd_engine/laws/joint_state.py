"""Joints with a state in motion: bonds that break or soften, springs, viscous layers, strengths; and cables.

A joint of the structure at rest whose law is more than friction keeps its points on both blocks. While it lasts they
replace the contacts that detection would find between the two blocks. Once its bond is lost and it has slid or opened
far enough it is released: contacts of the two blocks are then detected, with friction alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional, Tuple

import numpy as np

from nscd_engine.core import law_table
from nscd_engine.core.law_table import pair_key
from nscd_engine.core.loads import OUT_OF_REACH, Cables
from nscd_engine.core.model import Model
from nscd_engine.core.state import State
from nscd_engine.core.structs import Contacts, Problem
from nscd_engine.kernels.geometry.rotations import rotation_matrices
from nscd_engine.kernels.solvers import operators
from nscd_engine.laws import cables as cable_rows
from nscd_engine.laws import mohr_coulomb, posing
from nscd_engine.laws.fibres import MOVING, law_points, moving_cells
from nscd_engine.laws.mohr_coulomb import PointLaw
from nscd_engine.laws.moving_caps import MovingCaps
from nscd_engine.laws.point_laws import beyond_friction, block_stiffness, point_law, with_bond_stiffness
from nscd_engine.laws.posing import Posed
from nscd_engine.laws.softening import Softening
from nscd_engine.laws.viscous_contacts import point_viscosity, shared_with

#: Share of the strength from which slip and opening are plastic [-]. Larger: the solver's tolerance hides plastic slip.
#: Smaller: elastic slip counts as plastic.
GIVES = 0.99
#: Share of the intact bond below which a softened bond is lost [-]. Larger: the tail of the curve is cut off. Smaller:
#: exponential softening never ends.
GONE = 1e-3
#: Opening over the size of the smaller block at which a bond that does not soften is lost [-]. Larger: ductile bonds
#: hold blocks that are far apart.
TORN = 0.01
#: Slip, or opening of all points, over the size of the smaller block, at which a joint without bond is released [-].
#: Larger: its points are off the faces by then. Smaller: a joint that closes again has lost its springs.
RELEASED = 0.02
#: Compliance of the bonds of a rigid joint together over the mobility of its blocks [-]. Larger: bonds are springs that
#: one sees. Smaller: the solver shares forces among the points of a joint, whatever their areas.
RIGID = 1e-3
#: Arrays that change from step to step.
_STATE = ("active", "lost", "giving", "opened", "slipped", "slip", "force", "force_disc")


@dataclass(frozen=True)
class Arms:
    """From the centroids of the blocks to points of joints and ends of cables, in the axes of the blocks [m]."""

    joint: np.ndarray  # (J, 2, 3)
    cable: np.ndarray  # (K, 2, 3)

    def bent(self, joint: np.ndarray, cable: np.ndarray) -> Arms:
        """The arms to points that the deformation of their blocks has displaced by (J, 2, 3) and (K, 2, 3)."""
        return Arms(self.joint + joint, self.cable + cable)


class Joints:
    """The joints of a model whose laws are more than friction. J points.

    Parameters
    ----------
    model : Model
    detection : Detection
        At rest.
    cables : Cables, optional
    """

    def __init__(self, model: Model, detection, cables: Optional[Cables] = None):
        detection, area = law_points(model, detection, halvings=MOVING, cells=moving_cells(model, detection))
        self.model, contacts = model, detection.contacts
        rows = np.repeat(detection.law, np.diff(detection.interfaces.contact_start))
        chosen = np.flatnonzero(_lasting(model, rows, contacts.body) & (area > 0.0))
        contacts, area, rows = Contacts(*(field[chosen] for field in contacts)), area[chosen], rows[chosen]
        self.law_rows = rows  # (J,): of Model.law
        self.body, self.frame = contacts.body, contacts.frame
        arm = contacts.point[:, None, :] - model.bodies.centroid[self.body]
        self.arms = Arms(arm, np.zeros((0, 2, 3)) if cables is None else cables.arm)  # of blocks that are not deformed
        self.size = model.bodies.size[self.body].min(axis=1)
        self.law, self.area = point_law(model, rows, contacts.friction, area), area
        blocks = block_stiffness(model)
        if blocks:  # rigid blocks: `_with_shares`
            self.law = with_bond_stiffness(self.law, area, blocks)
        self.tied = model.law[rows, law_table.TIED] > 0.0  # (J,)
        fall = float(np.linalg.norm(model.gravity)) or 1.0
        self.speed = np.sqrt(2.0 * fall * self.size.max(initial=0.0))  # [m/s] of a fall by the size of a block
        self.pair = pair_key(self.body, len(model.names))
        self.blocks = len(model.names)
        dilatancy = model.law[rows, law_table.DILATANCY]
        self.dilatancy = np.where(np.isnan(dilatancy), 0.0, dilatancy)  # [-] opening over slip
        self.softening = _softening(model.law[rows], area, self.law)
        count = len(area)
        self.active = np.ones(count, bool)
        self.lost = np.zeros(count, bool)  # the bond is broken
        self.giving = np.zeros(count, bool)  # at its strength in the last step
        self.opened, self.slipped = np.zeros(count), np.zeros(count)  # [m] greatest opening, path length of the slip
        self.slip = np.zeros((count, 2))  # [m] plastic slip
        self.force, self.force_disc = np.zeros((count, 3)), np.zeros((count, 3))  # [N] of the last step
        self.caps = MovingCaps(self.law)
        self.cables = None if cables is None else cable_rows.MovingCables(cables)
        # Of the current step: joints (n,) that last, their gaps [m] (n,), their tangential displacements since the
        # beginning of the step [m] (n, 2), their rows among the contacts, all laws.
        self.rows, self.gap, self.drift = np.zeros(0, int), np.zeros(0), np.zeros((0, 2))
        self.mine, self.now = slice(0, 0), self.law
        self.viscosity = np.zeros(0)  # [N s/m]: of the contacts of the current step before those of the joints

    def snapshot(self) -> dict:
        """State for a checkpoint."""
        saved = {key: getattr(self, key).copy() for key in _STATE}
        saved.update({key: getattr(self.caps, key).copy() for key in MovingCaps.STATE})
        if self.cables is not None:
            saved["cables"] = self.cables.snapshot()
        return saved

    def restore(self, saved: dict) -> None:
        """Take over the state of a snapshot."""
        for key in _STATE:
            getattr(self, key)[:] = saved[key]
        for key in MovingCaps.STATE:
            getattr(self.caps, key)[:] = saved[key]
        if self.cables is not None:
            self.cables.restore(saved["cables"])

    def reply(self) -> dict:
        """Arrays of the reply: bonds left [-] (J,) of blocks (J, 2), forces [N] and elongations [m] of cables (K,)."""
        reply = {"bond_body": self.body, "bond_left": np.where(self.law.cohesion > 0.0, self.bond(), 1.0)}
        if self.cables is not None:
            reply.update(cable_force=self.cables.force, cable_plastic=self.cables.plastic_by_now())
        return reply

    @property
    def idle(self) -> bool:
        """Whether this step has contacts with friction alone."""
        return self.cables is None and not len(self.rows) and not np.isfinite(self.viscosity).any()

    @property
    def held(self) -> int:
        """Number of the contacts of this step that are points of joints or cables: the last ones."""
        return len(self.rows) + (0 if self.cables is None else len(self.cables.now))

    # -- contacts of a step ----------------------------------------------------------------------------------------

    def begin_at(self, state: State, arms: Arms) -> None:
        """Begin in a balance: tangential springs have the forces of the displacements there."""
        rows = np.arange(len(self.area))
        off, stiffness = self._placed(rows, state, arms)[2], self.law.stiffness[:, 1:]
        self.force[:, 1:] = -np.where(np.isfinite(stiffness), stiffness, 0.0) * off[:, 1:]

    def update(
        self, contacts: Contacts, state: State, begin: State, arms: Optional[Tuple[Arms, Arms]] = None
    ) -> Contacts:
        """The contacts of a step: those detected of all other pairs, then the points of the joints that last.

        `state` is the one at which contacts are detected, `begin` that at the beginning of the step, to which the
        forces of the last step belong; `arms` are those of deformed blocks in both.
        """
        rows = np.flatnonzero(self.active)
        here, there = arms or (self.arms, self.arms)
        point, frame, off = self._placed(rows, state, here)
        before = off if begin is state else self._placed(rows, begin, there)[2]
        self._age(rows, before)
        held = self.active[rows]
        rows, point, frame, off, before = rows[held], point[held], frame[held], off[held], before[held]
        climb = self._climb(rows)
        self.caps.begin(rows, before[:, 0] - climb)
        self.rows, self.drift = rows, off[:, 1:] - before[:, 1:]
        self.gap = off[:, 0] - climb + self.caps.depth[rows]
        others = ~np.isin(pair_key(contacts.body, self.blocks), self.pair[rows])
        mine = Contacts(self.body[rows], point, frame, np.zeros(len(rows)), self.law.friction[rows], -1 - rows)
        detected = Contacts(*(field[others] for field in contacts))
        self.viscosity = point_viscosity(self.model, detected)
        parts = [detected, mine]
        if self.cables is not None:
            parts.append(self.cables.update(state, here.cable))
        return Contacts(*map(np.concatenate, zip(*parts)))

    def add_contacts(self, contacts: Contacts, like: np.ndarray) -> None:
        """Take in contacts between detected ones, each in the patch of contact `like` (k,): they share viscosity."""
        self.viscosity = shared_with(contacts, like, self.viscosity, self.blocks)

    def _placed(self, rows, state, arms):
        """Points [m] (n, 3), frames (n, 3, 3) fixed to block a, and displacements of b from a in them [m] (n, 3)."""
        rotation = rotation_matrices(state.orientation)
        a, b = self.body[rows].T
        on_a = state.position[a] + np.einsum("nij,nj->ni", rotation[a], arms.joint[rows, 0])
        on_b = state.position[b] + np.einsum("nij,nj->ni", rotation[b], arms.joint[rows, 1])
        frame = np.einsum("nij,nkj->nki", rotation[a], self.frame[rows])
        return 0.5 * (on_a + on_b), frame, np.einsum("nki,ni->nk", frame, on_b - on_a)

    def _age(self, rows, off):
        """Update openings and slips since the last step, lost bonds and released joints."""
        elastic = (self.force + self.force_disc)[rows, 1:] / self.law.stiffness[rows, 1:]
        slip = off[:, 1:] + elastic
        self.slipped[rows] += np.where(self.giving[rows], np.linalg.norm(slip - self.slip[rows], axis=1), 0.0)
        self.slip[rows] = slip
        gap = off[:, 0] - self._climb(rows)
        self.opened[rows] = np.where(self.giving[rows], np.maximum(self.opened[rows], gap), self.opened[rows])
        torn = np.isnan(self.softening.energy[:, 0]) & (self.opened > TORN * self.size)
        self.lost |= (self.law.cohesion > 0.0) & (torn | (self.bond() < GONE))
        distance, far = np.linalg.norm(off[:, 1:], axis=1), RELEASED * self.size[rows]
        holds = (self.law.cohesion[rows] > 0.0) & ~self.lost[rows]
        pair, of = np.unique(self.pair[rows], return_inverse=True)
        count = len(pair)
        none = np.bincount(of, holds, count) == 0
        slid = np.bincount(of, distance > far, count) > 0
        apart = np.bincount(of, gap <= far, count) == 0
        self.active[rows] = ~(none & (slid | apart))[of]

    def _climb(self, rows):
        """Opening by dilatancy [m] (n,)."""
        return self.dilatancy[rows] * self.slipped[rows]

    def bond(self) -> np.ndarray:
        """Share of the bonds that is left [-] (J,)."""
        return np.where(self.lost, 0.0, self.softening.left(self.opened, self.slipped))

    # -- problem of a step -----------------------------------------------------------------------------------------

    def pose(self, problem: Problem, step: float, theta: float) -> Posed:
        """The problem of a step [s] with the laws of the joints and cables, which are its last contacts."""
        rows = self.rows
        last = len(problem.friction) - (0 if self.cables is None else len(self.cables.now))
        self.mine = slice(last - len(rows), last)
        bias = problem.bias.copy()
        bias[self.mine, 0] += self.gap / (theta * step)
        elastic = np.isfinite(self.law.stiffness[rows, 1:])  # rigid joints stick where they are
        bias[self.mine, 1:] += np.where(elastic, self.drift, 0.0) / (theta * step)
        law = self._law(problem.friction[:last], _momentum(problem) / step)
        law = self._with_shares(law, problem, theta * step**2)
        law, bias = self.caps.applied(law, bias, rows, self.mine)
        if self.cables is not None:
            law = cable_rows.extended(law, self.cables.cables, self.cables.yielding)
            away = np.where(self.cables.yielding, OUT_OF_REACH, self.cables.gap() / (theta * step))
            bias[last:, 0] += away
        posed = posing.pose(problem._replace(bias=bias), law, step, 1.0 / (theta * step**2), self.speed)
        # Tangential springs start from the force of the last step.
        bias, compliance = posed.problem.bias.copy(), posed.problem.compliance
        had = np.zeros_like(bias)
        had[self.mine], had[len(problem.friction) :] = self.force[rows], self.force_disc[self._disc_rows(posed)]
        spring = np.isfinite(np.append(law.stiffness[:, 1], law.stiffness[posed.disc, 1]))
        bias[spring, 1:] -= step * compliance[spring, 1:] * had[spring, 1:]
        self.now = law
        return posed._replace(problem=posed.problem._replace(bias=bias))

    def crush(self, problem: Problem, posed: Posed, impulses: np.ndarray, u: np.ndarray, step: float) -> bool:
        """Whether other points crush than before, by the solution of a step: impulses (C + D, 3), and velocities of b
        relative to a (C + D, 3), in the frames of the contacts.
        """
        if not self.caps.any:
            return False
        normal = (impulses[self.mine, 0] - posed.pressed[self.mine]) / step
        opening = u[self.mine, 0] + problem.bias[self.mine, 0]
        return self.caps.change(self.rows, normal, opening, step * (float(np.linalg.norm(self.model.gravity)) or 1.0))

    def _with_shares(self, law, problem, soft):
        """The laws with a stiffness of rigid joints with brittle bonds or a strength as of the areas of their points,
        by which a step shares forces among them.

        A joint gives way by RIGID of what its blocks would move without it; `soft` is theta h^2 [s2].
        """
        rows, mine, stiffness = self.rows, self.mine, law.stiffness.copy()
        shared = (law.brittle[mine] & (law.cohesion[mine] > 0.0)) | np.isfinite(self.caps.cap[rows])
        if not shared.any():
            return law
        w = operators.mobility(problem, operators.inverse_inertia(problem))[mine]
        _, of = np.unique(self.pair[rows], return_inverse=True)
        share = self.area[rows] / np.bincount(of, self.area[rows])[of]
        mobility = (np.bincount(of, w) / np.bincount(of))[of]
        rigid = np.isinf(stiffness[mine]) & shared[:, None]
        stiffness[mine] = np.where(rigid, (share / (RIGID * mobility * soft))[:, None], stiffness[mine])
        return law._replace(stiffness=stiffness)

    def _law(self, friction, inertial):
        """Laws of the contacts with friction alone and of the joints, in their current state.

        `inertial` [N] is the force that stops all bodies in the step: a tie holds it in addition.
        """
        rows, law, left = self.rows, self.law, self.bond()[self.rows]
        held = np.where(self.tied[rows], inertial, 0.0)
        cohesion, tension = left * law.cohesion[rows] + held, left * law.tension[rows] + held
        stiffness = law.stiffness[rows].copy()
        softened = self.softening.softened(self.opened)[rows] & (self.gap > 0.0) & (left > 0.0)
        stiffness[softened, 0] = tension[softened] / self.opened[rows][softened]
        first = len(friction) - len(rows)
        return PointLaw(
            friction=friction,
            cohesion=_after(first, 0.0, cohesion),
            tension=_after(first, 0.0, tension),
            compression=np.full(len(friction), np.inf),  # `caps` are constant forces in a motion
            stiffness=_after(first, np.inf, stiffness),
            viscosity=np.append(self.viscosity, law.viscosity[rows]),
            brittle=_after(first, False, law.brittle[rows]),
        )

    def _disc_rows(self, posed):
        """Joints of the discs of shear (D,)."""
        return self.rows[posed.disc - self.mine.start]

    def warm(self, posed: Posed, impulses: np.ndarray, step: float) -> np.ndarray:
        """Warm start of the impulses (C + D, 3): as given (C, 3) with friction alone, else of the last step."""
        start = np.concatenate([impulses, step * self.force_disc[self._disc_rows(posed)]])
        start[self.mine] = step * self.force[self.rows]
        if self.cables is not None:
            start[self.mine.stop : len(impulses)] = 0.0
            start[self.mine.stop : len(impulses), 0] = step * np.minimum(self.cables.force, self.cables.cables.strength)
        start[:, 0] += posed.pressed
        return start

    def keep(self, posed: Posed, impulses: np.ndarray, step: float) -> np.ndarray:
        """Store the solution of a step (C + D, 3), break bonds; impulses of the contacts [N s] (C, 3)."""
        rows = self.rows
        forces = impulses / step
        forces[:, 0] -= posed.pressed / step
        count = len(forces) - len(posed.disc)
        self.force[rows] = forces[self.mine]
        self.force_disc[rows] = 0.0
        self.force_disc[self._disc_rows(posed)] = forces[count:]
        real = posing.joined(posed, impulses)
        brittle = self.now.brittle[self.mine] & np.isnan(self.softening.energy[rows, 0])
        self.giving[rows] = mohr_coulomb.used(self.now, real / step)[self.mine] >= GIVES
        in_cone = impulses[: len(real)] / step
        self.lost[rows] |= brittle & mohr_coulomb.breaks(self.now, real / step, in_cone)[self.mine]
        if self.cables is not None:
            self.cables.keep(forces[self.mine.stop : count, 0])
        return real


def _momentum(problem):
    """Sum of the momenta of the bodies without contacts [N s], with the spin at the radius of gyration."""
    v, inertia = problem.v_free, problem.inertia
    spin = np.einsum("ni,nij,nj->n", v[:, 3:], inertia, v[:, 3:])
    return float(np.sqrt(problem.mass * (problem.mass * (v[:, :3] ** 2).sum(axis=1) + spin)).sum())


def remembers(model: Model) -> np.ndarray:
    """Which laws, (rows of Model.law,) bool, have a state in motion: more than friction, or of single interfaces."""
    return _lasts(model) | ~np.isnan(model.law[:, law_table.VISCOSITY])


def _lasts(model):
    """Those of `remembers` whose joints keep their points: viscosity alone acts where the blocks touch now."""
    single = np.arange(len(model.law)) >= model.first_interface_law
    held = (law_table.COHESION, law_table.STIFFNESS_N, law_table.STIFFNESS_T, law_table.COMPRESSION)
    return beyond_friction(model, held) | (model.law[:, law_table.DILATANCY] > 0.0) | single


def _lasting(model, rows, body):
    """Contacts (C,) bool of pairs with an interface that has a state: detection skips a pair as a whole."""
    pair = pair_key(body, len(model.names))
    return np.isin(pair, pair[_lasts(model)[rows]])


def _after(count, value, array):
    """`value` `count` times, then the array."""
    return np.concatenate([np.full((count,) + array.shape[1:], value, array.dtype), array])


def _softening(rows, area, law):
    energy = rows[:, [law_table.FRACTURE_N, law_table.FRACTURE_T]] * area[:, None]
    return Softening(energy, law, rows[:, law_table.EXPONENTIAL] > 0.0)
