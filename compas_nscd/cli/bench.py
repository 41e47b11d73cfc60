"""Measure: process, contact detection, solvers, Grasshopper; with --peers, other codes on the same structures.

The measurements are part of the repository (benchmarks/run.py), not of the installed package. Times are the best of
five, warm; compare ratios rather than seconds. The structures come from the templates; the scenes in the folder
--scenes (default: shared/scenes beside the checkout, if it exists) are measured too. Motions (--only dynamic) run
once: 0.2 g at 1 Hz along x. First analyses (--only first) start from an empty folder of kernels. Structures of up to
100,000 blocks (--only large, --scene wall for one family) run once.
"""

import runpy
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any, Dict

from compas_nscd.errors import NotAvailableError

#: Folder above the package: the checkout, if the package runs from one.
CHECKOUT = Path(__file__).resolve().parents[2]


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    groups = "process, slider, detect, solve, grasshopper, results, limit, dynamic, quasistatic, elastic, first, large"
    parser.add_argument("--peers", action="store_true", help="other codes too (pip install compas_nscd[bench])")
    parser.add_argument("--only", metavar="GROUP", help="one group of measurements: " + groups)
    parser.add_argument("--scenes", metavar="DIR", help="folder of scene files")
    parser.add_argument("--scene", metavar="NAME", help="one structure alone")
    parser.add_argument("--repeat", type=int, default=5, metavar="N")


def run(options: Namespace) -> Dict[str, Any]:
    """Run the measurements of the checkout."""
    script = CHECKOUT / "benchmarks" / "run.py"
    if not script.is_file():
        message = "`nscd bench` needs benchmarks/run.py of the repository, which is not installed with the package."
        remedy = "Clone the repository, install it there with `pip install -e .[engine,bench]`, and repeat the command."
        raise NotAvailableError(message, remedy=remedy)
    return runpy.run_path(str(script))["run"](options)
