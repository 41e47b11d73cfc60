"""Vibration modes of a structure with closed joints. SI units."""

from __future__ import annotations

from typing import Any

import numpy as np
from compas.data import Data

from compas_nscd.errors import InputError, ProtocolError


class ModesResult(Data):
    """The lowest vibration modes of a structure. K modes, V vertices of all blocks.

    Parameters
    ----------
    structure : Structure
    frequency : (K,) array
        Lowest first [Hz].
    shape : (K, V, 3) array
        Displacement of the vertices, block by block; 1 at the greatest.
    modal_mass : (K, 3) array
        Mass that follows a motion of the ground along x, y, z [kg].
    time : dict, optional
    warnings : list, optional
        ``{"code", "message", "blocks"}``
    """

    def __init__(
        self,
        structure: Any,
        frequency: Any,
        shape: Any,
        modal_mass: Any,
        time: dict[str, float] | None = None,
        warnings: list[dict[str, Any]] | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__(name=name)
        self.structure = structure
        self.frequency = np.asarray(frequency, float).reshape(-1)
        self.shape = np.asarray(shape, float).reshape(len(self.frequency), -1, 3)
        self.modal_mass = np.asarray(modal_mass, float).reshape(-1, 3)
        self.time, self.warnings = dict(time or {}), list(warnings or [])
        self._start = np.cumsum([0] + [len(block.vertices) for block in structure.blocks])
        if self.shape.shape[1] != self._start[-1] or len(self.modal_mass) != len(self.frequency):
            raise ProtocolError("The modes do not fit the structure.")

    @property
    def __data__(self) -> dict[str, Any]:
        return {
            "structure": self.structure,
            "frequency": self.frequency.tolist(),
            "shape": self.shape.tolist(),
            "modal_mass": self.modal_mass.tolist(),
            "time": self.time,
            "warnings": self.warnings,
        }

    def __len__(self) -> int:
        return len(self.frequency)

    @property
    def summary(self) -> dict[str, Any]:
        """Number of modes, lowest frequency [Hz] and times."""
        lowest = float(self.frequency[0]) if len(self) else None
        return {"modes": len(self), "lowest_frequency": lowest, "time": self.time}

    @property
    def headline(self) -> str:
        """The answer in a line."""
        return "lowest mode {:.4g} Hz".format(self.frequency[0]) if len(self) else "no modes"

    @property
    def period(self) -> np.ndarray:
        """Periods of the modes [s]; inf of a mechanism. (K,)"""
        with np.errstate(divide="ignore"):
            return 1.0 / self.frequency

    def displacement(self, mode: int, block: Any) -> np.ndarray:
        """Displacement (v, 3) of the vertices of a block, given by index, name or guid, in a mode."""
        i = self.structure.index(block)
        return self.shape[self._checked(mode), self._start[i] : self._start[i + 1]]

    def moved(self, mode: int, size: float = 0.1) -> list[tuple[np.ndarray, list[list[int]]]]:
        """Vertices [m] (v, 3) and faces of every block in a mode whose greatest displacement is `size` of the
        structure; for drawing.
        """
        every = np.concatenate([block.vertices for block in self.structure.blocks])
        factor = size * float(np.linalg.norm(np.ptp(every, axis=0)))
        return [
            (block.vertices + factor * self.displacement(mode, i), block.faces)
            for i, block in enumerate(self.structure.blocks)
        ]

    def _checked(self, mode: int) -> int:
        if not 0 <= mode < len(self):
            raise InputError("There is no mode {!r:.20}.".format(mode), remedy="Modes: 0 to {}.".format(len(self) - 1))
        return mode


def modes_result(reply: dict[str, Any], structure: Any) -> ModesResult:
    """Modes in a reply of the engine."""
    missing = [key for key in ("frequency", "shape", "modal_mass") if key not in reply]
    if missing:
        raise ProtocolError("The reply of the engine lacks {}.".format(", ".join(missing)))
    arrays = reply["frequency"], reply["shape"], reply["modal_mass"]
    return ModesResult(structure, *arrays, reply.get("time"), reply.get("warnings"))
