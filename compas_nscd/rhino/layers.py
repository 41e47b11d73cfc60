"""Layers of a Rhino document, by index: names and full paths change when layers are renamed or nested."""

from typing import Any, Optional, Tuple

from compas_nscd.rhino.document import colour_of


def layer_index(document: Any, path: str, colour: Optional[Tuple[int, int, int]] = None) -> int:
    """Index of a layer, which is made where it is missing, with the layers above it.

    Parameters
    ----------
    document : RhinoDoc
    path : str
        Full path, e.g. "nscd::forces".
    colour : (red, green, blue), optional
        Of a layer that is made.
    """
    import Rhino

    index = document.Layers.FindByFullPath(path, -1)
    if index >= 0:
        return index
    parent, _, name = path.rpartition("::")
    layer = Rhino.DocObjects.Layer()
    layer.Name = name
    if parent:
        layer.ParentLayerId = document.Layers[layer_index(document, parent)].Id
    if colour is not None:
        layer.Color = colour_of(colour)
    return document.Layers.Add(layer)
