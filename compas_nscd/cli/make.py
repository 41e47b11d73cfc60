"""Write a template as a scene file, e.g. `nscd make arch --span 8 --blocks 15 -o arch.json`.

`nscd make --list` names the templates, `nscd make arch --help` the parameters of one. Lengths are in metres, densities
in kg/m3, angles in degrees.
"""

import argparse
import inspect
import json
import re

from compas_nscd import templates
from compas_nscd.cli.options.outputs import require_writable, write_picture
from compas_nscd.cli.options.progress import Progress
from compas_nscd.drawing.picture import draw_structure
from compas_nscd.errors import InputError
from compas_nscd.templates.catalogue import parameters
from compas_nscd.templates.parts.limits import watched

#: How a type is written in the docstrings of the templates, and what makes it of a word on the command line.
TYPES = {"float": float, "int": int, "str": str, "list": "json"}


def add_arguments(parser):
    parser.add_argument("--list", action="store_true", help="name the templates")
    kinds = parser.add_subparsers(dest="template", metavar="TEMPLATE")
    for name in templates.__all__:
        template = getattr(templates, name)
        summary = inspect.getdoc(template).splitlines()[0]
        kind = kinds.add_parser(name, help=summary, description=summary)
        _add_parameters(kind, template)
        kind.add_argument("-o", "--output", metavar="FILE", required=True, help="scene file to write (.json)")
        kind.add_argument("--picture", metavar="OUT.svg", help="draw it")
        for flag in ("--json", "--quiet"):  # also understood after the name of the template
            kind.add_argument(flag, action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)


def run(options):
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


def _list(options):
    found = {name: inspect.getdoc(getattr(templates, name)).splitlines()[0] for name in templates.__all__}
    if not options.json:
        for name, summary in found.items():
            print("{:16s} {}".format(name, summary))
    return {"templates": found}


def _add_parameters(parser, template):
    """One option per parameter, with its unit, choices and default from signature and docstring."""
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
            convert = TYPES[kind.split(",")[0]]
            convert = _json if convert == "json" else convert
            parser.add_argument(flag, dest=name, type=convert, metavar=kind.split(",")[0].upper(), help=text)


def _json(word):
    try:
        return json.loads(word)
    except ValueError:
        raise argparse.ArgumentTypeError("{!r} is not a list like [[1, 2], [3, 4]]".format(word))
