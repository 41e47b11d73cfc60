"""Finding a running engine, or starting one.

A running engine is known by a rendezvous file in the home directory, `NSCD_HOME` or else `~/.nscd`, that only its owner
can read: address, key, process id. There is one file per release and interpreter, so that clients that want the same
engine find the same file.
"""

import atexit
import contextlib
import hashlib
import json
import os
import secrets
import shutil
import signal
import subprocess
import threading
import time
from typing import Any, Dict, List, Optional, Sequence, Tuple

from compas_nscd import __version__
from compas_nscd.client.channel import Channel
from compas_nscd.client.home import home
from compas_nscd.client.interpreter import Interpreter, lacking, no_window
from compas_nscd.errors import EngineStartError

#: Interval at which the rendezvous file of a new engine is looked for [s]. Larger: a later start. Smaller: more load.
LOOK_S = 0.005
#: Age at which logs and locks of engines are removed [s]. Smaller: the log of a crash may be gone when it is needed.
LOGS_KEPT_S = 7 * 86400.0

#: Engines that this process started, by rendezvous file. Each watches its standard input, open until this process ends.
_children: Dict[str, "subprocess.Popen[bytes]"] = {}
_children_lock = threading.Lock()


class EngineFiles:
    """Files of one engine: rendezvous, lock, log and output.

    Parameters
    ----------
    interpreter : Interpreter
    options : list of str
        Options of the engine: engines with different options are different engines.
    shared : bool
        False for an engine that no other client should find.
    """

    def __init__(self, interpreter: Interpreter, options: Sequence[str] = (), shared: bool = True):
        self.home, self.note = home()
        identity = repr((__version__, os.path.realpath(interpreter.path), interpreter.path, list(options)))
        tag = hashlib.sha256(identity.encode("utf-8")).hexdigest()[:12] if shared else secrets.token_hex(6)
        folder = os.path.join(self.home, "engine")
        os.makedirs(folder, mode=0o700, exist_ok=True)
        self.rendezvous = os.path.join(folder, tag + ".json")
        self.lock = os.path.join(folder, tag + ".lock")
        self.log = os.path.join(folder, tag + ".log")
        self.output = os.path.join(folder, tag + ".out")

    def read(self) -> Optional[Dict[str, Any]]:
        """Content of the rendezvous file, or None."""
        try:
            with open(self.rendezvous, encoding="utf-8") as file:
                data = json.load(file)
            return dict(data, key=bytes.fromhex(data["key"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def tail(self, lines: int = 15) -> str:
        """Last lines of output and log."""
        text: List[str] = []
        for path in (self.output, self.log):
            with contextlib.suppress(OSError), open(path, encoding="utf-8", errors="replace") as file:
                text += file.read()[-8000:].splitlines()[-lines:]
        return "\n".join(text)


def connect(place: EngineFiles, new: bool = False) -> Tuple[Optional[Channel], Optional[Dict[str, Any]]]:
    """Channel to the engine of these files and content of its rendezvous file; (None, None) if none runs.

    An engine of another release, or older than its own sources, is not used unless it is `new`: just started by us.
    Files of an engine that died are removed. Raises AuthenticationError if the file has a wrong key.
    """
    found = place.read()
    if found is None:
        return None, None
    channel = Channel(found["address"], found["key"])
    try:
        pong = channel.request({"verb": "ping"})
    except (OSError, EOFError):
        channel.close()
        _clean(place, found)
        return None, None
    if not new and (pong["version"] != __version__ or _changed_since(found["package"], found["started"])):
        channel.close()  # it leaves by itself when its clients have gone
        with contextlib.suppress(OSError):
            os.unlink(place.rendezvous)
        return None, None
    return channel, found


def launch(place: EngineFiles, interpreter: Interpreter, options: Sequence[str], start_s: float) -> None:
    """Start an engine and wait until it listens.

    Raises
    ------
    EngineStartError
        With what to install, or the end of the log.
    """
    with contextlib.suppress(OSError):
        os.unlink(place.rendezvous)
    command = [interpreter.path, "-m", "nscd_engine", "--rendezvous", place.rendezvous, "--log", place.log, "--parent"]
    environment = dict(interpreter.environment(), NSCD_HOME=place.home)
    # A session of its own: Ctrl-C in the terminal is for us, not for the engine. A directory of its own: `-m` searches
    # it first, and the user's may hold a file that is called like a module.
    apart = dict(no_window() if os.name == "nt" else {"start_new_session": True}, cwd=os.path.dirname(place.log))
    with open(place.output, "wb") as output:
        try:
            process = subprocess.Popen(
                command + list(options), stdin=subprocess.PIPE, stdout=output, stderr=output, env=environment, **apart
            )
        except OSError as error:
            raise EngineStartError("{} cannot be started: {}.".format(interpreter.path, error.strerror or error))
    release(place, wait_s=0.0)  # an earlier one that died
    with _children_lock:
        _children[place.rendezvous] = process
    end = time.monotonic() + start_s
    while place.read() is None:
        if process.poll() is not None:
            raise _failed(place, interpreter, process)
        if time.monotonic() > end:
            process.kill()
            process.wait()
            raise EngineStartError(
                "The engine did not come up within {:.0f} s.\n{}".format(start_s, place.tail()), log=place.log
            )
        time.sleep(LOOK_S)


def prune(place: EngineFiles) -> None:
    """Remove old logs and locks; engines that are not shared leave one each."""
    folder = os.path.dirname(place.rendezvous)
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        with contextlib.suppress(OSError):
            if not name.endswith(".json") and time.time() - os.path.getmtime(path) > LOGS_KEPT_S:
                os.unlink(path)


def release(place: Optional[EngineFiles], wait_s: float = 5.0) -> None:
    """Release an engine that this process started: it ends when no client is connected."""
    if place is None:
        return
    with _children_lock:
        process = _children.pop(place.rendezvous, None)
    if process is not None:
        _let_go(process, wait_s)


def child(place: Optional[EngineFiles]) -> "Optional[subprocess.Popen[bytes]]":
    """The process of the engine, or None if another program started it."""
    return None if place is None else _children.get(place.rendezvous)


def left_by_itself(place: Optional[EngineFiles]) -> bool:
    """True if the engine that this process started has ended in good order: idle, or on request."""
    process = child(place)
    try:
        return process is not None and process.wait(1.0) == 0
    except subprocess.TimeoutExpired:
        return False


def how_it_ended(process: "Optional[subprocess.Popen[bytes]]", wait_s: float = 1.0) -> str:
    """Exit status or signal of a process, as text."""
    if process is None:
        return "another program started it, so that its exit status is not known"
    try:
        status = process.wait(wait_s)
    except subprocess.TimeoutExpired:
        return "its process {} still runs".format(process.pid)
    if status < 0:
        return "signal {} ({})".format(-status, signal.Signals(-status).name)
    return "exit status {}".format(status)


def _failed(place: EngineFiles, interpreter: Interpreter, process: "subprocess.Popen[bytes]") -> EngineStartError:
    absent = interpreter.missing()
    if absent:
        return lacking(interpreter, absent)
    return EngineStartError(
        "The engine ended while it was starting, with {}.\n{}".format(how_it_ended(process), place.tail()),
        remedy="See {}.".format(place.log),
        log=place.log,
        python=interpreter.path,
    )


def _clean(place: EngineFiles, found: Dict[str, Any]) -> None:
    """Remove what a dead engine left: its rendezvous file, and its socket with the directory around it."""
    with contextlib.suppress(OSError):
        os.unlink(place.rendezvous)
    address = found["address"]
    if isinstance(address, str) and os.name != "nt" and os.path.basename(os.path.dirname(address)).startswith("nscd-"):
        shutil.rmtree(os.path.dirname(address), ignore_errors=True)


def _changed_since(package: str, moment: float) -> bool:
    """True if a source of the engine is newer than the running engine, which then has old code."""
    for folder, _, names in os.walk(package):
        for name in names:
            if name.endswith(".py") and os.path.getmtime(os.path.join(folder, name)) > moment:
                return True
    return False


def _let_go(process: "subprocess.Popen[bytes]", wait_s: float) -> None:
    with contextlib.suppress(OSError):
        if process.stdin is not None:
            process.stdin.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(wait_s)


@atexit.register
def release_all() -> None:
    """Release every engine that this process started; those without another client end at once."""
    with _children_lock:
        processes = list(_children.values())
        _children.clear()
    for process in processes:
        _let_go(process, wait_s=1.0)
