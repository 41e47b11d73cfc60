"""Elasticity of deformable blocks. SI units. See docs/deformable.md."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from compas.data import Data

from compas_nscd.errors import MaterialError

#: Bounds of Young's modulus [Pa]. Beyond them the stiffness of a block over its weight loses all digits.
MIN_YOUNG, MAX_YOUNG = 1.0, 1e18
#: Greatest number of elements along an edge.
MAX_REFINE = 1000


class Elastic(Data):
    """How a block deforms: linear elastic, isotropic, small strains in axes that turn with the block.

    Parameters
    ----------
    young : float
        Young's modulus [Pa].
    poisson : float, optional
        Poisson's ratio [-], above -1 and below 0.5.
    elements : {"uniform", "t3", "t4", "h8"}, optional
        Uniform strain, which cannot bend; triangles, in planar models only; tetrahedra; hexahedra.
    refine : int, optional
        Elements along an edge of the block.
    mass : {"lumped", "consistent"}, optional
        Mass matrix of the elements.
    damping : float or (float, float), optional
        Rayleigh damping in proportion to the mass [1/s] and to the stiffness [s]. One number is the latter.
    plane : {"stress", "strain"}, optional
        Of triangles.
    tension : float, optional
        Tensile strength of the stone [Pa]; a block whose principal stress exceeds it is reported as cracked.
    contacts : {"corners", "middles"}, optional
        Contact points: corners of the patches between element faces, or the middles of the element faces too.

    Raises
    ------
    MaterialError
        If a number is missing or out of range, or a word is unknown.
    """

    #: Choices of the words.
    ELEMENTS = ("uniform", "t3", "t4", "h8")
    MASSES = ("lumped", "consistent")
    PLANES = ("stress", "strain")
    CONTACTS = ("corners", "middles")
    #: Keys in files.
    KEYS = ("young", "poisson", "elements", "refine", "mass", "damping", "plane", "tension", "contacts")

    def __init__(
        self,
        young: float,
        poisson: float = 0.2,
        elements: str = "uniform",
        refine: int = 1,
        mass: str = "lumped",
        damping: Any = 0.0,
        plane: str = "stress",
        tension: float | None = None,
        contacts: str = "corners",
    ) -> None:
        super().__init__()
        remedy = "Give a number from {:g} to {:g} Pa; stone has 1e9 to 1e11.".format(MIN_YOUNG, MAX_YOUNG)
        self.young = _number(young, "Young's modulus", _is_modulus, remedy)
        self.poisson = _number(poisson, "Poisson's ratio", _is_poisson, "Give a number above -1 and below 0.5.")
        self.elements = _word(elements, "elements", self.ELEMENTS)
        self.refine = _refinement(refine)
        self.mass = _word(mass, "mass", self.MASSES)
        self.damping = _damping(damping)
        self.plane = _word(plane, "plane", self.PLANES)
        remedy = "Give a number of 0 or more, in Pa."
        self.tension = None if tension is None else _number(tension, "The tensile strength", _not_negative, remedy)
        self.contacts = _word(contacts, "contacts", self.CONTACTS)

    @classmethod
    def of(cls, given: Elastic | Mapping[str, Any] | None, called: str = "a block") -> Elastic | None:
        """An Elastic as it is, or of its keys as in a file; None for a rigid block.

        Parameters
        ----------
        given : Elastic, dict or None
        called : str, optional
            Name of the block in errors.
        """
        if given is None or isinstance(given, cls):
            return given
        if not isinstance(given, Mapping):
            text = "`elastic` of {} should be an Elastic, not {!r:.40}.".format(called, given)
            raise MaterialError(text, remedy='For example {"young": 6e10, "poisson": 0.27, "elements": "h8"}.')
        unknown = [str(key) for key in given if key not in cls.KEYS]
        if unknown or "young" not in given:
            wrong = "has no key {!r:.40}".format(unknown[0]) if unknown else "needs the key 'young'"
            raise MaterialError("`elastic` of {} {}.".format(called, wrong), remedy="Keys: " + ", ".join(cls.KEYS))
        try:
            return cls(**given)
        except MaterialError as error:
            text = "{}, of {}.".format(error.message.rstrip("."), called)
            raise MaterialError(text, remedy=error.remedy, **error.detail)

    def changed(self, **changes: Any) -> Elastic:
        """A copy with other values."""
        return Elastic(**dict(self.__data__, **changes))

    @property
    def __data__(self) -> dict[str, Any]:
        data = {key: getattr(self, key) for key in self.KEYS}
        data["damping"] = list(self.damping)
        return data

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.__data__ == self.__data__

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return "Elastic(young={:g}, poisson={:g}, elements={!r}, refine={})".format(
            self.young, self.poisson, self.elements, self.refine
        )


def _is_modulus(number: float) -> bool:
    return MIN_YOUNG <= number <= MAX_YOUNG


def _not_negative(number: float) -> bool:
    return number >= 0.0


def _is_poisson(number: float) -> bool:
    """Whether the elastic energy of every strain is positive and finite."""
    return -1.0 < number < 0.5


def _number(value: Any, what: str, fits: Any, remedy: str) -> float:
    try:
        number = math.nan if isinstance(value, (bool, str)) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not (math.isfinite(number) and fits(number)):
        raise MaterialError("{} cannot be {!r:.40}.".format(what, value), remedy=remedy)
    return number


def _word(value: Any, what: str, words: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in words:
        text = "`{}` of a deformable block cannot be {!r:.40}.".format(what, value)
        raise MaterialError(text, remedy="It can be {}.".format(", ".join(words)))
    return value


def _refinement(value: Any) -> int:
    remedy = "Give a whole number from 1 to {}.".format(MAX_REFINE)
    number = _number(value, "The refinement", lambda n: n % 1 == 0 and 1 <= n <= MAX_REFINE, remedy)
    return int(number)


def _damping(value: Any) -> tuple[float, float]:
    """Coefficients in proportion to the mass [1/s] and to the stiffness [s]."""
    pair = value if isinstance(value, (list, tuple)) else (0.0, value)
    if len(pair) != 2:
        text = "The damping cannot be {!r:.40}.".format(value)
        raise MaterialError(text, remedy="Give two numbers: of the mass [1/s] and of the stiffness [s].")
    remedy = "Give numbers of 0 or more: of the mass [1/s] and of the stiffness [s]."
    of_mass, of_stiffness = (_number(each, "The damping", _not_negative, remedy) for each in pair)
    return of_mass, of_stiffness
