"""Talking to one engine: authenticated connections that carry messages of `compas_nscd.wire`."""

import multiprocessing
import os
import secrets
import socket
import sys
import threading
from multiprocessing.connection import Client, answer_challenge, deliver_challenge

from compas_nscd import wire
from compas_nscd.errors import AuthenticationError, ProtocolError, error_from_data

#: Longest time that a living engine may take to greet a caller [s]. It greets in milliseconds, unless the machine is
#: overloaded; an engine that does not is taken for dead.
GREETING_S = 10.0


class Unsent(ConnectionError):
    """The engine has gone, and the request never reached it: it may be sent to another."""


class Channel:
    """Connections to one engine, lent to the threads that need one.

    Parameters
    ----------
    address : str or tuple
    key : bytes
    """

    def __init__(self, address, key):
        self.address = tuple(address) if isinstance(address, list) else address
        self._key = key
        self._name = secrets.token_bytes(16)  # by which the engine knows that several connections are one client
        self._anchor = None  # never lent: as long as it is open, the engine keeps the jobs of this client
        self._idle = []
        self._lock = threading.Lock()
        self._closed = False

    def request(self, message):
        """Send one request and return the reply.

        Raises
        ------
        NscdError
            The error that the engine answered with.
        Unsent
            If there is no engine any more.
        OSError, EOFError
            If the engine went while it worked on the request.
        """
        packed = wire.pack(message)
        connection = self._borrow()
        try:
            connection.send_bytes(packed)
        except OSError as error:
            connection.close()
            raise Unsent(str(error)) from None
        try:
            _await(connection)
            reply = wire.unpack(connection.recv_bytes(wire.MAX_MESSAGE))
        except BaseException:  # also KeyboardInterrupt: a late reply would be taken for that of the next request
            connection.close()
            raise
        self._give_back(connection)
        if not isinstance(reply, dict) or "ok" not in reply:
            raise ProtocolError("The engine's reply cannot be understood.")
        if not reply["ok"]:
            raise error_from_data(reply["error"])
        return reply

    def close(self):
        with self._lock:
            self._closed = True
            connections, self._idle, self._anchor = self._idle + [self._anchor], [], None
        for connection in connections:
            if connection is not None:
                connection.close()

    def _borrow(self):
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

    def _give_back(self, connection):
        with self._lock:
            if not self._closed:
                return self._idle.append(connection)
        connection.close()

    def _dial(self):
        try:
            connection = Client(self.address)
        except ValueError as error:  # an address that this system does not have
            raise ConnectionError(str(error)) from None
        try:
            if isinstance(self.address, tuple):
                _without_delay(connection)
            if not connection.poll(GREETING_S):
                raise ConnectionError("The engine does not greet.")
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


def _await(connection):
    """Wait for a message where Ctrl-C counts: on Windows `recv_bytes` swallows it, when the message comes with it."""
    if sys.platform == "win32":
        connection.poll(None)


def _ended(connection):
    """True if the engine closed an idle connection: there is nothing to read from it but its end."""
    try:
        return connection.poll(0)
    except OSError:
        return True


def _without_delay(connection):
    """Large messages go out in two writes; without this the second would wait for an acknowledgement."""
    if sys.platform != "win32":
        with socket.socket(fileno=os.dup(connection.fileno())) as shared:
            shared.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
