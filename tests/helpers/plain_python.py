"""Kernels without their compiler: a program in a process in which numba compiles nothing."""

import os
import subprocess
import sys


def plain_python(code, test_file):
    """What `code` prints; it may import `test_file` by its name, and the helpers."""
    folders = [os.path.dirname(os.path.abspath(test_file)), *filter(None, sys.path)]
    environment = dict(os.environ, NUMBA_DISABLE_JIT="1", PYTHONPATH=os.pathsep.join(folders))
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    return done.stdout
