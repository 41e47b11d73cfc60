"""Connections to one engine: authenticated, with messages of `compas_nscd.wire`."""

import multiprocessing
import os
import secrets
import socket
import sys
import threading
from multiprocessing.connection import Client, answer_challenge, deliver_challenge
from typing import Any, Dict, List, Optional, Tuple, Union

from compas_nscd import wire
from compas_nscd.errors import AuthenticationError, ProtocolError, error_from_data

#: Longest wait for the first message of an engine [s], which takes milliseconds unless the machine is overloaded.
#: Larger: a dead engine is noticed late. Smaller: a busy one is taken for dead.
GREETING_S = 10.0


#: A connection of `multiprocessing.connection`: Connection, or PipeConnection on Windows.
Connection = Any


class Unsent(ConnectionError):
    """The engine ended before the request reached it: the request may be sent to another engine."""


class Channel:
    """Connections to one engine, one for each thread that waits for a reply.

    Parameters
    ----------
    address : str or tuple
    key : bytes
    """

    def __init__(self, address: Union[str, Tuple[str, int], List[Any]], key: bytes):
        self.address = tuple(address) if isinstance(address, list) else address
        self._key = key
        self._name = secrets.token_bytes(16)  # the same on all connections: tells the engine that they are one client
        self._anchor: Connection = None  # carries no request: while it is open the engine keeps our jobs
        self._idle: List[Connection] = []
        self._lock = threading.Lock()
        self._closed = False

    def request(self, message: Union[Dict[str, Any], bytes], wait_s: Optional[float] = None) -> Dict[str, Any]:
        """Send one request and return the reply.

        Parameters
        ----------
        message : dict or bytes
            Bytes are a message that `wire.pack` made.
        wait_s : float, optional
            Longest wait for the reply [s]. Default: no limit.

        Raises
        ------
        NscdError
            The error that the engine answered with.
        Unsent
            If the engine has ended.
        OSError, EOFError
            If the engine ended while it worked on the request, or did not reply in time.
        """
        packed = message if isinstance(message, bytes) else wire.pack(message)
        connection = self._borrow()
        try:
            connection.send_bytes(packed)
        except OSError as error:
            connection.close()
            raise Unsent(str(error)) from None
        try:
            _await(connection, wait_s)
            reply = wire.unpack(connection.recv_bytes(wire.MAX_MESSAGE))
        except BaseException:  # KeyboardInterrupt too: a late reply would be taken for that of the next request
            connection.close()
            raise
        self._give_back(connection)
        if not isinstance(reply, dict) or "ok" not in reply:
            raise ProtocolError("The engine's reply cannot be understood.")
        if not reply["ok"]:
            raise error_from_data(reply["error"])
        return reply

    def close(self) -> None:
        """Close all connections; the engine then cancels the jobs of this client."""
        with self._lock:
            self._closed = True
            connections, self._idle, self._anchor = [*self._idle, self._anchor], [], None
        for connection in connections:
            if connection is not None:
                connection.close()

    def _borrow(self) -> Connection:
        while True:
            with self._lock:
                if not self._idle:
                    break
                connection = self._idle.pop()
            if not _ended(connection):
                return connection
            connection.close()
        try:
            with self._lock:
                if self._anchor is None and not self._closed:
                    self._anchor = self._dial()
            return self._dial()
        except (OSError, EOFError) as error:
            raise Unsent(str(error)) from None

    def _give_back(self, connection: Connection) -> None:
        with self._lock:
            if not self._closed:
                self._idle.append(connection)
                return
        connection.close()

    def _dial(self) -> Connection:
        try:
            connection = Client(self.address)
        except ValueError as error:  # the address of another operating system
            raise ConnectionError(str(error)) from None
        try:
            if isinstance(self.address, tuple):
                _without_delay(connection)
            if not connection.poll(GREETING_S):
                raise ConnectionError("The engine does not answer.")
            answer_challenge(connection, self._key)
            deliver_challenge(connection, self._key)
            connection.send_bytes(self._name)
        except multiprocessing.AuthenticationError:
            connection.close()
            raise AuthenticationError(
                "The engine refused the key.",
                remedy="Another program wrote the file that tells the key: delete it, or set NSCD_HOME elsewhere.",
            ) from None
        except BaseException:
            connection.close()
            raise
        return connection


def _await(connection: Connection, wait_s: Optional[float]) -> None:
    """Wait for a message. On Windows `recv_bytes` would lose a Ctrl-C during the wait; `poll` does not."""
    if (sys.platform == "win32" or wait_s is not None) and not connection.poll(wait_s):
        raise ConnectionError("The engine does not answer.")


def _ended(connection: Connection) -> bool:
    """True if the engine closed an idle connection: only the end of the stream can be read from one."""
    try:
        return connection.poll(0)
    except OSError:
        return True


def _without_delay(connection: Connection) -> None:
    """Send at once: large messages are two writes, and the second would wait for an acknowledgement of the first."""
    if sys.platform != "win32":
        with socket.socket(fileno=os.dup(connection.fileno())) as shared:
            shared.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
