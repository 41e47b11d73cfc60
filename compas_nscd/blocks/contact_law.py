"""The law of the joints between blocks: what they carry, and how they give way. SI units. See docs/laws.md."""

import math

from compas.data import Data

from compas_nscd.errors import MaterialError

_STIFFNESS = ("normal_stiffness", "tangential_stiffness")
_FRACTURE = ("tension", "normal_fracture", "tangential_fracture")
#: What a law of each kind must say beside its friction, and what it may.
_KINDS = {
    "coulomb": ((), ()),
    "mohr_coulomb": (("cohesion",), ("tension",)),
    "brittle": (("cohesion",), ("tension",)),
    "elastic": (_STIFFNESS, ()),
    "mortar": (("cohesion",) + _STIFFNESS, ("tension",)),
    "damage": (("cohesion",) + _FRACTURE, _STIFFNESS + ("softening",)),
    "viscous": (("viscosity",), ()),
    "sticking": ((), ()),
    "tie": ((), ()),
}
_COMMON = ("kinetic", "restitution", "compression", "dilatancy")
#: Words for errors, and whether the number must be above zero.
_WORDS = {
    "cohesion": ("cohesion", False),
    "tension": ("tensile strength", False),
    "compression": ("compressive strength", True),
    "normal_stiffness": ("normal stiffness", True),
    "tangential_stiffness": ("tangential stiffness", True),
    "normal_fracture": ("fracture energy of opening", True),
    "tangential_fracture": ("fracture energy of sliding", True),
    "viscosity": ("viscosity", True),
}
#: Friction of joints that stick, and of ties [-]: forces up to 89.4 degrees off the normal.
_STICKING, _TIE = 100.0, 1.0


class ContactLaw(Data):
    """What a joint can carry: compression, friction up to a share of it, and more by kind.

    Parameters
    ----------
    friction : float
        Coefficient of friction [-].
    kind : str
        "coulomb": friction alone. "mohr_coulomb": with cohesion and tension. "brittle": the same, lost for ever once
        reached. "elastic": stiffness without tension. "mortar": stiffness with brittle cohesion. "damage": cohesion
        lost little by little. "viscous": shear in proportion to the speed of sliding. "sticking": does not slide.
        "tie": holds whatever comes.
    kinetic : float, optional
        Coefficient of friction [-] while it slides, in a motion; at most `friction`. Default: as the motion has it.
    restitution : float, optional
        Newton's coefficient [-], in a motion. Default: as the motion has it.
    cohesion : float, optional
        Shear that the joint carries without compression [Pa].
    tension : float, optional
        Tensile strength [Pa]; at most cohesion / friction, where the cone of strength ends, which is the default.
    compression : float, optional
        Compressive strength [Pa]: held at rest and in limit analyses, where a joint crushes at it without losing it;
        not in a motion, which a warning says.
    normal_stiffness, tangential_stiffness : float, optional
        Of the joint per area [Pa/m].
    normal_fracture, tangential_fracture : float, optional
        Energy that opening and sliding take until nothing is left of the bond, per area [J/m2].
    softening : {"linear", "exponential"}, optional
        How the bond is lost.
    viscosity : float, optional
        Shear over the speed of sliding [Pa s/m].
    dilatancy : float, optional
        Angle by which a joint climbs as it slides [degrees], from 0 to that of friction; in a motion with Coulomb
        friction. Default: 0.

    Raises
    ------
    MaterialError
        If a number is missing, out of range, or not one of this kind of law.
    """

    KINDS = tuple(_KINDS)
    #: Kinds whose friction is not asked for.
    WITHOUT_FRICTION = ("sticking", "tie")
    #: Keys of a law in files.
    KEYS = ("kind", "friction", "kinetic", "restitution", "softening", "dilatancy") + tuple(_WORDS)

    def __init__(self, friction=0.6, kind="coulomb", name=None, kinetic=None, restitution=None, **more):
        super().__init__(name=name)
        if not isinstance(kind, str) or kind not in _KINDS:
            kinds = "Kinds: {}.".format(", ".join(_KINDS))
            raise MaterialError("Unknown contact law {!r:.40}.".format(kind), remedy=kinds)
        self.kind = kind
        friction = {"sticking": _STICKING, "tie": _TIE}.get(kind, friction)
        remedy = "Give a coefficient of friction of 0 or more; 0.6 is usual for stone."
        self.friction = _coefficient(friction, "friction", math.inf, remedy)
        remedy = "Give a number from 0 to the friction of what sticks."
        self.kinetic = None if kinetic is None else _coefficient(kinetic, "kinetic friction", self.friction, remedy)
        remedy = "Give a number from 0 to 1."
        self.restitution = None if restitution is None else _coefficient(restitution, "restitution", 1.0, remedy)
        self._more = {key: value for key, value in more.items() if value is not None}
        self._check()

    def _check(self):
        needed, optional = _KINDS[self.kind]
        for key in self._more:
            if key not in needed + optional + _COMMON:
                known = ", ".join(("friction",) + needed + optional + _COMMON)
                text = "A contact law of kind {} has no {!r:.40}.".format(self.kind, key)
                raise MaterialError(text, remedy="It has {}.".format(known))
        for key in needed:
            if key not in self._more:
                remedy = "Nothing is assumed; give {}.".format(key)
                raise MaterialError("The {} of the {} law is missing.".format(_WORDS[key][0], self.kind), remedy=remedy)
        for key, value in self._more.items():
            self._more[key] = self._checked(key, value)
        if self.kind == "damage":
            self._require_softening()

    def _checked(self, key, value):
        if key == "softening":
            if value not in ("linear", "exponential"):
                raise MaterialError("The softening cannot be {!r:.40}.".format(value), remedy="linear or exponential.")
            return value
        if key == "dilatancy":
            most = math.degrees(math.atan(self.friction))
            remedy = "Give an angle in degrees from 0 to that of friction, {:.1f}.".format(most)
            return _coefficient(value, "angle of dilatancy", most, remedy)
        what, positive = _WORDS[key]
        remedy = "Give a number {}.".format("above 0" if positive else "of 0 or more")
        number = _coefficient(value, what, math.inf, remedy)
        if positive and number == 0.0:
            raise MaterialError("The {} cannot be {!r:.40}.".format(what, value), remedy=remedy)
        return number

    def _require_softening(self):
        """The energy must exceed what the springs hold at the peak, or the joint would jump back."""
        if self.tension == 0.0:
            raise MaterialError("A damage law needs a tensile strength above 0.", remedy="Use mohr_coulomb or brittle.")
        for strength, stiffness, energy in (
            (self.tension, self.normal_stiffness, self.normal_fracture),
            (self.cohesion, self.tangential_stiffness, self.tangential_fracture),
        ):
            if stiffness is not None and energy <= 0.5 * strength**2 / stiffness:
                raise MaterialError(
                    "The fracture energy of {:g} J/m2 is less than the joint stores before it breaks.".format(energy),
                    remedy="Give more than {:g}, or a greater stiffness.".format(0.5 * strength**2 / stiffness),
                )

    def __getattr__(self, key):
        if key in _WORDS or key in ("softening", "dilatancy"):
            return self.__dict__.get("_more", {}).get(key)
        raise AttributeError("{} has no attribute {!r}".format(type(self).__name__, key))

    @property
    def bond(self):
        """Cohesion, and greatest tension [Pa] that it has; 0 and 0 if there is none."""
        if not self.cohesion:
            return 0.0, 0.0
        apex = self.cohesion / self.friction if self.friction else math.inf
        tension = min(apex, math.inf if self.tension is None else self.tension)
        return self.cohesion, tension if math.isfinite(tension) else 0.0

    @property
    def __data__(self):
        data = {"kind": self.kind, "friction": self.friction}
        more = {"kinetic": self.kinetic, "restitution": self.restitution}
        data.update((key, value) for key, value in more.items() if value is not None)
        return dict(data, **self._more)

    def __eq__(self, other):
        return type(other) is type(self) and other.__data__ == self.__data__

    __hash__ = None

    def __repr__(self):
        shown = ("{}={:g}" if isinstance(value, float) else "{}={!r}" for value in self.__data__.values())
        content = [text.format(key, value) for text, (key, value) in zip(shown, self.__data__.items())]
        return "ContactLaw({})".format(", ".join(content[1:] + ([] if self.kind == "coulomb" else content[:1])))


def _coefficient(value, what, most, remedy):
    try:
        number = math.nan if isinstance(value, (bool, str)) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not (math.isfinite(number) and 0.0 <= number <= most):
        raise MaterialError("The {} cannot be {!r:.40}.".format(what, value), remedy=remedy)
    return number
