"""Response spectra of ground motions: linear oscillators, exact for accelerations that are linear between rows.

The state of an oscillator at the end of an interval is a linear function of its state and of the acceleration at both
ends, with coefficients in closed form (Nigam and Jennings, 1969). Peaks between two rows are those of the cubic through
displacements and velocities of both.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from compas_nscd.errors import LoadError

#: Damping ratio of a spectrum unless given [-].
DAMPING = 0.05
#: Longest interval over the period of the oscillator [-]. Larger: the cubic misses peaks, by (2 pi / 80)^4 / 384 = 1e-7
#: of the displacement at 1/80. Smaller: slower.
LONGEST_INTERVAL = 0.0125


class Spectrum(NamedTuple):
    """Greatest responses of oscillators with the periods `period`. (P,) each"""

    period: np.ndarray  # [s]
    displacement: np.ndarray  # [m] relative to the ground
    velocity: np.ndarray  # [m/s] pseudo-velocity, w Sd
    acceleration: np.ndarray  # [m/s2] pseudo-acceleration, w^2 Sd


def response_spectrum(
    times: np.ndarray, acceleration: np.ndarray, periods: Any, damping: float = DAMPING, free: float = 1.0
) -> Spectrum:
    """Response spectrum of an acceleration of the ground.

    Parameters
    ----------
    times, acceleration : array (T,)
        [s], not descending, and [m/s2], linear between the rows; two rows at one time are a jump.
    periods : array-like (P,)
        Of the oscillators [s], above 0.
    damping : float, optional
        Over the critical damping [-], at least 0 and below 1.
    free : float, optional
        Free vibration after the last row that is also searched for the peak [periods].
    """
    period = np.atleast_1d(np.asarray(periods, float))
    if not ((period > 0.0).all() and 0.0 <= damping < 1.0):
        raise LoadError("Periods must be above 0 s, and the damping from 0 to below 1.")
    peak = np.array([_peak(times, acceleration, 2.0 * np.pi / each, damping, free) for each in period])
    omega = 2.0 * np.pi / period
    return Spectrum(period, peak, omega * peak, omega**2 * peak)


def _peak(times: np.ndarray, acceleration: np.ndarray, omega: float, damping: float, free: float) -> float:
    """Greatest displacement of one oscillator [m]."""
    t, a = _refined(times, acceleration, omega, free)
    step = np.diff(t)
    kinds, kind = np.unique(step.round(12), return_inverse=True)
    of_state, of_ground = zip(*(transition(omega, damping, h) for h in kinds))
    forced = np.einsum("kij,kj->ki", np.array(of_ground)[kind], np.column_stack([a[:-1], a[1:]]))
    state = _march(np.array(of_state)[kind], forced)
    return _greatest(state, step)


def _refined(times: np.ndarray, acceleration: np.ndarray, omega: float, free: float) -> tuple[np.ndarray, np.ndarray]:
    """The acceleration with intervals that resolve the oscillator, and with rest after its end."""
    period = 2.0 * np.pi / omega
    end = float(times[-1])
    t = np.concatenate([times, [end, end + free * period]])
    a = np.concatenate([acceleration, [0.0, 0.0]])
    pieces = np.maximum(np.ceil(np.diff(t) / (LONGEST_INTERVAL * period)), 1.0).astype(int)
    of = np.repeat(np.arange(len(pieces)), pieces)
    share = (np.arange(len(of)) - np.repeat(np.cumsum(pieces) - pieces, pieces)) / pieces[of]
    fine_t = np.append(t[of] + share * (t[of + 1] - t[of]), t[-1])
    fine_a = np.append(a[of] + share * (a[of + 1] - a[of]), a[-1])
    return fine_t, fine_a


def transition(omega: float, damping: float, step: float) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients of an interval: of the state (2, 2) and of the accelerations at both ends (2, 2).

    State: displacement [m] and velocity [m/s] of x'' + 2 damping omega x' + omega^2 x = -a(t).
    """
    if step == 0.0:
        return np.eye(2), np.zeros((2, 2))
    z, w, h = damping, omega, step
    wd = w * np.sqrt(1.0 - z * z)
    decay, c, s = np.exp(-z * w * h), np.cos(wd * h), np.sin(wd * h)
    of_state = decay * np.array([[c + z * w / wd * s, s / wd], [-(w * w) / wd * s, c - z * w / wd * s]])
    # Particular solution for -a = -(a0 + q t): x = -(a0 + q t)/w^2 + 2 z q/w^3; the rest of the initial state is free.
    inverse, lag = 1.0 / (w * w), 2.0 * z / w**3
    particular = np.array([[-inverse - lag / h, lag / h], [inverse / h, -inverse / h]])  # at the beginning, of (a0, a1)
    at_end = np.array([[-lag / h, -inverse + lag / h], [inverse / h, -inverse / h]])
    return of_state, at_end - of_state @ particular


def _march(of_state: np.ndarray, forced: np.ndarray) -> np.ndarray:
    """States at all rows, from rest. (T, 2)"""
    rows = [(0.0, 0.0)]
    x = v = 0.0
    for (xx, xv, vx, vv), (fx, fv) in zip(of_state.reshape(-1, 4).tolist(), forced.tolist()):
        x, v = xx * x + xv * v + fx, vx * x + vv * v + fv
        rows.append((x, v))
    return np.array(rows)


def _greatest(state: np.ndarray, step: np.ndarray) -> float:
    """Greatest absolute displacement, also between rows where the velocity changes sign."""
    x, v = state.T
    turns = np.flatnonzero(v[:-1] * v[1:] < 0.0)
    x0, x1, v0, v1, h = x[turns], x[turns + 1], v[turns], v[turns + 1], step[turns]
    # x = x0 + h s v0 + s^2 (3 d - 2 h v0 - h v1) + s^3 (h v0 + h v1 - 2 d), d = x1 - x0; its slope vanishes at s.
    d = x1 - x0
    b, c = 3.0 * d - h * (2.0 * v0 + v1), h * (v0 + v1) - 2.0 * d
    root = np.sqrt(np.maximum(b * b - 3.0 * c * h * v0, 0.0))
    s = -h * v0 / (b + np.where(v0 > 0.0, -root, root))
    between = x0 + s * (h * v0 + s * (b + s * c))
    return float(max(np.abs(x).max(), np.abs(between).max(initial=0.0)))
