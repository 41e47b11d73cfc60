"""Text files of bounded size, and JSON in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from compas_nscd.errors import FileError
from compas_nscd.files.limits import MAX_CONTAINERS, MAX_VALUES, require_count, require_size
from compas_nscd.wire import PARSE_INT


def read_text(path: Path, starts: tuple[str, ...] | None = None) -> str:
    """Text of a UTF-8 file; a binary file is refused after its first 4 KB.

    Parameters
    ----------
    path : Path
    starts : tuple of str, optional
        Characters that the text may begin with.

    Raises
    ------
    FileError
        If the file does not exist, is empty, too large, binary, or begins with another character.
    """
    require_size(path)
    try:
        with open(path, "rb") as file:
            begin = file.read(4096)
            if not begin.strip():
                raise FileError("{} is empty.".format(path.name))
            if b"\0" in begin:
                raise FileError("{} is not a text file.".format(path.name), remedy="Export it again.")
            first = begin.decode("utf-8-sig", "replace").lstrip()[:1]
            if starts and first not in starts:
                raise FileError("{} is not JSON: it begins with {!r}.".format(path.name, first))
            return (begin + file.read()).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError("{} is not UTF-8 text (byte {}).".format(path.name, error.start), remedy="Save it as UTF-8.")
    except OSError as error:
        raise FileError("{} cannot be read: {}.".format(path, error.strerror or error))


def parse_json(text: str, filename: str) -> Any:
    """Parse JSON.

    Raises
    ------
    FileError
        With line and column, if the text is not JSON; or if it has too many values.
    """
    # Counted before they are parsed: an empty list is two bytes of text, and sixty of memory.
    require_count(text.count("[") + text.count("{"), MAX_CONTAINERS, "lists and dicts", filename)
    require_count(text.count(","), MAX_VALUES, "values", filename)
    try:
        return json.loads(text, parse_int=PARSE_INT)
    except json.JSONDecodeError as error:
        at = "line {}, column {}".format(error.lineno, error.colno)
        cut = " The file seems to be cut off." if error.pos >= len(text.rstrip()) - 1 else ""
        raise FileError("{} is not valid JSON: {} at {}.{}".format(filename, error.msg, at, cut))
    except RecursionError:
        raise FileError("{} is not valid JSON that can be read: it is nested too deeply.".format(filename))
    except ValueError as error:
        raise FileError("{} is not valid JSON: {}.".format(filename, error))
