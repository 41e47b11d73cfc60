"""Block models of compas_dem."""

from __future__ import annotations

from typing import Any

from compas_nscd.blocks.block import Block
from compas_nscd.files.compas.read import mesh_lists


def from_blockmodel(model: Any, density: float | None = None) -> dict[str, Any]:
    """Arguments `blocks` and `name` of a structure; see `Structure.from_blockmodel`.

    Uses the attributes of the elements only: compas_dem need not be installed.

    Parameters
    ----------
    model : BlockModel
    density : float, optional
        Of elements whose material has none [kg/m3].
    """
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
    return {"blocks": blocks, "name": None if name == type(model).__name__ else name}
