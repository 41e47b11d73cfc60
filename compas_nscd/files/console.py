"""Text on consoles and pipes."""

from __future__ import annotations

import sys
from typing import Any

#: Control characters that a console may obey, as text; line ends and tabs are kept.
_ESCAPES = {code: "\\x{:02x}".format(code) for code in [*range(32), *range(127, 160)] if chr(code) not in "\n\r\t"}


def printable(text: str) -> str:
    """Text whose control characters are written out: names in files of others could move the cursor or set colours."""
    return text.translate(_ESCAPES)


class _Plain:
    """A stream whose text has no control characters; everything else is that of the stream."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write text with its control characters written out."""
        self._stream.write(printable(text))
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def print_anything() -> None:
    """Print letters that a console or pipe of Windows does not have as \\u4e2d instead of failing, and control
    characters as \\x1b instead of sending them.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
        if stream is not None and not isinstance(stream, _Plain):
            setattr(sys, name, _Plain(stream))
