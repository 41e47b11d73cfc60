"""Findings of the checks: kinds of defects, and the blocks concerned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from compas_nscd.geometry.polyhedra import Polyhedra


class Finding(NamedTuple):
    """One kind of defect and the blocks that have it."""

    code: str
    severity: str  # "error", "warning" or "note"
    what: str  # the defect, without the blocks
    blocks: tuple[int, ...]
    remedy: str

    def message(self, names: Sequence[str]) -> str:
        """One sentence with the first few names."""
        where = ": " + name_blocks([names[i] for i in self.blocks]) if self.blocks else ""
        return "{}{}.".format(self.what, where)

    def to_data(self, names: Sequence[str]) -> dict[str, Any]:
        """``{"code", "message", "blocks"}``, as in `Structure.warnings`."""
        return {"code": self.code, "message": self.message(names), "blocks": [names[i] for i in self.blocks]}


def name_blocks(names: Sequence[Any], limit: int = 5) -> str:
    """Names of the first few blocks and the number of the others: 'blocks 4, 7 and 9 more'."""
    shown = ", ".join(str(name) for name in names[:limit])
    more = " and {} more".format(len(names) - limit) if len(names) > limit else ""
    return "block{} {}{}".format("s" if len(names) > 1 else "", shown, more)


class CheckReport:
    """Findings of the checks of a structure.

    Attributes
    ----------
    findings : list of Finding
    names : list of str
    polyhedra : Polyhedra or None
        The repaired blocks, with outward faces; None if a block cannot be repaired.
    size : (B,) array
        Diagonal of each block [m].
    volume : (B,) array
        [m3], of polyhedra; NaN for spheres, discs and blocks that were left out of the check.
    """

    #: Lists of `nscd check`, and the codes in each.
    LISTS = {
        "open": ("open",),
        "inverted": ("inverted",),
        "degenerate": ("not-finite", "index", "empty", "degenerate", "flat", "radius"),
        "concave": ("concave",),
        "warped": ("warped", "folded"),
    }

    def __init__(
        self,
        names: Sequence[str],
        findings: list[Finding],
        polyhedra: Polyhedra | None,
        size: np.ndarray,
        volume: np.ndarray,
    ) -> None:
        self.names = list(names)
        self.findings = findings
        self.polyhedra = polyhedra
        self.size = size
        self.volume = volume

    def extended(self, findings: list[Finding]) -> CheckReport:
        """A copy with further findings."""
        return CheckReport(self.names, self.findings + findings, self.polyhedra, self.size, self.volume)

    def of(self, *severities: str) -> list[Finding]:
        """Findings of the given severities."""
        return [f for f in self.findings if f.severity in severities]

    @property
    def ok(self) -> bool:
        """Whether there are no errors."""
        return not self.of("error")

    def bad_blocks(self) -> list[int]:
        """Indices of the blocks that cannot be analysed."""
        return sorted({i for f in self.of("error") for i in f.blocks})

    def lists(self) -> dict[str, list[str]]:
        """Names of blocks by kind of defect, as `nscd check --json` prints them."""
        return {key: self._named(codes) for key, codes in self.LISTS.items()}

    def _named(self, codes: tuple[str, ...]) -> list[str]:
        return [self.names[i] for i in sorted({i for f in self.findings if f.code in codes for i in f.blocks})]

    def lines(self) -> list[str]:
        """One sentence per finding, errors first."""
        rank = ("error", "warning", "note")
        ordered = sorted(self.findings, key=lambda f: rank.index(f.severity))
        return ["{}: {} {}".format(f.severity, f.message(self.names), f.remedy).strip() for f in ordered]
