"""The `nscd` command. Progress goes to stderr; `--json` prints exactly one JSON object on stdout.

Exit status: 0 analysis done whatever the verdict, 2 bad input, 3 engine failure, 130 interrupted. A command whose
answer can be a failure has `exit_status(answer)`: `validate` ends with 1 if a case differs from its reference.

Each command is a module of `compas_nscd.cli` with a docstring (its help), `add_arguments(parser)` and
`run(options)`, which prints for people unless `options.json`, and returns what `--json` prints.
"""

import argparse
import importlib
import json
import sys
from types import ModuleType
from typing import Any, List, Optional, Sequence, Tuple

from compas_nscd import __version__
from compas_nscd.cli import INTERRUPTED
from compas_nscd.cli.options.progress import Interrupted
from compas_nscd.errors import NscdError
from compas_nscd.files.console import print_anything

#: Commands in the order of the help text: modules of `compas_nscd.cli`.
COMMANDS: Tuple[str, ...] = (
    "demo", "check", "static", "dynamic", "limit", "ranges", "quasistatic", "modes", "submodel", "make", "study",
    "fc3d", "serve", "doctor", "bench", "validate",
)  # fmt: skip


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Run one command; returns the exit status."""
    print_anything()
    given = sys.argv[1:] if arguments is None else list(arguments)
    options = build_parser(given).parse_args(given)
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


def build_parser(arguments: Sequence[str] = ()) -> argparse.ArgumentParser:
    """Parser of all commands; of the one command that the arguments begin with, if they do.

    A command loads what it needs: the parser of all takes far longer than that of one.
    """
    parser = argparse.ArgumentParser(prog="nscd", description="Block masonry: does it stand, how does it fall.")
    parser.add_argument("--version", action="version", version="nscd " + __version__)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    commands.required = True
    for name, module in load(arguments):
        _add_command(commands, name, module)
    return parser


def load(arguments: Sequence[str]) -> List[Tuple[str, ModuleType]]:
    """Names and modules of the command that the arguments begin with, or of all."""
    chosen = [name for name in COMMANDS if name in arguments[:1]] or COMMANDS
    return [(name, importlib.import_module("compas_nscd.cli." + name)) for name in chosen]


def _add_command(commands: Any, name: str, module: ModuleType) -> None:
    """Add the parser of a command and the options that all commands have."""
    text = module.__doc__ or ""
    command = commands.add_parser(
        name, help=text.splitlines()[0], description=text, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    module.add_arguments(command)
    command.add_argument("--json", action="store_true", help="print one JSON object on stdout")
    command.add_argument("--quiet", action="store_true", help="no progress on stderr")
    command.add_argument("--python", metavar="PATH", help="interpreter that runs the engine")
    command.set_defaults(run=module.run, status=getattr(module, "exit_status", lambda answer: 0))
