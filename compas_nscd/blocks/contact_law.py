"""Contact laws of joints: strength, stiffness and friction. SI units. See docs/laws.md."""

from __future__ import annotations

import math
from typing import Any

from compas.data import Data

from compas_nscd.errors import MaterialError

_STIFFNESS = ("normal_stiffness", "tangential_stiffness")
_FRACTURE = ("tension", "normal_fracture", "tangential_fracture")
#: Required and optional parameters of each kind of law, beside its friction.
_KINDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
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
#: Names in errors, and whether the number must be above zero.
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
#: Friction of sticking joints [-]: forces up to 89.4 degrees off the normal. Smaller: joints in shear would slide.
_STICKING = 100.0
#: Friction of ties [-]; nominal, since a tie does not slide.
_TIE = 1.0


class ContactLaw(Data):
    """Law of a joint: unilateral contact with friction, and more by kind.

    Parameters
    ----------
    friction : float
        Coefficient of friction [-].
    kind : str
        "coulomb": friction only. "mohr_coulomb": with cohesion and tension. "brittle": the same, lost permanently once
        reached. "elastic": stiffness without tension. "mortar": stiffness with brittle cohesion. "damage": cohesion
        with softening. "viscous": shear proportional to the sliding velocity. "sticking": no sliding. "tie": neither
        opens nor slides.
    kinetic : float, optional
        Coefficient of kinetic friction [-], in a motion; at most `friction`. Default: that of the motion.
    restitution : float, optional
        Newton's coefficient [-], in a motion. Default: that of the motion.
    cohesion : float, optional
        Shear that the joint carries without compression [Pa].
    tension : float, optional
        Tensile strength [Pa]; at most cohesion / friction, the apex of the cone, which is the default.
    compression : float, optional
        Compressive strength [Pa] in static and limit analyses, where a joint crushes at constant stress; ignored in a
        motion, with a warning.
    normal_stiffness, tangential_stiffness : float, optional
        Per area of the joint [Pa/m].
    normal_fracture, tangential_fracture : float, optional
        Fracture energies of opening and sliding, per area [J/m2].
    softening : {"linear", "exponential"}, optional
        Shape of the softening branch.
    viscosity : float, optional
        Shear stress over sliding velocity [Pa s/m].
    dilatancy : float, optional
        Dilatancy angle [degrees], from 0 to the friction angle; in a motion with Coulomb friction. Default: 0.

    Raises
    ------
    MaterialError
        If a number is missing, out of range, or not one of this kind of law.
    """

    KINDS = tuple(_KINDS)
    #: Kinds without a friction of their own.
    WITHOUT_FRICTION = ("sticking", "tie")
    #: Keys of a law in files.
    KEYS = ("kind", "friction", "kinetic", "restitution", "softening", "dilatancy") + tuple(_WORDS)

    def __init__(
        self,
        friction: float = 0.6,
        kind: str = "coulomb",
        name: str | None = None,
        kinetic: float | None = None,
        restitution: float | None = None,
        **more: Any,
    ) -> None:
        super().__init__(name=name)
        if not isinstance(kind, str) or kind not in _KINDS:
            kinds = "Kinds: {}.".format(", ".join(_KINDS))
            raise MaterialError("Unknown contact law {!r:.40}.".format(kind), remedy=kinds)
        self.kind = kind
        friction = {"sticking": _STICKING, "tie": _TIE}.get(kind, friction)
        remedy = "Give a coefficient of friction of 0 or more; 0.6 is usual for stone."
        self.friction = _coefficient(friction, "friction", math.inf, remedy)
        remedy = "Give a number from 0 to the static friction."
        self.kinetic = None if kinetic is None else _coefficient(kinetic, "kinetic friction", self.friction, remedy)
        remedy = "Give a number from 0 to 1."
        self.restitution = None if restitution is None else _coefficient(restitution, "restitution", 1.0, remedy)
        self._more = {key: value for key, value in more.items() if value is not None}
        self._check()

    def _check(self) -> None:
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

    def _checked(self, key: str, value: Any) -> Any:
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

    def _require_softening(self) -> None:
        """The fracture energy must exceed the elastic energy at the peak; otherwise the joint snaps back."""
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

    def __getattr__(self, key: str) -> Any:
        if key in _WORDS or key in ("softening", "dilatancy"):
            return self.__dict__.get("_more", {}).get(key)
        raise AttributeError("{} has no attribute {!r}".format(type(self).__name__, key))

    @property
    def bond(self) -> tuple[float, float]:
        """Cohesion and tensile strength [Pa]; 0 and 0 without a bond."""
        if not self.cohesion:
            return 0.0, 0.0
        apex = self.cohesion / self.friction if self.friction else math.inf
        tension = min(apex, math.inf if self.tension is None else self.tension)
        return self.cohesion, tension if math.isfinite(tension) else 0.0

    @property
    def __data__(self) -> dict[str, Any]:
        data: dict[str, Any] = {"kind": self.kind, "friction": self.friction}
        more = {"kinetic": self.kinetic, "restitution": self.restitution}
        data.update((key, value) for key, value in more.items() if value is not None)
        return dict(data, **self._more)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.__data__ == self.__data__

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shown = ("{}={:g}" if isinstance(value, float) else "{}={!r}" for value in self.__data__.values())
        content = [text.format(key, value) for text, (key, value) in zip(shown, self.__data__.items())]
        return "ContactLaw({})".format(", ".join(content[1:] + ([] if self.kind == "coulomb" else content[:1])))


def _coefficient(value: Any, what: str, most: float, remedy: str) -> float:
    try:
        number = math.nan if isinstance(value, (bool, str)) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not (math.isfinite(number) and 0.0 <= number <= most):
        raise MaterialError("The {} cannot be {!r:.40}.".format(what, value), remedy=remedy)
    return number
