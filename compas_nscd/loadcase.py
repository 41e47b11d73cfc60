"""What acts on a structure: gravity, point loads, moving supports, moving ground. SI units."""

import math
import uuid

import numpy as np
from compas.data import Data

from compas_nscd.errors import LoadError

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
        bound = " above {:g}".format(above) if above is not None else " of at least {:g}".format(least or 0.0)
        raise LoadError("The {} must be a finite number{}, not {:g}.".format(what, bound, out))
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


class _Record(Data):
    """Data that is equal when its content is."""

    def __eq__(self, other):
        return type(other) is type(self) and other.__data__ == self.__data__

    __hash__ = None

    def __repr__(self):
        content = ", ".join("{}={!r}".format(key, value) for key, value in self.__data__.items())
        return "{}({})".format(type(self).__name__, content)


class PointLoad(_Record):
    """A force on a block.

    Parameters
    ----------
    block : int or str
        Index, name or guid.
    point : sequence of 3 floats
        Where it acts [m], world axes.
    force : sequence of 3 floats
        [N], world axes.
    """

    def __init__(self, block, point, force, name=None):
        super().__init__(name=name)
        self.block = block_key(block)
        self.point = vector(point, "point of the load on block {}".format(block))
        self.force = vector(force, "force on block {}".format(block))

    @property
    def __data__(self):
        return {"block": self.block, "point": list(self.point), "force": list(self.force)}


class SupportMotion(_Record):
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


class GroundMotion(_Record):
    """Acceleration that all supports share. Made by `sine`, `half_sine`, `rectangular` or `table`.

    Parameters
    ----------
    kind : {"sine", "half-sine", "rectangular", "table"}
    direction : "x", "y", "z" or sequence of 3 floats
        Made a unit vector.
    acceleration : float, optional
        Amplitude [m/s2]; not for a table.
    frequency : float, optional
        [Hz]; of a sine.
    duration : float, optional
        Length [s] of a pulse; of a sine, if it is to end.
    start : float, optional
        When it begins [s].
    times, values : sequence of float, optional
        The table: ascending times [s] and accelerations [m/s2], linear between them.
    """

    FIELDS = {
        "sine": ("acceleration", "frequency"),
        "half-sine": ("acceleration", "duration"),
        "rectangular": ("acceleration", "duration"),
        "table": ("times", "values"),
    }

    def __init__(
        self,
        kind,
        direction,
        acceleration=None,
        frequency=None,
        duration=None,
        start=0.0,
        times=None,
        values=None,
        name=None,
    ):
        super().__init__(name=name)
        if kind not in self.FIELDS:
            known = "Kinds: {}.".format(", ".join(self.FIELDS))
            raise LoadError("Unknown ground motion {!r:.40}.".format(kind), remedy=known)
        given = dict(acceleration=acceleration, frequency=frequency, duration=duration, times=times, values=values)
        self._check_fields(kind, {key for key, value in given.items() if value is not None})
        self.kind = kind
        self.direction = _unit(direction)
        self.start = number(start, "start of the ground motion", least=0.0)
        self.acceleration = acceleration if acceleration is None else number(acceleration, "ground acceleration")
        self.frequency = frequency if frequency is None else number(frequency, "frequency", above=0.0)
        self.duration = duration if duration is None else number(duration, "duration", above=0.0)
        self.times, self.values = (None, None) if times is None else _table(times, values)

    def _check_fields(self, kind, given):
        needed = set(self.FIELDS[kind])
        allowed = needed | ({"duration"} if kind == "sine" else set())
        for key in sorted(needed - given):
            raise LoadError("A ground motion of kind {} needs {}.".format(kind, key))
        for key in sorted(given - allowed):
            raise LoadError("A ground motion of kind {} has no {}.".format(kind, key))

    @classmethod
    def sine(cls, direction, acceleration, frequency, duration=None, start=0.0):
        """Acceleration a sin(2 pi f (t - start))."""
        return cls("sine", direction, acceleration, frequency, duration, start)

    @classmethod
    def half_sine(cls, direction, acceleration, duration, start=0.0):
        """One positive half wave."""
        return cls("half-sine", direction, acceleration, duration=duration, start=start)

    @classmethod
    def rectangular(cls, direction, acceleration, duration, start=0.0):
        """A constant acceleration for a while."""
        return cls("rectangular", direction, acceleration, duration=duration, start=start)

    @classmethod
    def table(cls, direction, times, values, start=0.0):
        """A record."""
        return cls("table", direction, times=times, values=values, start=start)

    @property
    def __data__(self):
        return {
            "kind": self.kind,
            "direction": list(self.direction),
            "acceleration": self.acceleration,
            "frequency": self.frequency,
            "duration": self.duration,
            "start": self.start,
            "times": self.times,
            "values": self.values,
        }


def _unit(direction):
    named = AXES.get(direction) if isinstance(direction, str) else direction
    axis = vector(named or direction, "direction of the ground motion")
    length = math.sqrt(sum(c * c for c in axis))
    if length == 0.0:
        raise LoadError("The direction of the ground motion has no length.")
    return tuple(c / length for c in axis)


def _table(times, values):
    try:
        t, a = np.array(times, float), np.array(values, float)
    except (TypeError, ValueError):
        raise LoadError("The table of the ground motion must hold numbers.")
    if t.ndim != 1 or t.shape != a.shape or len(t) < 2:
        raise LoadError("The table of the ground motion needs as many times as values, at least two.")
    if not (np.isfinite(t).all() and np.isfinite(a).all()):
        raise LoadError("The table of the ground motion holds numbers that are not finite.")
    if not (np.diff(t) > 0.0).all():
        raise LoadError("The times of the ground motion must ascend.")
    return t.tolist(), a.tolist()


class LoadCase(_Record):
    """What acts on a structure.

    Parameters
    ----------
    gravity : sequence of 3 floats, optional
        [m/s2]
    loads : list of PointLoad, optional
    support_motions : list of SupportMotion, optional
    ground : list of GroundMotion, optional
    name : str, optional
    """

    def __init__(self, gravity=(0.0, 0.0, -9.81), loads=(), support_motions=(), ground=(), name=None):
        super().__init__(name=name)
        self.gravity = vector(gravity, "gravity")
        self.loads = list(loads)
        self.support_motions = list(support_motions)
        self.ground = list(ground)

    @property
    def __data__(self):
        return {
            "gravity": list(self.gravity),
            "loads": [load.__data__ for load in self.loads],
            "support_motions": [motion.__data__ for motion in self.support_motions],
            "ground": [motion.__data__ for motion in self.ground],
        }

    @classmethod
    def __from_data__(cls, data):
        return cls(
            data["gravity"],
            [PointLoad(**load) for load in data["loads"]],
            [SupportMotion(**motion) for motion in data["support_motions"]],
            [GroundMotion(**motion) for motion in data["ground"]],
        )

    def add_point_load(self, block, point, force):
        """Add a force [N] at a point [m] of a block, named by index, name or guid.

        Returns
        -------
        PointLoad
        """
        load = PointLoad(block, point, force)
        self.loads.append(load)
        return load

    def to_wire(self, structure):
        """The arrays the engine takes.

        Raises
        ------
        LoadError
            If a load is on a block that the structure does not have.
        """
        loads = self.loads
        return {
            "gravity": np.array(self.gravity),
            "load_block": np.array(structure.indices([load.block for load in loads], LoadError), np.int32),
            "load_point": np.array([load.point for load in loads], float).reshape(-1, 3),
            "load_force": np.array([load.force for load in loads], float).reshape(-1, 3),
        }
