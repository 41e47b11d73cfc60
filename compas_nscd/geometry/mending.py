"""Blocks that are not closed: which of them can be analysed all the same, and how."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from compas_nscd.geometry.findings import Finding
from compas_nscd.geometry.holes import TINY, Faces, capped, hull_of_nearly_convex, plates


class Mended(NamedTuple):
    """Blocks with other vertices and faces, by index, and what was done."""

    shapes: dict[int, tuple[np.ndarray, Faces]]
    findings: list[Finding]


def mend(broken: Sequence[int], shapes: Sequence[tuple[np.ndarray, Faces]], support: Sequence[bool]) -> Mended:
    """Close the blocks `broken`: tiny holes of free blocks are capped, supports become solids in any case.

    Parameters
    ----------
    broken : list of int
        Blocks that are not closed.
    shapes : list of (vertices, faces)
        Of all blocks [m].
    support : list of bool
        Of all blocks.
    """
    middle = _middle(shapes, support)
    done: dict[int, tuple[np.ndarray, Faces]] = {}
    holes: list[int] = []
    closed: list[int] = []
    plated: list[int] = []
    for i in broken:
        vertices, faces = np.asarray(shapes[i][0], float), shapes[i][1]
        found = capped(vertices, faces, np.inf if support[i] else TINY)
        if found is not None and len(found[1]) > 3:
            done[i] = found[:2]
            (closed if support[i] else holes).append(i)
        elif support[i]:
            plate = plates(vertices, faces, middle)
            if plate is not None:
                done[i] = plate
                plated.append(i)
    findings = [
        Finding("mended", "warning", "Tiny holes were closed", tuple(holes), "Check the mesh."),
        Finding("mended", "warning", "Supports that are open were closed", tuple(closed), "Check the mesh."),
        Finding("mended", "warning", "Supports that are surfaces were given a thickness", tuple(plated), ""),
    ]
    return Mended(done, [finding for finding in findings if finding.blocks])


def enclose(broken: Sequence[int], shapes: Sequence[tuple[np.ndarray, Faces]], support: Sequence[bool]) -> Mended:
    """Blocks whose surface cannot be closed: nearly convex ones become their convex hulls, supports plates.

    Parameters are those of `mend`.
    """
    middle = _middle(shapes, support)
    done: dict[int, tuple[np.ndarray, Faces]] = {}
    hulls: list[int] = []
    plated: list[int] = []
    for i in broken:
        vertices = np.asarray(shapes[i][0], float)
        found = plates(vertices, shapes[i][1], middle) if support[i] else hull_of_nearly_convex(vertices)
        if found is not None:
            done[i] = found
            (plated if support[i] else hulls).append(i)
    findings = [
        Finding("mended", "warning", "Blocks that are not closed are replaced by their convex hulls", tuple(hulls), ""),
        Finding("mended", "warning", "Supports that are surfaces were given a thickness", tuple(plated), ""),
    ]
    return Mended(done, [finding for finding in findings if finding.blocks])


def _middle(shapes: Sequence[tuple[np.ndarray, Faces]], support: Sequence[bool]) -> np.ndarray:
    """Mean of the vertices of the free blocks (3,) [m]."""
    free = [np.asarray(vertices, float) for (vertices, _), held in zip(shapes, support) if not held and len(vertices)]
    points = np.concatenate(free) if free else np.zeros((1, 3))
    points = points[np.isfinite(points).all(axis=1)]
    return points.mean(axis=0) if len(points) else np.zeros(3)
