"""How far a structure is from collapse, and how it would collapse."""

import math

import numpy as np

from compas_nscd.errors import ProtocolError
from compas_nscd.geometry.vectors import rotations
from compas_nscd.model.structure import Structure
from compas_nscd.results.cracks import MOVED, contact_motion
from compas_nscd.results.joint_table import friction
from compas_nscd.results.static import StaticResult

_NUMBERS = ("vary", "limit", "multiplier_associated", "multiplier_coulomb", "multiplier_lowest", "rounds")
#: Arrays that only some kinds of limits have; empty in the others.
_EXTRA = {
    "coulomb_velocity": (-1, 6),
    "directions": (-1, 3),
    "direction_multipliers": (-1,),
    "displacement": (-1, 6),
}
#: What the multiplier is, by the first word of `vary`: its name, and its unit.
MEANINGS = {
    "loads": ("load multiplier", ""),
    "acceleration": ("horizontal acceleration", "g"),
    "polar": ("least horizontal acceleration", "g"),
    "tilt": ("tangent of the tilt", ""),
    "friction": ("least friction", ""),
    "spread": ("spread of the supports", "m"),
    "settlement": ("settlement of the support", "m"),
    "supports": ("multiple of the motions of the supports", ""),
}


class LimitResult(StaticResult):
    """The structure at its limit: the forces there, and as its mechanism the way it falls.

    Parameters
    ----------
    reply : dict
        What the engine answered; every array in it is an attribute of the result (see docs/architecture.md).
    structure : Structure
    case : LoadCase, optional

    Attributes
    ----------
    vary : str
        What was varied, as it was asked for.
    status : {"limit", "unbounded", "falls"}
        Whether there is a limit; whether the structure stands whatever the multiplier; or falls whatever it is.
    summary : dict
        The numbers of ``nscd limit --json``.
    coulomb_velocity : (B, 6) array
        Mechanism without dilatancy; empty where it was not asked for.
    directions, direction_multipliers : (D, 3), (D,) arrays
        Of a polar diagram: unit vectors, and accelerations [g]; inf without limit, nan where it falls by itself.
    displacement : (B, 6) array
        Of every block when moving supports bring it to its limit [m, rad]; `structure` is then the displaced one.
    """

    arrays = StaticResult.arrays + tuple(_EXTRA)
    numbers = StaticResult.numbers + _NUMBERS

    def __init__(self, reply, structure, case=None, name=None):
        super().__init__(reply, structure, case, name)
        missing = [key for key in _NUMBERS if key not in reply]
        if missing or reply["limit"] not in ("solved", "unbounded", "infeasible"):
            raise ProtocolError("The reply of the engine lacks {}.".format(", ".join(missing) or "a known limit"))
        for key, shape in _EXTRA.items():
            setattr(self, key, np.asarray(reply.get(key, ()), float).reshape(shape))
        self.summary.update((key, reply[key]) for key in _NUMBERS)
        self.summary.update(analysis="limit", status=self.status)
        self.summary.update(hinges=self.hinges, slides=self.slides)

    @classmethod
    def from_reply(cls, reply, structure, case=None, vary=""):
        """Result of a reply that came over the wire, to the question `vary`."""
        named = {"associated": "multiplier_associated", "coulomb": "multiplier_coulomb", "lowest": "multiplier_lowest"}
        given = dict({named.get(key, key): value for key, value in reply.items()}, vary=vary)
        if "displacement" in reply:
            structure = displaced(structure, reply["displacement"], reply["centroid"])
        return cls(given, structure, case)

    @property
    def vary(self):
        return self.summary["vary"]

    @property
    def status(self):
        return {"solved": "limit", "unbounded": "unbounded", "infeasible": "falls"}[self.summary["limit"]]

    @property
    def multiplier_associated(self):
        """Greatest multiplier for which forces that the joints can carry balance the loads, of `friction` the least.

        inf if there is no limit, None if it falls whatever the multiplier.
        """
        return math.inf if self.status == "unbounded" else self.summary["multiplier_associated"]

    @property
    def multiplier_coulomb(self):
        """Estimate of the least multiplier at which it may fall if sliding joints do not open; None if not asked."""
        return self.summary["multiplier_coulomb"]

    @property
    def multiplier_lowest(self):
        """Of a structure that does not stand without what is varied: the least multiplier for which it does."""
        return self.summary["multiplier_lowest"]

    @property
    def stands(self):
        """Whether it stands before anything is varied; of `friction`, with that given."""
        if self.status == "falls":
            return False
        if self.vary == "friction":
            return self.summary["multiplier_associated"] <= self.structure.law.friction * (1.0 + 1e-9)
        return self.multiplier_associated >= 0.0 and self.multiplier_lowest is None

    @property
    def angle(self):
        """Of a tilt: the greatest angle [degrees]."""
        most = self.multiplier_associated
        return None if self.vary.split(":")[0] != "tilt" or most is None else math.degrees(math.atan(most))

    @property
    def polar(self):
        """Of ``polar:n``: [(direction, greatest acceleration [g])]."""
        return list(zip(map(tuple, self.directions.tolist()), self.direction_multipliers.tolist()))

    @property
    def hinges(self):
        """Joints that open about an edge in the mechanism: pairs of names."""
        return self._pairs(hinges_and_slides(self)[0])

    @property
    def slides(self):
        """Joints that slide in the mechanism: pairs of names."""
        return self._pairs(hinges_and_slides(self)[1])

    def _pairs(self, rows):
        names = self.structure.names
        return [[names[a], names[b]] for a, b in self.interface_body[rows].tolist()]

    @property
    def words(self):
        """The answer in a sentence or two."""
        kind = self.vary.split(":")[0]
        what, unit = self._meaning
        if self.status == "falls":
            return "It falls whatever the {}.".format(what)
        if self.status == "unbounded":
            return "It stands whatever the {}.".format(what)
        most = self.multiplier_associated
        text = "{} {:.4g}{}".format(what[0].upper() + what[1:], most, " " + unit if unit else "")
        if kind == "tilt":
            text += " ({:.4g} degrees)".format(self.angle)
        lower = self.multiplier_coulomb
        if lower is not None and abs(lower - most) > 1e-4 * abs(most):
            text += "; {:.4g} if joints slide without opening".format(lower)
        text += "."
        if not self.stands:
            text += " It does not stand as it is."
        counts = _count(self.hinges, "hinge"), _count(self.slides, "sliding joint")
        return text + " It falls with {} and {}.".format(*counts)

    @property
    def headline(self):
        """The answer in a few words."""
        if self.status == "falls":
            return "It falls"
        if self.status == "unbounded":
            return "No limit"
        return "Limit {:.4g}{}".format(self.multiplier_associated, " " + self._meaning[1] if self._meaning[1] else "")

    @property
    def figures(self):
        """Labels and numbers for people: [(label, text)]."""
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
    def _meaning(self):
        return MEANINGS[self.vary.split(":")[0]]

    def __repr__(self):
        return "<LimitResult {}: {}>".format(self.structure.name, self.words)


def _listed(pairs, most=6):
    names = ", ".join("{} | {}".format(*pair) for pair in pairs[:most])
    return "{}: {}{}".format(len(pairs), names, ", ..." if len(pairs) > most else "")


def displaced(structure, displacement, centroid):
    """The structure with its blocks moved (B, 6) [m, rad] to new centroids (B, 3)."""
    data = structure.__data__
    turn = rotations(displacement[:, 3:])
    for block, shift, to, matrix in zip(data["blocks"], displacement[:, :3], centroid, turn):
        block["vertices"] = ((np.array(block["vertices"]) - (to - shift)) @ matrix.T + to).tolist()
    return Structure.__from_data__(data)


def _count(items, noun):
    return "{} {}{}".format(len(items) or "no", noun, "" if len(items) == 1 else "s")


def hinges_and_slides(result):
    """Rows of the joints that turn about an edge, and of those that slide.

    A joint turns if its points open by different amounts and one of them hardly: only as far as associated friction
    opens it. It slides if all its points do.
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
