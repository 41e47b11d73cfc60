"""Component folders: `code.py`, `metadata.json`, `icon.png`; checked on reading."""

from __future__ import annotations

import ast
import json
import struct
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import compas_nscd
from compas_nscd.errors import FileError

#: Namespace of all identifiers, which are derived from names, so that builds are reproducible.
NAMESPACE = uuid.UUID("6e0f2d7c-1f0b-5b52-9d0e-4e5343440001")

#: Width and height of an icon in Grasshopper [pixels].
ICON_SIZE = 24
#: Files of a component folder.
FILES = ("code.py", "metadata.json", "icon.png")
#: Codes of the access of an input.
ACCESS = {"item": 0, "list": 1, "tree": 2}
#: Codes of the display of wires.
WIRE_DISPLAY = {"default": 0, "faint": 1, "hidden": 2}
#: Codes of the place in the toolbar: hidden, then the rows of a panel.
EXPOSURES = (-1, 2, 4, 8, 16, 32, 64, 128)

#: Grasshopper's identifiers of the types to which inputs are converted.
TYPE_HINTS = {
    "none": "6a184b65-baa3-42d1-a548-3915b401de53",
    "ghdoc": "1c282eeb-dd16-439f-94e4-7d92b542fe8b",
    "float": "9d51e32e-c038-4352-9554-f4137ca91b9a",
    "bool": "d60527f5-b5af-4ef6-8970-5f96fe412559",
    "int": "48d01794-d3d8-4aef-990e-127168822244",
    "complex": "309690df-6229-4774-91bb-b1c9c0bfa54d",
    "str": "3aceb454-6dbd-4c5b-9b6b-e71f8c1cdf88",
    "datetime": "09bcf900-fe83-4efa-8d32-33d89f7a3e66",
    "guid": "5325b8e1-51d7-4d36-837a-d98394626c35",
    "color": "24b1d1a3-ab79-498c-9e44-c5b14607c4d3",
    "point": "e1937b56-b1da-4c12-8bd8-e34ee81746ef",
    "vector": "15a50725-e3d3-4075-9f7c-142ba5f40747",
    "plane": "3897522d-58e9-4d60-b38c-978ddacfedd8",
    "interval": "589748aa-e558-4dd9-976f-78e3ab91fc77",
    "box": "f29cb021-de79-4e63-9f04-fc8e0df5f8b6",
    "transform": "c4b38e4c-21ff-415f-a0d1-406d282428dd",
    "line": "f802a8cd-e699-4a94-97ea-83b5406271de",
    "polyline": "66fa617b-e3e8-4480-9f1e-2c0688c1d21b",
    "curve": "9ba89ec2-5315-435f-a621-b66c5fa2f301",
    "mesh": "794a1f9d-21d5-4379-b987-9e8bbf433912",
    "surface": "f4070a37-c822-410f-9057-100d2e22a22d",
    "subd": "20f4ca9c-6c90-4fd6-ba8a-5bf9ca79db08",
    "brep": "2ceb0405-fdfe-403d-a4d6-8786da45fb9d",
    "geometrybase": "c37956f4-d39c-49c7-af71-1e87f8031b26",
}


@dataclass
class Bundle:
    """A component."""

    folder: str  # name of the folder, and of the `.ghuser` file
    code: str
    metadata: dict[str, Any]
    icon: bytes  # a PNG file

    @property
    def name(self) -> str:
        """Name in Grasshopper."""
        return self.metadata["name"]

    @property
    def inputs(self) -> list[dict[str, Any]]:
        """Input parameters."""
        return self.metadata["ghpython"].get("inputParameters", [])

    @property
    def outputs(self) -> list[dict[str, Any]]:
        """Output parameters."""
        return self.metadata["ghpython"].get("outputParameters", [])


def components_dir() -> Path:
    """Folder of the components: in the package if it was installed from a wheel, beside it in a checkout."""
    package = Path(compas_nscd.__file__).resolve().parent
    for place in (package / "ghpython_components", package.parent / "ghpython_components"):
        if place.is_dir():
            return place
    raise FileError("The folder ghpython_components was not found.", "Install compas_nscd again.")


def read_bundles(source: str | Path | None = None) -> dict[str, Bundle]:
    """All components of a folder, by default those of compas_nscd, by the names of their folders.

    A folder without any of the three files is ignored; one with some of them is an error.
    """
    source = Path(source) if source is not None else components_dir()
    if not source.is_dir():
        raise FileError("There is no folder {}.".format(source))
    folders = sorted(path for path in source.iterdir() if path.is_dir() and any((path / f).is_file() for f in FILES))
    return {folder.name: read_bundle(folder) for folder in folders}


def read_bundle(folder: str | Path) -> Bundle:
    """One component, checked as far as possible without Grasshopper."""
    folder = Path(folder)
    for name in FILES:
        if not (folder / name).is_file():
            raise FileError("Component {}: {} is missing.".format(folder.name, name))
    try:
        metadata = json.loads((folder / "metadata.json").read_text(encoding="utf-8"))
    except ValueError as error:
        raise FileError("Component {}: metadata.json is not JSON: {}".format(folder.name, error)) from error
    code = (folder / "code.py").read_text(encoding="utf-8")
    bundle = Bundle(folder.name, code, metadata, (folder / "icon.png").read_bytes())
    problems = check(bundle)
    if problems:
        raise FileError("Component {}: {}".format(folder.name, "; ".join(problems)))
    return bundle


def check(bundle: Bundle) -> list[str]:
    """Defects of a component."""
    metadata = bundle.metadata
    missing = [key for key in ("name", "nickname", "category", "subcategory", "ghpython") if not metadata.get(key)]
    if missing:
        return ["metadata.json has no {}".format(", ".join(missing))]
    problems: list[str] = []
    if metadata.get("exposure", 2) not in EXPOSURES:
        problems.append("exposure is {}, not one of {}".format(metadata["exposure"], EXPOSURES))
    for parameter in bundle.inputs:
        problems += _check_input(parameter)
    for kind, parameters in (("inputs", bundle.inputs), ("outputs", bundle.outputs)):
        names = [parameter.get("name") for parameter in parameters]
        if len(set(names)) != len(names) or not all(names):
            problems.append("{} without a name, or with the same one twice: {}".format(kind, names))
    if _png_size(bundle.icon) != (ICON_SIZE, ICON_SIZE):
        problems.append("icon.png is not a PNG of {0} x {0} pixels".format(ICON_SIZE))
    return problems + _check_arguments(bundle)


def _check_input(parameter: dict[str, Any]) -> Iterator[str]:
    tables: tuple[tuple[str, dict[str, Any]], ...] = (
        ("scriptParamAccess", ACCESS),
        ("wireDisplay", WIRE_DISPLAY),
        ("typeHintID", TYPE_HINTS),
    )
    for key, table in tables:
        value = parameter.get(key)
        if value is not None and value not in table and value not in table.values():
            yield "input {}: {} is {!r}, not one of {}".format(parameter.get("name"), key, value, ", ".join(table))


def _check_arguments(bundle: Bundle) -> list[str]:
    """Inputs and arguments must agree in order and name: Grasshopper passes them by position or by name."""
    try:
        arguments = run_script_arguments(bundle.code)
    except SyntaxError as error:
        return ["code.py: {}".format(error)]
    names = [parameter.get("name") for parameter in bundle.inputs]
    if arguments is None:
        return ["code.py has no method RunScript"]
    if arguments != names:
        return ["RunScript takes {}, metadata.json has the inputs {}".format(arguments, names)]
    return []


def run_script_arguments(code: str) -> list[str] | None:
    """Names of the arguments of RunScript after self; None without such a method."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.FunctionDef) and node.name == "RunScript":
            return [argument.arg for argument in node.args.args[1:]]
    return None


def _png_size(data: bytes) -> tuple | None:
    if data[:8] != b"\x89PNG\r\n\x1a\n" or len(data) < 24:
        return None
    return struct.unpack(">2I", data[16:24])


def name_guid(*names: str) -> uuid.UUID:
    """Identifier derived from names."""
    return uuid.uuid5(NAMESPACE, "/".join(names))
