"""Stiffness and bonds of contacts with six components. See docs/quasistatic.md."""

from __future__ import annotations

import math
from typing import Any

from compas.data import Data

from compas_nscd.errors import MaterialError


class ContactStiffness(Data):
    """Stiffness of the contacts of a quasi-static analysis.

    Parameters
    ----------
    normal, tangential : float
        Against opening and closing, and against sliding: [N/m] at discs and spheres, per area [N/m3] in joints.
    twist, bend : float, optional
        Against rotation about the normal and about the tangents [N m]. Default: none at discs and spheres; in joints
        the tangential stiffness times the polar moment of the area, and the normal one times its second moments.

    Raises
    ------
    MaterialError
        If a number is missing, negative or not finite, or the normal stiffness is zero.
    """

    def __init__(
        self,
        normal: float,
        tangential: float,
        twist: float | None = None,
        bend: float | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__(name=name)
        self.normal = _number(normal, "normal stiffness")
        if self.normal == 0.0:
            raise MaterialError("The normal stiffness is zero.", remedy="Give a number above zero.")
        self.tangential = _number(tangential, "tangential stiffness")
        self.twist = None if twist is None else _number(twist, "twisting stiffness")
        self.bend = None if bend is None else _number(bend, "bending stiffness")

    @property
    def __data__(self) -> dict[str, Any]:
        return {"normal": self.normal, "tangential": self.tangential, "twist": self.twist, "bend": self.bend}


class ContactBond(Data):
    """Strength of bonds between elements. What is not given is unlimited.

    A bond breaks where N / tension + |M| / bending, the shear over shear + friction, or the twisting moment over
    twisting exceeds one. What is left is a dry contact without moments of its own.

    Parameters
    ----------
    tension, shear : float, optional
        [N] at discs and spheres, [Pa] in joints.
    twisting, bending : float, optional
        [N m] at discs and spheres; in joints the stress at the edge [Pa].
    """

    def __init__(
        self,
        tension: float | None = None,
        shear: float | None = None,
        twisting: float | None = None,
        bending: float | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__(name=name)
        self.tension = None if tension is None else _number(tension, "tensile strength of a bond")
        self.shear = None if shear is None else _number(shear, "shear strength of a bond")
        self.twisting = None if twisting is None else _number(twisting, "twisting strength of a bond")
        self.bending = None if bending is None else _number(bending, "bending strength of a bond")

    @property
    def __data__(self) -> dict[str, Any]:
        return {"tension": self.tension, "shear": self.shear, "twisting": self.twisting, "bending": self.bending}


def _number(value: Any, what: str) -> float:
    """A finite number of zero or more."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if isinstance(value, bool) or not math.isfinite(number) or number < 0.0:
        text = "The {} is {!r:.40}.".format(what, value)
        raise MaterialError(text, remedy="Give a finite number of zero or more.")
    return number
