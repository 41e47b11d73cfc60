"""Checks of a structure: geometry, densities, laws, loads and supports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.geometry.checks import check
from compas_nscd.geometry.findings import CheckReport, Finding
from compas_nscd.geometry.mending import Mended, enclose, mend
from compas_nscd.geometry.polyhedra import flatten
from compas_nscd.geometry.round_shapes import findings as round_findings
from compas_nscd.model.plausibility import (
    density_findings,
    law_findings,
    load_findings,
    same_place_findings,
    weight_findings,
)

if TYPE_CHECKING:
    from compas_nscd.model.structure import Structure

#: A law, and the indices of its two blocks; none for that of the structure.
LawOf = tuple[tuple[int, ...], ContactLaw]


class Inspection:
    """Checks of one structure. Its geometry is checked once; what may be changed afterwards, at every call.

    The structure owns its inspection, and gives itself to every call: a reference back would keep both alive.
    """

    def __init__(self) -> None:
        self._geometry: CheckReport | None = None
        self._placed: Any = None  # checked blocks, and those in the same place
        self._mended_for: tuple[bool, ...] | None = None  # supports for which open blocks were mended

    def forget(self) -> None:
        """Check the geometry anew at the next call."""
        self._geometry = None

    def geometry(self, structure: Structure) -> CheckReport:
        """The checked blocks; those that are not closed are mended if possible, which depends on the supports."""
        if self._geometry is not None and self._mended_for is None:
            return self._geometry
        support = tuple(block.support for block in structure.blocks)
        if self._geometry is not None and self._mended_for == support:
            return self._geometry
        shapes: list[Any] = [(block.vertices, block.faces) for block in structure.blocks]
        report = _check_shapes(structure, shapes)
        told: list[Finding] = []
        mended = Mended({}, [])
        self._mended_for = None
        for attempt in (mend, enclose):
            broken = _not_closed(report, support)
            if attempt is enclose:  # blocks with more than tiny holes are refused
                broken = [i for i in broken if i in mended.shapes]
            if not broken:
                break
            self._mended_for = support
            mended = attempt(broken, shapes, support)
            for i, shape in mended.shapes.items():
                shapes[i] = shape
            told += mended.findings
            report = _check_shapes(structure, shapes) if mended.shapes else report
        self._geometry = report.extended(told)
        return self._geometry

    def findings(self, structure: Structure) -> list[Finding]:
        """Densities, radii, friction and supports; not cached, because these may be changed."""
        out = []
        density = np.array([block.density for block in structure.blocks])
        bad = tuple(np.flatnonzero(~((density > 0.0) & np.isfinite(density))).tolist())
        if bad:
            remedy = "Give each block a density in kg/m3; 2400 is usual for stone."
            out.append(Finding("density", "error", "The density is missing or not a positive number", bad, remedy))
        out += round_findings(structure.blocks, structure.planar)
        laws: list[LawOf] = [*structure.pair_laws.items(), ((), structure.law)]
        for pair, law in laws:
            if not 0.0 <= law.friction < float("inf"):
                remedy = "Give a coefficient of friction of 0 or more."
                out.append(Finding("friction", "error", "The friction cannot be {}".format(law.friction), pair, remedy))
        return out + self._doubtful(structure, density, laws) + _support_findings(structure)

    def _doubtful(self, structure: Structure, density: np.ndarray, laws: list[LawOf]) -> list[Finding]:
        """Suspicious numbers."""
        out = law_findings(laws) + density_findings(density)
        out += load_findings(structure.blocks, structure.case, structure.index)
        geometry = self.geometry(structure)
        poly = geometry.polyhedra
        if poly is None:
            return out
        if self._placed is None or self._placed[0] is not poly:
            self._placed = poly, same_place_findings(poly)
        # Weights of structures with spheres or discs are not compared.
        is_round = any(block.is_round for block in structure.blocks)
        return out + self._placed[1] + ([] if is_round else weight_findings(density * geometry.volume))


def _check_shapes(structure: Structure, shapes: list[Any]) -> CheckReport:
    """Report on shapes of the blocks: vertices [m] (n, 3) and faces of each."""
    given = flatten([vertices for vertices, _ in shapes], [faces for _, faces in shapes])
    return check(given, structure.names, structure.planarity, [block.radius for block in structure.blocks])


def _support_findings(structure: Structure) -> list[Finding]:
    out = []
    support = [block.support for block in structure.blocks]
    if support and all(support):
        out.append(Finding("supports", "error", "Every block is a support", (), "Leave some blocks free to move."))
    if not any(support):
        remedy = "Mark the blocks on the ground as supports."
        out.append(Finding("no-support", "error", "No block is a support", (), remedy))
    if not support:
        out.append(Finding("no-blocks", "error", "There are no blocks", (), "Select at least two."))
    return out


def _not_closed(report: CheckReport, support: Sequence[bool]) -> list[int]:
    """Blocks that are not closed, and supports that are surfaces, by index."""
    found = [(finding.code, i) for finding in report.of("error") for i in finding.blocks]
    return sorted({i for code, i in found if code == "open" or (code in ("empty", "flat") and support[i])})
