"""Who calls: both sides prove that they hold the key, in time, and few may try at once."""

from __future__ import annotations

import contextlib
import inspect
import socket
import sys
import threading
import time
from multiprocessing import AuthenticationError
from multiprocessing.connection import Connection, answer_challenge, deliver_challenge
from typing import Any, Dict

#: Longest time a caller may take to prove that it has the key and to tell its name [s]. Longer: silent callers hold
#: threads for longer. Shorter: clients on a busy machine are turned away.
HANDSHAKE_S = 5.0
#: Most callers at once that have not proved it yet [-]; of more, the one that came first is turned away. More: a
#: program without the key can take more threads. Fewer: programs that start at once disturb each other.
MOST_CALLERS = 32
#: Longest name of a client [bytes].
NAME_BYTES = 64
#: Digest of the challenge where Python has a choice (from 3.12 on); older ones use MD5, on both sides.
DIGEST = {"digest_name": "sha256"} if "digest_name" in inspect.signature(deliver_challenge).parameters else {}


class Callers:
    """Connections of callers that have not proved yet that they hold the key.

    Parameters
    ----------
    key : bytes
    """

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._waiting: Dict[int, Any] = {}  # connections by their order of arrival
        self._arrived = 0
        self._lock = threading.Lock()

    def welcome(self, connection: Any) -> bytes:
        """Name of the client that calls. Every client names itself: several connections may be one client.

        Raises
        ------
        AuthenticationError, OSError, EOFError
            If it does not hold the key, takes too long, or is turned away because many others call.
        """
        number = self._add(connection)
        patient = _Impatient(connection, time.monotonic() + HANDSHAKE_S)
        # A caller may stop in the middle of a frame, where a read would wait for ever: the connection is shut then.
        alarm = threading.Timer(HANDSHAKE_S, shut, [connection])
        alarm.daemon = True
        alarm.start()
        try:
            deliver_challenge(patient, self._key, **DIGEST)  # type: ignore[arg-type]
            answer_challenge(patient, self._key)  # type: ignore[arg-type]
            return patient.recv_bytes(NAME_BYTES)
        finally:
            alarm.cancel()
            with self._lock:
                self._waiting.pop(number, None)

    def _add(self, connection):
        with self._lock:
            self._arrived += 1
            self._waiting[self._arrived] = connection
            if len(self._waiting) > MOST_CALLERS:
                shut(self._waiting.pop(min(self._waiting)))
            return self._arrived


class _Impatient:
    """A connection that stops waiting for a message at a deadline."""

    def __init__(self, connection, deadline):
        self.send_bytes = connection.send_bytes
        self._connection = connection
        self._deadline = deadline

    def recv_bytes(self, maxlength):
        """One message of at most so many bytes."""
        if not self._connection.poll(max(self._deadline - time.monotonic(), 0.0)):
            raise AuthenticationError("it kept silent")
        return self._connection.recv_bytes(maxlength)


def shut(connection: Any) -> None:
    """End a connection from which another thread may be reading, so that this thread is woken.

    A socket is shut down where that wakes it, because its number cannot be given away while the other thread still
    has it; Windows goes on reading then, and only closing it helps. A named pipe of Windows is left alone: its messages
    come as a whole, and only its user can open it.
    """
    if not isinstance(connection, Connection):
        return
    with contextlib.suppress(OSError, ValueError):  # it has ended meanwhile
        if sys.platform == "win32":
            connection.close()
        else:
            with socket.fromfd(connection.fileno(), socket.AF_INET, socket.SOCK_STREAM) as same:
                same.shutdown(socket.SHUT_RDWR)
