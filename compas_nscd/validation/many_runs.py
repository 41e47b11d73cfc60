"""Cases of studies: fragility and response spectra."""

from __future__ import annotations

import math

import numpy as np

from compas_nscd.loads.response_spectrum import response_spectrum
from compas_nscd.studies.statistics.fragility import fit_counts
from compas_nscd.validation.case import Trial
from compas_nscd.validation.chapter import Chapter

CHAPTER = Chapter("Many runs")

#: Rows of a sine pulse. Fewer: the straight lines between them lie below the sine, by (pi / rows)^2 / 8 of its peak.
ROWS = 4000


@CHAPTER.case(
    "V85",
    "Fragility of counts at three levels",
    "C",
    "maximum of the likelihood by an independent program",
    "digits of the reference",
)
def fragility(trial: Trial) -> None:
    """Levels 1, 1.5 and 2; collapses 2, 25 and 43 of 54 each."""
    curve = fit_counts([1.0, 1.5, 2.0], [2, 25, 43], [54, 54, 54])
    trial.number("median", 1.57248, curve.median, absolute=5e-6)
    trial.number("dispersion [-]", 0.27003, curve.dispersion, absolute=5e-6)


@CHAPTER.case(
    "V86",
    "Response spectrum of a step and of a sine pulse",
    "D",
    "closed form of the oscillator with one degree of freedom",
    "1e-6: straight lines between 4000 rows of the pulse, and the cubic between rows of the response",
)
def spectrum(trial: Trial) -> None:
    """A step of 1 m/s2 with 0, 5 and 20 % of critical damping; a half sine of 1 m/s2 and 1 s without damping."""
    for damping in (0.0, 0.05, 0.2):
        found = response_spectrum(np.array([0.0, 10.0]), np.ones(2), [0.8], damping)
        reference = 1.0 + math.exp(-math.pi * damping / math.sqrt(1.0 - damping**2))
        name = "step, damping {:g} [m/s2]".format(damping)
        trial.number(name, reference, float(found.acceleration[0]), relative=1e-6)
    t = np.linspace(0.0, 1.0, ROWS + 1)
    for period in (0.4, 0.7, 1.5, 3.0, 10.0):
        found = response_spectrum(t, np.sin(math.pi * t), [period], 0.0)
        name = "half sine, period {:g} s [m/s2]".format(period)
        trial.number(name, half_sine_peak(period), float(found.acceleration[0]), relative=1e-6)


def half_sine_peak(period: float) -> float:
    """Greatest pseudo-acceleration of an undamped oscillator [m/s2]; half sine of 1 m/s2 and 1 s (Chopra, section 4.8).

    x w^2 = (sin(pi t) - r sin(w t)) / (1 - r^2) during the pulse, r = pi / w; afterwards it vibrates freely.
    """
    w = 2.0 * math.pi / period
    r = math.pi / w
    during = [2.0 * math.pi * k / (math.pi + w) for k in range(1, int((math.pi + w) / (2.0 * math.pi)) + 1)]
    peaks = [abs(math.sin(math.pi * t) - r * math.sin(w * t)) / abs(1.0 - r * r) for t in during if t <= 1.0]
    free = abs(2.0 * r * math.cos(0.5 * w) / (1.0 - r * r))
    return max([*peaks, free])
