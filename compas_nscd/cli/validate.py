"""Compute cases with a known answer, and compare.

Every case of docs/validation.md is computed through the public interface: reference and its source, computed value,
error, tolerance and its reason. Exit status: 0 if all agree, 1 if one does not. Cases whose models are not part of the
project are left out where the models are absent.
"""

import sys
from argparse import ArgumentParser, Namespace
from typing import Any, Dict, List

from compas_nscd.cli.options.outputs import require_writable, write_text
from compas_nscd.cli.options.progress import Progress
from compas_nscd.client.engine import Engine
from compas_nscd.validation.book import WORDS, cells_of, render_book
from compas_nscd.validation.case import Outcome
from compas_nscd.validation.runner import run_cases, select


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("--only", metavar="V20,V50", default="", help="these cases")
    parser.add_argument("--quick", action="store_true", help="cases that take a second or less")
    parser.add_argument("--report", metavar="FILE", help="write the book, with pictures, as one HTML page")


def run(options: Namespace) -> Dict[str, Any]:
    """Compute the cases that were asked for."""
    require_writable(options.report)
    cases = select(options.only.split(","), options.quick)
    progress = Progress(options.quiet)
    with Engine(python=options.python) as engine:
        outcomes = []
        for outcome in run_cases(cases, engine, pictures=bool(options.report), progress=progress):
            outcomes.append(outcome)
            if not options.json:
                print_outcome(outcome)
    progress.close()
    if options.report:
        write_text(options.report, render_book(outcomes))
    found = answer(outcomes)
    if not options.json:
        print("{passed} agree, {failed} differ, {left_out} left out".format(**found))
    return found


def exit_status(found: Dict[str, Any]) -> int:
    """Exit status of an answer: 1 if a case has failed."""
    return 1 if found["failed"] else 0


def answer(outcomes: List[Outcome]) -> Dict[str, Any]:
    """What `--json` prints."""
    return {
        "cases": [outcome.to_data() for outcome in outcomes],
        "passed": sum(outcome.passed is True for outcome in outcomes),
        "failed": sum(outcome.passed is False for outcome in outcomes),
        "left_out": sum(outcome.passed is None for outcome in outcomes),
    }


def print_outcome(outcome: Outcome) -> None:
    """Print a case for people: a line for each quantity."""
    case, word = outcome.case, WORDS[outcome.passed][0]
    print("{:4} {:8} {} ({:.1f} s)".format(case.id, word, case.title, outcome.time_s))
    for row in outcome.comparisons:
        quantity, *cells = cells_of(row)
        mark = " " if row.passed else "!"
        print("     {} {}: {} (reference {}), error {} of {}".format(mark, quantity, cells[1], cells[0], *cells[2:]))
    for why in (outcome.left_out, outcome.failure):
        if why:
            print("       " + why)
    sys.stdout.flush()
