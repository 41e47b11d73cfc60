"""Structure of a request: it becomes a Model, or an error that names the block and the remedy.

No module behind the gate checks user input again. Kernels do not check indices: whatever could send one out of its
arrays must be refused here.
"""

from __future__ import annotations

from typing import Optional

import numpy as np

from compas_nscd.errors import GeometryError, InputError, LoadError, MaterialError, ProtocolError
from nscd_engine.bodies.rigid import body_properties
from nscd_engine.core.model import Model
from nscd_engine.core.structs import Bodies, Polyhedra
from nscd_engine.gate.elastic import Shapes, read_elastic
from nscd_engine.gate.fields import (
    MAX_ACCELERATION,
    MAX_COORDINATE,
    MAX_DENSITY,
    MIN_DENSITY,
    MIN_SIZE,
    array,
    part,
    refuse,
    refuse_faces,
    require_bounded,
    starts,
)
from nscd_engine.gate.laws import read_laws
from nscd_engine.gate.loads import read_point_loads
from nscd_engine.geometry.polyhedra import block_sizes

#: Distance over the radius up to which centres are in one plane [-]. Smaller: careless drawings are refused. Larger:
#: discs that miss each other count as coplanar.
SAME_PLANE = 1e-3
#: Most blocks whose faces are remembered [-]. More: memory, some 200 bytes a block.
LARGEST = 5000
#: Faces of no request.
NO_FACES = (np.zeros(0),) * 5

_sound_faces: tuple = NO_FACES  # of the last request; replaced as a whole, since requests run in several threads


def read_case(request: dict) -> dict:
    """The load case of a request, not checked yet."""
    return part(request, "case")


def read_model(request: dict) -> Model:
    """The checked model of a request with `structure` and `case`."""
    structure = part(request, "structure")
    names = _names(structure)
    radius, depth, planar = _radii(structure, names), _disc_depths(structure, names), _planar(structure)
    poly = _polyhedra(structure, names, radius)
    check_discs(poly.vertices[poly.vertex_start[:-1]], radius, depth, planar, names)
    bodies = _bodies(structure, poly, names, body_properties(poly, radius, depth, planar), radius)
    laws = read_laws(structure, names)
    case = read_case(request)
    gravity = array(case, "gravity", np.float64, (3,), LoadError)
    require_bounded(gravity, MAX_ACCELERATION, "gravity", "m/s2")
    point_loads, load = read_point_loads(case, bodies)
    elastic = read_elastic(structure, names, bodies, Shapes(poly, radius, planar is not None))
    return Model(poly, bodies, names, *laws, gravity, point_loads, load, radius, planar, elastic=elastic)


def _names(structure):
    names = structure.get("names")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ProtocolError("The names of the blocks should be a list of text.")
    if not names:
        raise InputError("The structure has no blocks.", remedy="Add blocks before the analysis.")
    if len(set(names)) < len(names):
        seen = set()
        twice = sorted({name for name in names if name in seen or seen.add(name)})
        raise InputError("Blocks share a name.", remedy="Give every block a name of its own.", blocks=twice)
    return names


def _lengths(structure, key, names, what):
    """Lengths [m] (B,) of blocks of one kind, 0 for the others; a request may leave them out."""
    if key not in structure:
        return np.zeros(len(names))
    length = array(structure, key, np.float64, (len(names),), GeometryError)
    bad = (length < 0.0) | (length > MAX_COORDINATE)
    remedy = "Give it a {} above zero, in metres.".format(what.split()[0])
    refuse(bad, names, "The {} is not plausible.".format(what), remedy)
    return length


def _radii(structure, names):
    """Radii [m] (B,) of spheres and discs."""
    return _lengths(structure, "radius", names, "radius of a block")


def _disc_depths(structure, names):
    """Depths [m] (B,) of discs."""
    depth = _lengths(structure, "disc_depth", names, "depth of a disc")
    refuse((depth > 0.0) & (_radii(structure, names) == 0.0), names, "A disc has no radius.", "Give it a radius.")
    return depth


def _planar(structure):
    """Unit vector normal to the plane of a planar model, or None."""
    if structure.get("planar") is None:
        return None
    axis = array(structure, "planar", np.float64, (3,), GeometryError)
    length = np.linalg.norm(axis)
    if not 0.0 < length < np.inf:
        raise GeometryError("The axis of the planar model has no direction.", remedy="Give a vector like (0, 1, 0).")
    return axis / length


def _polyhedra(structure, names, radius):
    vertices = array(structure, "vertices", np.float64, (-1, 3), GeometryError)
    face_vertices = array(structure, "face_vertices", np.int32, (-1,))
    vertex_start = starts(structure, "vertex_start", len(names), len(vertices))
    faces = array(structure, "face_start", np.int32, (-1,))
    face_start = starts(structure, "face_start", len(faces) - 1, len(face_vertices))
    block_face_start = starts(structure, "block_face_start", len(names), len(faces) - 1)
    poly = Polyhedra(vertices, vertex_start, face_vertices, face_start, block_face_start)
    if vertices.size and np.abs(vertices).max() > MAX_COORDINATE:
        raise GeometryError(
            "A coordinate is beyond {:g} m.".format(MAX_COORDINATE), remedy="Check the units of the document."
        )
    _require_faces(poly, names, radius > 0.0)
    return poly


def _require_faces(poly, names, is_round):
    """`_check_faces`, unless the faces are those of the last request: a slider moves their vertices only."""
    global _sound_faces
    faces = (*poly[1:], is_round)
    if not all(map(np.array_equal, _sound_faces, faces)):
        _check_faces(poly, names, is_round)
        _sound_faces = tuple(each.copy() for each in faces) if len(names) <= LARGEST else NO_FACES


def _check_faces(poly, names, is_round):
    """Faces of at least three corners that belong to their block and close it; none for spheres and discs."""
    face_size, faces = np.diff(poly.face_start), np.diff(poly.block_face_start)
    face_block = np.repeat(np.arange(len(names)), faces)
    more = is_round & ((faces > 0) | (np.diff(poly.vertex_start) != 1))
    refuse(more, names, "A sphere or disc has more than its centre.", "Send one vertex and no faces with a radius.")
    refuse((faces < 4) & ~is_round, names, "A block has fewer than four faces.")
    refuse_faces(face_size < 3, face_block, names, "A face has fewer than three corners.")
    block = np.repeat(face_block, face_size)
    corner = poly.face_vertices
    foreign = (corner < poly.vertex_start[block]) | (corner >= poly.vertex_start[block + 1])
    refuse_faces(foreign, block, names, "A face refers to a vertex that is not one of its block.")
    following = np.empty_like(corner)
    following[:-1] = corner[1:]
    following[poly.face_start[1:] - 1] = corner[poly.face_start[:-1]]
    edge = corner.astype(np.int64) * len(poly.vertices) + following
    reverse = following.astype(np.int64) * len(poly.vertices) + corner
    order = np.argsort(edge, kind="stable")
    edge, reverse, block = edge[order], np.sort(reverse), block[order]
    twice = np.zeros(len(edge), bool)
    twice[1:] = edge[1:] == edge[:-1]
    open_edge = twice | (edge != reverse)
    if open_edge.any():
        # The first difference of the two sorted lists lies in the first block that is not closed.
        raise GeometryError(
            "A block is not closed: an edge does not belong to exactly two faces of opposite sense.",
            remedy="Close the mesh, weld its vertices and let all faces point outward.",
            blocks=[names[block[np.argmax(open_edge)]]],
        )


def _bodies(structure, poly, names, properties, radius):
    count = len(names)
    support = array(structure, "support", np.uint8, (count,)) != 0
    density = array(structure, "density", np.float64, (count,), MaterialError)
    refuse(
        density <= 0.0, names, "The density of a block is not above zero.", "Give it a density in kg/m3.", MaterialError
    )
    text = "The density of a block is beyond {:g} kg/m3.".format(MAX_DENSITY)
    refuse(density > MAX_DENSITY, names, text, "Check its units.", MaterialError)
    text = "The density of a block is below {:g} kg/m3.".format(MIN_DENSITY)
    refuse(density < MIN_DENSITY, names, text, "Check its units.", MaterialError)
    volume, centroid, inertia = properties
    size = block_sizes(poly, centroid, radius)
    refuse(size < MIN_SIZE, names, "A block is smaller than {:g} m.".format(MIN_SIZE), "Check its units.")
    # Below this volume a block is a surface: its volume is the rounding of its coordinates.
    reach = np.maximum.reduceat(np.abs(poly.vertices).max(axis=1), poly.vertex_start[:-1])
    least = 64.0 * np.finfo(float).eps * np.maximum(size, reach) * size**2
    refuse(volume < -least, names, "A block is inside out.", "Let the faces of the mesh point outward.")
    refuse(~(volume > least), names, "A block has no volume.")
    free = np.where(support, -1, np.cumsum(~support) - 1).astype(np.int32)
    return Bodies(density * volume, volume, centroid, density[:, None, None] * inertia, size, free)


def check_discs(
    centre: np.ndarray, radius: np.ndarray, depth: np.ndarray, planar: Optional[np.ndarray], names: list
) -> None:
    """Refuse discs outside a planar model, and spheres or discs of a planar model that are not in one plane.

    Parameters
    ----------
    centre : array (B, 3)
        [m]
    radius : array (B,)
        [m]; 0 for polyhedra.
    depth : array (B,)
        [m]; 0 for all but discs.
    planar : array (3,) or None
        Unit vector normal to the plane of the model.
    names : list of str
    """
    discs = np.flatnonzero(depth > 0.0)
    if planar is None:
        if len(discs):
            raise GeometryError(
                "A disc can only be a block of a planar model.",
                remedy="Declare the structure planar, or use spheres.",
                blocks=[names[i] for i in discs[:20]],
            )
        return
    spheres = np.flatnonzero(radius > 0.0)
    if len(spheres):
        height = (centre[spheres] - centre[spheres[0]]) @ planar
        off = spheres[np.abs(height) > SAME_PLANE * radius[spheres]]
        if len(off):
            raise GeometryError(
                "The centres of the spheres and discs of a planar model are not in one plane.",
                remedy="Give all of them the same coordinate along the axis of the model.",
                blocks=[names[i] for i in off[:20]],
            )
