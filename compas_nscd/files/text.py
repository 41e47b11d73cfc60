"""Text files of bounded size, and JSON in them."""

import json
import os

from compas_nscd.errors import FileError

#: Largest file [bytes]. A structure of 20,000 blocks takes 10 MB; text blows up tenfold when it is parsed.
MAX_FILE = 128 << 20


def read_text(path, starts=None):
    """The text of a file, after looking at its beginning: noise is not read to the end."""
    try:
        if path.is_dir():
            raise FileError("{} is a directory.".format(path), remedy="Give a file.")
        size = os.path.getsize(path)
        if size > MAX_FILE:
            text = "{} has {:.0f} MB; the limit is {} MB."
            remedy = "If it is meant, raise compas_nscd.readers.MAX_FILE."
            raise FileError(text.format(path.name, size / 2**20, MAX_FILE >> 20), remedy=remedy)
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
    except FileNotFoundError:
        raise FileError("There is no file {}.".format(path), remedy="Check the path.")
    except OSError as error:
        raise FileError("{} cannot be read: {}.".format(path, error.strerror or error))


def parse_json(text, filename):
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        at = "line {}, column {}".format(error.lineno, error.colno)
        cut = " The file seems to be cut off." if error.pos >= len(text.rstrip()) - 1 else ""
        raise FileError("{} is not valid JSON: {} at {}.{}".format(filename, error.msg, at, cut))
    except (RecursionError, ValueError) as error:
        raise FileError("{} is not valid JSON: {}.".format(filename, error))
