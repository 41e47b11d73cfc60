"""Block masonry in CAD: does it stand, where do the forces go, how does it fall."""

import sys

if sys.version_info < (3, 9):  # this file, alone of all, can also be read by the Python 2.7 of Rhino 7
    raise ImportError("COMPAS NSCD needs Rhino 8 or later: Rhino 7 and IronPython cannot run it.")

from compas_nscd import _old_names  # noqa: E402
from compas_nscd._lazy import exports  # noqa: E402

__version__ = "0.1.0"
__all_plugins__ = ["compas_nscd.drawing.scene_objects", "compas_nscd.rhino.scene_objects"]

__getattr__, __dir__, __all__ = exports(
    __name__,
    {
        "Block": "blocks",
        "BodyAcceleration": "loads",
        "Cable": "loads",
        "ContactLaw": "blocks",
        "DynamicResult": "results",
        "Engine": "client",
        "ForceRanges": "results",
        "GroundMotion": "loads",
        "Interface": "results",
        "LimitResult": "results",
        "LoadCase": "loads",
        "PointLoad": "loads",
        "Settings": "model",
        "Stage": "client",
        "StaticResult": "results",
        "Structure": "model",
        "SupportMotion": "loads",
        "Water": "loads",
    },
)

_old_names.install()
