"""Distribution of the components: `.ghuser` files, for Grasshopper's folder or for Rhino's package manager."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from compas_nscd import __version__
from compas_nscd.errors import FileError
from compas_nscd.ghfiles.bundle import components_dir, read_bundles
from compas_nscd.ghfiles.component import user_object

#: Prefix of the names, for Grasshopper's search over the components of all plug-ins.
PREFIX = "NSCD: "

_MANIFEST = """---
name: compas-nscd
version: {version}
authors:
- the compas_nscd developers
description: >
  Draw the blocks of an arch, a vault or a wall, and see whether it stands, where the forces go, and how it would fall.
  Needs Rhino 8 or newer; the component Install puts the Python package into it, from a wheel file.
url: https://compas.dev
keywords:
- masonry
- contact dynamics
- NSCD
- COMPAS
- Grasshopper
- structural analysis
icon: icon.png
"""


def build(target: str | Path, source: str | Path | None = None) -> list[Path]:
    """Write a `.ghuser` file for every component into a folder; returns their paths."""
    target = Path(target)
    target.mkdir(parents=True, exist_ok=True)
    paths = []
    for name, data in _files(source):
        paths.append(target / name)
        paths[-1].write_bytes(data)
    return paths


def update(target: str | Path) -> list[Path]:
    """Write the `.ghuser` files that a folder does not have as they are; returns the paths of those written."""
    target, written = Path(target), []
    target.mkdir(parents=True, exist_ok=True)
    for name, data in _files():
        path = target / name
        if not path.is_file() or path.read_bytes() != data:
            path.write_bytes(data)
            written.append(path)
    return written


def _files(source: str | Path | None = None) -> Iterator[tuple[str, bytes]]:
    """Name and content of the file of every component."""
    bundles = read_bundles(source)
    if not bundles:
        raise FileError("There is no component in {}.".format(source or components_dir()))
    for folder, bundle in bundles.items():
        yield folder + ".ghuser", user_object(bundle, __version__, PREFIX)


def build_yak(target: str | Path) -> list[Path]:
    """Write the input of `yak build`: manifest, icon, user objects; returns their paths."""
    target = Path(target)
    paths = build(target)
    manifest, icon = target / "manifest.yml", target / "icon.png"
    manifest.write_text(_MANIFEST.format(version=__version__), encoding="utf-8")
    shutil.copyfile(str(components_dir() / "icon.png"), str(icon))
    return [manifest, icon] + paths


def install(rhino: str = "8.0") -> list[Path]:
    """Write the user objects into Grasshopper's folder for this version of Rhino; returns their paths."""
    from compas_ghpython import get_grasshopper_userobjects_path

    try:
        folder = get_grasshopper_userobjects_path(rhino)
    except Exception as error:  # COMPAS raises plain exceptions: unknown version, Rhino not found, not Windows or macOS
        remedy = "Use `build DIR`, and copy the files to the folder that Grasshopper opens with File > Special Folders."
        raise FileError("Grasshopper's folder for user objects was not found: {!r}.".format(error), remedy) from error
    return build(folder)
