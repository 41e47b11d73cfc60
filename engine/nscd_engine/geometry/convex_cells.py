"""Exact decomposition of a concave polyhedron into convex cells.

The first cell is the bounding box of the block, with the faces of the block in it. While there are faces inside a cell,
it is split along the plane of one of them, and the faces with it; cells are always convex. A cell without faces inside
is entirely solid or void, by the winding number of the surface around its centre. The solid cells are the parts. Holes,
tunnels and touching features need no special treatment.
"""

from __future__ import annotations

from typing import List, NamedTuple, Optional, Tuple

import numpy as np

from compas_nscd.errors import GeometryError
from nscd_engine.kernels.geometry.surface_pieces import pieces_below, pieces_inside, pieces_split
from nscd_engine.kernels.geometry.winding_number import winding

#: Least tolerance of the cuts, over the size of the block [-]. Larger: small features vanish. Smaller: rounding of
#: equal coordinates makes slivers.
ROUNDING = 1e-9
#: Most parts of one block [-]; more come from curved surfaces. Larger: such a block takes minutes. Smaller: gears and
#: rings of many facets are refused.
MAX_PARTS = 500
#: Most planes that are compared before a cut [-]. Larger: slower. Smaller: more parts.
CANDIDATES = 100
#: Greatest error of the volume over that of the block, beyond that of the warp of the faces [-]. Larger: wrong cuts go
#: unnoticed. Smaller: rounding is an error.
VOLUME_ERROR = 1e-9
#: Position of probes between the centre (0) and the corners (1) of a face [-], for whether it is a cut. Larger: probes
#: are outside because of rounding. Smaller: surface near the corners is missed.
PROBE = 0.9


class Cell(NamedTuple):
    """A convex polyhedron and the pieces of surface in it."""

    vertices: np.ndarray  # [m] (v, 3)
    faces: list  # of lists of rows, counter-clockwise from outside
    planes: np.ndarray  # (f, 4): outward normal and offset of each face
    points: np.ndarray  # [m] (m, 3): corners of the pieces, one piece after the other
    start: np.ndarray  # (k + 1,): into points
    face: np.ndarray  # (k,): face of the block of which each piece is a part


def split_block(vertices: np.ndarray, faces: list, name: str) -> Tuple[Optional[list], Optional[List[bool]]]:
    """Convex parts of one closed polyhedron.

    Parameters
    ----------
    vertices : array (v, 3)
        [m]
    faces : list of rows of vertices
        Counter-clockwise from outside; faces may be concave.
    name : text
        Of the block, for the error.

    Returns
    -------
    solids : list of (vertices, faces)
        None if there are more than MAX_PARTS.
    inner : list of bool
        For every face of the solids: it is a cut, no part of it is surface. None with `solids`.

    Raises
    ------
    GeometryError
        If the parts do not fill the block.
    """
    size = np.linalg.norm(np.ptp(vertices, axis=0))
    origin = vertices.mean(axis=0)
    vertices = vertices - origin
    planes, warp = face_planes(vertices, faces)
    tolerance = max(ROUNDING * size, 2.0 * warp.max())
    triangles = surface_triangles(vertices, faces)
    waiting = [box_around(vertices, faces)]
    solids, inner = [], []
    while waiting:
        cell = waiting.pop()
        pieces = pieces_inside(*cell[3:], planes, cell.vertices, cell.planes, tolerance, size)
        if len(pieces[2]):
            waiting += halves(Cell(*cell[:3], *pieces), planes, tolerance)
        elif width(cell) > 2.0 * tolerance and is_solid(triangles, cell.vertices.mean(axis=0)):
            solids.append((cell.vertices + origin, cell.faces))
            inner += [is_cut(cell, k, triangles, 10.0 * tolerance) for k in range(len(cell.faces))]
        if len(solids) + len(waiting) > MAX_PARTS:
            return None, None
    check_volume(solids, triangles, tolerance, name)
    return solids, inner


def check_volume(solids: list, triangles: np.ndarray, tolerance: float, name: str) -> None:
    """Raise GeometryError if the parts do not fill the block within the tolerance [m] of its surface."""
    block = volume(triangles)
    parts = sum(volume(surface_triangles(points, faces)) for points, faces in solids)
    area = 0.5 * np.linalg.norm(np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]), axis=1)
    if abs(parts - block) > VOLUME_ERROR * block + tolerance * area.sum():
        raise GeometryError(
            "A concave block could not be cut into convex parts: they have {:.6g} of its volume.".format(parts / block),
            remedy="Check that its faces are plane and do not intersect.",
            blocks=[name],
        )


def face_planes(vertices: np.ndarray, faces: list) -> Tuple[np.ndarray, np.ndarray]:
    """Planes (f, 4) of the faces, outward, and the greatest distance of a corner from each [m] (f,)."""
    rows, start = flat(faces)
    triangles = surface_triangles(vertices, faces)
    arm = triangles[:, 1:] - triangles[:, :1]
    n = np.add.reduceat(np.cross(arm[:, 0], arm[:, 1]), start[:-1], axis=0)
    n /= np.linalg.norm(n, axis=1)[:, None]
    size = np.diff(start)
    height = np.einsum("ij,ij->i", vertices[rows], np.repeat(n, size, axis=0))
    offset = np.add.reduceat(height, start[:-1]) / size
    warp = np.maximum.reduceat(np.abs(height - np.repeat(offset, size)), start[:-1])
    return np.column_stack([n, offset]), warp


def surface_triangles(vertices: np.ndarray, faces: list) -> np.ndarray:
    """Triangles (t, 3, 3) [m] of the faces about the means of their corners; some are reversed in concave faces."""
    corner, start = flat(faces)
    size = np.diff(start)
    following = np.arange(1, len(corner) + 1)
    following[start[1:] - 1] = start[:-1]
    p = vertices[corner]
    middle = np.add.reduceat(p, start[:-1], axis=0) / size[:, None]
    return np.stack([np.repeat(middle, size, axis=0), p, p[following]], axis=1)


def flat(faces: list) -> Tuple[np.ndarray, np.ndarray]:
    """Rows of all faces one after the other, and the start of each face."""
    return np.concatenate(faces), np.concatenate([[0], np.cumsum([len(face) for face in faces])])


def volume(triangles: np.ndarray) -> float:
    """Volume [m3] inside a closed surface (t, 3, 3)."""
    a, b, c = (triangles - triangles[0, 0]).transpose(1, 0, 2)
    return np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0


def box_around(vertices: np.ndarray, surface: list) -> Cell:
    """The bounding box as a cell, with the faces `surface` in it."""
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    corners = np.array([[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 1)])
    faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
    points = low + corners * (high - low)
    rows, start = flat(surface)
    return Cell(points, faces, face_planes(points, faces)[0], vertices[rows], start, np.arange(len(surface)))


def width(cell: Cell) -> float:
    """Least thickness [m] of the cell perpendicular to a face."""
    return (cell.planes[:, 3] - (cell.vertices @ cell.planes[:, :3].T).min(axis=0)).min()


def is_solid(triangles: np.ndarray, point: np.ndarray) -> bool:
    """Whether the point (3,) is inside the closed surface (t, 3, 3)."""
    return winding(triangles, 0, len(triangles), *point) > 0.5


def is_cut(cell: Cell, k: int, triangles: np.ndarray, distance: float) -> bool:
    """Whether there is solid beyond all of face k of the cell, at `distance` [m] from it."""
    corners = cell.vertices[cell.faces[k]]
    centre = corners.mean(axis=0)
    probes = np.vstack([centre, centre + PROBE * (corners - centre)]) + distance * cell.planes[k, :3]
    return all(is_solid(triangles, probe) for probe in probes)


def halves(cell: Cell, planes: np.ndarray, tolerance: float) -> List[Cell]:
    """The two cells on either side of the best plane among those of the pieces.

    The plane that splits the fewest pieces gives the fewest parts. Among equals, one with all surface on its inside
    cuts off a void and does not split the solid.
    """
    candidates = np.unique(cell.face)
    candidates = candidates[:: len(candidates) // CANDIDATES + 1]
    score = pieces_split(cell.points, cell.start, candidates, planes, tolerance)
    best = planes[candidates[np.argmin(score)]]
    return [half_cell(cell, sign * best, tolerance) for sign in (1.0, -1.0)]


def half_cell(cell: Cell, plane: np.ndarray, tolerance: float) -> Cell:
    """The part of the cell below a plane (4,) that runs through it, closed by the plane."""
    height = cell.vertices @ plane[:3] - plane[3]
    height[np.abs(height) <= tolerance] = 0.0
    pieces = pieces_below(cell.points, cell.start, plane, tolerance)
    points, made, faces, planes = list(cell.vertices), {}, [], []
    for face, own in zip(cell.faces, cell.planes):
        kept = []
        for i, j in zip(face, face[1:] + face[:1]):
            if height[i] <= 0.0:
                kept.append(i)
            if height[i] * height[j] < 0.0:
                edge = (min(i, j), max(i, j))
                if edge not in made:
                    s = height[edge[0]] / (height[edge[0]] - height[edge[1]])
                    made[edge] = len(points)
                    points.append(points[edge[0]] + s * (points[edge[1]] - points[edge[0]]))
                kept.append(made[edge])
        if any(i < len(height) and height[i] < 0.0 for i in kept):
            faces.append(kept)
            planes.append(own)
    faces.append(closing_face(faces))
    return compact(np.array(points), faces, np.array(planes + [plane]), *pieces, cell.face)


def closing_face(faces: list) -> list:
    """The face that closes an open polyhedron: the edges without a neighbour in the opposite direction."""
    edges = {(i, j) for face in faces for i, j in zip(face, face[1:] + face[:1])}
    following = {j: i for i, j in edges if (j, i) not in edges}
    loop = [min(following)]
    for _ in following:
        loop.append(following[loop[-1]])
        if loop[-1] == loop[0]:
            break
    return loop[:-1]


def compact(points: np.ndarray, faces: list, planes: np.ndarray, *pieces: np.ndarray) -> Cell:
    """A cell without vertices that no face uses."""
    used = sorted({i for face in faces for i in face})
    row = {i: k for k, i in enumerate(used)}
    return Cell(points[used], [[row[i] for i in face] for face in faces], planes, *pieces)
