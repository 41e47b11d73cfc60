"""Components of the group Tools: templates, files, report."""

import inspect
import json
import os
import tempfile
import webbrowser
from pathlib import Path
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from compas_nscd import templates as library
from compas_nscd.errors import FileError, InputError
from compas_nscd.files.writing import cannot_write
from compas_nscd.ghpython.canvas import Canvas, Count, Flag, Items, Number, Text, component
from compas_nscd.ghpython.live_analysis import lines_of
from compas_nscd.ghpython.wires import items
from compas_nscd.report.page import render_report
from compas_nscd.results.dynamic import DynamicResult
from compas_nscd.results.limit import LimitResult
from compas_nscd.results.static import StaticResult
from compas_nscd.templates.catalogue import parameters as told_parameters

#: Kinds of results that are saved and reported.
RESULTS = (StaticResult, DynamicResult)
#: Inputs of the component Templates, and the parameters of templates that they set.
OTHER_NAMES = {"span": ("span", "radius"), "blocks": ("blocks", "columns", "sectors"), "rise": ("rise",)}


@component("structure", "blocks", "supports", "guide")
def templates(
    canvas: Canvas,
    kind: Text,
    span: Number,
    thickness: Number,
    depth: Number,
    blocks: Count,
    courses: Count,
    rise: Number,
    density: Number,
    friction: Number,
    parameters: Items,
) -> Any:
    """Component Templates: lengths are in the unit of the document."""
    kind = (kind or "arch").strip().lower().replace(" ", "_")
    if kind not in library.__all__:
        raise InputError("Input kind: there is no template {!r:.40}.".format(kind), remedy=", ".join(library.__all__))
    template = getattr(library, kind)
    told = told_parameters(template)
    given = dict(span=span, thickness=thickness, depth=depth, blocks=blocks, courses=courses, rise=rise)
    given.update(density=density, friction=friction)
    chosen = {}
    for name, value in given.items():
        if value is not None:
            own = next((each for each in OTHER_NAMES.get(name, (name,)) if each in told), None)
            if own is None:
                canvas.warning("Input {}: the template {} has no such parameter.".format(name, kind))
            else:
                half = 0.5 if (name, own) == ("span", "radius") else 1.0
                chosen[own] = _in_metres(canvas, told[own], half * value if half != 1.0 else value)
    with canvas.input("parameters"):
        for line in items(parameters):
            name, value = _assignment(line, template, kind)
            chosen[name] = _in_metres(canvas, told[name], value)
    with canvas.input("kind " + kind):
        made = template(**chosen)
    meshes = canvas.make.blocks(made)
    free = [mesh for mesh, block in zip(meshes, made.blocks) if not block.support]
    held = [mesh for mesh, block in zip(meshes, made.blocks) if block.support]
    return made, free, held, _guide(template, told)


def _assignment(line: Any, template: Callable[..., Any], kind: str) -> Tuple[str, Any]:
    """Name and value of "name=value"."""
    name, equals, text = str(line).partition("=")
    name = name.strip()
    if not equals or name not in inspect.signature(template).parameters:
        known = ", ".join(inspect.signature(template).parameters)
        raise InputError("{!r:.60} is not a parameter of {}.".format(line, kind), remedy="name=value of: " + known)
    try:
        return name, json.loads(text)
    except ValueError:
        return name, text.strip()


def _in_metres(canvas: Canvas, told: Tuple[str, str], value: Any) -> Any:
    """A value in SI; a parameter is a length if its description has the unit [m]."""
    kind, text = told
    is_length = "[m]" in text and isinstance(value, (int, float)) and not isinstance(value, bool)
    if is_length:
        return canvas.units.metres(value)
    return int(value) if kind.startswith("int") and not isinstance(value, str) else value


def _guide(template: Callable[..., Any], told: Dict[str, Tuple[str, str]]) -> List[str]:
    """Templates, and the parameters of one, as lines of text."""
    lines = ["templates: " + ", ".join(library.__all__), (inspect.getdoc(template) or "").splitlines()[0]]
    for name, parameter in inspect.signature(template).parameters.items():
        lines.append("{} = {}: {}".format(name, parameter.default, told[name][1]))
    return lines


def _path(path: Optional[str], suffixes: Sequence[str]) -> str:
    """Absolute path of an input; an error if it is missing or ends otherwise."""
    if not path:
        raise InputError("Input path is missing.", remedy="Give a file ending in {}.".format(" or ".join(suffixes)))
    path = os.path.abspath(os.path.expanduser(path))
    if os.path.splitext(path)[1].lower() not in suffixes:
        raise FileError("Input path: {} must end in {}.".format(os.path.basename(path), " or ".join(suffixes)))
    return path


@component("path")
def save_result(canvas: Canvas, result: Any, path: Text, save: Flag) -> Any:
    """Component Save Result."""
    result = canvas.need("result", result, RESULTS)
    path = _path(path, (".npz", ".json", ".3dm") if isinstance(result, StaticResult) else (".npz", ".json"))
    if not save:
        canvas.message("not saved")
        return None
    with canvas.input("path"):
        if path.lower().endswith(".3dm"):
            from compas_nscd.drawing.threedm import write_static  # compas.geometry loads for half a second

            write_static(result, path)
        else:
            result.save(path)
    canvas.message("saved")
    return path


class _Read:
    """State of the component Load Result: the result of a file, read again when the file changes."""

    def __init__(self, canvas: Canvas):
        self._stamp: Optional[Tuple[str, float, int]] = None  # path, time of change [s], size [bytes]
        self._result: Any = None

    def result(self, path: str) -> Any:
        """Result of a file."""
        try:
            stamp = (path, os.path.getmtime(path), os.path.getsize(path))
        except OSError as error:
            raise FileError("{}: {}.".format(path, error.strerror))
        if self._stamp != stamp:
            self._result, self._stamp = _load(path), stamp
        return self._result

    def stop(self) -> None:
        """The component was deleted."""
        self._result = self._stamp = None


@component("result", "kind", "structure", "info")
def load_result(canvas: Canvas, path: Text) -> Any:
    """Component Load Result."""
    path = _path(path, (".npz", ".json"))
    with canvas.input("path"):
        result = canvas.kept(_Read).result(path)
    return result, result.summary["analysis"], result.structure, lines_of(result)


def _load(path: str) -> Any:
    """Result of any kind in a file."""
    for kind in RESULTS:
        try:
            return kind.load(path)
        except FileError:
            pass
    return LimitResult.load(path)


@component("path")
def html_report(canvas: Canvas, result: Any, path: Text, write: Flag, show: Flag) -> Any:
    """Component HTML Report."""
    result = canvas.need("result", result, RESULTS)
    if not write:
        canvas.message("not written")
        return None
    if not path:
        path = os.path.join(tempfile.gettempdir(), "nscd-{}.html".format(result.structure.name or "report"))
    path = _path(path, (".html",))
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(render_report(result))
    except OSError as error:
        raise cannot_write(path, error)
    if show:
        webbrowser.open(Path(path).as_uri())
    return path
