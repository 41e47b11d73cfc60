"""Check the installation: interpreters, versions, paths, times."""

from argparse import ArgumentParser, Namespace
from typing import Any, Dict

from compas_nscd.cli.options.progress import Progress
from compas_nscd.cli.options.text import print_tree
from compas_nscd.client.doctor import diagnose


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("--warm", action="store_true", help="compile the kernels now")
    parser.add_argument("--install", action="store_true", help="make an environment of its own for the engine")


def run(options: Namespace) -> Dict[str, Any]:
    """Examine client and engine."""
    progress = Progress(options.quiet)
    install = progress.say if options.install else None
    answer = diagnose(warm=options.warm, python=options.python, progress=progress, install=install)
    progress.close()
    if not (options.json or options.quiet):
        print_tree(answer)
    return answer
