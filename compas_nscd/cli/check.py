"""Geometry report: blocks, defects, interfaces, isolated blocks.

Lists every defect by the names of the blocks, so that they can be found and repaired. No block is left out silently.
"""

from argparse import ArgumentParser, Namespace
from typing import Any, Dict

from compas_nscd.cli.options.input import add_input, gap_setting, read_structure
from compas_nscd.cli.options.progress import Progress
from compas_nscd.cli.options.text import print_warnings, shortened
from compas_nscd.client.engine import Engine
from compas_nscd.model.settings import Settings

#: Numbers of the report.
NUMBERS = ("blocks", "free_blocks", "interfaces", "contacts", "area")
#: Lists of the report: first those of blocks, then those of pairs of blocks.
LISTS = (
    *("open", "inverted", "degenerate", "concave", "warped", "overlapping", "isolated"),
    *("gaps", "several", "slivers", "edges", "corners"),
)


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    add_input(parser)


def run(options: Namespace) -> Dict[str, Any]:
    """Report on the geometry of a file."""
    progress = Progress(options.quiet)
    structure = read_structure(options, strict=False)
    with Engine(python=options.python) as engine:
        report = engine.check(structure, settings=Settings(**gap_setting(options)), progress=progress)
    progress.close()
    answer = {"analysis": "check", "scene": structure.name}
    answer.update((key, report[key]) for key in (*NUMBERS, *LISTS, "warnings", "time"))
    if not options.json:
        print_check(answer)
    return answer


def print_check(answer: Dict[str, Any]) -> None:
    """Print a report for people."""
    print("{scene}: {blocks} blocks, {interfaces} interfaces, {contacts} contacts".format(**answer))
    for name in LISTS:
        found = answer[name]
        if found:
            print("  {:12s} {:5d}  {}".format(name, len(found), shortened([_text(item) for item in found], " ...")))
    print_warnings(answer["warnings"])


def _text(item: Any) -> str:
    """Name of a block, or a pair with a number, as one word."""
    if not isinstance(item, (list, tuple)):
        return str(item)
    return "/".join("{:.3g}".format(part) if isinstance(part, float) else str(part) for part in item)
