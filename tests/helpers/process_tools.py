"""Helpers of the tests of the engine process."""

import os
import re
import signal
import subprocess
import sys
import textwrap
import time

if os.name == "nt":
    import windows_processes

#: Generous: the machine may be busy. What the engine promises is 5 s.
PATIENCE_S = 20.0


def engines_of(home):
    """Process ids of the engines that have their files in a directory; those that ended do not count."""
    # What is beyond ASCII, ps may print as it likes.
    plain = str(home) if os.name == "nt" else re.match("[\x00-\x7f]*", str(home)).group()
    return [pid for pid, line in _command_lines().items() if plain in line and "-m nscd_engine" in line]


def _command_lines():
    if os.name == "nt":
        return windows_processes.command_lines()
    listing = subprocess.run(["ps", "-eww", "-o", "pid=,args="], capture_output=True, check=True).stdout
    lines = listing.decode("utf-8", "replace").splitlines()
    return {int(line.split()[0]): line for line in lines}


def resident_mb(pid):
    """Memory that a process has in use [MB]."""
    if os.name == "nt":
        return windows_processes.resident_mb(pid)
    told = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, check=True).stdout
    return int(told) / 1024.0


#: What is told of an engine that `kill` has ended.
KILLED = "exit status 15" if os.name == "nt" else "SIGKILL"


def kill(pid):
    """End a process at once, without its having a say."""
    os.kill(pid, signal.SIGTERM if os.name == "nt" else signal.SIGKILL)  # on Windows any signal is the last


def suspend(pid):
    """Let a process hang."""
    if os.name == "nt":
        return windows_processes.suspend(pid)
    os.kill(pid, signal.SIGSTOP)


def resume(pid):
    """Let it go on."""
    if os.name == "nt":
        return windows_processes.resume(pid)
    os.kill(pid, signal.SIGCONT)


def wait_until(condition, seconds=PATIENCE_S):
    """True as soon as the condition holds, False if it does not within the time."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


class Program:
    """Another program that uses the engine; lines of its output are read one by one, its input ends it."""

    def __init__(self, code, python=sys.executable, **options):
        head = "from compas_nscd.client import Engine\nimport sys, time\n"
        self.process = subprocess.Popen(
            [python, "-c", head + textwrap.dedent(code)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, **options
        )

    def line(self):
        return self.process.stdout.readline().decode("utf-8").strip()

    def finish(self):
        """Exit status; the program waits for its input to end."""
        self.process.stdin.close()
        status = self.process.wait(PATIENCE_S)
        self.process.stdout.close()
        return status

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
