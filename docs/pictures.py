"""Make the pictures of the README and the docs: `python docs/pictures.py`. Those of pages need Chromium or Chrome."""

import re
import tempfile
from pathlib import Path

from compas_nscd import Engine, GroundMotion, LoadCase, browser, templates
from compas_nscd.drawing.picture import draw_static, draw_structure
from compas_nscd.report.page import render_report

DOCS = Path(__file__).resolve().parent
IMAGES = DOCS / "images"

#: Results that are drawn, by the name of the picture.
DRAWN = {
    "arch": lambda: templates.arch(),
    "thin-arch": lambda: templates.arch(thickness=0.5),
    "wall": lambda: templates.wall(10, 8),
    "dome": lambda: templates.dome(courses=8, sectors=16),
}
#: Pages: the structure, the shaking or None, and what is done before the picture is taken.
PAGES = {
    "page-arch": (dict(span=10.0, thickness=1.0, blocks=15), None, "null"),
    "page-collapse": (dict(span=10.0, thickness=0.5, blocks=20), None, "nscd.table.pick(nscd.table.order[0])"),
    "page-motion": (dict(span=10.0, thickness=1.0, blocks=15), 0.45, "nscd.motion.set(1.5)"),
}
#: Columns of the sheet of all templates, and width and height of a picture on it [px].
COLUMNS, WIDTH, HEIGHT = 5, 300, 250


def main():
    with Engine() as engine:
        for name, make in DRAWN.items():
            structure = make()
            structure.name = name
            _tell(IMAGES / (name + ".svg")).write_text(draw_static(engine.static(structure)), encoding="utf-8")
        wall = templates.spandrel_wall()
        wall.name = "spandrel"
        limit = engine.limit(wall, vary="acceleration:x", coulomb=False)
        _tell(IMAGES / "limit-spandrel.svg").write_text(draw_static(limit), encoding="utf-8")
        path = browser.find()
        if path is None:
            print("No Chromium or Chrome is installed: pictures of pages and templates are left as they are.")
            return
        with tempfile.TemporaryDirectory() as folder:
            with browser.Browser(path) as page:
                for name, (parameters, shaking, action) in PAGES.items():
                    file = Path(folder) / (name + ".html")
                    file.write_text(render_report(_result(engine, parameters, shaking)), encoding="utf-8")
                    page.open(file)
                    page.evaluate(action)
                    page.frame()
                    page.screenshot(_tell(IMAGES / (name + ".png")))
            _templates(path, Path(folder) / "templates.html")


def _tell(path):
    print(path.relative_to(DOCS))
    return path


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
        sheet.screenshot(_tell(DOCS / "templates.png"))


if __name__ == "__main__":
    main()
