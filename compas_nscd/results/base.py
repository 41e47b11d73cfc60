"""Base class of results: data, files, comparison."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from compas.data import Data

from compas_nscd.loads.cable import Cable
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.plausibility import load_findings
from compas_nscd.model.structure import Structure
from compas_nscd.results.elastic import ElasticResult, elastic_arrays


def is_uncertain(warnings: Iterable[dict[str, Any]]) -> bool:
    """Whether one of the warnings tells that the solver did not converge, so that a verdict may be wrong."""
    return any(warning["code"] == "not_converged" for warning in warnings)


class Result(Data):
    """A reply of the engine with its structure and load case.

    Attributes
    ----------
    structure : Structure
    case : LoadCase or None
    summary : dict
        The numbers of ``--json``.
    arrays : tuple of str
        Names of the arrays of the reply, which are attributes.
    numbers : tuple of str
        Names of the numbers of the reply, which are in `summary`.
    """

    arrays: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    structure: Structure
    case: LoadCase | None
    summary: dict[str, Any]
    _engine_warnings: list[dict[str, Any]]

    def __init__(
        self, reply: dict[str, Any], structure: Structure, case: LoadCase | None = None, name: str | None = None
    ) -> None:
        super().__init__(name=name)
        self.structure = structure
        self.case = case
        self._engine_warnings = list(reply.get("warnings", []))

    def _take_elastic(self, reply: dict[str, Any]) -> None:
        """Keep the arrays of deformable blocks."""
        found = elastic_arrays(reply, len(self.structure))
        for key, array in found.items():
            setattr(self, key, array)
        self.arrays = self.arrays + tuple(found)

    @cached_property
    def elastic(self) -> ElasticResult | None:
        """Displacements and stresses of the deformable blocks; None if all are rigid, or nothing was computed."""
        return ElasticResult(self) if "node" in self.arrays else None

    @property
    def warnings(self) -> list[dict[str, Any]]:
        """Warnings of the checks of the geometry and of the engine: list of ``{"code", "message", "blocks"}``."""
        structure = self.structure
        own = structure.case is self.case  # else the structure has not seen the loads
        loads = [] if own else load_findings(structure.blocks, self.case, structure.index)
        return structure.warnings + [each.to_data(structure.names) for each in loads] + self._engine_warnings

    @property
    def cables(self) -> list[Cable]:
        """Cables of the load case."""
        return [] if self.case is None else self.case.cables

    @property
    def __data__(self) -> dict[str, Any]:
        reply = {key: getattr(self, key).tolist() for key in self.arrays}
        reply.update((key, self.summary[key]) for key in self.numbers + ("time",))
        reply["warnings"] = self._engine_warnings
        return {
            "reply": reply,
            "structure": self.structure.__data__,
            "case": self.case.__data__ if self.case is not None else None,
        }

    @classmethod
    def __from_data__(cls, data: dict[str, Any]) -> Any:
        case = LoadCase.__from_data__(data["case"]) if data["case"] is not None else None
        return cls(data["reply"], Structure.__from_data__(data["structure"]), case)

    def save(self, path: str | Path) -> None:
        """Write the result to a file, .npz (compressed) or .json (COMPAS data); see `files.result_archive`."""
        from compas_nscd.files.result_archive import save

        save(self, path)

    @classmethod
    def load(cls, path: str | Path) -> Any:
        """Read a result that `save` wrote; the two are equal."""
        from compas_nscd.files.result_archive import load

        return load(cls, path)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Result) or type(other) is not type(self) or set(other.arrays) != set(self.arrays):
            return False
        arrays = ((getattr(self, key), getattr(other, key)) for key in self.arrays)
        if not all(np.array_equal(mine, its, equal_nan=True) for mine, its in arrays):
            return False
        return _without_arrays(self) == _without_arrays(other)

    __hash__ = None  # type: ignore[assignment]


def _without_arrays(result: Result) -> dict[str, Any]:
    """Data of a result without its arrays, which may contain NaN."""
    data = result.__data__
    return dict(data, reply={key: value for key, value in data["reply"].items() if key not in result.arrays})
