"""Joints that remember, in motion: bonds that break or soften, springs, viscous layers; and cables.

A joint that the structure has at rest, and whose law is more than friction, keeps its points on both blocks. While it
lasts they take the place of the contacts that detection would find between the two blocks. Once nothing holds it any
more and it has slid or opened for good it is released: what then touches is found as everywhere, with friction alone.
"""

import numpy as np

from nscd_engine.core import law_table
from nscd_engine.core.law_table import pair_key
from nscd_engine.core.structs import Contacts
from nscd_engine.kernels.geometry.rotations import rotation_matrices
from nscd_engine.laws import cables as cable_rows
from nscd_engine.laws import mohr_coulomb, point_laws
from nscd_engine.laws.fibres import tributary_areas
from nscd_engine.laws.point_laws import PointLaw, beyond_friction, point_law
from nscd_engine.laws.softening import Softening

#: Share of its strength from which a brittle contact breaks [-].
BREAKS = 1.0 - 1e-6
#: The same from which slip and opening last: what moves without reaching its strength is the solver's tolerance [-].
GIVES = 0.99
#: Bond, over the first one, below which it is gone [-].
GONE = 1e-3
#: Way over the size of the smaller block: opening at which a bond that does not break is torn, sliding or opening of
#: all points at which a joint that nothing holds is released [-].
TORN, RELEASED = 0.01, 0.02
#: What is kept from step to step.
_MEMORY = ("active", "lost", "giving", "opened", "slipped", "slip", "force", "force_disc")


class Joints:
    """The joints of a model at rest whose laws are more than friction. J points.

    Parameters
    ----------
    model : Model
    detection : Detection
        At rest.
    cables : Cables, optional
    """

    def __init__(self, model, detection, cables=None):
        contacts = detection.contacts
        area = tributary_areas(detection.interfaces, contacts)
        rows = np.repeat(detection.law, np.diff(detection.interfaces.contact_start))
        chosen = np.flatnonzero(_lasting(model, rows, contacts.body) & (area > 0.0))
        contacts, area, rows = Contacts(*(field[chosen] for field in contacts)), area[chosen], rows[chosen]
        self.law_rows = rows  # (J,): of Model.law
        self.body, self.frame = contacts.body, contacts.frame
        self.arm = contacts.point[:, None, :] - model.bodies.centroid[self.body]  # (J, 2, 3), in the axes of the blocks
        self.size = model.bodies.size[self.body].min(axis=1)
        self.law = point_law(model, rows, contacts.friction, area)
        fall = float(np.linalg.norm(model.gravity)) or 1.0
        self.speed = np.sqrt(2.0 * fall * self.size.max(initial=0.0))  # [m/s] of a fall from the size of a block
        self.pair = pair_key(self.body, len(model.names))
        self.blocks = len(model.names)
        dilatancy = model.law[rows, law_table.DILATANCY]
        self.dilatancy = np.where(np.isnan(dilatancy), 0.0, dilatancy)  # [-] climb over slip
        self.softening = _softening(model.law[rows], area, self.law)
        count = len(area)
        self.active = np.ones(count, bool)
        self.lost = np.zeros(count, bool)  # the bond is broken, for ever
        self.giving = np.zeros(count, bool)  # at its strength in the last step
        self.opened, self.slipped = np.zeros(count), np.zeros(count)  # [m] greatest opening, way of lasting slip
        self.slip = np.zeros((count, 2))  # [m] lasting slip
        self.force, self.force_disc = np.zeros((count, 3)), np.zeros((count, 3))  # [N] of the last step
        self.cables = None if cables is None else cable_rows.MovingCables(cables)
        self.rows = np.zeros(0, int)  # of the contacts of this step: which joints they are
        self.gap = np.zeros(0)

    def snapshot(self):
        """State for a checkpoint."""
        saved = {key: getattr(self, key) for key in _MEMORY}
        if self.cables is not None:
            saved["cables"] = {key: getattr(self.cables, key) for key in self.cables.memory}
        return saved

    def restore(self, saved):
        for key in _MEMORY:
            getattr(self, key)[:] = saved[key]
        if self.cables is not None:
            for key in self.cables.memory:
                setattr(self.cables, key, np.array(saved["cables"][key]))

    def reply(self):
        """Arrays of the reply: bonds left [-] (J,) of blocks (J, 2), forces [N] and elongations [m] of cables (K,)."""
        told = {"bond_body": self.body, "bond_left": np.where(self.law.cohesion > 0.0, self.bond(), 1.0)}
        if self.cables is not None:
            told.update(cable_force=self.cables.force, cable_plastic=self.cables.plastic_by_now())
        return told

    @property
    def idle(self):
        """Whether there is nothing in this step but plain contacts."""
        return self.cables is None and not len(self.rows)

    # -- contacts of a step ----------------------------------------------------------------------------------------

    def update(self, contacts, state):
        """The contacts of a step: those found of all other pairs, then the points of the joints that last."""
        rows = np.flatnonzero(self.active)
        point, frame, off = self._placed(rows, state)
        self._age(rows, off)
        held = self.active[rows]
        rows, point, frame, off = rows[held], point[held], frame[held], off[held]
        self.rows, self.gap = rows, off[:, 0] - self._climb(rows)
        others = ~np.isin(pair_key(contacts.body, self.blocks), self.pair[rows])
        mine = Contacts(self.body[rows], point, frame, np.zeros(len(rows)), self.law.friction[rows], -1 - rows)
        parts = [Contacts(*(field[others] for field in contacts)), mine]
        if self.cables is not None:
            parts.append(self.cables.update(state))
        return Contacts(*map(np.concatenate, zip(*parts)))

    def _placed(self, rows, state):
        """Points (n, 3), frames (n, 3, 3) that turn with block a, and the way of b from a in them (n, 3) [m]."""
        rotation = rotation_matrices(state.orientation)
        a, b = self.body[rows].T
        on_a = state.position[a] + np.einsum("nij,nj->ni", rotation[a], self.arm[rows, 0])
        on_b = state.position[b] + np.einsum("nij,nj->ni", rotation[b], self.arm[rows, 1])
        frame = np.einsum("nij,nkj->nki", rotation[a], self.frame[rows])
        return 0.5 * (on_a + on_b), frame, np.einsum("nki,ni->nk", frame, on_b - on_a)

    def _age(self, rows, off):
        """Openings and slips since the last step; bonds that are gone, joints that are released."""
        elastic = (self.force + self.force_disc)[rows, 1:] / self.law.stiffness[rows, 1:]
        slip = off[:, 1:] + elastic
        self.slipped[rows] += np.where(self.giving[rows], np.linalg.norm(slip - self.slip[rows], axis=1), 0.0)
        self.slip[rows] = slip
        gap = off[:, 0] - self._climb(rows)
        self.opened[rows] = np.where(self.giving[rows], np.maximum(self.opened[rows], gap), self.opened[rows])
        torn = np.isnan(self.softening.energy[:, 0]) & (self.opened > TORN * self.size)
        self.lost |= (self.law.cohesion > 0.0) & (torn | (self.bond() < GONE))
        way, far = np.linalg.norm(off[:, 1:], axis=1), RELEASED * self.size[rows]
        holds = (self.law.cohesion[rows] > 0.0) & ~self.lost[rows]
        pair, of = np.unique(self.pair[rows], return_inverse=True)
        count = len(pair)
        none = np.bincount(of, holds, count) == 0
        slid = np.bincount(of, way > far, count) > 0
        apart = np.bincount(of, gap <= far, count) == 0
        self.active[rows] = ~(none & (slid | apart))[of]

    def _climb(self, rows):
        """Distance that sliding over a rough face has pushed the blocks apart [m] (n,)."""
        return self.dilatancy[rows] * self.slipped[rows]

    def bond(self):
        """Share of the bonds that is left [-] (J,)."""
        return np.where(self.lost, 0.0, self.softening.left(self.opened, self.slipped))

    # -- problem of a step -----------------------------------------------------------------------------------------

    def pose(self, problem, step, theta):
        """The problem with the laws of the joints and cables, which are its last contacts: a Posed."""
        rows = self.rows
        last = len(problem.friction) - (0 if self.cables is None else len(self.cables.now))
        self.mine = slice(last - len(rows), last)
        bias = problem.bias.copy()
        bias[self.mine, 0] += self.gap / (theta * step)
        law = self._law(problem.friction[:last])
        if self.cables is not None:
            law = cable_rows.extended(law, self.cables.cables, self.cables.yielding)
            away = np.where(self.cables.yielding, cable_rows.OUT_OF_REACH, self.cables.gap() / (theta * step))
            bias[last:, 0] += away
        posed = mohr_coulomb.pose(problem._replace(bias=bias), law, step, 1.0 / (theta * step**2), self.speed)
        # Springs across the normal go on from the force that they had.
        bias, compliance = posed.problem.bias.copy(), posed.problem.compliance
        had = np.zeros_like(bias)
        had[self.mine], had[len(problem.friction) :] = self.force[rows], self.force_disc[self._disc_rows(posed)]
        spring = np.isfinite(np.append(law.stiffness[:, 1], law.stiffness[posed.disc, 1]))
        bias[spring, 1:] -= step * compliance[spring, 1:] * had[spring, 1:]
        self.now = law
        return posed._replace(problem=posed.problem._replace(bias=bias))

    def _law(self, friction):
        """Laws of the plain contacts and the joints, as they are by now."""
        rows, law, left = self.rows, self.law, self.bond()[self.rows]
        tension, stiffness = left * law.tension[rows], law.stiffness[rows].copy()
        softened = self.softening.softened(self.opened)[rows] & (self.gap > 0.0) & (left > 0.0)
        stiffness[softened, 0] = tension[softened] / self.opened[rows][softened]
        first = len(friction) - len(rows)
        return PointLaw(
            friction=friction,
            cohesion=_after(first, 0.0, left * law.cohesion[rows]),
            tension=_after(first, 0.0, tension),
            compression=np.full(len(friction), np.inf),  # caps hold at rest alone
            stiffness=_after(first, np.inf, stiffness),
            viscosity=_after(first, np.inf, law.viscosity[rows]),
            brittle=_after(first, False, law.brittle[rows]),
        )

    def _disc_rows(self, posed):
        """Joints that the discs belong to (D,)."""
        return self.rows[posed.disc - self.mine.start]

    def warm(self, posed, impulses, step):
        """Impulses to start from (C + D, 3): those of plain contacts (C, 3) as they are, the rest from memory."""
        start = np.concatenate([impulses, step * self.force_disc[self._disc_rows(posed)]])
        start[self.mine] = step * self.force[self.rows]
        if self.cables is not None:
            start[self.mine.stop : len(impulses)] = 0.0
            start[self.mine.stop : len(impulses), 0] = step * np.minimum(self.cables.force, self.cables.cables.strength)
        start[:, 0] += posed.pressed
        return start

    def keep(self, posed, impulses, step):
        """Remember what the solver found (C + D, 3); bonds that broke. Impulses of the contacts (C, 3)."""
        rows = self.rows
        forces = impulses / step
        forces[:, 0] -= posed.pressed / step
        count = len(forces) - len(posed.disc)
        self.force[rows] = forces[self.mine]
        self.force_disc[rows] = 0.0
        self.force_disc[self._disc_rows(posed)] = forces[count:]
        real = mohr_coulomb.joined(posed, impulses)
        used = point_laws.used(self.now, real / step)[self.mine]
        brittle = self.now.brittle[self.mine] & np.isnan(self.softening.energy[rows, 0])
        self.giving[rows] = used >= GIVES
        self.lost[rows] |= brittle & (self.now.cohesion[self.mine] > 0.0) & (used >= BREAKS)
        if self.cables is not None:
            self.cables.keep(forces[self.mine.stop : count, 0])
        return real


def remembers(model):
    """Which laws (rows of Model.law) need a memory in a motion: more than friction, or of single interfaces."""
    single = np.arange(len(model.law)) >= model.first_interface_law
    return beyond_friction(model, law_table.BONDS) | (model.law[:, law_table.DILATANCY] > 0.0) | single


def _lasting(model, rows, body):
    """Contacts (C,) of pairs of which an interface needs a memory: a pair is found anew as a whole, or not at all."""
    pair = pair_key(body, len(model.names))
    return np.isin(pair, pair[remembers(model)[rows]])


def _after(count, value, array):
    """`value` `count` times, then the array."""
    return np.concatenate([np.full((count,) + array.shape[1:], value, array.dtype), array])


def _softening(rows, area, law):
    energy = rows[:, [law_table.FRACTURE_N, law_table.FRACTURE_T]] * area[:, None]
    return Softening(energy, law, rows[:, law_table.EXPONENTIAL] > 0.0)
