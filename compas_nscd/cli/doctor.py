"""Is everything there: interpreters, versions, paths, times."""

from compas_nscd.cli.options.progress import Progress
from compas_nscd.client.doctor import diagnose


def add_arguments(parser):
    parser.add_argument("--warm", action="store_true", help="compile the kernels now")
    parser.add_argument("--install", action="store_true", help="make an environment of its own for the engine")


def run(options):
    progress = Progress(options.quiet)
    install = progress.say if options.install else None
    answer = diagnose(warm=options.warm, python=options.python, progress=progress, install=install)
    progress.close()
    if not (options.json or options.quiet):
        _print(answer)
    return answer


def _print(node, indent=""):
    for key, value in node.items():
        if isinstance(value, dict):
            print("{}{}".format(indent, key))
            _print(value, indent + "  ")
        else:
            print("{}{:12s} {}".format(indent, key, value))
