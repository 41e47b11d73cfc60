"""Components for deformable blocks: Elastic and Deform of the group Model, Deformed Blocks of the group Display."""

from typing import Any, Dict

import numpy as np

from compas_nscd.blocks.elastic import Elastic
from compas_nscd.blocks.materials import material as library_material
from compas_nscd.drawing.elastic_layout import deformed_shapes, element_stresses, magnification, scale_words
from compas_nscd.errors import InputError
from compas_nscd.ghpython.canvas import Canvas, Items, Number, Text, component
from compas_nscd.ghpython.components.loads import block_key
from compas_nscd.ghpython.wires import items
from compas_nscd.model.structure import Structure
from compas_nscd.results.deformable.submodel import SubmodelResult
from compas_nscd.results.dynamic import DynamicResult
from compas_nscd.results.static import StaticResult
from compas_nscd.rhino.geometry import paint_faces

#: Pa in a MPa.
MPA = 1e6
#: mm in a metre.
MM = 1e3


@component("elastic")
def elastic(
    canvas: Canvas,
    young: Number,
    poisson: Number = None,
    elements: Text = None,
    refine: Number = None,
    tension: Number = None,
    damping: Items = None,
    material: Text = None,
    contacts: Text = None,
) -> Any:
    """Component Elastic."""
    given: Dict[str, Any] = dict(young=young, poisson=poisson, elements=elements, refine=refine)
    given.update(tension=tension, contacts=contacts)
    given = {key: value for key, value in given.items() if value is not None}
    rayleigh = items(damping)
    if rayleigh:
        given["damping"] = rayleigh if len(rayleigh) > 1 else rayleigh[0]
    if not material and "young" not in given:
        raise InputError("Input young is missing.", remedy="Give Young's modulus in Pa, or a material of the library.")
    with canvas.input("material" if material else "young"), canvas.assumptions():
        return library_material(material).elastic(**given) if material else Elastic(**given)


@component("structure")
def deform(canvas: Canvas, structure: Any, elastic: Any, blocks: Items = None) -> Any:
    """Component Deform: a copy of the structure, which is on other wires too."""
    made = canvas.need("structure", structure, Structure).copy()
    chosen = [block_key(each) for each in items(blocks)]
    with canvas.input("blocks" if chosen else "elastic"):
        made.deform(canvas.maybe("elastic", elastic, Elastic), chosen or None)
    return made


@component("blocks", "names", "stresses", "principal", "displacements", "cracked", "legend", pure=True)
def deformed_blocks(canvas: Canvas, result: Any, magnify: Number, stress: Text) -> Any:
    """Component Deformed Blocks: one branch per block."""
    result = canvas.need("result", result, (StaticResult, DynamicResult, SubmodelResult))
    found = result.elastic
    if found is None:
        raise InputError("Input result has no deformable blocks.", remedy="Connect Elastic to Block or Structure.")
    factor, kind = magnification(result) if magnify is None else magnify, stress or "principal"
    with canvas.input("stress"):
        shapes = [shape for shape in deformed_shapes(result, kind, factor) if shape.face_colours]
    meshes = canvas.make.meshes([(shape.vertices, shape.faces) for shape in shapes])
    for mesh, shape in zip(meshes, shapes):
        paint_faces(mesh, shape.faces, shape.face_colours or ())
    rows = [(slice(*found.cell_start[i : i + 2]), slice(*found.node_start[i : i + 2])) for i in found.blocks]
    values, moved = element_stresses(found, kind), np.linalg.norm(found.displacement, axis=1)
    canvas.message("x {:g}".format(factor))
    return (
        canvas.tree(meshes),
        canvas.tree([result.structure.names[i] for i in found.blocks]),
        canvas.tree([(values[cells] / MPA).tolist() for cells, _ in rows]),
        canvas.tree([(found.principal[cells] / MPA).ravel().tolist() for cells, _ in rows]),
        canvas.tree([(MM * moved[nodes]).tolist() for _, nodes in rows]),
        found.cracked,
        [text for text, _ in scale_words(result, kind, factor)],
    )
