"""Library of densities, elasticities and joint laws, each with its source. SI units.

Rounded means or characteristic values of tests or codes: for studies, not for the verification of a building.
`checked`: the number was read in the source itself. The others are typical values as quoted, `assumed`: whoever asks
for one is warned, and nothing in this package takes one by default.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, NamedTuple

from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.blocks.elastic import Elastic
from compas_nscd.errors import AssumedWarning, MaterialError


class Material(NamedTuple):
    """Material of blocks."""

    density: float  # [kg/m3]
    source: str
    checked: bool = False  # whether the density was read in the source
    young: float | None = None  # [Pa] Young's modulus
    poisson: float | None = None  # [-] Poisson's ratio
    elastic_source: str = ""  # of both; all of them are assumed

    @property
    def assumed(self) -> bool:
        """Whether the density is a typical value as quoted."""
        return not self.checked

    def elastic(self, elements: str = "uniform", **more: Any) -> Elastic:
        """Elasticity of blocks of this material.

        Parameters
        ----------
        elements : str, optional
            As of `Elastic`.
        **more
            Further arguments of `Elastic`, also `young` and `poisson` in place of those of the library.

        Warns
        -----
        AssumedWarning
            If Young's modulus is that of the library: none of them was read in the source.
        """
        if self.young is None and "young" not in more:
            raise MaterialError("The material has no Young's modulus.", remedy="Give `young` in Pa.")
        if "young" not in more:
            text = "The elasticity of the library has assumed values: {}. Give your own where it matters."
            warnings.warn(text.format(self.elastic_source), AssumedWarning, stacklevel=2)
        return Elastic(**dict({"young": self.young, "poisson": self.poisson}, elements=elements, **more))


class Joint(NamedTuple):
    """Joint between blocks."""

    law: dict[str, Any]  # arguments of ContactLaw
    source: str
    checked: bool = False  # whether the numbers were read in the source

    @property
    def assumed(self) -> bool:
        """Whether the numbers are typical values as quoted."""
        return not self.checked


_BEATINI = (
    "Beatini, Royer-Carfagni and Tasora 2017, A regularized non-smooth contact dynamics approach for architectural "
    "masonry structures"
)
_WEIGHTS = "assumed, typical; after EN 1991-1-1:2002, annex A: middle of the range of weights"
_ROCK = "assumed, typical; after Goodman 1989, Introduction to rock mechanics, table 6.1: "
_CLAY = (
    1.67e10,
    0.15,
    "assumed, typical; after Lourenco and Rots 1997, Multisurface interface model for analysis of masonry structures, "
    "J. Eng. Mech. 123(7): clay brick",
)
#: Materials of blocks.
MATERIALS = {
    "granite": Material(2850.0, _WEIGHTS, False, 7.4e10, 0.22, _ROCK + "granite of the Nevada Test Site"),
    "limestone": Material(2450.0, _WEIGHTS + ", dense limestone", False, 2.85e10, 0.29, _ROCK + "Bedford limestone"),
    "sandstone": Material(2400.0, _WEIGHTS, False, 1.9e10, 0.38, _ROCK + "Berea sandstone"),
    "brick": Material(
        1800.0,
        "assumed, typical; after Lourenco 1996, Computational strategies for masonry, Delft",
        False,
        *_CLAY,
    ),
    "red brick": Material(
        2313.0, "physicsforums.com, thread 975485: a brick of 225 x 104 x 75 mm weighs 4.06 kg", True, *_CLAY
    ),
    "cut stone": Material(
        2700.0,
        "Acary and Jean 1998, Numerical simulation of monuments by the contact dynamics method: their arch",
        True,
        6e10,
        0.27,
        "assumed; after Acary and Jean 1998: Poisson's ratio as printed, a modulus that fits the drawings",
    ),
    "masonry": Material(
        1800.0,
        _BEATINI + ": blocks of the wall with an arched opening",
        True,
        5e9,
        0.2,
        "assumed, typical; after EN 1996-1-1:2005, 3.7.2: 1000 times a characteristic strength of 5 MPa",
    ),
}

_EUROCODE = (
    "assumed, typical; after EN 1996-1-1:2005, 3.6.2 and table 3.4: characteristic values, friction 0.4; tension is "
    "left out"
)
_EINDHOVEN = (
    "assumed, typical; after Lourenco and Rots 1997, Multisurface interface model for analysis of masonry structures, "
    "J. Eng. Mech. 123(7): walls of Raijmakers and Vermeltfoort, clay brick, mortar of cement, lime and sand"
)
#: Joints between blocks.
JOINTS = {
    "dry stone": Joint(
        {"friction": 0.62},
        "assumed, typical; after Lourenco and Ramos 2004, Characterization of cyclic behavior of dry masonry joints, "
        "J. Struct. Eng. 130(5): sawn sandstone",
    ),
    "dry masonry": Joint({"friction": 0.4}, _BEATINI + ": a realistic value between blocks of masonry", True),
    "dry cut stone": Joint(
        {"friction": 0.7},
        "Bohatier, Rafiee and Vinches, Surface contact with friction between polyhedric discrete elements: cupola "
        "of Junas; it stands with 0.5 too",
        True,
    ),
    "lime mortar": Joint(
        {"kind": "brittle", "friction": 0.4, "cohesion": 1.0e5, "tension": 0.0}, _EUROCODE + "; mortar M1 to M2"
    ),
    "cement mortar": Joint(
        {"kind": "brittle", "friction": 0.4, "cohesion": 2.0e5, "tension": 0.0},
        _EUROCODE + "; clay units, mortar M2.5 to M9",
    ),
    "brick mortar": Joint(
        {
            "kind": "damage",
            "friction": 0.75,
            "cohesion": 3.5e5,
            "tension": 2.5e5,
            "normal_stiffness": 8.2e10,
            "tangential_stiffness": 3.6e10,
            "normal_fracture": 18.0,
            "tangential_fracture": 125.0,
            "softening": "exponential",
        },
        _EINDHOVEN,
    ),
}


def material(name: str) -> Material:
    """A Material by name: granite, limestone, sandstone, brick, red brick, cut stone, masonry.

    Warns
    -----
    AssumedWarning
        If its density was not read in the source.
    """
    return _found(MATERIALS, name, "material")


def joint_law(name: str, **changes: Any) -> ContactLaw:
    """The ContactLaw of a kind of joint by name: dry stone, dry masonry, dry cut stone, lime mortar, ...

    Parameters
    ----------
    name : str
    **changes
        Parameters of the law that replace those of the library.

    Warns
    -----
    AssumedWarning
        If its numbers were not read in the source.
    """
    return ContactLaw(**dict(_found(JOINTS, name, "joint").law, name=name, **changes))


def _found(table: Mapping[str, Any], name: str, what: str) -> Any:
    if name not in table:
        known = "There are {}.".format(", ".join(table))
        raise MaterialError("There is no {} {!r:.40}.".format(what, name), remedy=known)
    found = table[name]
    if found.assumed:
        text = "The {} {!r} of the library has assumed values: {}. Give your own where it matters."
        warnings.warn(text.format(what, name, found.source), AssumedWarning, stacklevel=3)
    return found
