"""Vibration modes of deformable blocks whose joints stay closed: the lowest frequencies and their shapes.

Example: nscd modes arch.json --elastic h8 --young 6e10 --poisson 0.27 --count 6 --picture mode.svg
"""

import time
from argparse import ArgumentParser, Namespace
from typing import Any, Dict

from compas_nscd.cli.options.input import add_input, gap_setting, named_block, read_structure
from compas_nscd.cli.options.outputs import require_writable, write_picture
from compas_nscd.cli.options.progress import Progress
from compas_nscd.cli.options.text import print_warnings
from compas_nscd.client.engine import Engine
from compas_nscd.drawing.picture import draw_mode
from compas_nscd.model.settings import Settings


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    add_input(parser)
    parser.add_argument("--count", type=int, default=6, metavar="K", help="number of modes; 6")
    parser.add_argument("--block", metavar="NAME", help="this block alone, and free")
    parser.add_argument("--mode", type=int, default=0, metavar="N", help="mode that --picture draws, from 0; 0")
    parser.add_argument("--picture", metavar="OUT.svg", help="draw the shape of a mode")


def run(options: Namespace) -> Dict[str, Any]:
    """Modes of the structure of a file."""
    require_writable(pictures=[options.picture])
    progress = Progress(options.quiet)
    began = time.perf_counter()
    structure = read_structure(options)
    block = None if options.block is None else named_block(options.block, structure)
    with Engine(python=options.python) as engine:
        found = engine.modes(structure, options.count, Settings(**gap_setting(options)), progress, block)
    progress.close()
    if options.picture:
        write_picture(options.picture, draw_mode(found, options.mode))
        progress.say("wrote {}".format(options.picture))
    if not options.json:
        print("{}: {} modes with closed joints".format(structure.name, len(found)))
        for k, (frequency, mass) in enumerate(zip(found.frequency, found.modal_mass)):
            print("  {:3d}  {:12.5g} Hz   mass x y z {:.4g} {:.4g} {:.4g} kg".format(k, frequency, *mass))
        print_warnings(found.warnings)
    return {
        "analysis": "modes",
        "scene": structure.name,
        "frequency": found.frequency.tolist(),
        "modal_mass": found.modal_mass.tolist(),
        "warnings": found.warnings,
        "time": dict(found.time, total_s=time.perf_counter() - began),
    }
