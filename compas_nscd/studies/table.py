"""The table of a study: one row for each run, in the order of the plan, whatever computed it."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from compas_nscd.errors import FileError, InputError

#: Columns about the ground motion, in tables of studies that have one.
MOTION = ("motion", "level", "factor")


class Table:
    """Rows of a study.

    Parameters
    ----------
    lines : list of dict
        Of the store, in the order of the plan.

    Attributes
    ----------
    rows : list of dict
        run (number from 0), parameters, motion, level, factor, collapse, what was kept, error, key.
    """

    def __init__(self, lines: Iterable[Mapping[str, Any]]) -> None:
        self.rows = [_flat(k, line) for k, line in enumerate(lines)]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return iter(self.rows)

    @property
    def columns(self) -> list[str]:
        """Names of the columns; found by going through all rows."""
        names: dict[str, None] = {}
        for row in self.rows:
            names.update(dict.fromkeys(row))
        ends = ("error", "key")
        used = [name for name in names if name not in ends and not self._empty(name)]
        return used + [name for name in ends if name in names]

    def _empty(self, name: str) -> bool:
        return name in MOTION and all(row.get(name) is None for row in self.rows)

    @property
    def done(self) -> list[dict[str, Any]]:
        """Rows of the runs that did not fail."""
        return [row for row in self.rows if not row["error"]]

    def column(self, name: str) -> np.ndarray:
        """Values of a column, of the runs that did not fail; missing numbers are NaN.

        Raises
        ------
        InputError
            If there is no such column.
        """
        if name not in self.columns:
            raise InputError(
                "The table has no column {!r:.40}.".format(name), remedy="Columns: {}.".format(", ".join(self.columns))
            )
        values = [row.get(name) for row in self.done]
        if any(isinstance(value, str) for value in values):
            return np.array([value or "" for value in values])
        return np.array([np.nan if value is None else float(value) for value in values])

    def to_csv(self) -> str:
        """The table as comma-separated text."""
        out, columns = io.StringIO(), self.columns
        writer = csv.DictWriter(out, columns, lineterminator="\n")
        writer.writeheader()
        for row in self.rows:
            writer.writerow({name: _cell(row.get(name)) for name in columns})
        return out.getvalue()

    def write(self, folder: Path) -> None:
        """Write table.csv, and table.parquet if pyarrow is installed; a file is replaced when the new one is whole."""
        replace_text(folder / "table.csv", self.to_csv())
        try:
            import pyarrow
            from pyarrow import parquet
        except ImportError:
            return
        columns = {name: [row.get(name) for row in self.rows] for name in self.columns}
        target = folder / "table.parquet"
        parquet.write_table(pyarrow.table(columns), str(target) + ".new")
        os.replace(str(target) + ".new", str(target))


def replace_text(path: Path, text: str) -> None:
    """Write a file beside an old one, and put it in its place; a FileError leaves the old one as it was."""
    new = Path(str(path) + ".new")
    try:
        new.write_text(text, encoding="utf-8")
        os.replace(str(new), str(path))
    except OSError as error:
        raise FileError("{} cannot be written: {}.".format(path, error.strerror or error), remedy="Make room.")


def _flat(k: int, line: Mapping[str, Any]) -> dict[str, Any]:
    row: dict[str, Any] = {"run": k, **line["values"]}
    row.update((name, line[name]) for name in MOTION)
    row["collapse"] = None if line["collapse"] is None else int(line["collapse"])
    row.update(line["found"])
    row["error"] = _words(line["error"])
    row["key"] = line["key"]
    return row


def _words(error: Mapping[str, Any] | None) -> str:
    """An error in a cell: its class, message and remedy."""
    if error is None:
        return ""
    return " ".join(filter(None, ("{}:".format(error["code"]), error["message"], error.get("remedy"))))


def _cell(value: Any) -> Any:
    if value is None:
        return ""
    if isinstance(value, float):
        return repr(value)
    return json.dumps(value) if isinstance(value, (list, dict)) else value
