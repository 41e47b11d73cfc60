"""Baseline correction of accelerations."""

import numpy as np

from compas_nscd.loads.waveforms import from_acceleration


def correct_baseline(times, values):
    """Take a straight line off an acceleration so that it leaves neither velocity nor displacement.

    Integrated twice, a small offset of the instrument becomes a drift of metres.

    Parameters
    ----------
    times, values : array (T,)
        [s] and [m/s2]; linear between the rows.

    Returns
    -------
    array (T,), dict
        The corrected acceleration, and what was done: `offset` [m/s2] and `slope` [m/s3] of the line, `share`: its
        greatest value over that of the record [-], `velocity` [m/s] and `displacement` [m] that the record left.
    """
    left = from_acceleration(times, values)
    t = times - times[0]
    end = t[-1]
    # Of a line p + q t there remain the velocity p T + q T^2/2 and the displacement p T^2/2 + q T^3/6.
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
