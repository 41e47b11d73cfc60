"""The structure that is analysed, and how."""

from compas_nscd._lazy import exports

__getattr__, __dir__, __all__ = exports(
    __name__,
    {
        "Settings": "settings",
        "Structure": "structure",
    },
)
