"""Motions over time as cubic pieces: displacement and velocity at knots, a cubic between them.

A cubic is exact for an acceleration that is linear between the rows of a record, for a constant one (rectangular pulse)
and for a settlement from rest to rest. Sines are sampled so closely that the cubic is off by 3e-9 of the amplitude.

Before the first knot the displacement is that of the first knot; after the last one the velocity is that of the last.
Two knots at the same time are a jump of the velocity.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

#: Knots in a period of a sine. Smaller: the error (2 pi / n)^4 / 384 of the amplitude grows (now 3e-9; 1e-4 of the
#: acceleration). Larger: longer tables.
KNOTS_PER_PERIOD = 200


class Knots(NamedTuple):
    """A motion along one direction; T knots."""

    times: np.ndarray  # [s] (T,): not descending
    displacement: np.ndarray  # [m] (T,)
    velocity: np.ndarray  # [m/s] (T,)


def evaluate(knots: Knots, t: Any) -> tuple[np.ndarray, np.ndarray]:
    """Displacement [m] and velocity [m/s] at times `t` [s], any shape."""
    t = np.asarray(t, float)
    times, x, v = knots
    k = np.searchsorted(times, t, side="right") - 1
    inside = (k >= 0) & (k < len(times) - 1)
    i = np.where(inside, k, 0)
    j = np.minimum(i + 1, len(times) - 1)
    width = np.where(inside, times[j] - times[i], 1.0)
    s = np.where(inside, (t - times[i]) / width, 0.0)
    # x = x0 + (x1 - x0) s^2 (3 - 2 s) + width s (1 - s) [(1 - s) v0 - s v1]
    rise = x[j] - x[i]
    place = x[i] + rise * s * s * (3.0 - 2.0 * s) + width * s * (1.0 - s) * ((1.0 - s) * v[i] - s * v[j])
    speed = rise / width * 6.0 * s * (1.0 - s)
    speed = speed + v[i] * (1.0 - s) * (1.0 - 3.0 * s) + v[j] * s * (3.0 * s - 2.0)
    after = k >= len(times) - 1
    place = np.where(after, x[-1] + v[-1] * (t - times[-1]), np.where(k < 0, x[0], place))
    return place, np.where(after, v[-1], np.where(k < 0, 0.0, speed))


def sine(
    acceleration: float, frequency: float, duration: float, phase: float = 0.0, ease: float = 0.0, ends: bool = True
) -> Knots:
    """A e(t) [sin(w t + phase) - sin(phase)], A = acceleration / w^2.

    Parameters
    ----------
    acceleration : float
        [m/s2]
    frequency : float
        [Hz]
    duration : float
        [s]
    phase : float, optional
        [rad]; 0: the motion starts with its greatest velocity.
    ease : float, optional
        Time in which the envelope e rises from 0 to 1 [s].
    ends : bool, optional
        Stop after `duration`. If False, the knots do not depend on the duration but for their number.
    """
    omega = 2.0 * np.pi * frequency
    amplitude = acceleration / omega**2
    count = max(1, int(np.ceil(KNOTS_PER_PERIOD * frequency * duration)))
    t = np.linspace(0.0, duration, count + 1) if ends else np.arange(count + 2) / (KNOTS_PER_PERIOD * frequency)
    wave, slope = np.sin(omega * t + phase) - np.sin(phase), omega * np.cos(omega * t + phase)
    s = np.minimum(t / ease, 1.0) if ease > 0.0 else np.ones_like(t)
    envelope = s * s * (3.0 - 2.0 * s)
    growth = 6.0 * s * (1.0 - s) / ease if ease > 0.0 else 0.0
    x, v = amplitude * envelope * wave, amplitude * (growth * wave + envelope * slope)
    return _stopped(t, x, v) if ends else Knots(t, x, v)


def half_sine(acceleration: float, duration: float) -> Knots:
    """Acceleration a sin(pi t / duration); the final velocity remains."""
    t = np.linspace(0.0, duration, KNOTS_PER_PERIOD // 2 + 1)
    omega = np.pi / duration
    speed = acceleration / omega
    return Knots(t, speed * (t - np.sin(omega * t) / omega), speed * (1.0 - np.cos(omega * t)))


def rectangular(acceleration: float, duration: float) -> Knots:
    """A constant acceleration; the final velocity remains."""
    return from_acceleration(np.array([0.0, duration]), np.array([acceleration, acceleration]))


def from_acceleration(times: np.ndarray, values: np.ndarray) -> Knots:
    """From rest, with an acceleration [m/s2] linear between the rows."""
    h = np.diff(times)
    a, b = values[:-1], values[1:]
    v = np.concatenate([[0.0], np.cumsum(0.5 * h * (a + b))])
    x = np.concatenate([[0.0], np.cumsum(h * v[:-1] + h * h * (2.0 * a + b) / 6.0)])
    return Knots(times, x, v)


def from_velocity(times: np.ndarray, values: np.ndarray) -> Knots:
    """With a velocity [m/s] linear between the rows."""
    x = np.concatenate([[0.0], np.cumsum(0.5 * np.diff(times) * (values[:-1] + values[1:]))])
    return Knots(times, x, values)


def from_displacement(times: np.ndarray, values: np.ndarray) -> Knots:
    """Through displacements [m], by the natural cubic spline (zero acceleration at both ends).

    Displacements count from the first row; after the last row the motion stops.
    """
    x = values - values[0]
    h = np.diff(times)
    if len(times) == 2:
        return _stopped(times, x, np.full(2, (x[1] - x[0]) / h[0]))
    slope = np.diff(x) / h
    # v[i-1]/h[i-1] + 2 v[i] (1/h[i-1] + 1/h[i]) + v[i+1]/h[i] = 3 (slope[i-1]/h[i-1] + slope[i]/h[i])
    side = 1.0 / h
    middle = np.concatenate([[2.0 * side[0]], 2.0 * (side[:-1] + side[1:]), [2.0 * side[-1]]])
    right = 3.0 * side * slope
    right = np.concatenate([[right[0]], right[:-1] + right[1:], [right[-1]]])
    return _stopped(times, x, _tridiagonal(side, middle, right))


def settlement(duration: float) -> Knots:
    """From 0 to 1 in `duration` [s], at rest before and after."""
    return Knots(np.array([0.0, duration]), np.array([0.0, 1.0]), np.zeros(2))


def _stopped(times: np.ndarray, displacement: np.ndarray, velocity: np.ndarray) -> Knots:
    """The motion with zero velocity after its last knot."""
    return Knots(np.append(times, times[-1]), np.append(displacement, displacement[-1]), np.append(velocity, 0.0))


def _tridiagonal(off_diagonal: np.ndarray, diagonal: np.ndarray, rhs: np.ndarray) -> np.ndarray:
    """Solve a symmetric, diagonally dominant tridiagonal system by the Thomas algorithm."""
    side, middle, right = off_diagonal.tolist(), diagonal.tolist(), rhs.tolist()
    for i in range(1, len(middle)):
        share = side[i - 1] / middle[i - 1]
        middle[i] -= share * side[i - 1]
        right[i] -= share * right[i - 1]
    right[-1] /= middle[-1]
    for i in range(len(middle) - 2, -1, -1):
        right[i] = (right[i] - side[i] * right[i + 1]) / middle[i]
    return np.array(right)
