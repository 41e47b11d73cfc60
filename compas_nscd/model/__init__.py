"""Structure, its law table, and settings of an analysis."""

from compas_nscd._lazy import exports

__getattr__, __dir__, __all__ = exports(
    __name__,
    {
        "LawTable": "law_table",
        "Settings": "settings",
        "Structure": "structure",
    },
)
