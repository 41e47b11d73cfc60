"""Study files (JSON): a study as data.

    {"name": "...", "template": "arch", "parameters": {"span": 8}  |  "structure": "scene.json" or a scene,
     "vary": {"thickness": [0.4, 0.5]}, "sampler": "grid", "runs": 100, "seed": 1,
     "ground": ["records/"], "intensity": "pga", "levels": [0.1, 0.2] or {"first": 0.1, "step": 0.1},
     "analysis": "dynamic", "options": {"time_step": 0.002}, "settings": {}, "limits": {}, "keep": [], "note": "..."}

Names of files are meant from the folder of the study file. No code is loaded because a file names it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from compas_nscd.errors import FileError, InputError
from compas_nscd.files.compas.read import is_compas
from compas_nscd.files.scene_file import arguments
from compas_nscd.files.text import parse_json, read_text
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.structure import Structure
from compas_nscd.studies.ground import ground_motions
from compas_nscd.studies.study import FILE, Study
from compas_nscd.studies.table import Table

#: Keys of a study file; `template` or `structure` is needed.
KEYS = (
    "name", "note", "template", "parameters", "structure", "vary", "sampler", "runs", "seed", "ground", "intensity",
    "levels", "analysis", "options", "settings", "limits", "keep", "case", "sources",
)  # fmt: skip
#: Keys that are dicts, and keys that are lists.
DICTS, LISTS = ("parameters", "vary", "options", "settings", "limits"), ("ground", "keep")


def read_study(path: str | Path) -> Study:
    """Study of a file.

    Raises
    ------
    FileError
        If the file cannot be read.
    InputError
        If a key is unknown or has a wrong value.
    """
    path = Path(path)
    return study_of(parse_json(read_text(path), path.name), path.parent, path.stem)


def study_of(data: dict[str, Any], folder: Path = Path(), name: str = "study") -> Study:
    """Study of the data of a file in a folder."""
    _check(data)
    apart = ("note", "template", "structure", "sources")
    said = {key: value for key, value in data.items() if value is not None and key not in apart}
    made = data["template"] if "template" in data else _structure(data["structure"], folder)
    if "case" in said:
        said["case"] = LoadCase.__from_data__(said["case"]["data"])
    said["ground"] = ground_motions(said.get("ground", ()), folder)
    said.setdefault("name", name)
    return Study(made, **said)


def read_folder(folder: str | Path) -> tuple[Study, Table]:
    """Study of the folder that `Study.run` wrote, and its table as far as it is computed."""
    path = Path(folder) / FILE
    if not path.exists():
        raise FileError("{} has no study.".format(folder), remedy="Give the folder of `nscd study run --out`.")
    data = parse_json(read_text(path), path.name)
    study = study_of(data, path.parent)
    return study, study.table(Path(folder), str(data.get("sources", "")))


def _check(data: Any) -> None:
    if not isinstance(data, dict):
        raise InputError("A study file has one JSON object.", remedy="Keys: {}.".format(", ".join(KEYS)))
    unknown = sorted(set(data) - set(KEYS))
    if unknown:
        remedy = "Keys: {}.".format(", ".join(KEYS))
        raise InputError("A study file has no key {!r:.40}.".format(unknown[0]), remedy=remedy)
    if ("template" in data) == ("structure" in data):
        raise InputError("A study needs a template or a structure.", remedy='Give "template" or "structure".')
    for keys, kind, word in ((DICTS, dict, "an object"), (LISTS, list, "a list")):
        for key in keys:
            if data.get(key) is not None and not isinstance(data[key], kind):
                raise InputError("The key {!r} of a study file is {}, not {!r:.40}.".format(key, word, data[key]))
    if not isinstance(data.get("template", ""), str):
        raise InputError("The template is a name, not {!r:.40}.".format(data["template"]))
    if not isinstance(data.get("seed", 0), int):
        raise InputError("The seed is a whole number, not {!r:.40}.".format(data["seed"]))


def _structure(said: Any, folder: Path) -> Structure:
    """Structure of the name of a file, or of a scene inside the study file."""
    if isinstance(said, str):
        return Structure.from_file(folder / said)
    if isinstance(said, dict) and is_compas(said):
        return Structure.__from_data__(said["data"])
    if isinstance(said, dict):
        return Structure(**arguments(said, "structure"))
    raise InputError("The structure is the name of a file or a scene, not {!r:.40}.".format(said))
