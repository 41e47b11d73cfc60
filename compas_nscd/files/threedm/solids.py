"""Solids of Rhino as vertices and faces: of RhinoCommon inside Rhino, of rhino3dm outside.

Both libraries wrap the same objects and name some members differently; those differences are here and nowhere else. A
Brep is taken exactly where it is a polyhedron: planar faces, straight edges, no holes. Any other is taken by meshes
that the caller provides, because only Rhino itself can make them.
"""

from typing import NamedTuple

import numpy as np

from compas_nscd.errors import GeometryError

#: Kinds of geometry that can be blocks.
KINDS = ("Brep", "Extrusion", "Mesh", "SubD", "InstanceReference", "InstanceReferenceGeometry")
#: Deepest nesting of block instances.
MAX_DEPTH = 20


class Solid(NamedTuple):
    """One block as it stands in the document or file."""

    name: object  # str or None
    vertices: np.ndarray  # [unit of the document] (n, 3)
    faces: list
    layers: tuple  # full paths: of the object, and of the instances it is part of
    strings: dict  # user text, keys in lower case
    guid: object  # of the object, or of the instance if it is all of it; else None


def listed(collection):
    """Items of a collection of either library as a list."""
    count = getattr(collection, "Count", None)
    if not isinstance(count, int):
        count = len(collection)
    return [collection[i] for i in range(count)]


def mesh_shape(*meshes):
    """Vertices and faces of meshes that are one solid, vertices at the same place taken together."""
    number, faces = {}, []
    for mesh in meshes:
        index = [number.setdefault((p.X, p.Y, p.Z), len(number)) for p in mesh.Vertices.ToPoint3dArray()]
        for face in listed(mesh.Faces):
            a, b, c, d = (face.A, face.B, face.C, face.D) if hasattr(face, "A") else face
            corners = (a, b, c) if c == d else (a, b, c, d)
            faces.append([index[i] for i in corners])
    return np.array(list(number), float).reshape(-1, 3), faces


def subd_shape(package, subd):
    """The control net of a SubD, which is the solid if all its edges are creased.

    Parameters
    ----------
    package : module
        rhino3dm or Rhino.Geometry.
    """
    if not all(edge.Tag == package.SubDEdgeTag.Crease for edge in subd.Edges):
        raise GeometryError("a SubD with smooth edges")
    return mesh_shape(package.Mesh.CreateFromSubDControlNet(subd, False))


def brep_shape(brep, tolerance, meshes):
    """Vertices and faces of a closed Brep.

    Parameters
    ----------
    tolerance : float
        How far a face may be from planar and an edge from straight [unit of the document].
    meshes : callable
        Takes the faces of a Brep that is no polyhedron, and gives meshes of all of them; None for one that has none.
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
    return mesh_shape(*found)


def _corners(face):
    """Indices of the corners of a face, counter-clockwise seen from outside."""
    trims = listed(face.OuterLoop.Trims)
    if hasattr(trims[0], "StartVertexIndex"):
        corners = [trim.StartVertexIndex for trim in trims]
    else:
        corners = [trim.StartVertex.VertexIndex for trim in trims]
    return corners[::-1] if face.OrientationIsReversed else corners


def matrix(transform):
    """A transformation as an array (4, 4)."""
    return np.array([[getattr(transform, "M{}{}".format(i, j)) for j in range(4)] for i in range(4)], float)


def placed(parts, transform, name, layer, strings, guid):
    """Parts of an instance where it puts them; what is said of the instance goes before what is said of the part."""
    to = matrix(transform)
    mirrored = np.linalg.det(to[:3, :3]) < 0.0
    found = []
    for k, part in enumerate(parts):
        faces = [face[::-1] for face in part.faces] if mirrored else part.faces
        own = name if len(parts) == 1 else "{}/{}".format(name, part.name or k)
        vertices = part.vertices @ to[:3, :3].T + to[:3, 3]
        said = dict(part.strings, **strings)
        found.append(Solid(own, vertices, faces, layer + part.layers, said, guid if len(parts) == 1 else None))
    return found


def user_text(holder):
    """User text of an object's attributes or of a geometry, keys in lower case."""
    strings = holder.GetUserStrings()
    if hasattr(strings, "AllKeys"):  # RhinoCommon: a NameValueCollection
        return {key.lower(): strings[key] for key in strings.AllKeys}
    return {key.lower(): text for key, text in strings}
