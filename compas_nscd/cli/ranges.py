"""Which forces are certain: the least and the greatest force of joints over all forces that balance the loads.

Without --joint all joints are asked, with two solutions each. Forces act on the second block of a joint as it is
printed: along the normal of the joint, compression positive, or along --direction, which is an axis (x, -y), an angle
from x to y in degrees (30) or a vector (1,1,0). What begins with a minus is written --direction=-z.
"""

import time
from argparse import ArgumentParser, Namespace
from typing import Any, Dict, List, Optional, Tuple

from compas_nscd.cli.options.input import add_input, add_torsion, gap_setting, read_structure
from compas_nscd.cli.options.outputs import require_writable
from compas_nscd.cli.options.progress import Progress
from compas_nscd.cli.options.text import finite, print_headline, print_warnings
from compas_nscd.cli.options.water import add_water, case_in_water
from compas_nscd.client.engine import Engine
from compas_nscd.client.force_range_request import Joint
from compas_nscd.client.limit_request import direction
from compas_nscd.errors import FileError, InputError, SettingsError
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure
from compas_nscd.results.force_range import ForceRange, ForceRanges


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    add_input(parser)
    add_water(parser)
    add_torsion(parser)
    parser.add_argument("--joint", action="append", default=[], metavar="A:B", help="two blocks; repeatable")
    parser.add_argument("--direction", metavar="D", help="of the component of the force; the normal of the joint")
    parser.add_argument("--save", metavar="OUT.json", help="write the ranges, which `ForceRanges.from_json` reads")


def run(options: Namespace) -> Dict[str, Any]:
    """Ranges of the joint forces of a file."""
    _require_json(options.save)
    along = None if options.direction is None else parse_direction(options.direction)
    progress = Progress(options.quiet)
    began = time.perf_counter()
    structure = read_structure(options)
    joints = [parse_joint(text, structure) for text in options.joint]
    case = case_in_water(structure, options.water)
    settings = Settings(torsion=options.torsion, **gap_setting(options))
    with Engine(python=options.python) as engine:
        found = engine.force_range(structure, case, joints, along, settings, progress=progress)
    progress.close()
    if options.save:
        found.to_json(options.save)
        progress.say("wrote {}".format(options.save))
    answer = {"analysis": "ranges", "scene": structure.name, "stands": found.stands, "direction": along}
    answer["ranges"] = [_row(each) for each in found] if found.stands else []
    answer["warnings"] = found.warnings
    answer["time"] = dict(found.time, total_s=time.perf_counter() - began)
    if not options.json:
        print_ranges(structure, found)
    return answer


def parse_joint(text: str, structure: Structure) -> Joint:
    """Blocks of ``A:B``, by name, index or guid; names may contain colons."""
    parts = text.split(":")
    splits = [(":".join(parts[:k]), ":".join(parts[k:])) for k in range(1, len(parts))]
    if not splits:
        raise InputError("--joint {!r:.60} should be two blocks, A:B.".format(text))
    names = set(structure.names)
    a, b = next((pair for pair in splits if names.issuperset(pair)), splits[0])
    return _block(a, names), _block(b, names)


def _block(text: str, names: Any) -> Any:
    """Index of a block if the text is a number that is no name."""
    return int(text) if text.isdigit() and text not in names else text


def parse_direction(text: str) -> Tuple[float, ...]:
    """Unit vector of an axis, an angle in degrees or three numbers."""
    try:
        return direction(text, text)
    except SettingsError:
        remedy = "Give an axis (x, -y), an angle from x to y in degrees (30) or a vector (1,1,0)."
        raise SettingsError("--direction {!r:.60} is no direction.".format(text), remedy=remedy)


def _require_json(path: Optional[str]) -> None:
    """Raise a FileError if the ranges cannot be written to a path."""
    require_writable(path)
    if path and not path.lower().endswith(".json"):
        raise FileError("{} does not end in .json.".format(path), remedy="Give another name.")


def _row(found: ForceRange) -> Dict[str, Any]:
    """Range of a joint [N]; None where nothing bounds it."""
    return {"blocks": list(found.blocks), "least": finite(found.least), "greatest": finite(found.greatest)}


def print_ranges(structure: Structure, found: ForceRanges) -> None:
    """Print ranges for people."""
    if found.stands:
        print("{}: {} joints".format(structure.name, len(found)))
        for line in _lines(found):
            print("  " + line)
    else:
        print_headline(str(structure.name), "falls")
        print("  no forces balance the loads, so there are no ranges")
    print_warnings(found.warnings)


def _lines(found: ForceRanges) -> List[str]:
    """Joints and their ranges in columns [kN]."""
    names = ["{} | {}".format(*each.blocks) for each in found]
    width = max(map(len, names), default=0)
    line = "{:{}s}  {:10.5g} to {:10.5g} kN"
    return [line.format(name, width, each.least / 1e3, each.greatest / 1e3) for name, each in zip(names, found)]
