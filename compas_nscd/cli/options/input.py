"""The input file, and options for what a file does not say: supports, materials, unit, layers, gravity, loads."""

import csv
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Any, Dict, List, Sequence

from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.cli.options.elastic import add_elastic, deform
from compas_nscd.cli.options.values import parse_number, parse_values
from compas_nscd.errors import FileError, InputError, LoadError, MaterialError
from compas_nscd.files.limits import require_size
from compas_nscd.loads.case import LoadCase
from compas_nscd.loads.point_load import PointLoad
from compas_nscd.model.structure import Structure

#: What the command line calls the arguments of `Structure.from_file` that may be missing, with an example.
OPTIONS = {"supports": "--supports lowest", "density": "--density 2400", "law": "--mu 0.6"}
#: Columns of --loads.
COLUMNS = ("block", "x", "y", "z", "fx", "fy", "fz")


def add_input(parser: ArgumentParser) -> None:
    """Add FILE and the options that every analysis has in common."""
    parser.add_argument("file", metavar="FILE", help=".json, .3dm, .obj, .ply, .stl, .dxf or a folder of meshes")
    group = parser.add_argument_group("what the file does not say")
    add = group.add_argument
    add("--supports", metavar="RULE", help='lowest, "z<0.05" [m], layer:NAME, name:REGEX, or blocks: 0,3,left')
    add("--density", type=float, metavar="RHO", help="of the blocks [kg/m3]")
    add("--mu", type=float, metavar="MU", help="friction of the joints [-]")
    add("--law", metavar="KIND:...", help="law of the joints, e.g. mohr_coulomb:friction=0.6,cohesion=1e5")
    add("--units", metavar="UNIT", help="of length: mm, cm, m, in or ft")
    add("--up", metavar="AXIS", help="x, y, z or -y, ...: against gravity; z")
    add("--gravity", metavar="X,Y,Z", help="[m/s2], instead of --up")
    add("--layers", metavar="A,B::C", help="layers to read; the visible ones")
    add("--gap", metavar="GAP", help="open joints up to this width are closed: 15mm, 0.015 [m] or 2%% of the block")
    add("--load", action="append", default=[], metavar="BLOCK:X,Y,Z:FX,FY,FZ", help="point load [m, N]; repeatable")
    add("--loads", metavar="FILE.csv", help="point loads: columns {}".format(", ".join(COLUMNS)))
    add_elastic(add)


def read_structure(options: Namespace, strict: bool = True) -> Structure:
    """The structure of the file, with the loads and the deformable blocks of the options.

    Raises
    ------
    InputError
        With a line to copy, if something is missing that an option can say.
    """
    arguments = given(options)
    loads = [parse_load(text) for text in options.load]
    loads += read_loads(options.loads) if options.loads else []
    try:
        structure = Structure.from_file(options.file, strict=strict, **arguments)
    except InputError as error:
        raise _in_words_of_the_command_line(error, options)
    if loads:
        case = structure.case if structure.case is not None else LoadCase()
        case.loads = [*case.loads, *loads]
        structure.case = case
    deform(structure, options)
    return structure


def given(options: Namespace) -> Dict[str, Any]:
    """Arguments of `Structure.from_file` that the options set."""
    return {
        "supports": options.supports,
        "density": options.density,
        "law": parse_law(options.law, options.mu),
        "units": options.units,
        "layers": options.layers,
        "up": options.up,
        "gravity": None if options.gravity is None else parse_vector(options.gravity, "--gravity"),
    }


def gap_setting(options: Namespace) -> Dict[str, Any]:
    """The setting `gap`, if the option is given."""
    return {} if options.gap is None else {"gap": options.gap}


def add_torsion(parser: ArgumentParser) -> None:
    """Add --torsion, of the commands that solve."""
    text = "what resists torsion of dry joints: uniform pressure (section) or their corners"
    parser.add_argument("--torsion", choices=["auto", "section", "corners"], default="auto", help=text)


def parse_law(text: Any, friction: Any) -> Any:
    """ContactLaw of ``kind:key=value,...`` and --mu; None without either."""
    if text is None:
        return None if friction is None else ContactLaw(friction=friction)
    kind, _, rest = text.partition(":")
    values: Dict[str, Any] = parse_values(rest, "--law", ContactLaw.KEYS)
    numbers: Dict[str, Any] = {
        key: value if key == "softening" else parse_number(key, value, "--law") for key, value in values.items()
    }
    if friction is not None:
        if "friction" in numbers:
            raise MaterialError("--law and --mu both give a friction.", remedy="Leave out --mu.")
        numbers["friction"] = friction
    return ContactLaw(kind=kind, **numbers)


def named_block(text: str, structure: Structure) -> int:
    """Index of a block given by name, guid or index; a number that is a name is the name."""
    return structure.index(int(text) if text.isdigit() and text not in structure.names else text)


def parse_vector(text: str, option: str) -> List[float]:
    """Three numbers, separated by commas."""
    parts = text.split(",")
    if len(parts) != 3:
        raise LoadError("{} {!r:.60} should be three numbers.".format(option, text), remedy="For example 0,0,-9.81.")
    return [parse_number("", part.strip(), option) for part in parts]


def parse_load(text: str) -> PointLoad:
    """PointLoad of ``BLOCK:X,Y,Z:FX,FY,FZ``; the name of the block may contain colons."""
    parts = text.rsplit(":", 2)
    if len(parts) != 3:
        raise LoadError("--load {!r:.60} should be BLOCK:X,Y,Z:FX,FY,FZ.".format(text))
    block = parts[0].strip()
    point, force = (parse_vector(part, "--load") for part in parts[1:])
    return PointLoad(int(block) if block.isdigit() else block, point, force)


def read_loads(path: str) -> List[PointLoad]:
    """Point loads of a table with a first line of column names."""
    require_size(Path(path))
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise FileError("{} is not a table of loads: {}.".format(path, error), remedy="Save it as UTF-8 text.")
    missing = [name for name in COLUMNS if rows and name not in rows[0]]
    if missing or not rows:
        raise FileError("{} has no column {}.".format(path, ", ".join(missing or COLUMNS)))
    return [_load(row, i + 2, path) for i, row in enumerate(rows)]


def _load(row: Dict[str, str], line: int, path: str) -> PointLoad:
    block = row["block"].strip()
    try:
        numbers = [float(row[name]) for name in COLUMNS[1:]]
    except (TypeError, ValueError):
        raise LoadError("{}, line {}: a number cannot be read.".format(path, line))
    return PointLoad(int(block) if block.isdigit() else block, numbers[:3], numbers[3:])


def _in_words_of_the_command_line(error: InputError, options: Namespace) -> InputError:
    """The same error with a line to copy, if it is about something missing."""
    missing: Sequence[str] = error.detail.get("missing") or ()
    if not missing:
        return error
    lowest, _, _ = (error.remedy or "").partition("For example")
    lowest = lowest.replace('supports="lowest"', "--supports lowest")
    line = "nscd {} {} {}".format(options.command, options.file, " ".join(OPTIONS[key] for key in missing))
    return type(error)(error.message, remedy="{}For example: {}".format(lowest, line), **error.detail)
