"""What the caller gives for a file that does not contain it."""

from __future__ import annotations

from typing import Any, NamedTuple

from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.errors import InputError


class Given(NamedTuple):
    """Arguments of `Structure.from_file`; None where nothing is given."""

    supports: Any = None  # blocks by index, name or guid, one bool per block, or a rule (files/support_rules.py)
    density: Any = None  # [kg/m3] of all blocks without one, or one per block
    law: ContactLaw | None = None
    units: str | None = None  # of length
    layers: Any = None  # names of layers, separated by commas or in a list; None: the visible ones
    up: Any = None  # "x", "y", "z", "-x", ... or a vector
    gravity: Any = None  # [m/s2] (3,)
    strict: bool = True  # whether supports, densities and a law are required

    def refuse(self, filename: str) -> None:
        """Raise an error if anything is given that a whole structure says itself."""
        extra = [key for key in ("supports", "density", "law", "units", "layers") if getattr(self, key) is not None]
        if extra:
            text = "{} carries its own supports, densities, law and unit; {} cannot be given with it."
            raise InputError(
                text.format(filename, ", ".join(extra)), remedy="Change the file or the structure instead."
            )
