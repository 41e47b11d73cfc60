"""How it moves: shaking, settlement, impact, collapse.

Reads what `nscd static` reads, computes the motion in the engine and prints whether it stands, when it falls and which
blocks move first.

  --ground KIND:axis=x,pga=0.2,...   sine (frequency, phase, ease, duration), half-sine or rectangular (duration);
                                     pga [g] or acceleration [m/s2]; start; wave: speed, travel
  --ground-file RECORD               CSV of time and value, or PEER .at2; --ground-units unless the file says them
  --settle block=left,z=-0.04,duration=2    displacement of a support by x, y, z [m] within a time [s]; start

Interrupted (Ctrl-C), it prints and writes the part of the motion that was computed.
"""

import time
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any, Dict, List, Tuple, Union

from compas_nscd.cli.options.input import add_input, add_torsion, gap_setting, read_structure
from compas_nscd.cli.options.motion import (
    add_support_motions,
    block_named,
    parse_ground,
    parse_settlement,
    read_records,
    take_ground_units,
)
from compas_nscd.cli.options.outputs import require_writable, write_picture
from compas_nscd.cli.options.progress import Interrupted, Progress
from compas_nscd.cli.options.result_files import Wanted, add_report_and_threedm, report_of, write_wanted
from compas_nscd.cli.options.text import print_elastic, print_headline, print_warnings
from compas_nscd.cli.options.water import add_water, case_in_water
from compas_nscd.client.engine import Engine
from compas_nscd.client.job import Job
from compas_nscd.drawing.history_plot import draw_cable_history, draw_history
from compas_nscd.drawing.threedm import write_dynamic
from compas_nscd.errors import InputError
from compas_nscd.files.result_archive import suffix_of
from compas_nscd.loads.case import LoadCase
from compas_nscd.loads.ground_motion import GroundMotion
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure
from compas_nscd.results.dynamic import DynamicResult

#: Reason for the end of a motion -> its words.
ENDS = {
    "rest": ", then all is at rest",
    "cancelled": ", then it was cancelled",
    "not_finite": ", then it has no finite solution",
}
#: Times of a motion -> their words.
TIMES = {"displaced_time": "displaced by half a block since", "rest_time": "at rest since"}


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    add_input(parser)
    add = parser.add_argument
    add("--duration", type=float, required=True, metavar="S", help="time to follow [s]")
    add("--dt", default="auto", metavar="S", help="time step [s], or auto")
    add_support_motions(parser)
    add_water(parser)
    add("--solver", choices=["newton", "nlgs", "spg"], default="newton")
    add("--friction", choices=["coulomb", "associated"], default="coulomb")
    add_torsion(parser)
    add("--theta", type=float, default=1.0, help="1: implicit Euler, 0.5: midpoint")
    add("--level", choices=["position", "velocity"], default="position", help="at which contacts close")
    add("--restitution", type=float, default=0.0, help="of impacts, where the law does not say it")
    add("--kinetic", type=float, default=1.0, help="friction while sliding over that of sticking")
    add("--threads", type=int, default=0)
    add("--interval", type=float, metavar="S", help="between recorded frames [s]")
    add("--probe", action="append", default=[], metavar="BLOCK", help="record its motion at every step")
    add("--plot", metavar="OUT.svg", help="draw the probes and the ground over time, as .svg or .png")
    add("--plot-cables", metavar="OUT.svg", help="draw the forces of the cables over time")
    add("--restart", metavar="RESULT.npz", help="continue a motion that was written with --save")
    add("--forces", action="store_true", help="record the forces between blocks too")
    add_report_and_threedm(parser, "write blocks, forces and paths for Rhino")
    add("--at", type=float, metavar="S", help="moment that --3dm shows; the end unless given")
    add("--save", metavar="OUT.npz", help="write the whole result")


def run(options: Namespace) -> Dict[str, Any]:
    """Compute the motion of a file."""
    _check_outputs(options)
    progress = Progress(options.quiet)
    clock = time.perf_counter()
    take_ground_units(options)
    structure = read_structure(options)
    case, records = _loads(options, structure)
    restart = DynamicResult.load(options.restart) if options.restart else None
    read_s = time.perf_counter() - clock
    began = time.perf_counter()
    with Engine(python=options.python) as engine:
        start_s = time.perf_counter() - began
        settings = Settings(
            solver=options.solver, threads=options.threads, torsion=options.torsion, **gap_setting(options)
        )
        chosen = dict(_options(options), restart=restart)
        job = engine.dynamic(structure, case, options.duration, _step(options.dt), settings, **chosen)
        result, interrupted = _result(job, progress)
    progress.close()
    answer = dict(result.summary, scene=structure.name, baseline=[record.correction for record in records])
    answer["warnings"] = result.warnings
    answer["time"] = dict(answer["time"], read_s=read_s, start_s=start_s, total_s=time.perf_counter() - clock)
    _write(options, result, progress)
    if not options.json:
        print_dynamic(answer, result)
    if interrupted:
        raise Interrupted(answer)
    return answer


def _check_outputs(options: Namespace) -> None:
    """Refuse files that cannot be written before the motion is computed."""
    require_writable(options.report, options.threedm, options.save, pictures=[options.plot, options.plot_cables])
    if options.save:
        suffix_of(Path(options.save))
    if options.plot and not options.probe:
        raise InputError("--plot has nothing to draw.", remedy="Name a block with --probe.")


def _loads(options: Namespace, structure: Structure) -> Tuple[LoadCase, List[GroundMotion]]:
    """Load case with the motions and the water of the options, and the recorded motions among them."""
    case = case_in_water(structure, options.water)
    case.ground += [parse_ground(text) for text in options.ground]
    case.support_motions += [parse_settlement(text) for text in options.settle]
    records = read_records(options)
    case.ground += records
    return case, records


def _options(options: Namespace) -> Dict[str, Any]:
    """Options of `DynamicRequest`."""
    names = ("friction", "theta", "level", "restitution", "kinetic", "interval", "forces")
    chosen = {name: getattr(options, name) for name in names}
    return dict(chosen, probes=[block_named(name) for name in options.probe])


def _result(job: Job, progress: Progress) -> Tuple[DynamicResult, bool]:
    """Result of a motion, and whether the user interrupted it."""
    try:
        return job.result(progress=progress), False
    except KeyboardInterrupt:
        return job.result(), True  # the interrupt has cancelled the job: its result ends there


def _write(options: Namespace, result: DynamicResult, progress: Progress) -> None:
    """Write the files that were asked for; first the whole result, from which the others can be made."""
    if options.save:
        result.save(options.save)
        progress.say("wrote {}".format(options.save))
    wanted: List[Wanted] = [
        (options.plot, draw_history, write_picture),
        (options.plot_cables, draw_cable_history, write_picture),
        report_of(options),
    ]
    write_wanted(wanted, result, progress)
    if options.threedm:
        write_dynamic(result, options.threedm, options.at)
        progress.say("wrote {}".format(options.threedm))


def _step(text: str) -> Union[float, str]:
    """Time step [s], or the text if it is no number."""
    try:
        return float(text)
    except ValueError:
        return text


def print_dynamic(answer: Dict[str, Any], result: DynamicResult) -> None:
    """Print a result for people."""
    print_headline(answer["scene"], result.words[0])
    print("  " + result.words[1])
    print("  {blocks} blocks ({free_blocks} free), at most {contacts_max} contacts".format(**answer))
    line = "  {simulated_s:g} s in {steps} steps of {time_step:g} s"
    print((line + ENDS.get(answer["ended"], "")).format(**answer))
    line = "  {solver}: {iterations_mean:.1f} iterations a step, {iterations_max} at most"
    print((line + "; greatest penetration {penetration_max:.1e} m").format(**answer))
    print("  greatest displacement {max_displacement:.4g} m".format(**answer))
    print_elastic(answer["elastic"])
    for correction in filter(None, answer["baseline"]):
        line = "  baseline corrected by at most {share:.2g} of the peak; the record left {velocity:.2g} m/s"
        print((line + " and {displacement:.2g} m").format(**correction))
    if answer["collapse_time"] is not None:
        first = ", ".join(result.first_to_move(5))
        print("  falls at {:.3g} s; moves first: {}".format(answer["collapse_time"], first))
    for key, words in TIMES.items():
        if answer[key] is not None:
            print("  {} {:.3g} s".format(words, answer[key]))
    line = "  {per_step_ms:.2f} ms a step, {real_time_factor:.2f} s for a second; {total_s:.1f} s in all"
    print(line.format(**answer["time"]))
    print_warnings(result.warnings)
