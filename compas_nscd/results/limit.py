"""Result of a limit analysis: multiplier, forces and mechanism at the limit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from compas_nscd.errors import ProtocolError
from compas_nscd.geometry.vectors import rotations
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.structure import Structure
from compas_nscd.results.cracks import MOVED, contact_motion
from compas_nscd.results.joint_table import friction
from compas_nscd.results.static import StaticResult

_NUMBERS = ("vary", "limit", "multiplier_associated", "multiplier_coulomb", "multiplier_lowest", "rounds")
#: Arrays of some kinds of limit analyses; empty in the others.
_EXTRA: dict[str, tuple[int, ...]] = {
    "coulomb_velocity": (-1, 6),
    "directions": (-1, 3),
    "direction_multipliers": (-1,),
    "displacement": (-1, 6),
}
#: Name and unit of the multiplier, by the first word of `vary`.
MEANINGS = {
    "loads": ("load multiplier", ""),
    "acceleration": ("horizontal acceleration", " g"),
    "polar": ("least horizontal acceleration", " g"),
    "tilt": ("tangent of the tilt", ""),
    "friction": ("least friction", ""),
    "spread": ("spread of the supports", " m"),
    "settlement": ("settlement of the support", " m"),
    "supports": ("multiple of the motions of the supports", ""),
}


class LimitResult(StaticResult):
    """Result of a limit analysis: forces and mechanism at the limit.

    Parameters
    ----------
    reply : dict
        Of the engine; every array in it is an attribute of the result (see docs/architecture.md).
    structure : Structure
    case : LoadCase, optional

    Attributes
    ----------
    vary : str
        The varied quantity, as requested.
    status : {"limit", "unbounded", "falls"}
        There is a limit; the structure is stable for every multiplier; it collapses for every multiplier.
    summary : dict
        The numbers of ``nscd limit --json``.
    coulomb_velocity : (B, 6) array
        Mechanism without dilatancy; empty unless requested.
    directions, direction_multipliers : (D, 3), (D,) arrays
        Of a polar diagram: unit vectors, and accelerations [g]; inf without limit, NaN if it collapses without any.
    displacement : (B, 6) array
        Of every block at the limit of moving supports [m, rad]; `structure` is then the displaced one.
    """

    arrays = StaticResult.arrays + tuple(_EXTRA)
    numbers = StaticResult.numbers + _NUMBERS

    coulomb_velocity: np.ndarray
    directions: np.ndarray
    direction_multipliers: np.ndarray

    def __init__(
        self, reply: dict[str, Any], structure: Structure, case: LoadCase | None = None, name: str | None = None
    ) -> None:
        super().__init__(reply, structure, case, name)
        missing = [key for key in _NUMBERS if key not in reply]
        if missing or reply["limit"] not in ("solved", "unbounded", "infeasible"):
            raise ProtocolError("The reply of the engine lacks {}.".format(", ".join(missing) or "a known limit"))
        for key, shape in _EXTRA.items():
            setattr(self, key, np.asarray(reply.get(key, ()), float).reshape(shape))
        self.summary.update((key, reply[key]) for key in _NUMBERS)
        self.summary.update(analysis="limit", status=self.status, g=self.g)
        self.summary.update(hinges=self.hinges, slides=self.slides)

    @classmethod
    def from_reply(
        cls, reply: dict[str, Any], structure: Structure, case: LoadCase | None = None, vary: str = ""
    ) -> LimitResult:
        """Result of a reply of the engine to the question `vary`."""
        named = {"associated": "multiplier_associated", "coulomb": "multiplier_coulomb", "lowest": "multiplier_lowest"}
        given = dict({named.get(key, key): value for key, value in reply.items()}, vary=vary)
        if "displacement" in reply:
            structure = displaced(structure, reply["displacement"], reply["centroid"])
        return cls(given, structure, case)

    @property
    def vary(self) -> str:
        """The varied quantity, as requested."""
        return self.summary["vary"]

    @property
    def status(self) -> str:
        """Outcome: "limit", "unbounded" or "falls"."""
        return {"solved": "limit", "unbounded": "unbounded", "infeasible": "falls"}[self.summary["limit"]]

    @property
    def multiplier_associated(self) -> float | None:
        """Greatest multiplier with a statically admissible force system; of `friction`, the least.

        inf if there is no limit, None if it collapses for every multiplier.
        """
        return math.inf if self.status == "unbounded" else self.summary["multiplier_associated"]

    @property
    def multiplier_coulomb(self) -> float | None:
        """Estimate of the least collapse multiplier without dilatancy; None unless requested."""
        return self.summary["multiplier_coulomb"]

    @property
    def multiplier_lowest(self) -> float | None:
        """Least multiplier for which the structure is stable, if it is not without the varied load; else None."""
        return self.summary["multiplier_lowest"]

    @property
    def stands(self) -> bool:
        """Whether it is stable without the varied load; of `friction`, with the given one."""
        most = self.multiplier_associated
        if self.status == "falls" or most is None:
            return False
        if self.vary == "friction":
            return self.summary["multiplier_associated"] <= self.structure.law.friction * (1.0 + 1e-9)
        return most >= 0.0 and self.multiplier_lowest is None

    @property
    def angle(self) -> float | None:
        """Of a tilt: the greatest angle [degrees]."""
        most = self.multiplier_associated
        return None if self.vary.split(":")[0] != "tilt" or most is None else math.degrees(math.atan(most))

    @property
    def polar(self) -> list[tuple[tuple[float, ...], float]]:
        """Of ``polar:n``: [(direction, greatest acceleration [g])]."""
        return list(zip(map(tuple, self.directions.tolist()), self.direction_multipliers.tolist()))

    @property
    def g(self) -> float | None:
        """Of accelerations: their unit, the gravity of the load case [m/s2]; None of other limits."""
        if self._meaning[1] != " g":
            return None
        return float(np.linalg.norm((self.case or LoadCase()).gravity))

    @property
    def hinges(self) -> list[list[str]]:
        """Joints that rotate about an edge in the mechanism: pairs of names."""
        return self._pairs(hinges_and_slides(self)[0])

    @property
    def slides(self) -> list[list[str]]:
        """Joints that slide in the mechanism: pairs of names."""
        return self._pairs(hinges_and_slides(self)[1])

    def _pairs(self, rows: np.ndarray) -> list[list[str]]:
        names = self.structure.names
        return [[names[a], names[b]] for a, b in self.interface_body[rows].tolist()]

    @property
    def words(self) -> str:
        """The result in a sentence or two."""
        what, unit = self._meaning
        most = self.multiplier_associated
        if self.status == "falls" or most is None:
            return "It falls whatever the {}.".format(what)
        if self.status == "unbounded" and self.multiplier_coulomb is not None:
            text = "A balance exists whatever the {}, but clamped blocks come free at {:.4g}{}."
            return text.format(what, self.multiplier_coulomb, unit)
        if self.status == "unbounded":
            return "It stands whatever the {}.".format(what)
        text = "{} {:.4g}{}".format(what[0].upper() + what[1:], most, unit)
        angle = self.angle
        if angle is not None:
            text += " ({:.4g} degrees)".format(angle)
        lower = self.multiplier_coulomb
        if lower is not None and abs(lower - most) > 1e-4 * abs(most):
            text += "; {:.4g} if joints slide without opening".format(lower)
        text += "." if self.g is None else ", with g = {:.5g} m/s2.".format(self.g)
        if not self.stands:
            text += " It does not stand as it is."
        counts = _count(self.hinges, "hinge"), _count(self.slides, "sliding joint")
        return text + " It falls with {} and {}.".format(*counts)

    @property
    def headline(self) -> str:
        """The result in a few words."""
        most = self.multiplier_associated
        if self.status == "falls" or most is None:
            return "It falls"
        if self.status == "unbounded" and self.multiplier_coulomb is not None:
            return "Comes free at {:.4g}{}".format(self.multiplier_coulomb, self._meaning[1])
        if self.status == "unbounded":
            return "No limit"
        return "Limit {:.4g}{}".format(most, self._meaning[1])

    @property
    def figures(self) -> list[tuple[str, str]]:
        """Labels and numbers for a table: [(label, text)]."""
        shown = [("Varied", self.vary)]
        numbers = (
            (self._meaning[0].capitalize(), self.multiplier_associated if self.status == "limit" else None),
            ("If joints slide without opening", self.multiplier_coulomb),
            ("Needed to stand", self.multiplier_lowest),
            ("Angle of the tilt [degrees]", self.angle),
        )
        shown += [(label, "{:.5g}".format(value)) for label, value in numbers if value is not None]
        pairs = (("Hinges", self.hinges), ("Sliding joints", self.slides))
        return shown + [(label, _listed(found)) for label, found in pairs if found]

    @property
    def _meaning(self) -> tuple[str, str]:
        return MEANINGS[self.vary.split(":")[0]]

    def __repr__(self) -> str:
        return "<LimitResult {}: {}>".format(self.structure.name, self.words)


def _listed(pairs: Sequence[Sequence[str]], most: int = 6) -> str:
    names = ", ".join("{} | {}".format(*pair) for pair in pairs[:most])
    return "{}: {}{}".format(len(pairs), names, ", ..." if len(pairs) > most else "")


def displaced(structure: Structure, displacement: np.ndarray, centroid: np.ndarray) -> Structure:
    """The structure with its blocks displaced by (B, 6) [m, rad] to centroids (B, 3) [m]."""
    data = structure.__data__
    turn = rotations(displacement[:, 3:])
    for block, shift, to, matrix in zip(data["blocks"], displacement[:, :3], centroid, turn):
        block["vertices"] = ((np.array(block["vertices"]) - (to - shift)) @ matrix.T + to).tolist()
    return Structure.__from_data__(data)


def _count(items: Sequence[Any], noun: str) -> str:
    return "{} {}{}".format(len(items) or "no", noun, "" if len(items) == 1 else "s")


def hinges_and_slides(result: StaticResult) -> tuple[np.ndarray, np.ndarray]:
    """Rows of the joints that rotate about an edge, and of those that slide.

    A joint rotates if its points open by different amounts and at least one does not open beyond the dilatancy of
    associated friction. It slides if all its points slide.
    """
    count = len(result.interface_body)
    if not len(result.contact_point) or result.mechanism is None:
        return np.zeros(0, int), np.zeros(0, int)
    along, across, of = contact_motion(result)
    least, most, slip = np.full(count, np.inf), np.full(count, -np.inf), np.full(count, np.inf)
    np.minimum.at(least, of, along)
    np.maximum.at(most, of, along)
    np.minimum.at(slip, of, across)
    closed = least <= friction(result) * slip + MOVED
    return np.flatnonzero((most - least > MOVED) & closed), np.flatnonzero((slip > MOVED) & closed)
