"""Laws of single interfaces: named by the two blocks and a point on the interface, since interfaces are found later."""

import math
from typing import NamedTuple

from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.errors import MaterialError


class InterfaceLaw(NamedTuple):
    """The law of one interface."""

    blocks: tuple  # indices of the two blocks
    point: tuple  # [m] (x, y, z): on the interface, or nearer to it than to any other of the two
    law: ContactLaw

    def to_data(self):
        """As in wires, files and scenes."""
        return {"blocks": list(self.blocks), "point": list(self.point), "law": self.law.__data__}


def interface_law(structure, blocks, point, law):
    """A checked law of an interface; the blocks by index, name or guid.

    Raises
    ------
    MaterialError
        Naming the blocks, if there are not two, or the point is none.
    """
    try:
        a, b = blocks
        x, y, z = (float(value) for value in point)
    except (TypeError, ValueError):
        raise MaterialError(
            "The law of an interface needs two blocks and a point.",
            remedy='Give (("a", "b"), (x, y, z), law).',
            blocks=[str(each) for each in blocks] if isinstance(blocks, (list, tuple)) else [],
        )
    i, j = sorted(structure.indices([a, b], MaterialError))
    names = [structure.names[i], structure.names[j]]
    if i == j or not all(map(math.isfinite, (x, y, z))) or not isinstance(law, ContactLaw):
        raise MaterialError("The law of an interface needs two blocks, a point and a ContactLaw.", blocks=names)
    return InterfaceLaw((i, j), (x, y, z), law)


def from_data(data):
    """What `Structure` takes, of what `InterfaceLaw.to_data` gave."""
    return [(tuple(each["blocks"]), each["point"], ContactLaw(**each["law"])) for each in data]
