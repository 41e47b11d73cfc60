"""A result as one HTML page."""

from compas_nscd._lazy import exports

__getattr__, __dir__, __all__ = exports(
    __name__,
    {
        "render_report": "page",
    },
)
