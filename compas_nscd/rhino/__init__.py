"""Structures from the Rhino document, results drawn into it."""

from compas_nscd._lazy import exports

__getattr__, __dir__, __all__ = exports(
    __name__,
    {
        "Units": "document",
        "active": "document",
        "bake": "baking",
        "block_of": "structure",
        "clear": "baking",
        "on_layer": "structure",
        "structure_by_layers": "structure",
        "structure_laws": "structure",
    },
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from compas_nscd.rhino.baking import bake as bake
    from compas_nscd.rhino.baking import clear as clear
    from compas_nscd.rhino.document import Units as Units
    from compas_nscd.rhino.document import active as active
    from compas_nscd.rhino.structure import block_of as block_of
    from compas_nscd.rhino.structure import on_layer as on_layer
    from compas_nscd.rhino.structure import structure_by_layers as structure_by_layers
    from compas_nscd.rhino.structure import structure_laws as structure_laws
