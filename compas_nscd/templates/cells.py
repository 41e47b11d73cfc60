"""Convex polyhedra cut by planes: what fractures make of a body of rock.

A cell is (vertices, faces): a list of (x, y, z) [m] and lists of indices, outward, as `shapes` makes them.
"""

import numpy as np

#: A vertex closer to a plane than this lies on it [size of the body]. Larger: faces are no longer plane. Smaller: edges
#: of rounding error.
ON_PLANE = 1e-10


def divide(body, normals, offsets, thinnest):
    """Cut a convex body by planes, each through the whole of it.

    Parameters
    ----------
    body : cell
    normals : (n, 3) array
        Unit normals of the planes.
    offsets : (n,) array
        The planes are ``normal . x = offset`` [m].
    thinnest : float
        A plane stops at a cell from which it would cut less than this, measured at right angles to it, or less than a
        cube of this size [m].

    Returns
    -------
    list of cell
    """
    tolerance = ON_PLANE * np.ptp(np.array(body[0]), axis=0).max()
    done, waiting = [], [(body, np.arange(len(offsets)))]
    while waiting:
        cell, planes = waiting.pop()
        distance = np.array(cell[0]) @ normals[planes].T - offsets[planes]
        crossing = np.flatnonzero((distance.min(axis=0) < -thinnest) & (distance.max(axis=0) > thinnest))
        if not len(crossing):
            done.append(cell)
            continue
        first, rest = distance[:, crossing[0]], planes[crossing[1:]]
        below, above = cut(cell, first.tolist(), tolerance)
        depth = min(-first.min(), first.max())
        # The smaller part holds at least the cone over the cut.
        if depth * _area(below) > 3.0 * thinnest**3:
            waiting += [(above, rest), (below, rest)]
        else:
            waiting.append((cell, rest))
    return done


def _area(cell):
    """Of the last face, which the last cut made [m2]."""
    vertices, cap = cell[0], cell[1][-1]
    (xo, yo, zo), total = vertices[cap[0]], [0.0, 0.0, 0.0]
    for i, j in zip(cap[1:], cap[2:]):
        (xa, ya, za), (xb, yb, zb) = vertices[i], vertices[j]
        xa, ya, za, xb, yb, zb = xa - xo, ya - yo, za - zo, xb - xo, yb - yo, zb - zo
        total[0] += ya * zb - za * yb
        total[1] += za * xb - xa * zb
        total[2] += xa * yb - ya * xb
    return 0.5 * sum(t * t for t in total) ** 0.5


def cut(cell, distance, tolerance):
    """The two parts of a cell below and above a plane, from the distances of its vertices to the plane [m]."""
    vertices = list(cell[0])
    side = [0 if -tolerance <= d <= tolerance else 1 if d > 0.0 else -1 for d in distance]
    touched = 0 in side
    between, below, above = {}, [], []
    against = {}  # edges of the cut, each as the part below runs along it: end -> start
    for face in cell[1]:
        sides = [side[i] for i in face]
        if 1 not in sides:
            below.append(face)
            if touched:
                edges = zip(face, face[1:] + face[:1])
                against.update((j, i) for i, j in edges if side[i] == 0 == side[j])
        elif -1 not in sides:
            above.append(face)
        else:
            low, high = _split(face, vertices, distance, side, between)
            below.append(low)
            above.append(high)
            first, last = [k for k, i in enumerate(low) if side[i] == 0]
            start, end = (low[first], low[last]) if last == first + 1 else (low[last], low[first])
            against[end] = start
    cap = [start]
    while len(cap) < len(against):
        cap.append(against[cap[-1]])
    return _part(vertices, below + [cap], side, -1), _part(vertices, above + [cap[::-1]], side, 1)


def _split(face, vertices, distance, side, between):
    """The two parts of a face that the plane crosses; new vertices are added to `vertices` and `side`."""
    low, high, i = [], [], face[-1]
    for j in face:
        if side[i] * side[j] < 0:
            edge = (i, j) if i < j else (j, i)
            if edge not in between:
                between[edge] = len(vertices)
                a, b = edge
                t = distance[a] / (distance[a] - distance[b])
                (xa, ya, za), (xb, yb, zb) = vertices[a], vertices[b]
                vertices.append((xa + t * (xb - xa), ya + t * (yb - ya), za + t * (zb - za)))
                side.append(0)
            low.append(between[edge])
            high.append(between[edge])
        if side[j] <= 0:
            low.append(j)
        if side[j] >= 0:
            high.append(j)
        i = j
    return low, high


def _part(vertices, faces, side, which):
    """A part with only its own vertices."""
    own, number = [], [0] * len(side)
    for i, s in enumerate(side):
        if s != -which:
            number[i] = len(own)
            own.append(vertices[i])
    return own, [[number[i] for i in face] for face in faces]
