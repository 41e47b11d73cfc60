"""Requests of scenes given as dicts, without the client: its checks would refuse what tests send to the gate."""

from compas_nscd.geometry.vectors import AXES
from nscd_engine.service import warm_scenes


def request_from_scene(scene, settings=None):
    """Body of a request for a scene in metres with `mu` or `law`, loads, gravity and `planar`; ids may be missing."""
    blocks = scene["blocks"]
    names = [str(block.get("name", block.get("id", k))) for k, block in enumerate(blocks)]
    loads = [(names.index(str(load["block"])), load["point"], load["force"]) for load in scene.get("loads", [])]
    gravity = scene.get("gravity", warm_scenes.GRAVITY)
    request = warm_scenes.request(blocks, scene.get("mu"), loads, gravity, settings)
    structure = request["structure"]
    structure["names"] = names
    if "law" in scene:
        structure["law"] = scene["law"]
    axis = scene.get("planar")
    if axis is not None:
        structure["planar"] = AXES[axis] if isinstance(axis, str) else axis
    return request


def stack_scene(overhang=0.0):
    """The scene file of `warm_scenes.stack`."""
    square = warm_scenes.SQUARE
    slab = dict(warm_scenes.prism(square, (-1, -1, -1), (2, 2, 1)), id=0, support=True)
    block = dict(warm_scenes.prism(square, (overhang - 0.5, -0.5, 0)), id=1)
    load = {"block": 1, "point": [overhang, 0.0, 1.0], "force": [0.0, 0.0, -1.0]}
    return {"blocks": [slab, block], "mu": 0.6, "loads": [load]}
