"""Draw the tree of the packages: `python docs/architecture.py`.

It writes images/architecture.svg and the tables of architecture.md, between its two markers, from the folders, the
docstrings and the layers in pyproject.toml. tests/test_architecture.py fails if they are not those of the code.
"""

import ast
import sys
from pathlib import Path
from typing import Dict, Iterator, List, NamedTuple

from compas_nscd.drawing import svg

try:
    import tomllib
except ImportError:  # before Python 3.11
    import tomli as tomllib

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
PAGE, PICTURE = DOCS / "architecture.md", DOCS / "images" / "architecture.svg"
BEGIN, END = "<!-- tree: python docs/architecture.py -->", "<!-- end of tree -->"
#: Package -> its folder.
PACKAGES = {
    "compas_nscd": ROOT / "compas_nscd",
    "nscd_engine": ROOT / "engine" / "nscd_engine",
    "nscd_engine.kernels": ROOT / "engine" / "nscd_engine" / "kernels",
}
TITLES = {
    "compas_nscd": "Client, `compas_nscd/`",
    "nscd_engine": "Engine, `engine/nscd_engine/`",
    "nscd_engine.kernels": "Compiled functions, `engine/nscd_engine/kernels/`",
}
#: Modules outside the layers.
PLUMBING = ("__init__", "__main__", "_lazy", "_old_names")
#: Column, row, gap and margin of the drawing [px].
COLUMN, ROW, GAP, MARGIN = 520, 34, 6, 20
FILL, SHARED, EDGE = "#f3efe6", "#dfe9ef", "#8d8a83"


class Part(NamedTuple):
    """A folder or a module on a level; it imports lower levels only."""

    level: int
    name: str
    path: Path
    purpose: str
    modules: List[str]


def layers() -> Dict[str, List[List[str]]]:
    """Return the layers of each package, highest first, from the import contracts."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    contracts = tomllib.loads(text)["tool"]["importlinter"]["contracts"]
    found = {}
    for contract in contracts:
        for package in contract.get("containers", []):
            found[package] = [[name.strip(" ()") for name in line.split("|")] for line in contract["layers"]]
    return found


def parts_of(package: str) -> Iterator[Part]:
    """Yield the folders and modules of a package that exist, highest first."""
    rows = layers()[package]
    for row, names in enumerate(rows):
        for name in names:
            path = PACKAGES[package] / name
            if path.is_dir():
                modules = _modules(path)
            elif path.with_suffix(".py").exists():
                path, modules = path.with_suffix(".py"), []
            else:
                continue  # planned: optional in the contract
            yield Part(len(rows) - 1 - row, name, path, purpose(path), modules)


def purpose(path: Path) -> str:
    """Return the first paragraph of the docstring of a module or a package, on one line."""
    file = path / "__init__.py" if path.is_dir() else path
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return " ".join(text.split("\n\n")[0].split())


def _modules(folder: Path) -> List[str]:
    """Modules of a folder, then its subfolders with the number of their modules."""
    files = sorted(path.stem for path in folder.glob("*.py") if path.stem not in PLUMBING)
    below = sorted(path for path in folder.iterdir() if (path / "__init__.py").exists())
    return files + ["{}/ ({})".format(path.name, len(_modules(path))) for path in below]


def tables() -> str:
    """Return the tables of all packages as Markdown."""
    lines = []
    for package, title in TITLES.items():
        lines += ["", "| level | {} | | modules |".format(title), "|---|---|---|---|"]
        for part in parts_of(package):
            name = part.name + ("/" if part.path.is_dir() else "")
            row = (part.level, "`{}`".format(name), part.purpose, " ".join(part.modules))
            lines.append("| {} | {} | {} | {} |".format(*row))
    return "\n".join(lines) + "\n"


def page(text: str) -> str:
    """Return the page with its tables renewed."""
    before, rest = text.split(BEGIN)
    return before + BEGIN + "\n" + tables() + "\n" + END + rest.split(END)[1]


def drawing() -> str:
    """Return the drawing: levels of client and engine side by side, the modules they share below both."""
    shared = ("wire", "errors")
    client = list(parts_of("compas_nscd"))
    common = [part for part in client if part.name in shared]
    client = [part for part in client if part.name not in shared]
    engine = list(parts_of("nscd_engine"))
    rows = max(len(_levels(side)) for side in (client, engine))
    bottom = MARGIN + 30 + rows * (ROW + GAP)
    drawn = _boxes(common, MARGIN, bottom, SHARED, 2 * COLUMN + MARGIN, "client and engine: ")
    sides = ((client, MARGIN, "client, compas_nscd"), (engine, 2 * MARGIN + COLUMN, "engine, nscd_engine"))
    for side, left, title in sides:
        drawn.append(svg.text((left, MARGIN + 12), title + ": a folder imports lower folders only", 14, "start"))
        for k, row in enumerate(_levels(side)):
            drawn += _boxes(row, left, bottom - (k + 1) * (ROW + GAP), FILL)
    return svg.page(2 * COLUMN + 3 * MARGIN, bottom + ROW + MARGIN, drawn)


def _levels(parts: List[Part]) -> List[List[Part]]:
    """Parts of each level, lowest first."""
    return [[part for part in parts if part.level == level] for level in sorted({part.level for part in parts})]


def _boxes(row: List[Part], left: float, y: float, fill: str, width: float = COLUMN, before: str = "") -> List[str]:
    """Boxes of the parts of one level, side by side, with the number of their modules."""
    each = (width - (len(row) - 1) * GAP) / len(row)
    drawn, box = [], '<rect x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{}" rx="4" fill="{}" stroke="{}"/>'
    for k, part in enumerate(row):
        x = left + k * (each + GAP)
        drawn.append(box.format(x, y, each, ROW, fill, EDGE))
        count = " ({})".format(_count(part.path)) if part.path.is_dir() else ""
        drawn.append(svg.text((x + 0.5 * each, y + 0.5 * ROW + 5), before + part.name + count, 13))
    return drawn


def _count(folder: Path) -> int:
    """Number of modules in a folder and below it."""
    return sum(path.stem not in PLUMBING for path in folder.rglob("*.py"))


def main() -> None:
    """Write both files."""
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    PICTURE.write_text(drawing(), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
