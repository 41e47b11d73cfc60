"""The document of Rhino: its unit, its objects, and geometry that belongs to it.

Only this module and those that begin with `gh` see Rhino, and only when their functions are called.
"""

import numpy as np

from compas_nscd.blocks.block import Block
from compas_nscd.drawing.threedm import DENSITY, FRICTION, ROOT
from compas_nscd.errors import GeometryError, InputError, MaterialError
from compas_nscd.files.threedm.read import UNITS, laws_of_pairs, marked, number
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

#: Relative to the size of the solid, used where no document says how exact it is.
TOLERANCE = 1e-6


class Units:
    """Lengths between the unit of the document and metres.

    Parameters
    ----------
    document : RhinoDoc, optional
        Default: the active one.
    """

    def __init__(self, document=None):
        document = active() if document is None else document
        name = _text(document.ModelUnitSystem)
        if name not in UNITS:
            raise InputError(
                "The document has no unit of length (it says {}).".format(name),
                remedy="Set it with the command Units, e.g. to metres.",
            )
        #: Length of the unit [m].
        self.metre = UNITS[name]
        self.tolerance = document.ModelAbsoluteTolerance or TOLERANCE

    def metres(self, vector):
        """A point, vector or length of Rhino in metres; None stays None."""
        if vector is None:
            return None
        if hasattr(vector, "X"):
            return (self.metre * vector.X, self.metre * vector.Y, self.metre * vector.Z)
        return self.metre * float(vector)

    def out(self, values):
        """Lengths or coordinates [m] in the unit of the document, as an array."""
        return np.asarray(values, float) / self.metre


def active():
    """The document that is open in Rhino."""
    import Rhino

    return Rhino.RhinoDoc.ActiveDoc


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
        layer = _layer(document or active(), attributes)
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


def _layer(document, attributes):
    index = attributes.LayerIndex
    return document.Layers[index].FullPath if 0 <= index < document.Layers.Count else ""


def _text(value):
    """Name of a member of an enumeration of .NET."""
    return value.ToString() if hasattr(value, "ToString") else str(value)


def block_of(solid, units, density=None, name=None, support=None, friction=None, called="the object"):
    """A Block of a Solid; what is given goes before what the user text says.

    The block has one attribute more, `own_friction`, that `structure_laws` reads.
    """
    text = solid.strings
    called = name or solid.name or called
    if density is None and DENSITY in text:
        density = number(text[DENSITY], DENSITY, called)
    if density is None:
        raise MaterialError(
            "The density of {} is missing.".format(called),
            remedy="Give it in kg/m3, or as the user text density of the object; 2400 is usual for stone.",
            blocks=[called],
        )
    if support is None:
        support = marked(text, called)
    if friction is None and FRICTION in text:
        friction = number(text[FRICTION], FRICTION, called)
    block = Block(units.metre * solid.vertices, solid.faces, density, name or solid.name, support, solid.guid)
    block.own_friction = friction
    return block


def structure_laws(blocks, law):
    """Laws of the joints of blocks that have a friction of their own, by pair of indices."""
    own = [getattr(block, "own_friction", None) for block in blocks]
    if all(mu is None for mu in own):
        return {}
    return laws_of_pairs(blocks, [law.friction if mu is None else mu for mu in own], law.friction)


def on_layer(layer, document=None):
    """Solids of the objects on a layer and below it: pairs of object and list of Solid.

    Parameters
    ----------
    layer : str
        Name or full path, e.g. "stone::voussoirs". What `bake` has drawn does not count.
    """
    document = active() if document is None else document
    units, found, defects = Units(document), [], {}
    wanted = layer.lower().split("::")
    for item in document.Objects:
        path = _layer(document, item.Attributes).lower().split("::")
        below = any(path[k : k + len(wanted)] == wanted for k in range(len(path)))
        if path[0] == ROOT or not below or type(item.Geometry).__name__ not in KINDS:
            continue
        try:
            found.append((item, solids(item.Geometry, units, item.Attributes, document)))
        except GeometryError as error:
            defects[item.Attributes.Name or str(item.Attributes.ObjectId)] = error.message
    if defects:
        text = "; ".join("{}: {}".format(*pair) for pair in list(defects.items())[:8])
        raise GeometryError("Objects on layer {} cannot be blocks: {}.".format(layer, text), blocks=list(defects))
    if not found:
        raise InputError("There is no solid on a layer {!r}.".format(layer), remedy="Check the name of the layer.")
    return found


def structure_by_layers(blocks, supports, density=None, law=None, document=None, name=None):
    """Structure of the objects on two layers: free blocks and supports.

    Parameters
    ----------
    blocks, supports : str
        Layers; objects on both are supports.
    density : float, optional
        Of the objects without user text `density` [kg/m3].
    law : ContactLaw, optional
        Of all joints; friction 0.6 unless given. Objects with user text `friction` have their own.
    """
    from compas_nscd.blocks.contact_law import ContactLaw
    from compas_nscd.model.structure import Structure

    units = Units(document)
    held = on_layer(supports, document)
    ids = {str(item.Attributes.ObjectId) for item, _ in held}
    free = [pair for pair in on_layer(blocks, document) if str(pair[0].Attributes.ObjectId) not in ids]
    made = []
    for group, support in ((free, False), (held, True)):
        for _, parts in group:
            for solid in parts:
                own = None if DENSITY in solid.strings else density
                made.append(block_of(solid, units, own, support=support))
    law = law or ContactLaw()
    structure = Structure(made, law, name=name, pair_laws=structure_laws(made, law))
    structure.validate()
    return structure


def bake(result, document=None, **options):
    """Draw a result into the document, on layers below `nscd`, in place of what was drawn there before.

    Parameters
    ----------
    result : StaticResult or DynamicResult
    **options
        Of its scene object: layers, colour, arrows; displaced of a static, at and magnify of a dynamic one.

    Returns
    -------
    list of guid
    """
    from compas.scene import SceneObject

    document = active() if document is None else document
    clear(document)
    guids = SceneObject(item=result, context="Rhino", scale=1.0 / Units(document).metre, **options).draw()
    document.Views.Redraw()
    return guids


def clear(document=None):
    """Delete everything on layers below `nscd`."""
    document = active() if document is None else document
    for item in list(document.Objects):
        if _layer(document, item.Attributes).lower().split("::")[0] == ROOT:
            document.Objects.Delete(item.Attributes.ObjectId, True)
