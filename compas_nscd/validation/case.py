"""A case with a known answer: its reference, what was computed, and whether both agree."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from compas_nscd.client.engine import Engine
from compas_nscd.drawing.picture import draw_static, draw_structure
from compas_nscd.model.structure import Structure
from compas_nscd.results.static import StaticResult

#: Kinds of references.
KINDS = {
    "D": "closed form",
    "C": "computed by an independent method",
    "P": "published",
    "R": "result of another code",
    "E": "measured in an experiment",
}
#: Width of the pictures of the book [px]. Larger: the page grows; smaller: joints of walls cannot be told apart.
WIDTH = 420


class LeftOut(Exception):
    """A case cannot be computed here, with the reason; it neither passes nor fails."""


class Comparison(NamedTuple):
    """A computed quantity beside its reference."""

    quantity: str  # with its unit
    reference: Any  # number, text, or (least, greatest)
    computed: Any  # number or text; None if there was no answer
    error: float  # [-] relative, or in the unit of the quantity; inf without an answer
    tolerance: float  # as `error`
    relative: bool = False

    @property
    def passed(self) -> bool:
        """Whether the error is within the tolerance."""
        return self.error <= self.tolerance

    @property
    def share(self) -> float:
        """Error over tolerance; it sorts comparisons by how near they are to failing."""
        if self.error == 0.0:
            return 0.0
        return self.error / self.tolerance if self.tolerance else math.inf

    def to_data(self) -> dict[str, Any]:
        """The comparison as plain data for JSON, where infinity is None."""
        data = dict(self._asdict(), passed=self.passed)
        return {key: plain(value) for key, value in data.items()}


class Trial:
    """What a case computes with, and where it puts what it found.

    Parameters
    ----------
    engine : Engine
    shared : Path, optional
        Folder of models that are not part of the project.
    pictures : bool
        Whether pictures are wanted.
    """

    def __init__(self, engine: Engine, shared: Path | None = None, pictures: bool = False) -> None:
        self.engine = engine
        self.comparisons: list[Comparison] = []
        self.pictures: list[str] = []
        self._shared, self._draws = shared, pictures

    def number(
        self, quantity: str, reference: float, computed: float | None, relative: float = 0.0, absolute: float = 0.0
    ) -> None:
        """Compare a number with its reference; one of the two tolerances is given."""
        if computed is None or math.isnan(computed):
            error = math.inf
        else:
            error = 0.0 if computed == reference else abs(computed - reference)
            error = error / abs(reference) if relative and error else error
        self._add(Comparison(quantity, reference, computed, error, relative or absolute, bool(relative)))

    def inside(self, quantity: str, least: float, greatest: float, computed: float | None) -> None:
        """Compare a number with a range; the error is its distance from it."""
        outside = math.inf if computed is None else max(least - computed, computed - greatest, 0.0)
        self._add(Comparison(quantity, (least, greatest), computed, outside, 0.0))

    def verdict(self, quantity: str, reference: Any, computed: Any) -> None:
        """Compare words, or truth values: the error is 0 or 1."""
        self._add(Comparison(quantity, reference, computed, float(reference != computed), 0.0))

    def picture(self, of: Structure | StaticResult | str, view: tuple[float, float] | None = None) -> None:
        """Keep a picture of a structure or of a static result, or an SVG document, if pictures are wanted."""
        if not self._draws:
            return
        if isinstance(of, str):
            self.pictures.append(of)
        elif isinstance(of, Structure):
            self.pictures.append(draw_structure(of, WIDTH, view))
        else:
            self.pictures.append(draw_static(of, WIDTH, view=view))

    def shared(self, *path: str) -> Path:
        """A file or folder among the models that are not part of the project; LeftOut where they are absent."""
        found = None if self._shared is None else self._shared.joinpath(*path)
        if found is None or not found.exists():
            raise LeftOut("needs {}, which is not part of the project".format("/".join(path)))
        return found

    def _add(self, comparison: Comparison) -> None:
        self.comparisons.append(comparison)


class Case(NamedTuple):
    """A case with a known answer."""

    id: str
    title: str
    chapter: str
    kind: str  # letters of KINDS
    source: str  # where the reference comes from
    reason: str  # why the tolerance is what it is
    compute: Callable[[Trial], None]
    quick: bool  # a second or less
    others: str  # results of other codes and other methods
    leaves_out: str  # what the model does not have

    @property
    def description(self) -> str:
        """The docstring of the function that computes it, on one line."""
        return " ".join((self.compute.__doc__ or "").split())


class Outcome(NamedTuple):
    """What the computation of a case gave."""

    case: Case
    comparisons: list[Comparison]
    pictures: list[str]  # SVG documents
    time_s: float
    left_out: str | None = None  # the reason, if it was not computed
    failure: str | None = None  # error that ended it

    @property
    def passed(self) -> bool | None:
        """Whether all comparisons agree; None if the case was left out."""
        if self.left_out is not None:
            return None
        return self.failure is None and bool(self.comparisons) and all(c.passed for c in self.comparisons)

    @property
    def worst(self) -> Comparison | None:
        """The comparison with the greatest error over its tolerance."""
        return max(self.comparisons, key=lambda c: c.share, default=None)

    def to_data(self) -> dict[str, Any]:
        """The outcome as in `nscd validate --json`: `error` and `tolerance` are those of the worst comparison."""
        worst, rows = self.worst, [c.to_data() for c in self.comparisons]
        return {
            "id": self.case.id,
            "title": self.case.title,
            "reference": _together(rows, "reference"),
            "computed": _together(rows, "computed"),
            "error": None if worst is None else plain(worst.error),
            "tolerance": None if worst is None else worst.tolerance,
            "pass": self.passed,
            "chapter": self.case.chapter,
            "kind": self.case.kind,
            "source": self.case.source,
            "reason": self.case.reason,
            "comparisons": rows,
            "time_s": self.time_s,
            "left_out": self.left_out,
            "failure": self.failure,
        }


def _together(rows: list[dict[str, Any]], key: str) -> Any:
    """One value by itself, several by the names of their quantities."""
    if len(rows) == 1:
        return rows[0][key]
    return {row["quantity"]: row[key] for row in rows} or None


def plain(value: Any) -> Any:
    """A value for JSON: Python numbers, None for infinity and NaN, lists for tuples."""
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    if isinstance(value, (bool, str)) or value is None:
        return value
    number = value.item() if hasattr(value, "item") else value
    return number if not isinstance(number, float) or math.isfinite(number) else None
