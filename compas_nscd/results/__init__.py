"""Results: one class per analysis, and quantities derived from the contact forces."""

from compas_nscd._lazy import exports

__getattr__, __dir__, __all__ = exports(
    __name__,
    {
        "DynamicResult": "dynamic",
        "ElasticResult": "elastic",
        "ForceRange": "force_range",
        "ForceRanges": "force_range",
        "Interface": "interface",
        "LimitResult": "limit",
        "ModesResult": "deformable.modes",
        "QuasistaticResult": "quasistatic",
        "Result": "base",
        "StaticResult": "static",
        "SubmodelResult": "deformable.submodel",
    },
)
