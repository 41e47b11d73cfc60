"""Results as shapes, pictures, plots, .3dm files and COMPAS scene objects."""

from compas_nscd._lazy import exports

__getattr__, __dir__, __all__ = exports(
    __name__,
    {
        "Bars": "shapes",
        "Curve": "shapes",
        "Dot": "shapes",
        "Drawing": "shapes",
        "LAYERS": "shapes",
        "Shape": "shapes",
    },
)
