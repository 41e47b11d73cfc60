"""Results as contacts, models and results of compas_dem, which is imported on first use.

A contact of compas_dem has a frame whose z axis is the normal, and per point the force {"c_np": compression, "c_nn":
tension, "c_u": along x, "c_v": along y}. On an edge (u, v) of its graph the normal points from u to v, as in the
contacts that compas_dem finds itself, and the force is that on v, as in those that compas_cra solves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from compas.geometry import Frame, Polygon, Transformation

from compas_nscd.errors import InputError, NotAvailableError
from compas_nscd.geometry.vectors import rotations, tangents
from compas_nscd.results.dynamic import DynamicResult
from compas_nscd.results.interface import Interface
from compas_nscd.results.static import DISPLACED, StaticResult


def friction_contacts(result: StaticResult, contact_class: Any = None) -> list[tuple[tuple[int, int], Any]]:
    """The joints of a StaticResult as contacts of compas_dem.

    Parameters
    ----------
    result : StaticResult
    contact_class : type, optional
        Instead of `compas_dem.interactions.FrictionContact`.

    Returns
    -------
    list of ((int, int), FrictionContact)
        Blocks a < b, and their contact: the normal points from a to b, the force is that on b. Line and point contacts
        are left out.
    """
    make = contact_class or _compas_dem("interactions").FrictionContact
    return [(joint.indices, _contact(make, joint, frame)) for joint, frame in _framed(result)]


def to_blockmodel(result: StaticResult, model: Any, contact_class: Any = None) -> Any:
    """Store the joints of a result on the edges of the `BlockModel` of its structure.

    Parameters
    ----------
    result : StaticResult
    model : BlockModel
        The one given to `Structure.from_blockmodel`; contacts on its edges are replaced.

    Returns
    -------
    BlockModel
        The same model.
    """
    nodes, graph = _nodes(result, model), model.graph
    make = contact_class or _compas_dem("interactions").FrictionContact
    for edge in list(graph.edges()):
        graph.edge_attribute(edge, "contacts", [])
    for joint, frame in _framed(result):
        edge, turned = _edge(graph, nodes, joint)
        if not graph.has_edge(edge):
            graph.add_edge(*edge)
        found = graph.edge_attribute(edge, "contacts") or []
        graph.edge_attribute(edge, "contacts", found + [_contact(make, joint, frame, turned)])
    return model


def to_results(
    result: StaticResult | DynamicResult,
    model: Any,
    problem: Any = None,
    displaced: float | None = None,
    at: float | None = None,
) -> Any:
    """A result as `compas_dem.problem.Results`, for the viewer of compas_dem.

    Parameters
    ----------
    result : StaticResult or DynamicResult
    model : BlockModel
        The one given to `Structure.from_blockmodel`.
    problem : Problem, optional
        Of compas_dem, to which the results belong.
    displaced : float, optional
        Displacement of the fastest vertex of a collapsing structure [m]. Default: half a block.
    at : float, optional
        Time in a motion [s]. Default: the end.

    Returns
    -------
    compas_dem.problem.Results
        Transformations of all blocks and, of a StaticResult, the contacts. An edge with several joints has their
        resultant and the contact with the greatest normal force.
    """
    nodes = _nodes(result, model)
    owner = result if problem is None else problem
    results = _compas_dem("problem").Results(model_id=str(model.guid), problem_id=str(owner.guid))
    for node, matrix in zip(nodes, _transformations(result, displaced, at)):
        results.set_node(node, "transformation", Transformation(matrix.tolist()))
    if not isinstance(result, DynamicResult):
        _set_edges(results, result, model.graph, nodes)
    return results


def _set_edges(results: Any, result: StaticResult, graph: Any, nodes: list[Any]) -> None:
    make = _compas_dem("interactions").FrictionContact
    groups: dict[Any, list[tuple]] = {}
    for joint, frame in _framed(result):
        edge, turned = _edge(graph, nodes, joint)
        groups.setdefault(edge, []).append((joint, frame, turned))
    for edge, found in groups.items():
        if not graph.has_edge(edge):
            results.metadata.setdefault("added_edges", []).append(list(edge))
        joint, frame, turned = max(found, key=lambda item: item[0].normal_force)
        contact = _contact(make, joint, frame, turned)
        total = sum((-1.0 if turned else 1.0) * item[0].resultant for item in found)
        axes = np.array([contact.frame.xaxis, contact.frame.yaxis, contact.frame.zaxis])
        values = {
            "contact_data": contact,
            "contact_frame": contact.frame,
            "contact_polygon": Polygon(joint.outline.tolist()),
            "contact_points": joint.points.tolist(),
            "face_contact": True,
            "resultant_global": total.tolist(),
            "resultant_local": (axes @ total).tolist(),
            "force_magnitude": float(np.linalg.norm(total)),
            "joints": len(found),
        }
        for key, value in values.items():
            results.set_edge(edge, key, value)


def _framed(result: StaticResult) -> list[tuple[Interface, tuple[np.ndarray, np.ndarray]]]:
    """Face contacts, each with the x and y axis of its frame; z is the normal from a to b."""
    axes = zip(*tangents(result.interface_normal))
    return [(joint, pair) for joint, pair in zip(result.interfaces, axes) if len(joint.points) > 2]


def _contact(make: Any, joint: Interface, axes: Sequence[np.ndarray], turned: bool = False) -> Any:
    """Contact whose normal points from a to b with the force on b; if turned, from b to a with the force on a."""
    sign = -1.0 if turned else 1.0
    x, y = axes[0], sign * axes[1]
    on = sign * joint.forces
    normal, along, across = on @ (sign * joint.normal), on @ x, on @ y
    forces = [
        {"c_np": max(n, 0.0), "c_nn": max(-n, 0.0), "c_u": u, "c_v": v}
        for n, u, v in zip(normal.tolist(), along.tolist(), across.tolist())
    ]
    frame = Frame(joint.centroid.tolist(), x.tolist(), y.tolist())
    return make(points=joint.points.tolist(), frame=frame, size=joint.area, forces=forces)


def _edge(graph: Any, nodes: list[Any], joint: Interface) -> tuple[Any, bool]:
    """Edge of the graph between the blocks of a joint, and whether it runs from b to a."""
    a, b = (nodes[i] for i in joint.indices)
    turned = graph.has_edge((b, a)) and not graph.has_edge((a, b))
    return ((b, a), True) if turned else ((a, b), False)


def _nodes(result: StaticResult | DynamicResult, model: Any) -> list[Any]:
    """Node of every block in the graph of the model."""
    nodes = [element.graphnode for element in model.elements()]
    if len(nodes) != len(result.structure.blocks):
        text = "The model has {} elements, the result {} blocks."
        raise InputError(text.format(len(nodes), len(result.structure.blocks)), remedy="Give the model it was made of.")
    return nodes


def _transformations(result: StaticResult | DynamicResult, displaced: float | None, at: float | None) -> np.ndarray:
    """Matrix of the displacement of every block. (B, 4, 4)"""
    if isinstance(result, DynamicResult):
        position, rotation = result.pose(result.times[-1] if at is None else at)
    elif result.mechanism is None:
        position, rotation = result.centroid, rotations(np.zeros((len(result.centroid), 3)))
    else:
        scale = DISPLACED * result.structure.block_size if displaced is None else displaced
        position = result.centroid + scale * result.mechanism[:, :3]
        rotation = rotations(scale * result.mechanism[:, 3:])
    matrices = np.tile(np.eye(4), (len(position), 1, 1))
    matrices[:, :3, :3] = rotation
    matrices[:, :3, 3] = position - np.einsum("bij,bj->bi", rotation, result.centroid)
    return matrices


def _compas_dem(part: str) -> Any:
    """A module of compas_dem."""
    from importlib import import_module

    try:
        return import_module("compas_dem." + part)
    except ImportError:
        raise NotAvailableError("compas_dem is not installed.", remedy="Install it with: pip install compas_dem")
