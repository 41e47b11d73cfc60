"""Closed solids of Rhino geometry as vertices and faces."""

from compas_nscd.errors import GeometryError
from compas_nscd.files.threedm.solids import (
    KINDS,
    MAX_DEPTH,
    Solid,
    brep_shape,
    mesh_shape,
    placed,
    subd_shape,
    user_text,
)
from compas_nscd.rhino.document import active, layer_path


def solids(geometry, units, attributes=None, document=None, depth=0):
    """Solids of a geometry of Rhino, with what its object's attributes say; an instance has those of its definition.

    Returns
    -------
    list of Solid

    Raises
    ------
    GeometryError
        With a message that can follow the name of the object.
    """
    kind = type(geometry).__name__
    if kind not in KINDS:
        remedy = "Give a closed Brep, mesh, extrusion, SubD or block instance."
        raise GeometryError("it is a {}, not a solid".format(kind), remedy=remedy)
    strings, name, layer, guid = user_text(geometry), None, "", None
    if attributes is not None:
        strings.update(user_text(attributes))
        name, guid = attributes.Name or None, str(attributes.ObjectId)
        layer = layer_path(document or active(), attributes)
    if not kind.startswith("InstanceReference"):
        return [Solid(name, *_shape(geometry, kind, units), (layer,), strings, guid)]
    definition = (document or active()).InstanceDefinitions.FindId(geometry.ParentIdefId)
    if definition is None or depth == MAX_DEPTH:
        raise GeometryError("its definition is missing" if definition is None else "it is nested too deeply")
    parts = []
    for item in definition.GetObjects():
        if type(item.Geometry).__name__ in KINDS:
            parts += solids(item.Geometry, units, item.Attributes, document, depth + 1)
    if not parts:
        raise GeometryError("its definition has no solids")
    return placed(parts, geometry.Xform, name or definition.Name or None, (layer,), strings, guid)


def _shape(geometry, kind, units):
    import Rhino

    package = Rhino.Geometry
    if kind == "Mesh":
        return mesh_shape(geometry)
    brep = geometry
    if kind == "SubD":
        try:
            return subd_shape(package, geometry)
        except GeometryError:  # smooth: only Rhino knows its surface
            brep = geometry.ToBrep()
    elif kind == "Extrusion":
        brep = geometry.ToBrep(True)
    return brep_shape(brep, units.tolerance, lambda faces: _meshed(package, brep))


def _meshed(package, brep):
    found = package.Mesh.CreateFromBrep(brep, package.MeshingParameters.FastRenderMesh)
    return list(found) if found is not None else [None]
