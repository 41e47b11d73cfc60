"""The Rhino document: its unit of length and its layers.

Rhino is imported inside of functions only, so that these modules load without it.
"""

from typing import Any, Sequence

import numpy as np

from compas_nscd.errors import InputError
from compas_nscd.files.units import UNITS

#: Tolerance of curves and surfaces of a document that has none [unit of the document]. Larger: curved edges become
#: polygons. Smaller: straight edges are taken for curved ones.
TOLERANCE = 1e-6


class Units:
    """Converts lengths between the unit of the document and metres.

    Parameters
    ----------
    document : RhinoDoc, optional
        Default: the active one; metres if there is none.

    Attributes
    ----------
    metre : float
        Length of the unit [m].
    tolerance : float
        Absolute tolerance of the document [unit of the document].
    """

    def __init__(self, document: Any = None):
        document = active() if document is None else document
        if document is None:  # Rhino.Compute
            self.metre, self.tolerance = 1.0, TOLERANCE
            return
        name = _text(document.ModelUnitSystem)
        if name not in UNITS:
            raise InputError(
                "The document has no unit of length (it says {}).".format(name),
                remedy="Set it with the command Units, e.g. to metres.",
            )
        self.metre = UNITS[name]
        self.tolerance = document.ModelAbsoluteTolerance or TOLERANCE

    def metres(self, vector: Any) -> Any:
        """A Rhino point, vector or length in metres; None for None."""
        if vector is None:
            return None
        if hasattr(vector, "X"):
            return (self.metre * vector.X, self.metre * vector.Y, self.metre * vector.Z)
        return self.metre * float(vector)

    def out(self, values: Any) -> np.ndarray:
        """Lengths or coordinates [m] in the unit of the document."""
        return np.asarray(values, float) / self.metre


def active() -> Any:
    """The active document."""
    import Rhino

    return Rhino.RhinoDoc.ActiveDoc


def layer_path(document: Any, attributes: Any) -> str:
    """Full path of the layer of an object; empty if it has none."""
    index = attributes.LayerIndex
    return document.Layers[index].FullPath if 0 <= index < document.Layers.Count else ""


def colour_of(rgb: Sequence[int]) -> Any:
    """.NET colour of (red, green, blue)."""
    import System

    return System.Drawing.Color.FromArgb(*(int(part) for part in rgb))


def _text(value: Any) -> str:
    """Name of a member of a .NET enumeration."""
    return value.ToString() if hasattr(value, "ToString") else str(value)
