"""The record of a motion: frames are written to a file at once, so that memory stays bounded and a crash loses one
interval at most.

The file is a sequence of messages (compas_nscd.wire), each after its length in eight bytes: a head, then one a frame.
It is removed when the motion ends well; `recovery` reads those that are left. A second file has the last checkpoint.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import struct
import time
from typing import Any, BinaryIO, Callable, Dict, List, Optional, Sequence, Tuple

import numpy as np

from compas_nscd import wire
from compas_nscd.errors import EngineError, NscdError, SettingsError
from nscd_engine import home

LENGTH = struct.Struct("<Q")
#: Largest record [bytes]. Larger: the reply does not fit into one message. Smaller: long motions are refused.
MOST_BYTES = 1 << 29
#: Longest time that a record is kept [s]. Longer: the disk fills. Shorter: a motion is lost before it is recovered.
KEPT_S = 7 * 86400.0
#: Number of records above which the oldest are removed earlier [-], if they are not in use.
KEPT = 20
#: Time since it was last written to after which a record is not in use [s]. Shorter: a record of a slow motion is
#: removed while it runs.
UNTOUCHED_S = 3600.0
#: Least time between two checkpoints [s]. Longer: more steps are repeated after a crash. Shorter: more work.
CHECKPOINT_S = 1.0

SUFFIX, CHECKPOINT = ".nscdrec", ".nscdchk"
NAME = re.compile(r"[0-9a-zA-Z]{1,64}\Z")


class Recorder:
    """Writes frames to a file and reads them back.

    Parameters
    ----------
    name : str or None
        Name of the record; None for one that is made up.
    head : dict
        What all frames share.
    frame_bytes, frames : int
        Expected size of a frame and number of frames; too large a product is refused before the motion begins.
    """

    def __init__(self, name: Optional[str], head: Dict[str, Any], frame_bytes: int, frames: int) -> None:
        if frame_bytes * frames > MOST_BYTES:
            raise SettingsError(
                "{} frames of {} bytes are over the limit of {} MB.".format(frames, frame_bytes, MOST_BYTES >> 20),
                remedy="Record less often: a longer interval; or without forces, fewer probes.",
            )
        if name is not None and not is_name(name):
            raise SettingsError("A record cannot be called {!r:.60}.".format(name), remedy="Use letters and digits.")
        name = name or "{}n{}".format(os.getpid(), time.monotonic_ns())
        self.name, self.bytes = name, 0
        self.path = os.path.join(folder(), name + SUFFIX)
        self._checked_at = time.perf_counter()
        self._file = _create(self.path)
        try:
            self.add(head)
        except BaseException:
            self.close()
            raise

    def add(self, body: Dict[str, Any]) -> None:
        """Append a dict of arrays and numbers, and hand it to the operating system."""
        message = wire.pack(body)
        if self.bytes + len(message) > MOST_BYTES:  # there may be more contacts and probes than expected
            raise SettingsError(
                "The record has reached the limit of {} MB; what it holds is kept as {}.".format(
                    MOST_BYTES >> 20, self.name
                ),
                remedy="`recover` reads it. Record less often (a longer interval), fewer probes, or no forces.",
                record=self.name,
            )
        self._append(LENGTH.pack(len(message)) + message)
        self.bytes += len(message)

    def _append(self, content):
        """Write bytes at the end of the file: all of them, or an error and none."""
        end, rest = self._file.tell(), memoryview(content)
        try:
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            with contextlib.suppress(OSError):
                self._file.seek(end)
                self._file.truncate()
            raise EngineError(
                "The record {} cannot be written: {}. The motion is kept up to its last frame.".format(
                    self.path, error.strerror or error
                ),
                remedy="{} `recover` reads the record.".format(home.remedy(error)),
                record=self.name,
            )

    def keep_checkpoint(self, make: Callable[[], np.ndarray]) -> None:
        """Write the checkpoint that `make` returns (n,) uint8, if the last one is older than CHECKPOINT_S."""
        if time.perf_counter() - self._checked_at < CHECKPOINT_S:
            return
        self._checked_at = time.perf_counter()
        path = _beside(self.path)
        try:
            with open(path + "~", "wb", opener=home.private_opener) as file:
                file.write(make().tobytes())
            os.replace(path + "~", path)
        except OSError:
            pass  # the frames matter more

    def frames(self) -> List[Dict[str, Any]]:
        """All frames, in order."""
        reader = io.BufferedReader(self._file)
        try:
            return _messages(reader)[1:]
        finally:
            reader.detach()
            self._file.seek(0, os.SEEK_END)

    def close(self, keep: bool = False) -> None:
        """Close the file, and remove it unless it is to be kept."""
        with contextlib.suppress(OSError):  # of a disk that has gone
            self._file.close()
        if not keep:
            _remove(self.path)


def _create(path: str) -> io.FileIO:
    """A new file, unbuffered: what is written is on its way to the disk, or an error is raised at once.

    Raises
    ------
    SettingsError
        If there is one: two motions cannot share a record.
    """
    try:
        return open(path, "x+b", buffering=0, opener=home.private_opener)  # type: ignore[return-value]
    except FileExistsError:
        raise SettingsError(
            "There is a record {} already.".format(os.path.basename(path)), remedy="Give the motion another name."
        )
    except OSError as error:
        text = "The record {} cannot be written: {}.".format(path, error.strerror or error)
        raise EngineError(text, remedy=home.remedy(error))


def read(path: str) -> Tuple[Dict[str, Any], List[Dict[str, Any]]]:
    """Head and complete frames of a record; a frame that was partly written is left out."""
    try:
        with open(path, "rb") as file:
            messages = _messages(file)
    except OSError as error:
        raise EngineError("The record {} cannot be read: {}.".format(path, error.strerror or error))
    return (messages[0], messages[1:]) if messages else ({}, [])


def read_checkpoint(path: str) -> np.ndarray:
    """The last checkpoint (n,) uint8 of a record; empty if there is none."""
    try:
        return np.fromfile(_beside(path), np.uint8)
    except OSError:
        return np.zeros(0, np.uint8)


def _messages(file: BinaryIO) -> List[Dict[str, Any]]:
    file.seek(0)
    found: List[Dict[str, Any]] = []
    while True:
        size = file.read(LENGTH.size)
        length = LENGTH.unpack(size)[0] if len(size) == LENGTH.size else MOST_BYTES + 1
        message = file.read(length) if length <= MOST_BYTES else b""
        if len(message) < length:
            return found
        try:
            found.append(wire.unpack(message))
        except NscdError:
            return found


def stack(frames: List[Dict[str, Any]], keys: Sequence[str]) -> Dict[str, np.ndarray]:
    """One array a key, with a row a frame."""
    return {key: np.stack([frame[key] for frame in frames]) for key in keys}


def join(frames: List[Dict[str, Any]], keys: Sequence[str], start: str) -> Dict[str, np.ndarray]:
    """Arrays of varying length end to end, and where each begins (frames + 1,) under the key `start`."""
    first = [len(frame[keys[0]]) for frame in frames]
    joined = {key: np.concatenate([frame[key] for frame in frames]) for key in keys}
    joined[start] = np.concatenate([[0], np.cumsum(first)]).astype(np.int64)
    return joined


# -- the folder --------------------------------------------------------------------------------------------------------


def is_name(name: Any) -> bool:
    """Whether a record may have this name."""
    return isinstance(name, str) and NAME.match(name) is not None


def find(name: str) -> Optional[str]:
    """Path of a record, or None."""
    path = os.path.join(folder(), name + SUFFIX)
    return path if os.path.exists(path) else None


def left_behind() -> List[Dict[str, Any]]:
    """Records in the folder, the latest first: name, last written [s since 1970], size [bytes]."""
    return _entries(_paths(folder()))


def _entries(paths):
    found = [_entry(path) for path in paths]
    return sorted((entry for entry in found if entry), key=lambda entry: -entry["written"])


def _entry(path):
    try:
        status = os.stat(path)
    except OSError:
        return None  # another engine has removed it
    return {"record": os.path.basename(path)[: -len(SUFFIX)], "written": status.st_mtime, "bytes": status.st_size}


def folder() -> str:
    """Path of the folder of the records; old ones are removed."""
    path = home.folder("records")
    try:
        home.make_private(path)
        found = _paths(path)
    except OSError as error:
        text = "{} cannot be used for records: {}.".format(path, error.strerror or error)
        raise EngineError(text, remedy=home.remedy(error))
    for rank, entry in enumerate(_entries(found)):
        age = time.time() - entry["written"]
        if age > KEPT_S or (rank >= KEPT and age > UNTOUCHED_S):
            _remove(os.path.join(path, entry["record"] + SUFFIX))
    return path


def _paths(folder):
    names = [name for name in os.listdir(folder) if name.endswith(SUFFIX) and is_name(name[: -len(SUFFIX)])]
    return [os.path.join(folder, name) for name in names]


def _beside(path):
    return path[: -len(SUFFIX)] + CHECKPOINT


def _remove(path):
    """A record and its checkpoint."""
    for file in (path, _beside(path), _beside(path) + "~"):
        try:
            os.remove(file)
        except OSError:
            pass  # it is removed when it is old
