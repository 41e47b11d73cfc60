"""Cables and tie rods: tension-only members between two blocks, or a block and the ground."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from compas_nscd.errors import LoadError
from compas_nscd.loads.checks import LoadData, block_key, number, vector


class Cable(LoadData):
    """A straight cable or tie rod between two points, each on a block or on the ground.

    Parameters
    ----------
    blocks : (block, block)
        To which the ends are fixed: index, name or guid, or None for the ground, which in a motion moves with the
        nearest support.
    points : (point, point)
        The ends [m], world axes; in a motion they move with the blocks.
    stiffness : float, optional
        E A [N]: force over strain. Default: inextensible.
    prestress : float, optional
        Force in the given geometry [N]; requires a stiffness.
    strength : float, optional
        Yield force [N]: plastic elongation at constant force. Default: unlimited.
    """

    def __init__(
        self,
        blocks: Any,
        points: Any,
        stiffness: float | None = None,
        prestress: float = 0.0,
        strength: float | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__(name=name)
        try:
            (a, b), (p, q) = blocks, points
        except (TypeError, ValueError):
            raise LoadError("A cable has two blocks and two points.", remedy="Give None for the ground.")
        self.blocks = tuple(None if block is None else block_key(block) for block in (a, b))
        self.points = (vector(p, "first end of a cable"), vector(q, "second end of a cable"))
        self.stiffness = None if stiffness is None else number(stiffness, "stiffness of a cable", above=0.0)
        self.prestress = number(prestress, "prestress of a cable", least=0.0)
        self.strength = None if strength is None else number(strength, "strength of a cable", above=0.0)
        if self.blocks == (None, None) or (a is not None and self.blocks[0] == self.blocks[1]):
            raise LoadError("A cable needs two blocks, or a block and the ground.")
        if not self.length > 0.0:
            raise LoadError("A cable has no length.")
        if self.prestress and self.stiffness is None:
            raise LoadError("An inextensible cable has no prestress.", remedy="Give its stiffness E A.")
        if self.strength is not None and self.prestress > self.strength:
            raise LoadError("The prestress of a cable is above its strength.")

    @property
    def length(self) -> float:
        """In the given geometry [m]."""
        return float(np.linalg.norm(np.subtract(*self.points)))

    def label(self, k: int) -> str:
        """Name in messages and tables: its own, or its number in the case, where it is the k-th from 0."""
        return self._name or "cable {}".format(k + 1)

    def scaled(self, factor: float) -> Cable:
        """A copy with the coordinates of its ends multiplied by `factor`."""
        return Cable(**dict(self.__data__, points=[[factor * c for c in point] for point in self.points]))

    @property
    def __data__(self) -> dict[str, Any]:
        data: dict[str, Any] = {"blocks": list(self.blocks), "points": [list(point) for point in self.points]}
        more: dict[str, Any] = {
            "stiffness": self.stiffness,
            "prestress": self.prestress or None,
            "strength": self.strength,
        }
        more["name"] = self._name
        return dict(data, **{key: value for key, value in more.items() if value is not None})


def to_wire(cables: Sequence[Cable], structure: Any) -> dict[str, np.ndarray]:
    """Cables in a request; a stiffness or strength of 0 is unlimited."""
    ends = [[-1 if key is None else structure.indices([key], LoadError)[0] for key in each.blocks] for each in cables]
    return {
        "block": np.array(ends, np.int32).reshape(-1, 2),
        "point": np.array([each.points for each in cables], float).reshape(-1, 2, 3),
        "stiffness": np.array([each.stiffness or 0.0 for each in cables]),
        "prestress": np.array([each.prestress for each in cables]),
        "strength": np.array([each.strength or 0.0 for each in cables]),
    }
