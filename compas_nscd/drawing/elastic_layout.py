"""Deformed shape of elastic blocks, coloured by stress, and the scale of its colours."""

from typing import Callable, Dict, List, NamedTuple, Optional, Tuple, Union

import numpy as np

from compas_nscd.drawing.shapes import COMPRESSION, LAYERS, TENSION, Colour, Dot, Shape, ramp, round_factor
from compas_nscd.errors import InputError
from compas_nscd.geometry.vectors import cross
from compas_nscd.results.deformable.submodel import SubmodelResult
from compas_nscd.results.dynamic import DynamicResult
from compas_nscd.results.elastic import ElasticResult
from compas_nscd.results.static import StaticResult

#: Greatest displacement in a drawing [median diagonal of a block]. Larger: neighbouring blocks overlap in the drawing.
DRAWN = 0.1
#: Stresses that colours can show -> their words.
STRESSES: Dict[str, str] = {
    "principal": "dominant principal stress",
    "tension": "greatest principal stress",
    "compression": "least principal stress",
    "von_mises": "von Mises stress",
}
#: Colour of the greatest stress of von Mises, which has no sign.
EQUIVALENT: Colour = (122, 40, 110)
#: Least range of a scale [Pa]: below it all stresses are rounding.
LEAST_RANGE = 1e-9

AnyResult = Union[StaticResult, DynamicResult, SubmodelResult]


class StressScale(NamedTuple):
    """Colours of stresses: tension red, compression blue, zero the colour of stone."""

    words: str
    low: float  # [Pa] at most 0
    high: float  # [Pa] at least 0
    signed: bool

    def colour(self, stress: float) -> Colour:
        """Return the colour of a stress [Pa]; tension and compression share one scale of magnitudes."""
        reach = max(-self.low, self.high, LEAST_RANGE)
        top = EQUIVALENT if not self.signed else TENSION if stress > 0.0 else COMPRESSION
        return ramp(abs(stress) / reach, high=top)

    def steps(self, count: int) -> List[Tuple[float, Colour]]:
        """Return stresses [Pa] from low to high in equal steps, with their colours."""
        return [(float(value), self.colour(value)) for value in np.linspace(self.low, self.high, count)]


def element_stresses(elastic: ElasticResult, kind: str = "principal") -> np.ndarray:
    """Return the stress of every element [Pa] (E,) that colours show; `kind` is one of STRESSES."""
    if kind not in STRESSES:
        raise InputError("There is no stress {!r:.20}.".format(kind), remedy="Stresses: " + ", ".join(STRESSES))
    if kind == "von_mises":
        return elastic.von_mises
    low, high = elastic.principal[:, 0], elastic.principal[:, 2]
    return {"tension": high, "compression": low}.get(kind, np.where(high > -low, high, low))


def stress_scale(elastic: ElasticResult, kind: str = "principal") -> StressScale:
    """Return the scale that holds the stresses of all elements."""
    stress = element_stresses(elastic, kind)
    low, high = min(stress.min(initial=0.0), 0.0), max(stress.max(initial=0.0), 0.0)
    return StressScale(STRESSES[kind], float(low), float(high), kind != "von_mises")


def magnification(result: AnyResult) -> float:
    """Return the round factor, at least 1, that makes the greatest displacement visible."""
    most = 0.0 if result.elastic is None else result.elastic.displacement_max
    return round_factor(DRAWN * result.structure.block_size / most if most > 0.0 else 1.0)


def deformed_shapes(result: AnyResult, kind: str = "principal", magnify: Optional[float] = None) -> List[Shape]:
    """Return all blocks as they deform, on the layer `displaced`; elastic ones coloured by stress.

    Parameters
    ----------
    result : StaticResult, DynamicResult or SubmodelResult
        With deformable blocks; a motion is drawn at its end.
    kind : str, optional
        One of STRESSES.
    magnify : float, optional
        Factor on the displacements; `magnification` unless given.
    """
    elastic = result.elastic
    assert elastic is not None
    factor = magnification(result) if magnify is None else magnify
    stress, scale = element_stresses(elastic, kind), stress_scale(elastic, kind)
    colours = [scale.colour(value) for value in stress]
    own, shapes = set(elastic.blocks), []
    posed, moved_rigidly = _poses(result), _rigid_motion(result, factor)
    for i, block in enumerate(result.structure.blocks):
        name = result.structure.names[i]
        if i in own:
            at_rest, faces, cells = elastic.surface(i, 0.0)
            moved = factor * (elastic.surface(i, 1.0)[0] - at_rest)
            painted = [colours[cell] for cell in cells]
            shapes.append(Shape("displaced", name, posed(i, at_rest) + moved, faces, LAYERS["blocks"], i, painted))
        else:
            plain = LAYERS["supports" if block.support else "blocks"]
            vertices, faces = block.surface()
            shapes.append(Shape("displaced", name, moved_rigidly(i, vertices), faces, plain, i))
    return shapes


def _rigid_motion(result: AnyResult, factor: float) -> Callable[[int, np.ndarray], np.ndarray]:
    """Function of a rigid block and its points at rest (n, 3) [m]: where they are drawn."""
    if not isinstance(result, StaticResult) or result.displacement is None:
        return _poses(result)
    rigid, centroid = result.displacement, result.centroid
    return lambda i, points: points + factor * small_motion(rigid[i], points - centroid[i])


def small_motion(displacement: np.ndarray, arm: np.ndarray) -> np.ndarray:
    """Return displacements [m] (n, 3) of points of a rigid block with a displacement (6,) [m, rad] of its centroid."""
    return displacement[:3] + cross(displacement[None, 3:], arm)


def _poses(result: AnyResult) -> Callable[[int, np.ndarray], np.ndarray]:
    """Function of a block and points at rest (n, 3) [m]: at the end of a motion; where they were in statics."""
    if not isinstance(result, DynamicResult):
        return lambda i, points: points
    position, rotation = result.pose(float(result.times[-1]))
    return lambda i, points: (points - result.centroid[i]) @ rotation[i].T + position[i]


def crack_dots(result: AnyResult) -> List[Dot]:
    """Return labels of the cracked blocks at their middles."""
    elastic = result.elastic
    if elastic is None:
        return []
    rows = result.structure.indices(elastic.cracked)
    return [
        Dot("cracks", "cracked", result.structure.blocks[i].surface()[0].mean(axis=0), LAYERS["cracks"]) for i in rows
    ]


def scale_words(result: AnyResult, kind: str, magnify: Optional[float]) -> List[Tuple[str, Colour]]:
    """Return lines of a legend: the ends of the scale, and the factor on the displacements."""
    elastic = result.elastic
    assert elastic is not None
    scale = stress_scale(elastic, kind)
    text = "{}: {:.3g} to {:.3g} MPa, tension positive".format(scale.words, 1e-6 * scale.low, 1e-6 * scale.high)
    factor = magnification(result) if magnify is None else magnify
    drawn = "greatest displacement {:.3g} mm, drawn {:g} times as large".format(1e3 * elastic.displacement_max, factor)
    return [(text, LAYERS["stress"]), (drawn, LAYERS["displaced"])]
