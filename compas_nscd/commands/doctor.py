"""Is everything there: interpreters, versions, paths, times."""

from compas_nscd.commands.progress import Progress
from compas_nscd.doctor import diagnose


def add_arguments(parser):
    parser.add_argument("--warm", action="store_true", help="compile the kernels now")


def run(options):
    progress = Progress(options.quiet)
    answer = diagnose(warm=options.warm, python=options.python, progress=progress)
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
