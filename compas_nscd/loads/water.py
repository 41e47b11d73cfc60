"""Still or flowing water around a structure."""

import numpy as np

from compas_nscd.errors import LoadError
from compas_nscd.loads.checks import Record, listed, number, unit, vector


class Water(Record):
    """Still or flowing water around the blocks: buoyancy of what is below its surface, the push of the current, and the
    push of water that stands higher on one side.

    Parameters
    ----------
    level : float
        Height z of its surface [m].
    flow : sequence of 3 floats, optional
        Velocity of the current [m/s]; what it meets is pushed by drag / 2 rho v^2 per area square to it.
    density : float, optional
        [kg/m3]
    drag : float, optional
        Coefficient of drag [-].
    levels : (times, heights), optional
        In a motion, the height [m] over time instead; linear between the rows.
    behind : float, optional
        Height z [m] at which water stands behind the structure, if it does not at `level`: a dam, a quay, a flooded
        street. Any height below the structure is dry ground.
    towards : "x", "y" or sequence of 2 or 3 floats, optional
        With `behind`: the horizontal direction that the higher water pushes in, from its side to the other.

    Notes
    -----
    Water reaches into all joints, so that every block is lifted by the weight of what it displaces. Faces that another
    block covers are not pushed. Waves, eddies and scour are not in it.

    With `behind`, the front - faces that look against `towards` by more than a degree and that no block covers - bears
    the pressure rho g (level - z), square to it. All else sees the level behind: joints, tops, undersides and the back.
    So there is no uplift in the joints from the higher water, as behind a tight or drained face; what leaks needs a
    load of its own. Each such face is pushed, also one that stands behind another wall, and the levels stay when the
    wall gives way.
    """

    def __init__(
        self,
        level,
        flow=(0.0, 0.0, 0.0),
        density=1000.0,
        drag=2.0,
        levels=None,
        behind=None,
        towards=None,
        name=None,
    ):
        super().__init__(name=name)
        self.level = number(level, "level of the water")
        self.flow = vector(flow, "flow of the water")
        self.density = number(density, "density of the water", above=0.0)
        self.drag = number(drag, "drag of the water", least=0.0)
        self.levels = None if levels is None else listed(levels, "the level of the water")
        self.behind, self.towards = self._sides(behind, towards)

    def _sides(self, behind, towards):
        """The level behind and the direction, checked."""
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
    def __data__(self):
        data = {"level": self.level, "flow": list(self.flow), "density": self.density, "drag": self.drag}
        if self.levels is not None:
            data["levels"] = [list(column) for column in self.levels]
        if self.behind is not None:
            data.update(behind=self.behind, towards=list(self.towards))
        return data

    def scaled(self, factor):
        """The same with all heights times a factor, as for another unit of length; the flow stays."""
        data = self.__data__
        for key in ("level", "behind"):
            if key in data:
                data[key] *= factor
        if self.levels is not None:
            data["levels"] = [data["levels"][0], [factor * height for height in data["levels"][1]]]
        return Water(**data)

    def to_wire(self, varies=False):
        """What the engine takes; with the level over time if it varies."""
        data = {"level": self.level, "flow": np.array(self.flow), "density": self.density, "drag": self.drag}
        if varies and self.levels is not None:
            data.update(times=np.array(self.levels[0]), levels=np.array(self.levels[1]))
        if self.behind is not None:
            data.update(behind=self.behind, towards=np.array(self.towards))
        return data
