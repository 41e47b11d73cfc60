"""Blocks out of .3dm files, by rhino3dm and without Rhino.

Solids are taken exactly where they are polyhedra: Breps and extrusions with planar faces and straight edges, meshes,
and SubDs all of whose edges are creased. A Brep with curved faces, curved edges or holes is taken by the meshes that
Rhino stored in the file when it displayed it; without them it is refused by name. Straight lines on a layer `cables`
are cables. What is hidden, or no solid, is left out and counted in the note of the structure.
"""

import json
from collections import Counter

import numpy as np

from compas_nscd.blocks.block import Block
from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.blocks.interface_law import from_data, interface_law
from compas_nscd.errors import FileError, GeometryError, InputError, MaterialError, SupportError
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
from compas_nscd.files.units import UNITS, metres
from compas_nscd.loads.case import LoadCase


def read(cls, path, supports, density, law, units, planarity):
    """Structure of a .3dm file; see `Structure.from_file`.

    Parameters
    ----------
    supports : str or list, optional
        Name of a layer, or blocks by index, name or guid; without it the user text `support` of the objects tells.
    density : float, optional
        Of the objects that have no user text `density` [kg/m3].
    law : ContactLaw, optional
        Else the user text `friction` of the file, or of all objects.
    units : str, optional
        Only for a file that names none.
    """
    reader = _Reader(path)
    solids = reader.solids()
    factor = reader.metres(units)
    blocks = [
        Block(factor * s.vertices, s.faces, _density(s, i, density), s.name, marked(s.strings, _called(s, i)), s.guid)
        for i, s in enumerate(solids)
    ]
    own = np.array([_friction(solid, i) for i, solid in enumerate(solids)])
    law = _usual_law(law, own, reader)
    structure = cls(blocks, law, name=path.stem, planarity=planarity, note=reader.note())
    _support(structure, solids, supports, path)
    mu = np.where(np.isnan(own), law.friction, own)
    if (mu != law.friction).any():
        structure.pair_laws.update(laws_of_pairs(blocks, mu, law.friction))
    _written_laws(structure, solids, reader.model.Strings)
    if reader.cables:
        structure.case = LoadCase(cables=read_cables(reader.cables, structure, factor))
    return structure


class _Reader:
    """What is in a file."""

    def __init__(self, path):
        self.package = rhino3dm()
        self.path = path
        if not path.is_file():
            raise FileError("There is no file {}.".format(path), remedy="Check the path.")
        self.model = self.package.File3dm.Read(str(path))
        if self.model is None:
            raise FileError("{} is not a .3dm file, or is damaged.".format(path.name), remedy="Save it again in Rhino.")
        self.layers = {layer.Index: layer for layer in self.model.Layers}
        #: Layers of a result that was written here.
        self.results = {i for i, layer in self.layers.items() if layer.FullPath.split("::")[0] == ROOT}
        self.tolerance = self.model.Settings.ModelAbsoluteTolerance or 1e-6
        self.objects = list(self.model.Objects)
        self.by_id = None
        self.left_out = Counter()
        self.cables = []
        self.defects = {}

    def metres(self, units):
        """Length of the file's unit [m]."""
        name = self.model.Settings.ModelUnitSystem.name
        if name in UNITS:
            if units is not None:
                text = "{} is in {}; units cannot be given with it.".format(self.path.name, name.lower())
                raise InputError(text, remedy="Change the units of the file in Rhino.")
            return UNITS[name]
        if units is None:
            text = "{} has no unit of length (it says {!r}).".format(self.path.name, name)
            raise FileError(text, remedy='Give units="mm", or set them in Rhino.')
        return metres(units)

    def solids(self):
        """All visible solids; raises one error that names those which cannot be blocks."""
        found = []
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

    def _take_line(self, item, kind):
        """Keep what is a cable, count what is nothing."""
        attributes = item.Attributes
        if isinstance(item.Geometry, self.package.Curve) and on_layer(self._path(attributes), CABLES):
            if self._visible(attributes):
                self.cables.append(item)
            else:
                self.left_out["hidden cables"] += 1
        elif attributes.LayerIndex not in self.results:
            self.left_out["{}s".format(kind)] += 1

    def note(self):
        """What was left out, or None."""
        if not self.left_out:
            return None
        return "Left out: " + ", ".join("{} {}".format(n, kind) for kind, n in sorted(self.left_out.items())) + "."

    def _visible(self, attributes):
        layer = self.layers.get(attributes.LayerIndex)
        return attributes.Visible and (layer is None or layer.Visible)

    def _path(self, attributes):
        layer = self.layers.get(attributes.LayerIndex)
        return layer.FullPath if layer is not None else ""

    def _expand(self, item, kind, depth):
        """Solids of an object; an instance has those of its definition."""
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
        parts = []
        for key in definition.GetObjectIds():
            part = self.by_id.get(str(key))
            part_kind = type(part.Geometry).__name__ if part is not None else None
            if part_kind in KINDS:
                parts += self._expand(part, part_kind, depth + 1)
        return placed(parts, item.Geometry.Xform, name or definition.Name or None, layer, strings, guid)

    def _shape(self, geometry, kind, called):
        """Vertices and faces of a solid, or None with the reason in `defects`."""
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


def _called(solid, index):
    return str(index if solid.name is None else solid.name)


def _density(solid, index, density):
    text = solid.strings.get(DENSITY)
    return density if text is None else number(text, DENSITY, _called(solid, index))


def _support(structure, solids, supports, path):
    """Mark the supports that the caller names, instead of those that the file marks."""
    if supports is None:
        if not any(block.support for block in structure.blocks):
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
        chosen = structure.indices(supports, SupportError)
    for block in structure.blocks:
        block.support = False
    for i in chosen:
        structure.blocks[i].support = True


def _friction(solid, index):
    """An object's own friction, or nan."""
    text = solid.strings.get(FRICTION)
    return np.nan if text is None else number(text, FRICTION, _called(solid, index))


def _usual_law(law, own, reader):
    """The law of all joints but those of objects with a friction of their own."""
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


def _written_laws(structure, solids, strings):
    """Laws of pairs of blocks and of materials that `threedm` wrote, as far as their blocks are still there."""
    index = {name: i for i, name in enumerate(structure.names)}
    for a, b, law in json.loads(strings[PAIRS] or "[]"):
        if a in index and b in index:
            pair = tuple(sorted((index[a], index[b])))
            structure.pair_laws[pair] = ContactLaw(**law) if isinstance(law, dict) else ContactLaw(law)
    for block, solid in zip(structure.blocks, solids):
        block.material = solid.strings.get(MATERIAL) or None
    for each in json.loads(strings[MATERIAL_LAWS] or "[]"):
        structure.material_laws[tuple(each["materials"])] = ContactLaw(**each["law"])
    for each in from_data(json.loads(strings[INTERFACE_LAWS] or "[]")):
        if set(each[0]) <= set(index):
            structure.interface_laws.append(interface_law(structure, *each))
