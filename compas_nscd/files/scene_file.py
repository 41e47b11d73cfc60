"""The scene file, the documented interchange format of this project.

    {"name": "...", "blocks": [{"id": 0, "vertices": [[x, y, z], ...], "faces": [[i, j, k, ...], ...],
      "support": false, "density": 2400.0, "name"?: "...", "guid"?: "...",
      "elastic"?: null | {"young": 6e10, "poisson"?: 0.2, "elements"?: "uniform" | "t3" | "t4" | "h8", ...}}],
     "elastic"?: of all blocks without one of their own (docs/deformable.md),
     instead of vertices and faces: "sphere": {"centre": [x, y, z], "radius": r}, or, in a planar scene,
      "disc": {"centre": [x, y, z], "radius": r, "depth": d}, "planar"?: "x" | "y" | "z" | [x, y, z],
     "mu": 0.6 | "law": {"kind": "coulomb", "friction": 0.6, "kinetic"?: 0.5, "restitution"?: 0.1}, or a law of another
      kind (docs/laws.md), "pair_laws"?: [{"blocks": [id, id], "law": {...}}],
     "material_laws"?: [{"materials": ["stone", "brick"], "law": {...}}], with "material"?: "stone" of a block,
     "interface_laws"?: [{"blocks": [id, id], "point": [x, y, z], "law": {...}}],
     "loads"?: [{"block": id, "point": [...], "force": [...], "history"?: [[times], [factors]]}],
     "gravity"?: [0, 0, -9.81],
     "cables"?: [{"blocks": [id, id | null], "points": [[...], [...]], "stiffness"?, "prestress"?, "strength"?,
                 "name"?}],
     "water"?: {"level": z, "flow"?: [...], "density"?, "drag"?, "levels"?: [[times], [heights]], "behind"?: z,
                "towards"?: [x, y]},
     "units"?: "m, ...", "note"?: "...", "expected"?: "stable" | "collapse" | null}

An unknown key or a missing density is an error that names the block. `units` begins with the unit of length (default
m) of vertices, points of loads and levels of water; densities are always in kg/m3, forces in N, velocities in m/s,
accelerations in m/s2, times in s.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from compas_nscd.blocks.block import Block
from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.blocks.elastic import Elastic
from compas_nscd.errors import FileError, LeftOutWarning, LoadError, MaterialError, NscdError
from compas_nscd.files.units import metres
from compas_nscd.files.writing import cannot_write
from compas_nscd.geometry.polyhedra import Polyhedra, polyhedron
from compas_nscd.geometry.vectors import direction
from compas_nscd.loads.cable import Cable
from compas_nscd.loads.case import LoadCase
from compas_nscd.loads.point_load import PointLoad
from compas_nscd.loads.water import Water

#: Keys of a scene, and of the objects in it.
_SCENE = ("name", "blocks", "mu", "law", "pair_laws", "loads", "gravity", "units", "note", "expected", "planar",
          "material_laws", "interface_laws", "cables", "water", "elastic")  # fmt: skip
_BLOCK = ("id", "vertices", "faces", "sphere", "disc", "support", "density", "name", "guid", "material", "elastic")
_WATER = ("level", "flow", "density", "drag", "levels", "behind", "towards")
_CABLE = ("blocks", "points", "stiffness", "prestress", "strength", "name")
#: Alternative keys of the shape of a block, and the keys inside those of round ones.
_SHAPES: tuple[tuple[str, ...], ...] = (("vertices", "faces"), ("sphere",), ("disc",))
_ROUND = {"sphere": ("centre", "radius"), "disc": ("centre", "radius", "depth")}
#: Required keys of a law and of a load.
_LAW = ("kind", "friction")
_LOAD = ("block", "point", "force")
#: Loads of a case that a scene has no key for: attribute, and its name in the warning.
_LEFT_OUT = {
    "support_motions": "motions of supports",
    "ground": "ground motions",
    "accelerations": "body accelerations",
    "velocities": "initial velocities",
    "gravity_ramp": "the gravity ramp",
}

#: Index of a block by its id in the file.
Ids = dict[Any, int]


def arguments(scene: dict[str, Any], stem: str) -> dict[str, Any]:
    """Keyword arguments of the structure in a scene.

    Parameters
    ----------
    scene : dict
        The parsed file.
    stem : str
        Name of a scene without one.

    Raises
    ------
    FileError, MaterialError, LoadError
        Naming the key and the block.
    """
    known(scene, _SCENE, "the scene")
    if not isinstance(scene.get("blocks"), list):
        raise FileError("The scene has no list of blocks.", remedy='It needs "blocks": [...].')
    factor = metres(scene.get("units", "m"))
    planar = scene.get("planar")
    planar = None if planar is None else direction(planar, "`planar` of the scene")
    ids: Ids = {}
    blocks = [_block(data, i, ids, factor, planar) for i, data in enumerate(scene["blocks"])]
    _deform(blocks, scene)
    expected = scene.get("expected")
    if expected not in ("stable", "collapse", None):
        raise FileError("`expected` is {!r:.40}; it can be stable, collapse or null.".format(expected))
    return {
        "blocks": blocks,
        "law": _scene_law(scene),
        "name": str(scene.get("name", stem)),
        "pair_laws": {pair: law for pair, law, _ in _pair_laws(scene, "pair_laws", ids)},
        "case": _case(scene, ids, factor),
        "expected": expected,
        "note": scene.get("note"),
        "planar": planar,
        "material_laws": _material_laws(scene.get("material_laws", [])),
        "interface_laws": _interface_laws(scene, ids, factor),
    }


def known(data: Any, keys: tuple[str, ...], where: str) -> None:
    """Raise a FileError unless `data` is a dict with no other keys; `where` names it."""
    if not isinstance(data, dict):
        raise FileError("{} should be an object {{...}}.".format(where[0].upper() + where[1:]))
    for key in data:
        if key not in keys:
            near = get_close_matches(str(key), keys, 1)
            hint = "Did you mean {!r}? ".format(near[0]) if near else ""
            remedy = "{}Known keys: {}.".format(hint, ", ".join(keys))
            raise FileError("Unknown key {!r:.40} in {}.".format(key, where), remedy=remedy, key=str(key)[:80])


def _block(data: Any, index: int, ids: Ids, factor: float, planar: Any) -> Block:
    """One block; adds its id to `ids`. The density may be missing: `Structure.validate` names all such blocks."""
    where = "block {!s:.40}".format(data.get("id", index) if isinstance(data, dict) else index)
    known(data, _BLOCK, where)
    shape = next((keys for keys in _SHAPES[1:] if keys[0] in data), _SHAPES[0])
    _need(data, ("id",) + shape + ("support",), where)
    more = [key for keys in _SHAPES if keys is not shape for key in keys if key in data]
    if more:
        raise FileError("{} has both {!r} and {!r}.".format(where.capitalize(), shape[0], more[0]), key=more[0])
    key, name = data["id"], data.get("name")
    if isinstance(key, bool) or not isinstance(key, (int, str)) or key in ids:
        raise FileError("{!r:.40} is not an id, or is one that an earlier block has.".format(key), key="id")
    if not isinstance(data["support"], bool):
        raise FileError("`support` of {} should be true or false.".format(where), key="support")
    ids[key] = index
    if name is None and key != index:
        name = str(key)  # what the user sees in the file
    common = {"name": name, "support": data["support"], "guid": data.get("guid"), "called": where}
    block = _shaped(data, shape[0], planar, dict(common, material=data.get("material")))
    block.elastic = Elastic.of(data.get("elastic"), where)
    return block if factor == 1.0 else block.scaled(factor)


def _deform(blocks: list[Block], scene: dict[str, Any]) -> None:
    """Give the elasticity of the scene to the blocks that do not say their own."""
    elastic = Elastic.of(scene.get("elastic"), "the scene")
    for block, data in zip(blocks, scene["blocks"]):
        if elastic is not None and "elastic" not in data:
            block.elastic = elastic


def _need(data: dict[str, Any], keys: tuple[str, ...], where: str) -> None:
    for key in keys:
        if key not in data:
            raise FileError("The key {!r} is missing in {}.".format(key, where), key=key)


def _shaped(data: dict[str, Any], kind: str, planar: Any, common: dict[str, Any]) -> Block:
    """Block of one of the shapes; `common` are arguments of all of them."""
    density, where = data.get("density"), common["called"]
    if kind == "vertices":
        return Block(data["vertices"], data["faces"], density, **common)
    given, inside = data[kind], "the {} of {}".format(kind, where)
    known(given, _ROUND[kind], inside)
    _need(given, _ROUND[kind], inside)
    if kind == "sphere":
        return Block.sphere(given["centre"], given["radius"], density, **common)
    if planar is None:
        raise FileError("{} is a disc, but the scene is not planar.".format(where.capitalize()), key="disc")
    return Block.disc(given["centre"], given["radius"], given["depth"], density, planar, **common)


def _law(data: Any, where: str) -> ContactLaw:
    known(data, ContactLaw.KEYS, where)
    for key in _LAW:
        if key not in data and not (key == "friction" and data.get("kind") in ContactLaw.WITHOUT_FRICTION):
            raise MaterialError("The key {!r} is missing in {}.".format(key, where), remedy="Nothing is assumed.")
    return ContactLaw(**data)


def _scene_law(scene: dict[str, Any]) -> ContactLaw:
    if ("mu" in scene) == ("law" in scene):
        found = "both `mu` and `law`" if "mu" in scene else "neither `mu` nor `law`"
        raise MaterialError("The scene has {}.".format(found), remedy='Give "mu": 0.6 for friction between stones.')
    return ContactLaw(scene["mu"]) if "mu" in scene else _law(scene["law"], "the law of the scene")


def _pair_laws(
    scene: dict[str, Any], key: str, ids: Ids, more: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[int, int], ContactLaw, dict[str, Any]]]:
    """Pairs of indices, their laws, and the items of the list; `more` are keys beside `blocks` and `law`."""
    for i, item in enumerate(_list(scene.get(key, []), key)):
        where = "{} law {}".format(key.split("_")[0], i)
        known(item, ("blocks", "law") + more, where)
        pair = item.get("blocks")
        if not isinstance(pair, list) or len(pair) != 2:
            raise MaterialError("`blocks` of {} should be two ids.".format(where))
        a, b = (_find(block, ids, where, MaterialError) for block in pair)
        yield (a, b), _law(item.get("law"), "the law of " + where), item


def _interface_laws(scene: dict[str, Any], ids: Ids, factor: float) -> list[tuple]:
    laws = []
    for pair, law, item in _pair_laws(scene, "interface_laws", ids, ("point",)):
        point = item.get("point")
        if not isinstance(point, list) or len(point) != 3 or not all(isinstance(x, (int, float)) for x in point):
            raise MaterialError("`point` of an interface law should be three numbers.", blocks=[str(i) for i in pair])
        laws.append((pair, [factor * x for x in point], law))
    return laws


def _material_laws(data: Any) -> dict[tuple, ContactLaw]:
    laws: dict[tuple, ContactLaw] = {}
    for i, item in enumerate(_list(data, "material_laws")):
        where = "material law {}".format(i)
        known(item, ("materials", "law"), where)
        pair = item.get("materials")
        if not isinstance(pair, list) or len(pair) != 2 or not all(isinstance(name, str) for name in pair):
            raise MaterialError("`materials` of {} should be two names.".format(where))
        laws[tuple(pair)] = _law(item.get("law"), "the law of " + where)
    return laws


def _case(scene: dict[str, Any], ids: Ids, factor: float) -> LoadCase:
    loads, cables = (_list(scene.get(key, []), key) for key in ("loads", "cables"))
    water = scene.get("water")
    if water is not None:
        known(water, _WATER, "the water")
        _need(water, _WATER[:1], "the water")
        water = Water(**water).scaled(factor)
    return LoadCase(
        scene.get("gravity", (0.0, 0.0, -9.81)),
        [_load(data, "load {}".format(i), ids).scaled(factor) for i, data in enumerate(loads)],
        water=water,
        cables=[_cable(data, "cable {}".format(i), ids).scaled(factor) for i, data in enumerate(cables)],
    )


def _load(data: Any, where: str, ids: Ids) -> PointLoad:
    known(data, _LOAD + ("history",), where)
    for key in _LOAD:
        if key not in data:
            raise LoadError("The key {!r} is missing in {}.".format(key, where))
    block = _find(data["block"], ids, where, LoadError)
    return PointLoad(block, data["point"], data["force"], data.get("history"))


def _cable(data: Any, where: str, ids: Ids) -> Cable:
    known(data, _CABLE, where)
    _need(data, _CABLE[:2], where)
    ends = data["blocks"]
    if not isinstance(ends, list) or len(ends) != 2:
        raise LoadError("`blocks` of {} should be two ids, null for the ground.".format(where))
    return Cable(**dict(data, blocks=[None if end is None else _find(end, ids, where, LoadError) for end in ends]))


def _find(key: Any, ids: Ids, where: str, error: type[NscdError]) -> int:
    if isinstance(key, (bool, list, dict)) or key not in ids:
        remedy = "Name a block by its `id`."
        raise error("There is no block {!s:.40}, which {} refers to.".format(key, where), remedy=remedy)
    return ids[key]


def _list(data: Any, key: str) -> list[Any]:
    if not isinstance(data, list):
        raise FileError("`{}` of the scene should be a list.".format(key), key=key)
    return data


def from_structure(structure: Any) -> dict[str, Any]:
    """Scene of a structure, in metres, with repaired blocks; see `Structure.to_scene`."""
    poly = structure.polyhedra
    case = structure.case if structure.case is not None else LoadCase()
    _warn_of_left_out(case)
    scene = {
        "name": structure.name,
        "units": "m, kg, s, N",
        "law": structure.law.__data__,
        "gravity": list(case.gravity),
        "expected": structure.expected,
        "loads": [dict(load.__data__, block=structure.index(load.block)) for load in case.loads],
        "blocks": [_block_data(block, i, poly) for i, block in enumerate(structure.blocks)],
    }
    if case.cables:
        scene["cables"] = [_cable_data(structure, each) for each in case.cables]
    if case.water is not None:
        scene["water"] = case.water.__data__
    if structure.note is not None:
        scene["note"] = structure.note
    if structure.planar is not None:
        scene["planar"] = list(structure.planar)
    laws = structure.laws.to_data()
    scene.update((key, laws[key]) for key in ("pair_laws", "material_laws", "interface_laws") if laws.get(key))
    return scene


def _warn_of_left_out(case: LoadCase) -> None:
    left_out = [what for key, what in _LEFT_OUT.items() if getattr(case, key)]
    if left_out:
        text = "A scene cannot contain {}; they are left out.".format(", ".join(left_out))
        warnings.warn(LeftOutWarning(text, left_out), stacklevel=5)  # the caller of Structure.to_scene


def _cable_data(structure: Any, each: Cable) -> dict[str, Any]:
    ends = [None if end is None else structure.index(end) for end in each.blocks]
    return dict(each.__data__, blocks=ends)


def _block_data(block: Block, i: int, poly: Polyhedra) -> dict[str, Any]:
    own, (vertices, faces) = block.__data__, polyhedron(poly, i)
    shape: dict[str, Any]
    if block.is_round:
        kind = "sphere" if block.depth is None else "disc"
        shape = {kind: dict({key: own[key] for key in _ROUND[kind] if key in own}, centre=vertices[0].tolist())}
    else:
        shape = {"vertices": vertices.tolist(), "faces": faces}
    data = dict({"id": i}, **shape, support=block.support, density=block.density)
    data.update({key: own[key] for key in ("name", "guid", "material", "elastic") if own.get(key) is not None})
    return data


def dumps(scene: dict[str, Any]) -> str:
    """The scene as text, one block per line, so that two files can be compared."""
    head = {key: value for key, value in scene.items() if key != "blocks"}
    lines = [json.dumps(block) for block in scene["blocks"]]
    return json.dumps(head)[:-1] + ', "blocks": [\n' + ",\n".join(lines) + "\n]}\n"


def write_scene(structure: Any, path: str | Path | None) -> dict[str, Any]:
    """See `Structure.to_scene`."""
    scene = from_structure(structure)
    if path is not None:
        try:
            Path(path).write_text(dumps(scene), encoding="utf-8")
        except OSError as error:
            raise cannot_write(path, error)
    return scene
