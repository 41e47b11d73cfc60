"""Progress on stderr for anything over a second."""

import sys
import time


class Interrupted(KeyboardInterrupt):
    """The user has stopped a command that has an answer nevertheless: what it had found by then."""

    def __init__(self, answer):
        super().__init__()
        self.answer = answer


class Progress:
    """Prints what is being done once it has lasted a second; one line that renews itself on a terminal.

    Pass it as ``progress=`` to the calls of an Engine.
    """

    def __init__(self, quiet=False, stream=None):
        self.quiet = quiet
        self.stream = stream or sys.stderr
        self.began = time.perf_counter()
        self.last = (None, 0.0)  # what was done, and the time, of the last line
        self.open_line = False

    def __call__(self, status):
        """Take a job's status: phase, fraction, elapsed_s."""
        now = time.perf_counter()
        phase = status.get("phase") or status.get("state", "")
        doing = phase.split(",")[0]  # what follows are numbers, which may change with every call
        if self.quiet or now - self.began < 1.0 or (doing == self.last[0] and now - self.last[1] < 1.0):
            return
        self.last = (doing, now)
        fraction = status.get("fraction")
        done = "" if fraction is None else " {:3.0f} %".format(100 * fraction)
        self._write("nscd: {:6.1f} s  {}{}".format(now - self.began, phase, done))

    def say(self, text):
        """A line that stays."""
        if not self.quiet:
            self.close()
            print("nscd: " + text, file=self.stream, flush=True)

    def close(self):
        """End the line that renews itself."""
        if self.open_line:
            print(file=self.stream)
            self.open_line = False

    def _write(self, line):
        if self.stream.isatty():
            self.stream.write("\r" + line.ljust(78))
            self.stream.flush()
            self.open_line = True
        else:
            print(line, file=self.stream, flush=True)
