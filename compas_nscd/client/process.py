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
import re
import secrets
import signal
import stat
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Sequence, TextIO, Tuple

from compas_nscd import __version__
from compas_nscd.client.home import cannot_write, home, patiently, private_folder, private_opener
from compas_nscd.client.interpreters.interpreter import Interpreter, lacking, no_window
from compas_nscd.client.time_limit import TimeLimit
from compas_nscd.errors import CancelledError, EngineStartError, NscdError

if TYPE_CHECKING:  # it loads numpy, and an engine is started before
    from compas_nscd.client.channel import Channel

#: Time without work after which an engine ends [s]. Longer: it takes memory. Shorter: it is started more often.
IDLE_S = 900.0
#: Most characters of a rendezvous file that are read [-]: it has some hundred.
LARGEST_RENDEZVOUS = 65536
#: Names of the files of an engine, without and with the logs that were rotated.
_RENDEZVOUS = re.compile(r"[0-9a-f]{12}\.json\Z")
_OTHERS = re.compile(r"[0-9a-f]{12}\.(lock|out|log|log\.\d)\Z")

#: Interval at which the rendezvous file of a new engine is looked for [s]. Larger: a later start. Smaller: more load.
LOOK_S = 0.005
#: Longest wait for an engine to stop [s]. Larger: one that hangs holds up who stops it. Smaller: a busy one is killed.
STOP_S = 5.0
#: Age at which logs and locks of engines are removed [s]. Smaller: the log of a crash may be gone when it is needed.
LOGS_KEPT_S = 7 * 86400.0
#: Longest wait for engines when this program ends [s]. Larger: Rhino closes later. Smaller: an idle engine may outlive
#: this program by a moment.
LEAVE_S = 0.4

#: Engines that this process started, by rendezvous file. Each watches its standard input, open until this process ends.
_children: Dict[str, "subprocess.Popen[bytes]"] = {}
_children_lock = threading.Lock()
#: Those of them that were started early, and have not been seen to listen.
_unseen: Dict[str, "subprocess.Popen[bytes]"] = {}
#: Exit status of programs that Windows ended, and what it means.
_CRASHES = {
    0xC0000005: "access violation",
    0xC0000017: "out of memory",
    0xC00000FD: "stack overflow",
    0xC0000135: "a DLL was not found",
    0xC000013A: "interrupted",
}


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
        # File names of Windows do not distinguish capitals.
        paths = [os.path.normcase(path) for path in (os.path.realpath(interpreter.path), interpreter.path)]
        identity = repr((__version__, *paths, list(options)))
        tag = hashlib.sha256(identity.encode("utf-8")).hexdigest()[:12] if shared else secrets.token_hex(6)
        folder = private_folder(os.path.join(self.home, "engine"))
        self.rendezvous = os.path.join(folder, tag + ".json")
        self.lock = os.path.join(folder, tag + ".lock")
        self.log = os.path.join(folder, tag + ".log")
        self.output = os.path.join(folder, tag + ".out")

    def read(self) -> Optional[Dict[str, Any]]:
        """Content of the rendezvous file, or None."""
        return _read(self.rendezvous)

    def tail(self, lines: int = 15) -> str:
        """Last lines of output and log."""
        text: List[str] = []
        for path in (self.output, self.log):
            with contextlib.suppress(OSError), open(path, encoding="utf-8", errors="replace") as file:
                text += file.read()[-8000:].splitlines()[-lines:]
        return "\n".join(text)


def _read(rendezvous: str) -> Optional[Dict[str, Any]]:
    try:
        with patiently(_open, rendezvous) as file:
            data = json.loads(file.read(LARGEST_RENDEZVOUS))
        data = dict(data, key=bytes.fromhex(data["key"]))
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return data if _is_complete(data) else None


def _is_complete(data: Dict[str, Any]) -> bool:
    """Whether the content of a rendezvous file has all fields, each of its kind."""
    address, pid = data.get("address"), data.get("pid")
    texts = all(isinstance(data.get(name), str) for name in ("version", "python", "package"))
    numbers = type(pid) is int and pid > 0 and isinstance(data.get("started"), float)
    return texts and numbers and (isinstance(address, str) or _is_port(address))


def _is_port(address: Any) -> bool:
    """Whether an address is a port of this machine: an engine listens nowhere else."""
    ok = isinstance(address, list) and len(address) == 2 and address[0] == "127.0.0.1"
    return ok and type(address[1]) is int and 0 < address[1] < 65536


def _open(path: str) -> TextIO:
    return open(path, encoding="utf-8")


def connect(files: EngineFiles, new: bool = False) -> "Tuple[Optional[Channel], Optional[Dict[str, Any]]]":
    """Channel to the engine of these files and content of its rendezvous file; (None, None) if none runs.

    An engine of another release, or older than its own sources, is not used unless it is `new`: just started by us.
    Files of an engine that died are removed. Raises AuthenticationError if the file has a wrong key.
    """
    from compas_nscd.client.channel import Channel

    found = files.read()
    if found is None:
        return None, None
    _unseen.pop(files.rendezvous, None)
    channel = Channel(found["address"], found["key"])
    try:
        pong = channel.request({"verb": "ping"})
    except (OSError, EOFError):
        channel.close()
        _clean(files.rendezvous, found)
        return None, None
    if not new and (pong["version"] != __version__ or _changed_since(found["package"], found["started"])):
        channel.close()  # the engine ends when its last client has disconnected
        _discard(files.rendezvous)
        return None, None
    return channel, found


def launch(
    files: EngineFiles,
    interpreter: Interpreter,
    options: Sequence[str],
    start_s: float,
    cancelled: Callable[[], bool] = lambda: False,
) -> None:
    """Start an engine and wait until it listens, at most `start_s` [s] and until `cancelled` returns True.

    Raises
    ------
    EngineStartError
        With what to install, or the end of the log.
    CancelledError
    """
    process, stale = _unseen.pop(files.rendezvous, None), None
    if process is None or process.poll() is not None:
        _discard(files.rendezvous)
        stale = files.read()  # a file that could not be removed is not that of the new engine
        process = begin(files, interpreter, options)
    limit = TimeLimit(start_s)
    while files.read() in (None, stale):
        if process.poll() is not None:
            raise _failed(files, interpreter, process)
        late = limit.is_over()
        if late or cancelled():
            process.kill()
            process.wait()
        if cancelled():
            raise CancelledError("The start of the engine was cancelled.")
        if late:
            raise EngineStartError(
                "The engine did not come up within {:.0f} s.\n{}".format(start_s, files.tail()), log=files.log
            )
        time.sleep(LOOK_S)


def begin(files: EngineFiles, interpreter: Interpreter, options: Sequence[str]) -> "subprocess.Popen[bytes]":
    """Start an engine, and do not wait until it listens; EngineStartError if its Python cannot be run."""
    command = [interpreter.path, "-m", "nscd_engine", "--rendezvous", files.rendezvous, "--log", files.log, "--parent"]
    environment = dict(interpreter.environment(), NSCD_HOME=files.home)
    # A folder of its own: `-m` searches the current one first, which may have a file with the name of a module.
    apart = dict(_apart(), cwd=os.path.dirname(files.log))
    try:
        output = open(files.output, "wb", opener=private_opener)  # noqa: SIM115 - closed below
    except OSError as error:
        raise cannot_write(files.output, error)
    with output:
        try:
            process = subprocess.Popen(
                command + list(options), stdin=subprocess.PIPE, stdout=output, stderr=output, env=environment, **apart
            )
        except OSError as error:
            raise EngineStartError("{} cannot be started: {}.".format(interpreter.path, error.strerror or error))
    release(files, wait_s=0.0)  # an earlier engine that died
    with _children_lock:
        _children[files.rendezvous] = process
    return process


def begin_early(files: EngineFiles, interpreter: Interpreter) -> None:
    """Start an engine for a client that does not look for it yet: `launch` will wait for this one."""
    _unseen[files.rendezvous] = begin(files, interpreter, idle_option(IDLE_S))


def idle_option(idle_s: float) -> List[str]:
    """Options of an engine that ends after this time without work [s]."""
    return ["--idle", str(idle_s)]


def _apart() -> Dict[str, Any]:
    """Arguments of Popen for a process that Ctrl-C in our terminal does not interrupt."""
    if sys.platform == "win32":
        return {"creationflags": no_window()["creationflags"] | subprocess.CREATE_NEW_PROCESS_GROUP}
    return {"start_new_session": True}


def stop_engines(folder: str) -> None:
    """Stop the engines whose Python is in a folder, also those of other programs, so that it can be replaced."""
    from compas_nscd.client.channel import Channel

    engines = os.path.join(home()[0], "engine")
    inside = tuple(os.path.normcase(os.path.join(path, "")) for path in (folder, os.path.realpath(folder)))
    for name in os.listdir(engines) if os.path.isdir(engines) else ():
        found = _read(os.path.join(engines, name)) if name.endswith(".json") else None
        if found is None or not os.path.normcase(found["python"]).startswith(inside):
            continue
        channel = Channel(found["address"], found["key"])
        with contextlib.suppress(OSError, EOFError, NscdError):
            channel.request({"verb": "shutdown"}, wait_s=STOP_S)
        channel.close()


def prune(files: EngineFiles) -> None:
    """Remove old logs and locks, which engines that are not shared leave, and what engines left that died.

    Files with other names are not ours.
    """
    folder = os.path.dirname(files.rendezvous)
    for name in os.listdir(folder):
        path = os.path.join(folder, name)
        with contextlib.suppress(OSError):
            if _OTHERS.match(name) and time.time() - os.path.getmtime(path) > LOGS_KEPT_S:
                os.unlink(path)
            elif _RENDEZVOUS.match(name) and path != files.rendezvous:
                found = _read(path)
                if found is not None and not _runs(found["pid"]):
                    _clean(path, found)


def _runs(pid: int) -> bool:
    """Whether a process exists; True if that cannot be told."""
    if os.name == "nt":
        return True  # a signal would end it
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        pass  # it is that of another user
    return True


def release(files: Optional[EngineFiles], wait_s: Optional[float] = None, kill: bool = False) -> None:
    """Release an engine that this process started: it ends when no client is connected.

    Parameters
    ----------
    files : EngineFiles or None
    wait_s : float, optional
        Longest wait for its end [s]; STOP_S unless given.
    kill : bool, optional
        End its process if it still runs then.
    """
    if files is None:
        return
    with _children_lock:
        process = _children.pop(files.rendezvous, None)
    if process is not None:
        _let_go(process, STOP_S if wait_s is None else wait_s)
        if kill:
            with contextlib.suppress(OSError, subprocess.TimeoutExpired):  # Windows is about to end it
                process.kill()
                process.wait(1.0)


def child(files: Optional[EngineFiles]) -> "Optional[subprocess.Popen[bytes]]":
    """The process of the engine, or None if another program started it."""
    return None if files is None else _children.get(files.rendezvous)


def left_by_itself(files: Optional[EngineFiles]) -> bool:
    """True if the engine that this process started has ended in good order: idle, or on request."""
    process = child(files)
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
    if status in _CRASHES:
        return "exit status 0x{:08X} ({})".format(status, _CRASHES[status])
    return "exit status {}".format(status)


def _failed(files: EngineFiles, interpreter: Interpreter, process: "subprocess.Popen[bytes]") -> EngineStartError:
    absent = interpreter.missing()
    if absent:
        return lacking(interpreter, absent)
    return EngineStartError(
        "The engine ended while it was starting, with {}.\n{}".format(how_it_ended(process), files.tail()),
        remedy="See {}.".format(files.log),
        log=files.log,
        python=interpreter.path,
    )


def _clean(rendezvous: str, found: Dict[str, Any]) -> None:
    """Remove what a dead engine left: its rendezvous file, its socket, and the folder around it if nothing else is in
    it. The address is what a file says: nothing but a socket is removed.
    """
    _discard(rendezvous)
    address = found["address"]
    if not isinstance(address, str) or os.name == "nt":
        return
    with contextlib.suppress(OSError, ValueError):
        if stat.S_ISSOCK(os.lstat(address).st_mode) and os.path.basename(os.path.dirname(address)).startswith("nscd-"):
            os.unlink(address)
            os.rmdir(os.path.dirname(address))


def _discard(path: str) -> None:
    with contextlib.suppress(OSError):
        patiently(os.unlink, path)


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
    end = time.monotonic() + LEAVE_S
    for process in processes:
        _let_go(process, wait_s=max(end - time.monotonic(), 0.0))
