"""Drawings of definitions as SVG: boxes, names, icons, wires."""

from __future__ import annotations

import base64
import uuid
from collections.abc import Iterable, Iterator, Sequence
from xml.sax.saxutils import escape

from compas_nscd.ghfiles import definition
from compas_nscd.ghfiles.archive import NO_INDEX, Chunk

_STYLE = """<style>
text{font:11px "DejaVu Sans",Verdana,sans-serif;fill:#202020} .node{fill:#dcdcdc;stroke:#404040}
.core{fill:#505050} .wire{fill:none;stroke:#505050;stroke-width:2.5;stroke-opacity:.65}
.panel{fill:#fffadc;stroke:#8c8250} .slider{fill:#eeeeee;stroke:#404040} .knob{fill:#ffffff;stroke:#202020}
.grip{fill:#ffffff;stroke:#404040} .name{font-weight:bold;text-anchor:middle} .middle{text-anchor:middle}
.end{text-anchor:end}
</style>"""
_EDGE = 24.0  # margin of the drawing [pixels]


def svg(tree: Chunk) -> str:
    """Draw a definition, given the tree of its file."""
    objects = objects_of(tree)
    boxes = [_bounds(entry.child("Container")) for entry in objects]
    left, top = min(box[0] for box in boxes) - _EDGE, min(box[1] for box in boxes) - _EDGE
    width = max(box[0] + box[2] for box in boxes) + _EDGE - left
    height = max(box[1] + box[3] for box in boxes) + _EDGE - top
    head = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="{:g} {:g} {:g} {:g}" width="{:g}" height="{:g}">'
    out = [head.format(left, top, width, height, width, height), _STYLE]
    out.append('<rect x="{:g}" y="{:g}" width="{:g}" height="{:g}" fill="#f4f3ee"/>'.format(left, top, width, height))
    out += _wires(objects)
    for entry in objects:
        out += _node(entry.get("GUID"), entry.child("Container"))
    return "\n".join(out + ["</svg>"]) + "\n"


def objects_of(tree: Chunk) -> list[Chunk]:
    """Objects on the canvas: chunks with a GUID, a Name and a Container."""
    return tree.child("Definition").child("DefinitionObjects").chunks


def parameters(container: Chunk) -> tuple[list[Chunk], list[Chunk]]:
    """Chunks of the inputs and of the outputs of a component; both empty for a slider, a toggle or a panel."""
    holder = next((chunk for chunk in container.chunks if chunk.name == "ParameterData"), container)
    inputs = holder.children("InputParam") or holder.children("param_input")
    return inputs, holder.children("OutputParam") or holder.children("param_output")


def wires(objects: Iterable[Chunk]) -> list[tuple[uuid.UUID, uuid.UUID]]:
    """Identifiers (source, target) of all wires between the objects of a definition."""
    found: list[tuple[uuid.UUID, uuid.UUID]] = []
    for entry in objects:
        container = entry.child("Container")
        for chunk in [container] + parameters(container)[0]:
            sources = (item.value for item in chunk.items if item.name == "Source" and item.index != NO_INDEX)
            found += [(source, chunk.get("InstanceGuid")) for source in sources]
    return found


def ends(objects: Iterable[Chunk]) -> dict[uuid.UUID, Chunk]:
    """Parameters at which wires may start or end, by identifier."""
    found: dict[uuid.UUID, Chunk] = {}
    for entry in objects:
        container = entry.child("Container")
        inputs, outputs = parameters(container)
        for chunk in (inputs + outputs) or [container]:
            found[chunk.get("InstanceGuid")] = chunk
    return found


def _bounds(chunk: Chunk) -> tuple[float, float, float, float]:
    return chunk.child("Attributes").get("Bounds")


def _wires(objects: Sequence[Chunk]) -> Iterator[str]:
    places = {guid: _bounds(chunk) for guid, chunk in ends(objects).items()}
    for source, target in wires(objects):
        (x0, y0, w0, h0), (x1, y1, _, h1) = places[source], places[target]
        start, end = (x0 + w0, y0 + h0 / 2), (x1, y1 + h1 / 2)
        bend = max(40.0, abs(end[0] - start[0]) / 2)
        path = '<path class="wire" d="M{:g} {:g} C{:g} {:g} {:g} {:g} {:g} {:g}"/>'
        yield path.format(*start, start[0] + bend, start[1], end[0] - bend, end[1], *end)


def _node(kind: uuid.UUID, container: Chunk) -> Iterator[str]:
    drawn = {definition.SLIDER: _slider, definition.TOGGLE: _toggle, definition.PANEL: _panel}
    return drawn.get(kind, _component)(container)


def _rect(bounds: Sequence[float], style: str, radius: float = 3) -> str:
    form = '<rect class="{}" x="{:g}" y="{:g}" width="{:g}" height="{:g}" rx="{:g}"/>'
    return form.format(style, *bounds, radius)


def _text(x: float, y: float, text: str, style: str = "") -> str:
    return '<text x="{:g}" y="{:g}" class="{}">{}</text>'.format(x, y + 4, style, escape(text))


def _component(container: Chunk) -> Iterator[str]:
    bounds = x, y, width, height = _bounds(container)
    yield _rect(bounds, "node", 5)
    yield _text(x + width / 2, y - 9, container.get("NickName"), "name")
    inputs, outputs = parameters(container)
    pivot = container.child("Attributes").get("Pivot")[0]
    icon = container.find("IconOverride")
    if icon:
        data = base64.b64encode(icon.value).decode("ascii")
        form = '<image x="{:g}" y="{:g}" width="24" height="24" href="data:image/png;base64,{}"/>'
        yield form.format(pivot - 12, y + height / 2 - 12, data)
    for column, at_left in ((inputs, True), (outputs, False)):
        for chunk in column:
            left, top, wide, high = _bounds(chunk)
            middle = top + high / 2
            yield '<circle class="grip" cx="{:g}" cy="{:g}" r="3.5"/>'.format(x if at_left else x + width, middle)
            name = chunk.get("NickName")
            yield _text(left + wide - 3, middle, name, "end") if at_left else _text(left + 3, middle, name)


def _slider(container: Chunk) -> Iterator[str]:
    bounds = x, y, width, height = _bounds(container)
    slider = container.child("Slider")
    low, high, value = slider.get("Min"), slider.get("Max"), slider.get("Value")
    name = container.get("NickName")
    track = x + 8.0 + 6.5 * len(name)
    knob = track + 12 + (x + width - 24 - track) * (value - low) / (high - low)
    yield _rect(bounds, "slider")
    yield _text(x + 4, y + height / 2, name)
    yield '<path class="wire" d="M{:g} {:g} H{:g}"/>'.format(track, y + height - 5, x + width - 6)
    yield '<circle class="knob" cx="{:g}" cy="{:g}" r="4"/>'.format(knob, y + height - 5)
    yield _text(knob, y + 5, "{:.{}f}".format(value, slider.get("Digits")), "middle")


def _toggle(container: Chunk) -> Iterator[str]:
    bounds = x, y, width, height = _bounds(container)
    yield _rect(bounds, "slider")
    yield _text(x + 4, y + height / 2, container.get("NickName"))
    yield _rect((x + width - 50, y + 3, 46, height - 6), "core")
    value = "True" if container.get("ToggleValue") else "False"
    form = '<text x="{:g}" y="{:g}" class="middle" style="fill:#fff">{}</text>'
    yield form.format(x + width - 27, y + height / 2 + 4, value)


def _panel(container: Chunk) -> Iterator[str]:
    bounds = x, y, width, _ = _bounds(container)
    yield _rect(bounds, "panel", 2)
    text = container.get("UserText") or "({})".format(container.get("NickName"))
    for i, line in enumerate(_wrapped(text, int(width / 6.6))):
        yield _text(x + 5, y + 11 + 15 * i, line)


def _wrapped(text: str, letters: int) -> list[str]:
    lines = [""]
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > letters:
            lines.append("")
        lines[-1] = (lines[-1] + " " + word).strip()
    return lines
