"""The engine as seen from here: requests, jobs, and the process that computes."""

from compas_nscd._lazy import exports

__getattr__, __dir__, __all__ = exports(
    __name__,
    {
        "Engine": "engine",
        "Job": "job",
        "Stage": "stages",
        "StageResult": "stages",
        "run_stages": "stages",
    },
)
