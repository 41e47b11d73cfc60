"""A Grasshopper definition: components, sliders, toggles and panels on a canvas, and the wires between them.

Layouts of native objects are those of files saved by Grasshopper. Rhino works out the exact sizes again when it opens a
file; those written here are near enough to draw the definition.
"""

import uuid

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
from compas_nscd.ghfiles.bundle import name_guid
from compas_nscd.ghfiles.component import SCRIPT_COMPONENT, fill_component

SLIDER = uuid.UUID("57da07bd-ecab-415d-9d86-af36d7073abc")
TOGGLE = uuid.UUID("2e78987b-9dfb-42a2-8b76-3923ac8bd91a")
PANEL = uuid.UUID("59e0b89a-e487-49f8-bab8-b5bab16be14c")
UNIT_VECTORS = {
    "x": uuid.UUID("79f9fbb3-8f1d-4d9a-88a9-f7961b1012cd"),
    "y": uuid.UUID("d3d195ea-2d59-4ffa-90b1-8b7ff3369f69"),
    "z": uuid.UUID("9103c240-a6a9-4223-9b42-dbd19bf38e2b"),
}

#: Sizes on the canvas [pixels].
ROW, LETTER, ICON, MARGIN = 20.0, 6.5, 28.0, 2.0

_WHOLE_NUMBERS, _ROUND_GRIP = 1, 1
_PAPER = (90, 250, 255, 255)  # blue, green, red, opacity: the yellow of a panel
_EPOCH = 638396640000000000  # [100 ns] 1 January 2024: a date of its own would make every build different


class Node:
    """An object on the canvas; `inputs` and `outputs` are the chunks of its parameters by name."""

    def __init__(self, chunk, inputs, outputs):
        self.chunk, self.inputs, self.outputs = chunk, inputs, outputs


class Definition:
    """A document under construction; `tree()` is what is saved.

    Parameters
    ----------
    name : str
        Name of the file, without its ending.
    description : str
    version : str
        Replaces `{{version}}` in the code of the components.
    """

    def __init__(self, name, description, version):
        self.name, self.description, self.version = name, description, version
        self.nodes = {}

    def slider(self, label, low, high, value, at, digits=2):
        """A number slider; whole numbers if `digits` is 0."""
        node = self._parameter(SLIDER, "Number Slider", "Numeric slider for single values", label, at, (200.0, ROW))
        slider = node.chunk.add("Slider")
        slider.set("Digits", INT32, digits).set("GripDisplay", INT32, _ROUND_GRIP).set("SnapCount", INT32, 0)
        slider.set("Interval", INT32, 0 if digits else _WHOLE_NUMBERS)
        slider.set("Min", DOUBLE, float(low)).set("Max", DOUBLE, float(high)).set("Value", DOUBLE, float(value))
        return node

    def toggle(self, label, value, at):
        node = self._parameter(TOGGLE, "Boolean Toggle", "Boolean (true/false) toggle", label, at, (120.0, 22.0))
        node.chunk.set("ToggleValue", BOOL, value)
        return node

    def panel(self, label, text, at, size=(160.0, 22.0)):
        """A panel: with `text` of its own, or showing what is wired into it."""
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

    def unit_vector(self, label, axis, at):
        """Grasshopper's vector along an axis, times its input Factor, which is 1 unless wired."""
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

    def component(self, bundle, at, label=None):
        """A component of ours; `label` tells apart two of the same."""
        label = label or bundle.folder
        node = self._object(SCRIPT_COMPONENT, bundle.name, label)
        fill_component(node.chunk, bundle, self.version, [self.name, label])
        parameters = node.chunk.child("ParameterData")
        node.inputs.update((chunk.get("Name"), chunk) for chunk in parameters.children("InputParam"))
        node.outputs.update((chunk.get("Name"), chunk) for chunk in parameters.children("OutputParam"))
        _place_component(node, at)
        return node

    def wire(self, source, target, output=None, input=None):
        """A wire; `output` and `input` name parameters where a node is a component.

        KeyError if there is no such parameter.
        """
        start = source.outputs[output] if output else source.chunk
        end = target.inputs[input] if input else target.chunk
        count = end.find("SourceCount")
        end.set("Source", GUID, start.get("InstanceGuid"), count.value)
        count.value += 1

    def _object(self, kind, name, label):
        if label in self.nodes:
            raise ValueError("definition {!r} already has {!r}".format(self.name, label))
        chunk = Chunk("Container").set("InstanceGuid", GUID, name_guid(self.name, label))
        self.nodes[label] = (kind, name, chunk)
        return Node(chunk, {}, {})

    def _parameter(self, kind, name, description, label, at, size):
        """A node that is its own input and output."""
        node = self._object(kind, name, label)
        node.chunk.set("Description", STRING, description).set("Name", STRING, name).set("NickName", STRING, label)
        node.chunk.set("Optional", BOOL, False).set("SourceCount", INT32, 0)
        _place(node.chunk, at, size, at)
        return node

    def tree(self):
        """The whole file."""
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


def _place(chunk, at, size, pivot):
    """Attributes come first among the children; half pixels are exact in single precision."""
    bounds, pivot = (tuple(round(2 * x) / 2 for x in numbers) for numbers in (tuple(at) + tuple(size), pivot))
    chunk.chunks.insert(0, Chunk("Attributes").set("Bounds", RECTANGLEF, bounds).set("Pivot", POINTF, pivot))


def _persist(chunk, number):
    """What an input of Grasshopper's own components has when nothing is wired into it."""
    data = chunk.add("PersistentData").set("Count", INT32, 1)
    branch = data.add("Branch", 0).set("Count", INT32, 1).set("Path", STRING, "{0}")
    branch.add("Item", 0).set("number", DOUBLE, number)


def _place_component(node, at):
    """Inputs on the left, outputs on the right, the icon between them."""
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
