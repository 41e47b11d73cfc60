"""A force at a point of a block."""

from __future__ import annotations

from typing import Any

from compas_nscd.loads.checks import LoadData, block_key, listed, vector


class PointLoad(LoadData):
    """A force on a block.

    Parameters
    ----------
    block : int or str
        Index, name or guid.
    point : sequence of 3 floats
        Point of application [m], world axes; in a motion it moves with the block, and the force keeps its direction.
    force : sequence of 3 floats
        [N], world axes.
    history : (times, factors), optional
        Factor of the force over time, in a motion; `sampled` makes it of a function.
    """

    def __init__(self, block: Any, point: Any, force: Any, history: Any = None, name: str | None = None) -> None:
        super().__init__(name=name)
        self.block = block_key(block)
        self.point = vector(point, "point of the load on block {}".format(block))
        self.force = vector(force, "force on block {}".format(block))
        self.history = None if history is None else listed(history, "the history of the load on {}".format(block))

    def scaled(self, factor: float) -> PointLoad:
        """A copy with the coordinates of its point multiplied by `factor`."""
        return PointLoad(self.block, [factor * c for c in self.point], self.force, self.history, self._name)

    @property
    def __data__(self) -> dict[str, Any]:
        data: dict[str, Any] = {"block": self.block, "point": list(self.point), "force": list(self.force)}
        return data if self.history is None else dict(data, history=[list(column) for column in self.history])
