"""Files that commands write: what cannot be written is refused before the work, not after it."""

import os
import tempfile
from pathlib import Path

from compas_nscd import browser
from compas_nscd.errors import FileError

PICTURES = (".svg", ".png")


def require_writable(*paths, pictures=()):
    """Refuse paths that cannot be written; None is none. Of `pictures` the suffix says what they are."""
    for path in filter(None, pictures):
        suffix = Path(path).suffix.lower()
        if suffix not in PICTURES:
            raise FileError("{} is no name of a picture.".format(path), remedy="It should end in .svg or .png.")
        if suffix == ".png" and _browser() is None:
            raise FileError("{} cannot be drawn without Chromium.".format(path), remedy="Name it .svg.")
    for path in map(Path, filter(None, paths + tuple(pictures))):
        folder = path.absolute().parent
        if not folder.is_dir():
            raise FileError("{} cannot be written: there is no folder {}.".format(path, folder), remedy="Make it.")
        target = path if path.exists() else folder
        if path.is_dir() or not os.access(str(target), os.W_OK):
            raise FileError("{} cannot be written.".format(path), remedy="Give another name.")


def write_text(path, text):
    """Write a file, or raise a FileError."""
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise FileError("{} cannot be written: {}.".format(path, error.strerror or error), remedy="Give another name.")


def write_picture(path, svg):
    """Write a picture given as SVG; a .png is drawn by Chromium."""
    if Path(path).suffix.lower() != ".png":
        write_text(path, svg)
        return
    size = [int(svg.split(key + '="', 1)[1].split('"', 1)[0]) for key in ("width", "height")]
    page = '<html data-ready="1"><body style="margin:0">{}</body></html>'.format(svg)
    room = [max(n, 400) for n in size]  # a window much smaller shows nothing, and the picture of it never comes
    try:
        with tempfile.TemporaryDirectory() as folder, browser.Browser(_browser(), *room) as window:
            html, png = Path(folder) / "page.html", Path(folder) / "page.png"
            html.write_text(page, encoding="utf-8")
            window.open(html)
            window.screenshot(png, size)
            content = png.read_bytes()
        Path(path).write_bytes(content)
    except (OSError, RuntimeError) as error:
        raise FileError("{} cannot be drawn: {}.".format(path, error), remedy="Name it .svg.")


def _browser():
    """Path of Chromium; it is driven through pipes that Windows does not have."""
    return None if os.name == "nt" else browser.find()
