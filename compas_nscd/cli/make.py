"""Write a template as a scene file, e.g. `nscd make arch --span 8 --blocks 15 -o arch.json`.

`nscd make --list` names the templates, `nscd make arch --help` the parameters of one. Lengths are in metres, densities
in kg/m3, angles in degrees.
"""

import argparse
import inspect
import json
import re
from argparse import ArgumentParser, Namespace
from typing import Any, Callable, Dict

from compas_nscd import templates
from compas_nscd.cli.options.outputs import require_writable, write_picture
from compas_nscd.cli.options.progress import Progress
from compas_nscd.drawing.picture import draw_structure
from compas_nscd.errors import InputError
from compas_nscd.templates.catalogue import parameters
from compas_nscd.templates.parts.limits import watched


def _json(word: str) -> Any:
    """Value of a JSON text on the command line."""
    try:
        return json.loads(word)
    except ValueError:
        raise argparse.ArgumentTypeError("{!r} is not a list like [[1, 2], [3, 4]]".format(word))


#: Types as the docstrings of the templates name them, and the functions that convert a word on the command line.
TYPES: Dict[str, Callable[[str], Any]] = {"float": float, "int": int, "str": str, "list": _json}


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the command: a subcommand for each template."""
    parser.add_argument("--list", action="store_true", help="name the templates")
    kinds = parser.add_subparsers(dest="template", metavar="TEMPLATE")
    for name in templates.__all__:
        template = getattr(templates, name)
        summary = _summary(template)
        kind = kinds.add_parser(name, help=summary, description=summary)
        _add_parameters(kind, template)
        kind.add_argument("-o", "--output", metavar="FILE", required=True, help="scene file to write (.json)")
        kind.add_argument("--picture", metavar="OUT.svg", help="draw it")
        for flag in ("--json", "--quiet"):  # also accepted after the name of the template
            kind.add_argument(flag, action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)


def run(options: Namespace) -> Dict[str, Any]:
    """Write a template, or list them."""
    if options.list:
        return _list(options)
    if options.template is None:
        raise InputError("Which template?", remedy="`nscd make --list` names them.")
    require_writable(options.output, pictures=[options.picture])
    template = getattr(templates, options.template)
    names = inspect.signature(template).parameters
    given = {name: getattr(options, name) for name in names if getattr(options, name, None) is not None}
    progress = Progress(options.quiet)
    with watched(lambda blocks, done: progress({"phase": "{} blocks {}".format(blocks, done)})):
        structure = template(**given)
    progress.close()
    structure.to_scene(options.output)
    if options.picture:
        write_picture(options.picture, draw_structure(structure))
    if not options.json:
        text = "{}: {} blocks, {} of them supports -> {}"
        print(text.format(options.template, len(structure), len(structure.supports), options.output))
    return {
        "template": options.template,
        "blocks": len(structure),
        "supports": len(structure.supports),
        "output": options.output,
    }


def _list(options: Namespace) -> Dict[str, Any]:
    found = {name: _summary(getattr(templates, name)) for name in templates.__all__}
    if not options.json:
        for name, summary in found.items():
            print("{:16s} {}".format(name, summary))
    return {"templates": found}


def _summary(template: Callable[..., Any]) -> str:
    """First line of the docstring of a template."""
    return (inspect.getdoc(template) or "").splitlines()[0]


def _add_parameters(parser: ArgumentParser, template: Callable[..., Any]) -> None:
    """Add one option per parameter, with unit, choices and default from signature and docstring."""
    told = parameters(template)
    for name, parameter in inspect.signature(template).parameters.items():
        kind, text = told[name]
        default = "" if parameter.default in (None, ()) else " (default {})".format(parameter.default)
        text = (text + default).replace("%", "%%")
        flag, choices = "--" + name.replace("_", "-"), re.findall(r'"(\w+)"', kind)
        if kind == "bool":
            parser.add_argument(flag, dest=name, action=argparse.BooleanOptionalAction, default=None, help=text)
        elif choices:
            parser.add_argument(flag, dest=name, choices=choices, help=text)
        else:
            word = kind.split(",")[0]
            parser.add_argument(flag, dest=name, type=TYPES[word], metavar=word.upper(), help=text)
