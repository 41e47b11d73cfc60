"""Read .3dm files with rhino3dm, without Rhino.

Polyhedra are read exactly: Breps and extrusions with planar faces and straight edges, meshes, and SubDs all of whose
edges are creased. A Brep with curved faces, curved edges or holes is represented by the meshes that Rhino stored in the
file when it displayed it; without them it is refused by name. Straight lines on a layer `cables` are cables. Hidden
objects and objects that are not solids are left out, and counted in the note of the structure.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from compas_nscd.blocks.block import Block
from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.blocks.interface_law import from_data
from compas_nscd.blocks.naming import BlockNames
from compas_nscd.errors import FileError, GeometryError, InputError, MaterialError, SupportError
from compas_nscd.files.given import Given
from compas_nscd.files.threedm.cables import read_cables
from compas_nscd.files.threedm.keys import (
    CABLES,
    DENSITY,
    FRICTION,
    INTERFACE_LAWS,
    LAW,
    MATERIAL,
    MATERIAL_LAWS,
    PAIRS,
    ROOT,
    rhino3dm,
)
from compas_nscd.files.threedm.solids import (
    KINDS,
    MAX_DEPTH,
    Solid,
    brep_shape,
    mesh_shape,
    placed,
    subd_shape,
    user_text,
)
from compas_nscd.files.threedm.user_text import laws_of_pairs, marked, number, on_layer
from compas_nscd.files.units import RHINO_UNITS, metres
from compas_nscd.loads.case import LoadCase

#: Tolerance of a file that has none [unit of the file].
_TOLERANCE = 1e-6


def read(path: Path, given: Given) -> dict[str, Any]:
    """Arguments of the structure in a .3dm file.

    Parameters
    ----------
    path : Path
    given : Given
        supports: name of a layer, or blocks by index, name or guid; without it the user text `support` of the objects.
        density: of the objects without user text `density` [kg/m3]. law: without it the user text `friction` of the
        file, or of all objects. units: only for a file without a unit.
    """
    reader = _Reader(path)
    solids = reader.solids()
    factor = reader.metres(given.units)
    blocks = [_block(solid, i, factor, given.density) for i, solid in enumerate(solids)]
    names = BlockNames(blocks)
    _mark_supports(blocks, names, solids, given.supports, path)
    own = np.array([_friction(solid, i) for i, solid in enumerate(solids)])
    law = _usual_law(given.law, own, reader)
    mu = np.where(np.isnan(own), law.friction, own)
    cables = read_cables(reader.cables, blocks, names, factor)
    return {
        "blocks": blocks,
        "law": law,
        "name": path.stem,
        "note": reader.note(),
        "pair_laws": {**laws_of_pairs(blocks, mu, law.friction), **_written_pairs(names, reader.model.Strings)},
        "case": LoadCase(cables=cables) if cables else None,
        **_written_laws(names, reader.model.Strings),
    }


class _Reader:
    """Contents of a file."""

    def __init__(self, path: Path) -> None:
        self.package = rhino3dm()
        self.path = path
        if not path.is_file():
            raise FileError("There is no file {}.".format(path), remedy="Check the path.")
        self.model = self.package.File3dm.Read(str(path))
        if self.model is None:
            raise FileError("{} is not a .3dm file, or is damaged.".format(path.name), remedy="Save it again in Rhino.")
        self.layers = {layer.Index: layer for layer in self.model.Layers}
        # layers of results that `drawing.threedm` wrote
        self.results = {i for i, layer in self.layers.items() if layer.FullPath.split("::")[0] == ROOT}
        self.tolerance = self.model.Settings.ModelAbsoluteTolerance or _TOLERANCE
        self.objects = list(self.model.Objects)
        self.by_id: dict[str, Any] | None = None
        self.left_out: Counter[str] = Counter()
        self.cables: list[Any] = []
        self.defects: dict[str, str] = {}

    def metres(self, units: str | None) -> float:
        """Length of the unit of the file [m]; `units` only if the file has none."""
        name = self.model.Settings.ModelUnitSystem.name
        if name in RHINO_UNITS:
            if units is not None:
                text = "{} is in {}; units cannot be given with it.".format(self.path.name, name.lower())
                raise InputError(text, remedy="Change the units of the file in Rhino.")
            return RHINO_UNITS[name]
        if units is None:
            text = "{} has no unit of length (it says {!r}).".format(self.path.name, name)
            raise FileError(text, remedy='Give units="mm", or set them in Rhino.')
        return metres(units)

    def solids(self) -> list[Solid]:
        """All visible solids; raises one error that names all objects which cannot be blocks."""
        found: list[Solid] = []
        for item in self.objects:
            attributes = item.Attributes
            if attributes.IsInstanceDefinitionObject:
                continue
            kind = type(item.Geometry).__name__
            if attributes.GetUserString(ROOT) == "result":
                continue
            if kind not in KINDS:
                self._take_line(item, kind)
            elif not self._visible(attributes):
                self.left_out["hidden objects"] += 1
            else:
                found += self._expand(item, kind, 0)
        if self.defects:
            shown = "; ".join("{}: {}".format(name, why) for name, why in list(self.defects.items())[:8])
            more = "; and {} more".format(len(self.defects) - 8) if len(self.defects) > 8 else ""
            remedy = "Blocks need planar faces: mesh them in Rhino, or shade the view and save with render meshes."
            raise GeometryError(
                "{} of {} objects cannot be blocks: {}{}.".format(
                    len(self.defects), len(self.defects) + len(found), shown, more
                ),
                remedy=remedy,
                blocks=list(self.defects),
            )
        if not found:
            raise FileError("{} has no solids.".format(self.path.name), remedy="Model each block as a closed solid.")
        return found

    def _take_line(self, item: Any, kind: str) -> None:
        """Keep a cable; count any other object as left out."""
        attributes = item.Attributes
        if isinstance(item.Geometry, self.package.Curve) and on_layer(self._path(attributes), CABLES):
            if self._visible(attributes):
                self.cables.append(item)
            else:
                self.left_out["hidden cables"] += 1
        elif attributes.LayerIndex not in self.results:
            self.left_out["{}s".format(kind)] += 1

    def note(self) -> str | None:
        """Number of objects left out, by kind; None without any."""
        if not self.left_out:
            return None
        return "Left out: " + ", ".join("{} {}".format(n, kind) for kind, n in sorted(self.left_out.items())) + "."

    def _visible(self, attributes: Any) -> bool:
        layer = self.layers.get(attributes.LayerIndex)
        return attributes.Visible and (layer is None or layer.Visible)

    def _path(self, attributes: Any) -> str:
        layer = self.layers.get(attributes.LayerIndex)
        return layer.FullPath if layer is not None else ""

    def _expand(self, item: Any, kind: str, depth: int) -> list[Solid]:
        """Solids of an object; of an instance, those of its definition."""
        attributes = item.Attributes
        strings = user_text(attributes)
        name, layer, guid = attributes.Name or None, (self._path(attributes),), str(attributes.Id)
        if kind != "InstanceReference":
            shape = self._shape(item.Geometry, kind, name or guid)
            return [] if shape is None else [Solid(name, shape[0], shape[1], layer, strings, guid)]
        definition = self.model.InstanceDefinitions.FindId(item.Geometry.ParentIdefId)
        if definition is None or depth == MAX_DEPTH:
            self.defects[name or guid] = "its definition is missing" if definition is None else "nested too deeply"
            return []
        if self.by_id is None:
            self.by_id = {str(other.Attributes.Id): other for other in self.objects}
        parts: list[Solid] = []
        for key in definition.GetObjectIds():
            part = self.by_id.get(str(key))
            part_kind = type(part.Geometry).__name__ if part is not None else None
            if part_kind is not None and part_kind in KINDS:
                parts += self._expand(part, part_kind, depth + 1)
        return placed(parts, item.Geometry.Xform, name or definition.Name or None, layer, strings, guid)

    def _shape(self, geometry: Any, kind: str, called: str) -> tuple[np.ndarray, list[list[int]]] | None:
        """Vertices and faces of a solid; None with the reason in `defects` if it cannot be a block."""
        brep, any_mesh = geometry, self.package.MeshType.Any
        try:
            if kind == "Mesh":
                return mesh_shape(geometry)
            if kind == "SubD":
                return subd_shape(self.package, geometry)
            if kind == "Extrusion":
                stored = geometry.GetMesh(any_mesh)
                brep = geometry.ToBrep(True)
                if stored is not None:
                    return brep_shape(brep, self.tolerance, lambda faces: [stored])
            return brep_shape(brep, self.tolerance, lambda faces: [face.GetMesh(any_mesh) for face in faces])
        except GeometryError as error:
            self.defects[called] = error.message
            return None


def _called(solid: Solid, index: int) -> str:
    return str(index if solid.name is None else solid.name)


def _block(solid: Solid, index: int, factor: float, density: float | None) -> Block:
    called, text = _called(solid, index), solid.strings.get(DENSITY)
    return Block(
        factor * solid.vertices,
        solid.faces,
        density if text is None else number(text, DENSITY, called),
        solid.name,
        marked(solid.strings, called),
        solid.guid,
        material=solid.strings.get(MATERIAL) or None,
    )


def _mark_supports(blocks: list[Block], names: BlockNames, solids: list[Solid], supports: Any, path: Path) -> None:
    """Mark the supports that the caller names instead of those that the file marks."""
    if supports is None:
        if not any(block.support for block in blocks):
            text = "{} does not say which blocks are supports.".format(path.name)
            raise SupportError(text, remedy='Give supports="LAYER", or the user text support = true.')
        return
    if isinstance(supports, str):
        chosen = [i for i, solid in enumerate(solids) if any(on_layer(layer, supports) for layer in solid.layers)]
        if not chosen:
            layers = sorted({solid.layers[0] for solid in solids})
            text = "There is no block on a layer {!r:.60}.".format(supports)
            raise SupportError(text, remedy="Layers with blocks: {}.".format(", ".join(layers[:20])))
    else:
        chosen = names.indices(supports, SupportError)
    held = set(chosen)
    for i, block in enumerate(blocks):
        block.support = i in held


def _friction(solid: Solid, index: int) -> float:
    """Friction in the user text of an object; NaN without one."""
    text = solid.strings.get(FRICTION)
    return np.nan if text is None else number(text, FRICTION, _called(solid, index))


def _usual_law(law: ContactLaw | None, own: np.ndarray, reader: _Reader) -> ContactLaw:
    """Law of all joints but those of objects with their own friction (`own`, NaN without)."""
    text = reader.model.Strings[FRICTION]
    if law is None and text:
        whole = json.loads(reader.model.Strings[LAW] or "{}")
        law = ContactLaw(**dict(whole, friction=number(text, FRICTION, "of the file")))
    if law is None and not np.isnan(own).any():
        law = ContactLaw(Counter(own.tolist()).most_common(1)[0][0])
    if law is None:
        remedy = "Give law=ContactLaw(friction=0.6), or the user text friction."
        raise MaterialError("{} does not say the friction of the joints.".format(reader.path.name), remedy=remedy)
    return law


def _written_pairs(names: BlockNames, strings: Any) -> dict[tuple[int, int], ContactLaw]:
    """Laws of pairs that `drawing.threedm` wrote, of blocks that still exist."""
    index = {name: i for i, name in enumerate(names.names)}
    laws: dict[tuple[int, int], ContactLaw] = {}
    for a, b, law in json.loads(strings[PAIRS] or "[]"):
        if a in index and b in index:
            i, j = sorted((index[a], index[b]))
            laws[i, j] = ContactLaw(**law) if isinstance(law, dict) else ContactLaw(law)
    return laws


def _written_laws(names: BlockNames, strings: Any) -> dict[str, Any]:
    """Laws of materials and of interfaces that `drawing.threedm` wrote, of blocks that still exist."""
    materials = json.loads(strings[MATERIAL_LAWS] or "[]")
    interfaces = from_data(json.loads(strings[INTERFACE_LAWS] or "[]"))
    return {
        "material_laws": {tuple(each["materials"]): ContactLaw(**each["law"]) for each in materials},
        "interface_laws": [each for each in interfaces if set(each[0]) <= set(names.names)],
    }
