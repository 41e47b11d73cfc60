"""Make the gallery: `python docs/gallery.py` runs every example and writes gallery.md and its pictures.

`python docs/gallery.py bagi arena` runs only those examples whose path has one of these words; `--text` runs none. The
page lists all of them in either case. An SVG above MOST bytes becomes PNG, which needs the extra `png`.
"""

import ast
import re
import runpy
import sys
import tempfile
import time
from pathlib import Path

from compas_nscd.drawing.png import to_png

DOCS = Path(__file__).resolve().parent
EXAMPLES = DOCS.parent / "examples"
IMAGES = DOCS / "images" / "gallery"
#: Folders in order, their authors and works.
SOURCES = {
    "first_steps": ("First steps", ""),
    "beatini_2017": (
        "Beatini, Royer-Carfagni, Tasora",
        "A regularized non-smooth contact dynamics approach for architectural masonry structures. Computers and "
        "Structures 187 (2017), 88-100.",
    ),
    "acary_jean_1998": (
        "Acary, Jean",
        "Numerical simulation of monuments by the contact dynamics method (1998).",
    ),
    "bohatier": (
        "Bohatier, Rafiee, Vinches",
        "Surface contact with friction between polyhedric discrete elements.",
    ),
    "bagi": ("Bagi", "The contact dynamics method, and the applications that it reviews."),
    "deformable": ("Deformable blocks", ""),
    "quasistatic": ("Bagi: quasi-static methods", "Lecture on discrete element methods, chapter 6."),
}
#: Size up to which an SVG is kept [bytes]. Larger: the page loads slowly.
MOST = 100_000
#: Area of a PNG [px2]. Larger: the repository grows; smaller: joints of large structures cannot be told apart.
AREA = 200_000
HEAD = """# Gallery

Made by `python docs/gallery.py` from [examples/](../examples/README.md): texts and pictures are those of the
scripts, which fail if an asserted value is not met. Forces are blue, loads violet, reactions dark red;
moving blocks are ochre, the first to move darker.
"""


def main(words):
    """Run the examples that have one of the words in their path, all if there is no word, and write the page."""
    IMAGES.mkdir(parents=True, exist_ok=True)
    parts = [HEAD]
    for folder, (title, citation) in SOURCES.items():
        parts += ["## {}\n".format(title)] + [citation + "\n"] * bool(citation)
        for script in sorted((EXAMPLES / folder).glob("*.py"), key=by_number):
            if not words or any(word in str(script.relative_to(EXAMPLES)) for word in words):
                make_pictures(script)
            parts.append(entry(script))
    (DOCS / "gallery.md").write_text("\n".join(parts), encoding="utf-8")


def by_number(script):
    """Key that sorts fig9 before fig10."""
    return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", script.name)]


def pictures(script):
    """Pictures of an example."""
    return sorted(IMAGES.glob("{}-{}-*.*".format(script.parent.name, script.stem)))


def make_pictures(script):
    """Run an example and replace its pictures."""
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        runpy.run_path(str(script))["main"](folder)
        print("{}: {:.1f} s\n".format(script.relative_to(EXAMPLES), time.perf_counter() - began), flush=True)
        for old in pictures(script):
            old.unlink()
        for i, drawn in enumerate(sorted(Path(folder).glob("*.svg"))):
            to = IMAGES / "{}-{}-{}.svg".format(script.parent.name, script.stem, i)
            if drawn.stat().st_size <= MOST:
                to.write_bytes(drawn.read_bytes())
            else:
                to.with_suffix(".png").write_bytes(small_png(drawn.read_text(encoding="utf-8")))


def small_png(svg):
    """PNG of an SVG, scaled to AREA."""
    stated = r'width="(\d+)" height="(\d+)"'
    wide, high = map(int, re.search(stated, svg).groups())
    scale = (AREA / (wide * high)) ** 0.5
    return to_png(
        re.sub(stated, 'width="{}" height="{}"'.format(round(scale * wide), round(scale * high)), svg, count=1)
    )


def entry(script):
    """Title, text and pictures of one example."""
    title, _, text = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))).partition("\n\n")
    name = script.relative_to(EXAMPLES).as_posix()
    lines = ["### {}\n".format(title.rstrip(".").replace("\n", " "))]
    lines += ["[`{0}`](../examples/{0})\n".format(name)]
    lines += [text.strip().replace("\nAsserted:", "\n\nAsserted:") + "\n"] if text else []
    lines += ["![{}](images/gallery/{})\n".format(script.stem, path.name) for path in pictures(script)]
    return "\n".join(lines)


if __name__ == "__main__":
    main(sys.argv[1:])
