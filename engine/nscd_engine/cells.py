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

#: Least tolerance of the cuts, over the size of the block: what rounding leaves of coordinates that should be equal.
ROUNDING = 1e-9
#: Parts of one block beyond which it is refused: so many come from a surface that is curved, not built of planes.
MAX_PARTS = 100
#: Error of the volume, over that of the block, that cutting may leave beyond what the warp of the faces explains.
VOLUME_ERROR = 1e-9


class Cell(NamedTuple):
    """A convex polyhedron and the pieces of surface in it."""

    vertices: np.ndarray  # [m] (v, 3)
    faces: list  # of lists of rows, counter-clockwise from outside
    planes: np.ndarray  # (f, 4): outward normal and offset of each face
    pieces: list  # of (face of the block, polygon (k, 3))


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
    """
    size = np.linalg.norm(np.ptp(vertices, axis=0))
    origin = vertices.mean(axis=0)
    vertices = vertices - origin
    planes, warp = face_planes(vertices, faces)
    tolerance = max(ROUNDING * size, 2.0 * warp.max())
    triangles = surface_triangles(vertices, faces)
    waiting = [box_around(vertices, [(k, vertices[face]) for k, face in enumerate(faces)])]
    solids, inner = [], []
    while waiting:
        cell = waiting.pop()
        pieces = [(k, polygon) for k, polygon in cell.pieces if is_inside(cell, planes[k], polygon, tolerance, size)]
        if pieces:
            waiting += halves(cell._replace(pieces=pieces), planes, tolerance)
        elif width(cell) > 2.0 * tolerance and winding(triangles, cell.vertices.mean(axis=0)) > 0.5:
            solids.append((cell.vertices + origin, cell.faces))
            inner += [is_cut(cell, k, triangles, 10.0 * tolerance) for k in range(len(cell.faces))]
        if len(solids) + len(waiting) > MAX_PARTS:
            raise GeometryError(
                "A concave block needs more than {} convex parts.".format(MAX_PARTS),
                remedy="Simplify its curved faces, or split it into several blocks.",
                blocks=[name],
            )
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
    planes, warp = np.zeros((len(faces), 4)), np.zeros(len(faces))
    for k, face in enumerate(faces):
        p = vertices[face]
        arm = p - p.mean(axis=0)
        n = np.cross(arm, np.roll(arm, -1, axis=0)).sum(axis=0)
        n /= np.linalg.norm(n)
        height = p @ n
        planes[k] = *n, height.mean()
        warp[k] = np.abs(height - height.mean()).max()
    return planes, warp


def surface_triangles(vertices, faces):
    """Triangles (t, 3, 3) of the faces about the means of their corners; signed, so that concave faces are right."""
    triangles = []
    for face in faces:
        p = vertices[face]
        q = np.roll(p, -1, axis=0)
        triangles.append(np.stack([np.broadcast_to(p.mean(axis=0), p.shape), p, q], axis=1))
    return np.concatenate(triangles)


def volume(triangles):
    """Volume [m3] inside a closed surface."""
    a, b, c = (triangles - triangles[0, 0]).transpose(1, 0, 2)
    return np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0


def winding(triangles, point):
    """How often the surface wraps around the point: 1 inside, 0 outside (van Oosterom and Strackee 1983)."""
    a, b, c = (triangles - point).transpose(1, 0, 2)
    la, lb, lc = np.linalg.norm(a, axis=1), np.linalg.norm(b, axis=1), np.linalg.norm(c, axis=1)
    ab, bc, ca = (a * b).sum(axis=1), (b * c).sum(axis=1), (c * a).sum(axis=1)
    angle = np.arctan2((a * np.cross(b, c)).sum(axis=1), la * lb * lc + ab * lc + bc * la + ca * lb)
    return angle.sum() / (2.0 * np.pi)


def box_around(vertices, pieces):
    """The bounding box as a cell."""
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    corners = np.array([[x, y, z] for z in (0, 1) for y in (0, 1) for x in (0, 1)])
    faces = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]]
    points = low + corners * (high - low)
    return Cell(points, faces, face_planes(points, faces)[0], pieces)


def is_inside(cell, plane, polygon, tolerance, size):
    """Whether a piece of surface in `plane` runs through the cell, rather than along its boundary or not at all."""
    height = cell.vertices @ plane[:3] - plane[3]
    if len(polygon) < 3 or height.max() <= tolerance or height.min() >= -tolerance:
        return False
    height = polygon @ cell.planes[:, :3].T - cell.planes[:, 3]
    if (np.abs(height) <= tolerance).all(axis=0).any():
        return False
    arm = polygon - polygon[0]
    return np.linalg.norm(np.cross(arm, np.roll(arm, -1, axis=0)).sum(axis=0)) > tolerance * size


def width(cell):
    """Thickness [m] of the cell square to the face where it is thinnest."""
    return (cell.planes[:, 3] - (cell.vertices @ cell.planes[:, :3].T).min(axis=0)).min()


def is_cut(cell, k, triangles, distance):
    """Whether there is solid beyond all of face k of the cell."""
    corners = cell.vertices[cell.faces[k]]
    centre = corners.mean(axis=0)
    probes = np.vstack([centre, centre + 0.9 * (corners - centre)]) + distance * cell.planes[k, :3]
    return all(winding(triangles, probe) > 0.5 for probe in probes)


def halves(cell, planes, tolerance):
    """The two cells beside the best plane among those of the pieces.

    The plane that splits the fewest pieces gives the fewest parts; among equals one with all surface on its inside cuts
    off a void and leaves the solid whole.
    """
    candidates = sorted({k for k, _ in cell.pieces})
    begin = np.concatenate([[0], np.cumsum([len(polygon) for _, polygon in cell.pieces])[:-1]])
    points = np.vstack([polygon for _, polygon in cell.pieces])
    height = points @ planes[candidates, :3].T - planes[candidates, 3]
    above = np.maximum.reduceat(height, begin) > tolerance
    below = np.minimum.reduceat(height, begin) < -tolerance
    score = (above & below).sum(axis=0) + 0.5 * above.any(axis=0)
    best = planes[candidates[int(np.argmin(score))]]
    return [half_cell(cell, sign * best, tolerance) for sign in (1.0, -1.0)]


def half_cell(cell, plane, tolerance):
    """The part of the cell below a plane that runs through it, closed by the plane."""
    height = cell.vertices @ plane[:3] - plane[3]
    height[np.abs(height) <= tolerance] = 0.0
    pieces = [(k, polygon_below(polygon, plane, tolerance)) for k, polygon in cell.pieces]
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
    return compact(np.array(points), faces, np.array(planes + [plane]), pieces)


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


def compact(points, faces, planes, pieces):
    """A cell without the vertices that no face uses."""
    used = sorted({i for face in faces for i in face})
    row = {i: k for k, i in enumerate(used)}
    return Cell(points[used], [[row[i] for i in face] for face in faces], planes, pieces)


def polygon_below(polygon, plane, tolerance):
    """The part of a polygon below a plane; concave ones may come back with edges that touch, of the same area."""
    height = polygon @ plane[:3] - plane[3]
    height[np.abs(height) <= tolerance] = 0.0
    kept = []
    for p, q, hp, hq in zip(polygon, np.roll(polygon, -1, axis=0), height, np.roll(height, -1)):
        if hp <= 0.0:
            kept.append(p)
        if hp * hq < 0.0:
            kept.append(p + hp / (hp - hq) * (q - p))
    return np.array(kept).reshape(-1, 3)
