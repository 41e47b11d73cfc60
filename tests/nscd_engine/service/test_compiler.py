"""The process that compiles kernels beside the engine."""

import os
import subprocess
import sys

import pytest

from nscd_engine.service import compiler

PATH = os.pathsep.join(path for path in sys.path if path)
SLOW = "import time; from nscd_engine.service import compiler as c, needed_kernels as n; c.WATCH_S = 0.05; "
#: An engine that lets such a process compile a kernel, tells its number, and ends.
ENGINE = (
    "import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', sys.argv[1]], stdin=subprocess.PIPE, "
    "stdout=subprocess.PIPE); p.stdout.readline(); p.stdin.write(b'a.one\\n'); p.stdin.flush(); print(p.pid)"
)


def start(code, **given):
    environment = dict(os.environ, PYTHONPATH=PATH)
    pipes = dict(stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return subprocess.Popen([sys.executable, *code], env=environment, **dict(pipes, **given))


def test_it_compiles_what_it_is_told_and_ends_with_its_input():
    """A name that does not exist, and a kernel that takes no time."""
    child = start(["-m", compiler.MODULE])
    child.stdin.write(b"no.kernel\nadmm_step.is_admm_step\n")
    child.stdin.flush()
    # All answers before the end of its input: on Windows that end may come in the midst of a kernel, and it obeys.
    answers = [child.stdout.readline().strip() for _ in range(3)]
    assert answers == [b""] * 3
    assert child.communicate(timeout=60)[0] == b""
    assert child.returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="there the pipe ends")
def test_it_ends_in_the_midst_of_a_kernel_if_the_engine_has_gone():
    code = SLOW + "n.compile_kernel = lambda name: time.sleep(60); c.main()"
    parent = start(["-c", ENGINE, code])
    pid = int(parent.communicate(timeout=60)[0])
    end = subprocess.run(["timeout", "10", "tail", "--pid", str(pid), "-f", "/dev/null"])
    assert end.returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="there the pipe ends")
def test_it_finishes_a_kernel_that_analyses_do_without_meanwhile(tmp_path):
    done = tmp_path / "done"
    slow = "lambda name: (time.sleep(1), open({!r}, 'w').close())".format(str(done))
    code = SLOW + "n.LATER = {'a.one'}; n.compile_kernel = " + slow + "; c.main()"
    parent = start(["-c", ENGINE, code])
    pid = int(parent.communicate(timeout=60)[0])
    assert not done.exists()
    assert subprocess.run(["timeout", "10", "tail", "--pid", str(pid), "-f", "/dev/null"]).returncode == 0
    assert done.exists()
