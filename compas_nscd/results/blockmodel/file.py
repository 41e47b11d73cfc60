"""Static results as a file of compas_dem: a BlockModel whose contacts have forces. compas_dem need not be installed."""

from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import Any

import numpy as np

from compas_nscd.files.writing import cannot_write
from compas_nscd.geometry.polyhedra import polyhedron
from compas_nscd.geometry.vectors import tangents
from compas_nscd.results.static import StaticResult


def write_blockmodel(result: StaticResult, path: str | Path) -> None:
    """Write the structure and its joints with their forces as COMPAS JSON of `compas_dem.models/BlockModel`."""
    try:
        Path(path).write_text(json.dumps(blockmodel_data(result)), encoding="utf-8")
    except OSError as error:
        raise cannot_write(path, error)


def blockmodel_data(result: StaticResult) -> dict[str, Any]:
    """The model as COMPAS writes it."""
    structure = result.structure
    poly = structure.surfaces
    guids = [block.given_guid or _guid() for block in structure.blocks]
    materials = {block.density: _guid() for block in structure.blocks}
    elements = {}
    for i, block in enumerate(structure.blocks):
        vertices, faces = polyhedron(poly, i)
        data: dict[str, Any] = {
            "transformation": None,
            "features": [],
            "name": structure.names[i],
            "material": materials[block.density],
            "geometry": _mesh(vertices, faces, block.support),
            "is_support": block.support,
        }
        elements[guids[i]] = {"dtype": "compas_dem.elements/Block", "data": data, "guid": guids[i]}
    model = {
        "transformation": None,
        "elements": elements,
        "materials": {guid: _material(density, guid) for density, guid in materials.items()},
        "tree": {"attributes": {}, "root": {"name": "root", "children": [_node(guid) for guid in guids]}},
        "graph": _graph(result, guids),
    }
    return {"dtype": "compas_dem.models/BlockModel", "data": model, "guid": _guid(), "name": str(structure.name)}


def _guid() -> str:
    return str(uuid.uuid4())


def _node(guid: str) -> dict[str, str]:
    return {"name": "ElementNode", "element": guid}


def _material(density: float, guid: str) -> dict[str, Any]:
    data = {"name": "Stone", "fc": None, "ft": None, "Ecm": None, "density": density, "poisson": None}
    return {"dtype": "compas_dem.material/Stone", "data": data, "guid": guid}


def _mesh(vertices: np.ndarray, faces: list[list[int]], support: bool) -> dict[str, Any]:
    data = {
        "attributes": {"is_support": support},
        "default_vertex_attributes": {"x": 0.0, "y": 0.0, "z": 0.0},
        "default_edge_attributes": {},
        "default_face_attributes": {},
        "vertex": {str(i): dict(zip("xyz", vertex)) for i, vertex in enumerate(vertices.tolist())},
        "face": {str(i): list(map(int, face)) for i, face in enumerate(faces)},
        "facedata": {},
        "edgedata": {},
        "max_vertex": len(vertices) - 1,
        "max_face": len(faces) - 1,
    }
    return {"dtype": "compas.datastructures/Mesh", "data": data, "guid": _guid()}


def _graph(result: StaticResult, guids: list[str]) -> dict[str, Any]:
    edges: dict[str, Any] = {str(i): {} for i in range(len(guids))}
    for k, joint in enumerate(result.interfaces):
        if len(joint.points) > 2:
            a, b = joint.indices
            edges[str(a)].setdefault(str(b), {"contacts": []})["contacts"].append(_contact(result, k, joint))
    return {
        "attributes": {},
        "default_node_attributes": {"x": 0.0, "y": 0.0, "z": 0.0, "element": None},
        "default_edge_attributes": {"modifiers": None, "contacts": None},
        "node": {str(i): {"element": guid} for i, guid in enumerate(guids)},
        "edge": edges,
        "max_node": len(guids) - 1,
    }


def _contact(result: StaticResult, k: int, joint: Any) -> dict[str, Any]:
    """Contact of compas_dem: the z axis of its frame is the normal from a to b, the force is that on b."""
    first, second = tangents(result.interface_normal[k : k + 1])
    normal = joint.forces @ joint.normal
    along, across = joint.forces @ first[0], joint.forces @ second[0]
    forces = [
        {"c_np": max(n, 0.0), "c_nn": max(-n, 0.0), "c_u": u, "c_v": v}
        for n, u, v in zip(normal.tolist(), along.tolist(), across.tolist())
    ]
    frame = {"point": joint.centroid.tolist(), "xaxis": first[0].tolist(), "yaxis": second[0].tolist()}
    data = {
        "points": joint.points.tolist(),
        "frame": {"dtype": "compas.geometry/Frame", "data": frame, "guid": _guid()},
        "size": float(joint.area),
        "forces": forces,
    }
    return {"dtype": "compas_dem.interactions/FrictionContact", "data": data, "guid": _guid()}
