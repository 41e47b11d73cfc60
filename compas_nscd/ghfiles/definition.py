"""A Grasshopper definition: components, sliders, toggles and panels on a canvas, and the wires between them.

Layouts of native objects are those of files saved by Grasshopper. Rhino computes the exact sizes when it opens a file;
the sizes written here are approximate.
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from compas_nscd.ghfiles.archive import (
    BOOL,
    COLOUR,
    DATE,
    DOUBLE,
    GUID,
    INT32,
    POINT,
    POINTF,
    RECTANGLEF,
    SINGLE,
    STRING,
    VERSION,
    Chunk,
)
from compas_nscd.ghfiles.bundle import Bundle, name_guid
from compas_nscd.ghfiles.component import SCRIPT_COMPONENT, fill_component

#: Native objects.
SLIDER = uuid.UUID("57da07bd-ecab-415d-9d86-af36d7073abc")
TOGGLE = uuid.UUID("2e78987b-9dfb-42a2-8b76-3923ac8bd91a")
PANEL = uuid.UUID("59e0b89a-e487-49f8-bab8-b5bab16be14c")
UNIT_VECTORS = {
    "x": uuid.UUID("79f9fbb3-8f1d-4d9a-88a9-f7961b1012cd"),
    "y": uuid.UUID("d3d195ea-2d59-4ffa-90b1-8b7ff3369f69"),
    "z": uuid.UUID("9103c240-a6a9-4223-9b42-dbd19bf38e2b"),
}

#: Height of a row of a component [pixels].
ROW = 20.0
#: Mean width of a letter [pixels].
LETTER = 6.5
#: Width of the icon of a component [pixels].
ICON = 28.0
#: Margin of a component [pixels].
MARGIN = 2.0

#: Position on the canvas, or size: x, y [pixels].
Pair = Sequence[float]

_WHOLE_NUMBERS = 1  # code of the interval of a slider
_ROUND_GRIP = 1  # code of the grip of a slider
_PAPER = (90, 250, 255, 255)  # blue, green, red, opacity: the yellow of a panel
_EPOCH = 638396640000000000  # [100 ns] 1 January 2024: a fixed date, so that builds are reproducible


class Node:
    """An object on the canvas; `inputs` and `outputs` are the chunks of its parameters by name."""

    def __init__(self, chunk: Chunk, inputs: dict[str, Chunk], outputs: dict[str, Chunk]) -> None:
        self.chunk, self.inputs, self.outputs = chunk, inputs, outputs


class Definition:
    """A document under construction; `tree` returns the contents of the file.

    Parameters
    ----------
    name : str
        Name of the file, without suffix.
    description : str
    version : str
        Replaces `{{version}}` in the code of the components.
    """

    def __init__(self, name: str, description: str, version: str) -> None:
        self.name, self.description, self.version = name, description, version
        self.nodes: dict[str, tuple[uuid.UUID, str, Chunk]] = {}

    def slider(self, label: str, low: float, high: float, value: float, at: Pair, digits: int = 2) -> Node:
        """A number slider; whole numbers if `digits` is 0."""
        node = self._parameter(SLIDER, "Number Slider", "Numeric slider for single values", label, at, (200.0, ROW))
        slider = node.chunk.add("Slider")
        slider.set("Digits", INT32, digits).set("GripDisplay", INT32, _ROUND_GRIP).set("SnapCount", INT32, 0)
        slider.set("Interval", INT32, 0 if digits else _WHOLE_NUMBERS)
        slider.set("Min", DOUBLE, float(low)).set("Max", DOUBLE, float(high)).set("Value", DOUBLE, float(value))
        return node

    def toggle(self, label: str, value: bool, at: Pair) -> Node:
        """A boolean toggle."""
        node = self._parameter(TOGGLE, "Boolean Toggle", "Boolean (true/false) toggle", label, at, (120.0, 22.0))
        node.chunk.set("ToggleValue", BOOL, value)
        return node

    def panel(self, label: str, text: str, at: Pair, size: Pair = (160.0, 22.0)) -> Node:
        """A panel with `text`, or for the values of a wire."""
        node = self._parameter(PANEL, "Panel", "A panel for custom notes and text values", label, at, size)
        node.chunk.set("ScrollRatio", DOUBLE, 0.0).set("UserText", STRING, text)
        for margin in ("MarginLeft", "MarginRight", "MarginTop"):
            node.chunk.child("Attributes").set(margin, INT32, 0)
        properties = node.chunk.add("PanelProperties")
        properties.set("Colour", COLOUR, _PAPER)
        flags = {"DrawIndices": False, "DrawPaths": False, "Multiline": True, "SpecialCodes": False, "Stream": False}
        for key, value in dict(flags, Wrap=True).items():
            properties.set(key, BOOL, value)
        return node

    def unit_vector(self, label: str, axis: str, at: Pair) -> Node:
        """Grasshopper's vector along an axis, times its input Factor, by default 1."""
        name = "Unit " + axis.upper()
        node = self._object(UNIT_VECTORS[axis], name, label)
        node.chunk.set("Description", STRING, "Unit vector parallel to the world {%s} axis." % axis)
        node.chunk.set("Name", STRING, name).set("NickName", STRING, axis.upper())
        for parameters, kind, name, nickname, description in (
            (node.inputs, "param_input", "Factor", "F", "Unit multiplication"),
            (node.outputs, "param_output", "Unit vector", "V", "World {%s} vector" % axis),
        ):
            chunk = parameters[name] = node.chunk.add(kind, 0)
            chunk.set("Description", STRING, description).set("Name", STRING, name).set("NickName", STRING, nickname)
            chunk.set("InstanceGuid", GUID, name_guid(self.name, label, name))
            chunk.set("Optional", BOOL, False).set("SourceCount", INT32, 0)
        _place_component(node, at)
        _persist(node.inputs["Factor"], 1.0)
        return node

    def component(self, bundle: Bundle, at: Pair, label: str | None = None) -> Node:
        """A component of compas_nscd; a second one of the same kind needs a `label`."""
        label = label or bundle.folder
        node = self._object(SCRIPT_COMPONENT, bundle.name, label)
        fill_component(node.chunk, bundle, self.version, [self.name, label])
        parameters = node.chunk.child("ParameterData")
        node.inputs.update((chunk.get("Name"), chunk) for chunk in parameters.children("InputParam"))
        node.outputs.update((chunk.get("Name"), chunk) for chunk in parameters.children("OutputParam"))
        _place_component(node, at)
        return node

    def wire(self, source: Node, target: Node, output: str | None = None, input: str | None = None) -> None:
        """Connect two nodes; `output` and `input` name the parameters of components.

        KeyError if there is no such parameter.
        """
        start = source.outputs[output] if output else source.chunk
        end = target.inputs[input] if input else target.chunk
        count = end.find("SourceCount")
        assert count is not None  # every parameter has one
        end.set("Source", GUID, start.get("InstanceGuid"), count.value)
        count.value += 1

    def _object(self, kind: uuid.UUID, name: str, label: str) -> Node:
        if label in self.nodes:
            raise ValueError("definition {!r} already has {!r}".format(self.name, label))
        chunk = Chunk("Container").set("InstanceGuid", GUID, name_guid(self.name, label))
        self.nodes[label] = (kind, name, chunk)
        return Node(chunk, {}, {})

    def _parameter(self, kind: uuid.UUID, name: str, description: str, label: str, at: Pair, size: Pair) -> Node:
        """A node that is its own input and output."""
        node = self._object(kind, name, label)
        node.chunk.set("Description", STRING, description).set("Name", STRING, name).set("NickName", STRING, label)
        node.chunk.set("Optional", BOOL, False).set("SourceCount", INT32, 0)
        _place(node.chunk, at, size, at)
        return node

    def tree(self) -> Chunk:
        """Contents of the file."""
        root = Chunk("Root").set("ArchiveVersion", VERSION, (0, 2, 2))
        document = root.add("Definition").set("plugin_version", VERSION, (1, 0, 8))
        header = document.add("DocumentHeader")
        header.set("DocumentID", GUID, name_guid(self.name)).set("Preview", STRING, "Shaded")
        header.set("PreviewMeshType", INT32, 1)
        header.set("PreviewNormal", COLOUR, (0, 0, 150, 100)).set("PreviewSelected", COLOUR, (0, 150, 0, 100))
        properties = document.add("DefinitionProperties")
        properties.set("Date", DATE, _EPOCH).set("Description", STRING, self.description)
        properties.set("Name", STRING, self.name + ".ghx")
        properties.add("Revisions").set("RevisionCount", INT32, 0)
        properties.add("Projection").set("Target", POINT, (0, 0)).set("Zoom", SINGLE, 1.0)
        properties.add("Views").set("ViewCount", INT32, 0)
        document.add("RcpLayout").set("GroupCount", INT32, 0)
        objects = document.add("DefinitionObjects").set("ObjectCount", INT32, len(self.nodes))
        for i, (kind, name, chunk) in enumerate(self.nodes.values()):
            entry = objects.add("Object", i).set("GUID", GUID, kind).set("Name", STRING, name)
            entry.chunks.append(chunk)
        return root


def _place(chunk: Chunk, at: Pair, size: Pair, pivot: Pair) -> None:
    """Add the attributes as first child; half pixels are exact in single precision."""
    bounds, centre = (tuple(round(2 * x) / 2 for x in numbers) for numbers in (tuple(at) + tuple(size), pivot))
    chunk.chunks.insert(0, Chunk("Attributes").set("Bounds", RECTANGLEF, bounds).set("Pivot", POINTF, centre))


def _persist(chunk: Chunk, number: float) -> None:
    """Set the value of an unconnected input of a native component."""
    data = chunk.add("PersistentData").set("Count", INT32, 1)
    branch = data.add("Branch", 0).set("Count", INT32, 1).set("Path", STRING, "{0}")
    branch.add("Item", 0).set("number", DOUBLE, number)


def _place_component(node: Node, at: Pair) -> None:
    """Place inputs on the left, outputs on the right, the icon between them."""
    left, top = at
    columns = [list(node.inputs.values()), list(node.outputs.values())]
    rows = max(len(column) for column in columns)
    widths = [max([LETTER * len(chunk.get("NickName")) + 10.0 for chunk in column] or [10.0]) for column in columns]
    starts = (left + MARGIN, left + MARGIN + widths[0] + ICON)
    for start, width, column in zip(starts, widths, columns):
        height = rows * ROW / max(1, len(column))
        for i, chunk in enumerate(column):
            y = top + MARGIN + i * height
            _place(chunk, (start, y), (width, height), (start + width / 2, y + height / 2))
    size = (sum(widths) + ICON + 2 * MARGIN, rows * ROW + 2 * MARGIN)
    _place(node.chunk, at, size, (left + MARGIN + widths[0] + ICON / 2, top + size[1] / 2))
