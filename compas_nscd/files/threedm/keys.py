"""Names of layers and user text in .3dm files, shared by reader and writer."""

from __future__ import annotations

from typing import Any

from compas_nscd.errors import NotAvailableError

#: Top layer of all written objects, and key of the user text that marks results.
ROOT = "nscd"
#: Keys of the user text of objects.
DENSITY = "density"  # [kg/m3]
FRICTION = "friction"  # [-]; also of the file
SUPPORT = "support"  # true or false
MATERIAL = "material"
ELASTIC = "elastic"  # JSON, the keys of Elastic
#: Keys of the user text of the file. Values are JSON.
PAIRS = "nscd.pair_friction"  # laws of pairs of blocks, by name
LAW = "nscd.law"
MATERIAL_LAWS = "nscd.material_laws"
INTERFACE_LAWS = "nscd.interface_laws"  # blocks by name, points in metres
#: Layer of cables.
CABLES = "cables"
#: Keys of the user text of cables [N].
CABLE_NUMBERS = ("stiffness", "prestress", "strength")
#: Keys of the user text of cables: blocks at their ends, or `GROUND`.
CABLE_ENDS = ("start", "end")
GROUND = "ground"


def rhino3dm() -> Any:
    """The package rhino3dm, imported on first use; a NotAvailableError if it is not installed."""
    try:
        import rhino3dm as package
    except ImportError:
        remedy = "Install it with: pip install compas_nscd[cad]"
        raise NotAvailableError(".3dm files need the package rhino3dm.", remedy=remedy)
    return package
