"""Text on consoles and pipes."""

import sys


def print_anything() -> None:
    """Print letters that a console or pipe of Windows does not have as \\u4e2d instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
