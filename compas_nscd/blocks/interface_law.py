"""Laws of single interfaces, named by their two blocks and a point: interfaces are only found by the engine."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.errors import MaterialError


class InterfaceLaw(NamedTuple):
    """The law of one interface."""

    blocks: tuple[int, int]  # indices, ascending
    point: tuple[float, float, float]  # [m] on the interface, or nearer to it than to others of the two blocks
    law: ContactLaw

    def to_data(self) -> dict[str, Any]:
        """The law as in requests, files and scenes."""
        return {"blocks": list(self.blocks), "point": list(self.point), "law": self.law.__data__}


def interface_law(names: Any, blocks: Any, point: Any, law: ContactLaw) -> InterfaceLaw:
    """Check the law of an interface.

    Parameters
    ----------
    names : BlockNames or Structure
        Finds the blocks.
    blocks : (block, block)
        By index, name or guid.
    point : sequence of 3 floats
        [m]
    law : ContactLaw

    Raises
    ------
    MaterialError
        If there are not two blocks, or the point is not three finite numbers.
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
    i, j = sorted(names.indices([a, b], MaterialError))
    called = [names.names[i], names.names[j]]
    if i == j or not all(map(math.isfinite, (x, y, z))) or not isinstance(law, ContactLaw):
        raise MaterialError("The law of an interface needs two blocks, a point and a ContactLaw.", blocks=called)
    return InterfaceLaw((i, j), (x, y, z), law)


def from_data(data: Iterable[dict[str, Any]]) -> list[tuple[tuple, Any, ContactLaw]]:
    """Arguments `interface_laws` of a structure, of what `InterfaceLaw.to_data` returned."""
    return [(tuple(each["blocks"]), each["point"], ContactLaw(**each["law"])) for each in data]
