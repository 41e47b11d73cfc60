"""Loads on single blocks and on all of them: forces, accelerations, supports that move, water. SI units.

Functions of time are tables, linear between their rows: `sampled` makes one of any Python function.
"""

import math
import uuid

import numpy as np
from compas.data import Data

from compas_nscd.errors import LoadError
from compas_nscd.loads.records import MAX_ROWS, checked_table

AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def vector(value, what):
    """Three finite numbers, as a tuple of float, or a LoadError that says which ones are not."""
    try:
        x, y, z = (float(c) for c in value)
    except (TypeError, ValueError):
        raise LoadError("The {} must be three numbers, not {!r:.60}.".format(what, value))
    if not all(map(math.isfinite, (x, y, z))):
        raise LoadError("The {} is not finite: {!r:.60}.".format(what, value), remedy="Give three finite numbers.")
    return (x, y, z)


def number(value, what, above=None, least=None):
    """A finite number in range, or a LoadError."""
    try:
        out = float(value)
    except (TypeError, ValueError):
        raise LoadError("The {} must be a number, not {!r:.60}.".format(what, value))
    if not math.isfinite(out) or (above is not None and out <= above) or (least is not None and out < least):
        bounds = [text.format(b) for text, b in ((" above {:g}", above), (" of at least {:g}", least)) if b is not None]
        raise LoadError("The {} must be a finite number{}, not {:g}.".format(what, "".join(bounds), out))
    return out


def block_key(block):
    """How a load names its block: an index, a name or a guid."""
    if isinstance(block, (str, uuid.UUID)):
        return str(block)
    if isinstance(block, (int, np.integer)) and not isinstance(block, bool):
        return int(block)
    raise LoadError(
        "A load must name its block, not {!r:.60}.".format(block),
        remedy="Give the index of the block, its name or its guid.",
    )


def unit(direction):
    if isinstance(direction, str) and direction not in AXES:
        text = "The direction {!r:.20} is not known.".format(direction)
        raise LoadError(text, remedy="Give x, y, z or three numbers.")
    axis = vector(AXES[direction] if isinstance(direction, str) else direction, "direction")
    length = math.sqrt(sum(c * c for c in axis))
    if length == 0.0:
        raise LoadError("The direction has no length.", remedy="Give x, y, z or three numbers that are not all 0.")
    return tuple(c / length for c in axis)


def listed(table, what):
    try:
        times, values = table
    except (TypeError, ValueError):
        raise LoadError("{} must be a pair of times and values.".format(what.capitalize()))
    t, a = checked_table(times, values, what)
    return t.tolist(), a.tolist()


def all_of(kind, items, what):
    """A list of objects of one class, or a LoadError that says what is not one."""
    found = [items] if isinstance(items, kind) else items
    try:
        found = list(found)
    except TypeError:
        found = [items]
    wrong = [item for item in found if not isinstance(item, kind)]
    if wrong:
        raise LoadError("{} must be a list of {}, not of {!r:.60}.".format(what, kind.__name__, wrong[0]))
    return found


def maybe(value, what, **bounds):
    return None if value is None else number(value, what, **bounds)


def sampled(function, duration, step=1e-3):
    """The table of a function of time.

    Parameters
    ----------
    function : callable
        Takes seconds, gives a number or three.
    duration : float
        [s]
    step : float, optional
        Between two rows [s].

    Returns
    -------
    tuple of list
        Times and values.
    """
    rows = number(duration, "duration", above=0.0) / number(step, "step", above=0.0)
    if rows > MAX_ROWS:
        line = "A table of {:g} s every {:g} s has {:.3g} rows, over the limit of {:.3g}."
        raise LoadError(line.format(duration, step, rows, MAX_ROWS), remedy="Take a longer step.")
    count = int(math.ceil(rows)) + 1
    times = np.linspace(0.0, duration, max(count, 2)).tolist()
    return times, [function(t) for t in times]


class Record(Data):
    """Data that is equal when its content is."""

    def __eq__(self, other):
        return type(other) is type(self) and other.__data__ == self.__data__

    __hash__ = None

    def __repr__(self):
        content = ", ".join("{}={!r}".format(key, value) for key, value in self.__data__.items())
        return "{}({})".format(type(self).__name__, content)


class PointLoad(Record):
    """A force on a block.

    Parameters
    ----------
    block : int or str
        Index, name or guid.
    point : sequence of 3 floats
        Where it acts [m], world axes; in motion it moves with the block, and the force keeps its direction.
    force : sequence of 3 floats
        [N], world axes.
    history : (times, factors), optional
        What the force is multiplied with over time, in motion; `sampled` makes it of a function.
    """

    def __init__(self, block, point, force, history=None, name=None):
        super().__init__(name=name)
        self.block = block_key(block)
        self.point = vector(point, "point of the load on block {}".format(block))
        self.force = vector(force, "force on block {}".format(block))
        self.history = None if history is None else listed(history, "the history of the load on {}".format(block))

    @property
    def __data__(self):
        data = {"block": self.block, "point": list(self.point), "force": list(self.force)}
        return data if self.history is None else dict(data, history=[list(column) for column in self.history])


class BodyAcceleration(Record):
    """An acceleration of all free blocks over time, on top of gravity: what a tilting or shaking frame feels.

    Parameters
    ----------
    direction : "x", "y", "z" or sequence of 3 floats
        Made a unit vector.
    times, values : sequence of float
        [s], ascending, and [m/s2].
    """

    def __init__(self, direction, times, values, name=None):
        super().__init__(name=name)
        self.direction = unit(direction)
        self.times, self.values = listed((times, values), "the body acceleration")

    @property
    def __data__(self):
        return {"direction": list(self.direction), "times": self.times, "values": self.values}


class SupportMotion(Record):
    """A support that moves by itself: settlement or spreading. It goes from rest to rest.

    Parameters
    ----------
    block : int or str
        A support: index, name or guid.
    displacement : sequence of 3 floats
        Total displacement [m].
    duration : float
        Time it takes [s].
    rotation : sequence of 3 floats, optional
        Total rotation vector about the centroid [rad].
    start : float, optional
        When it begins [s].
    """

    def __init__(self, block, displacement, duration, rotation=(0.0, 0.0, 0.0), start=0.0, name=None):
        super().__init__(name=name)
        self.block = block_key(block)
        self.displacement = vector(displacement, "displacement of support {}".format(block))
        self.duration = number(duration, "duration of the motion of support {}".format(block), above=0.0)
        self.rotation = vector(rotation, "rotation of support {}".format(block))
        self.start = number(start, "start of the motion of support {}".format(block), least=0.0)

    @property
    def __data__(self):
        return {
            "block": self.block,
            "displacement": list(self.displacement),
            "duration": self.duration,
            "rotation": list(self.rotation),
            "start": self.start,
        }


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
