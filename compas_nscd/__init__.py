"""Block masonry in CAD: does it stand, where do the forces go, how does it fall."""

import sys

if sys.version_info < (3, 9):  # this file, alone of all, can also be read by the Python 2.7 of Rhino 7
    raise ImportError("COMPAS NSCD needs Rhino 8 or later: Rhino 7 and IronPython cannot run it.")

from compas_nscd import _old_names
from compas_nscd._lazy import exports

__version__ = "0.1.0"
__all_plugins__ = ["compas_nscd.drawing.scene_objects", "compas_nscd.rhino.scene_objects"]

__getattr__, __dir__, __all__ = exports(
    __name__,
    {
        "Block": "blocks",
        "BodyAcceleration": "loads",
        "Cable": "loads",
        "ContactBond": "blocks",
        "ContactLaw": "blocks",
        "ContactStiffness": "blocks",
        "DynamicResult": "results",
        "Elastic": "blocks",
        "Engine": "client",
        "ForceRanges": "results",
        "GroundMotion": "loads",
        "Interface": "results",
        "LimitResult": "results",
        "LoadCase": "loads",
        "PointLoad": "loads",
        "QuasistaticResult": "results",
        "Settings": "model",
        "Stage": "client",
        "StaticResult": "results",
        "Structure": "model",
        "SupportMotion": "loads",
        "Water": "loads",
    },
)

_old_names.install()

TYPE_CHECKING = False  # for type checkers, which do not run the lines above; `typing` would make this import slower
if TYPE_CHECKING:
    from compas_nscd.blocks.block import Block as Block
    from compas_nscd.blocks.contact_law import ContactLaw as ContactLaw
    from compas_nscd.blocks.contact_stiffness import ContactBond as ContactBond
    from compas_nscd.blocks.contact_stiffness import ContactStiffness as ContactStiffness
    from compas_nscd.blocks.elastic import Elastic as Elastic
    from compas_nscd.client.engine import Engine as Engine
    from compas_nscd.client.stages import Stage as Stage
    from compas_nscd.loads.body_acceleration import BodyAcceleration as BodyAcceleration
    from compas_nscd.loads.cable import Cable as Cable
    from compas_nscd.loads.case import LoadCase as LoadCase
    from compas_nscd.loads.ground_motion import GroundMotion as GroundMotion
    from compas_nscd.loads.point_load import PointLoad as PointLoad
    from compas_nscd.loads.support_motion import SupportMotion as SupportMotion
    from compas_nscd.loads.water import Water as Water
    from compas_nscd.model.settings import Settings as Settings
    from compas_nscd.model.structure import Structure as Structure
    from compas_nscd.results.dynamic import DynamicResult as DynamicResult
    from compas_nscd.results.force_range import ForceRanges as ForceRanges
    from compas_nscd.results.interface import Interface as Interface
    from compas_nscd.results.limit import LimitResult as LimitResult
    from compas_nscd.results.quasistatic import QuasistaticResult as QuasistaticResult
    from compas_nscd.results.static import StaticResult as StaticResult
