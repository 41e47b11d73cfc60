"""Results as objects of the Rhino document."""

from typing import Any, List

from compas.scene import SceneObject

from compas_nscd.files.threedm.keys import ROOT
from compas_nscd.results.base import Result
from compas_nscd.rhino.document import Units, active, layer_path


def bake(result: Result, document: Any = None, **options: Any) -> List[Any]:
    """Draw a result into the document, on layers below `nscd`; replaces what was drawn there before.

    Parameters
    ----------
    result : StaticResult or DynamicResult
    document : RhinoDoc, optional
        Default: the active one.
    **options
        Of its scene object: layers, colour, arrows; displaced of a static, at and magnify of a dynamic one.

    Returns
    -------
    list of guid
    """
    document = active() if document is None else document
    clear(document)
    scale = 1.0 / Units(document).metre
    guids = SceneObject(item=result, context="Rhino", document=document, scale=scale, **options).draw()
    document.Views.Redraw()
    return guids


def clear(document: Any = None) -> None:
    """Delete all objects on layers below `nscd`."""
    document = active() if document is None else document
    for item in list(document.Objects):
        if layer_path(document, item.Attributes).lower().split("::")[0] == ROOT:
            document.Objects.Delete(item.Attributes.ObjectId, True)
