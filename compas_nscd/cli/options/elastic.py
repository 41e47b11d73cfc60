"""The options of deformable blocks: --elastic, --young, --poisson, --refine, --mass, --damping, --plane, --tension and
--contact-points.
"""

from argparse import ArgumentTypeError, Namespace
from typing import Any, Callable, Dict, List

from compas_nscd.blocks.elastic import Elastic
from compas_nscd.errors import MaterialError
from compas_nscd.model.structure import Structure

#: Argument of Elastic -> option that gives it.
OPTIONS = {
    "elements": "--elastic",
    "young": "--young",
    "poisson": "--poisson",
    "refine": "--refine",
    "mass": "--mass",
    "damping": "--damping",
    "plane": "--plane",
    "tension": "--tension",
    "contacts": "--contact-points",
}


def add_elastic(add: Callable[..., Any]) -> None:
    """Add the options; `add` is `add_argument` of a parser or group."""
    words = "deformable blocks: uniform strain, or finite elements"
    add("--elastic", dest="elements", choices=Elastic.ELEMENTS, help=words)
    add("--young", type=float, metavar="E", help="Young's modulus of deformable blocks [Pa]")
    add("--poisson", type=float, metavar="NU", help="Poisson's ratio of deformable blocks [-]; 0.2")
    add("--refine", type=int, metavar="N", help="elements along an edge of a deformable block; 1")
    add("--mass", choices=Elastic.MASSES, help="mass matrix of deformable blocks; lumped")
    words = "Rayleigh damping of deformable blocks: of the mass [1/s] and of the stiffness [s], or the latter alone; 0"
    add("--damping", type=_damping, metavar="A,B", help=words)
    add("--plane", choices=Elastic.PLANES, help="plane stress or strain of deformable blocks of t3; stress")
    add("--tension", type=float, metavar="FT", help="tensile strength of deformable blocks [Pa], against cracking")
    words = "contact points of deformable blocks: corners of the patches between element faces, or their middles too"
    add("--contact-points", dest="contacts", choices=Elastic.CONTACTS, help=words)


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


def _damping(text: str) -> List[float]:
    """Coefficients of the mass [1/s] and of the stiffness [s]; one number is the latter."""
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        raise ArgumentTypeError("{!r:.40} is neither a number nor two of them with a comma".format(text))
    return [0.0, *numbers] if len(numbers) == 1 else numbers
