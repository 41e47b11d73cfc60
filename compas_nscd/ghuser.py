"""Files of Grasshopper, made without Grasshopper.

Commands::

    python -m compas_nscd.ghuser install         put the components into Grasshopper
    python -m compas_nscd.ghuser build DIR       write a .ghuser file for every component
    python -m compas_nscd.ghuser yak DIR         write the folder that `yak build` packs
    python -m compas_nscd.ghuser examples DIR    write the example definitions
    python -m compas_nscd.ghuser picture FILE    draw a definition as SVG, on stdout
    python -m compas_nscd.ghuser show FILE       print the contents of a .ghuser, .gh or .ghx file
"""

from __future__ import annotations

import argparse
import base64
import binascii
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Callable

from compas_nscd.errors import FileError, NscdError
from compas_nscd.files.console import print_anything
from compas_nscd.files.limits import require_size
from compas_nscd.ghfiles import archive, ghx
from compas_nscd.ghfiles.archive import Chunk, Item
from compas_nscd.ghfiles.examples import examples
from compas_nscd.ghfiles.package import build, build_yak, install
from compas_nscd.ghfiles.picture import svg

#: Name and options of a command line argument.
Argument = tuple[str, dict[str, Any]]

#: Greatest length of a value in `show` [characters]; longer ones are cut.
_LONGEST = 100


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status."""
    print_anything()
    options = build_parser().parse_args(arguments)
    try:
        options.run(options)
    except NscdError as error:
        print("ghuser: error: {}".format(error), file=sys.stderr)
        return error.exit_status
    return 0


def build_parser() -> argparse.ArgumentParser:
    """Parser of the command line."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="python -m compas_nscd.ghuser", description=__doc__, formatter_class=raw)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    commands.required = True

    def add(name: str, run: Callable[[Any], Any], *arguments: Argument) -> None:
        command = commands.add_parser(name)
        for argument, options in arguments:
            command.add_argument(argument, **options)
        command.set_defaults(run=run)

    directory: Argument = ("dir", {"metavar": "DIR"})
    file: Argument = ("file", {"metavar": "FILE"})
    source: Argument = (
        "--source",
        {"metavar": "DIR", "help": "folder of component folders; those of compas_nscd unless given"},
    )
    rhino: Argument = ("--rhino", {"default": "8.0", "help": "version of Rhino; 8.0 unless given"})
    add("install", lambda o: _tell(install(o.rhino)), rhino)
    add("build", lambda o: _tell(build(o.dir, o.source)), directory, source)
    add("yak", lambda o: _tell(build_yak(o.dir)), directory)
    add("examples", lambda o: _tell(write_examples(o.dir)), directory)
    add("picture", lambda o: sys.stdout.write(svg(read(o.file))), file)
    add("show", lambda o: print("\n".join(describe(read(o.file)))), file)
    return parser


def _tell(paths: Iterable[Path]) -> None:
    for path in paths:
        print(path)


def read(path: str | Path) -> Chunk:
    """The tree in a `.ghuser`, `.gh` or `.ghx` file."""
    path = Path(path)
    require_size(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FileError("{} cannot be read: {}.".format(path, error.strerror)) from error
    return ghx.loads(data) if path.suffix.lower() == ".ghx" else archive.loads(data)


def write_examples(target: str | Path) -> list[Path]:
    """Write the example definitions into a folder; returns their paths."""
    target = Path(target)
    target.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, definition in examples().items():
        paths.append(target / (name + ".ghx"))
        paths[-1].write_bytes(ghx.dumps(definition.tree()).encode("utf-8"))
    return paths


def describe(chunk: Chunk, indent: str = "") -> Iterator[str]:
    """Lines of text: a chunk, its items, its children, and the contents of archives and scripts in items."""
    number = "" if chunk.index == archive.NO_INDEX else " {}".format(chunk.index)
    yield "{}[{}{}]".format(indent, chunk.name, number)
    for item in chunk.items:
        number = "" if item.index == archive.NO_INDEX else "({})".format(item.index)
        yield "{}  {}{} = {}".format(indent, item.name, number, _value(item))
        if item.name == "Object" and item.type == archive.BYTES:
            for line in describe(archive.loads(item.value), indent + "    "):
                yield line
        if chunk.name == "Script" and item.name == "Text":
            for line in _script(item.value):
                yield "{}    | {}".format(indent, line)
    for child in chunk.chunks:
        for line in describe(child, indent + "  "):
            yield line


def _value(item: Item) -> str:
    if isinstance(item.value, bytes):
        return "{} bytes".format(len(item.value))
    text = repr(item.value) if isinstance(item.value, str) else str(item.value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


def _script(text: str) -> list[str]:
    """Lines of the code of a component, which is stored in base 64."""
    try:
        return base64.b64decode(text, validate=True).decode("utf-8").splitlines()
    except (binascii.Error, UnicodeDecodeError):
        return []


if __name__ == "__main__":
    sys.exit(main())
