"""Structures from objects of the Rhino document."""

from typing import Any, Dict, List, Optional, Sequence, Tuple

from compas_nscd.blocks.block import Block
from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.errors import GeometryError, InputError, MaterialError
from compas_nscd.files.own_friction import laws_of_pairs
from compas_nscd.files.threedm.keys import DENSITY, FRICTION, ROOT
from compas_nscd.files.threedm.solids import KINDS, Solid
from compas_nscd.files.threedm.user_text import elastic, marked, number
from compas_nscd.model.structure import Structure
from compas_nscd.rhino.document import Units, active, layer_path
from compas_nscd.rhino.solids import solids


def block_of(
    solid: Solid,
    units: Units,
    density: Optional[float] = None,
    name: Optional[str] = None,
    support: Optional[bool] = None,
    friction: Optional[float] = None,
    called: str = "the object",
) -> Block:
    """Block of a Solid; arguments replace the user text of the object."""
    text = solid.strings
    called = str(name or solid.name or called)
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
    vertices = units.metre * solid.vertices
    given = name or solid.name
    deforms = elastic(text, called)
    return Block(vertices, solid.faces, density, given, support, solid.guid, own_friction=friction, elastic=deforms)


def structure_laws(blocks: Sequence[Block], law: ContactLaw) -> Dict[Tuple[int, int], ContactLaw]:
    """Contact laws of joints whose blocks have a friction of their own, by pair of indices."""
    own = [block.own_friction for block in blocks]
    if all(mu is None for mu in own):
        return {}
    return laws_of_pairs(blocks, [law.friction if mu is None else mu for mu in own], law.friction)


def on_layer(layer: str, document: Any = None) -> List[Tuple[Any, List[Solid]]]:
    """Objects on a layer and below it, each with its solids.

    Parameters
    ----------
    layer : str
        Name or full path, e.g. "stone::voussoirs". Objects that `bake` has drawn are left out.
    document : RhinoDoc, optional
        Default: the active one.
    """
    document = active() if document is None else document
    units, found, defects = Units(document), [], {}
    wanted = layer.lower().split("::")
    for item in document.Objects:
        path = layer_path(document, item.Attributes).lower().split("::")
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


def structure_by_layers(
    blocks: str,
    supports: str,
    density: Optional[float] = None,
    law: Optional[ContactLaw] = None,
    document: Any = None,
    name: Optional[str] = None,
) -> Structure:
    """Structure of the objects on two layers: free blocks and supports.

    Parameters
    ----------
    blocks, supports : str
        Layers; objects on both are supports.
    density : float, optional
        Of objects without user text `density` [kg/m3].
    law : ContactLaw, optional
        Of all joints; friction 0.6 unless given. Objects with user text `friction` have their own.
    document : RhinoDoc, optional
        Default: the active one.
    name : str, optional
    """
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
