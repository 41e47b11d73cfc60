"""Block masonry in CAD: does it stand, where do the forces go, how does it fall."""

import sys

if sys.version_info < (3, 9):  # this file, alone of all, can also be read by the Python 2.7 of Rhino 7
    raise ImportError("COMPAS NSCD needs Rhino 8 or later: Rhino 7 and IronPython cannot run it.")

from importlib import import_module  # noqa: E402

__version__ = "0.1.0"
__all_plugins__ = ["compas_nscd.scene"]

# Loaded when first used: the engine imports `compas_nscd.wire`, and must neither need COMPAS nor wait for it.
_HOME = {
    "Block": "block",
    "BodyAcceleration": "loadcase",
    "Cable": "cable",
    "ContactLaw": "block",
    "DynamicResult": "dynamic_result",
    "Engine": "client",
    "ForceRanges": "force_range",
    "GroundMotion": "loadcase",
    "Interface": "results",
    "LimitResult": "limit_result",
    "LoadCase": "loadcase",
    "PointLoad": "loadcase",
    "Settings": "settings",
    "Stage": "stages",
    "StaticResult": "results",
    "Structure": "structure",
    "SupportMotion": "loadcase",
    "Water": "loadcase",
}

__all__ = sorted(_HOME)


def __getattr__(name):
    if name not in _HOME:
        raise AttributeError("module {!r} has no attribute {!r}".format(__name__, name))
    value = getattr(import_module("{}.{}".format(__name__, _HOME[name])), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted(set(globals()) | set(__all__))
