"""A concave polyhedron as a union of convex cells, exactly.

A cell, convex at all times, starts as the box around the block together with the faces of the block. While there are
faces inside a cell, it is split along the plane of one of them, and the faces with it. A cell without faces inside is
wholly solid or wholly void; the winding number of the surface around its centre tells which. The solid cells are the
parts. Holes, tunnels and touching features need no special care: a cell is convex, a fragment of a face only says
where there still is surface.
"""

from typing import NamedTuple

import numpy as np

from compas_nscd.errors import GeometryError
from nscd_engine.kernels.geometry.surface_pieces import pieces_below, pieces_inside, pieces_split
from nscd_engine.kernels.geometry.winding_number import winding

#: Least tolerance of the cuts, over the size of the block: what rounding leaves of coordinates that should be equal.
ROUNDING = 1e-9
#: Parts of one block beyond which it is not cut: so many come from a surface that is curved, not built of planes.
#: Larger: such a block takes minutes. Smaller: gears and rings of many facets are refused.
MAX_PARTS = 500
#: Planes that are compared before a cut. Larger: slower. Smaller: more parts.
CANDIDATES = 100
#: Error of the volume, over that of the block, that cutting may leave beyond what the warp of the faces explains.
VOLUME_ERROR = 1e-9


class Cell(NamedTuple):
    """A convex polyhedron and the pieces of surface in it."""

    vertices: np.ndarray  # [m] (v, 3)
    faces: list  # of lists of rows, counter-clockwise from outside
    planes: np.ndarray  # (f, 4): outward normal and offset of each face
    points: np.ndarray  # [m] (m, 3): corners of the pieces, one behind the other
    start: np.ndarray  # (k + 1,): where the pieces begin
    face: np.ndarray  # (k,): face of the block that each piece came from


def split_block(vertices, faces, name):
    """Convex parts of one closed polyhedron.

    Parameters
    ----------
    vertices : [m] (v, 3)
    faces : list of rows of vertices, counter-clockwise from outside; concave ones too

    Returns
    -------
    solids : list of (vertices, faces)
    inner : list of bool, one per face of the solids: a cut, nowhere surface
        Both None if there would be more than MAX_PARTS.
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


def check_volume(solids, triangles, tolerance, name):
    """Refuse parts that do not fill the block."""
    block = volume(triangles)
    parts = sum(volume(surface_triangles(points, faces)) for points, faces in solids)
    area = 0.5 * np.linalg.norm(np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]), axis=1)
    if abs(parts - block) > VOLUME_ERROR * block + tolerance * area.sum():
        raise GeometryError(
            "A concave block could not be cut into convex parts: they have {:.6g} of its volume.".format(parts / block),
            remedy="Check that its faces are plane and do not intersect.",
            blocks=[name],
        )


def face_planes(vertices, faces):
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


def surface_triangles(vertices, faces):
    """Triangles (t, 3, 3) of the faces about the means of their corners; signed, so that concave faces are right."""
    corner, start = flat(faces)
    size = np.diff(start)
    following = np.arange(1, len(corner) + 1)
    following[start[1:] - 1] = start[:-1]
    p = vertices[corner]
    middle = np.add.reduceat(p, start[:-1], axis=0) / size[:, None]
    return np.stack([np.repeat(middle, size, axis=0), p, p[following]], axis=1)


def flat(faces):
    """Rows of all faces one behind the other, and where each face begins."""
    return np.concatenate(faces), np.concatenate([[0], np.cumsum([len(face) for face in faces])])


def volume(triangles):
    """Volume [m3] inside a closed surface."""
    a, b, c = (triangles - triangles[0, 0]).transpose(1, 0, 2)
    return np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0


def box_around(vertices, surface):
    """The bounding box as a cell, with the faces `surface` in it."""
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    corners = np.array([[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 1)])
    faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
    points = low + corners * (high - low)
    rows, start = flat(surface)
    return Cell(points, faces, face_planes(points, faces)[0], vertices[rows], start, np.arange(len(surface)))


def width(cell):
    """Thickness [m] of the cell square to the face where it is thinnest."""
    return (cell.planes[:, 3] - (cell.vertices @ cell.planes[:, :3].T).min(axis=0)).min()


def is_solid(triangles, point):
    """Whether the point is inside the closed surface."""
    return winding(triangles, 0, len(triangles), *point) > 0.5


def is_cut(cell, k, triangles, distance):
    """Whether there is solid beyond all of face k of the cell."""
    corners = cell.vertices[cell.faces[k]]
    centre = corners.mean(axis=0)
    probes = np.vstack([centre, centre + 0.9 * (corners - centre)]) + distance * cell.planes[k, :3]
    return all(is_solid(triangles, probe) for probe in probes)


def halves(cell, planes, tolerance):
    """The two cells beside the best plane among those of the pieces.

    The plane that splits the fewest pieces gives the fewest parts; among equals one with all surface on its inside cuts
    off a void and leaves the solid whole.
    """
    candidates = np.unique(cell.face)
    candidates = candidates[:: len(candidates) // CANDIDATES + 1]
    score = pieces_split(cell.points, cell.start, candidates, planes, tolerance)
    best = planes[candidates[np.argmin(score)]]
    return [half_cell(cell, sign * best, tolerance) for sign in (1.0, -1.0)]


def half_cell(cell, plane, tolerance):
    """The part of the cell below a plane that runs through it, closed by the plane."""
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


def closing_face(faces):
    """The face that closes an open polyhedron: it runs against the edges that have no neighbour."""
    edges = {(i, j) for face in faces for i, j in zip(face, face[1:] + face[:1])}
    following = {j: i for i, j in edges if (j, i) not in edges}
    loop = [min(following)]
    for _ in following:
        loop.append(following[loop[-1]])
        if loop[-1] == loop[0]:
            break
    return loop[:-1]


def compact(points, faces, planes, *pieces):
    """A cell without the vertices that no face uses."""
    used = sorted({i for face in faces for i in face})
    row = {i: k for k, i in enumerate(used)}
    return Cell(points[used], [[row[i] for i in face] for face in faces], planes, *pieces)
