"""What a file contains, before the caller's supports, densities, law, unit and layers are applied to it."""

from __future__ import annotations

from typing import Any, NamedTuple

from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.blocks.elastic import Elastic
from compas_nscd.loads.case import LoadCase


class Part(NamedTuple):
    """One solid of a file."""

    name: str | None
    vertices: Any  # [unit of the file] (n, 3)
    faces: list[list[int]]
    layers: tuple[str, ...] = ()  # full paths: of the object, and of the instances that contain it
    hidden: bool = False  # the file does not show it
    support: bool | None = None  # None: the file does not say
    density: float | None = None  # [kg/m3]
    friction: float | None = None  # [-]
    guid: str | None = None
    material: str | None = None
    elastic: Elastic | None = None  # None: rigid


class LeftOut(NamedTuple):
    """An object of a file that is not a block."""

    name: str  # or guid
    layer: str
    reason: str


class Contents(NamedTuple):
    """Solids of a file, and what it says about them."""

    parts: list[Part]
    metres: float | None = None  # length of the unit [m]; None: the file does not say
    law: ContactLaw | None = None  # of all joints
    case: LoadCase | None = None
    planar: str | None = None  # axis of a planar structure
    left_out: tuple[LeftOut, ...] = ()
    note: str | None = None
    meshed: tuple[str, ...] = ()  # objects with curved faces that the reader has meshed
