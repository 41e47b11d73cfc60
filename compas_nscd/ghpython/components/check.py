"""Component Check: what is wrong with a drawing, each finding in its place."""

from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from compas_nscd.blocks.block import Block
from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.client.requests import CheckRequest
from compas_nscd.drawing.check_layout import (
    ERRORS,
    KINDS,
    finding_text,
    findings,
    is_well,
    layout_findings,
    worst_findings,
)
from compas_nscd.drawing.shapes import Shape
from compas_nscd.errors import InputError
from compas_nscd.geometry.findings import name_blocks
from compas_nscd.ghpython.canvas import Canvas, Flag, Items, component
from compas_nscd.ghpython.geometry import shades
from compas_nscd.ghpython.live_analysis import LiveStatic, newest
from compas_nscd.ghpython.wires import items
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure
from compas_nscd.rhino.structure import structure_laws

#: Outputs of the component.
OUTPUTS = ("ok", "messages", "names", "blocks", "curves", "kinds", "info")
#: What is checked: a structure, or blocks that need not make one.
Drawn = Union[Structure, Tuple[Block, ...]]


class Checked(NamedTuple):
    """A structure and the report of its check."""

    structure: Structure
    report: Dict[str, Any]

    @property
    def warnings(self) -> List[Dict[str, Any]]:
        """Warnings of the report, which name their blocks."""
        return self.report["warnings"]

    @property
    def headline(self) -> str:
        """The verdict in a few words."""
        found = findings(self.report)
        kinds = ["{}: {}".format(KINDS[kind][0], len(found[kind])) for kind in found]
        return "OK" if is_well(self.report) else ", ".join(kinds) or "warnings: {}".format(len(self.warnings))

    @property
    def summary(self) -> Dict[str, Any]:
        """Figures of the report."""
        keys = ("blocks", "free_blocks", "interfaces", "contacts", "area", "gap_needed", "overlap_max", "time")
        return {key: self.report[key] for key in keys}

    @property
    def lines(self) -> Dict[str, str]:
        """One line for each kind of finding."""
        found = findings(self.report)
        return {kind: "{}: {}".format(KINDS[kind][0], name_blocks(_texts(items))) for kind, items in found.items()}

    @property
    def messages(self) -> List[str]:
        """The lines of the findings, then the warnings; first OK if all is well."""
        told = [*self.lines.values(), *(warning["message"] for warning in self.warnings)]
        return ["OK", *told] if is_well(self.report) else told


def _texts(found: List[Any]) -> List[str]:
    """Items of a kind, one word each."""
    return [finding_text(item) for item in found]


class _CheckRequest(CheckRequest):
    """Request of a check whose result has the structure."""

    def result(self, reply: Dict[str, Any]) -> Any:
        """Structure and report."""
        return Checked(self.structure, super().result(reply))


class LiveCheck(LiveStatic):
    """Checks; the newest question replaces older ones."""

    def request(self, *asked: Any) -> _CheckRequest:
        """Request of a question: what is drawn, settings."""
        drawn, settings = asked
        return _CheckRequest(_structure(drawn), settings)


def _structure(drawn: Drawn) -> Structure:
    """The structure; of loose blocks one with a law that the check does not use."""
    if isinstance(drawn, Structure):
        return drawn
    law = ContactLaw(0.6)
    return Structure(drawn, law, None, structure_laws(drawn, law))


@component(*OUTPUTS)
def check(canvas: Canvas, blocks: Items, settings: Any, compute: Flag) -> Any:
    """Component Check: checks at every change of its inputs; blocks that make no structure are checked, too."""
    settings = canvas.maybe("settings", settings, Settings)
    shown = newest(canvas, canvas.kept(LiveCheck.of), (_drawn(items(blocks)), settings), compute)
    if shown.result is None:
        return (None,) * (len(OUTPUTS) - 1) + (shown.info,)
    checked: Checked = shown.result
    for kind, line in checked.lines.items():
        if kind in ERRORS:
            canvas.error(line)
    drawing = layout_findings(checked.structure, checked.report)
    worst = worst_findings(findings(checked.report))
    return (
        shown.verdict(lambda checked: is_well(checked.report)),
        checked.messages,
        [name for name in checked.structure.names if name in worst],
        _meshes(canvas, [shape for shape in drawing.shapes if shape.name in worst]),
        [canvas.make.polyline(curve.points) for curve in drawing.curves],
        [curve.name for curve in drawing.curves],
        shown.info,
    )


def _drawn(given: List[Any]) -> Drawn:
    """One structure, or blocks; an InputError for anything else."""
    if len(given) == 1 and isinstance(given[0], Structure):
        return given[0]
    wrong: Optional[str] = next((type(each).__name__ for each in given if not isinstance(each, Block)), None)
    if wrong or not given:
        what = "has a {} beside others".format(wrong) if wrong else "is missing"
        raise InputError("Input blocks {}.".format(what), remedy="Connect outputs of Block, or one Structure.")
    return tuple(given)


def _meshes(canvas: Canvas, shapes: List[Shape]) -> List[Any]:
    """Meshes of blocks in the colour of their worst finding."""
    made = canvas.make.meshes([(shape.vertices, shape.faces) for shape in shapes])
    for mesh, shade in zip(made, shades([shape.colour for shape in shapes])):
        mesh.VertexColors.CreateMonotoneMesh(shade)
    return made
