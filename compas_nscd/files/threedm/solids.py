"""Vertices and faces of Rhino solids: of RhinoCommon inside Rhino, of rhino3dm outside.

Both libraries wrap the same objects and name some members differently; only this module depends on that. A Brep with
planar faces, straight edges and no holes is converted exactly. Any other Brep is represented by meshes that the caller
provides, because only Rhino can make them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Callable, NamedTuple

import numpy as np

from compas_nscd.errors import GeometryError

#: Kinds of geometry that can be blocks.
KINDS = ("Brep", "Extrusion", "Mesh", "SubD", "InstanceReference", "InstanceReferenceGeometry")
#: Deepest nesting of block instances. Larger: a cyclic definition exhausts the stack. Smaller: deep models are refused.
MAX_DEPTH = 20
#: Greatest share of edges of a mesh with one face that may be a hole in a solid [-]. Larger: open strips are blocks
#: with a defect. Smaller: solids with a hole are left out instead of being reported as open.
MOST_OPEN = 0.3


class Solid(NamedTuple):
    """One block in the document or file."""

    name: str | None
    vertices: np.ndarray  # [unit of the document] (n, 3)
    faces: list[list[int]]
    layers: tuple[str, ...]  # full paths: of the object, and of the instances that contain it
    strings: dict[str, str]  # user text, keys in lower case
    guid: str | None  # of the object, or of an instance that contains nothing else; else None


def listed(collection: Any) -> list[Any]:
    """Items of a collection of either library."""
    count = getattr(collection, "Count", None)
    if not isinstance(count, int):
        count = len(collection)
    return [collection[i] for i in range(count)]


def mesh_shape(*meshes: Any) -> tuple[np.ndarray, list[list[int]]]:
    """Vertices and faces of meshes of rhino3dm that together are one solid; coincident vertices are merged."""
    return merged(*[_read_mesh(mesh) for mesh in meshes])


def _read_mesh(mesh: Any) -> tuple[list[tuple[float, float, float]], list[tuple[int, int, int, int]]]:
    points = [(p.X, p.Y, p.Z) for p in mesh.Vertices.ToPoint3dArray()]
    return points, [(f.A, f.B, f.C, f.D) if hasattr(f, "A") else f for f in listed(mesh.Faces)]


def merged(*meshes: tuple[Sequence[Any], Sequence[Any]]) -> tuple[np.ndarray, list[list[int]]]:
    """Vertices and faces of meshes that together are one solid; coincident vertices are merged.

    Parameters
    ----------
    meshes : (points, faces)
        Points (x, y, z) and faces of four corners each, the last one twice in a triangle.
    """
    number: dict[tuple[float, float, float], int] = {}
    faces: list[list[int]] = []
    for points, corners in meshes:
        index = [number.setdefault(tuple(point), len(number)) for point in points]
        faces += [[index[a], index[b], index[c]] + [index[d]] * (c != d) for a, b, c, d in corners]
    return np.array(list(number), float).reshape(-1, 3), faces


def closed_mesh(mesh: Any) -> tuple[np.ndarray, list[list[int]]]:
    """Vertices and faces of a mesh that is a solid; strips and sheets are refused."""
    vertices, faces = mesh_shape(mesh)
    sides = Counter(tuple(sorted(side)) for face in faces for side in zip(face, face[1:] + face[:1]))
    rim = sum(count == 1 for count in sides.values())
    if rim > MOST_OPEN * len(sides):
        raise GeometryError("an open mesh: {} of {} edges have one face".format(rim, len(sides)))
    return vertices, faces


def creased(package: Any, subd: Any) -> bool:
    """Whether all edges of a SubD are creased, so that its control net is the solid.

    Parameters
    ----------
    package : module
        rhino3dm or Rhino.Geometry.
    """
    return all(edge.Tag == package.SubDEdgeTag.Crease for edge in subd.Edges)


def subd_shape(package: Any, subd: Any) -> tuple[np.ndarray, list[list[int]]]:
    """Vertices and faces of the control net of a creased SubD of rhino3dm."""
    if not creased(package, subd):
        raise GeometryError("a SubD with smooth edges")
    return mesh_shape(package.Mesh.CreateFromSubDControlNet(subd, False))


def brep_shape(
    brep: Any, tolerance: float, meshes: Callable[[list[Any]], Sequence[Any]], read: Callable[..., Any] = mesh_shape
) -> tuple[np.ndarray, list[list[int]]]:
    """Vertices and faces of a closed Brep.

    Parameters
    ----------
    tolerance : float
        Greatest deviation of a face from a plane and of an edge from a line [unit of the document].
    meshes : callable
        Returns the meshes of the faces of a Brep that is not a polyhedron; None for a face without one.
    read : callable, optional
        Vertices and faces of such meshes.
    """
    if not brep.IsSolid:
        raise GeometryError("open")
    faces = listed(brep.Faces)
    counts = {
        "curved faces": sum(not face.IsPlanar(tolerance) for face in faces),
        "faces with holes": sum(len(listed(face.Loops)) > 1 for face in faces),
        "curved edges": sum(not edge.IsLinear(tolerance) for edge in listed(brep.Edges)),
    }
    if not any(counts.values()):
        corners = [_corners(face) for face in faces]
        points = [vertex.Location for vertex in listed(brep.Vertices)]
        return np.array([(p.X, p.Y, p.Z) for p in points]), corners
    found = list(meshes(faces))
    if any(mesh is None for mesh in found):
        what = ", ".join("{} {}".format(n, kind) for kind, n in counts.items() if n)
        raise GeometryError("{} and no stored mesh".format(what))
    return read(*found)


def _corners(face: Any) -> list[int]:
    """Indices of the corners of a face, counter-clockwise seen from outside."""
    trims = listed(face.OuterLoop.Trims)
    if hasattr(trims[0], "StartVertexIndex"):
        corners = [trim.StartVertexIndex for trim in trims]
    else:
        corners = [trim.StartVertex.VertexIndex for trim in trims]
    return corners[::-1] if face.OrientationIsReversed else corners


def matrix(transform: Any) -> np.ndarray:
    """A transformation as an array (4, 4)."""
    return np.array([[getattr(transform, "M{}{}".format(i, j)) for j in range(4)] for i in range(4)], float)


def placed(
    parts: Sequence[Solid],
    transform: Any,
    name: str | None,
    layer: tuple[str, ...],
    strings: dict[str, str],
    guid: str | None,
) -> list[Solid]:
    """Parts of an instance, transformed.

    Parameters
    ----------
    parts : list of Solid
        Of the definition.
    transform : Transform
        Of either library.
    name, layer, strings, guid
        Of the instance; its user text takes precedence over that of the parts.
    """
    to = matrix(transform)
    mirrored = np.linalg.det(to[:3, :3]) < 0.0
    found = []
    for k, part in enumerate(parts):
        faces = [face[::-1] for face in part.faces] if mirrored else part.faces
        own = name if len(parts) == 1 else "{}/{}".format(name, part.name or k)
        vertices = part.vertices @ to[:3, :3].T + to[:3, 3]
        merged = dict(part.strings, **strings)
        found.append(Solid(own, vertices, faces, layer + part.layers, merged, guid if len(parts) == 1 else None))
    return found


def user_text(holder: Any) -> dict[str, str]:
    """User text of attributes or of a geometry, keys in lower case."""
    strings = holder.GetUserStrings()
    if hasattr(strings, "AllKeys"):  # RhinoCommon: a NameValueCollection
        return {key.lower(): strings[key] for key in strings.AllKeys}
    return {key.lower(): text for key, text in strings}
