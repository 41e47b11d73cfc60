"""Checks of blocks: closed, oriented, solid, planar faces, plausible size. All blocks at once.

`check` repairs defects that do not change the shape (see `repair`). Every defect is a `Finding`: an error prevents the
analysis, a warning was repaired or is doubtful, a note is only listed.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from compas_nscd.geometry import repair
from compas_nscd.geometry.findings import CheckReport, Finding
from compas_nscd.geometry.polyhedra import Measures, Polyhedra, measure, rebuild, with_points
from compas_nscd.geometry.vectors import cross_columns

#: Distance from the mean plane above which a face is reported as warped [diagonal of the block]. Larger: warped faces
#: are not reported. Smaller: rounding error is.
FLAT = 1e-6
#: Distance from the mean plane above which a block is refused [diagonal of the block]. Larger: contacts are detected on
#: planes far from the faces. Smaller: domes modelled in CAD (0.05) are refused.
PLANARITY = 0.1
#: Thickness 3 V / A below which a block has no volume [diagonal of the block]. Larger: thin plates are refused.
#: Smaller: blocks that welding closes are accepted.
THIN = repair.WELD
#: Least and greatest plausible diagonal of a block [m]; beyond, a warning that the unit may be wrong.
BLOCK_LIMITS = (1e-3, 100.0)
#: Greatest plausible extent of a structure [m]; beyond, the same warning.
STRUCTURE_LIMIT = 2000.0
#: Greatest coordinate that counts as finite [m]. Larger: volumes overflow. Smaller: large coordinates are refused.
FARTHEST = 1e12


def check(
    poly: Polyhedra,
    names: Sequence[str],
    planarity: float = PLANARITY,
    radius: Sequence[float | None] | None = None,
) -> CheckReport:
    """Check and repair blocks.

    Parameters
    ----------
    poly : Polyhedra
        Unrepaired.
    names : list of str
    planarity : float
        Greatest distance of a vertex from the mean plane of its face, relative to the diagonal of the block.
    radius : list of float, optional
        Of the blocks that are spheres or discs, one vertex without faces [m]; None for the others.
    """
    radius = [None] * len(names) if radius is None else radius
    is_round = np.array([r is not None for r in radius], bool)
    centre = poly.vertices[poly.vertex_start[:-1][is_round]]
    work = _Work(poly)
    work.leave_out(is_round)
    work.screen()
    work.clean()
    work.close()
    work.orient()
    work.shape(planarity)
    work.plausible()
    complete = len(work.number) == np.count_nonzero(~is_round) and len(names) > 0
    size = np.array([np.nan if r is None else 2.0 * r for r in radius])
    volume = np.full(len(names), np.nan)
    if len(work.number):
        size[work.number], volume[work.number] = work.measures.size, np.abs(work.measures.volume)
    whole = with_points(work.poly, is_round, centre) if complete else None
    return CheckReport(names, work.findings, whole, size, volume)


class _Work:
    """Blocks still under check, and the findings so far."""

    closed: np.ndarray  # (blocks of poly,) bool: every edge has two faces, and these are oriented alike
    edges: repair.Edges
    measures: Measures

    def __init__(self, poly: Polyhedra) -> None:
        self.poly = poly
        self.number = np.arange(len(poly.vertex_start) - 1)  # index in the structure of every block of `poly`
        self.findings: list[Finding] = []

    def add(self, code: str, severity: str, mask: np.ndarray, what: str, remedy: str = "") -> None:
        """Report the marked blocks of `poly`, if any."""
        blocks = tuple(self.number[np.flatnonzero(mask)].tolist())
        if blocks:
            self.findings.append(Finding(code, severity, what, blocks, remedy))

    def leave_out(self, mask: np.ndarray) -> None:
        """Remove the marked blocks from the check."""
        if mask.any():
            renumber = np.where(mask, -1, np.cumsum(~mask) - 1)
            self.poly = rebuild(self.poly, np.ones(len(self.poly.face_start) - 1, bool), renumber)
            self.number = self.number[~mask]

    def screen(self) -> None:
        """Blocks with coordinates that are not finite, indices out of range, or too few vertices or faces."""
        poly, blocks = self.poly, len(self.number)
        finite = (np.abs(poly.vertices) < FARTHEST).all(axis=1)  # False for nan as well
        unknown = np.bincount(poly.vertex_block[~finite], minlength=blocks) > 0
        corner_block = poly.face_block[poly.corner_face]
        low, high = poly.vertex_start[corner_block], poly.vertex_start[corner_block + 1]
        outside = (poly.face_vertices < low) | (poly.face_vertices >= high)
        stray = np.bincount(corner_block[outside], minlength=blocks) > 0
        empty = (np.diff(poly.vertex_start) < 4) | (np.diff(poly.block_face_start) < 4)
        self.add("not-finite", "error", unknown, "Coordinates that are not finite", "Export it again.")
        self.add("index", "error", stray, "Faces refer to missing vertices", "Indices count from 0 in each block.")
        self.add("empty", "error", empty, "Fewer than 4 vertices or faces", "A block is a closed solid.")
        # rebuild requires indices within the block
        self.poly = poly._replace(face_vertices=np.where(outside, low, poly.face_vertices)) if stray.any() else poly
        self.leave_out(unknown | stray | empty)

    def clean(self) -> None:
        """Weld vertices, then drop degenerate faces and unused vertices."""
        self.poly, welded = repair.weld(self.poly)
        self.poly, lost, stray = repair.tidy(self.poly)
        self.add("welded", "warning", welded, "Duplicate vertices were welded")
        self.add("dropped", "warning", lost, "Faces with fewer than three distinct vertices were left out")
        self.add("unused", "warning", stray & ~welded, "Vertices that no face uses were left out")
        collapsed = np.diff(self.poly.block_face_start) < 4
        what = "Fewer than 4 faces are left after welding vertices within {:g} of the block's size".format(repair.WELD)
        self.add("degenerate", "error", collapsed, what, "Model the block again.")
        self.leave_out(collapsed)

    def close(self) -> None:
        """Every edge must belong to two faces; faces without area are dropped if the mesh is closed without them."""
        blocks = len(self.number)
        bad_face = repair.repeated_corners(self.poly) | self._thin_faces()
        if bad_face.any():
            affected = np.bincount(self.poly.face_block[bad_face], minlength=blocks) > 0
            trial = rebuild(self.poly, ~bad_face)
            some = np.diff(trial.block_face_start) > 3
            dropped = affected & some & (_open_edges(repair.edges(trial), blocks) == 0)
            self.poly = rebuild(self.poly, ~(bad_face & dropped[self.poly.face_block]))
            self.measures = measure(self.poly)
            self.add("dropped", "warning", dropped, "Faces without area were left out")
            stuck = affected & ~dropped
            what = "Faces without area, or through the same vertex twice, that the mesh is not closed without"
            self.add("degenerate", "error", stuck, what, "Merge the sliver with its neighbour in CAD.")
        self.edges = repair.edges(self.poly)
        gaps = _open_edges(self.edges, blocks)
        what = "Not closed ({} edges do not belong to exactly two faces)".format(gaps.sum())
        self.add("open", "error", gaps > 0, what, "Cap the holes and join the faces in CAD.")
        self.closed = gaps == 0

    def _thin_faces(self) -> np.ndarray:
        """Faces narrower than the welding distance. (F,) bool"""
        if not len(self.number):
            return np.zeros(0, bool)
        poly, m = self.poly, measure(self.poly)
        self.measures = m
        return 2.0 * m.area <= repair.WELD * m.size[poly.face_block] * m.longest

    def orient(self) -> None:
        """Flip faces so that all normals point outward."""
        blocks = len(self.number)
        twisted = np.bincount(self.edges.block[(self.edges.faces == 2) & (self.edges.turns != 0)], minlength=blocks) > 0
        turned = np.zeros(blocks, bool)
        if (twisted & self.closed).any():
            faces, hopeless = repair.agree(self.poly, self.edges, np.flatnonzero(twisted & self.closed))
            self.poly = repair.turn(self.poly, faces)
            self.measures = measure(self.poly)
            lost = np.isin(np.arange(blocks), hopeless)
            what = "No choice of outside suits all faces (the surface is one-sided)"
            self.add("open", "error", lost, what, "Model the block again as a closed solid.")
            self.closed &= ~lost
            turned |= twisted & self.closed
        if not blocks:
            return
        inward = self.closed & (self.measures.volume < 0.0)
        if inward.any():
            self.poly = repair.turn(self.poly, inward[self.poly.face_block])
            self.measures = measure(self.poly)
        if inward.any() or turned.any():
            self.edges = repair.edges(self.poly)
        m = self.measures
        self.add("inverted", "warning", inward | turned, "Faces that looked inward were turned outward")
        flat = self.closed & (3.0 * np.abs(m.volume) <= THIN * m.surface * m.size)
        self.add("flat", "error", flat, "No volume", "A block is a solid; give it a thickness.")

    def shape(self, planarity: float) -> None:
        """Warped faces and concave blocks."""
        if not len(self.number):
            return
        m, block = self.measures, self.poly.face_block
        warp = np.maximum.reduceat(m.warp, self.poly.block_face_start[:-1]) / m.size
        folded = warp > planarity
        what = "Faces {:.2g} of the block's diagonal out of plane, over the limit of {:g}".format(warp.max(), planarity)
        self.add("folded", "error", folded, what, "Split the faces into triangles, or raise `planarity`.")
        slight = (warp > FLAT) & ~folded
        worst = warp[slight].max() if slight.any() else 0.0
        what = "Faces are not planar (worst {:.2g} of the block's diagonal); their mean planes are used".format(worst)
        self.add("warped", "warning", slight, what)
        several = self.closed & (self._euler() > 2)
        what = "Several separate pieces or a cavity in one block"
        self.add("pieces", "warning", several, what, "Split it if the pieces can move apart.")
        self.add("concave", "note", several | self._reflex(m, block), "Concave")

    def _euler(self) -> np.ndarray:
        """Euler characteristic V - E + F of every block: 2 for a ball, more for several pieces, less for a torus."""
        edge_count = np.bincount(self.edges.block, minlength=len(self.number))
        return np.diff(self.poly.vertex_start) - edge_count + np.diff(self.poly.block_face_start)

    def _reflex(self, m: Measures, face_block: np.ndarray) -> np.ndarray:
        """Closed blocks with a reflex edge (interior angle over 180 degrees). (B,) bool

        At an edge along e, face g extends in the direction d = n_g x e; the edge is reflex if n_f . d > 0 for the other
        face f. A face about area/|e| wide then rises above the plane of f by depth = n_f . d * area / |e|.
        """
        e = self.edges
        pair = e.first[(e.faces == 2) & self.closed[e.block]]
        h, face = e.order[pair], self.poly.corner_face
        g, f = face[h], face[e.order[pair + 1]]
        head, tail = self.poly.head[h], self.poly.face_vertices[h]
        along = self.poly.vertices.T.take(head, axis=1) - self.poly.vertices.T.take(tail, axis=1)
        length2 = np.einsum("ij,ij->j", along, along)
        across = cross_columns(m.normal.take(g, axis=1), along)
        rise = np.einsum("ij,ij->j", m.normal.take(f, axis=1), across)  # |e| sin(angle)
        depth = rise * np.minimum(m.area[f], m.area[g]) / length2
        reflex = depth > FLAT * m.size[face_block[g]] + m.warp[f] + m.warp[g]
        return np.bincount(face_block[g[reflex]], minlength=len(self.number)) > 0

    def plausible(self) -> None:
        """Implausible sizes, which indicate a wrong unit."""
        if not len(self.number):
            return
        size = self.measures.size
        small, large = BLOCK_LIMITS
        self._size(size > large, _in_two_units(size.max(), 0.001), "in millimetres (factor 0.001)")
        self._size(size < small, _in_two_units(size.min(), 1000.0), "in another unit (factor 1000)")
        extent = np.ptp(self.poly.vertices.T.copy(), axis=1).max()  # long rows are faster
        if extent > STRUCTURE_LIMIT and not (size > large).any():
            self._size(size > -1.0, "A structure of {:.4g} m".format(extent), "in millimetres (factor 0.001)")

    def _size(self, mask: np.ndarray, what: str, unit: str) -> None:
        remedy = "If the model was drawn {}, name its unit.".format(unit)
        self.add("size", "warning", mask, what + " is not a plausible size", remedy)


def _in_two_units(size: float, factor: float) -> str:
    """The size [m] of a block as it is read, and as it would be in a unit `factor` times as long."""
    return "A block of {:.3g} m ({:.3g} m if the unit is {:g} times as long)".format(size, factor * size, factor)


def _open_edges(edge: repair.Edges, blocks: int) -> np.ndarray:
    """Number of edges of each block that do not have two faces. (B,)"""
    return np.bincount(edge.block[edge.faces != 2], minlength=blocks)
