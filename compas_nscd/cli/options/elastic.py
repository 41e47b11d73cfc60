"""The options --elastic, --young, --poisson, --refine and --tension: deformable blocks."""

from argparse import Namespace
from typing import Any, Callable, Dict

from compas_nscd.blocks.elastic import Elastic
from compas_nscd.errors import MaterialError
from compas_nscd.model.structure import Structure

#: Argument of Elastic -> option that gives it.
OPTIONS = {
    "elements": "--elastic",
    "young": "--young",
    "poisson": "--poisson",
    "refine": "--refine",
    "tension": "--tension",
}


def add_elastic(add: Callable[..., Any]) -> None:
    """Add the options; `add` is `add_argument` of a parser or group."""
    words = "deformable blocks: uniform strain, or finite elements"
    add("--elastic", dest="elements", choices=Elastic.ELEMENTS, help=words)
    add("--young", type=float, metavar="E", help="Young's modulus of deformable blocks [Pa]")
    add("--poisson", type=float, metavar="NU", help="Poisson's ratio of deformable blocks [-]; 0.2")
    add("--refine", type=int, metavar="N", help="elements along an edge of a deformable block; 1")
    add("--tension", type=float, metavar="FT", help="tensile strength of deformable blocks [Pa], against cracking")


def deform(structure: Structure, options: Namespace) -> None:
    """Apply the options: --elastic to all blocks, the others without it to the blocks that the file says deform.

    Raises
    ------
    MaterialError
        If a modulus is missing, or the options concern no block.
    """
    given: Dict[str, Any] = {key: getattr(options, key) for key in OPTIONS if getattr(options, key) is not None}
    if not given:
        return
    chosen = [block for block in structure.blocks if "elements" in given or block.elastic is not None]
    if not chosen:
        option = OPTIONS[next(iter(given))]
        raise MaterialError("{} concerns no block: all are rigid.".format(option), remedy="Add --elastic uniform.")
    if "young" not in given and any(block.elastic is None for block in chosen):
        text = "--elastic {} needs Young's modulus.".format(options.elements)
        raise MaterialError(text, remedy="For example --young 6e10 --poisson 0.27")
    for block in chosen:
        block.elastic = Elastic(**given) if block.elastic is None else block.elastic.changed(**given)
