"""How it moves: shaking, settlement, impact, collapse.

Reads what `nscd static` reads, follows the motion in the engine and tells whether it stands, when it falls and which
blocks move first.

  --ground KIND:axis=x,pga=0.2,...   sine (frequency, phase, ease, duration), half-sine or rectangular (duration);
                                     pga [g] or acceleration [m/s2]; start; wave: speed, travel
  --ground-file RECORD               CSV of time and value, or PEER .at2; --units unless the file says them
"""

import time
from pathlib import Path

from compas_nscd.client import Engine
from compas_nscd.commands.progress import Progress
from compas_nscd.commands.static import add_input, given
from compas_nscd.commands.water import add_water, case_in_water, parse_number, parse_values
from compas_nscd.history_plot import draw_cable_history, draw_history
from compas_nscd.loadcase import GroundMotion
from compas_nscd.report import render_report
from compas_nscd.settings import Settings
from compas_nscd.structure import Structure
from compas_nscd.threedm import write_dynamic

#: What --ground may say.
GROUND = ("axis", "pga", "acceleration", "frequency", "duration", "start", "phase", "ease", "speed", "travel")
#: What pga is measured by [m/s2], as in the cases that are compared with.
G = 9.81


def add_arguments(parser):
    add_input(parser)
    parser.add_argument("--duration", type=float, required=True, metavar="S", help="time to follow [s]")
    parser.add_argument("--dt", default="auto", metavar="S", help="time step [s], or auto")
    parser.add_argument("--ground", action="append", default=[], metavar="KIND:...", help="motion of the supports")
    parser.add_argument("--ground-file", metavar="RECORD", help="recorded motion of the supports")
    parser.add_argument("--axis", default="x", help="direction of --ground-file")
    parser.add_argument("--units", help="of --ground-file: g, m/s2, cm/s2, m/s, m, ...")
    parser.add_argument("--no-baseline", action="store_true", help="take --ground-file as it is, drift and all")
    add_water(parser)
    parser.add_argument("--solver", choices=["newton", "nlgs", "spg"], default="newton")
    parser.add_argument("--friction", choices=["coulomb", "associated"], default="coulomb")
    parser.add_argument("--theta", type=float, default=1.0, help="1: implicit Euler, 0.5: midpoint")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--interval", type=float, metavar="S", help="between recorded frames [s]")
    parser.add_argument("--probe", action="append", default=[], metavar="BLOCK", help="keep its motion at every step")
    parser.add_argument("--plot", metavar="OUT.svg", help="draw the probes and the ground over time")
    parser.add_argument("--plot-cables", metavar="OUT.svg", help="draw the forces of the cables over time")
    parser.add_argument("--forces", action="store_true", help="record the forces between blocks too")
    parser.add_argument("--report", metavar="OUT.html", help="write one self-contained page")
    parser.add_argument("--3dm", dest="threedm", metavar="OUT.3dm", help="write blocks, forces and paths for Rhino")
    parser.add_argument("--at", type=float, metavar="S", help="moment that --3dm shows; the end unless given")
    parser.add_argument("--save", metavar="OUT.npz", help="write the whole result")


def run(options):
    progress = Progress(options.quiet)
    clock = time.perf_counter()
    structure = Structure.from_file(options.file, **given(options))
    case = case_in_water(structure, options.water)
    case.ground += [parse_ground(text) for text in options.ground]
    if options.ground_file:
        baseline = False if options.no_baseline else None
        case.ground.append(GroundMotion.from_file(options.ground_file, options.axis, options.units, baseline=baseline))
        _say_correction(progress, case.ground[-1])
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
            interval=options.interval,
            probes=[int(name) if name.isdigit() else name for name in options.probe],
            forces=options.forces,
        )
        result = job.result(progress=progress)
    progress.close()
    answer = dict(result.summary, scene=structure.name)
    answer["time"] = dict(answer["time"], read_s=read_s, start_s=start_s, total_s=time.perf_counter() - clock)
    _write(options, result, progress)
    if not options.json:
        print_dynamic(answer, result)
    return answer


def _write(options, result, progress):
    """The files that were asked for."""
    wanted = ((options.plot, draw_history), (options.plot_cables, draw_cable_history), (options.report, render_report))
    for path, content in wanted:
        if path:
            Path(path).write_text(content(result), encoding="utf-8")
            progress.say("wrote {}".format(path))
    if options.threedm:
        write_dynamic(result, options.threedm, options.at)
        progress.say("wrote {}".format(options.threedm))
    if options.save:
        result.save(options.save)
        progress.say("wrote {}".format(options.save))


def parse_ground(text):
    """A GroundMotion of ``kind:key=value,...``."""
    kind, _, rest = text.partition(":")
    values = parse_values(rest, "--ground", GROUND)
    axis = values.pop("axis", "x")
    numbers = {k: v if k == "travel" else parse_number(k, v, "--ground") for k, v in values.items()}
    if "pga" in numbers:
        numbers["acceleration"] = G * numbers.pop("pga")
    return GroundMotion(kind, axis, **numbers)


def _step(text):
    try:
        return float(text)
    except ValueError:
        return text


def _say_correction(progress, motion):
    if motion.correction is not None:
        line = "base line corrected by at most {:.2g} of the peak; the record left {:.2g} m/s and {:.2g} m"
        done = motion.correction
        progress.say(line.format(done["share"], done["velocity"], done["displacement"]))


def print_dynamic(answer, result):
    """For people."""
    print("{}: {}".format(answer["scene"], "STANDS" if answer["verdict"] == "stable" else "FALLS"))
    print("  {blocks} blocks ({free_blocks} free), at most {contacts_max} contacts".format(**answer))
    ends = {"duration": "", "rest": ", then all is at rest", "cancelled": ", then it was cancelled"}
    line = "  {simulated_s:g} s in {steps} steps of {time_step:g} s"
    print((line + ends.get(answer["ended"], "")).format(**answer))
    line = "  {solver}: {iterations_mean:.1f} iterations a step, {iterations_max} at most"
    print((line + "; blocks sink {penetration_max:.1e} m into each other").format(**answer))
    print("  greatest displacement {max_displacement:.4g} m".format(**answer))
    if answer["collapse_time"] is not None:
        first = ", ".join(result.first_to_move(5))
        print("  falls at {:.3g} s; moves first: {}".format(answer["collapse_time"], first))
    spent = answer["time"]
    line = "  {per_step_ms:.2f} ms a step, {real_time_factor:.2f} s for a second; {total_s:.1f} s in all"
    print(line.format(**spent))
    for warning in result.warnings:
        print("  warning: {}".format(warning["message"]))
