"""Synthetic accelerograms: filtered noise with an envelope, made from a seed.

White noise passes the filter of Kanai and Tajimi (an oscillator for the ground) and the high-pass filter of Clough and
Penzien, and is multiplied by an envelope that rises, stays and decays. Ground frequency, damping and durations vary
from record to record around stated medians. The records are no recordings, and follow no spectrum of a code.
"""

from __future__ import annotations

import numpy as np

from compas_nscd.errors import LoadError
from compas_nscd.loads.ground_motion import GroundMotion
from compas_nscd.loads.records import G

#: Interval of the rows [s].
STEP = 0.01
#: Median frequency of the ground [Hz], and its lognormal dispersion [-].
GROUND_FREQUENCY, FREQUENCY_DISPERSION = 2.5, 0.4
#: Damping ratio of the ground [-].
GROUND_DAMPING = 0.6
#: Frequency below which the high-pass filter takes energy away [Hz].
CORNER_FREQUENCY = 0.2
#: Median duration of strong shaking [s], and its lognormal dispersion [-].
STRONG_DURATION, DURATION_DISPERSION = 4.0, 0.3


def synthetic_motions(count: int, seed: int = 0, direction: str = "x", pga: float = 0.3) -> list[GroundMotion]:
    """Synthetic ground motions, the same for the same seed.

    Parameters
    ----------
    count : int
    seed : int, optional
    direction : optional
        Of all motions; see GroundMotion.
    pga : float, optional
        Peak acceleration of each [g].
    """
    if not isinstance(count, int) or isinstance(count, bool) or count < 1:
        raise LoadError("The number of synthetic motions must be 1 or more, not {!r:.20}.".format(count))
    made = []
    for k in range(count):
        random = np.random.default_rng([seed, k])
        times, values = _accelerogram(random)
        values *= pga * G / np.abs(values).max()
        name = "synthetic-{}-{}".format(seed, k + 1)
        made.append(GroundMotion.table(direction, times.tolist(), values.tolist(), baseline=True, name=name))
    return made


def _accelerogram(random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Times [s] and accelerations of one record, of any scale. (T,), (T,)"""
    frequency = GROUND_FREQUENCY * np.exp(FREQUENCY_DISPERSION * random.standard_normal())
    strong = STRONG_DURATION * np.exp(DURATION_DISPERSION * random.standard_normal())
    rise, fade = 0.25 * strong, 0.75 * strong
    times = STEP * np.arange(int(round((rise + strong + 3.0 * fade) / STEP)))
    noise = np.fft.rfft(random.standard_normal(len(times)))
    shaped = np.fft.irfft(noise * _filter(np.fft.rfftfreq(len(times), STEP), frequency), len(times))
    growth = np.minimum(times / rise, 1.0) ** 2
    decay = np.exp(-np.maximum(times - rise - strong, 0.0) / fade)
    end = np.minimum((times[-1] - times) / rise, 1.0)  # to zero at the last row
    return times, shaped * growth * decay * end


def _filter(f: np.ndarray, ground: float) -> np.ndarray:
    """Transfer function of the ground and of the high-pass filter at frequencies [Hz]. (F,)"""
    r, z = f / ground, GROUND_DAMPING
    tajimi = (1.0 + 2j * z * r) / (1.0 - r * r + 2j * z * r)
    s = f / CORNER_FREQUENCY
    penzien = -s * s / (1.0 - s * s + 2j * z * s)
    return tajimi * penzien
