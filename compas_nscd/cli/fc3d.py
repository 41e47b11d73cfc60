"""Solve published contact problems (W, q, mu) with exact Coulomb friction."""

from argparse import ArgumentParser, Namespace
from typing import Any, Dict, List

from compas_nscd.cli.options.progress import Progress
from compas_nscd.client.engine import Engine
from compas_nscd.files.fc3d import read_problems


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("files", metavar="FILE.npz", nargs="+")
    parser.add_argument("--solver", choices=["newton", "nlgs"], help="one solver instead of the best sequence")
    parser.add_argument("--repeat", type=int, default=1, metavar="N", help="solve N times and report the best time")


def run(options: Namespace) -> List[Dict[str, Any]]:
    """Solve the problems of all files."""
    progress = Progress(options.quiet)
    body = read_problems(options.files, solver=options.solver, repeat=options.repeat)
    with Engine(python=options.python) as engine:
        rows = engine.submit("fc3d", body).result(progress=progress)["problems"]
    progress.close()
    if not options.json:
        for row in rows:
            print("{name:42s} {contacts:5d} contacts  {residual_q:8.1e}  {time_s:8.4f} s  {solver}".format(**row))
    return rows
