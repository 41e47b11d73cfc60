"""Blocks out of the Rhino document, results back into it."""

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
