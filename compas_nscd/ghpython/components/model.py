"""Components of the group Model: blocks and structures."""

from typing import Any, List, Optional, Set, Tuple

from compas_nscd.blocks.block import Block
from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.blocks.elastic import Elastic
from compas_nscd.errors import GeometryError, InputError, MaterialError
from compas_nscd.files.threedm.solids import Solid
from compas_nscd.geometry.checks import PLANARITY
from compas_nscd.ghpython.canvas import Canvas, Flag, Items, Number, Text, component
from compas_nscd.ghpython.components.laws import JointLaw
from compas_nscd.ghpython.wires import items
from compas_nscd.model.structure import Structure
from compas_nscd.rhino.document import active
from compas_nscd.rhino.solids import solids
from compas_nscd.rhino.structure import block_of, structure_laws


@component("block", "bad")
def block(
    canvas: Canvas,
    geometry: Any,
    density: Number,
    name: Text,
    support: Flag,
    friction: Number,
    elastic: Any = None,
) -> Any:
    """Component Block."""
    deforming = canvas.maybe("elastic", elastic, Elastic)
    if geometry is None:
        raise InputError("Input geometry is missing.", remedy="Connect a closed Brep, mesh, SubD or block instance.")
    shape, attributes = _found(canvas, geometry)
    called = name or (attributes.Name if attributes is not None else None) or "the object"
    try:
        found = solids(shape, canvas.units, attributes)
    except GeometryError as error:
        canvas.error("Input geometry: {} cannot be a block: {}. {}".format(called, error.message, error.remedy or ""))
        return None, shape
    with canvas.input("density" if density is not None else "geometry"):
        made = [block_of(each, canvas.units, density, _named(name, each, found), support, friction) for each in found]
    for each in made if deforming is not None else ():
        each.elastic = deforming
    bad = [each for each, own in zip(made, found) if _open(own)]
    if bad:
        canvas.warning("Input geometry: {} is not closed; the component Structure tells more.".format(called))
    return made[0] if len(made) == 1 else made, shape if bad else None


def _named(name: Optional[str], solid: Solid, parts: List[Solid]) -> Optional[str]:
    """The given name; with a suffix for each part of an instance."""
    if name is None or len(parts) == 1:
        return name
    return "{}/{}".format(name, str(solid.name or "").rsplit("/", 1)[-1])


def _open(solid: Solid) -> bool:
    """Whether an edge of a solid has an odd number of faces."""
    odd: Set[Tuple[int, int]] = set()
    for face in solid.faces:
        for a, b in zip(face, face[1:] + face[:1]):
            odd ^= {(a, b) if a < b else (b, a)}
    return bool(odd)


def _found(canvas: Canvas, geometry: Any) -> Tuple[Any, Any]:
    """Geometry of an input, and the attributes of the object that it refers to or None."""
    given = type(geometry).__name__ == "Guid"
    guid = geometry if given else canvas.reference(0)
    item = None if guid is None else active().Objects.FindId(guid)
    if item is None:
        if given:
            raise InputError("Input geometry: there is no object {} in the document.".format(geometry))
        return geometry, None
    return item.Geometry if given else geometry, item.Attributes


@component("structure", "report", "bad", "bad_names")
def structure(
    canvas: Canvas,
    blocks: Items,
    law: Any,
    name: Text,
    planarity: Number,
    planar: Any,
    joint_laws: Items = None,
    elastic: Any = None,
) -> Any:
    """Component Structure: checks the blocks; shows defects by name and as geometry."""
    blocks = items(blocks)
    wrong = [type(each).__name__ for each in blocks if not isinstance(each, Block)]
    if wrong or not blocks:
        what = "is missing" if not blocks else "has a {}".format(wrong[0])
        raise InputError("Input blocks {}.".format(what), remedy="Connect the output of the component Block.")
    law = canvas.maybe("law", law, ContactLaw)
    if law is None:
        raise MaterialError("Input law is missing.", remedy="Connect a Contact Law; its friction is 0.6 unless given.")
    deforming = canvas.maybe("elastic", elastic, Elastic)
    if deforming is not None:
        blocks = [_deforming(each, deforming) for each in blocks]
    with canvas.input("blocks"):
        axis = None if planar is None else (planar.X, planar.Y, planar.Z)
        limit = PLANARITY if planarity is None else planarity
        made = Structure(blocks, law, name, structure_laws(blocks, law), planarity=limit, planar=axis)
    given = [canvas.need("joint_laws", each, JointLaw) for each in items(joint_laws)]
    with canvas.input("joint_laws"):
        for each in given:
            each.put_into(made)
    return reported(canvas, made)


def _deforming(given: Block, elastic: Elastic) -> Block:
    """The block if it has an elasticity of its own, else a copy with this one: the block itself is on other wires."""
    if given.elastic is not None:
        return given
    copy = given.scaled(1.0)
    copy.elastic = elastic
    return copy


def reported(canvas: Canvas, made: Structure) -> Tuple[Optional[Structure], List[str], List[Any], List[str]]:
    """Outputs of a structure: itself if it can be analysed, report, bad blocks and their names; shows messages."""
    report = made.report
    for finding in report.of("error"):
        canvas.error("{} {}".format(finding.message(made.names), finding.remedy))
    for finding in report.of("warning"):
        canvas.warning(finding.message(made.names))
    bad = report.bad_blocks()
    shapes = [made.blocks[i].surface() for i in bad]
    seen = canvas.make.meshes([shape for shape in shapes if len(shape[0])])
    canvas.message("{} blocks, {} supports".format(len(made), len(made.supports)))
    lines = report.lines() or ["{} blocks, {} supports: no defects.".format(len(made), len(made.supports))]
    return made if report.ok else None, lines, seen, [made.names[i] for i in bad]


@component("structure", "case", "report", "bad", "blocks")
def structure_from_file(
    canvas: Canvas, path: Text, supports: Items, density: Number, friction: Number, units: Text
) -> Any:
    """Component Structure from File."""
    if not path:
        raise InputError("Input path is missing.", remedy="Give a .json, .3dm or .obj file.")
    chosen = items(supports) or None
    if chosen is not None and len(chosen) == 1 and str(path).lower().endswith(".3dm"):
        chosen = chosen[0]
    law = None if friction is None else ContactLaw(friction)
    with canvas.input("path"):
        made = Structure.from_file(path, chosen, density, law, units, strict=False)
    found, lines, bad, _ = reported(canvas, made)
    if made.note:
        canvas.remark(made.note)
    return found, made.case, lines, bad, canvas.make.blocks(made) if found is not None else None
