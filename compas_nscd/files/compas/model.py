"""Models of compas_model and block models of compas_dem in COMPAS JSON, read without the packages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from compas_nscd.errors import FileError
from compas_nscd.files.compas.mesh import Envelope, envelope, matrix_of, own_name, shape_of
from compas_nscd.files.contents import Contents, LeftOut, Part

#: Classes of models. Their elements are of any type whose data have a geometry.
CLASSES = ("BlockModel", "Model")
#: Deepest nesting of groups of elements. Larger: a damaged file exhausts the stack. Smaller: deep models are refused.
MAX_DEPTH = 50


def read_model(found: Envelope, filename: str) -> Contents:
    """Elements of a model that have a solid geometry, with their supports, materials and transformations.

    Raises
    ------
    FileError
        If there are no elements, or their data are damaged.
    """
    elements = list(_elements(found.data))
    if not elements:
        raise FileError("{}: the model has no elements.".format(filename))
    density = _densities(found.data)
    placed = _placements(found.data)
    whole = matrix_of(found.data.get("transformation"))
    parts, left_out = [], []
    for key, element in elements:
        own_density = density.get(str(element.data.get("material")))
        try:
            parts.append(_part(key, element, own_density, [whole, placed.get(key)], filename))
        except FileError as error:
            left_out.append(LeftOut(own_name(element.data.get("name")) or key, "", error.message))
    if not parts:
        raise FileError("{}: no element of the model is a solid: {}".format(filename, left_out[0].reason))
    says = any(part.support for part in parts)
    return Contents(parts if says else [p._replace(support=None) for p in parts], left_out=tuple(left_out))


def _elements(data: dict[str, Any]) -> Iterator[tuple[str, Envelope]]:
    """Elements by guid; models keep them as a dict or as a list."""
    given = data.get("elements")
    items: Any = given.items() if isinstance(given, dict) else enumerate(given) if isinstance(given, list) else ()
    for key, node in items:
        element = envelope(node)
        if element is not None:
            yield (str(key) if isinstance(given, dict) else element.guid or str(key)), element


def _densities(data: dict[str, Any]) -> dict[str, float]:
    """Density [kg/m3] of each material that has one, by guid."""
    given = data.get("materials")
    items: Any = given.items() if isinstance(given, dict) else ()
    if isinstance(given, list):
        items = [(node.get("guid"), node) for node in given if isinstance(node, dict)]
    found = {}
    for key, node in items:
        material = envelope(node)
        density = material.data.get("density") if material is not None else None
        if isinstance(density, (int, float)) and not isinstance(density, bool):
            found[str(key)] = float(density)
    return found


def _placements(data: dict[str, Any]) -> dict[str, np.ndarray]:
    """Transformation of the groups above each element, where there is one."""
    tree = data.get("tree")
    inner = envelope(tree)
    tree = inner.data if inner is not None else tree
    root = tree.get("root") if isinstance(tree, dict) else None
    own = {key: matrix_of(element.data.get("transformation")) for key, element in _elements(data)}
    found: dict[str, np.ndarray] = {}

    def descend(node: Any, above: np.ndarray, depth: int) -> None:
        if not isinstance(node, dict):
            return
        if depth > MAX_DEPTH:
            raise FileError("The groups of the model are nested more than {} deep.".format(MAX_DEPTH))
        key = str(node.get("element"))
        if not np.array_equal(above, np.eye(4)):
            found[key] = above
        matrix = own.get(key)
        below = above if matrix is None else above @ matrix
        for child in node.get("children") or ():
            descend(child, below, depth + 1)

    descend(root, np.eye(4), 0)
    return found


def _part(key: str, element: Envelope, density: float | None, above: list[np.ndarray | None], filename: str) -> Part:
    data = element.data
    shape = shape_of(data.get("geometry"), "{}, element {:.40}".format(filename, key))
    matrix = np.eye(4)
    for each in (*above, matrix_of(data.get("transformation"))):
        matrix = matrix if each is None else matrix @ each
    vertices = np.array(shape.vertices, float).reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]
    own = shape.attributes.get("density", density)
    return Part(
        own_name(data.get("name")) or shape.name,
        vertices,
        shape.faces,
        support=bool(data.get("is_support") or shape.attributes.get("is_support")),
        density=own if isinstance(own, (int, float)) else None,
        guid=key if len(key) >= 32 else None,
    )
