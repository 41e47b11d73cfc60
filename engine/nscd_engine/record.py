"""Histories: frames go to a file as they come, so that memory stays bounded and a crash loses one interval at most.

The file is a row of messages (compas_nscd.wire), each after its length in eight bytes: a head, then one per frame.
`compas_nscd.dynamic_result` reads it too.
"""

import os
import struct
import time

import numpy as np

from compas_nscd import wire
from compas_nscd.errors import EngineError, SettingsError

LENGTH = struct.Struct("<Q")
#: Largest record [bytes]; it must fit into one message.
MOST_BYTES = 1 << 29
#: Records that nobody fetched are kept for so long [s].
KEPT_S = 7 * 86400.0


class Recorder:
    """Writes frames and gives them back stacked.

    Parameters
    ----------
    head : dict
        What all frames share.
    frame_bytes, frames : int
        Expected; refused before the motion begins if they are too many.
    """

    def __init__(self, head, frame_bytes, frames):
        if frame_bytes * frames > MOST_BYTES:
            raise SettingsError(
                "{} frames of {} bytes are over the limit of {} MB.".format(frames, frame_bytes, MOST_BYTES >> 20),
                remedy="Record less often: a longer interval.",
            )
        self.path = os.path.join(folder(), "{}-{}.nscdrec".format(os.getpid(), time.monotonic_ns()))
        self.bytes = 0
        try:
            self._file = open(self.path, "w+b")
        except OSError as error:
            raise EngineError("The record {} cannot be written: {}.".format(self.path, error.strerror or error))
        self._append(head)

    def add(self, frame):
        """Append a dict of arrays and numbers; it is on its way to the disk when this returns."""
        self._append(frame)

    def _append(self, body):
        message = wire.pack(body)
        try:
            self._file.write(LENGTH.pack(len(message)) + message)
            self._file.flush()
        except OSError as error:
            raise EngineError(
                "The record cannot be written: {}.".format(error.strerror or error), remedy="Make room on the disk."
            )
        self.bytes += len(message)

    @property
    def full(self):
        return self.bytes > MOST_BYTES

    def frames(self):
        """All frames, in order."""
        self._file.seek(0)
        found = []
        while True:
            size = self._file.read(LENGTH.size)
            if len(size) < LENGTH.size:
                return found[1:]
            found.append(wire.unpack(self._file.read(LENGTH.unpack(size)[0])))

    def close(self, keep=False):
        self._file.close()
        if not keep:
            try:
                os.remove(self.path)
            except OSError:
                pass  # it will be pruned


def stack(frames, keys):
    """One array per key, a row per frame."""
    return {key: np.stack([frame[key] for frame in frames]) for key in keys}


def join(frames, keys, start):
    """Arrays of varying length end to end, with their `start` (frames + 1,)."""
    first = [len(frame[keys[0]]) for frame in frames]
    joined = {key: np.concatenate([frame[key] for frame in frames]) for key in keys}
    joined[start] = np.concatenate([[0], np.cumsum(first)]).astype(np.int64)
    return joined


def folder():
    """Where records lie; old ones are removed."""
    home = os.environ.get("NSCD_HOME") or os.path.join(os.path.expanduser("~"), ".nscd")
    path = os.path.join(home, "records")
    try:
        os.makedirs(path, exist_ok=True)
        for name in os.listdir(path):
            file = os.path.join(path, name)
            if time.time() - os.path.getmtime(file) > KEPT_S:
                os.remove(file)
    except OSError as error:
        raise EngineError("{} cannot be used for records: {}.".format(path, error.strerror or error))
    return path
