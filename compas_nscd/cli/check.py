"""Geometry report: blocks, defects, interfaces, isolated blocks.

Lists every defect by the names of the blocks, so that they can be found and repaired. No block is left out silently.
Needs neither friction, density nor supports.
"""

from argparse import ArgumentParser, Namespace
from typing import Any, Dict

from compas_nscd.cli.options.input import add_input, gap_setting, read_structure
from compas_nscd.cli.options.outputs import require_writable, write_text
from compas_nscd.cli.options.progress import Progress
from compas_nscd.cli.options.text import print_warnings, shortened
from compas_nscd.client.engine import Engine
from compas_nscd.drawing.check_layout import finding_text, is_well
from compas_nscd.model.settings import Settings
from compas_nscd.report.check_page import render_check

#: Numbers of the report.
NUMBERS = ("blocks", "free_blocks", "interfaces", "contacts", "area", "gap_needed", "overlap_max")
#: Lists of the report: first those of blocks, then those of pairs of blocks.
LISTS = (
    *("open", "inverted", "degenerate", "concave", "warped", "overlapping", "isolated"),
    *("gaps", "several", "slivers", "edges", "corners", "coverage", "open_joints"),
)
#: Lists that are no defects, which are printed only if there are defects too.
PLAIN = ("concave", "several", "coverage")


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    add_input(parser)
    parser.add_argument("--report", metavar="OUT.html", help="write a page with every finding drawn in place")


def run(options: Namespace) -> Dict[str, Any]:
    """Report on the geometry of a file."""
    require_writable(options.report)
    progress = Progress(options.quiet)
    structure = read_structure(options, strict=False)
    with Engine(python=options.python) as engine:
        report = engine.check(structure, settings=Settings(**gap_setting(options)), progress=progress)
    progress.close()
    answer = {"analysis": "check", "scene": structure.name}
    answer.update((key, report[key]) for key in (*NUMBERS, *LISTS, "warnings", "time"))
    answer["left_out"] = [each._asdict() for each in structure.left_out]
    if options.report:
        write_text(options.report, render_check(structure, report))
        progress.say("wrote {}".format(options.report))
    if not options.json:
        print_check(answer)
    return answer


def print_check(answer: Dict[str, Any]) -> None:
    """Print a report for people."""
    print("{scene}: {blocks} blocks, {interfaces} interfaces, {contacts} contacts".format(**answer))
    wrong = not is_well(answer)
    for name in LISTS:
        found = answer[name] if wrong or name not in PLAIN else []
        if name == "coverage":
            found = [each for each in found if each[2] < 0.9]
        if found:
            texts = [finding_text(item) for item in found]
            print("  {:12s} {:5d}  {}".format(name, len(found), shortened(texts, " ...")))
    if answer["left_out"]:
        print("  {:12s} {:5d}  objects that are no blocks".format("left out", len(answer["left_out"])))
    print_warnings(answer["warnings"])
    if not wrong:
        print("  OK")
