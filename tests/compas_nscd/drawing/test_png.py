"""PNG of pictures: size, and text in a family that the machine has."""

import pytest

from compas_nscd.drawing import png
from compas_nscd.drawing.picture import draw_structure
from compas_nscd.errors import FileError
from compas_nscd.templates import arch

resvg_py = pytest.importorskip("resvg_py", exc_type=ImportError)

EMPTY = '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="40">{}</svg>'
TEXT = '<text x="4" y="30" font-family="Helvetica Neue,Arial,sans-serif" font-size="20">stands</text>'


def size(content):
    return [int.from_bytes(content[k : k + 4], "big") for k in (16, 20)]


def test_size_is_that_of_the_document():
    picture = draw_structure(arch(blocks=5), width=300)
    width, height = size(png.to_png(picture))
    assert width == 300 and 'height="{}"'.format(height) in picture


def test_text_is_drawn_whatever_fonts_the_machine_has():
    """resvg leaves out text of a missing family: the default one, Arial, is missing on most Linux machines."""
    assert png.to_png(EMPTY.format(TEXT)) != png.to_png(EMPTY.format(""))


def test_a_machine_without_fonts_is_named(monkeypatch):
    monkeypatch.setattr(png, "FAMILIES", ("No such family",))
    with pytest.raises(FileError, match="font.*No such family.*svg"):
        png.to_png(EMPTY.format(TEXT))
    assert png.to_png(EMPTY.format(""))  # without text no font is needed


def test_what_is_not_svg_is_refused():
    with pytest.raises(FileError, match="cannot be rendered"):
        png.to_png("<svg")
