"""Make the pictures of the README and the docs: `python docs/pictures.py`. Those of pages need Chromium or Chrome."""

import re
import sys
import tempfile
from pathlib import Path

from compas_nscd import Elastic, Engine, GroundMotion, LoadCase, templates
from compas_nscd.drawing.picture import draw_elastic, draw_static, draw_structure
from compas_nscd.report.page import render_report

DOCS = Path(__file__).resolve().parent
IMAGES = DOCS / "images"
sys.path.append(str(DOCS.parent / "tests" / "helpers"))

import browser  # noqa: E402

#: Name of the picture -> structure whose static result is drawn.
DRAWN = {
    "arch": lambda: templates.arch(),
    "thin-arch": lambda: templates.arch(thickness=0.5),
    "wall": lambda: templates.wall(10, 8),
    "dome": lambda: templates.dome(courses=8, sectors=16),
}
#: Name of the picture of a page -> parameters of the arch, amplitude of the ground [g] or None, script run first.
PAGES = {
    "page-arch": (dict(span=10.0, thickness=1.0, blocks=15), None, "null"),
    "page-collapse": (dict(span=10.0, thickness=0.5, blocks=20), None, "nscd.table.pick(nscd.table.order[0])"),
    "page-motion": (dict(span=10.0, thickness=1.0, blocks=15), 0.45, "nscd.motion.set(1.5)"),
}
#: Columns of the sheet of all templates.
COLUMNS = 5
#: Size of a picture on that sheet [px].
WIDTH, HEIGHT = 300, 250


def main():
    """Make all pictures; those of pages only where there is a browser."""
    with Engine() as engine:
        for name, make in DRAWN.items():
            structure = make()
            structure.name = name
            _announced(IMAGES / (name + ".svg")).write_text(draw_static(engine.static(structure)), encoding="utf-8")
        _deformable(engine)
        wall = templates.spandrel_wall()
        wall.name = "spandrel"
        limit = engine.limit(wall, vary="acceleration:x", coulomb=False)
        _announced(IMAGES / "limit-spandrel.svg").write_text(draw_static(limit), encoding="utf-8")
        path = browser.find()
        if path is None:
            print("Neither Chromium nor Chrome is installed: pictures of pages and templates are not changed.")
            return
        with tempfile.TemporaryDirectory() as folder:
            _pages(engine, path, Path(folder))
            _templates(path, Path(folder) / "templates.html")


def _deformable(engine):
    """An arch of hexahedra under its weight, coloured by stress."""
    arch = templates.arch()
    arch.deform(Elastic(young=6e10, poisson=0.27, elements="h8", refine=2))
    _announced(IMAGES / "deformable_arch.svg").write_text(draw_elastic(engine.static(arch)), encoding="utf-8")


def _announced(path):
    print(path.relative_to(DOCS))
    return path


def _pages(engine, path, folder):
    """Screenshots of the pages of PAGES, which are written to a folder."""
    with browser.Browser(path) as page:
        for name, (parameters, shaking, action) in PAGES.items():
            file = folder / (name + ".html")
            file.write_text(render_report(_result(engine, parameters, shaking)), encoding="utf-8")
            page.open(file)
            page.evaluate(action)
            page.frame()
            page.screenshot(_announced(IMAGES / (name + ".png")))


def _result(engine, parameters, shaking):
    structure = templates.arch(**parameters)
    if shaking is None:
        return engine.static(structure)
    case = LoadCase(ground=[GroundMotion.sine("x", shaking * 9.81, 1.5)])
    return engine.dynamic(structure, case, 2.5, 2e-3, probes=["v7", "v3"], forces=True, interval=0.02).result()


def _templates(path, file):
    """All templates with their default parameters, on one sheet."""
    cells = []
    for name in sorted(templates.__all__):
        structure = getattr(templates, name)()
        structure.name = name
        picture = re.sub(r"<text.*</text>", "", draw_structure(structure))  # the caption would be too small
        cells.append("<figure>{}<figcaption>{}</figcaption></figure>".format(picture, name))
    style = (
        "body{{margin:0;display:grid;grid-template-columns:repeat({0},{1}px);font:15px Helvetica,Arial,sans-serif}}"
        "figure{{margin:0;width:{1}px;height:{2}px;text-align:center}}svg{{width:90%;height:85%}}"
    ).format(COLUMNS, WIDTH, HEIGHT)
    drawn = "<script>document.documentElement.dataset.ready = 1</script>"
    file.write_text("<style>{}</style>{}{}".format(style, "".join(cells), drawn), encoding="utf-8")
    rows = -(-len(cells) // COLUMNS)
    with browser.Browser(path, COLUMNS * WIDTH, rows * HEIGHT) as sheet:
        sheet.open(file)
        sheet.screenshot(_announced(DOCS / "templates.png"))


if __name__ == "__main__":
    main()
