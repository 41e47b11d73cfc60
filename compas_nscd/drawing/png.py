"""SVG as PNG, by resvg (package resvg-py, extra `png`)."""

from types import ModuleType

from compas_nscd.errors import FileError

#: Families tried in turn for `sans-serif`: Windows and macOS have Arial, Linux distributions one of the others.
FAMILIES = ("Arial", "Liberation Sans", "DejaVu Sans", "Noto Sans", "FreeSans", "Open Sans", "Cantarell", "Ubuntu")
#: Pictures with and without a letter: resvg leaves out text whose family is not installed, and reports nothing.
_FRAME = '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">{}</svg>'
_LETTER = '<text y="18" font-family="sans-serif" font-size="18">M</text>'


def require_png() -> ModuleType:
    """Return the package that renders PNG; raise a FileError if it is not installed."""
    try:
        import resvg_py
    except ImportError:
        remedy = "Install it with `pip install compas_nscd[png]`, or name the file .svg."
        raise FileError("PNG pictures need the package resvg-py.", remedy=remedy) from None
    return resvg_py


def to_png(svg: str) -> bytes:
    """Render an SVG document in the size that it states.

    Parameters
    ----------
    svg : str

    Returns
    -------
    bytes
        A PNG file.
    """
    resvg = require_png()
    options = {"sans_serif_family": _family(resvg)} if "<text" in svg else {}
    try:
        return bytes(resvg.svg_to_bytes(svg_string=svg, **options))
    except ValueError as error:
        raise FileError("The picture cannot be rendered as PNG: {}.".format(error), remedy="Name it .svg.") from error


def _family(resvg: ModuleType) -> str:
    """First installed family."""
    blank = bytes(resvg.svg_to_bytes(svg_string=_FRAME.format("")))
    for family in FAMILIES:
        if bytes(resvg.svg_to_bytes(svg_string=_FRAME.format(_LETTER), sans_serif_family=family)) != blank:
            return family
    remedy = "Install one of {}, or name the file .svg.".format(", ".join(FAMILIES))
    raise FileError("PNG pictures need a sans-serif font, and none was found.", remedy=remedy)
