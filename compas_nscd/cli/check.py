"""Geometry report: blocks, defects, interfaces, isolated blocks.

Lists every defect by the names of the blocks, so that they can be found and mended; nothing is dropped silently.
"""

from compas_nscd.cli.options.input import add_input, given
from compas_nscd.cli.options.progress import Progress
from compas_nscd.client.engine import Engine
from compas_nscd.model.structure import Structure

NUMBERS = ("blocks", "free_blocks", "interfaces", "contacts", "area")
LISTS = ("open", "inverted", "degenerate", "concave", "warped", "overlapping", "isolated")  # of blocks
LISTS += ("gaps", "several", "slivers", "edges", "corners")  # of pairs of blocks


def add_arguments(parser):
    add_input(parser)


def run(options):
    progress = Progress(options.quiet)
    structure = Structure.from_file(options.file, strict=False, **given(options))
    with Engine(python=options.python) as engine:
        report = engine.check(structure, progress=progress)
    progress.close()
    answer = {"analysis": "check", "scene": structure.name}
    answer.update((key, report[key]) for key in NUMBERS + LISTS + ("warnings", "time"))
    if not options.json:
        print_check(answer)
    return answer


def print_check(answer):
    """For people."""
    print("{scene}: {blocks} blocks, {interfaces} interfaces, {contacts} contacts".format(**answer))
    for name in LISTS:
        found = answer[name]
        if found:
            shown = ", ".join(_text(item) for item in found[:8]) + (" ..." if len(found) > 8 else "")
            print("  {:12s} {:5d}  {}".format(name, len(found), shown))
    for warning in answer["warnings"]:
        print("  warning: {}".format(warning["message"]))


def _text(item):
    """A block's name, or a pair with a number, as one word."""
    if not isinstance(item, (list, tuple)):
        return str(item)
    return "/".join("{:.3g}".format(part) if isinstance(part, float) else str(part) for part in item)
