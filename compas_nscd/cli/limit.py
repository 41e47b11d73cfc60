"""Distance from collapse: the greatest load, acceleration, tilt or support motion, or the least friction.

--vary says of what:
  loads, loads:0,2     the point loads of the file, or some of them
  acceleration:x       of the ground, in g; D is an axis (x, -y), an angle from x to y (30) or a vector (1,1,0)
  tilt:x               of the ground: the tangent of its angle
  polar:24             accelerations in that number of horizontal directions
  friction             of all joints
  spread:x             supports part, in metres
  settlement:NAME      a support sinks, in metres
"""

import time
from argparse import ArgumentParser, Namespace
from typing import Any, Dict

from compas_nscd.cli.options.input import add_input, add_torsion, gap_setting, read_structure
from compas_nscd.cli.options.outputs import require_writable
from compas_nscd.cli.options.progress import Progress
from compas_nscd.cli.options.result_files import add_result_files, write_result_files
from compas_nscd.cli.options.saving import writer_of
from compas_nscd.cli.options.text import finite, print_warnings, shortened
from compas_nscd.client.engine import Engine
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure
from compas_nscd.results.limit import LimitResult

_KEYS = (
    "analysis", "scene", "vary", "status", "multiplier_associated", "multiplier_coulomb", "multiplier_lowest", "g",
    "hinges", "slides", "blocks", "contacts", "iterations",
)  # fmt: skip


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    add_input(parser)
    add_torsion(parser)
    parser.add_argument("--vary", required=True, metavar="WHAT", help="what is varied, see above")
    parser.add_argument("--associated", action="store_true", help="leave out the estimate without dilatancy")
    parser.add_argument("--rounds", type=int, metavar="N", help="most rounds of that estimate, up to 40")
    add_result_files(parser, "draw the structure at its limit", "write the limit state for Rhino")


def run(options: Namespace) -> Dict[str, Any]:
    """Limit analysis of a file."""
    require_writable(options.report, options.threedm, options.save, pictures=[options.picture])
    if options.save:
        writer_of(options.save)
    progress = Progress(options.quiet)
    began = time.perf_counter()
    structure = read_structure(options)
    settings = Settings(torsion=options.torsion, **gap_setting(options))
    with Engine(python=options.python) as engine:
        coulomb = not options.associated if options.rounds is None else options.rounds
        result = engine.limit(structure, vary=options.vary, coulomb=coulomb, settings=settings, progress=progress)
    progress.close()
    answer = {key: result.summary[key] for key in _KEYS}
    if len(result.directions):
        answer["polar"] = [[list(direction), finite(most)] for direction, most in result.polar]
    answer["time"] = dict(result.summary["time"], total_s=time.perf_counter() - began)
    write_result_files(options, result, progress)
    if not options.json:
        print_limit(structure, result)
    return answer


def print_limit(structure: Structure, result: LimitResult) -> None:
    """Print a result for people."""
    print("{}, {}".format(structure.name, result.vary))
    print("  " + result.words)
    for noun, pairs in (("hinges", result.hinges), ("slides", result.slides)):
        if pairs:
            print("  {}: {}".format(noun, shortened(["{} | {}".format(*pair) for pair in pairs])))
    for direction, most in result.polar:
        print("  ({:6.3f}, {:6.3f}, {:6.3f})  {:.5g} g".format(*direction, most))
    print("  solved in {:.3f} s".format(result.summary["time"]["solve_s"]))
    print_warnings(result.warnings)
