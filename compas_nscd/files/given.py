"""What the caller gives for a file that does not contain it."""

from __future__ import annotations

from typing import Any, NamedTuple

from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.errors import InputError, MaterialError


class Given(NamedTuple):
    """Arguments of `Structure.from_file`; None where nothing is given."""

    supports: Any = None  # blocks by index, name or guid, one bool per block, or (.3dm) the name of a layer
    density: Any = None  # [kg/m3] of all blocks, or one per block
    law: ContactLaw | None = None
    units: str | None = None  # of length

    def require(self, filename: str) -> None:
        """Raise an error unless supports, density and law are given."""
        missing = [key for key in ("supports", "density", "law") if getattr(self, key) is None]
        if missing:
            kind = InputError if "supports" in missing else MaterialError
            text = "{} has geometry only: {} must be given."
            remedy = "Structure.from_file(path, supports=[0], density=2400.0, law=ContactLaw(friction=0.6))"
            raise kind(text.format(filename, ", ".join(missing)), remedy=remedy)

    def refuse(self, filename: str) -> None:
        """Raise an error if anything is given."""
        extra = [key for key, value in self._asdict().items() if value is not None]
        if extra:
            text = "{} carries its own supports, densities, law and unit; {} cannot be given with it."
            raise InputError(
                text.format(filename, ", ".join(extra)), remedy="Change the file or the structure instead."
            )
