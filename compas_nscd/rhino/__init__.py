"""Structures from the Rhino document, results drawn into it."""

from compas_nscd._lazy import exports

__getattr__, __dir__, __all__ = exports(
    __name__,
    {
        "Escape": "waiting",
        "Units": "document",
        "active": "document",
        "bake": "baking",
        "block_of": "structure",
        "clear": "baking",
        "finished": "waiting",
        "layer_index": "layers",
        "on_layer": "structure",
        "say": "waiting",
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
    from compas_nscd.rhino.layers import layer_index as layer_index
    from compas_nscd.rhino.structure import block_of as block_of
    from compas_nscd.rhino.structure import on_layer as on_layer
    from compas_nscd.rhino.structure import structure_by_layers as structure_by_layers
    from compas_nscd.rhino.structure import structure_laws as structure_laws
    from compas_nscd.rhino.waiting import Escape as Escape
    from compas_nscd.rhino.waiting import finished as finished
    from compas_nscd.rhino.waiting import say as say
