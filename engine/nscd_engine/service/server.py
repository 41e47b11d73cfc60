"""The process: listens, checks who calls, and knows when to leave."""

import contextlib
import json
import logging
import os
import secrets
import sys
import tempfile
import threading
import time
from multiprocessing.connection import Listener

from compas_nscd import __version__, wire
from compas_nscd.errors import ProtocolError
from nscd_engine import kernel_sources
from nscd_engine.service import service
from nscd_engine.service.handshake import Callers

if sys.platform == "win32":
    from nscd_engine.service import windows

#: How often the engine asks itself whether it should leave [s].
WATCH_S = 0.25
#: Longest socket path in bytes: the system allows 104 on macOS, 108 on Linux, with the closing zero.
LONGEST_PATH = 100

log = logging.getLogger(__name__)


class Server:
    """One engine: a listener, a thread per connection, a rendezvous file that tells clients where and with which key.

    Parameters
    ----------
    svc : Service
    rendezvous : str
        Path of the file to write; only its owner can read it.
    idle_s : float
        Leave after so many seconds without request or job; 0 is never.
    parent : bool
        Standard input is a pipe held by the process that started this one: its end means that the parent has gone.
    tcp : bool
        Listen on a port of 127.0.0.1 instead of a socket file or named pipe.
    """

    def __init__(self, svc, rendezvous, idle_s=0.0, parent=False, tcp=False):
        self.service = svc
        self.rendezvous = rendezvous
        self.idle_s = idle_s
        self.key = secrets.token_bytes(32)
        self.folder = None
        self._tcp = tcp
        self._orphan = False
        self._wake = threading.Event()
        self._parent = os.getppid() if parent else None
        self._callers = Callers(self.key)
        self._clients = {}
        self._lock = threading.Lock()

    def run(self):
        """Serve until asked to stop, until the parent and all clients have gone, or until idle for too long."""
        listener = self._listen()
        try:
            self._announce(listener.address)
            self._thread(self._accept, listener)
            if self._parent is not None and sys.platform != "win32":  # there the pipe is looked at, never read
                self._thread(self._watch_parent)
            reason = None
            while reason is None:
                self._wake.wait(WATCH_S)
                self._wake.clear()
                reason = self._reason_to_leave()
            log.info("leaving: %s", reason)
        finally:
            self._withdraw(listener)

    def _listen(self):
        if self._tcp:
            return Listener(("127.0.0.1", 0), "AF_INET", backlog=64)
        if sys.platform == "win32":
            return windows.PrivatePipe(r"\\.\pipe\nscd-" + secrets.token_hex(16))
        self.folder = socket_folder()
        return Listener(os.path.join(self.folder, "socket"), "AF_UNIX", backlog=64)

    def _announce(self, address):
        data = {
            "version": __version__,
            "pid": os.getpid(),
            "address": address,
            "key": self.key.hex(),
            "python": sys.executable,
            "package": kernel_sources.PACKAGE,
            "started": time.time(),
        }
        # Complete and private from the first moment: written aside, then renamed.
        aside = "{}.{}".format(self.rendezvous, secrets.token_hex(4))
        with os.fdopen(_create_private(aside), "w", encoding="utf-8") as file:
            json.dump(data, file)
        patiently(os.replace, aside, self.rendezvous)
        log.info("process %d listens at %s", os.getpid(), address)

    def _withdraw(self, listener):
        try:
            with open(self.rendezvous, encoding="utf-8") as file:
                ours = json.load(file)["key"] == self.key.hex()  # else another engine has taken over
            if ours:
                patiently(os.unlink, self.rendezvous)
        except (OSError, ValueError, KeyError, TypeError):
            pass
        with contextlib.suppress(OSError):
            listener.close()
        if self.folder:
            with contextlib.suppress(OSError):
                os.rmdir(self.folder)  # the listener has removed the socket, and nothing else is ours

    def _accept(self, listener):
        while not self.service.stopping.is_set():
            try:
                connection = listener.accept()
            except OSError as error:
                log.warning("accept: %s", error)
                time.sleep(0.05)  # out of descriptors, or closing: do not spin
            else:
                self._thread(self._serve, connection)

    def _serve(self, connection):
        try:
            client = self._callers.welcome(connection)
        except Exception as error:
            log.warning("a caller was turned away: %s", error)
            return connection.close()
        try:
            self._enter(client)
            self._converse(connection, client)
        except (EOFError, OSError):
            pass
        finally:
            connection.close()
            self._leave(client)

    def _converse(self, connection, client):
        while True:
            try:
                message = connection.recv_bytes(wire.MAX_MESSAGE)
            except OSError as error:
                if connection.closed or "length" not in str(error):
                    raise
                refused = ProtocolError("A message over the limit of {} bytes was refused.".format(wire.MAX_MESSAGE))
                connection.send_bytes(wire.pack(service.refusal(refused)))
                raise
            connection.send_bytes(self.service.answer(message, client))
            if self.service.stopping.is_set():
                self._wake.set()

    def _enter(self, client):
        with self._lock:
            self._clients[client] = self._clients.get(client, 0) + 1

    def _leave(self, client):
        with self._lock:
            if client not in self._clients:
                return
            self._clients[client] -= 1
            if self._clients[client]:
                return
            del self._clients[client]
        self.service.jobs.cancel_of(client)
        self._wake.set()

    def _reason_to_leave(self):
        if self.service.stopping.is_set():
            time.sleep(0.05)  # let the reply to `shutdown` go out
            return "asked to"
        if self._parent is not None and self._parent_has_gone():
            self._orphan = True
        if self._orphan and not self._clients:
            return "the parent has gone and no client is connected"
        idle = self.service.idle_s()
        if self.idle_s and idle > self.idle_s:
            return "idle for {:.0f} s".format(idle)
        return None

    def _parent_has_gone(self):
        if sys.platform == "win32":
            return windows.pipe_ended()
        return os.getppid() != self._parent  # a child that the parent forked may keep the pipe open

    def _watch_parent(self):
        try:
            while os.read(0, 64):
                pass
        except OSError:
            pass
        self._orphan = True
        self._wake.set()

    @staticmethod
    def _thread(target, *args):
        threading.Thread(target=target, args=args, daemon=True).start()


def patiently(action, *paths, tries=50):
    """Replace or remove a file. Windows refuses while a client or a virus scanner reads it: for a moment only."""
    for _ in range(tries if sys.platform == "win32" else 0):
        try:
            return action(*paths)
        except PermissionError:
            time.sleep(0.02)
    return action(*paths)


def _create_private(path):
    """Descriptor of a new file that only its owner can read."""
    if sys.platform == "win32":
        return windows.create_private(path)
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)


def socket_folder():
    """A new directory, private and with a short path, for the socket."""
    for base in (os.environ.get("XDG_RUNTIME_DIR"), tempfile.gettempdir(), "/tmp"):
        if not base or len(os.fsencode(base)) + len("/nscd-xxxxxxxx/socket") > LONGEST_PATH:
            continue
        try:
            return tempfile.mkdtemp(prefix="nscd-", dir=base)
        except OSError:
            continue
    raise OSError("no directory for the socket")
