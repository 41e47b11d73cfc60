"""The deformed shape on the page of a result: surfaces, displacements, and the scales of its colours."""

from typing import Any, Dict, List, Sequence, Tuple, Union

import numpy as np

from compas_nscd.drawing import elastic_layout, quasistatic_layout
from compas_nscd.drawing.shapes import LAYERS, Shape
from compas_nscd.results.dynamic import DynamicResult
from compas_nscd.results.quasistatic import QuasistaticResult
from compas_nscd.results.static import StaticResult

DeformedResult = Union[StaticResult, DynamicResult]
Arrays = Dict[str, np.ndarray]


def deformed_content(result: DeformedResult, origin: np.ndarray) -> Tuple[Dict[str, Any], Arrays]:
    """Header and arrays of the deformed shape; positions relative to `origin` [m] (3,).

    The header has `scales`, what colours can show, and `magnify`, the factor on the displacements at the beginning.
    """
    if result.elastic is None:
        assert isinstance(result, QuasistaticResult)
        return _rigid_blocks(result, origin)
    return _elastic_blocks(result, origin)


def _elastic_blocks(result: DeformedResult, origin: np.ndarray) -> Tuple[Dict[str, Any], Arrays]:
    """Elements coloured by stress; of a motion, nodes and stresses are known at its end."""
    elastic = result.elastic
    assert elastic is not None
    rest, moved = (elastic_layout.deformed_shapes(result, magnify=factor) for factor in (0.0, 1.0))
    kinds = np.column_stack([elastic_layout.element_stresses(elastic, kind) for kind in elastic_layout.STRESSES])
    none = np.full(kinds.shape[1], np.nan)
    values = [
        kinds[elastic.surface(shape.block)[2]] if shape.face_colours else np.tile(none, (len(shape.faces), 1))
        for shape in rest
    ]
    when = " at the end" if isinstance(result, DynamicResult) else ""
    found = [(kind, elastic_layout.stress_scale(elastic, kind)) for kind in elastic_layout.STRESSES]
    scales = [_scale(kind, s.words + when, (s.low, s.high), s.signed, "stress") for kind, s in found]
    header = {"scales": scales, "magnify": elastic_layout.magnification(result)}
    return header, _skin(rest, moved, values, origin)


def _rigid_blocks(result: QuasistaticResult, origin: np.ndarray) -> Tuple[Dict[str, Any], Arrays]:
    """Rigid blocks on joints with stiffness, coloured by displacement."""
    blocks = result.structure.blocks
    rest = [Shape("blocks", "", *block.surface(), LAYERS["blocks"], i) for i, block in enumerate(blocks)]
    way = [
        elastic_layout.small_motion(result.displacement[i], shape.vertices - result.centroid[i])
        for i, shape in enumerate(rest)
    ]
    size = [np.linalg.norm(each, axis=1) for each in way]
    values = [np.array([[own[face].mean()] for face in shape.faces]) for own, shape in zip(size, rest)]
    most = max(float(each.max(initial=0.0)) for each in values)
    for i in result.structure.supports:
        values[i][values[i] == 0.0] = np.nan  # a support that does not move has its own colour
    moved = [shape._replace(vertices=shape.vertices + each) for shape, each in zip(rest, way)]
    header = {
        "scales": [_scale("displaced", "displacement", (0.0, most), False, "length")],
        "magnify": quasistatic_layout.magnification(result),
    }
    return header, _skin(rest, moved, values, origin)


def _scale(name: str, words: str, ends: Tuple[float, float], signed: bool, quantity: str) -> Dict[str, Any]:
    """What colours can show, with the `ends` of the scale [Pa or m]."""
    label = words[0].upper() + words[1:]
    return {"name": name, "label": label, "low": ends[0], "high": ends[1], "signed": signed, "quantity": quantity}


def _skin(rest: List[Shape], moved: List[Shape], values: Sequence[np.ndarray], origin: np.ndarray) -> Arrays:
    """Faces of all blocks at rest, displacements of their vertices, and one value per scale of every face."""
    start = np.cumsum([0] + [len(shape.vertices) for shape in rest])
    faces = [(shape.block, [int(v) + first for v in face]) for shape, first in zip(rest, start) for face in shape.faces]
    vertices = np.concatenate([shape.vertices for shape in rest])
    return {
        "skin_vertex": vertices - origin,
        "skin_displacement": np.concatenate([shape.vertices for shape in moved]) - vertices,
        "skin_face": np.array([v for _, face in faces for v in face], "i4"),
        "skin_face_start": np.cumsum([0] + [len(face) for _, face in faces]),
        "skin_block": np.array([block for block, _ in faces], "i4"),
        "skin_value": np.concatenate(values),
    }
