"""Components of the group Model for contact laws, of all joints and of single ones."""

from typing import Any, Dict, Optional, Sequence, Tuple, Union

from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.blocks.materials import joint_law as library_law
from compas_nscd.errors import InputError
from compas_nscd.ghpython.canvas import Canvas, Items, Number, Text, component
from compas_nscd.ghpython.components.loads import block_key
from compas_nscd.ghpython.wires import items
from compas_nscd.loads.checks import LoadData
from compas_nscd.model.structure import Structure


class JointLaw(LoadData):
    """Contact law of all interfaces of two blocks, or of the one nearest to a point.

    Parameters
    ----------
    blocks : (block, block)
        By index, name or guid.
    law : ContactLaw
    point : (x, y, z), optional
        [m]
    """

    def __init__(self, blocks: Sequence[Any], law: ContactLaw, point: Optional[Tuple[float, float, float]] = None):
        super().__init__()
        self.blocks, self.law, self.point = tuple(blocks), law, point

    @property
    def __data__(self) -> Dict[str, Any]:
        return {"blocks": list(self.blocks), "law": self.law, "point": self.point}

    def put_into(self, structure: Structure) -> None:
        """Add it to the laws of a structure."""
        structure.set_law(self.blocks, self.law, self.point)


@component("law")
def contact_law(
    canvas: Canvas,
    friction: Number,
    material: Text = None,
    kind: Text = None,
    cohesion: Number = None,
    tension: Number = None,
    compression: Number = None,
    more: Items = None,
) -> Any:
    """Component Contact Law."""
    given: Dict[str, Any] = dict(
        friction=friction, kind=kind, cohesion=cohesion, tension=tension, compression=compression
    )
    given = {key: value for key, value in given.items() if value is not None}
    with canvas.input("more"):
        given.update(_pair(text) for text in items(more))
    with (
        canvas.input("material" if material else "friction" if set(given) <= {"friction"} else "kind"),
        canvas.assumptions(),
    ):
        return library_law(str(material), **given) if material else ContactLaw(**given)


def _pair(text: Any) -> Tuple[str, Union[str, float]]:
    """Name and value of ``name = value``."""
    name, equals, value = (part.strip() for part in str(text).partition("="))
    if not equals or name not in ContactLaw.KEYS:
        raise InputError("{!r:.40} is no parameter of a law.".format(str(text)), remedy="Write kinetic = 0.5.")
    try:
        return name, value if name in ("kind", "softening") else float(value)
    except ValueError:
        raise InputError("{} = {!r:.40} is not a number.".format(name, value))


@component("joint_law")
def joint_law(canvas: Canvas, block_a: Any, block_b: Any, law: Any, point: Any) -> Any:
    """Component Joint Law."""
    for name, value in (("block_a", block_a), ("block_b", block_b)):
        if value is None:
            raise InputError("Input {} is missing.".format(name))
    law = canvas.need("law", law, ContactLaw)
    return JointLaw((block_key(block_a), block_key(block_b)), law, canvas.units.metres(point))
