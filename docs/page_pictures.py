"""Takes the pictures of the page in docs/images: `python docs/page_pictures.py`. Needs Chromium or Chrome."""

import sys
import tempfile
from pathlib import Path

from compas_nscd import Engine, browser, templates
from compas_nscd.report import render_report

IMAGES = Path(__file__).parent / "images"
#: Picture, structure, and what is done on the page before it is taken.
PICTURES = (
    ("page-arch", dict(span=10.0, thickness=1.0, blocks=15), "null"),
    ("page-collapse", dict(span=10.0, thickness=0.5, blocks=20), "nscd.table.pick(nscd.table.order[0])"),
)


def main():
    path = browser.find()
    if path is None:
        sys.exit("No Chromium or Chrome is installed.")
    with Engine() as engine, browser.Browser(path) as page, tempfile.TemporaryDirectory() as folder:
        for name, parameters, action in PICTURES:
            file = Path(folder) / (name + ".html")
            file.write_text(render_report(engine.static(templates.arch(**parameters))), encoding="utf-8")
            page.open(file)
            page.evaluate(action)
            page.frame()
            page.screenshot(IMAGES / (name + ".png"))


if __name__ == "__main__":
    main()
