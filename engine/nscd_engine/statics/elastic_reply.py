"""What the replies tell of deformable blocks: nodes, elements, stresses (docs/architecture.md)."""

from __future__ import annotations

from typing import Dict, List, Optional, Sequence

import numpy as np

from nscd_engine.core.model import Model
from nscd_engine.deformable.body import DeformableBody, locate_all
from nscd_engine.deformable.stress import COLUMN, ROW, principal, stresses, tensors
from nscd_engine.geometry.polyhedra import polyhedron


def elastic_reply(
    model: Model,
    bodies: Sequence[DeformableBody],
    displacement: Sequence[np.ndarray],
    rotation: Optional[np.ndarray] = None,
) -> dict:
    """Numbers and arrays of deformable blocks with displacements (n, 3) [m] of their nodes.

    The nodes of a block of uniform strain are virtual: its vertices are told instead. If the blocks have turned by
    `rotation` (D, 3, 3), displacements are given in axes that turn with them, and told in world axes as stresses are.
    """
    turns = [None] * len(bodies) if rotation is None else rotation
    vertices = _moved_vertices(model, bodies, displacement)
    parts = [_drawn(model, *each, vertices) for each in zip(bodies, displacement, turns)]
    stress = np.concatenate([part["cell_stress"] for part in parts])
    values = principal(stress)[0]
    tension = np.split(values[:, 0], np.cumsum([len(part["cell"]) for part in parts])[:-1])
    told = {
        "elements": len(stress),
        "unknowns": sum(_numbers(model, body) for body in bodies),
        "displacement_max": float(max(np.linalg.norm(part["node_displacement"], axis=1).max() for part in parts)),
        "stress_max": float(values[:, 0].max()),
        "stress_min": float(values[:, 2].min()),
        "cracked": [
            model.names[body.block]
            for body, own in zip(bodies, tension)
            if body.tension is not None and own.max() > body.tension
        ],
        "quality_min": float(min(body.mesh.quality.min() for body in bodies)),
    }
    return {"elastic": told, **_joined(len(model.names), [body.block for body in bodies], parts)}


def _numbers(model: Model, body: DeformableBody) -> int:
    """Unknowns of a body: 2 a node in planar models, 3 in space."""
    return (3 if model.planar is None else 2) * len(body.mesh.node)


def _moved_vertices(
    model: Model, bodies: Sequence[DeformableBody], displacement: Sequence[np.ndarray]
) -> Dict[int, np.ndarray]:
    """Displacements (v, 3) [m] of the vertices of the blocks of uniform strain, by block."""
    some = [k for k, body in enumerate(bodies) if body.mesh.kind == "uniform"]
    vertices = [polyhedron(model.polyhedra, bodies[k].block)[0] for k in some]
    if not some:
        return {}
    owner = np.repeat(np.arange(len(some)), [len(each) for each in vertices])
    node, weight = locate_all([bodies[k] for k in some], owner, np.concatenate(vertices))
    virtual = np.array([displacement[k] for k in some])
    moved = np.einsum("vk,vkx->vx", weight, virtual[owner[:, None], node])
    ends = np.cumsum([len(each) for each in vertices])[:-1]
    return {bodies[k].block: own for k, own in zip(some, np.split(moved, ends))}


def _drawn(
    model: Model, body: DeformableBody, moved: np.ndarray, turn: Optional[np.ndarray], vertices: Dict[int, np.ndarray]
) -> dict:
    """Arrays of one block, turned by `turn` (3, 3), with rows of nodes counted from its own first."""
    mesh, stress = body.mesh, stresses(body, moved)
    moved = vertices.get(body.block, moved)
    if turn is not None:
        moved, stress = moved @ turn.T, (turn @ tensors(stress) @ turn.T)[:, ROW, COLUMN]
    if mesh.kind == "uniform":
        node, faces = polyhedron(model.polyhedra, body.block)
        cell = np.full((1, 8), -1, np.int32)
        cell[0, : min(8, len(node))] = np.arange(min(8, len(node)))
        skin = _fans(faces)
        return _arrays(node, moved, cell, stress, mesh.cell_volume, skin, np.zeros(len(skin), np.int32))
    cell = np.full((len(mesh.cell), 8), -1, np.int32)
    cell[:, : mesh.cell.shape[1]] = mesh.cell
    if mesh.kind == "t3":
        skin = np.column_stack([mesh.cell, np.full(len(mesh.cell), -1)])
        return _arrays(mesh.node, moved, cell, stress, mesh.cell_volume, skin, np.arange(len(skin)))
    return _arrays(mesh.node, moved, cell, stress, mesh.cell_volume, mesh.face, mesh.face_cell)


def _fans(faces: Sequence[Sequence[int]]) -> np.ndarray:
    """Faces (S, 4) of three or four vertices, -1 behind three: larger ones as fans."""
    rows: List[List[int]] = []
    for face in faces:
        face = list(face)
        if len(face) <= 4:
            rows.append((face + [-1])[:4])
        else:
            rows += [[face[0], face[k], face[k + 1], -1] for k in range(1, len(face) - 1)]
    return np.array(rows, np.int32)


def _arrays(node, moved, cell, stress, volume, skin, skin_cell):
    return {
        "node": node,
        "node_displacement": moved,
        "cell": cell,
        "cell_stress": stress,
        "cell_volume": volume,
        "skin": np.asarray(skin, np.int32),
        "skin_cell": np.asarray(skin_cell, np.int32),
    }


def _joined(count: int, blocks: List[int], parts: List[dict]) -> dict:
    """Arrays of all blocks one behind the other, with starts (count + 1,) by block."""
    starts = {}
    for key in ("node", "cell", "skin"):
        number = np.zeros(count, np.int64)
        number[blocks] = [len(part[key]) for part in parts]
        starts[key] = np.concatenate([[0], np.cumsum(number)]).astype(np.int32)
    joined = {"{}_start".format(key): start for key, start in starts.items()}
    order = np.argsort(blocks, kind="stable")
    for key in parts[0]:
        rows = {"cell": "node", "skin": "node", "skin_cell": "cell"}.get(key)
        each = []
        for k in order:
            shift = 0 if rows is None else int(starts[rows][blocks[k]])
            value = parts[k][key]
            each.append(value if rows is None else np.where(value >= 0, value + shift, -1).astype(np.int32))
        joined[key] = np.concatenate(each)
    return joined
