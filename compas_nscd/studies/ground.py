"""Ground motions of a study: objects, files, folders of files, and synthetic records."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from compas_nscd.errors import InputError, LoadError
from compas_nscd.loads.ground_motion import GroundMotion
from compas_nscd.loads.records import Record, read_records
from compas_nscd.loads.synthetic import synthetic_motions

#: Forms of an entry of `ground` in a study file.
FORMS = (
    '"records/", {"file": "a.at2", "units": "g", "direction": "x"}, {"synthetic": 30, "seed": 1}, {"kind": "sine", ...}'
)


def ground_motions(given: Any, folder: Path | None = None) -> list[GroundMotion]:
    """Ground motions of the entries of a study.

    Parameters
    ----------
    given : list
        GroundMotion objects, names of files and folders, or dicts: see `FORMS`.
    folder : Path, optional
        From which names of files are meant.

    Raises
    ------
    InputError, FileError, LoadError
    """
    entries = [given] if isinstance(given, (str, Path, dict, GroundMotion)) else list(given)
    motions = [motion for entry in entries for motion in _entry(entry, folder or Path())]
    return _distinct(motions)


def _entry(entry: Any, folder: Path) -> Iterable[GroundMotion]:
    if isinstance(entry, GroundMotion):
        return [entry]
    if isinstance(entry, (str, Path)):
        entry = {"file": str(entry)}
    if not isinstance(entry, dict):
        raise InputError("{!r:.60} is no ground motion.".format(entry), remedy="Give one of: {}.".format(FORMS))
    said = dict(entry)
    if "file" in said:
        return _files(folder / said.pop("file"), said)
    if "synthetic" in said:
        return _synthetic(said)
    try:
        return [GroundMotion(**said)]
    except TypeError:
        raise InputError("{!r:.60} is no ground motion.".format(entry), remedy="Give one of: {}.".format(FORMS))


def _synthetic(said: dict[str, Any]) -> list[GroundMotion]:
    try:
        return synthetic_motions(said.pop("synthetic"), **said)
    except TypeError as error:
        raise InputError("Synthetic motions: {}.".format(error), remedy="Keys: synthetic, seed, direction, pga.")


def _files(path: Path, said: dict[str, Any]) -> list[GroundMotion]:
    units, direction = said.pop("units", None), said.pop("direction", "x")
    if said:
        raise InputError("A record has no {!r:.40}.".format(sorted(said)[0]), remedy="Keys: file, units, direction.")
    return [_motion(record, direction) for record in read_records(path, units)]


def _motion(record: Record, direction: Any) -> GroundMotion:
    baseline = True if record.quantity == "acceleration" else None
    times, values = record.times.tolist(), record.values.tolist()
    return GroundMotion.table(direction, times, values, quantity=record.quantity, baseline=baseline, name=record.name)


def _distinct(motions: list[GroundMotion]) -> list[GroundMotion]:
    """The motions; a LoadError if two have the same name, because the table tells them by it."""
    names = [name_of(motion, k) for k, motion in enumerate(motions)]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise LoadError("Two ground motions are called {}.".format(twice[0]), remedy="Rename one of them.")
    return motions


def name_of(motion: GroundMotion, k: int) -> str:
    """Name of the k-th motion in the table."""
    return motion._name or "{} {}".format(motion.kind, k + 1)


def end_of(motion: GroundMotion) -> float | None:
    """Time at which a motion ends [s]; None for a sine without end."""
    if motion.kind == "table":
        return motion.start + motion.times[-1] if motion.times else None
    return None if motion.duration is None else motion.start + motion.duration


def digest_of(motion: GroundMotion) -> str:
    """Hash of the values of a motion."""
    return hashlib.sha256(json.dumps(motion.__data__, sort_keys=True).encode("utf-8")).hexdigest()[:16]
