"""Drawings (.dxf), with the package ezdxf: meshes are solids, closed polylines the blocks of a planar model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from compas_nscd.errors import FileError, NotAvailableError
from compas_nscd.files.contents import Contents, LeftOut, Part
from compas_nscd.files.limits import MAX_FACES, require_count, require_size
from compas_nscd.files.mesh_formats.pieces import welded
from compas_nscd.files.units import LENGTHS

#: Depth of a planar block whose polyline has no thickness [m].
DEPTH = 1.0
#: Length of the unit of a drawing, by the number of $INSUNITS [m].
_UNITS = {1: LENGTHS["in"], 2: LENGTHS["ft"], 4: LENGTHS["mm"], 5: LENGTHS["cm"], 6: LENGTHS["m"]}
#: Distance of a chord from an arc of a polyline, over the size of the polyline [-]. Larger: arcs are coarse. Smaller:
#: many narrow joints.
SAGITTA = 1e-3


def ezdxf() -> Any:
    """The package ezdxf, or an error that says how to install it."""
    try:
        import ezdxf as package
    except ImportError:
        raise NotAvailableError(".dxf files need ezdxf.", remedy="pip install compas_nscd[dxf]")
    return package


def read_dxf(path: Path) -> Contents:
    """Solids of a drawing, or its closed polylines with a depth.

    Polylines are drawn in the plane x, y of the drawing, y up; they become blocks in the plane x, z.

    Raises
    ------
    FileError
        If the drawing is damaged.
    """
    package = ezdxf()
    require_size(path)
    try:
        document = package.readfile(str(path))
        items = list(document.modelspace())
    except (OSError, package.DXFError, ValueError, KeyError, IndexError, TypeError) as error:
        raise FileError("{} is not a .dxf file, or is damaged: {!s:.80}.".format(path.name, error))
    require_count(len(items), MAX_FACES, "objects", path.name)
    metres = _UNITS.get(int(document.header.get("$INSUNITS", 0) or 0))
    hidden = {layer.dxf.name for layer in document.layers if layer.is_off() or layer.is_frozen()}
    reader = _Reader(hidden, DEPTH / (metres or 1.0))
    for item in items:
        reader.take(item)
    planar = bool(reader.outlines) and not reader.solids
    parts = reader.outlines if planar else reader.solids
    if not planar:
        reader.left_out += [LeftOut(part.name or "", part.layers[0], "beside solids") for part in reader.outlines]
    return Contents(parts, metres, planar="y" if planar else None, left_out=tuple(reader.left_out))


class _Reader:
    """Objects of a drawing, sorted into solids, outlines and others."""

    def __init__(self, hidden: set[str], depth: float) -> None:
        self.hidden, self.depth = hidden, depth
        self.solids: list[Part] = []
        self.outlines: list[Part] = []
        self.left_out: list[LeftOut] = []

    def take(self, item: Any) -> None:
        kind, layer, name = item.dxftype(), str(item.dxf.layer), str(item.dxf.handle)
        hidden = layer in self.hidden
        if kind == "MESH" or (kind == "POLYLINE" and (item.is_poly_face_mesh or item.is_polygon_mesh)):
            vertices, faces = _mesh(item, kind)
            self.solids.append(Part(name, vertices, faces, (layer,), hidden))
        elif kind in ("LWPOLYLINE", "POLYLINE") and _is_closed(item, kind):
            outline = _outline(item, kind)
            if len(outline) > 2:
                depth = float(item.dxf.get("thickness", 0.0)) or self.depth
                self.outlines.append(Part(name, *_prism(outline, depth), (layer,), hidden))
        else:
            what = "an open polyline" if "POLYLINE" in kind else kind
            self.left_out.append(LeftOut(name, layer, "{}: not a solid".format(what)))


def _mesh(item: Any, kind: str) -> tuple[np.ndarray, list[list[int]]]:
    if kind == "MESH":
        return np.array([list(v) for v in item.vertices], float).reshape(-1, 3), [list(face) for face in item.faces]
    corners, sizes = [], []
    for face in item.faces():
        points = [list(vertex.dxf.location) for vertex in face[:-1]]
        corners += points
        sizes.append(len(points))
    vertices, index = welded(np.array(corners, float).reshape(-1, 3))
    ends = np.cumsum(sizes)
    return vertices, [index[end - size : end].tolist() for size, end in zip(sizes, ends)]


def _is_closed(item: Any, kind: str) -> bool:
    return bool(item.closed if kind == "LWPOLYLINE" else item.is_closed)


def _outline(item: Any, kind: str) -> np.ndarray:
    """Corners (n, 2) of a closed polyline, counter-clockwise; arcs as chords."""
    from ezdxf.path import make_path

    straight = np.array([list(p)[:2] for p in make_path(item).control_vertices()], float).reshape(-1, 2)
    size = float(np.ptp(straight, axis=0).max()) if len(straight) else 0.0
    points = np.array([list(p)[:2] for p in make_path(item).flattening(SAGITTA * size or 1.0)], float).reshape(-1, 2)
    apart = np.linalg.norm(points - np.roll(points, 1, axis=0), axis=1) > 1e-9 * size
    points = points[apart]
    x, y = points.T
    area = 0.5 * float(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))
    return points if area > 0.0 else points[::-1]


def _prism(outline: np.ndarray, depth: float) -> tuple[np.ndarray, list[list[int]]]:
    """Block in the plane x, z, of the given depth along y."""
    n = len(outline)
    x, z = outline.T
    front, back = np.full(n, -0.5 * depth), np.full(n, 0.5 * depth)
    vertices = np.concatenate([np.stack([x, front, z], axis=1), np.stack([x, back, z], axis=1)])
    sides = [[k, n + k, n + (k + 1) % n, (k + 1) % n] for k in range(n)]
    return vertices, [list(range(n)), list(range(n, 2 * n))[::-1], *sides]
