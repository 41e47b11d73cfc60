"""A scene, as the files have it, becomes the body of a request. Only the layout changes: `ingest` checks the rest."""

import numpy as np

from compas_nscd.errors import InputError

KEYS = {"name", "blocks", "mu", "law", "loads", "gravity", "units", "note", "expected", "planar"}
BLOCK_KEYS = {"id", "name", "vertices", "faces", "sphere", "disc", "support", "density"}
ROUND_KEYS = {"sphere": {"centre", "radius"}, "disc": {"centre", "radius", "depth"}}
AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def request_from_scene(scene, settings=None):
    """`structure`, `case` and `settings` of a scene.

    Parameters
    ----------
    scene : dict
        With `blocks`, each with `vertices` and `faces`, a `sphere` or a `disc`, `support` and `density`; and `mu` or
        `law`.
    settings : dict, optional

    Raises
    ------
    InputError
        For a key that is unknown or missing.
    """
    _keys("the scene", scene, KEYS, {"blocks"})
    blocks = scene["blocks"]
    if not isinstance(blocks, list) or not isinstance(scene.get("loads", []), list):
        raise InputError("The blocks and the loads of a scene should be a list each.")
    blocks = [_shaped(block, "block {}".format(k)) for k, block in enumerate(blocks)]
    names = [str(block.get("name", block.get("id", k))) for k, block in enumerate(blocks)]
    if "law" not in scene and "mu" not in scene:
        raise InputError("The scene has neither 'law' nor 'mu'.")
    structure = dict(
        _flat(blocks),
        names=names,
        support=np.array([bool(block["support"]) for block in blocks], np.uint8),
        density=np.array([block["density"] for block in blocks], float),
        radius=np.array([block.get("radius", 0.0) for block in blocks], float),
        disc_depth=np.array([block.get("depth", 0.0) for block in blocks], float),
        law=scene.get("law") or {"kind": "coulomb", "friction": scene["mu"]},
        pair_laws=[],
    )
    if scene.get("planar") is not None:
        axis = scene["planar"]
        structure["planar"] = AXES.get(axis, axis) if isinstance(axis, str) else axis
    return {"structure": structure, "case": _case(scene, names), "settings": dict(settings or {})}


def _shaped(block, where):
    """The block with `vertices` and `faces`; what is round with its centre as the only vertex, `radius` and `depth`."""
    kind = next((key for key in ROUND_KEYS if isinstance(block, dict) and key in block), None)
    shape = {"vertices", "faces"} if kind is None else {kind}
    _keys(where, block, BLOCK_KEYS, shape | {"support", "density"})
    if kind is None:
        return block
    given = block[kind]
    _keys("the {} of {}".format(kind, where), given, ROUND_KEYS[kind], ROUND_KEYS[kind])
    return dict(block, vertices=[given["centre"]], faces=[], **{key: given[key] for key in given if key != "centre"})


def _flat(blocks):
    """Vertices and faces of all blocks in one row; faces count vertices from the first block on."""
    vertex_start = np.cumsum([0] + [len(block["vertices"]) for block in blocks])
    faces = [[i + first for i in face] for block, first in zip(blocks, vertex_start) for face in block["faces"]]
    return {
        "vertices": np.array([point for block in blocks for point in block["vertices"]], float).reshape(-1, 3),
        "vertex_start": vertex_start.astype(np.int32),
        "face_vertices": np.array([i for face in faces for i in face], np.int32),
        "face_start": np.cumsum([0] + [len(face) for face in faces]).astype(np.int32),
        "block_face_start": np.cumsum([0] + [len(block["faces"]) for block in blocks]).astype(np.int32),
    }


def _case(scene, names):
    loads = scene.get("loads", [])
    for load in loads:
        _keys("a load", load, {"block", "point", "force"}, {"block", "point", "force"})
    index = {name: k for k, name in enumerate(names)}
    block = [index.get(str(load["block"]), -1) for load in loads]
    return {
        "gravity": np.array(scene.get("gravity", (0.0, 0.0, -9.81)), float),
        "load_block": np.array(block, np.int32),
        "load_point": np.array([load["point"] for load in loads], float).reshape(-1, 3),
        "load_force": np.array([load["force"] for load in loads], float).reshape(-1, 3),
    }


def _keys(where, given, known, needed):
    if not isinstance(given, dict):
        raise InputError("{} should be a dict, not {}.".format(where, type(given).__name__).capitalize())
    unknown = sorted(set(given) - known)
    missing = sorted(needed - set(given))
    if unknown or missing:
        what = "an unknown key {!r:.60}".format(unknown[0]) if unknown else "no {!r}".format(missing[0])
        remedy = "Its keys are {}.".format(", ".join(sorted(known)))
        raise InputError("{} has {}.".format(where.capitalize(), what), remedy=remedy)
