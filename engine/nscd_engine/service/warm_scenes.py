"""Requests that are as small as possible and together need every kernel, written as the client sends them."""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np

#: A block: vertices [m], faces, support, density [kg/m3]; `radius` [m] and one vertex for a sphere, `depth` [m] if it
#: is a disc.
Block = Dict[str, Any]
#: Index of a block, point [m] and force [N].
Load = Tuple[int, Sequence[float], Sequence[float]]

SQUARE = [(0, 0), (1, 0), (1, 1), (0, 1)]
ELL = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)]
GRAVITY = (0.0, 0.0, -9.81)  # [m/s2]


def request(
    blocks: List[Block],
    friction: float,
    loads: Sequence[Load] = (),
    gravity: Sequence[float] = GRAVITY,
    settings: Optional[Dict[str, Any]] = None,
) -> Dict[str, Any]:
    """`structure`, `case` and `settings` of a request.

    Parameters
    ----------
    blocks : list of Block
    friction : float
        Coefficient of all joints [-].
    loads : list of Load
    gravity : (3,) floats
        [m/s2]
    settings : dict, optional
    """
    structure = dict(
        flat(blocks),
        names=[str(k) for k in range(len(blocks))],
        support=np.array([block["support"] for block in blocks], np.uint8),
        density=np.array([block["density"] for block in blocks], float),
        radius=np.array([block.get("radius", 0.0) for block in blocks], float),
        disc_depth=np.array([block.get("depth", 0.0) for block in blocks], float),
        law={"kind": "coulomb", "friction": friction},
        pair_laws=[],
    )
    case = {
        "gravity": np.array(gravity, float),
        "load_block": np.array([load[0] for load in loads], np.int32),
        "load_point": np.array([load[1] for load in loads], float).reshape(-1, 3),
        "load_force": np.array([load[2] for load in loads], float).reshape(-1, 3),
    }
    return {"structure": structure, "case": case, "settings": dict(settings or {})}


def flat(blocks: List[Block]) -> Dict[str, np.ndarray]:
    """Vertices and faces of all blocks end to end; faces count vertices from the first block on."""
    vertex_start = np.cumsum([0] + [len(block["vertices"]) for block in blocks])
    faces = [[i + first for i in face] for block, first in zip(blocks, vertex_start) for face in block["faces"]]
    return {
        "vertices": np.array([point for block in blocks for point in block["vertices"]], float).reshape(-1, 3),
        "vertex_start": vertex_start.astype(np.int32),
        "face_vertices": np.array([i for face in faces for i in face], np.int32),
        "face_start": np.cumsum([0] + [len(face) for face in faces]).astype(np.int32),
        "block_face_start": np.cumsum([0] + [len(block["faces"]) for block in blocks]).astype(np.int32),
    }


# -- requests ----------------------------------------------------------------------------------------------------------


def stack(overhang: float, **settings: Any) -> Dict[str, Any]:
    """A block of 1 m under a load of 1 N, on a slab that is the support; beyond an overhang of 1 m it tips."""
    slab, block = prism(SQUARE, (-1, -1, -1), (2, 2, 1)), prism(SQUARE, (overhang - 0.5, -0.5, 0))
    load = (1, (overhang, 0.0, 1.0), (0.0, 0.0, -1.0))
    return request([dict(slab, support=True), block], 0.6, [load], settings=settings)


def wedges(**settings: Any) -> Dict[str, Any]:
    """A block on a support with a joint that rises by one in ten: their boxes share space, as those of voussoirs."""
    lower, upper = dict(prism(SQUARE, (0, 0, 0)), support=True), prism(SQUARE, (0, 0, 1))
    for block, corners in ((lower, slice(4, 8)), (upper, slice(0, 4))):
        block["vertices"] = [list(vertex) for vertex in block["vertices"]]
        for vertex in block["vertices"][corners]:
            vertex[2] += 0.1 * vertex[0]
    return request([lower, upper], 0.6, settings=settings)


def deformable(elements: str, **settings: Any) -> Dict[str, Any]:
    """The block of `stack` as a deformable one."""
    asked = stack(0.0, **settings)
    elastic = {"young": 1e9, "poisson": 0.3, "elements": elements, "refine": 1, "mass": "lumped"}
    elastic.update(damping=[0.0, 0.0], plane="stress", tension=None, contacts="corners")
    structure = dict(asked["structure"], elastics=[elastic], elastic_of=np.array([-1, 0], np.int32))
    return dict(asked, structure=structure)


def row(**settings: Any) -> Dict[str, Any]:
    """Thirteen blocks beside each other on a slab, four contacts each: enough contacts for compiled steps."""
    slab = dict(prism(SQUARE, (-1, -1, -1), (28, 3, 1)), support=True)
    return request([slab] + [prism(SQUARE, (2 * k, 0, 0)) for k in range(13)], 0.6, settings=settings)


def slide() -> Dict[str, Any]:
    """Two blocks that slide down a slope: when everything moves, every method of the solver is used."""
    slab = dict(prism(SQUARE, (-1, -1, -1), (3, 3, 1)), support=True)
    blocks = [slab, prism(SQUARE, (0, 0, 0)), prism(SQUARE, (0.05, 0.005, 1))]
    return request(blocks, 0.3, gravity=(4.0, 3.0, -8.0))


def yard() -> Dict[str, Any]:
    """All defects and special cases: concave blocks, warped and triangulated faces, overlaps, edges and corners."""
    slab = dict(prism(SQUARE, (-1, -1, -1), (12, 12, 1)), support=True)
    blocks = [
        slab,
        prism(ELL, (0, 0, 0)),
        prism(ELL, (1.5, 0.5, 0)),  # shares volume with the one before
        warped(prism(SQUARE, (5, 0, 0))),
        prism(SQUARE, (5.5, 0.2, 0.2)),  # shares volume with the one before
        triangulated(prism(SQUARE, (8, 0, 0))),
        prism(SQUARE, (9, 1, 0)),  # an edge of the one before
        prism(SQUARE, (10, 2, 1)),  # a corner of the one before
        prism(SQUARE, (0, 5, 0)),
        prism([(0, 0), (1, -1), (1, 1)], (1, 5.5, 0)),  # its edge in a face of the one before
        ball((5, 5, 0.5)),
        ball((6, 5, 0.5)),  # beside the one before
    ]
    return request(blocks, 0.6)


def sliding_contact() -> Dict[str, Any]:
    """Problem of one contact with W = 1 that approaches and slides."""
    unit = {"data": np.ones(3), "indices": np.arange(3, dtype=np.int32), "start": np.arange(4, dtype=np.int32)}
    return {"name": "one contact", "friction": np.array([0.5]), "W": unit, "q": np.array([-1.0, 2.0, 0.0])}


# -- blocks ------------------------------------------------------------------------------------------------------------


def prism(outline: Sequence[Tuple[float, float]], corner: Sequence[float], size: Sequence[float] = (1, 1, 1)) -> Block:
    """Block with a counter-clockwise outline in plan, from z = 0 to 1, scaled and moved."""
    n = len(outline)
    units = [(x, y, z) for z in (0, 1) for x, y in outline]
    vertices = [[float(c + s * u) for c, s, u in zip(corner, size, unit)] for unit in units]
    sides = [[k, (k + 1) % n, (k + 1) % n + n, k + n] for k in range(n)]
    faces = [list(range(n))[::-1], list(range(n, 2 * n))] + sides
    return {"vertices": vertices, "faces": faces, "support": False, "density": 2000.0}


def ball(centre: Sequence[float]) -> Block:
    """Sphere of 1 m."""
    return {"vertices": [list(centre)], "faces": [], "radius": 0.5, "support": False, "density": 2000.0}


def warped(block: Block) -> Block:
    """The block with a corner of its base lifted by 0.2 mm."""
    vertices = [list(vertex) for vertex in block["vertices"]]
    vertices[0][2] += 2e-4
    return dict(block, vertices=vertices)


def triangulated(block: Block) -> Block:
    """The block with every face cut into triangles."""
    return dict(block, faces=[[f[0], f[k], f[k + 1]] for f in block["faces"] for k in range(1, len(f) - 1)])
