"""Components of the group Tools: templates, files, report, installation."""

import inspect
import json
import os
import tempfile

from compas_nscd import templates as library
from compas_nscd.client.doctor import client_versions
from compas_nscd.client.environment import create
from compas_nscd.errors import FileError, InputError
from compas_nscd.ghpython.canvas import component, items
from compas_nscd.ghpython.lifetime import notifier
from compas_nscd.ghpython.live_analysis import lines_of
from compas_nscd.ghpython.shared_engine import CHANGE, describe, session
from compas_nscd.ghpython.worker import Worker
from compas_nscd.results.dynamic import DynamicResult
from compas_nscd.results.limit import LimitResult
from compas_nscd.results.static import StaticResult
from compas_nscd.templates.catalogue import parameters as told_parameters

RESULTS = (StaticResult, DynamicResult)
#: Inputs of the component that some templates call differently.
OTHER_NAMES = {"span": ("span", "radius"), "blocks": ("blocks", "columns", "sectors"), "rise": ("rise",)}


@component("structure", "blocks", "supports", "help")
def templates(canvas, kind, span, thickness, depth, blocks, courses, rise, density, friction, parameters):
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
    return made, free, held, _help(template, told)


def _assignment(line, template, kind):
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


def _in_metres(canvas, told, value):
    """A value in SI; lengths are those whose description names the unit [m]."""
    kind, text = told
    is_length = "[m]" in text and isinstance(value, (int, float)) and not isinstance(value, bool)
    if is_length:
        return canvas.units.metres(value)
    return int(value) if kind.startswith("int") and not isinstance(value, str) else value


def _help(template, told):
    lines = ["templates: " + ", ".join(library.__all__), inspect.getdoc(template).splitlines()[0]]
    for name, parameter in inspect.signature(template).parameters.items():
        lines.append("{} = {}: {}".format(name, parameter.default, told[name][1]))
    return lines


def _path(canvas, path, suffixes):
    if not path:
        raise InputError("Input path is missing.", remedy="Give a file ending in {}.".format(" or ".join(suffixes)))
    path = os.path.abspath(os.path.expanduser(path))
    if os.path.splitext(path)[1].lower() not in suffixes:
        raise FileError("Input path: {} must end in {}.".format(os.path.basename(path), " or ".join(suffixes)))
    return path


@component("path")
def save_result(canvas, result, path, save):
    """Component Save Result."""
    result = canvas.need("result", result, RESULTS)
    path = _path(canvas, path, (".npz", ".json", ".3dm") if isinstance(result, StaticResult) else (".npz", ".json"))
    if not save:
        canvas.message("not saved")
        return None
    with canvas.input("path"):
        if path.lower().endswith(".3dm"):
            from compas_nscd.drawing.threedm import write_static

            write_static(result, path)
        else:
            result.save(path)
    canvas.message("saved")
    return path


class _Read:
    """What the component Load Result keeps: the result of a file as long as the file does not change."""

    def __init__(self, canvas):
        self.stamp, self.result = None, None

    def stop(self):
        self.result = None


@component("result", "kind", "structure", "info")
def load_result(canvas, path):
    """Component Load Result."""
    path = _path(canvas, path, (".npz", ".json"))
    state = canvas.kept(_Read)
    with canvas.input("path"):
        try:
            stamp = (path, os.path.getmtime(path), os.path.getsize(path))
        except OSError as error:
            raise FileError("{}: {}.".format(path, error.strerror))
        if state.stamp != stamp:
            state.result = _load(path)
            state.stamp = stamp
    result = state.result
    return result, result.summary["analysis"], result.structure, lines_of(result)


def _load(path):
    """A result of any kind."""
    for kind in RESULTS:
        try:
            return kind.load(path)
        except FileError:
            pass
    return LimitResult.load(path)


@component("path")
def html_report(canvas, result, path, write, show):
    """Component HTML Report."""
    from compas_nscd.report.page import render_report

    result = canvas.need("result", result, RESULTS)
    if not write:
        canvas.message("not written")
        return None
    if not path:
        path = os.path.join(tempfile.gettempdir(), "nscd-{}.html".format(result.structure.name or "report"))
    path = _path(canvas, path, (".html",))
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(render_report(result))
    except OSError as error:
        raise FileError("Input path: {} cannot be written: {}.".format(path, error.strerror))
    if show:
        import webbrowser
        from pathlib import Path

        webbrowser.open(Path(path).as_uri())
    return path


class _Check:
    """What the component Install keeps: a worker that looks at the engine."""

    def __init__(self, canvas):
        self.worker = Worker(_look, *notifier(canvas.component))
        self.asked = None

    def stop(self):
        self.worker.stop()


def _look(question):
    """Lines about the engine, started for it."""
    if question.content:
        session.stop()
        create(progress=lambda line: question.say(line[:60]), anew=True)
    return describe(session.engine(question.say))[1]


@component("ok", "report")
def install(canvas, check, install_engine):
    """Component Install: what is there, at once; what the engine says, as soon as it answers."""
    state = canvas.kept(_Check)
    asked = (bool(check), bool(install_engine))
    if state.asked is None or (asked != state.asked and any(asked)):
        state.worker.ask(bool(install_engine))
    state.asked = asked
    lines = ["{} {}".format(*pair) for pair in client_versions().items()]
    found = state.worker.look(wait_s=0.02)
    if state.worker.busy or found is None:
        canvas.message("looking")
        return False, lines + ["The engine is being started."]
    if found.error is not None:
        canvas.error(str(found.error))
        canvas.message("engine missing")
        return False, lines + [str(found.error), CHANGE]
    canvas.message("all there")
    return True, lines + found.value
