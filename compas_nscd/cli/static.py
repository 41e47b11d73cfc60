"""Does it stand, and with which forces.

Reads a scene (.json), a COMPAS file (.json), a Rhino file (.3dm) or meshes (.obj), solves for equilibrium in the engine
and tells the verdict, how far from exact it is, and where the time went.
"""

import time

from compas_nscd.cli.options.input import add_input, given
from compas_nscd.cli.options.outputs import require_writable, write_picture, write_text
from compas_nscd.cli.options.progress import Progress
from compas_nscd.cli.options.water import add_water, case_in_water
from compas_nscd.client.engine import Engine
from compas_nscd.drawing.picture import draw_static
from compas_nscd.drawing.threedm import write_static
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure
from compas_nscd.report.page import render_report


def add_arguments(parser):
    add_input(parser)
    add_water(parser)
    parser.add_argument("--solver", choices=["newton", "nlgs", "spg"], default="newton")
    parser.add_argument("--friction", choices=["associated", "coulomb"], default="associated")
    parser.add_argument("--seed", type=int, help="nlgs: take the contacts in random order, repeatable")
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help="solve N times and report the best time")
    parser.add_argument("--unsupported", action="store_true", help="accept a structure that nothing holds")
    parser.add_argument("--picture", metavar="OUT.svg", help="draw the result, as .svg or .png")
    parser.add_argument("--report", metavar="OUT.html", help="write one self-contained page")
    parser.add_argument("--3dm", dest="threedm", metavar="OUT.3dm", help="write blocks, forces and thrust for Rhino")


def run(options):
    require_writable(options.report, options.threedm, pictures=[options.picture])
    progress = Progress(options.quiet)
    clock = time.perf_counter()
    structure = Structure.from_file(options.file, **given(options))
    read_s = time.perf_counter() - clock
    settings = Settings(
        solver=options.solver,
        friction=options.friction,
        seed=options.seed,
        repeat=options.repeat,
        unsupported=options.unsupported,
    )
    began = time.perf_counter()
    with Engine(python=options.python) as engine:
        start_s = time.perf_counter() - began
        case = case_in_water(structure, options.water)
        result = engine.static(structure, case, settings=settings, progress=progress)
    progress.close()
    answer = dict(result.summary, scene=structure.name)
    answer["time"] = dict(answer["time"], read_s=read_s, start_s=start_s, total_s=time.perf_counter() - clock)
    write(options, result, progress)
    if not options.json:
        print_static(answer, result)
    return answer


def write(options, result, progress):
    """The files that were asked for, of a static analysis or a limit."""
    wanted = ((options.picture, draw_static, write_picture), (options.report, render_report, write_text))
    for path, content, write_file in wanted:
        if path:
            write_file(path, content(result))
            progress.say("wrote {}".format(path))
    if options.threedm:
        write_static(result, options.threedm)
        progress.say("wrote {}".format(options.threedm))


def print_static(answer, result):
    """For people."""
    stands = answer["verdict"] == "stable"
    print("{}: {}".format(answer["scene"], "STANDS" if stands else "FALLS"))
    print("  {blocks} blocks ({free_blocks} free), {interfaces} joints, {contacts} contacts".format(**answer))
    x, y, z = (component / 1e3 for component in answer["support_reaction"])
    print(f"  weight {answer['weight_total'] / 1e3:.4g} kN, supports give ({x:.4g}, {y:.4g}, {z:.4g}) kN")
    print("  {solver}: {iterations} iterations, residual {residual:.1e}".format(**answer), end="")
    print(", worst block {unbalanced_max:.1e} of its weight out of balance".format(**answer))
    print("  " + ", ".join(f"{key[:-2]} {1e3 * value:.1f} ms" for key, value in answer["time"].items()))
    if not stands:
        print("  moves first: {}".format(", ".join(result.first_to_move(5))))
    for warning in result.warnings:
        print("  warning: {}".format(warning["message"]))
