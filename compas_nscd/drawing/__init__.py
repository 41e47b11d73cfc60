"""Results as shapes, pictures, plots, .3dm files and COMPAS scene objects."""

from compas_nscd._lazy import exports

__getattr__, __dir__, __all__ = exports(
    __name__,
    {
        "Bars": "static_layout",
        "Curve": "static_layout",
        "Dot": "static_layout",
        "Drawing": "static_layout",
        "LAYERS": "static_layout",
        "Shape": "static_layout",
    },
)
