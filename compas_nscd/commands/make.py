"""Write a template as a scene file, e.g. `nscd make arch span=8 blocks=15 -o arch.json`."""

import inspect
import json
from pathlib import Path

from compas_nscd import templates
from compas_nscd.errors import InputError


def add_arguments(parser):
    parser.add_argument("template", choices=templates.__all__)
    parser.add_argument("parameters", nargs="*", metavar="NAME=VALUE")
    parser.add_argument("-o", "--output", metavar="FILE", required=True)


def run(options):
    template = getattr(templates, options.template)
    known = inspect.signature(template).parameters
    structure = template(**dict(_parameter(text, known) for text in options.parameters))
    Path(options.output).write_text(json.dumps(structure.to_scene()), encoding="utf-8")
    if not options.json:
        print("{}: {} blocks -> {}".format(options.template, len(structure.blocks), options.output))
    return {"template": options.template, "blocks": len(structure.blocks), "output": options.output}


def _parameter(text, known):
    name, _, value = text.partition("=")
    if name not in known:
        raise InputError("There is no parameter {!r}.".format(name), remedy="Known: {}.".format(", ".join(known)))
    try:
        return name, json.loads(value)
    except ValueError:
        raise InputError("The value of {} is {!r}, which is not a number.".format(name, value))
