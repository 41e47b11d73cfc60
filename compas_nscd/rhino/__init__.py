"""Blocks out of the Rhino document, results back into it."""

from compas_nscd._lazy import exports

__getattr__, __dir__, __all__ = exports(
    __name__,
    {
        "Units": "document",
        "active": "document",
        "bake": "document",
        "block_of": "document",
        "clear": "document",
        "on_layer": "document",
        "solids": "document",
        "structure_by_layers": "document",
        "structure_laws": "document",
    },
)
