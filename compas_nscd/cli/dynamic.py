"""How it moves: shaking, settlement, impact, collapse.

Reads what `nscd static` reads, follows the motion in the engine and tells whether it stands, when it falls and which
blocks move first.

  --ground KIND:axis=x,pga=0.2,...   sine (frequency, phase, ease, duration), half-sine or rectangular (duration);
                                     pga [g] or acceleration [m/s2]; start; wave: speed, travel
  --ground-file RECORD               CSV of time and value, or PEER .at2; --units unless the file says them
  --settle block=left,z=-0.04,duration=2    a support goes by x, y, z [m] within a time [s]; start

Interrupted (Ctrl-C), it tells and writes what had been computed by then.
"""

import time
from pathlib import Path

from compas_nscd.cli.options.input import add_input, given
from compas_nscd.cli.options.outputs import require_writable, write_picture, write_text
from compas_nscd.cli.options.progress import Interrupted, Progress
from compas_nscd.cli.options.water import add_water, case_in_water, parse_number, parse_values
from compas_nscd.client.engine import Engine
from compas_nscd.drawing.history_plot import draw_cable_history, draw_history
from compas_nscd.drawing.threedm import write_dynamic
from compas_nscd.errors import InputError, LoadError
from compas_nscd.files.result_archive import suffix_of
from compas_nscd.loads.ground_motion import GroundMotion
from compas_nscd.loads.support_motion import SupportMotion
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure
from compas_nscd.report.page import render_report
from compas_nscd.results.dynamic import DynamicResult

#: What --ground may say.
GROUND = ("axis", "pga", "acceleration", "frequency", "duration", "start", "phase", "ease", "speed", "travel")
#: What --settle may say.
SETTLE = ("block", "x", "y", "z", "duration", "start")
#: What pga is measured by [m/s2], as in the cases that are compared with.
G = 9.81


def add_arguments(parser):
    add_input(parser)
    parser.add_argument("--duration", type=float, required=True, metavar="S", help="time to follow [s]")
    parser.add_argument("--dt", default="auto", metavar="S", help="time step [s], or auto")
    parser.add_argument("--ground", action="append", default=[], metavar="KIND:...", help="motion of the supports")
    parser.add_argument(
        "--ground-file", action="append", default=[], metavar="RECORD", help="recorded motion of the supports"
    )
    parser.add_argument("--axis", action="append", default=[], help="direction of --ground-file, one for each; x")
    parser.add_argument("--units", help="of all --ground-file: g, m/s2, cm/s2, m/s, m, ...")
    parser.add_argument("--no-baseline", action="store_true", help="take --ground-file as it is, drift and all")
    parser.add_argument("--settle", action="append", default=[], metavar="block=...", help="settlement of a support")
    add_water(parser)
    parser.add_argument("--solver", choices=["newton", "nlgs", "spg"], default="newton")
    parser.add_argument("--friction", choices=["coulomb", "associated"], default="coulomb")
    parser.add_argument("--theta", type=float, default=1.0, help="1: implicit Euler, 0.5: midpoint")
    parser.add_argument("--level", choices=["position", "velocity"], default="position", help="at which contacts close")
    parser.add_argument("--restitution", type=float, default=0.0, help="of impacts, where the law does not say it")
    parser.add_argument("--kinetic", type=float, default=1.0, help="friction while sliding over that of sticking")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--interval", type=float, metavar="S", help="between recorded frames [s]")
    parser.add_argument("--probe", action="append", default=[], metavar="BLOCK", help="keep its motion at every step")
    parser.add_argument("--plot", metavar="OUT.svg", help="draw the probes and the ground over time, as .svg or .png")
    parser.add_argument("--plot-cables", metavar="OUT.svg", help="draw the forces of the cables over time")
    parser.add_argument("--restart", metavar="RESULT.npz", help="go on where a motion ended that was kept with --save")
    parser.add_argument("--forces", action="store_true", help="record the forces between blocks too")
    parser.add_argument("--report", metavar="OUT.html", help="write one self-contained page")
    parser.add_argument("--3dm", dest="threedm", metavar="OUT.3dm", help="write blocks, forces and paths for Rhino")
    parser.add_argument("--at", type=float, metavar="S", help="moment that --3dm shows; the end unless given")
    parser.add_argument("--save", metavar="OUT.npz", help="write the whole result")


def run(options):
    pictures = [options.plot, options.plot_cables]
    require_writable(options.report, options.threedm, options.save, pictures=pictures)
    if options.save:
        suffix_of(Path(options.save))
    if options.plot and not options.probe:
        raise InputError("--plot has nothing to draw.", remedy="Name a block with --probe.")
    progress = Progress(options.quiet)
    clock = time.perf_counter()
    structure = Structure.from_file(options.file, **given(options))
    case = case_in_water(structure, options.water)
    case.ground += [parse_ground(text) for text in options.ground]
    case.support_motions += [parse_settlement(text) for text in options.settle]
    records = read_records(options)
    case.ground += records
    restart = DynamicResult.load(options.restart) if options.restart else None
    read_s = time.perf_counter() - clock
    began = time.perf_counter()
    with Engine(python=options.python) as engine:
        start_s = time.perf_counter() - began
        job = engine.dynamic(
            structure,
            case,
            options.duration,
            _step(options.dt),
            Settings(solver=options.solver, threads=options.threads),
            friction=options.friction,
            theta=options.theta,
            level=options.level,
            restitution=options.restitution,
            kinetic=options.kinetic,
            interval=options.interval,
            probes=[_block(name) for name in options.probe],
            forces=options.forces,
            restart=restart,
        )
        result, interrupted = _result(job, progress)
    progress.close()
    answer = dict(result.summary, scene=structure.name, baseline=[record.correction for record in records])
    answer["time"] = dict(answer["time"], read_s=read_s, start_s=start_s, total_s=time.perf_counter() - clock)
    _write(options, result, progress)
    if not options.json:
        print_dynamic(answer, result)
    if interrupted:
        raise Interrupted(answer)
    return answer


def _result(job, progress):
    """What was computed, and whether the user stopped it."""
    try:
        return job.result(progress=progress), False
    except KeyboardInterrupt:
        return job.result(), True  # it has been cancelled, and has a result up to then


def _write(options, result, progress):
    """The files that were asked for; first the one from which the others can be made."""
    if options.save:
        result.save(options.save)
        progress.say("wrote {}".format(options.save))
    wanted = (
        (options.plot, draw_history, write_picture),
        (options.plot_cables, draw_cable_history, write_picture),
        (options.report, render_report, write_text),
    )
    for path, content, write_file in wanted:
        if path:
            write_file(path, content(result))
            progress.say("wrote {}".format(path))
    if options.threedm:
        write_dynamic(result, options.threedm, options.at)
        progress.say("wrote {}".format(options.threedm))


def parse_ground(text):
    """A GroundMotion of ``kind:key=value,...``."""
    kind, _, rest = text.partition(":")
    values = parse_values(rest, "--ground", GROUND)
    axis = values.pop("axis", "x")
    numbers = {k: v if k == "travel" else parse_number(k, v, "--ground") for k, v in values.items()}
    if "pga" in numbers and "acceleration" in numbers:
        raise LoadError("--ground has both pga and acceleration.", remedy="Give one: pga in g, acceleration in m/s2.")
    if "pga" in numbers:
        numbers["acceleration"] = G * numbers.pop("pga")
    return GroundMotion(kind, axis, **numbers)


def read_records(options):
    """A GroundMotion of every --ground-file."""
    files = options.ground_file
    axes = options.axis or ["x"] * min(len(files), 1)
    if len(axes) != len(files):
        text = "There are {} of --ground-file and {} of --axis.".format(len(files), len(axes))
        raise LoadError(text, remedy="Give each record its axis, in the same order.")
    baseline = False if options.no_baseline else None
    return [GroundMotion.from_file(file, axis, options.units, baseline=baseline) for file, axis in zip(files, axes)]


def parse_settlement(text):
    """A SupportMotion of ``block=left,z=-0.04,duration=2``."""
    values = parse_values(text, "--settle", SETTLE)
    for key in ("block", "duration"):
        if key not in values:
            raise LoadError("--settle needs {}.".format(key), remedy="For example block=left,z=-0.04,duration=2")
    block = _block(values.pop("block"))
    numbers = {key: parse_number(key, value, "--settle") for key, value in values.items()}
    way = [numbers.get(axis, 0.0) for axis in "xyz"]
    return SupportMotion(block, way, numbers["duration"], start=numbers.get("start", 0.0))


def _block(name):
    return int(name) if name.isdigit() else name


def _step(text):
    try:
        return float(text)
    except ValueError:
        return text


def print_dynamic(answer, result):
    """For people."""
    print("{}: {}".format(answer["scene"], "STANDS" if answer["verdict"] == "stable" else "FALLS"))
    print("  {blocks} blocks ({free_blocks} free), at most {contacts_max} contacts".format(**answer))
    ends = {"duration": "", "rest": ", then all is at rest", "cancelled": ", then it was cancelled"}
    line = "  {simulated_s:g} s in {steps} steps of {time_step:g} s"
    print((line + ends.get(answer["ended"], "")).format(**answer))
    line = "  {solver}: {iterations_mean:.1f} iterations a step, {iterations_max} at most"
    print((line + "; blocks sink {penetration_max:.1e} m into each other").format(**answer))
    if answer["unconverged"]:
        print("  {unconverged} steps did not reach the tolerance of the solver".format(**answer))
    print("  greatest displacement {max_displacement:.4g} m".format(**answer))
    for correction in filter(None, answer["baseline"]):
        line = "  base line corrected by at most {share:.2g} of the peak; the record left {velocity:.2g} m/s"
        print((line + " and {displacement:.2g} m").format(**correction))
    if answer["collapse_time"] is not None:
        first = ", ".join(result.first_to_move(5))
        print("  falls at {:.3g} s; moves first: {}".format(answer["collapse_time"], first))
    spent = answer["time"]
    line = "  {per_step_ms:.2f} ms a step, {real_time_factor:.2f} s for a second; {total_s:.1f} s in all"
    print(line.format(**spent))
    for warning in result.warnings:
        print("  warning: {}".format(warning["message"]))
