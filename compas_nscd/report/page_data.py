"""What the page of a result shows, as plain numbers and arrays that fit into an HTML file.

A page carries JSON, the `header`, and one stretch of bytes: all arrays behind each other, little-endian, gzipped, in
base64. The header says under "arrays" where each lies: `{"type": "f4", "shape": [n, 3], "offset": 1024}`. Lengths are
relative to "origin", so that single precision is enough however far from zero the model was drawn.
"""

import base64
import gzip
import json

import numpy as np

from compas_nscd.errors import LoadError
from compas_nscd.results import thrust
from compas_nscd.results.dynamic import ENERGIES
from compas_nscd.results.joint_table import friction
from compas_nscd.results.pair_forces import pair_forces, recorded

#: Layout of the header and the arrays; the script of the page refuses any other.
FORMAT = 1
#: Most bytes of the recorded poses before they are packed: keeps the page of a long motion below 15 MB.
MOST_POSES = 8_000_000
#: Most forces of a motion, of all frames together: of more, the strongest of every frame.
MOST_FORCES = 200_000
#: Most samples of a history: more cannot be seen.
MOST_SAMPLES = 2000
#: What the components of a unit quaternion are multiplied with to store them in 16 bits.
QUATERNION = 32767
#: Fast and already nearly as small as it gets: floats do not compress much.
GZIP_LEVEL = 4
#: Characters that could end a script element or confuse an old parser, and what they become inside JSON strings.
UNSAFE = {ord(c): "\\u{:04x}".format(ord(c)) for c in "<>&\u2028\u2029"}


def static_content(result):
    """Header and arrays of a StaticResult: (dict, dict)."""
    table = result.joints
    header, arrays, origin = _common(result, "static")
    arrays.update(
        joint_block=result.interface_body.astype("i4"),
        joint_normal=result.interface_normal,
        joint_area=result.interface_area,
        joint_centroid=result.interface_centroid - origin,
        joint_gap=result.interface_gap,
        polygon=result.polygon - origin,
        polygon_start=result.polygon_start,
        contact_start=result.contact_start,
        contact_point=result.contact_point - origin,
        contact_force=result.contact_force,
        joint_force=table.resultant,
        joint_moment=table.moment,
        joint_centre=table.centre - origin,
        joint_normal_force=table.normal_force,
        joint_shear_force=table.shear_force,
        joint_friction=friction(result),
        joint_friction_use=table.friction_utilisation,
        joint_section_use=table.section_utilisation,
        joint_peak_pressure=table.peak_pressure,
        joint_compressed=table.compressed,
        joint_status=table.status,
        joint_hinge=table.hinge.astype("u1"),
        joint_sliding=table.sliding.astype("u1"),
        joint_opening=table.opening,
        joint_slip=table.slip,
    )
    arrays.update(_flow(result, origin), **_stress(result))
    if result.case is not None and result.case.cables:
        arrays.update(_cables(result, origin, _ends(result)), cable_force=_known(result))
    if result.mechanism is not None:
        arrays["mechanism"] = result.mechanism
        header["first_to_move"] = result.structure.indices(result.first_to_move(3))
    return header, arrays


def dynamic_content(result):
    """Header and arrays of a DynamicResult: (dict, dict)."""
    header, arrays, origin = _common(result, "dynamic")
    header.update(
        first_to_move=result.structure.indices(result.first_to_move(3)),
        collapse_time=result.summary["collapse_time"],
        energies=list(ENERGIES),
        frames_recorded=len(result.times),
    )
    each = 20 * max(len(result.centroid), 1)  # bytes of a frame
    frames = _some(len(result.times), max(MOST_POSES // each, 2))
    samples = _some(len(result.probe_times), MOST_SAMPLES)
    curve = _some(len(result.times), MOST_SAMPLES)
    moved = result.position - result.centroid
    relative = np.linalg.norm(moved - result.ground[:, None], axis=2)
    arrays.update(
        times=result.times[frames],
        displacement=moved[frames],
        orientation=np.rint(QUATERNION * result.orientation[frames]).astype("i2"),
        ground=result.ground[frames],
        greatest_displacement=relative.max(axis=0),
        final_displacement=relative[-1],
        energy_times=result.times[curve],
        energy=result.energies[curve],
        probe_block=result.probe_block,
        probe_times=result.probe_times[samples],
        probe_displacement=result.probe_displacement[samples],
        probe_ground=result.probe_ground[samples],
    )
    if "cable_forces" in result.arrays:
        arrays.update(_cables(result, origin, result.cable_body))
        arrays.update(cable_force=result.cable_forces[frames], cable_history=result.cable_forces[curve])
    if recorded(result):
        arrays.update(_forces(result, frames, origin))
    return header, arrays


def _cables(result, origin, body):
    """Ends of the cables, what they go with (-1: the ground) and what they carry; nan without a bound."""
    cables = result.case.cables
    return {
        "cable_block": np.array(body, "i4"),
        "cable_point": np.array([each.points for each in cables]) - origin,
        "cable_strength": np.array([np.nan if each.strength is None else each.strength for each in cables]),
    }


def _ends(result):
    find = result.structure.index
    return [[-1 if end is None else find(end) for end in each.blocks] for each in result.case.cables]


def _known(result):
    """Forces of cables; limits of moving supports are those of structures without cables."""
    return np.full(len(result.case.cables), np.nan) if result.cable_force is None else result.cable_force


def _forces(result, frames, origin):
    """Forces from block to block in the frames of the page."""
    found = pair_forces(result, frames)
    most = max(MOST_FORCES // len(frames), 1)
    size = np.linalg.norm(found.force, axis=1)
    keep = []
    for first, last in zip(found.start[:-1], found.start[1:]):
        rows = np.arange(first, last)
        keep.append(rows if len(rows) <= most else np.sort(rows[np.argsort(-size[rows], kind="stable")[:most]]))
    rows = np.concatenate(keep)
    return {
        "force_start": np.cumsum([0] + [len(own) for own in keep]),
        "force_pair": found.pair[rows].astype("i4"),
        "force_point": found.point[rows] - origin,
        "force": found.force[rows],
    }


def _common(result, analysis):
    """What both kinds have: the blocks, their loads and the verdict. Also the origin of all lengths."""
    structure, poly = result.structure, result.structure.surfaces
    low, high = poly.vertices.min(axis=0), poly.vertices.max(axis=0)
    origin = 0.5 * (low + high)
    case = result.case
    loads, cables = ([], []) if case is None else (case.loads, case.cables)
    header = {
        "format": FORMAT,
        "analysis": analysis,
        "name": str(structure.name),
        "verdict": result.verdict,
        "names": [str(name) for name in structure.names],
        "origin": origin.tolist(),
        "extent": (high - low).tolist(),
        "block_size": result.structure.block_size,
        "gravity": [0.0, 0.0, -9.81] if case is None else [float(g) for g in case.gravity],
        "cables": [each.label(k) for k, each in enumerate(cables)],
    }
    arrays = {
        "vertices": poly.vertices - origin,
        "vertex_start": poly.vertex_start,
        "face_vertices": poly.face_vertices,
        "face_start": poly.face_start,
        "block_face_start": poly.block_face_start,
        "support": np.array([block.support for block in structure.blocks], "u1"),
        "centroid": result.centroid - origin,
        "mass": result.mass,
        "load_block": np.array(structure.indices([load.block for load in loads], LoadError), "i4"),
        "load_point": np.array([load.point for load in loads], float).reshape(-1, 3) - origin,
        "load_force": np.array([load.force for load in loads], float).reshape(-1, 3),
    }
    return header, arrays, origin


def _flow(result, origin):
    """Thrust lines of the chains, and the network of forces of everything."""
    lines = result.thrust_lines()
    network = thrust.force_network(result)
    return {
        "thrust": np.concatenate([np.zeros((0, 3))] + [line - origin for line in lines]),
        "thrust_start": np.cumsum([0] + [len(line) for line in lines]),
        "network_node": network.nodes - origin,
        "network_edge": network.edges,
        "network_force": network.force,
    }


def _stress(result):
    stress = result.stresses()
    return {"stress": stress.principal, "stress_direction": stress.directions}


def _some(count, most):
    """At most so many of the indices 0..count, evenly spread, the first and the last among them."""
    return np.unique(np.linspace(0, max(count - 1, 0), min(count, most)).astype(int))


def pack(header, arrays):
    """Both as text for a page.

    Returns
    -------
    str
        JSON that cannot end the element it stands in.
    str
        Base64.
    """
    parts, places, offset = [], {}, 0
    for name, array in arrays.items():
        stored = np.ascontiguousarray(array, _stored_type(array))
        data = stored.tobytes()
        places[name] = {"type": stored.dtype.str[1:], "shape": list(stored.shape), "offset": offset}
        room = -len(data) % 4  # every array begins where a view of 4 bytes can
        parts.append(data + bytes(room))
        offset += len(data) + room
    packed = gzip.compress(b"".join(parts), GZIP_LEVEL, mtime=0)
    text = json.dumps(dict(header, arrays=places), separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.translate(UNSAFE), base64.b64encode(packed).decode("ascii")


def _stored_type(array):
    if array.dtype.kind == "f":
        return "<f4"
    return "<i4" if array.dtype.itemsize > 4 else array.dtype.newbyteorder("<")


def unpack(text, blob):
    """The header and the arrays of a page again, as the script of the page sees them."""
    header = json.loads(text)
    data = gzip.decompress(base64.b64decode(blob))
    arrays = {}
    for name, place in header["arrays"].items():
        shape, count = place["shape"], int(np.prod(place["shape"], dtype=np.int64))
        arrays[name] = np.frombuffer(data, "<" + place["type"], count, place["offset"]).reshape(shape)
    return header, arrays
