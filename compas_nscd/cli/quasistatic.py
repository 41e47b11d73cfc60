"""How it deforms and fails under a load that grows, on contacts with stiffness in all six directions.

--method says how the balance is found:
  bagi_bojtar          all blocks at once, with the stiffness matrix of the structure
  kishino              one block after the other, the one most out of balance first
  serrano              one linear step, in which contacts may pull
"""

import time
from argparse import ArgumentParser, Namespace
from typing import Any, Dict, List, Optional

from compas_nscd.blocks.contact_stiffness import ContactBond, ContactStiffness
from compas_nscd.cli.options.input import add_input, gap_setting, parse_vector, read_structure
from compas_nscd.cli.options.outputs import require_writable, write_picture
from compas_nscd.cli.options.progress import Progress
from compas_nscd.cli.options.result_files import add_report_and_threedm, report_of, write_wanted
from compas_nscd.cli.options.saving import WRITERS, save_result, writer_of
from compas_nscd.cli.options.text import print_warnings
from compas_nscd.cli.options.values import parse_number, parse_values
from compas_nscd.client.engine import Engine
from compas_nscd.client.quasistatic_request import LOADS
from compas_nscd.drawing.load_curve import draw_curve
from compas_nscd.drawing.picture import draw_quasistatic
from compas_nscd.drawing.threedm import write_static
from compas_nscd.errors import LoadError, SettingsError
from compas_nscd.loads.case import LoadCase
from compas_nscd.loads.support_motion import SupportMotion
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure
from compas_nscd.results.quasistatic import METHODS, QuasistaticResult

_KEYS = (
    "analysis", "scene", "method", "verdict", "blocks", "free_blocks", "interfaces", "steps", "factor", "iterations",
    "failures", "error_max", "displacement_max", "broken_bonds", "support_reaction", "weight_total",
)  # fmt: skip
#: Strengths of --bond.
_BOND = ("tension", "shear", "twisting", "bending")


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    add_input(parser)
    add = parser.add_argument
    add("--method", choices=METHODS, default="bagi_bojtar")
    add("--kn", type=float, required=True, metavar="K", help="normal stiffness: N/m3 in joints, N/m at round blocks")
    add("--kt", type=float, required=True, metavar="K", help="tangential stiffness, likewise")
    add("--ktwist", type=float, metavar="K", help="stiffness against twisting [N m]; that of the area of the joint")
    add("--kbend", type=float, metavar="K", help="stiffness against bending [N m]; that of the area of the joint")
    add(
        "--bond",
        metavar="tension=...",
        help="bonds: {} [N, N m; Pa in joints]".format(", ".join(_BOND)),
    )
    add("--steps", default="1", metavar="N,...", help="load increments, one number or one a stage")
    add("--stages", metavar="A,B+C", help="what grows after what: {}; all at once".format(", ".join(LOADS)))
    add("--move", action="append", default=[], metavar="SUPPORT:X,Y,Z", help="displacement of a support [m]")
    add("--spring", action="append", default=[], metavar="BLOCK:K,...", help="six stiffnesses to the ground [N/m, N m]")
    add("--tolerance", type=float, default=1e-6, help="error of a block over the mean contact force")
    add("--second-order", action="store_true", help="contacts follow the displacements")
    add("--order", choices=["greedy", "random"], default="greedy", help="of the relaxations of kishino")
    add("--seed", type=int, help="of the random order")
    add("--repeat", type=int, default=1, metavar="N", help="solve N times and report the best time")
    add("--picture", metavar="OUT.svg", help="draw displaced blocks and contact forces with moments")
    add("--plot", metavar="CURVE.svg", help="draw the load-displacement curve")
    add("--watch", metavar="BLOCK[:AXIS[:HELD]]", help="block and axis of the curve, and the held block that loads")
    add_report_and_threedm(parser, "write blocks, forces and thrust for Rhino")
    add("--save", metavar="OUT", help="write the result: {}".format(", ".join(WRITERS)))


def run(options: Namespace) -> Dict[str, Any]:
    """Quasi-static analysis of a file."""
    require_writable(options.report, options.threedm, options.save, pictures=[options.picture, options.plot])
    if options.save:
        writer_of(options.save)
    progress = Progress(options.quiet)
    began = time.perf_counter()
    structure = read_structure(options)
    case = _case(structure, options.move)
    with Engine(python=options.python) as engine:
        result = engine.quasistatic(structure, case, progress=progress, **_arguments(options))
    progress.close()
    answer = {key: result.summary[key] for key in _KEYS}
    answer["time"] = dict(result.summary["time"], total_s=time.perf_counter() - began)
    answer["warnings"] = result.warnings
    _write(options, result, progress)
    if not options.json:
        print_quasistatic(answer, result)
    return answer


def _arguments(options: Namespace) -> Dict[str, Any]:
    """Arguments of `Engine.quasistatic` but structure and case."""
    steps = [_count(text) for text in options.steps.split(",")]
    return {
        "method": options.method,
        "stiffness": ContactStiffness(options.kn, options.kt, options.ktwist, options.kbend),
        "bond": _bond(options.bond),
        "steps": steps if len(steps) > 1 else steps[0],
        "stages": None if options.stages is None else options.stages.split(","),
        "springs": dict(_spring(text) for text in options.spring),
        "tolerance": options.tolerance,
        "second_order": options.second_order,
        "order": options.order,
        "settings": Settings(seed=options.seed, repeat=options.repeat, **gap_setting(options)),
    }


def _count(text: str) -> int:
    if not text.strip().isdigit():
        raise SettingsError("--steps {!r:.40} is not a whole number.".format(text), remedy="For example 10 or 1,20.")
    return int(text)


def _bond(text: Optional[str]) -> Optional[ContactBond]:
    """ContactBond of ``tension=...,shear=...``."""
    if text is None:
        return None
    values = parse_values(text, "--bond", _BOND)
    tension, shear, twisting, bending = (
        parse_number(key, values[key], "--bond") if key in values else None for key in _BOND
    )
    return ContactBond(tension, shear, twisting, bending)


def _spring(text: str) -> Any:
    """Block and six numbers of ``BLOCK:K,K,K,K,K,K``."""
    block, _, rest = text.rpartition(":")
    return block, [parse_number("", part.strip(), "--spring") for part in rest.split(",")]


def _case(structure: Structure, moves: List[str]) -> Optional[LoadCase]:
    """The case of the structure with the motions of its supports."""
    if not moves:
        return structure.case
    case = structure.case if structure.case is not None else LoadCase()
    for text in moves:
        block, _, rest = text.rpartition(":")
        if not block:
            raise LoadError("--move {!r:.60} names no support.".format(text), remedy="For example top:0,0,-0.001.")
        case.support_motions.append(SupportMotion(block, parse_vector(rest, "--move"), duration=1.0))
    return case


def _write(options: Namespace, result: QuasistaticResult, progress: Progress) -> None:
    """Write the files that were asked for."""
    if options.save:
        save_result(result, options.save)
        progress.say("wrote {}".format(options.save))
    watched = dict(zip(("block", "axis", "load"), (options.watch or "").split(":"))) if options.watch else {}
    plot = options.plot, lambda found: draw_curve([(found.summary["method"], found)], **watched), write_picture
    write_wanted([(options.picture, draw_quasistatic, write_picture), plot, report_of(options)], result, progress)
    if options.threedm:
        write_static(result, options.threedm)
        progress.say("wrote {}".format(options.threedm))


def print_quasistatic(answer: Dict[str, Any], result: QuasistaticResult) -> None:
    """Print a result for people."""
    print("{} {}".format(answer["scene"], result.answer))
    print("  {blocks} blocks ({free_blocks} free), {interfaces} contacts".format(**answer))
    print("  {method}: {steps} increments, {iterations} iterations, {failures} halved".format(**answer))
    print("  load {factor:.5g}, greatest error {error_max:.1e} of the mean contact force".format(**answer))
    moved = 1e3 * answer["displacement_max"]
    print("  greatest displacement {:.4g} mm, {} broken bonds".format(moved, answer["broken_bonds"]))
    print("  solved in {:.3f} s".format(answer["time"]["solve_s"]))
    if result.mechanism is not None:
        print("  moves first: {}".format(", ".join(result.first_to_move(5))))
    print_warnings(result.warnings)
