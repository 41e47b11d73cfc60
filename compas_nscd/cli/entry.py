"""The `nscd` command. Progress goes to stderr; `--json` prints exactly one JSON object on stdout.

Exit status: 0 analysis done whatever the verdict, 2 bad input, 3 engine failure, 130 interrupted. A command whose
answer can be a failure has `exit_status(answer)`: `validate` ends with 1 if a case differs from its reference.

Each command is a module of `compas_nscd.cli` with a docstring (its help), `add_arguments(parser)` and
`run(options)`, which prints for people unless `options.json`, and returns what `--json` prints.
"""

import argparse
import json
import sys
from types import ModuleType
from typing import Any, Optional, Sequence, Tuple

from compas_nscd import __version__
from compas_nscd.cli import (
    INTERRUPTED,
    bench,
    check,
    demo,
    doctor,
    dynamic,
    fc3d,
    limit,
    make,
    quasistatic,
    ranges,
    serve,
    static,
    study,
    validate,
)
from compas_nscd.cli.options.progress import Interrupted
from compas_nscd.errors import NscdError
from compas_nscd.files.console import print_anything

#: Commands in the order of the help text.
COMMANDS: Tuple[ModuleType, ...] = (
    demo, check, static, dynamic, limit, ranges, quasistatic, make, study, fc3d, serve, doctor, bench, validate,
)  # fmt: skip


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Run one command; returns the exit status."""
    print_anything()
    options = build_parser().parse_args(arguments)
    try:
        answer = options.run(options)
    except NscdError as error:
        print("nscd: error: {}".format(error), file=sys.stderr)
        if options.json:
            _print_json({"error": error.to_data()})
        return error.exit_status
    except BrokenPipeError:  # the reader, such as `head`, has closed the pipe
        sys.stdout = None
        return 0
    except KeyboardInterrupt as stop:
        print("nscd: interrupted", file=sys.stderr)
        if options.json and isinstance(stop, Interrupted):
            _print_json(stop.answer)
        return INTERRUPTED
    if options.json:
        _print_json(answer)
    return options.status(answer)


def _print_json(answer: Any) -> None:
    json.dump(answer, sys.stdout, allow_nan=False)
    print()


def build_parser() -> argparse.ArgumentParser:
    """Parser of all commands."""
    parser = argparse.ArgumentParser(prog="nscd", description="Block masonry: does it stand, how does it fall.")
    parser.add_argument("--version", action="version", version="nscd " + __version__)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    commands.required = True
    for module in COMMANDS:
        name, text = module.__name__.rsplit(".", 1)[1], module.__doc__ or ""
        command = commands.add_parser(
            name, help=text.splitlines()[0], description=text, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        module.add_arguments(command)
        command.add_argument("--json", action="store_true", help="print one JSON object on stdout")
        command.add_argument("--quiet", action="store_true", help="no progress on stderr")
        command.add_argument("--python", metavar="PATH", help="interpreter that runs the engine")
        command.set_defaults(run=module.run, status=getattr(module, "exit_status", lambda answer: 0))
    return parser
