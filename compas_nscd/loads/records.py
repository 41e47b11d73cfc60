"""Records of ground motion in files: PEER .AT2, ESM .ASC, and tables of two columns."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from compas_nscd.errors import FileError, LoadError
from compas_nscd.loads.checks import checked_table

#: Standard gravity [m/s2]: the unit of a record in g.
G = 9.80665
#: Units of a record, in SI units.
UNITS = {
    "acceleration": {"m/s2": 1.0, "cm/s2": 0.01, "mm/s2": 0.001, "g": G, "gal": 0.01},
    "velocity": {"m/s": 1.0, "cm/s": 0.01, "mm/s": 0.001},
    "displacement": {"m": 1.0, "cm": 0.01, "mm": 0.001},
}
#: Suffixes of PEER files: acceleration, velocity, displacement.
PEER = (".at2", ".vt2", ".dt2")
#: Suffixes of the files that `read_records` takes from a folder.
RECORDS = PEER + (".asc", ".csv", ".txt", ".dat")
#: Units of the time in the head of a column.
SECONDS = ("s", "sec", "second", "seconds")


class Record(NamedTuple):
    """A record in SI units, along one direction."""

    times: np.ndarray  # [s] (T,)
    values: np.ndarray  # [m/s2], [m/s] or [m] (T,)
    quantity: str  # acceleration, velocity or displacement
    name: str


def read_record(path: str | Path, units: str | None = None, quantity: str | None = None) -> Record:
    """Read a record.

    Parameters
    ----------
    path : str or Path
        .at2, .vt2 or .dt2 (PEER), an ASCII file of the Engineering Strong Motion database (ESM), or a text file of two
        columns, time [s] and value, separated by commas, semicolons, tabs or blanks; with semicolons and tabs the
        decimal separator may be a comma.
    units : str, optional
        g, m/s2, cm/s2, gal, m/s, cm/s, m, cm, mm. Required unless the file names them: PEER and ESM in the header, CSV
        in the head of its second column, as in ``time [s], acceleration [g]``.
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
    try:
        path = Path(path)
        content = path.read_bytes()
    except TypeError:
        raise FileError("{!r:.40} is not the path of a record.".format(path), remedy="Give the name of a file.")
    except OSError as error:
        raise FileError("{} cannot be read: {}.".format(path, error.strerror or error), remedy="Check the path.")
    # Spreadsheets write a byte order mark, UTF-8 or UTF-16, which must not become part of the first row.
    text = content.decode("utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig", errors="replace")
    reader = _peer if path.suffix.lower() in PEER else _esm if _is_esm(text) else _csv
    times, values, said = reader(text, path.name)
    quantity, factor = _unit(units or said, quantity, path.name)
    return Record(*checked_table(times, values * factor, path.name), quantity, path.stem)


def read_records(place: str | Path, units: str | None = None, quantity: str | None = None) -> list[Record]:
    """Records of a file, or of all files with the endings `RECORDS` in a folder, in the order of their names."""
    path = Path(place)
    if not path.is_dir():
        return [read_record(path, units, quantity)]
    found = sorted(file for file in path.iterdir() if file.suffix.lower() in RECORDS)
    if not found:
        raise FileError(
            "The folder {} has no records.".format(path), remedy="They end in {}.".format(", ".join(RECORDS))
        )
    return [read_record(file, units, quantity) for file in found]


def _unit(units: str | None, quantity: str | None, name: str) -> tuple[str, float]:
    """Quantity, and SI value of the unit."""
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
        fitting = ", ".join(UNITS.get(quantity, known))
        raise LoadError(
            "The record {} is in {}, which is no {}.".format(name, units, quantity),
            remedy="Leave the quantity out, or give one of the units {}.".format(fitting),
        )
    return kind, factor


def _csv(text: str, name: str) -> tuple[np.ndarray, np.ndarray, str | None]:
    """Times, values, and the units in the head of the table."""
    rows: list[list[float]] = []
    head: str | None = None
    for k, line in enumerate(text.splitlines()):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        row: list[float] | None
        try:
            row = [float(cell) for cell in _cells(line)]
        except ValueError:
            row = None
        if row is None and head is None and not rows:
            head = line
        elif row is None or len(row) != 2:
            raise FileError(
                "Line {} of {} is not a time and a value: {!r:.60}.".format(k + 1, name, line),
                remedy="Keep two columns, time [s] and value; other text than their heads begins with #.",
                line=k + 1,
            )
        else:
            rows.append(row)
    if len(rows) < 2:
        raise FileError(
            "{} has {} of a time and a value.".format(name, "one row" if rows else "no rows"),
            remedy="A record needs two rows at least.",
        )
    table = np.array(rows)
    return table[:, 0], table[:, 1], None if head is None else _said(head, name)


def _cells(line: str) -> list[str]:
    """The cells of a row, with decimal points."""
    if ";" in line or "\t" in line:
        return [cell.replace(",", ".") for cell in re.split(r"[;\t]", line) if cell.strip()]
    return line.replace(",", " ").split()


def _said(head: str, name: str) -> str | None:
    """Units of the value in the heads of the columns, as in ``time [s], acceleration [g]``, or None."""
    brackets = re.compile(r"[\[(]([^\])]*)[\])]")
    first, comma, rest = re.sub(r"[;\t]", ",", head).partition(",")
    of_time, of_value = brackets.findall(first), brackets.findall(rest)
    if not comma:
        of_time, of_value = of_time[:-1], of_time[-1:]
    if of_time and of_time[-1].strip().lower() not in SECONDS:
        raise LoadError(
            "The times of {} are in {!r:.20}, not in seconds.".format(name, of_time[-1]), remedy="Give seconds."
        )
    return of_value[-1] if of_value else None


def _peer(text: str, name: str) -> tuple[np.ndarray, np.ndarray, str | None]:
    """PEER: two lines of title, one with the units, one with NPTS and DT, then the values in rows."""
    lines = text.splitlines()
    head = next((k for k, line in enumerate(lines[:10]) if re.search(r"NPTS|DT\s*=", line, re.I)), None)
    if head is None:
        raise FileError(
            "{} has no line with NPTS and DT among its first ten.".format(name),
            remedy="Is it a PEER record? A table of times and values is read as .csv.",
        )
    count, step = _count_and_step(lines[head], name)
    values: list[float] = []
    for k, line in enumerate(lines[head + 1 :], head + 2):
        try:
            values += [float(cell) for cell in line.split()]
        except ValueError:
            raise FileError("Line {} of {} is not a row of numbers: {!r:.60}.".format(k, name, line), line=k)
    if len(values) != count:
        raise FileError(
            "{} announces {} values and has {}.".format(name, count, len(values)),
            remedy="Get the file again, or mend NPTS in its head.",
        )
    units = re.search(r"UNITS?\s*(?:OF|:|=|IN)?\s*([A-Za-z/0-9]+)\s*$", " ".join(lines[head - 1 : head]).strip(), re.I)
    return step * np.arange(count), np.array(values), units.group(1) if units else None


def _is_esm(text: str) -> bool:
    """Whether the head of a file names the interval of its rows as the ESM database does."""
    return any(line.startswith("SAMPLING_INTERVAL_S") for line in text.splitlines()[:80])


def _esm(text: str, name: str) -> tuple[np.ndarray, np.ndarray, str | None]:
    """ESM: rows ``KEY: value``, then one value a line at equal intervals."""
    head: dict[str, str] = {}
    values: list[float] = []
    for k, line in enumerate(text.splitlines()):
        key, colon, said = line.partition(":")
        if colon:
            head[key.strip().upper()] = said.strip()
        elif line.strip():
            try:
                values.append(float(line))
            except ValueError:
                raise FileError("Line {} of {} is not a number: {!r:.60}.".format(k + 1, name, line), line=k + 1)
    step = _interval(head["SAMPLING_INTERVAL_S"], name)
    announced = head.get("NDATA", str(len(values)))
    if announced != str(len(values)) or len(values) < 2:
        raise FileError(
            "{} announces {:.20} values and has {}.".format(name, announced, len(values)), remedy="Get the file again."
        )
    return step * np.arange(len(values)), np.array(values), head.get("UNITS") or None


def _interval(said: str, name: str) -> float:
    """Interval of the rows of an ESM file [s]."""
    try:
        step = float(said)
    except ValueError:
        step = math.nan
    if not (math.isfinite(step) and step > 0.0):
        raise FileError("{} has the interval {!r:.20}, which should be above 0 s.".format(name, said))
    return step


def _count_and_step(line: str, name: str) -> tuple[int, float]:
    """NPTS and DT [s] of ``NPTS= 4000, DT= .0100 SEC``, or in the older form ``4000  0.01000  NPTS, DT``."""
    number = r"([-+0-9.eE]+)"
    new = re.search(r"NPTS\s*=\s*(\d+)", line, re.I), re.search(r"DT\s*=\s*" + number, line, re.I)
    old = re.match(r"\s*(\d+)\s+" + number, line)
    found: Any = old.groups() if old else [each and each.group(1) for each in new]
    like = "It should be like NPTS= 4000, DT= .0100 SEC."
    for what, each in zip(("NPTS", "DT"), found):
        if each is None:
            raise FileError("{} does not say its {}: {!r:.60}.".format(name, what, line.strip()), remedy=like)
    try:
        count, step = int(found[0]), float(found[1])
    except ValueError:
        raise FileError("{} has a DT of {!r:.20}, which is not a number.".format(name, found[1]), remedy=like)
    if not (math.isfinite(step) and step > 0.0):
        raise FileError("{} has a DT of {}, which should be above 0 s.".format(name, step), remedy=like)
    return count, step
