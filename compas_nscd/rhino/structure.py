"""Structures from objects of the Rhino document."""

from compas_nscd.blocks.block import Block
from compas_nscd.errors import GeometryError, InputError, MaterialError
from compas_nscd.files.threedm.keys import DENSITY, FRICTION, ROOT
from compas_nscd.files.threedm.solids import KINDS
from compas_nscd.files.threedm.user_text import laws_of_pairs, marked, number
from compas_nscd.rhino.document import Units, active, layer_path
from compas_nscd.rhino.solids import solids


def block_of(solid, units, density=None, name=None, support=None, friction=None, called="the object"):
    """A Block of a Solid; what is given goes before what the user text says."""
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
    vertices = units.metre * solid.vertices
    return Block(vertices, solid.faces, density, name or solid.name, support, solid.guid, own_friction=friction)


def structure_laws(blocks, law):
    """Laws of the joints of blocks that have a friction of their own, by pair of indices."""
    own = [block.own_friction for block in blocks]
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
