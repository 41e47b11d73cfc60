"""Keys of runs: the hash of all that the result depends on."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import compas_nscd
from compas_nscd.loads.ground_motion import GroundMotion
from compas_nscd.studies.ground import digest_of
from compas_nscd.studies.plans import Run

#: Folders and modules of the client that decide what is asked of the engine and what is kept of its answer.
CLIENT = ("blocks", "geometry", "loads", "model", "results", "templates")
MODULES = ("analyses.py", "imperfections.py", "measures.py", "parameters.py", "running/worker.py")
#: Letters of a key. Fewer: two runs of a large study may share one.
LETTERS = 24


@lru_cache(maxsize=8)
def sources_digest(engine_package: str) -> str:
    """Hash of the sources of the engine in a folder, and of those of the client that make requests."""
    home = Path(compas_nscd.__file__).parent
    total = hashlib.sha256()
    paths = [home / "studies" / name for name in MODULES]
    for folder in [Path(engine_package), *(home / name for name in CLIENT)]:
        paths += sorted(folder.rglob("*.py"))
    for path in paths:
        total.update(path.name.encode("utf-8") + b"\0" + path.read_bytes() + b"\0")
    return total.hexdigest()[:LETTERS]


def digest(data: Any) -> str:
    """Hash of plain data."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), default=repr)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:LETTERS]


class Keys:
    """Keys of the runs of a study.

    Parameters
    ----------
    shared : dict
        What all runs depend on, as plain data.
    motions : list of GroundMotion
    sources : str
        Hash of the sources that compute them.
    """

    def __init__(self, shared: Mapping[str, Any], motions: Sequence[GroundMotion], sources: str) -> None:
        self.sources = sources
        self._model = digest(shared)
        self._motions = [digest_of(motion) for motion in motions]

    def of(self, run: Run) -> str:
        """Key of a run."""
        motion = None if run.motion is None else self._motions[run.motion]
        return digest([self._model, self.sources, run.values, motion, run.factor])


def process_name() -> str:
    """Name of this worker in messages: machine and process."""
    machine = os.uname().nodename if hasattr(os, "uname") else os.environ.get("COMPUTERNAME", "")
    return "{}:{}".format(machine, os.getpid())
