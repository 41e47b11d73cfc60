"""Still or flowing water around a structure."""

from __future__ import annotations

from typing import Any

import numpy as np

from compas_nscd.errors import LoadError
from compas_nscd.loads.checks import LoadData, listed, number, unit, vector


class Water(LoadData):
    """Still or flowing water around the blocks: buoyancy below the surface, drag of the current, and the pressure of
    water that stands higher on one side.

    Parameters
    ----------
    level : float
        Height z of the surface [m].
    flow : sequence of 3 floats, optional
        Velocity of the current [m/s]; the pressure on the area projected normal to it is drag / 2 rho v^2.
    density : float, optional
        [kg/m3]
    drag : float, optional
        Coefficient of drag [-].
    levels : (times, heights), optional
        In a motion, the level [m] over time; linear between the rows.
    behind : float, optional
        Level z [m] behind the structure if it differs from `level`: a dam, a quay, a flooded street. Any level below
        the structure means dry ground.
    towards : "x", "y" or sequence of 2 or 3 floats, optional
        With `behind`: horizontal direction of the pressure of the higher water.

    Notes
    -----
    Water fills all joints, so that every block has the buoyancy of its displaced volume. Faces covered by another block
    have no drag. Waves, eddies and scour are not modelled.

    With `behind`, the pressure rho g (level - z) acts normal to the front: faces that are not covered by a block and
    look against `towards` by more than a degree. Joints, tops, undersides and the back have the level behind. So the
    higher water causes no uplift in the joints, as behind a tight or drained face; leakage needs a load of its own.
    The pressure also acts on front faces that stand behind another wall, and the levels do not change in a collapse.
    """

    def __init__(
        self,
        level: float,
        flow: Any = (0.0, 0.0, 0.0),
        density: float = 1000.0,
        drag: float = 2.0,
        levels: Any = None,
        behind: float | None = None,
        towards: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__(name=name)
        self.level = number(level, "level of the water")
        self.flow = vector(flow, "flow of the water")
        self.density = number(density, "density of the water", above=0.0)
        self.drag = number(drag, "drag of the water", least=0.0)
        self.levels = None if levels is None else listed(levels, "the level of the water")
        self.behind, self.towards = self._sides(behind, towards)

    def _sides(self, behind: Any, towards: Any) -> tuple[float | None, tuple[float, float, float] | None]:
        """Check the level behind and the direction."""
        if behind is None and towards is None:
            return None, None
        if behind is None or towards is None:
            given, missing = ("behind", "towards") if towards is None else ("towards", "behind")
            text = "The water has `{}` but not `{}`.".format(given, missing)
            raise LoadError(text, remedy="Give both, for example behind=0.0, towards=(1, 0, 0).")
        behind = number(behind, "level behind")
        if behind > self.level:
            text = "The water behind, at {:g} m, is above that in front, at {:g} m.".format(behind, self.level)
            raise LoadError(text, remedy="Exchange the two and turn `towards` round.")
        flat = isinstance(towards, (list, tuple, np.ndarray)) and len(towards) == 2
        axis = unit(tuple(towards) + (0.0,) if flat else towards)
        if axis[2] != 0.0:
            text = "The water cannot push towards {!r:.60}, which is not horizontal.".format(towards)
            raise LoadError(text, remedy="Give x, y or a direction without height: (1, 0, 0).")
        return behind, axis

    @property
    def __data__(self) -> dict[str, Any]:
        data: dict[str, Any] = {
            "level": self.level,
            "flow": list(self.flow),
            "density": self.density,
            "drag": self.drag,
        }
        if self.levels is not None:
            data["levels"] = [list(column) for column in self.levels]
        if self.towards is not None:
            data.update(behind=self.behind, towards=list(self.towards))
        return data

    def scaled(self, factor: float) -> Water:
        """A copy with all levels multiplied by `factor`, for another unit of length; the flow does not change."""
        data = self.__data__
        for key in ("level", "behind"):
            if key in data:
                data[key] *= factor
        if self.levels is not None:
            data["levels"] = [data["levels"][0], [factor * height for height in data["levels"][1]]]
        return Water(**data)

    def to_wire(self, varies: bool = False) -> dict[str, Any]:
        """The water in a request; `varies`: with the level over time."""
        data: dict[str, Any] = {
            "level": self.level,
            "flow": np.array(self.flow),
            "density": self.density,
            "drag": self.drag,
        }
        if varies and self.levels is not None:
            data.update(times=np.array(self.levels[0]), levels=np.array(self.levels[1]))
        if self.behind is not None:
            data.update(behind=self.behind, towards=np.array(self.towards))
        return data
