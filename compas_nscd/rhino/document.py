"""The document of Rhino: its unit, its objects, and geometry that belongs to it.

Only this module and those that begin with `gh` see Rhino, and only when their functions are called.
"""

import numpy as np

from compas_nscd.errors import InputError
from compas_nscd.files.units import UNITS

#: Relative to the size of the solid, used where no document says how exact it is.
TOLERANCE = 1e-6


class Units:
    """Lengths between the unit of the document and metres.

    Parameters
    ----------
    document : RhinoDoc, optional
        Default: the active one.
    """

    def __init__(self, document=None):
        document = active() if document is None else document
        name = _text(document.ModelUnitSystem)
        if name not in UNITS:
            raise InputError(
                "The document has no unit of length (it says {}).".format(name),
                remedy="Set it with the command Units, e.g. to metres.",
            )
        #: Length of the unit [m].
        self.metre = UNITS[name]
        self.tolerance = document.ModelAbsoluteTolerance or TOLERANCE

    def metres(self, vector):
        """A point, vector or length of Rhino in metres; None stays None."""
        if vector is None:
            return None
        if hasattr(vector, "X"):
            return (self.metre * vector.X, self.metre * vector.Y, self.metre * vector.Z)
        return self.metre * float(vector)

    def out(self, values):
        """Lengths or coordinates [m] in the unit of the document, as an array."""
        return np.asarray(values, float) / self.metre


def active():
    """The document that is open in Rhino."""
    import Rhino

    return Rhino.RhinoDoc.ActiveDoc


def layer_path(document, attributes):
    index = attributes.LayerIndex
    return document.Layers[index].FullPath if 0 <= index < document.Layers.Count else ""


def _text(value):
    """Name of a member of an enumeration of .NET."""
    return value.ToString() if hasattr(value, "ToString") else str(value)
