"""Structures and results as .3dm files, written by rhino3dm without Rhino.

Each layer of a drawing is a layer below `nscd`. Density and support of a block are user text of its mesh, friction is
user text of the file, so that `Structure.from_file` reads them again. Meshes that belong to the drawing of a result
have the user text `nscd: result` and are not read as blocks. The unit of the file is the metre.
"""

import json
from os import PathLike
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np

from compas_nscd.blocks.block import Block
from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.drawing.motion_layout import layout_dynamic
from compas_nscd.drawing.shapes import ASIDE, LAYERS, Colour, Curve, Dot, Drawing, Shape, legend_dots
from compas_nscd.drawing.static_layout import layout_static, layout_structure
from compas_nscd.errors import FileError
from compas_nscd.files.threedm.keys import (
    CABLE_ENDS,
    CABLE_NUMBERS,
    CABLES,
    DENSITY,
    ELASTIC,
    FRICTION,
    GROUND,
    INTERFACE_LAWS,
    LAW,
    MATERIAL,
    MATERIAL_LAWS,
    PAIRS,
    ROOT,
    SUPPORT,
    rhino3dm,
)
from compas_nscd.loads.cable import Cable
from compas_nscd.model.structure import Structure
from compas_nscd.results.dynamic import DynamicResult
from compas_nscd.results.static import StaticResult

#: Labels above which their layer is hidden. Larger: the labels cover the drawing.
MANY_LABELS = 80
#: Displacement from which a block is drawn a second time [m]. Smaller: rounding doubles every block.
STILL = 1e-9
#: Version of the file format: Rhino 8.
ARCHIVE_VERSION = 8

AnyPath = Union[str, "PathLike[str]"]


def write_static(result: StaticResult, path: AnyPath, colour: str = "plain", displaced: Optional[float] = None) -> None:
    """Write a StaticResult: blocks, supports, forces, thrust lines, stresses, displaced blocks, cracks and labels.

    Parameters
    ----------
    result : StaticResult
    path : str or Path
    colour, displaced
        As in `static_layout.layout_static`.
    """
    cables = result.cables
    _write(layout_static(result, colour, displaced), result.structure, path, cables)


def write_dynamic(
    result: DynamicResult,
    path: AnyPath,
    at: Optional[float] = None,
    magnify: float = 1.0,
    colour: str = "plain",
) -> None:
    """Write a DynamicResult at one time: blocks in initial and displaced position, forces, paths of the probes.

    Parameters
    ----------
    result : DynamicResult
    path : str or Path
    at, magnify, colour
        As in `motion_layout.layout_dynamic`.
    """
    drawing = layout_dynamic(result, at, magnify, colour)
    stood = {shape.block: shape.vertices for shape in drawing.shapes if shape.layer != "displaced"}
    shapes = [
        shape
        for shape in drawing.shapes
        if shape.layer != "displaced" or shape.face_colours or np.abs(shape.vertices - stood[shape.block]).max() > STILL
    ]
    _write(drawing._replace(shapes=shapes), result.structure, path)


def write_structure(structure: Structure, path: AnyPath) -> None:
    """Write the blocks of a structure, and the cables of its load case.

    Parameters
    ----------
    structure : Structure
    path : str or Path
    """
    cables = structure.case.cables if structure.case is not None else []
    _write(layout_structure(structure), structure, path, cables)


def _write(drawing: Drawing, structure: Structure, path: AnyPath, cables: Sequence[Cable] = ()) -> None:
    """Write a drawing; curves on the layer of cables are `cables`, or parts of the result if there are none."""
    drawing = drawing._replace(dots=drawing.dots + legend_dots(drawing))
    labels = sum(dot.layer == "labels" for dot in drawing.dots)
    hidden = (*ASIDE, "labels") if labels > MANY_LABELS else ASIDE
    file = _File(drawing.layers(), hidden)
    for shape in drawing.shapes:
        file.add_shape(shape, None if shape.layer == "displaced" else structure.blocks[shape.block])
    for bars in drawing.bars:
        file.add_bars(bars.shape())
    texts = [_cable_text(each, structure) for each in cables]
    for curve in drawing.curves:
        if curve.layer == CABLES:
            file.add_curve(curve, texts.pop(0) if texts else {ROOT: "result"})
        else:
            file.add_curve(curve)
    for dot in drawing.dots:
        file.add_dot(dot)
    _write_laws(structure, file.model.Strings)
    file.write(path)


def _cable_text(cable: Cable, structure: Structure) -> Dict[str, str]:
    """User text from which the reader makes the cable."""
    values = zip(CABLE_NUMBERS, (cable.stiffness, cable.prestress or None, cable.strength))
    text = {key: repr(value) for key, value in values if value is not None}
    names = [GROUND if end is None else structure.names[structure.index(end)] for end in cable.blocks]
    return dict(text, **dict(zip(CABLE_ENDS, names)))


def _write_laws(structure: Structure, strings: Any) -> None:
    """Write friction as a number that the user can edit, and laws with more than friction as JSON."""
    strings[FRICTION] = repr(structure.law.friction)
    if not _is_plain(structure.law):
        strings[LAW] = json.dumps(structure.law.__data__)
    if structure.pair_laws:
        names = structure.names
        laws = [
            [names[i], names[j], law.friction if _is_plain(law) else law.__data__]
            for (i, j), law in sorted(structure.pair_laws.items())
        ]
        strings[PAIRS] = json.dumps(laws)
    if structure.material_laws:
        strings[MATERIAL_LAWS] = json.dumps(structure.__data__["material_laws"])
    if structure.interface_laws:
        names = structure.names
        own = [dict(each.to_data(), blocks=[names[i] for i in each.blocks]) for each in structure.interface_laws]
        strings[INTERFACE_LAWS] = json.dumps(own)


def _is_plain(law: ContactLaw) -> bool:
    """Whether a law is plain Coulomb friction."""
    return set(law.__data__) == {"kind", "friction"} and law.kind == "coulomb"


class _File:
    """A .3dm model with layers."""

    def __init__(self, layers: Sequence[str], hidden: Sequence[str]):
        self.package = rhino3dm()
        self.model = self.package.File3dm()
        settings = self.model.Settings
        settings.ModelUnitSystem = self.package.UnitSystem.Meters
        settings.ModelAbsoluteTolerance = 1e-6
        root = self._layer(ROOT, (0, 0, 0), True, None)
        above = self.model.Layers[root].Id
        self.layer = {name: self._layer(name, LAYERS[name], name not in hidden, above) for name in layers}
        self.objects = self.model.Objects  # reading this property takes as long as adding a line
        self.shared: Dict[Tuple, Any] = {}
        decoration = self.package.ObjectDecoration
        self.arrow, self.plain = decoration.EndArrowhead, getattr(decoration, "None")

    def _layer(self, name: str, colour: Colour, visible: bool, above: Any) -> int:
        layer = self.package.Layer()
        layer.Name, layer.Color, layer.Visible = name, colour + (255,), visible
        if above is not None:
            layer.ParentLayerId = above
        return self.model.Layers.Add(layer)

    def _attributes(self, item: Any, name: Optional[str], support: bool = False, result: bool = False) -> Any:
        """Attributes of one more object. The file copies them, so that objects of one kind can share them."""
        key = (item.layer, item.colour, support, result)
        attributes = self.shared.get(key)
        if attributes is None:
            attributes = self.shared[key] = self.package.ObjectAttributes()
            attributes.LayerIndex = self.layer[item.layer]
            if item.colour != LAYERS[item.layer]:
                attributes.ColorSource = self.package.ObjectColorSource.ColorFromObject
                attributes.ObjectColor = item.colour + (255,)
            if result:
                attributes.SetUserString(ROOT, "result")
            if support:
                attributes.SetUserString(SUPPORT, "true")
        attributes.Name = name or ""
        return attributes

    def add_shape(self, shape: Shape, block: Optional[Block]) -> None:
        """Add a mesh whose faces share no vertices, so that it is shaded with sharp edges."""
        mesh = self.package.Mesh()
        vertices = mesh.Vertices
        vertices.UseDoublePrecisionVertices = True
        add_vertex, add_face = vertices.AddPoint3d, mesh.Faces.AddFace
        first = 0
        for k, (face, corners) in enumerate(zip(shape.faces, _corners(shape))):
            for x, y, z in corners:
                add_vertex(x, y, z)
                if shape.face_colours is not None:
                    mesh.VertexColors.Add(*shape.face_colours[k])
            for part in _small_faces(corners):
                add_face(*[first + k for k in part])
            first += len(face)
        mesh.Normals.ComputeNormals()
        if block is None:
            attributes = self._attributes(shape, shape.name, result=True)
        else:
            attributes = self._attributes(shape, block.given_name, block.support)
            attributes.SetUserString(DENSITY, repr(block.density))
            if block.material is not None or attributes.GetUserString(MATERIAL):  # attributes are shared
                attributes.SetUserString(MATERIAL, block.material or "")
            if block.elastic is not None or attributes.GetUserString(ELASTIC):
                attributes.SetUserString(ELASTIC, json.dumps(block.elastic.__data__) if block.elastic else "")
        self.objects.AddMesh(mesh, attributes)

    def add_bars(self, shape: Shape) -> None:
        """Add a mesh in single precision, which halves the size of a large file."""
        mesh = self.package.Mesh()
        add_vertex, add_face = mesh.Vertices.Add, mesh.Faces.AddFace
        for x, y, z in shape.vertices.tolist():
            add_vertex(x, y, z)
        for a, b, c, d in shape.faces:
            add_face(a, b, c, d)
        self.objects.AddMesh(mesh, self._attributes(shape, shape.name, result=True))

    def add_curve(self, curve: Curve, strings: Optional[Dict[str, str]] = None) -> None:
        """Add a line or a polyline with user text."""
        attributes = self._attributes(curve, curve.name)
        for key, text in (strings or {}).items():
            attributes.SetUserString(key, text)
        if curve.value == curve.value:  # not NaN
            attributes.SetUserString("value", "{:.9g}".format(curve.value))
        attributes.ObjectDecoration = self.arrow if curve.tip else self.plain
        points = [self.package.Point3d(*point) for point in curve.points.tolist()]
        if len(points) == 2:
            self.objects.AddLine(points[0], points[1], attributes)
        else:
            self.objects.AddPolyline(self.package.Polyline(points), attributes)
        for key in strings or ():
            attributes.SetUserString(key, "")  # attributes are shared

    def add_dot(self, dot: Dot) -> None:
        """Add a text dot."""
        attributes = self._attributes(dot, "")
        self.objects.AddTextDot(dot.text, self.package.Point3d(*dot.point.tolist()), attributes)

    def write(self, path: AnyPath) -> None:
        """Write the file."""
        if not self.model.Write(str(path), ARCHIVE_VERSION):
            remedy = "Check the folder, and whether Rhino has the file open."
            raise FileError("{} cannot be written.".format(path), remedy=remedy)


def _corners(shape: Shape) -> Iterator[List[List[float]]]:
    """Coordinates of the corners of every face, as lists."""
    xyz = shape.vertices.tolist()
    return ([xyz[i] for i in face] for face in shape.faces)


def _small_faces(corners: List[List[float]]) -> Sequence[Sequence[int]]:
    """A face as triangles or quads: itself, a fan, or ears if it is concave."""
    count = len(corners)
    if count <= 4:
        return [range(count)]
    points = np.array(corners)
    spokes = points[1:] - points[0]
    twice = np.cross(spokes[:-1], spokes[1:])
    total = twice.sum(axis=0)
    if (twice @ total > 0.0).all():
        return [(0, k, k + 1) for k in range(1, count - 1)]
    from compas.geometry import (
        Polygon,
        earclip_polygon,
    )  # loaded here: with scipy, it takes half of the start of `nscd`

    return earclip_polygon(Polygon(corners))
