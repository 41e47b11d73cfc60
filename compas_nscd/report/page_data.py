"""Numbers and arrays of the page of a result, packed as text.

A page has a JSON `header` and one block of bytes: all arrays in sequence, little-endian, gzipped, in base64. The header
lists under "arrays" where each lies: `{"type": "f4", "shape": [n, 3], "offset": 1024}`. Lengths are relative to
"origin", so that single precision suffices for a model far from zero.
"""

import base64
import gzip
import json
from typing import Any, Dict, Tuple

import numpy as np

from compas_nscd.errors import LoadError
from compas_nscd.report.deformed_data import deformed_content
from compas_nscd.results import thrust
from compas_nscd.results.base import Result
from compas_nscd.results.dynamic import DynamicResult
from compas_nscd.results.joint_table import friction
from compas_nscd.results.pair_forces import pair_forces, recorded
from compas_nscd.results.quasistatic import QuasistaticResult
from compas_nscd.results.static import StaticResult

#: Version of header and arrays; the script of the page refuses any other.
FORMAT = 1
#: Most bytes of the poses before packing. Larger: the page of a long motion exceeds 15 MB.
MOST_POSES = 8_000_000
#: Most forces of all frames together; of more, the strongest of every frame are kept. Larger: a slow page.
MOST_FORCES = 200_000
#: Most samples of a history. Larger: a larger page that looks the same.
MOST_SAMPLES = 2000
#: Factor on the components of a unit quaternion that are stored in 16 bits.
QUATERNION = 32767
#: Level of compression. Higher: much slower and hardly smaller, because floats compress little.
GZIP_LEVEL = 4
#: Characters that could end a script element or are line ends in old parsers -> their escapes in JSON.
UNSAFE = {ord(c): "\\u{:04x}".format(ord(c)) for c in "<>&\u2028\u2029"}

Arrays = Dict[str, np.ndarray]


def static_content(result: StaticResult) -> Tuple[Dict[str, Any], Arrays]:
    """Return header and arrays of a StaticResult."""
    table = result.joints
    header, arrays, origin = _common(result, "static")
    header["verdict"] = "stable" if result.mechanism is None else "collapse"
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
    if result.cables:
        arrays.update(_cables(result, origin, _ends(result)), cable_force=_known(result))
    if result.elastic is not None or (isinstance(result, QuasistaticResult) and result.mechanism is None):
        header["deformed"], skin = deformed_content(result, origin)
        arrays.update(skin)
    if result.mechanism is not None:
        arrays["mechanism"] = result.mechanism
        header["first_to_move"] = result.structure.indices(result.first_to_move(3))
    return header, arrays


def dynamic_content(result: DynamicResult) -> Tuple[Dict[str, Any], Arrays]:
    """Return header and arrays of a DynamicResult."""
    header, arrays, origin = _common(result, "dynamic")
    header.update(
        first_to_move=result.structure.indices(result.first_to_move(3)),
        collapse_time=result.summary["collapse_time"],
        energies=list(result.energy),
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
        energy=np.column_stack(list(result.energy.values()))[curve],
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
    if result.elastic is not None:
        header["deformed"], skin = deformed_content(result, origin)
        arrays.update(skin)
    return header, arrays


def _cables(result: Result, origin: np.ndarray, body: Any) -> Arrays:
    """Ends of the cables, their blocks (-1: the ground) and strengths, NaN if unbounded."""
    cables = result.cables
    return {
        "cable_block": np.array(body, "i4"),
        "cable_point": np.array([each.points for each in cables]) - origin,
        "cable_strength": np.array([np.nan if each.strength is None else each.strength for each in cables]),
    }


def _ends(result: Result) -> list:
    """Indices of the blocks at the ends of the cables, -1 for the ground. (K, 2)"""
    find = result.structure.index
    return [[-1 if end is None else find(end) for end in each.blocks] for each in result.cables]


def _known(result: StaticResult) -> np.ndarray:
    """Forces of cables (K,) [N]; NaN for limits of moving supports, which leave cables out."""
    return np.full(len(result.cables), np.nan) if result.cable_force is None else result.cable_force


def _forces(result: DynamicResult, frames: np.ndarray, origin: np.ndarray) -> Arrays:
    """Forces between blocks in the frames of the page."""
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


def _common(result: Result, analysis: str) -> Tuple[Dict[str, Any], Arrays, np.ndarray]:
    """Header, arrays of blocks and loads, and the origin of all lengths [m] (3,)."""
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


def _flow(result: StaticResult, origin: np.ndarray) -> Arrays:
    """Thrust lines and force network."""
    lines = result.thrust_lines()
    network = thrust.force_network(result)
    return {
        "thrust": np.concatenate([np.zeros((0, 3))] + [line - origin for line in lines]),
        "thrust_start": np.cumsum([0] + [len(line) for line in lines]),
        "network_node": network.nodes - origin,
        "network_edge": network.edges,
        "network_force": network.force,
    }


def _stress(result: StaticResult) -> Arrays:
    stress = result.stresses()
    return {"stress": stress.principal, "stress_direction": stress.directions}


def _some(count: int, most: int) -> np.ndarray:
    """At most `most` of the indices below `count`, evenly spread, with the first and the last."""
    return np.unique(np.linspace(0, max(count - 1, 0), min(count, most)).astype(int))


def pack(header: Dict[str, Any], arrays: Arrays) -> Tuple[str, str]:
    """Return header and arrays as text.

    Returns
    -------
    str
        JSON that cannot end its script element.
    str
        Arrays in base64.
    """
    parts, places, offset = [], {}, 0
    for name, array in arrays.items():
        stored = np.ascontiguousarray(array, _stored_type(array))
        data = stored.tobytes()
        places[name] = {"type": stored.dtype.str[1:], "shape": list(stored.shape), "offset": offset}
        padding = -len(data) % 4  # arrays begin at multiples of 4 bytes, as typed arrays of JavaScript must
        parts.append(data + bytes(padding))
        offset += len(data) + padding
    packed = gzip.compress(b"".join(parts), GZIP_LEVEL, mtime=0)
    text = json.dumps(dict(header, arrays=places), separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.translate(UNSAFE), base64.b64encode(packed).decode("ascii")


def _stored_type(array: np.ndarray) -> Any:
    if array.dtype.kind == "f":
        return "<f4"
    return "<i4" if array.dtype.itemsize > 4 else array.dtype.newbyteorder("<")


def unpack(text: str, blob: str) -> Tuple[Dict[str, Any], Arrays]:
    """Return header and arrays of a page as its script reads them."""
    header = json.loads(text)
    data = gzip.decompress(base64.b64decode(blob))
    arrays = {}
    for name, place in header["arrays"].items():
        shape, count = place["shape"], int(np.prod(place["shape"], dtype=np.int64))
        arrays[name] = np.frombuffer(data, "<" + place["type"], count, place["offset"]).reshape(shape)
    return header, arrays
