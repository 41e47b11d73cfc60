"""The closed list of analyses."""

from __future__ import annotations

import importlib
from typing import Any, Callable, Dict

from nscd_engine.core.monitor import Monitor

#: Verb -> "module:function" of `function(request, monitor) -> dict`. A module is imported when its verb is first used,
#: so that an engine starts without the numerics. `Service` adds `warm`, which runs these.
ANALYSES = {
    "static": "nscd_engine.statics.run:run",
    "check": "nscd_engine.check.run:run",
    "dynamic": "nscd_engine.motion.run:run",
    "recover": "nscd_engine.motion.records.recovery:recover",
    "records": "nscd_engine.motion.records.recovery:records",
    "limit": "nscd_engine.limit.run:run",
    "force_range": "nscd_engine.limit.force_range:run",
    "fc3d": "nscd_engine.fc3d.run:run",
    "quasistatic": "nscd_engine.quasistatic.run:run",
    "modes": "nscd_engine.statics.vibration:run",
    "submodel": "nscd_engine.statics.one_block:run",
}
#: Analyses that use kernels: slow until these are compiled.
COMPILED = ("static", "check", "dynamic", "limit", "force_range", "fc3d", "quasistatic", "modes", "submodel")
#: Analyses that return what they have computed so far when they are cancelled.
PARTIAL = ("dynamic",)


def kernels_of(verb: str, request: Dict[str, Any]) -> str:
    """Name of the group of kernels that a request uses: one a verb and solver."""
    settings = request.get("settings")
    solver = settings.get("solver", "") if isinstance(settings, dict) else ""
    return "{}-{}".format(verb, solver)


def resolve(target: str) -> Callable[[Dict[str, Any], Monitor], Dict[str, Any]]:
    """The function that "module:function" names; its module is imported."""
    module, function = target.split(":")
    return getattr(importlib.import_module(module), function)


def run(target: str, request: Dict[str, Any], monitor: Monitor) -> Dict[str, Any]:
    """Reply of the analysis "module:function" to a request."""
    return resolve(target)(request, monitor)
