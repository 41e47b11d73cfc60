"""A prescribed motion of one support."""

from __future__ import annotations

from typing import Any

from compas_nscd.loads.checks import LoadData, block_key, number, vector


class SupportMotion(LoadData):
    """Settlement or spreading of a support, from rest to rest.

    Parameters
    ----------
    block : int or str
        A support: index, name or guid.
    displacement : sequence of 3 floats
        Total displacement [m].
    duration : float
        [s]
    rotation : sequence of 3 floats, optional
        Total rotation vector about the centroid [rad].
    start : float, optional
        Time at which it begins [s].
    """

    def __init__(
        self,
        block: Any,
        displacement: Any,
        duration: float,
        rotation: Any = (0.0, 0.0, 0.0),
        start: float = 0.0,
        name: str | None = None,
    ) -> None:
        super().__init__(name=name)
        self.block = block_key(block)
        self.displacement = vector(displacement, "displacement of support {}".format(block))
        self.duration = number(duration, "duration of the motion of support {}".format(block), above=0.0)
        self.rotation = vector(rotation, "rotation of support {}".format(block))
        self.start = number(start, "start of the motion of support {}".format(block), least=0.0)

    @property
    def __data__(self) -> dict[str, Any]:
        return {
            "block": self.block,
            "displacement": list(self.displacement),
            "duration": self.duration,
            "rotation": list(self.rotation),
            "start": self.start,
        }
