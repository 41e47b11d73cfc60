"""Finished runs on disk: a file of JSON lines that only grows, so that nothing is lost or computed twice."""

from __future__ import annotations

import contextlib
import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from compas_nscd.client.home import locked
from compas_nscd.errors import EngineStartError, FileError, InputError

#: Name of the file of runs.
RUNS = "runs.jsonl"
#: Longest wait for another program that runs the same study [s].
BUSY_S = 1.0


class Store:
    """Finished runs of a study in a folder.

    A line is written and handed to the system as soon as a run is done. A line that was cut, by a crash or a full disk,
    is dropped when the folder is opened again.

    Parameters
    ----------
    folder : Path
        Made if there is none.

    Raises
    ------
    FileError
        If the folder cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.path = folder / RUNS
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self.path.touch()
        except OSError as error:
            raise self._refused(error)
        self._places: dict[str, int] = {}  # key -> place of its line in the file [bytes]
        self._end = 0
        self._file: io.FileIO | None = None
        self._index()

    @contextlib.contextmanager
    def writing(self) -> Iterator[Store]:
        """Hold the folder: two programs that run one study would compute its runs twice."""
        with contextlib.ExitStack() as stack:
            try:
                stack.enter_context(locked(str(self.folder / "lock"), BUSY_S))
            except EngineStartError:
                remedy = "Wait for it, or give another folder."
                raise InputError("Another program runs the study in {}.".format(self.folder), remedy=remedy)
            self._index()
            with open(self.path, "r+b", buffering=0) as self._file:  # else closing writes once more what did not fit
                self._file.truncate(self._end)
                try:
                    yield self
                finally:
                    self._file = None

    def __contains__(self, key: str) -> bool:
        return key in self._places

    def __len__(self) -> int:
        return len(self._places)

    def row(self, key: str) -> dict[str, Any]:
        """A finished run."""
        with open(self.path, "rb") as file:
            file.seek(self._places[key])
            return json.loads(file.readline())

    def add(self, row: dict[str, Any]) -> None:
        """Write a finished run.

        Raises
        ------
        FileError
            If the disk is full or gone; the runs before are intact.
        """
        assert self._file is not None, "outside of `writing`"
        line = json.dumps(row, separators=(",", ":")).encode("utf-8") + b"\n"
        try:
            self._file.seek(self._end)
            rest = memoryview(line)
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            with contextlib.suppress(OSError):  # the part of the line that did fit
                os.truncate(self.path, self._end)
            raise self._refused(error)
        self._places[row["key"]] = self._end
        self._end += len(line)

    def _index(self) -> None:
        """Find the lines of the file; a run that was repeated counts as it ended last."""
        self._places.clear()
        self._end = 0
        with open(self.path, "rb") as file:
            for line in file:
                key = _key(line)
                if key is None:
                    break
                self._places[key] = self._end
                self._end += len(line)

    def _refused(self, error: OSError) -> FileError:
        return FileError(
            "{} cannot be written: {}.".format(self.path, error.strerror or error),
            remedy="Make room, and run the study again: it goes on with the {} runs that are there.".format(
                len(getattr(self, "_places", ()))
            ),
        )


def _key(line: bytes) -> str | None:
    """Key of a line; None if the line is not whole."""
    try:
        return json.loads(line)["key"] if line.endswith(b"\n") else None
    except (ValueError, KeyError, TypeError):
        return None
