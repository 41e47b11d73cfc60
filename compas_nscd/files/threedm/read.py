"""Read .3dm files with rhino3dm, without Rhino.

Polyhedra are read exactly: Breps and extrusions with planar faces and straight edges, meshes, and SubDs all of whose
edges are creased. A Brep with curved faces, curved edges or holes is represented by the meshes that Rhino stored in the
file when it displayed it; without them ruled faces are meshed (`curved_brep`). Straight lines on a layer `cables` are
cables. Hidden objects and objects that are not solids are left out, named, and counted in the note of the structure.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.blocks.interface_law import from_data
from compas_nscd.blocks.naming import BlockNames
from compas_nscd.errors import FileError, GeometryError
from compas_nscd.files.arguments import structure_arguments
from compas_nscd.files.contents import Contents, LeftOut, Part
from compas_nscd.files.given import Given
from compas_nscd.files.limits import require_size
from compas_nscd.files.support_rules import on_layer
from compas_nscd.files.threedm.cables import read_cables
from compas_nscd.files.threedm.chunks import require_whole
from compas_nscd.files.threedm.curved_brep import curved_shape
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
    closed_mesh,
    placed,
    subd_shape,
    user_text,
)
from compas_nscd.files.threedm.user_text import elastic, marked, number
from compas_nscd.files.units import UNITS, metres
from compas_nscd.loads.case import LoadCase

#: Tolerance of a file that has none [unit of the file].
_TOLERANCE = 1e-6


def read(path: Path, given: Given) -> dict[str, Any]:
    """Arguments of the structure in a .3dm file, with `left_out`.

    Parameters
    ----------
    path : Path
    given : Given
        supports: a rule, a layer, or blocks by index, name or guid; without it the user text `support` of the objects.
        density: of the objects without user text `density` [kg/m3]. law: without it the user text `friction` of the
        file, or of all objects. units: only for a file without a unit. layers: full paths or last names; without them
        the visible ones.
    """
    reader = _Reader(path)
    parts = reader.parts()
    contents = Contents(
        parts,
        reader.metres(given.units),
        reader.law(),
        left_out=tuple(reader.left_out),
        note=reader.note(),
        meshed=tuple(reader.meshed),
    )
    found = structure_arguments(contents, given, path)
    blocks, strings = found["blocks"], reader.model.Strings
    names = BlockNames(blocks)
    metre = metres(given.units) if given.units is not None else contents.metres or 1.0
    cables = read_cables(reader.cables, blocks, names, metre)
    if cables:
        found["case"] = found["case"] or LoadCase()
        found["case"].cables = cables
    found["pair_laws"] = {**found["pair_laws"], **_written_pairs(names, strings)}
    return dict(found, **_written_laws(names, strings))


class _Reader:
    """Contents of a file."""

    def __init__(self, path: Path) -> None:
        self.package = rhino3dm()
        self.path = path
        require_size(path)
        require_whole(path)
        self.model = self.package.File3dm.Read(str(path))
        if self.model is None:
            raise FileError("{} is not a .3dm file, or is damaged.".format(path.name), remedy="Save it again in Rhino.")
        self.layers = {layer.Index: layer for layer in self.model.Layers}
        # layers of results that `drawing.threedm` wrote
        self.results = {i for i, layer in self.layers.items() if layer.FullPath.split("::")[0] == ROOT}
        self.tolerance = self.model.Settings.ModelAbsoluteTolerance or _TOLERANCE
        self.objects = list(self.model.Objects)
        self.by_id: dict[str, Any] | None = None
        self.tally: Counter[str] = Counter()  # objects left out, by kind
        self.left_out: list[LeftOut] = []
        self.meshed: list[str] = []  # objects with curved faces that were meshed here
        self.cables: list[Any] = []
        self.visible = _visible_layers(self.model.Layers)

    def metres(self, units: str | None) -> float | None:
        """Length of the unit of the file [m]; None if it has none and `units` are given."""
        name = self.model.Settings.ModelUnitSystem.name
        if name not in UNITS and units is None:
            text = "{} has no unit of length (it says {!r}).".format(self.path.name, name)
            raise FileError(text, remedy='Give units="mm" (--units mm), or set them in Rhino.')
        return UNITS.get(name)

    def law(self) -> ContactLaw | None:
        """Law in the user text of the file."""
        text = self.model.Strings[FRICTION]
        if not text:
            return None
        whole = json.loads(self.model.Strings[LAW] or "{}")
        return ContactLaw(**dict(whole, friction=number(text, FRICTION, "of the file")))

    def parts(self) -> list[Part]:
        """All solids, hidden ones too; other objects are kept as cables or named in `left_out`."""
        found: list[Part] = []
        for item in self.objects:
            attributes = item.Attributes
            if attributes.IsInstanceDefinitionObject or attributes.GetUserString(ROOT) == "result":
                continue
            kind = type(item.Geometry).__name__
            hidden = not self._visible(attributes)
            if kind not in KINDS:
                self._take_line(item, kind)
                continue
            solids = self._expand(item, kind, 0)
            if hidden:
                self.tally["hidden objects"] += 1
            found += [_part(solid, len(found) + k, hidden) for k, solid in enumerate(solids)]
        return found

    def _take_line(self, item: Any, kind: str) -> None:
        """Keep a cable; name any other object as left out."""
        attributes = item.Attributes
        if isinstance(item.Geometry, self.package.Curve) and on_layer(self._path(attributes), CABLES):
            if self._visible(attributes):
                self.cables.append(item)
            else:
                self.tally["hidden cables"] += 1
        elif attributes.LayerIndex not in self.results:
            self.tally["{}s".format(kind)] += 1
            self._leave_out(attributes, "{}: not a solid".format(kind))

    def _leave_out(self, attributes: Any, reason: str) -> None:
        self.left_out.append(LeftOut(attributes.Name or str(attributes.Id), self._path(attributes), reason))

    def note(self) -> str | None:
        """Number of objects left out, by kind; None without any."""
        if not self.tally:
            return None
        return "Left out: " + ", ".join("{} {}".format(n, kind) for kind, n in sorted(self.tally.items())) + "."

    def _visible(self, attributes: Any) -> bool:
        return attributes.Visible and self.visible.get(attributes.LayerIndex, True)

    def _path(self, attributes: Any) -> str:
        layer = self.layers.get(attributes.LayerIndex)
        return layer.FullPath if layer is not None else ""

    def _expand(self, item: Any, kind: str, depth: int) -> list[Solid]:
        """Solids of an object; of an instance, those of its definition."""
        attributes = item.Attributes
        strings = user_text(attributes)
        name, layer, guid = attributes.Name or None, (self._path(attributes),), str(attributes.Id)
        if kind != "InstanceReference":
            shape = self._shape(item.Geometry, kind, attributes)
            return [] if shape is None else [Solid(name, shape[0], shape[1], layer, strings, guid)]
        definition = self.model.InstanceDefinitions.FindId(item.Geometry.ParentIdefId)
        if definition is None or depth == MAX_DEPTH:
            reason = "its definition is missing" if definition is None else "nested too deeply"
            self._leave_out(attributes, reason)
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

    def _shape(self, geometry: Any, kind: str, attributes: Any) -> tuple[np.ndarray, list[list[int]]] | None:
        """Vertices and faces of a solid; None with the reason in `left_out` if it cannot be a block."""
        brep, any_mesh = geometry, self.package.MeshType.Any
        try:
            if kind == "Mesh":
                return closed_mesh(geometry)
            if kind == "SubD":
                return subd_shape(self.package, geometry)
            if kind == "Extrusion":
                stored = geometry.GetMesh(any_mesh)
                brep = geometry.ToBrep(True)
                if stored is not None:
                    return brep_shape(brep, self.tolerance, lambda faces: [stored])
            return self._brep(brep, attributes)
        except GeometryError as error:
            self.tally["objects that cannot be blocks"] += 1
            self._leave_out(attributes, error.message)
            return None

    def _brep(self, brep: Any, attributes: Any) -> tuple[np.ndarray, list[list[int]]]:
        """Shape of a Brep: exact, by its stored meshes, or meshed here."""
        any_mesh = self.package.MeshType.Any
        stored = [face.GetMesh(any_mesh) for face in brep.Faces]
        try:
            return brep_shape(brep, self.tolerance, lambda faces: stored)
        except GeometryError:
            if not brep.IsSolid or None not in stored:
                raise
            shape = curved_shape(brep, self.tolerance)
        self.meshed.append(attributes.Name or str(attributes.Id))
        return shape


def _called(solid: Solid, index: int) -> str:
    return str(index if solid.name is None else solid.name)


def _part(solid: Solid, index: int, hidden: bool) -> Part:
    """Solid with the properties in its user text."""
    called, text = _called(solid, index), solid.strings
    return Part(
        solid.name,
        solid.vertices,
        solid.faces,
        solid.layers,
        hidden,
        marked(text, called),
        number(text[DENSITY], DENSITY, called) if DENSITY in text else None,
        number(text[FRICTION], FRICTION, called) if FRICTION in text else None,
        solid.guid,
        text.get(MATERIAL) or None,
        elastic(text, called),
    )


def _visible_layers(layers: Any) -> dict[int, bool]:
    """Whether the objects of each layer are shown: the layer is on, and all layers above it are."""
    by_id = {str(layer.Id): layer for layer in layers}

    def shown(layer: Any, depth: int = 0) -> bool:
        above = by_id.get(str(layer.ParentLayerId))
        return bool(layer.Visible) and (above is None or depth > MAX_DEPTH or shown(above, depth + 1))

    return {layer.Index: shown(layer) for layer in layers}


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
