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
        "draw_cable_history": "history_plot",
        "draw_dynamic": "picture",
        "draw_elastic": "picture",
        "draw_history": "history_plot",
        "draw_polar": "polar_plot",
        "draw_static": "picture",
        "draw_structure": "picture",
        "write_dynamic": "threedm",
        "write_static": "threedm",
        "write_structure": "threedm",
    },
)
