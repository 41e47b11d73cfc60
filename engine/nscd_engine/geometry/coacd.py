"""Convex parts of a block with very many reflex edges, by the library CoACD: near the surface, not on it."""

import numpy as np

from compas_nscd.errors import GeometryError
from nscd_engine.geometry.convex_cells import MAX_PARTS, Cell, face_planes, is_cut, surface_triangles, width

#: Concavity, over the size, that a part may keep. Larger: hollows are filled. Smaller: minutes, and hundreds of parts.
CONCAVITY = 0.02
#: Thickness of a part, over the size of the block, below which it is left out; distance at which solid is looked for.
THIN, BEYOND = 1e-6, 1e-3


def approximate_parts(vertices, faces, name):
    """Convex parts of one closed polyhedron as `cells.split_block` gives them, but with its surface only nearly.

    Raises
    ------
    GeometryError
        If the library is not there.
    """
    try:
        import coacd
    except ImportError:
        raise GeometryError(
            "A concave block needs more than {} convex parts.".format(MAX_PARTS),
            remedy="Simplify its curved faces, split it into several blocks, or install the extra `curved` (coacd) "
            "where the engine runs, which keeps its shape only nearly.",
            blocks=[name],
        )
    coacd.set_log_level("error")
    triangles = surface_triangles(vertices, faces)
    points, rows = np.unique(triangles.reshape(-1, 3), axis=0, return_inverse=True)
    mesh = coacd.Mesh(points, rows.reshape(-1, 3))
    hulls = coacd.run_coacd(mesh, threshold=CONCAVITY, preprocess_mode="off", seed=0)
    size = np.linalg.norm(np.ptp(vertices, axis=0))
    solids, inner = [], []
    for corners, _ in hulls:
        solid = hull_of(np.asarray(corners, float))
        cell = Cell(*solid, face_planes(*solid)[0], None, None, None)
        if width(cell) > THIN * size:
            solids.append(solid)
            inner += [is_cut(cell, k, triangles, BEYOND * size) for k in range(len(cell.faces))]
    return solids, inner


def hull_of(points):
    """Vertices and outward triangles of the convex hull."""
    from scipy.spatial import ConvexHull  # loaded here: it takes a tenth of the start of an engine

    hull = ConvexHull(points)
    used = hull.vertices
    row = np.full(len(points), -1)
    row[used] = np.arange(len(used))
    p, q, r = points[hull.simplices].transpose(1, 0, 2)
    turned = np.einsum("ij,ij->i", np.cross(q - p, r - p), hull.equations[:, :3]) < 0.0
    triangles = np.where(turned[:, None], hull.simplices[:, ::-1], hull.simplices)
    return points[used], [list(t) for t in row[triangles]]
