"""Intensity of ground motions: peaks, Arias intensity, significant duration, spectral acceleration, rocking."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from compas_nscd.errors import LoadError
from compas_nscd.loads.ground_motion import GroundMotion
from compas_nscd.loads.records import G
from compas_nscd.loads.response_spectrum import DAMPING, response_spectrum

#: Forms of the name of a measure.
FORMS = "pga [g], pgv [m/s], pgd [m], arias [m/s], sa:T [g] of a period T [s], rocking:R [-] of a half diagonal R [m]"


class History(NamedTuple):
    """Acceleration of the ground along its direction, linear between rows; two rows at one time are a jump."""

    times: np.ndarray  # [s] (T,)
    acceleration: np.ndarray  # [m/s2] (T,)


def history(motion: GroundMotion, until: float = 0.0) -> History:
    """Acceleration of a ground motion.

    Parameters
    ----------
    motion : GroundMotion
    until : float, optional
        Of a sine without end: the time that is looked at [s].
    """
    knots = motion.knots(until)
    t, x, v = knots
    h = np.diff(t)
    moving = h > 0.0
    t0, t1, h = t[:-1][moving], t[1:][moving], h[moving]
    rise, v0, v1 = (x[1:] - x[:-1])[moving], v[:-1][moving], v[1:][moving]
    # Second derivatives of the cubic pieces at both ends of each.
    first = (6.0 * rise / h - 4.0 * v0 - 2.0 * v1) / h
    last = (-6.0 * rise / h + 2.0 * v0 + 4.0 * v1) / h
    return History(np.column_stack([t0, t1]).ravel(), np.column_stack([first, last]).ravel())


def peaks(motion: GroundMotion, until: float = 0.0) -> tuple[float, float, float]:
    """PGA [m/s2], PGV [m/s] and PGD [m]; the last two at the rows of the record."""
    knots = motion.knots(until)
    acceleration = np.abs(history(motion, until).acceleration).max(initial=0.0)
    return float(acceleration), float(np.abs(knots.velocity).max()), float(np.abs(knots.displacement).max())


def arias(motion: GroundMotion, until: float = 0.0) -> float:
    """Arias intensity: pi/(2 g) times the integral of a^2 [m/s]."""
    return math.pi / (2.0 * G) * float(_squares(history(motion, until)).sum())


def significant_duration(motion: GroundMotion, low: float = 0.05, high: float = 0.95, until: float = 0.0) -> float:
    """Time between two shares of the Arias intensity [s], 5 to 95 % unless given."""
    found = history(motion, until)
    parts = _squares(found)
    total = np.concatenate([[0.0], np.cumsum(parts)])
    if not total[-1] > 0.0:
        return 0.0
    ends = np.append(found.times[::2], found.times[-1])
    begin, end = np.interp([low, high], total / total[-1], ends)
    return float(end - begin)


def spectral_acceleration(motion: GroundMotion, period: float, damping: float = DAMPING, until: float = 0.0) -> float:
    """Pseudo-acceleration of an oscillator [m/s2]."""
    return float(response_spectrum(*history(motion, until), [period], damping).acceleration[0])


def rocking(motion: GroundMotion, half_diagonal: float, until: float = 0.0) -> float:
    """PGV p/g [-] of a free-standing block, p = sqrt(3 g / (4 R)) with its half diagonal R [m]."""
    return peaks(motion, until)[1] * math.sqrt(0.75 * G / half_diagonal) / G


def intensity(motion: GroundMotion, measure: str = "pga", until: float = 0.0) -> float:
    """Intensity of a ground motion by the name of its measure.

    Parameters
    ----------
    motion : GroundMotion
    measure : str
        pga [g], pgv [m/s], pgd [m], arias [m/s], sa:T [g], rocking:R [-]
    until : float, optional
        Of a sine without end: the time that is looked at [s].

    Raises
    ------
    LoadError
        If there is no such measure.
    """
    kind, number = parse_measure(measure)
    if kind == "sa":
        return spectral_acceleration(motion, number, until=until) / G
    if kind == "rocking":
        return rocking(motion, number, until)
    if kind == "arias":
        return arias(motion, until)
    pga, pgv, pgd = peaks(motion, until)
    return {"pga": pga / G, "pgv": pgv, "pgd": pgd}[kind]


def parse_measure(measure: str) -> tuple[str, float]:
    """Kind of a measure, and its period or half diagonal; 0 without one."""
    kind, colon, said = str(measure).partition(":")
    try:
        number = float(said) if colon else 0.0
    except ValueError:
        number = math.nan
    plain = kind in ("pga", "pgv", "pgd", "arias") and not colon
    if not (plain or (kind in ("sa", "rocking") and math.isfinite(number) and number > 0.0)):
        raise LoadError("There is no measure {!r:.40} of ground motions.".format(measure), remedy="Measures: " + FORMS)
    return kind, number


def scaled(motion: GroundMotion, factor: float) -> GroundMotion:
    """The motion with all its values multiplied."""
    data = motion.__data__
    if motion.kind == "table":
        data["values"] = (factor * np.array(motion.values)).tolist()
    else:
        data["acceleration"] = factor * data["acceleration"]
    return GroundMotion(**data, name=motion._name)


def scale_factor(motion: GroundMotion, measure: str, level: float, until: float = 0.0) -> float:
    """Factor by which a motion reaches a level of a measure; the Arias intensity grows with its square."""
    found = intensity(motion, measure, until)
    if not (math.isfinite(level) and level > 0.0):
        raise LoadError("A level of {!r:.20} cannot be reached.".format(level), remedy="Levels are numbers above 0.")
    if not found > 0.0:
        raise LoadError("The ground motion {} has no {} to scale.".format(motion.name, measure))
    ratio = level / found
    return math.sqrt(ratio) if measure == "arias" else ratio


def _squares(found: History) -> np.ndarray:
    """Integral of a^2 over every interval, a linear in it. (T/2,)"""
    a, b = found.acceleration[::2], found.acceleration[1::2]
    return (found.times[1::2] - found.times[::2]) * (a * a + a * b + b * b) / 3.0
