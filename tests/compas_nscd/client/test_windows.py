"""What Windows does in its own way; what can be tried elsewhere is tried everywhere."""

import logging
import os
import subprocess
import sys
import sysconfig
import threading
from pathlib import Path

import pytest

from compas_nscd import ContactLaw, GroundMotion, Structure, templates
from compas_nscd.client import process
from compas_nscd.client.engine import Engine
from compas_nscd.client.interpreters import environment, interpreter
from compas_nscd.client.interpreters.interpreter import Interpreter
from compas_nscd.errors import EngineError
from nscd_engine import kernel_cache
from nscd_engine.__main__ import LogFile
from nscd_engine.core.monitor import Monitor
from nscd_engine.service import libraries
from process_tools import PATIENCE_S, engines_of, wait_until
from stand_in import stand_in

pytest_plugins = ["process_fixtures"]

on_windows = pytest.mark.skipif(os.name != "nt", reason="only on Windows")

#: An engine whose parent is watched before the libraries are loaded: the other way round it would only hang at times.
WATCH = """
import os, sys, threading, time
from nscd_engine.service.server import Server

class Idle:
    stopping = threading.Event()
    idle_s = staticmethod(lambda: 0.0)

threading.Thread(target=Server(Idle, sys.argv[1], parent=True).run, daemon=True).start()
while not os.path.exists(sys.argv[1]):
    time.sleep(0.01)
time.sleep(0.3)
import scipy.linalg
print("loaded", flush=True)
os._exit(0)
"""


@pytest.mark.short
def test_libraries_load_while_the_parent_is_watched(tmp_path):
    """On Windows they never did when the watcher waited in a read of standard input (numpy issue 24290)."""
    command = [sys.executable, "-c", WATCH, str(tmp_path / "rendezvous.json")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        late = threading.Timer(60.0, program.kill)
        late.start()
        told = program.stdout.read()
        late.cancel()
    assert told.split() == [b"loaded"]


@pytest.mark.short
def test_libraries_that_do_not_load_in_time_are_named(monkeypatch):
    monkeypatch.setattr(libraries, "LOADING_S", 0.05)
    monkeypatch.setattr(libraries, "_loaded", threading.Event())
    monkeypatch.setattr(libraries, "_loading", ["scipy"])
    with pytest.raises(EngineError, match="for scipy to be loaded") as caught:
        libraries.need(Monitor())
    assert caught.value.detail["waited_for"] == ["scipy"] and caught.value.remedy


@pytest.mark.short
@pytest.mark.parametrize(
    "words", [["compas_nscd", "make", "arch", "-o"], ["compas_nscd.ghuser", "examples"]], ids=lambda words: words[0]
)
def test_a_name_beyond_the_letters_of_the_console_is_shown_all_the_same(tmp_path, words):
    path = str(tmp_path / "拱门.json")
    command = [sys.executable, "-m", *words, path]
    done = subprocess.run(command, env=dict(os.environ, PYTHONIOENCODING="cp1252"), capture_output=True)
    assert done.returncode == 0, done.stderr
    assert b"\\u62f1\\u95e8.json" in done.stdout and os.path.exists(path)


#: Ctrl-C, as the terminal sends it to every program that it shows.
INTERRUPT = """
import os, signal, threading
engine = Engine(options=["--test-verbs"]).start()
job = engine.submit("sleep", {"seconds": 30.0})
pid = engine.info["pid"]
threading.Timer(0.5, lambda: os.kill(0, signal.CTRL_C_EVENT if os.name == "nt" else signal.SIGINT)).start()
try:
    job.result()
except KeyboardInterrupt:
    print(job.state, engine.ping()["pid"] == pid, flush=True)
sys.stdin.read()
"""


def test_an_interrupt_from_the_terminal_is_for_the_program_and_not_for_the_engine(program):
    apart = {"creationflags": subprocess.CREATE_NEW_CONSOLE} if os.name == "nt" else {"start_new_session": True}
    client = program(INTERRUPT, **apart)
    assert client.line() == "cancelled True"
    assert client.finish() == 0


@pytest.mark.short
def test_a_file_that_somebody_reads_for_a_moment_goes_when_he_has_done(tmp_path):
    path = tmp_path / "rendezvous.json"
    path.write_text("{}")
    reader = open(path, encoding="utf-8")
    threading.Timer(0.2, reader.close).start()
    process._discard(str(path))
    assert not path.exists()


@pytest.mark.short
def test_the_processor_has_a_name():
    assert any(name.strip() for name in kernel_cache._processor()[2])


@on_windows
def test_a_path_in_capitals_is_the_same_engine(home):
    places = [process.EngineFiles(Interpreter(path, "")) for path in (sys.executable.lower(), sys.executable.upper())]
    assert places[0].rendezvous == places[1].rendezvous


@pytest.mark.short
def test_words_for_a_crash_of_windows():
    class Ended:
        def wait(self, seconds):
            return 0xC0000005

    assert process.how_it_ended(Ended()) == "exit status 0xC0000005 (access violation)"


def test_kernels_are_kept_however_long_the_path_of_the_home_is(tmp_path, monkeypatch):
    """260 letters are the limit of Windows; numba's names beneath the home have some 150."""
    folder = tmp_path.joinpath(*["a folder within another"] * 4)
    monkeypatch.setenv("NSCD_HOME", str(folder))
    source = "from numba import njit\n\n@njit(cache=True)\ndef twice(x):\n    return 2 * x\n"
    (tmp_path / "kernel.py").write_text(source)
    code = "import nscd_engine, kernel; kernel.twice(21)"
    done = subprocess.run([sys.executable, "-c", code], cwd=str(tmp_path), capture_output=True)
    assert done.returncode == 0, done.stderr
    assert any(name.endswith(".nbi") for _, _, names in os.walk(kernel_cache._reachable(str(folder))) for name in names)


@on_windows
def test_a_long_path_on_a_server_is_reachable_too():
    folder = "\\".join(["a folder within another"] * 6)
    assert kernel_cache._reachable(r"\\server\share\{}".format(folder)) == r"\\?\UNC\server\share\{}".format(folder)
    assert kernel_cache._reachable("C:\\" + folder) == "\\\\?\\C:\\" + folder


#: A box of 1 m: its name, and the height of its vertices [m].
BOX = """o {}
v 0 0 {}\nv 1 0 {}\nv 1 1 {}\nv 0 1 {}\nv 0 0 {}\nv 1 0 {}\nv 1 1 {}\nv 0 1 {}
f -8 -5 -6 -7\nf -4 -3 -2 -1\nf -8 -7 -3 -4\nf -7 -6 -2 -3\nf -6 -5 -1 -2\nf -5 -8 -4 -1
"""


@pytest.mark.short
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_files_as_the_editors_of_windows_write_them(tmp_path, mark):
    """Lines end in CR LF, the first may begin with a mark, names may be in capitals."""
    arch, record = templates.arch(blocks=5), b"time [s],acceleration [m/s2]\n0,0\n0.5,1\n1.0,0\n"
    arch.to_scene(tmp_path / "arch.json")
    boxes = "".join(BOX.format(name, *[z] * 4, *[z + 1] * 4) for z, name in enumerate(["low", "high"]))
    scene = (tmp_path / "arch.json").read_bytes().replace(b"\r\n", b"\n")
    folder = tmp_path / "windows"
    folder.mkdir()
    for name, content in (("ARCH.JSON", scene), ("BOXES.OBJ", boxes.encode("ascii")), ("RECORD.CSV", record)):
        (folder / name).write_bytes(mark + content.replace(b"\n", b"\r\n"))
    read = Structure.from_file(folder / "ARCH.JSON")
    assert [block.name for block in read.blocks] == [block.name for block in arch.blocks]
    given = {"supports": [0], "density": 2400.0, "law": ContactLaw(0.6)}
    assert [block.name for block in Structure.from_file(folder / "BOXES.OBJ", **given).blocks] == ["low", "high"]
    assert GroundMotion.from_file(folder / "RECORD.CSV", "x").values == [0.0, 1.0, 0.0]


@on_windows
def test_the_py_launcher_is_asked_when_no_python_is_on_the_path(tmp_path, monkeypatch):
    code = "import sys; print({!r}) if sys.argv[1] == '-3.9' else sys.exit(103)".format(sys.executable)
    stand_in(tmp_path / "py", code)
    monkeypatch.setattr(environment, "own_executable", lambda: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert environment.find_base() == sys.executable


# -- an engine that runs from an environment: on Windows there is a program between it and who started it -------------


@pytest.fixture
def kept_python(home):
    """Python of an environment where compas_nscd keeps its own, that has what this one has."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment.folder()], check=True)
    packages = sysconfig.get_path("purelib", vars={"base": environment.folder()})
    link = os.path.join(packages, "all_of_this_one.pth")  # the engine does not inherit PYTHONPATH
    Path(link).write_text("\n".join(filter(None, sys.path)), encoding="utf-8")
    return os.path.join(environment.folder(), *(("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")))


def test_an_engine_is_stopped_before_its_environment_goes(home, kept_python):
    engine = Engine(python=kept_python, options=["--test-verbs"]).start()
    assert engine.submit("echo", {"value": 1}).result() == {"value": 1}
    environment.remove()
    assert not os.path.exists(environment.folder()) and wait_until(lambda: not engines_of(home))
    environment.remove()  # what an ending process still had open goes with the next call
    assert [name for name in os.listdir(str(home)) if name.startswith("environment-old")] == []
    engine.close()


def test_an_engine_of_an_environment_leaves_when_its_client_is_killed(home, kept_python, program):
    code = "engine = Engine(python={!r}).start()\nprint(engine.ping()['pid'], flush=True)\ntime.sleep(60)"
    client = program(code.format(kept_python))
    pid = int(client.line())
    assert engines_of(home) == [pid]
    client.kill()
    assert wait_until(lambda: not engines_of(home))


def test_an_engine_of_an_environment_that_does_not_come_up_is_ended(home, kept_python, monkeypatch):
    monkeypatch.setattr(process.EngineFiles, "read", lambda self: None)
    with pytest.raises(interpreter.EngineStartError, match="did not come up"):
        Engine(python=kept_python, start_s=1.0).start()
    assert wait_until(lambda: not engines_of(home), PATIENCE_S)


@on_windows
def test_only_the_user_can_read_the_key_and_open_the_pipe(home):
    from nscd_engine.service import windows
    from windows_access import allowed, allowed_to_read

    with Engine(reuse=False) as engine:
        engine.ping()
        assert allowed(engine._channel._anchor.fileno()) == {windows._user(), "SY"}
        assert allowed_to_read(engine._files.rendezvous) == {windows._user(), "SY"}


@pytest.mark.short
def test_a_full_log_that_somebody_reads_is_written_on(tmp_path, capsys):
    path = tmp_path / "engine.log"
    log = LogFile(str(path), maxBytes=100, backupCount=2, encoding="utf-8")
    with open(path, encoding="utf-8"):
        for k in range(30):
            log.emit(logging.makeLogRecord({"msg": "line {}".format(k)}))
    log.close()
    assert "line 29" in path.read_text(encoding="utf-8") and capsys.readouterr().err == ""
