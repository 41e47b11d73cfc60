"""Block models of compas_dem."""

from compas_nscd.blocks.block import Block
from compas_nscd.files.compas_json import mesh_lists


def from_blockmodel(cls, model, law, density):
    """See `Structure.from_blockmodel`. Needs only what the elements look like, not the package they come from."""
    blocks = []
    for element in model.elements():
        name, vertices, faces = mesh_lists(element.modelgeometry)
        given = getattr(element, "name", None)
        name = name if given == type(element).__name__ else given
        material = getattr(element, "material", None)
        own = getattr(material, "density", None)
        guid = getattr(element, "guid", None)
        rho = density if own is None else own
        blocks.append(Block(vertices, faces, rho, name=name, support=bool(element.is_support), guid=guid))
    name = getattr(model, "name", None)
    return cls(blocks, law, name=None if name == type(model).__name__ else name)
