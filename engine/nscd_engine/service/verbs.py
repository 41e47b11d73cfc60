"""The closed list of analyses."""

import importlib

#: The closed list of analyses: `run(request, monitor) -> dict`, imported when first asked for.
ANALYSES = {
    "static": "nscd_engine.statics.run:run",
    "check": "nscd_engine.check.run:run",
    "dynamic": "nscd_engine.motion.run:run",
    "recover": "nscd_engine.motion.recovery:recover",
    "records": "nscd_engine.motion.recovery:records",
    "limit": "nscd_engine.limit.run:run",
    "force_range": "nscd_engine.limit.force_range:run",
    "fc3d": "nscd_engine.fc3d.run:run",
    "warm": "nscd_engine.service.warm_up:run",
}
#: Those that use kernels: slow until these are compiled.
COMPILED = ("static", "check", "dynamic", "limit", "force_range", "fc3d", "warm")
#: Those that, once cancelled, give what they have.
PARTIAL = ("dynamic",)


def kernels_of(verb, request):
    """Name of the part of the kernels that a request uses; `warm` uses all, and marks them itself."""
    settings = request.get("settings")
    solver = settings.get("solver", "") if isinstance(settings, dict) else ""
    return "{}-{}".format(verb, solver)


def run(target, request, monitor):
    """Import "module:function" and call it."""
    module, function = target.split(":")
    return getattr(importlib.import_module(module), function)(request, monitor)
