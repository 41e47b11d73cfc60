"""One block of a rigid analysis, refined and elastic, under the forces of its joints: where does it crack?

Example: nscd submodel arch.json --block v3 --elastic h8 --young 6e10 --refine 6 --roughness 1e-5
"""

import time
from argparse import ArgumentParser, Namespace
from typing import Any, Dict

from compas_nscd.cli.options.elastic import OPTIONS
from compas_nscd.cli.options.input import add_input, gap_setting, named_block, read_structure
from compas_nscd.cli.options.progress import Progress
from compas_nscd.cli.options.text import finite, print_warnings
from compas_nscd.client.engine import Engine
from compas_nscd.errors import MaterialError
from compas_nscd.model.settings import Settings


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    add_input(parser)
    parser.add_argument("--block", required=True, metavar="NAME", help="block that is refined, by name or index")
    parser.add_argument("--roughness", type=float, default=0.0, metavar="R", help="of its faces [m]; 0")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of the random heights; 0")


def run(options: Namespace) -> Dict[str, Any]:
    """Stresses of one block of a file."""
    progress = Progress(options.quiet)
    began = time.perf_counter()
    structure = read_structure(options)
    block = named_block(options.block, structure)
    elastic = structure.blocks[block].elastic
    if elastic is None:
        text = "Block '{}' has no elasticity.".format(structure.names[block])
        raise MaterialError(text, remedy="Give {} h8 --young 6e10 --refine 4.".format(OPTIONS["elements"]))
    settings = Settings(**gap_setting(options))
    with Engine(python=options.python) as engine:
        rough = {"roughness": options.roughness, "seed": options.seed}
        found = engine.submodel(structure, block, elastic, progress=progress, settings=settings, **rough)
    progress.close()
    answer = {"analysis": "submodel", "scene": structure.name, "block": structure.names[block]}
    answer.update(tension=found.tension, tension_smooth=found.tension_smooth, rise=finite(found.rise))
    answer.update(elastic=found.elastic.summary, warnings=found.warnings)
    answer["time"] = dict(found.time, total_s=time.perf_counter() - began)
    if not options.json:
        print("{scene}, block {block}".format(**answer))
        print("  greatest tension {:.4g} Pa, {:.4g} Pa with smooth faces".format(found.tension, found.tension_smooth))
        print_warnings(found.warnings)
    return answer
