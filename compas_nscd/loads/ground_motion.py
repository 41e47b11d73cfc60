"""Motions of the ground: sines, pulses, records, waves. SI units."""

import math

import numpy as np

from compas_nscd.errors import LoadError
from compas_nscd.loads import waveforms
from compas_nscd.loads.baseline import correct_baseline
from compas_nscd.loads.checks import MAX_ROWS, Record, block_key, listed, maybe, number, unit
from compas_nscd.loads.records import read_record


class GroundMotion(Record):
    """A motion that supports share. Made by `sine`, `half_sine`, `rectangular`, `table` or `from_file`.

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
        The table: ascending times [s] and values in SI units, linear between them.
    quantity : {"acceleration", "velocity", "displacement"}, optional
        What the table holds.
    baseline : bool, optional
        Of a table of accelerations: take a straight line off, so that neither velocity nor displacement remain; what
        was taken off stands in `correction`.
    phase, ease : float, optional
        Of a sine: [degrees], and the time over which it grows to its amplitude [s].
    supports : list of int or str, optional
        Those that move so; default all.
    speed, travel : float, and as `direction`, optional
        A wave that passes with this speed [m/s] in this direction: supports farther along move later.
    """

    FIELDS = {
        "sine": (("acceleration", "frequency"), ("duration", "phase", "ease")),
        "half-sine": (("acceleration", "duration"), ()),
        "rectangular": (("acceleration", "duration"), ()),
        "table": (("times", "values"), ("quantity", "baseline")),
    }
    QUANTITIES = ("acceleration", "velocity", "displacement")

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
        quantity=None,
        baseline=None,
        phase=None,
        ease=None,
        supports=None,
        speed=None,
        travel=None,
        name=None,
    ):
        super().__init__(name=name)
        if kind not in self.FIELDS:
            known = "Kinds: {}.".format(", ".join(self.FIELDS))
            raise LoadError("Unknown ground motion {!r:.40}.".format(kind), remedy=known)
        given = dict(
            acceleration=acceleration,
            frequency=frequency,
            duration=duration,
            times=times,
            values=values,
            quantity=quantity,
            baseline=baseline,
            phase=phase,
            ease=ease,
        )
        self._check_fields(kind, {key for key, value in given.items() if value is not None})
        self.kind = kind
        self.direction = unit(direction)
        self.start = number(start, "start of the ground motion", least=0.0)
        self.acceleration = maybe(acceleration, "ground acceleration")
        self.frequency = maybe(frequency, "frequency of the ground motion", above=0.0)
        self.duration = maybe(duration, "duration of the ground motion", above=0.0)
        self.phase = maybe(phase, "phase of the ground motion")
        self.ease = maybe(ease, "ease of the ground motion", least=0.0)
        self.times, self.values = (None, None) if times is None else listed((times, values), "the ground motion")
        if self.times is not None and self.times[0] < 0.0:
            raise LoadError(
                "The times of the ground motion begin at {:g} s, before anything moves.".format(self.times[0]),
                remedy="Shift them so that they begin at 0 s or later.",
            )
        self.quantity = quantity if quantity is not None or kind != "table" else "acceleration"
        self.baseline = baseline
        if self.quantity not in (None,) + self.QUANTITIES or (baseline and self.quantity != "acceleration"):
            raise LoadError(
                "A table of {!r:.40} {}.".format(quantity, "has no base line" if baseline else "is not known"),
                remedy="Quantities: {}.".format(", ".join(self.QUANTITIES)),
            )
        self.supports = None if supports is None else _keys(supports)
        self.speed = maybe(speed, "speed of the wave", above=0.0)
        self.travel = None if travel is None else unit(travel)
        if (speed is None) != (travel is None):
            raise LoadError("A wave needs both a speed and a direction of travel.", remedy="Give speed and travel.")

    def _check_fields(self, kind, given):
        needed, optional = self.FIELDS[kind]
        for key in sorted(set(needed) - given):
            raise LoadError("A ground motion of kind {} needs {}.".format(kind, key))
        for key in sorted(given - set(needed) - set(optional)):
            raise LoadError("A ground motion of kind {} has no {}.".format(kind, key))

    @classmethod
    def sine(cls, direction, acceleration, frequency, duration=None, start=0.0, **options):
        """Displacement A sin(2 pi f (t - start)), A = acceleration / (2 pi f)^2: it starts with its greatest speed,
        as a shaking table that is switched on; with phase=90 it starts from rest, with `ease` gently."""
        return cls("sine", direction, acceleration, frequency, duration, start, **options)

    @classmethod
    def half_sine(cls, direction, acceleration, duration, start=0.0, **options):
        """One positive half wave of acceleration; the velocity that it leaves stays."""
        return cls("half-sine", direction, acceleration, duration=duration, start=start, **options)

    @classmethod
    def rectangular(cls, direction, acceleration, duration, start=0.0, **options):
        """A constant acceleration for a while; the velocity that it leaves stays."""
        return cls("rectangular", direction, acceleration, duration=duration, start=start, **options)

    @classmethod
    def table(cls, direction, times, values, start=0.0, quantity=None, **options):
        """A record in SI units."""
        return cls("table", direction, times=times, values=values, start=start, quantity=quantity, **options)

    @classmethod
    def from_file(cls, path, direction, units=None, quantity=None, baseline=None, **options):
        """A record in a file, CSV or PEER .at2; see `ground_motion.read_record`.

        Parameters
        ----------
        baseline : bool, optional
            Default: yes for accelerations.
        """
        record = read_record(path, units, quantity)
        if baseline is None:
            baseline = record.quantity == "acceleration"
        options = dict(options, baseline=baseline or None, name=record.name)
        return cls("table", direction, times=record.times, values=record.values, quantity=record.quantity, **options)

    @property
    def correction(self):
        """What the correction of the base line took off; None if there is none. See `ground_motion`."""
        if not self.baseline:
            return None
        return correct_baseline(np.array(self.times), np.array(self.values))[1]

    def knots(self, until):
        """The displacement along the direction as cubic pieces up to a time [s]: a `waveforms.Knots`."""
        if self.kind == "sine":
            most = max(until - self.start, 1.0 / self.frequency)
            length = most if self.duration is None else self.duration
            self._check_rows(length)
            phase = math.radians(self.phase or 0.0)
            ends = self.duration is not None
            found = waveforms.sine(self.acceleration, self.frequency, length, phase, self.ease or 0.0, ends)
        elif self.kind == "half-sine":
            found = waveforms.half_sine(self.acceleration, self.duration)
        elif self.kind == "rectangular":
            found = waveforms.rectangular(self.acceleration, self.duration)
        else:
            t, a = np.array(self.times), np.array(self.values)
            a = correct_baseline(t, a)[0] if self.baseline else a
            found = getattr(waveforms, "from_" + self.quantity)(t, a)
        return found._replace(times=found.times + self.start)

    def _check_rows(self, length):
        rows = waveforms.KNOTS_PER_PERIOD * self.frequency * length
        if rows > MAX_ROWS:
            line = "A sine of {:g} Hz over {:g} s would be a table of {:.3g} rows; the limit is {:.3g}."
            raise LoadError(
                line.format(self.frequency, length, rows, MAX_ROWS),
                remedy="Take a shorter duration or a lower frequency.",
                rows=rows,
                limit=MAX_ROWS,
            )

    @property
    def __data__(self):
        data = {
            "kind": self.kind,
            "direction": list(self.direction),
            "acceleration": self.acceleration,
            "frequency": self.frequency,
            "duration": self.duration,
            "start": self.start,
            "times": self.times,
            "values": self.values,
        }
        more = ("quantity", "baseline", "phase", "ease", "supports", "speed", "travel")
        data.update((key, getattr(self, key)) for key in more if getattr(self, key) is not None)
        return data


def _keys(supports):
    """How a motion names its supports; one may stand for itself."""
    alone = isinstance(supports, (str, int))
    keys = [block_key(block) for block in ([supports] if alone else supports)]
    if not keys:
        raise LoadError("The ground motion moves no support.", remedy="Name one, or leave supports out for all.")
    return keys
