"""Progress on stderr, after the first second."""

import sys
import time
from typing import Any, Dict, Optional, TextIO, Tuple

#: Time after which progress is shown, and interval between two lines about the same phase [s]. Smaller: quick commands
#: print lines that vanish at once.
SHOWN_S = 1.0


class Interrupted(KeyboardInterrupt):
    """The user has stopped a command that has an answer all the same.

    Parameters
    ----------
    answer : dict
        What the command had found by then.
    """

    def __init__(self, answer: Dict[str, Any]):
        super().__init__()
        self.answer = answer


class Progress:
    """Prints the phase of a job once it has run for a second; on a terminal in one line that is overwritten.

    Pass it as ``progress=`` to the methods of an Engine.

    Parameters
    ----------
    quiet : bool, optional
        Print nothing.
    stream : file, optional
        Default: stderr.
    """

    def __init__(self, quiet: bool = False, stream: Optional[TextIO] = None):
        self.quiet = quiet
        self.stream = stream or sys.stderr
        self.began = time.perf_counter()
        self.last: Tuple[Optional[str], float] = (None, 0.0)  # phase and time [s] of the last line
        self.open_line = False

    def __call__(self, status: Dict[str, Any]) -> None:
        """Show the progress of a job: phase, fraction, elapsed_s."""
        now = time.perf_counter()
        phase = status.get("phase") or status.get("state", "")
        doing = phase.split(",")[0]  # numbers follow, which may change with every call
        if self.quiet or now - self.began < SHOWN_S or (doing == self.last[0] and now - self.last[1] < SHOWN_S):
            return
        self.last = (doing, now)
        fraction = status.get("fraction")
        done = "" if fraction is None else " {:3.0f} %".format(100 * fraction)
        self._write("nscd: {:6.1f} s  {}{}".format(now - self.began, phase, done))

    def say(self, text: str) -> None:
        """Print a line that is not overwritten."""
        if not self.quiet:
            self.close()
            print("nscd: " + text, file=self.stream, flush=True)

    def close(self) -> None:
        """End the line that is overwritten."""
        if self.open_line:
            print(file=self.stream)
            self.open_line = False

    def _write(self, line: str) -> None:
        if self.stream.isatty():
            self.stream.write("\r" + line.ljust(78))
            self.stream.flush()
            self.open_line = True
        else:
            print(line, file=self.stream, flush=True)
