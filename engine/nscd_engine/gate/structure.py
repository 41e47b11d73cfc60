"""The one gate: what came over the wire becomes a Model, or an error that names the block and the remedy.

Nothing behind this gate checks user input again, so nothing may pass that could send a kernel out of its arrays.
"""

import numpy as np

from compas_nscd.errors import GeometryError, InputError, LoadError, MaterialError, ProtocolError, SettingsError
from nscd_engine.bodies.rigid import body_properties, check_discs
from nscd_engine.core.model import Model, Settings, pair_key
from nscd_engine.core.structs import Bodies, Polyhedra
from nscd_engine.gate.laws import is_number, read_law

#: Coordinates beyond this are a mistake of units, and their squares and cubes lose all meaning [m].
MAX_COORDINATE = 1e9
#: The same for velocities [m/s, rad/s], accelerations [m/s2], forces with their moments [N, N m], densities [kg/m3].
MAX_VELOCITY, MAX_ACCELERATION, MAX_LOAD, MAX_DENSITY = 1e6, 1e6, 1e18, 1e12


def read_model(request):
    """The checked model of a request with `structure` and `case`."""
    structure = part(request, "structure")
    names = _names(structure)
    radius, depth, planar = _radii(structure, names), _disc_depths(structure, names), _planar(structure)
    poly = _polyhedra(structure, names, radius)
    check_discs(poly.vertices[poly.vertex_start[:-1]], radius, depth, planar, names)
    bodies = _bodies(structure, poly, names, body_properties(poly, radius, depth, planar), radius)
    laws = _laws(structure, names)
    case = part(request, "case")
    gravity = array(case, "gravity", np.float64, (3,), LoadError)
    require_bounded(gravity, MAX_ACCELERATION, "gravity", "m/s2")
    load = load_wrenches(case, bodies, names)
    return Model(poly, bodies, names, *laws, gravity, load, radius, planar)


def read_settings(request):
    """The checked settings of a request; what is not said keeps its default."""
    given = part(request, "settings") if "settings" in request else {}
    unknown = sorted(set(map(str, given)) - set(Settings._fields))
    if unknown:
        raise SettingsError(
            "Unknown setting {}.".format(", ".join(map(repr, unknown))),
            remedy="The settings are {}.".format(", ".join(Settings._fields)),
        )
    return Settings(**{key: _SETTINGS[key](key, value) for key, value in given.items()})


def part(request, key):
    """The dict of this name in a message."""
    found = request.get(key)
    if not isinstance(found, dict):
        raise ProtocolError("The request has no {!r}.".format(key))
    return found


def array(part, key, dtype, shape, error=ProtocolError):
    """An array of the message with the dtype and shape the kernels expect; -1 in shape stands for any length."""
    if key not in part:
        raise ProtocolError("The request has no array {!r}.".format(key))
    try:
        given = np.asarray(part[key])
        # A list without entries comes as float64; nothing is lost by giving it the type that is expected.
        kind = np.dtype(dtype).kind
        ok = given.size == 0 or given.dtype.kind == kind or (given.dtype.kind in "iub" and kind in "fiu")
        found = np.array(given, dtype=dtype, order="C") if ok else given
    except (TypeError, ValueError, OverflowError):
        ok = False
    if ok and found.size == 0 and shape[0] == -1:
        found = found.reshape((0,) + shape[1:])
    if not ok or found.ndim != len(shape) or any(n not in (-1, m) for n, m in zip(shape, found.shape)):
        raise ProtocolError("Array {!r} should be {} of shape {}.".format(key, np.dtype(dtype).name, shape))
    if kind != "f" and not np.array_equal(found, given.reshape(found.shape)):
        raise ProtocolError("Array {!r} has numbers out of range.".format(key))
    if kind == "f" and not np.isfinite(found).all():
        raise error("{!r} has a number that is not finite.".format(key))
    return found


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


def _starts(part, key, count, end):
    """Offsets into an array of length `end`: from 0, never falling, to `end`."""
    start = array(part, key, np.int32, (count + 1,))
    if count < 0 or start[0] != 0 or start[-1] != end or (start[1:] < start[:-1]).any():
        raise ProtocolError("{!r} should rise from 0 to {}.".format(key, end))
    return start


def _lengths(structure, key, names, what):
    """Lengths [m] (B,) that only blocks of a kind have, 0 for the others; a message may leave them out."""
    if key not in structure:
        return np.zeros(len(names))
    length = array(structure, key, np.float64, (len(names),), GeometryError)
    bad = (length < 0.0) | (length > MAX_COORDINATE)
    remedy = "Give it a {} above zero, in metres.".format(what.split()[0])
    _refuse(bad, names, "The {} is not plausible.".format(what), remedy)
    return length


def _radii(structure, names):
    """Radii [m] (B,) of spheres and discs."""
    return _lengths(structure, "radius", names, "radius of a block")


def _disc_depths(structure, names):
    """Depths [m] (B,) of discs."""
    depth = _lengths(structure, "disc_depth", names, "depth of a disc")
    _refuse((depth > 0.0) & (_radii(structure, names) == 0.0), names, "A disc has no radius.", "Give it a radius.")
    return depth


def _planar(structure):
    """Unit vector square to the plane of a planar model, or None."""
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
    vertex_start = _starts(structure, "vertex_start", len(names), len(vertices))
    faces = array(structure, "face_start", np.int32, (-1,))
    face_start = _starts(structure, "face_start", len(faces) - 1, len(face_vertices))
    block_face_start = _starts(structure, "block_face_start", len(names), len(faces) - 1)
    poly = Polyhedra(vertices, vertex_start, face_vertices, face_start, block_face_start)
    if vertices.size and np.abs(vertices).max() > MAX_COORDINATE:
        raise GeometryError(
            "A coordinate is beyond {:g} m.".format(MAX_COORDINATE), remedy="Check the units of the document."
        )
    _check_faces(poly, names, radius > 0.0)
    return poly


def _check_faces(poly, names, is_round):
    """Faces of at least three corners that belong to their block and close it; none for spheres and discs."""
    face_size, faces = np.diff(poly.face_start), np.diff(poly.block_face_start)
    face_block = np.repeat(np.arange(len(names)), faces)
    more = is_round & ((faces > 0) | (np.diff(poly.vertex_start) != 1))
    _refuse(more, names, "A sphere or disc has more than its centre.", "Send one vertex and no faces with a radius.")
    _refuse((faces < 4) & ~is_round, names, "A block has fewer than four faces.")
    _refuse_faces(face_size < 3, face_block, names, "A face has fewer than three corners.")
    block = np.repeat(face_block, face_size)
    corner = poly.face_vertices
    foreign = (corner < poly.vertex_start[block]) | (corner >= poly.vertex_start[block + 1])
    _refuse_faces(foreign, block, names, "A face refers to a vertex that is not one of its block.")
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


def _refuse(bad, names, message, remedy="Repair the mesh of the block.", error=GeometryError):
    if np.any(bad):
        raise error(message, remedy=remedy, blocks=[names[i] for i in np.flatnonzero(bad)[:20]])


def _refuse_faces(bad, block, names, message):
    flagged = np.zeros(len(names), bool)
    flagged[block[bad]] = True
    _refuse(flagged, names, message)


def block_sizes(poly, centroid, radius=0.0):
    """Sizes (B,) [m] of blocks, however they are turned: twice the way from the centroid (B, 3) to the farthest vertex,
    the diagonal of a box; of spheres their diameters."""
    arm = poly.vertices - np.repeat(centroid, np.diff(poly.vertex_start), axis=0)
    square = np.maximum.reduceat((arm * arm).sum(axis=1), poly.vertex_start[:-1])
    return 2.0 * (np.sqrt(square) + radius)


def block_boxes(poly, radius):
    """Lower and upper corners (B, 3) of the boxes around blocks."""
    lower = np.minimum.reduceat(poly.vertices, poly.vertex_start[:-1], axis=0)
    upper = np.maximum.reduceat(poly.vertices, poly.vertex_start[:-1], axis=0)
    reach = np.reshape(radius, (-1, 1))
    return lower - reach, upper + reach


def _bodies(structure, poly, names, properties, radius):
    count = len(names)
    support = array(structure, "support", np.uint8, (count,)) != 0
    density = array(structure, "density", np.float64, (count,), MaterialError)
    _refuse(
        density <= 0.0, names, "The density of a block is not above zero.", "Give it a density in kg/m3.", MaterialError
    )
    text = "The density of a block is beyond {:g} kg/m3.".format(MAX_DENSITY)
    _refuse(density > MAX_DENSITY, names, text, "Check its units.", MaterialError)
    volume, centroid, inertia = properties
    size = block_sizes(poly, centroid, radius)
    # A solid this flat is a surface: the digits of its volume are those of its coordinates' rounding.
    reach = np.maximum.reduceat(np.abs(poly.vertices).max(axis=1), poly.vertex_start[:-1])
    least = 64.0 * np.finfo(float).eps * np.maximum(size, reach) * size**2
    _refuse(volume < -least, names, "A block is inside out.", "Let the faces of the mesh point outward.")
    _refuse(~(volume > least), names, "A block has no volume.")
    free = np.where(support, -1, np.cumsum(~support) - 1).astype(np.int32)
    return Bodies(density * volume, volume, centroid, density[:, None, None] * inertia, size, free)


def _laws(structure, names):
    """Pairs that have a law, all laws as rows (that of the rest first), materials, the rows of their pairs, and blocks
    and points of interfaces that have a law."""
    laws = {}
    for blocks, law in _named_laws(structure, "pair_laws", "blocks", len(names)):
        pair = [names[i] for i in blocks]
        key = int(pair_key([blocks], len(names))[0])
        if blocks[0] == blocks[1]:
            raise MaterialError("A contact law of a pair does not name two blocks of the structure.")
        if key in laws:
            raise MaterialError("A pair of blocks has two contact laws.", remedy="Keep one.", blocks=pair)
        laws[key] = read_law(law, pair)
    keys = sorted(laws)
    rows = [read_law(structure.get("law"), [])] + [laws[key] for key in keys]
    material = np.zeros(len(names), np.int64)
    if "material" in structure:
        material = array(structure, "material", np.int64, (len(names),), MaterialError)
        if (material < 0).any() or (material >= len(names)).any():
            raise MaterialError("The materials of the blocks are not numbered from 0.")
    of_materials = np.zeros((material.max() + 1,) * 2, np.int64)
    for (i, j), law in _named_laws(structure, "material_laws", "materials", len(of_materials)):
        of_materials[i, j] = of_materials[j, i] = len(rows)
        rows.append(read_law(law, []))
    pairs, points = [], []
    for blocks, entry in _named_laws(structure, "interface_laws", "blocks", len(names), whole=True):
        pair = [names[i] for i in blocks]
        if blocks[0] == blocks[1]:
            raise MaterialError("A contact law of an interface does not name two blocks.", blocks=pair[:1])
        rows.append(read_law(entry.get("law"), pair))
        pairs.append(blocks)
        points.append(array(entry, "point", np.float64, (3,), MaterialError))
    interfaces = np.array(pairs, np.int64).reshape(-1, 2), np.array(points, np.float64).reshape(-1, 3)
    return (np.array(keys, np.int64), np.array(rows, np.float64), material, of_materials, *interfaces)


def _named_laws(structure, key, of, count, whole=False):
    """Pairs of numbers below `count`, and their laws, or the whole entries."""
    given = structure.get(key, [])
    if not isinstance(given, list):
        raise ProtocolError("{!r} should be a list.".format(key))
    for entry in given:
        pair = entry.get(of) if isinstance(entry, dict) else None
        ok = isinstance(pair, list) and len(pair) == 2 and all(type(i) is int for i in pair)
        if not ok or not all(0 <= i < count for i in pair):
            raise MaterialError("A contact law of a pair does not name two {} of the structure.".format(of))
        yield pair, entry if whole else entry.get("law")


def load_wrenches(case, bodies, names):
    """Point loads gathered at the centroids of the blocks [N, N m] (B, 6)."""
    block = array(case, "load_block", np.int32, (-1,), LoadError)
    point = array(case, "load_point", np.float64, (len(block), 3), LoadError)
    force = array(case, "load_force", np.float64, (len(block), 3), LoadError)
    if ((block < 0) | (block >= len(names))).any():
        raise LoadError("A load acts on a block that is not there.", remedy="Name a block of the structure.")
    load = np.zeros((len(names), 6))
    wrench = np.hstack([force, np.cross(point - bodies.centroid[block], force)]).reshape(-1, 6)
    np.add.at(load, block, wrench)
    require_bounded(load, MAX_LOAD, "a load", "N or N m")
    return load


def require_bounded(values, most, what, unit):
    """Refuse numbers that nothing can be computed with."""
    if not (np.abs(values) <= most).all():
        raise LoadError(
            "{} is beyond {:g} {}.".format(what[0].upper() + what[1:], most, unit), remedy="Check its units."
        )


def _fail(key, value, what):
    raise SettingsError("{} = {!r:.60} should be {}.".format(key, value, what))


def _choice(*options):
    def check(key, value):
        return value if value in options else _fail(key, value, "one of " + ", ".join(options))

    return check


def _number(low, high):
    def check(key, value):
        ok = is_number(value) and low < value <= high
        return float(value) if ok else _fail(key, value, "a number above {:g} and at most {:g}".format(low, high))

    return check


def _integer(low, high):
    def check(key, value):
        ok = type(value) is int and low <= value <= high
        return value if ok else _fail(key, value, "a whole number from {} to {}".format(low, high))

    return check


def _optional(check):
    return lambda key, value: None if value is None else check(key, value)


def _flag(key, value):
    return value if isinstance(value, bool) else _fail(key, value, "true or false")


def _falling(key, value):
    values = value.tolist() if isinstance(value, np.ndarray) else value
    values = values if isinstance(values, (list, tuple)) else [values]
    ok = 0 < len(values) <= 64 and all(is_number(v) and 0.0 < v <= 1.0 for v in values)
    if not ok or any(a <= b for a, b in zip(values, values[1:])):
        _fail(key, value, "numbers in (0, 1], each smaller than the one before")
    return tuple(float(v) for v in values)


_SETTINGS = {
    "solver": _choice("newton", "nlgs", "spg"),
    "friction": _choice("associated", "coulomb"),
    "eps": _falling,
    "tolerance": _number(0.0, 1e-2),
    "max_iterations": _optional(_integer(1, 10**7)),
    "seed": _optional(_integer(0, 2**63 - 1)),
    "threads": _integer(0, 1024),
    "repeat": _integer(1, 10**4),
    "gap_tolerance": _number(0.0, 0.1),
    "angle_tolerance": _number(0.0, 45.0),
    "unsupported": _flag,
    "time_step": _number(0.0, 1.0),
}
