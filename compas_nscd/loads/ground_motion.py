"""Ground motions: sines, pulses, records, travelling waves. SI units."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from compas_nscd.errors import LoadError
from compas_nscd.loads import waveforms
from compas_nscd.loads.baseline import correct_baseline
from compas_nscd.loads.checks import MAX_ROWS, LoadData, block_key, listed, maybe, number, unit
from compas_nscd.loads.records import read_record


class GroundMotion(LoadData):
    """A common motion of supports. Made by `sine`, `half_sine`, `rectangular`, `table` or `from_file`.

    Parameters
    ----------
    kind : {"sine", "half-sine", "rectangular", "table"}
    direction : "x", "y", "z" or sequence of 3 floats
        Normalised.
    acceleration : float, optional
        Amplitude [m/s2]; not for a table.
    frequency : float, optional
        [Hz]; of a sine.
    duration : float, optional
        Of a pulse [s]; of a sine that ends.
    start : float, optional
        Time at which it begins [s].
    times, values : sequence of float, optional
        The table: ascending times [s] and values in SI units, linear between them.
    quantity : {"acceleration", "velocity", "displacement"}, optional
        Of the values; default acceleration.
    baseline : bool, optional
        Of a table of accelerations: baseline correction, so that the final velocity and displacement are zero; see
        `correction`.
    phase, ease : float, optional
        Of a sine: [degrees], and the time over which the amplitude increases from zero [s].
    supports : list of int or str, optional
        By index, name or guid; default all.
    speed, travel : float, and as `direction`, optional
        Speed [m/s] and direction of a travelling wave: supports farther along move later.
    """

    #: Required and optional arguments by kind.
    FIELDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
        "sine": (("acceleration", "frequency"), ("duration", "phase", "ease")),
        "half-sine": (("acceleration", "duration"), ()),
        "rectangular": (("acceleration", "duration"), ()),
        "table": (("times", "values"), ("quantity", "baseline")),
    }
    QUANTITIES = ("acceleration", "velocity", "displacement")

    def __init__(
        self,
        kind: str,
        direction: Any,
        acceleration: float | None = None,
        frequency: float | None = None,
        duration: float | None = None,
        start: float = 0.0,
        times: Sequence[float] | None = None,
        values: Sequence[float] | None = None,
        quantity: str | None = None,
        baseline: bool | None = None,
        phase: float | None = None,
        ease: float | None = None,
        supports: Any = None,
        speed: float | None = None,
        travel: Any = None,
        name: str | None = None,
    ) -> None:
        super().__init__(name=name)
        given: dict[str, Any] = {
            "acceleration": acceleration,
            "frequency": frequency,
            "duration": duration,
            "phase": phase,
        }
        given.update(ease=ease, times=times, values=values, quantity=quantity, baseline=baseline)
        _check_fields(kind, {key for key, value in given.items() if value is not None})
        self.kind = kind
        self.direction = unit(direction)
        self.start = number(start, "start of the ground motion", least=0.0)
        self.acceleration = maybe(acceleration, "ground acceleration")
        self.frequency = maybe(frequency, "frequency of the ground motion", above=0.0)
        self.duration = maybe(duration, "duration of the ground motion", above=0.0)
        self.phase = maybe(phase, "phase of the ground motion")
        self.ease = maybe(ease, "ease of the ground motion", least=0.0)
        self.times: list[float] | None = None
        self.values: list[float] | None = None
        if times is not None:
            self.times, self.values = _table(times, values)
        self.quantity = _quantity(quantity, baseline) if kind == "table" else quantity
        self.baseline = baseline
        self.supports = None if supports is None else _keys(supports)
        self.speed = maybe(speed, "speed of the wave", above=0.0)
        self.travel = None if travel is None else unit(travel)
        if (speed is None) != (travel is None):
            raise LoadError("A wave needs both a speed and a direction of travel.", remedy="Give speed and travel.")

    @classmethod
    def sine(
        cls,
        direction: Any,
        acceleration: float,
        frequency: float,
        duration: float | None = None,
        start: float = 0.0,
        **options: Any,
    ) -> GroundMotion:
        """Displacement A sin(2 pi f (t - start)), A = acceleration / (2 pi f)^2.

        It starts with its greatest velocity, like a shaking table that is switched on; with phase=90 it starts from
        rest, with `ease` from zero amplitude.
        """
        return cls("sine", direction, acceleration, frequency, duration, start, **options)

    @classmethod
    def half_sine(
        cls, direction: Any, acceleration: float, duration: float, start: float = 0.0, **options: Any
    ) -> GroundMotion:
        """One positive half wave of acceleration; the ground keeps its final velocity."""
        return cls("half-sine", direction, acceleration, duration=duration, start=start, **options)

    @classmethod
    def rectangular(
        cls, direction: Any, acceleration: float, duration: float, start: float = 0.0, **options: Any
    ) -> GroundMotion:
        """A constant acceleration; the ground keeps its final velocity."""
        return cls("rectangular", direction, acceleration, duration=duration, start=start, **options)

    @classmethod
    def table(
        cls,
        direction: Any,
        times: Sequence[float],
        values: Sequence[float],
        start: float = 0.0,
        quantity: str | None = None,
        **options: Any,
    ) -> GroundMotion:
        """A record in SI units."""
        return cls("table", direction, times=times, values=values, start=start, quantity=quantity, **options)

    @classmethod
    def from_file(
        cls,
        path: str | Path,
        direction: Any,
        units: str | None = None,
        quantity: str | None = None,
        baseline: bool | None = None,
        **options: Any,
    ) -> GroundMotion:
        """A record in a file, CSV or PEER .at2; see `loads.records.read_record`.

        Parameters
        ----------
        baseline : bool, optional
            Default: True for accelerations.
        """
        record = read_record(path, units, quantity)
        if baseline is None:
            baseline = record.quantity == "acceleration"
        options = dict(options, baseline=baseline or None, name=record.name)
        times, values = record.times.tolist(), record.values.tolist()
        return cls("table", direction, times=times, values=values, quantity=record.quantity, **options)

    @property
    def correction(self) -> dict[str, Any] | None:
        """The baseline correction, see `loads.baseline.correct_baseline`; None without one."""
        if not self.baseline:
            return None
        return correct_baseline(np.array(self.times), np.array(self.values))[1]

    def knots(self, until: float) -> waveforms.Knots:
        """The displacement along the direction as cubic pieces up to a time [s]."""
        if self.kind == "sine":
            found = self._sine(until)
        elif self.kind == "table":
            t, a = np.array(self.times), np.array(self.values)
            a = correct_baseline(t, a)[0] if self.baseline else a
            found = getattr(waveforms, "from_{}".format(self.quantity))(t, a)
        else:
            assert self.acceleration is not None and self.duration is not None  # FIELDS
            pulse = waveforms.half_sine if self.kind == "half-sine" else waveforms.rectangular
            found = pulse(self.acceleration, self.duration)
        return found._replace(times=found.times + self.start)

    def _sine(self, until: float) -> waveforms.Knots:
        assert self.acceleration is not None and self.frequency is not None  # FIELDS
        most = max(until - self.start, 1.0 / self.frequency)
        length = most if self.duration is None else self.duration
        rows = waveforms.KNOTS_PER_PERIOD * self.frequency * length
        if rows > MAX_ROWS:
            line = "A sine of {:g} Hz over {:g} s would be a table of {:.3g} rows; the limit is {:.3g}."
            raise LoadError(
                line.format(self.frequency, length, rows, MAX_ROWS),
                remedy="Take a shorter duration or a lower frequency.",
                rows=rows,
                limit=MAX_ROWS,
            )
        phase = math.radians(self.phase or 0.0)
        ends = self.duration is not None
        return waveforms.sine(self.acceleration, self.frequency, length, phase, self.ease or 0.0, ends)

    @property
    def __data__(self) -> dict[str, Any]:
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


def _check_fields(kind: str, given: set[str]) -> None:
    """Raise a LoadError if an argument is missing, or does not belong to the kind."""
    if kind not in GroundMotion.FIELDS:
        known = "Kinds: {}.".format(", ".join(GroundMotion.FIELDS))
        raise LoadError("Unknown ground motion {!r:.40}.".format(kind), remedy=known)
    needed, optional = GroundMotion.FIELDS[kind]
    for key in sorted(set(needed) - given):
        raise LoadError("A ground motion of kind {} needs {}.".format(kind, key))
    for key in sorted(given - set(needed) - set(optional)):
        raise LoadError("A ground motion of kind {} has no {}.".format(kind, key))


def _table(times: Any, values: Any) -> tuple[list[float], list[float]]:
    """Times and values of a record, checked."""
    found = listed((times, values), "the ground motion")
    if found[0][0] < 0.0:
        raise LoadError(
            "The times of the ground motion begin at {:g} s, before the motion.".format(found[0][0]),
            remedy="Shift them so that they begin at 0 s or later.",
        )
    return found


def _quantity(quantity: str | None, baseline: bool | None) -> str:
    """The quantity of a table, acceleration unless given."""
    found = "acceleration" if quantity is None else quantity
    if found not in GroundMotion.QUANTITIES or (baseline and found != "acceleration"):
        raise LoadError(
            "A table of {!r:.40} {}.".format(quantity, "has no base line" if baseline else "is not known"),
            remedy="Quantities: {}.".format(", ".join(GroundMotion.QUANTITIES)),
        )
    return found


def _keys(supports: Any) -> list[int | str]:
    """Keys of supports, also of a single one."""
    alone = isinstance(supports, (str, int))
    keys = [block_key(block) for block in ([supports] if alone else supports)]
    if not keys:
        raise LoadError("The ground motion moves no support.", remedy="Name one, or leave supports out for all.")
    return keys
