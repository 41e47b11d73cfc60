"""Does it stand, and with which forces.

Reads a scene or COMPAS data (.json), a Rhino file (.3dm), meshes (.obj, .ply, .stl, or a folder of them) or a drawing
(.dxf), solves for equilibrium in the engine and prints the verdict, the residual, and the times.
"""

import time
from argparse import ArgumentParser, Namespace
from typing import Any, Dict

from compas_nscd.cli.options.input import add_input, add_torsion, gap_setting, read_structure
from compas_nscd.cli.options.outputs import require_writable
from compas_nscd.cli.options.progress import Progress
from compas_nscd.cli.options.result_files import add_result_files, write_result_files
from compas_nscd.cli.options.saving import writer_of
from compas_nscd.cli.options.text import print_elastic, print_verdict, print_warnings
from compas_nscd.cli.options.water import add_water, case_in_water
from compas_nscd.client.engine import Engine
from compas_nscd.model.settings import Settings
from compas_nscd.results.static import StaticResult


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    add_input(parser)
    add_water(parser)
    parser.add_argument("--solver", choices=["newton", "admm", "nlgs", "spg"], default="newton")
    parser.add_argument("--friction", choices=["associated", "coulomb"], default="associated")
    add_torsion(parser)
    parser.add_argument("--seed", type=int, help="nlgs: take the contacts in random order, repeatable")
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help="solve N times and report the best time")
    parser.add_argument("--unsupported", action="store_true", help="accept a structure without supports")
    add_result_files(parser, "draw the result, as .svg or .png", "write blocks, forces and thrust for Rhino")


def run(options: Namespace) -> Dict[str, Any]:
    """Analyse a file."""
    require_writable(options.report, options.threedm, options.save, pictures=[options.picture])
    if options.save:
        writer_of(options.save)
    progress = Progress(options.quiet)
    clock = time.perf_counter()
    structure = read_structure(options)
    read_s = time.perf_counter() - clock
    settings = Settings(
        solver=options.solver,
        friction=options.friction,
        seed=options.seed,
        repeat=options.repeat,
        unsupported=options.unsupported,
        torsion=options.torsion,
        **gap_setting(options),
    )
    began = time.perf_counter()
    with Engine(python=options.python) as engine:
        start_s = time.perf_counter() - began
        case = case_in_water(structure, options.water)
        result = engine.static(structure, case, settings=settings, progress=progress)
    progress.close()
    forces = [] if result.cable_force is None else result.cable_force.tolist()
    answer = dict(result.summary, scene=structure.name, warnings=result.warnings, cable_force=forces)
    answer["time"] = dict(answer["time"], read_s=read_s, start_s=start_s, total_s=time.perf_counter() - clock)
    write_result_files(options, result, progress)
    if not options.json:
        print_static(answer, result)
    return answer


def print_static(answer: Dict[str, Any], result: StaticResult) -> None:
    """Print a result for people."""
    print_verdict(answer)
    print("  {blocks} blocks ({free_blocks} free), {interfaces} joints, {contacts} contacts".format(**answer))
    x, y, z = (component / 1e3 for component in answer["support_reaction"])
    print(f"  weight {answer['weight_total'] / 1e3:.4g} kN, support reaction ({x:.4g}, {y:.4g}, {z:.4g}) kN")
    print("  {solver}: {iterations} iterations, residual {residual:.1e}".format(**answer), end="")
    print(", greatest unbalanced force {unbalanced_max:.1e} of the block's weight".format(**answer))
    if result.linear.get("products"):
        line = "  too massive for a factor: conjugate gradients, {products} products with the matrix"
        print(line.format(**result.linear))
    print("  " + ", ".join(f"{key[:-2]} {1e3 * value:.1f} ms" for key, value in answer["time"].items()))
    print_elastic(answer["elastic"])
    for k, force in enumerate([] if result.cable_force is None else result.cable_force.tolist()):
        print("  {}: {:.4g} kN".format(result.cables[k].label(k), force / 1e3))
    if answer["verdict"] != "stable":
        print("  moves first: {}".format(", ".join(result.first_to_move(5))))
    print_warnings(result.warnings)
