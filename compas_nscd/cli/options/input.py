"""The input file, and options for what a file of mere geometry lacks."""

from argparse import ArgumentParser, Namespace
from typing import Any, Dict, List, Union

from compas_nscd.blocks.contact_law import ContactLaw


def add_input(parser: ArgumentParser) -> None:
    """Add FILE, --supports, --density and --mu."""
    parser.add_argument("file", metavar="FILE")
    parser.add_argument("--supports", help=".3dm: layer of the supports; .obj: their names or indices, by commas")
    parser.add_argument("--density", type=float, help="of the blocks of a file that does not say it [kg/m3]")
    parser.add_argument("--mu", type=float, help="friction of the joints of a file that does not say it")


def given(options: Namespace) -> Dict[str, Any]:
    """Arguments of `Structure.from_file` that the options set."""
    supports: Union[str, List[Union[int, str]], None] = options.supports
    if isinstance(supports, str) and not options.file.lower().endswith(".3dm"):
        supports = [int(part) if part.isdigit() else part for part in supports.split(",")]
    law = None if options.mu is None else ContactLaw(friction=options.mu)
    return {"supports": supports, "density": options.density, "law": law}
