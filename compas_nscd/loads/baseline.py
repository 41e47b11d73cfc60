"""Baseline correction of recorded accelerations."""

from __future__ import annotations

from typing import Any

import numpy as np

from compas_nscd.loads.waveforms import from_acceleration


def correct_baseline(times: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, dict[str, Any]]:
    """Subtract a straight line from an acceleration so that the final velocity and displacement are zero.

    Without it a small offset of the instrument, integrated twice, becomes a drift of metres.

    Parameters
    ----------
    times, values : array (T,)
        [s] and [m/s2]; linear between the rows.

    Returns
    -------
    array (T,), dict
        The corrected acceleration, and the correction: `offset` [m/s2] and `slope` [m/s3] of the line, `share`: its
        peak over that of the record [-], final `velocity` [m/s] and `displacement` [m] of the uncorrected record.
    """
    left = from_acceleration(times, values)
    t = times - times[0]
    end = t[-1]
    # A line p + q t has the final velocity p T + q T^2/2 and the final displacement p T^2/2 + q T^3/6.
    system = np.array([[end, end**2 / 2.0], [end**2 / 2.0, end**3 / 6.0]])
    offset, slope = np.linalg.solve(system, [left.velocity[-1], left.displacement[-1]])
    line = offset + slope * t
    peak = float(np.abs(values).max())
    return values - line, {
        "offset": float(offset),
        "slope": float(slope),
        "share": float(np.abs(line).max()) / peak if peak > 0.0 else 0.0,
        "velocity": float(left.velocity[-1]),
        "displacement": float(left.displacement[-1]),
    }
