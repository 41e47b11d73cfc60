"""Many runs: parameters that vary, ground motions, where they are computed, and what follows from their table."""

from compas_nscd._lazy import exports

__getattr__, __dir__, __all__ = exports(
    __name__,
    {
        "Fragility": "statistics.fragility",
        "HuntAndFill": "plans",
        "Study": "study",
        "Table": "table",
        "fit_counts": "statistics.fragility",
        "read_study": "study_file",
    },
)
