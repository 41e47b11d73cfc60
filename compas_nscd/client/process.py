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

from compas_nscd import __version__
from compas_nscd.client.channel import Channel
from compas_nscd.client.home import home, patiently
from compas_nscd.client.interpreter import lacking, no_window
from compas_nscd.errors import EngineStartError, NscdError

#: How often a client looks whether the engine it started has come up [s].
LOOK_S = 0.005
#: Age at which logs and locks of engines are removed [s].
LOGS_KEPT_S = 7 * 86400.0

#: Engines that this process started: rendezvous path -> Popen. Their standard input stays open as long as we live.
_children = {}
_children_lock = threading.Lock()
#: Exit status with which Windows ends a program, and what it means.
_CRASHES = {
    0xC0000005: "access violation",
    0xC0000017: "out of memory",
    0xC00000FD: "stack overflow",
    0xC0000135: "a DLL was not found",
    0xC000013A: "interrupted",
}


class Place:
    """Where the files of one engine are.

    Parameters
    ----------
    interpreter : Interpreter
    options : list of str
        Options of the engine: engines with different options are different engines.
    shared : bool
        False for an engine that no other client should find.
    """

    def __init__(self, interpreter, options=(), shared=True):
        self.home, self.note = home()
        # A name of Windows may be written in capitals or not.
        paths = [os.path.normcase(path) for path in (os.path.realpath(interpreter.path), interpreter.path)]
        identity = repr((__version__, *paths, list(options)))
        tag = hashlib.sha256(identity.encode("utf-8")).hexdigest()[:12] if shared else secrets.token_hex(6)
        folder = os.path.join(self.home, "engine")
        os.makedirs(folder, mode=0o700, exist_ok=True)
        self.rendezvous = os.path.join(folder, tag + ".json")
        self.lock = os.path.join(folder, tag + ".lock")
        self.log = os.path.join(folder, tag + ".log")
        self.output = os.path.join(folder, tag + ".out")

    def read(self):
        """What the rendezvous file says, or None."""
        return _read(self.rendezvous)

    def tail(self, lines=15):
        """End of what the engine wrote."""
        text = []
        for path in (self.output, self.log):
            with contextlib.suppress(OSError), open(path, encoding="utf-8", errors="replace") as file:
                text += file.read()[-8000:].splitlines()[-lines:]
        return "\n".join(text)


def _read(rendezvous):
    try:
        with patiently(_open, rendezvous) as file:
            data = json.load(file)
        return dict(data, key=bytes.fromhex(data["key"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _open(path):
    return open(path, encoding="utf-8")


def connect(place, new=False):
    """Channel to the engine that runs at a place, and what its rendezvous file says; (None, None) if none does.

    An engine of another release, or older than its own sources, does not count unless it is `new`: just started by us.
    Traces of an engine that died are removed. Raises AuthenticationError if the file has a wrong key.
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
        _discard(place.rendezvous)
        return None, None
    return channel, found


def launch(place, interpreter, options, start_s):
    """Start an engine and wait until it listens.

    Raises
    ------
    EngineStartError
        With what to install, or the end of the log.
    """
    _discard(place.rendezvous)
    stale = place.read()  # what could not be removed is not taken for news
    command = [interpreter.path, "-m", "nscd_engine", "--rendezvous", place.rendezvous, "--log", place.log, "--parent"]
    environment = dict(interpreter.environment(), NSCD_HOME=place.home)
    # A directory of its own: `-m` searches it first, and the user's may hold a file that is called like a module.
    apart = dict(_apart(), cwd=os.path.dirname(place.log))
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
    while place.read() in (None, stale):
        if process.poll() is not None:
            raise _failed(place, interpreter, process)
        if time.monotonic() > end:
            process.kill()
            process.wait()
            raise EngineStartError(
                "The engine did not come up within {:.0f} s.\n{}".format(start_s, place.tail()), log=place.log
            )
        time.sleep(LOOK_S)


def _apart():
    """Arguments of Popen for a process that Ctrl-C in our terminal does not reach: it is for us, not for the engine."""
    if os.name != "nt":
        return {"start_new_session": True}
    return {"creationflags": no_window()["creationflags"] | subprocess.CREATE_NEW_PROCESS_GROUP}


def stop_engines(folder):
    """Ask the engines that run from a folder to leave, whoever started them: soon nothing in it will be in use."""
    engines = os.path.join(home()[0], "engine")
    inside = tuple(os.path.normcase(os.path.join(path, "")) for path in (folder, os.path.realpath(folder)))
    for name in os.listdir(engines) if os.path.isdir(engines) else ():
        found = _read(os.path.join(engines, name)) if name.endswith(".json") else None
        if found is None or not os.path.normcase(found["python"]).startswith(inside):
            continue
        channel = Channel(found["address"], found["key"])
        with contextlib.suppress(OSError, EOFError, NscdError):
            channel.request({"verb": "shutdown"})
        channel.close()


def prune(place):
    """Remove logs and locks of long ago; engines that are not shared leave one each."""
    folder = os.path.dirname(place.rendezvous)
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        with contextlib.suppress(OSError):
            if not name.endswith(".json") and time.time() - os.path.getmtime(path) > LOGS_KEPT_S:
                os.unlink(path)


def release(place, wait_s=5.0):
    """Let go of an engine that this process started: it leaves when no client is connected."""
    with _children_lock:
        process = _children.pop(place.rendezvous, None)
    if process is not None:
        _let_go(process, wait_s)


def child(place):
    """The process started here, if it was: None when another program started it."""
    return _children.get(place.rendezvous)


def left_by_itself(place):
    """True if the engine that this process started there has ended in good order: idle, or asked to."""
    process = child(place)
    try:
        return process is not None and process.wait(1.0) == 0
    except subprocess.TimeoutExpired:
        return False


def how_it_ended(process, wait_s=1.0):
    """Words for the end of a process: exit status or signal."""
    if process is None:
        return "another program started it, so that more is not known"
    try:
        status = process.wait(wait_s)
    except subprocess.TimeoutExpired:
        return "its process {} still runs".format(process.pid)
    if status < 0:
        return "signal {} ({})".format(-status, signal.Signals(-status).name)
    if status in _CRASHES:
        return "exit status 0x{:08X} ({})".format(status, _CRASHES[status])
    return "exit status {}".format(status)


def _failed(place, interpreter, process):
    absent = interpreter.missing()
    if absent:
        return lacking(interpreter, absent)
    return EngineStartError(
        "The engine ended while it was starting, with {}.\n{}".format(how_it_ended(process), place.tail()),
        remedy="See {}.".format(place.log),
        log=place.log,
        python=interpreter.path,
    )


def _clean(place, found):
    """Remove what a dead engine left: its rendezvous file, and its socket with the directory around it."""
    _discard(place.rendezvous)
    address = found["address"]
    if isinstance(address, str) and os.name != "nt" and os.path.basename(os.path.dirname(address)).startswith("nscd-"):
        shutil.rmtree(os.path.dirname(address), ignore_errors=True)


def _discard(path):
    with contextlib.suppress(OSError):
        patiently(os.unlink, path)


def _changed_since(package, moment):
    """True if a source of the engine is newer than the running engine: it would run yesterday's code."""
    for folder, _, names in os.walk(package):
        for name in names:
            if name.endswith(".py") and os.path.getmtime(os.path.join(folder, name)) > moment:
                return True
    return False


def _let_go(process, wait_s):
    with contextlib.suppress(OSError):
        process.stdin.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(wait_s)


@atexit.register
def release_all():
    """Let go of every engine that this process started; those without another client leave at once."""
    with _children_lock:
        processes = list(_children.values())
        _children.clear()
    for process in processes:
        _let_go(process, wait_s=1.0)
