"""Components of the group Model that say what joints carry: laws, and laws of single joints."""

from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.blocks.materials import joint_law as library_law
from compas_nscd.errors import InputError
from compas_nscd.ghpython.canvas import component, items
from compas_nscd.ghpython.components.loads import block_key
from compas_nscd.loads.checks import LoadData


class JointLaw(LoadData):
    """The law of two blocks, or of the interface of theirs that a point is on.

    Parameters
    ----------
    blocks : (block, block)
        By index, name or guid.
    law : ContactLaw
    point : (x, y, z), optional
        [m]
    """

    def __init__(self, blocks, law, point=None):
        super().__init__()
        self.blocks, self.law, self.point = tuple(blocks), law, point

    @property
    def __data__(self):
        return {"blocks": list(self.blocks), "law": self.law, "point": self.point}

    def put_into(self, structure):
        """Make it a law of a structure."""
        structure.set_law(self.blocks, self.law, self.point)


@component("law")
def contact_law(canvas, friction, material=None, kind=None, cohesion=None, tension=None, compression=None, more=None):
    """Component Contact Law."""
    given = dict(friction=friction, kind=kind, cohesion=cohesion, tension=tension, compression=compression)
    given = {key: value for key, value in given.items() if value is not None}
    with canvas.input("more"):
        given.update(_pair(text) for text in items(more))
    with canvas.input("material" if material else "friction" if set(given) <= {"friction"} else "kind"):
        return library_law(str(material), **given) if material else ContactLaw(**given)


def _pair(text):
    """Name and value of ``name = value``."""
    name, equals, value = (part.strip() for part in str(text).partition("="))
    if not equals or name not in ContactLaw.KEYS:
        raise InputError("{!r:.40} is no number of a law.".format(str(text)), remedy="Write kinetic = 0.5.")
    try:
        return name, value if name in ("kind", "softening") else float(value)
    except ValueError:
        raise InputError("{} = {!r:.40} is not a number.".format(name, value))


@component("joint_law")
def joint_law(canvas, block_a, block_b, law, point):
    """Component Joint Law."""
    for name, value in (("block_a", block_a), ("block_b", block_b)):
        if value is None:
            raise InputError("Input {} is missing.".format(name))
    law = canvas.need("law", law, ContactLaw)
    return JointLaw((block_key(block_a), block_key(block_b)), law, canvas.units.metres(point))
