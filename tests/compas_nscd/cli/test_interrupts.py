"""Ctrl-C ends a command with status 130 and without a traceback; names cannot send commands to the console."""

import io
import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from compas_nscd.cli import main, program
from compas_nscd.files import console
from places import ROOT

pytestmark = pytest.mark.short


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
@pytest.mark.parametrize("wait_s", [0.0, 0.1, 0.3])
def test_an_interrupt_while_modules_are_loaded(wait_s):
    code = "import sys; sys.path[:0] = {!r}; print(flush=True); from compas_nscd.cli import program; program()"
    done = subprocess.Popen(
        [sys.executable, "-c", code.format([str(ROOT)]), "make", "dome", "-o", os.devnull],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    done.stdout.readline()
    time.sleep(0.02 + wait_s)
    done.send_signal(signal.SIGINT)
    _, said = done.communicate(timeout=60)
    assert b"Traceback" not in said
    assert done.returncode == (130 if said else 0)  # it may have been quicker


def test_an_interrupt_at_any_point_of_a_command(monkeypatch, capsys):
    def interrupted(name):
        raise KeyboardInterrupt

    monkeypatch.setattr("importlib.import_module", interrupted)
    assert main([]) == 130
    assert capsys.readouterr().err == "nscd: interrupted\n"


def test_the_program_ends_with_the_status_of_its_command(monkeypatch):
    monkeypatch.setattr("compas_nscd.cli.main", lambda: 2)
    before = signal.getsignal(signal.SIGINT)
    try:
        with pytest.raises(SystemExit) as caught:
            program()
    finally:
        signal.signal(signal.SIGINT, before)
    assert caught.value.code == 2


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT for one process")
def test_a_second_interrupt_ends_a_program_that_has_lost_the_first():
    """Code of others may swallow an exception."""
    code = """
        import sys, time
        sys.path[:0] = {!r}
        from compas_nscd import cli
        def deaf():
            while True:
                try:
                    print(flush=True)
                    time.sleep(60)
                except KeyboardInterrupt:
                    pass
        cli.main = deaf
        cli.program()
        """
    command = [sys.executable, "-c", textwrap.dedent(code).format([str(ROOT)])]
    deaf = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    for _ in range(2):
        deaf.stdout.readline()
        deaf.send_signal(signal.SIGINT)
    assert deaf.communicate(timeout=60)[1] == b"nscd: interrupted\n" and deaf.returncode == 130


def test_control_characters_are_written_out(monkeypatch):
    for name in ("stdout", "stderr"):
        stream = io.StringIO()
        monkeypatch.setattr(sys, name, stream)
        console.print_anything()
        print("a\x1b[31mb\x07\x9b\x7f\tc\né", file=getattr(sys, name))
        assert stream.getvalue() == "a\\x1b[31mb\\x07\\x9b\\x7f\tc\né\n"


def test_a_name_in_an_error_cannot_command_the_console(tmp_path, capsys):
    assert main(["check", str(tmp_path / "\x1b]0;title\x07.obj")]) == 2
    said = capsys.readouterr().err
    assert "\\x1b]0;title\\x07" in said and "\x1b" not in said
