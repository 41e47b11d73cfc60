"""Vertices and faces of closed Rhino geometry."""

from typing import Any, List, Tuple

import numpy as np

from compas_nscd.errors import GeometryError
from compas_nscd.files.threedm.solids import (
    KINDS,
    MAX_DEPTH,
    Solid,
    brep_shape,
    creased,
    merged,
    placed,
    user_text,
)
from compas_nscd.rhino.arrays import coordinates, numbers
from compas_nscd.rhino.document import Units, active, layer_path


def solids(geometry: Any, units: Units, attributes: Any = None, document: Any = None, depth: int = 0) -> List[Solid]:
    """Solids of a Rhino geometry, with name, layer and user text of its object; an instance has several.

    Parameters
    ----------
    geometry : GeometryBase
    units : Units
    attributes : ObjectAttributes, optional
        Of the object that has the geometry.
    document : RhinoDoc, optional
        Default: the active one.
    depth : int, optional
        Number of instances around this one.

    Returns
    -------
    list of Solid

    Raises
    ------
    GeometryError
        Its message is written to follow the name of the object.
    """
    kind = type(geometry).__name__
    if kind not in KINDS:
        remedy = "Give a closed Brep, mesh, extrusion, SubD or block instance."
        raise GeometryError("it is a {}, not a solid".format(kind), remedy=remedy)
    strings, name, layer, guid = user_text(geometry) if geometry.UserStringCount else {}, None, "", None
    if attributes is not None:
        strings.update(user_text(attributes))
        name, guid = attributes.Name or None, str(attributes.ObjectId)
        layer = layer_path(document or active(), attributes)
    if not kind.startswith("InstanceReference"):
        vertices, faces = _shape(geometry, kind, units)
        return [Solid(name, vertices, faces, (layer,), strings, guid)]
    definition = (document or active()).InstanceDefinitions.Find(geometry.ParentIdefId, True)
    if definition is None or depth == MAX_DEPTH:
        raise GeometryError("its definition is missing" if definition is None else "it is nested too deeply")
    parts = []
    for item in definition.GetObjects():
        if type(item.Geometry).__name__ in KINDS:
            parts += solids(item.Geometry, units, item.Attributes, document, depth + 1)
    if not parts:
        raise GeometryError("its definition has no solids")
    return placed(parts, geometry.Xform, name or definition.Name or None, (layer,), strings, guid)


def _shape(geometry: Any, kind: str, units: Units) -> Tuple[np.ndarray, List[List[int]]]:
    import Rhino

    package = Rhino.Geometry
    if kind == "Mesh":
        return _mesh_shape(geometry)
    brep = geometry
    if kind == "SubD":
        if creased(package, geometry):
            return _mesh_shape(package.Mesh.CreateFromSubDControlNet(geometry))
        brep = geometry.ToBrep()  # smooth: only Rhino can compute its surface
    elif kind == "Extrusion":
        brep = geometry.ToBrep(True)
    return brep_shape(brep, units.tolerance, lambda faces: _meshed(package, brep), _mesh_shape)


def _meshed(package: Any, brep: Any) -> List[Any]:
    found = package.Mesh.CreateFromBrep(brep, package.MeshingParameters.FastRenderMesh)
    return list(found) if found is not None else [None]


def _mesh_shape(*meshes: Any) -> Tuple[np.ndarray, List[List[int]]]:
    """Vertices and faces of meshes that together are one solid."""
    return merged(*[_read_mesh(mesh) for mesh in meshes])


def _read_mesh(mesh: Any) -> Tuple[List[Any], List[Any]]:
    vertices = mesh.Vertices
    if vertices.UseDoublePrecisionVertices:
        points = coordinates(vertices.ToPoint3dArray())
    else:
        points = numbers(vertices.ToFloatArray(), np.float32, 3)
    return points.tolist(), numbers(mesh.Faces.ToIntArray(False), np.int32, 4).tolist()
