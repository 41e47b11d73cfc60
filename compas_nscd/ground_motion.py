"""Records of ground motion: read from CSV and PEER .AT2 files, with stated units, and freed of their drift."""

import math
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np

from compas_nscd.errors import FileError, LoadError
from compas_nscd.waveforms import from_acceleration

#: Standard gravity [m/s2]: what a record in g is measured by.
G = 9.80665
#: Units of a record and what one of them is in SI.
UNITS = {
    "acceleration": {"m/s2": 1.0, "cm/s2": 0.01, "mm/s2": 0.001, "g": G, "gal": 0.01},
    "velocity": {"m/s": 1.0, "cm/s": 0.01, "mm/s": 0.001},
    "displacement": {"m": 1.0, "cm": 0.01, "mm": 0.001},
}
#: Rows that a record may have: a day at 10 per second. More is a mistake.
MAX_ROWS = 1000000


class Record(NamedTuple):
    """A record in SI units, along one direction."""

    times: np.ndarray  # [s] (T,)
    values: np.ndarray  # [m/s2], [m/s] or [m] (T,)
    quantity: str  # acceleration, velocity or displacement
    name: str


def read_record(path, units=None, quantity=None):
    """Read a record.

    Parameters
    ----------
    path : str or Path
        .at2 (PEER; acceleration) or a text file of two columns, time [s] and value, with commas, semicolons or blanks.
    units : str, optional
        g, m/s2, cm/s2, gal, m/s, cm/s, m, cm, mm. Needed unless the file says it: an .at2 does in its head, a CSV in
        the head of its second column, as in ``time [s], acceleration [g]``.
    quantity : {"acceleration", "velocity", "displacement"}, optional
        Follows from the units.

    Returns
    -------
    Record

    Raises
    ------
    FileError
        If the file cannot be read.
    LoadError
        If its units are not known, or a number is not finite.
    """
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise FileError("{} cannot be read: {}.".format(path, error.strerror or error), remedy="Check the path.")
    reader = _at2 if path.suffix.lower() == ".at2" else _csv
    times, values, said = reader(text, path.name)
    quantity, factor = _unit(units or said, quantity, path.name)
    return Record(*checked_table(times, values * factor, path.name), quantity, path.stem)


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


def checked_table(times, values, what="the table", columns=None):
    """Ascending finite times and as many finite values, as arrays, or a LoadError that says which row is wrong."""
    shape = "numbers" if columns is None else "rows of {} numbers".format(columns)
    try:
        t, a = np.array(times, float), np.array(values, float)
    except (TypeError, ValueError):
        raise LoadError("The values of {} must be {}.".format(what, shape))
    wanted = t.shape if columns is None else t.shape + (columns,)
    if t.ndim != 1 or a.shape != wanted or len(t) < 2:
        raise LoadError("In {} there must be as many times as values, at least two.".format(what))
    if len(t) > MAX_ROWS:
        raise LoadError("There are {} rows in {}, over the limit of {}.".format(len(t), what, MAX_ROWS))
    bad = ~(np.isfinite(t) & np.isfinite(a.reshape(len(t), -1)).all(axis=1))
    if bad.any():
        row = int(np.argmax(bad))
        raise LoadError(
            "Row {} of {} is not finite: {}, {}.".format(row, what, t[row], a[row]),
            remedy="Remove or repair the row.",
            row=row,
        )
    if not (np.diff(t) > 0.0).all():
        row = int(np.argmax(np.diff(t) <= 0.0)) + 1
        raise LoadError("The times of {} must ascend; row {} does not.".format(what, row), row=row)
    return t, a


def _unit(units, quantity, name):
    """(quantity, SI per unit)."""
    known = {unit: (kind, factor) for kind, table in UNITS.items() for unit, factor in table.items()}
    if units is None:
        raise LoadError(
            "The record {} does not say its units.".format(name),
            remedy="Give units: one of {}.".format(", ".join(known)),
        )
    key = str(units).strip().lower().replace("^", "").replace("**", "").replace("²", "2").replace("sec", "s")
    if key not in known:
        raise LoadError(
            "The units {!r:.40} of the record {} are not known.".format(units, name),
            remedy="Give one of {}.".format(", ".join(known)),
        )
    kind, factor = known[key]
    if quantity is not None and quantity != kind:
        raise LoadError("The record {} is in {}, which is no {}.".format(name, units, quantity))
    return kind, factor


def _csv(text, name):
    """Times, values, units said in the head."""
    rows, said = [], None
    for k, line in enumerate(text.splitlines()):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        cells = [cell for cell in re.split(r"[,;\t]|\s+(?![^\[]*\])", line) if cell]
        try:
            rows.append((float(cells[0]), float(cells[1])))
        except (ValueError, IndexError):
            if rows or said is not None:
                raise FileError("Line {} of {} is not a time and a value: {!r:.60}.".format(k + 1, name, line))
            found = re.findall(r"[\[(]([^\])]*)[\])]", line)
            said = found[-1] if found else ""
    if len(rows) < 2:
        raise FileError("{} has no rows of a time and a value.".format(name))
    table = np.array(rows)
    return table[:, 0], table[:, 1], said or None


def _at2(text, name):
    """PEER: two lines of title, one that names the units, one with NPTS and DT, then the values in rows."""
    lines = text.splitlines()
    head = next((k for k, line in enumerate(lines[:10]) if re.search(r"NPTS|DT\s*=", line, re.I)), None)
    if head is None:
        raise FileError("{} has no line with NPTS and DT among its first ten.".format(name))
    number = r"([-+0-9.eE]+)"
    count = re.search(r"NPTS\s*=\s*(\d+)", lines[head], re.I)
    step = re.search(r"DT\s*=\s*" + number, lines[head], re.I)
    if not (count and step):
        # the older layout: "4000  0.01000  NPTS, DT"
        old = re.match(r"\s*(\d+)\s+" + number, lines[head])
        count, step = (old.group(1), old.group(2)) if old else (None, None)
    else:
        count, step = count.group(1), step.group(1)
    try:
        count, step = int(count), float(step)
        values = np.array([float(cell) for line in lines[head + 1 :] for cell in line.split()])
    except (TypeError, ValueError):
        raise FileError("{} is not a PEER record: NPTS, DT or a value is not a number.".format(name))
    if len(values) != count:
        raise FileError("{} announces {} values and has {}.".format(name, count, len(values)))
    if not (math.isfinite(step) and step > 0.0):
        raise FileError("{} has a DT of {}.".format(name, step))
    units = re.search(r"UNITS?\s*(?:OF|:|=|IN)?\s*([A-Za-z/0-9]+)\s*$", " ".join(lines[head - 1 : head]).strip(), re.I)
    return step * np.arange(count), values, units.group(1) if units else None
