"""Files that commands write. A path that cannot be written is refused before the analysis."""

import os
from os import PathLike
from pathlib import Path
from typing import Iterable, Optional, Union

from compas_nscd.drawing.png import require_png, to_png
from compas_nscd.errors import FileError
from compas_nscd.files.writing import cannot_write

AnyPath = Union[str, "PathLike[str]"]
PICTURES = (".svg", ".png")


def require_writable(*paths: Optional[AnyPath], pictures: Iterable[Optional[AnyPath]] = ()) -> None:
    """Raise a FileError for a path that cannot be written.

    Parameters
    ----------
    *paths : path, optional
        None is skipped.
    pictures : iterable of path, optional
        The same for pictures, whose suffix must be .svg or .png; the latter needs the extra `png`.
    """
    drawn = [Path(path) for path in pictures if path]
    for picture in drawn:
        suffix = picture.suffix.lower()
        if suffix not in PICTURES:
            raise FileError("{} is not the name of a picture.".format(picture), remedy="It should end in .svg or .png.")
        if suffix == ".png":
            require_png()
    for path in [*(Path(path) for path in paths if path), *drawn]:
        folder = path.absolute().parent
        if not folder.is_dir():
            raise FileError("{} cannot be written: there is no folder {}.".format(path, folder), remedy="Make it.")
        target = path if path.exists() else folder
        if path.is_dir() or not os.access(str(target), os.W_OK):
            raise FileError("{} cannot be written.".format(path), remedy="Give another name.")


def write_text(path: AnyPath, text: str) -> None:
    """Write a text file, or raise a FileError."""
    _write(path, text.encode("utf-8"))


def write_picture(path: AnyPath, svg: str) -> None:
    """Write an SVG document as it is, or rendered if the name ends in .png."""
    _write(path, to_png(svg) if Path(path).suffix.lower() == ".png" else svg.encode("utf-8"))


def _write(path: AnyPath, content: bytes) -> None:
    try:
        Path(path).write_bytes(content)
    except OSError as error:
        raise cannot_write(path, error) from error
