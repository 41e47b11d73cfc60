"""The options --ground, --ground-file and --settle: motions of supports."""

from argparse import ArgumentParser, Namespace
from typing import Any, Dict, List, Union

from compas_nscd.cli.options.values import parse_number, parse_values
from compas_nscd.errors import LoadError
from compas_nscd.files.units import LENGTHS
from compas_nscd.loads.ground_motion import GroundMotion
from compas_nscd.loads.support_motion import SupportMotion

#: Keys of --ground.
GROUND = ("axis", "pga", "acceleration", "frequency", "duration", "start", "phase", "ease", "speed", "travel")
#: Keys of --settle.
SETTLE = ("block", "x", "y", "z", "duration", "start")
#: Unit of pga [m/s2], as in the published cases of docs/validation.md.
G = 9.81


def add_support_motions(parser: ArgumentParser) -> None:
    """Add --ground, --ground-file with --axis, --ground-units and --no-baseline, and --settle."""
    add = parser.add_argument
    add("--ground", action="append", default=[], metavar="KIND:...", help="motion of the supports")
    add("--ground-file", action="append", default=[], metavar="RECORD", help="recorded motion of the supports")
    add("--axis", action="append", default=[], help="direction of --ground-file, one for each; x")
    add("--ground-units", help="of all --ground-file: g, m/s2, cm/s2, m/s, m, ...; --units where it is no length")
    add("--no-baseline", action="store_true", help="do not correct the baseline of --ground-file")
    add("--settle", action="append", default=[], metavar="block=...", help="settlement of a support")


def parse_ground(text: str) -> GroundMotion:
    """GroundMotion of ``kind:key=value,...``."""
    kind, _, rest = text.partition(":")
    values = parse_values(rest, "--ground", GROUND)
    axis = values.pop("axis", "x")
    given: Dict[str, Any] = {k: v if k == "travel" else parse_number(k, v, "--ground") for k, v in values.items()}
    if "pga" in given and "acceleration" in given:
        raise LoadError("--ground has both pga and acceleration.", remedy="Give one: pga in g, acceleration in m/s2.")
    if "pga" in given:
        given["acceleration"] = G * given.pop("pga")
    return GroundMotion(kind, axis, **given)


def read_records(options: Namespace) -> List[GroundMotion]:
    """GroundMotion of every --ground-file."""
    files = options.ground_file
    axes = options.axis or ["x"] * min(len(files), 1)
    if len(axes) != len(files):
        text = "There are {} of --ground-file and {} of --axis.".format(len(files), len(axes))
        raise LoadError(text, remedy="Give each record its axis, in the same order.")
    baseline = False if options.no_baseline else None
    units = options.ground_units
    return [GroundMotion.from_file(file, axis, units, baseline=baseline) for file, axis in zip(files, axes)]


def take_ground_units(options: Namespace) -> None:
    """Take --units as the unit of the records, which it once was, if it is not a unit of length of the drawing."""
    if options.units is not None and (options.units not in LENGTHS or options.file.lower().endswith(".json")):
        options.ground_units = options.ground_units or options.units
        options.units = None


def parse_settlement(text: str) -> SupportMotion:
    """SupportMotion of ``block=left,z=-0.04,duration=2``."""
    values = parse_values(text, "--settle", SETTLE)
    for key in ("block", "duration"):
        if key not in values:
            raise LoadError("--settle needs {}.".format(key), remedy="For example block=left,z=-0.04,duration=2")
    block = block_named(values.pop("block"))
    numbers = {key: parse_number(key, value, "--settle") for key, value in values.items()}
    displacement = [numbers.get(axis, 0.0) for axis in "xyz"]
    return SupportMotion(block, displacement, numbers["duration"], start=numbers.get("start", 0.0))


def block_named(name: str) -> Union[int, str]:
    """Index or name of a block."""
    return int(name) if name.isdigit() else name
