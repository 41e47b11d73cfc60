"""Assemblies of compas_assembly in COMPAS JSON, read without the package."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from compas_nscd.errors import FileError
from compas_nscd.files.compas.mesh import Envelope, envelope, own_name, shape_of
from compas_nscd.files.contents import Contents, Part

#: Class of assemblies.
CLASS = "Assembly"


def read_assembly(found: Envelope, filename: str) -> Contents:
    """Blocks of an assembly; a node says whether its block is a support.

    Raises
    ------
    FileError
        If there are no blocks.
    """
    parts = [_part(key, node, found.data, filename) for key, node in _nodes(found.data)]
    if not parts:
        raise FileError("{}: the assembly has no blocks.".format(filename))
    says = any(part.support for part in parts)  # an assembly in which no node is held does not say which are supports
    return Contents(parts if says else [part._replace(support=None) for part in parts])


def _nodes(data: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Nodes of the graph, in the order of their numbers."""
    graph = data.get("graph")
    inner = envelope(graph)
    graph = inner.data if inner is not None else graph if isinstance(graph, dict) else data
    nodes = graph.get("node")
    if isinstance(nodes, dict):
        number = {key: int(key) if str(key).lstrip("-").isdigit() else 0 for key in nodes}
        for key in sorted(nodes, key=lambda key: number[key]):
            if isinstance(nodes[key], dict):
                yield str(key), nodes[key]


def _part(key: str, node: dict[str, Any], data: dict[str, Any], filename: str) -> Part:
    where = "{}, node {:.40}".format(filename, key)
    block = node.get("block")
    if block is None and isinstance(data.get("blocks"), dict):  # COMPAS 1 keeps the blocks beside the graph
        block = data["blocks"].get(key)
    shape = shape_of(block, where)
    density = shape.attributes.get("density", node.get("density"))
    return Part(
        shape.name or own_name(node.get("name")),
        shape.vertices,
        shape.faces,
        support=bool(node.get("is_support") or shape.attributes.get("is_support")),
        density=density if isinstance(density, (int, float)) else None,
        guid=block.get("guid") if isinstance(block, dict) else None,
    )
