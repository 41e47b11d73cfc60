"""Components as Grasshopper stores them: in a `.ghuser` file, or in a definition."""

from __future__ import annotations

import base64
import uuid
from collections.abc import Sequence
from typing import Any

from compas_nscd.ghfiles import archive
from compas_nscd.ghfiles.archive import BITMAP, BOOL, BYTES, GUID, INT32, STRING, Chunk
from compas_nscd.ghfiles.bundle import ACCESS, TYPE_HINTS, WIRE_DISPLAY, Bundle, name_guid

#: The script component of Rhino 8.
SCRIPT_COMPONENT = uuid.UUID("c9b2d725-6f87-4b07-af90-bd9aefef68eb")
#: A parameter of a script component.
SCRIPT_PARAMETER = uuid.UUID("08908df5-fa14-4982-9ab2-1aa0927566aa")

#: Language of the script.
LANGUAGE = "*.*.python"
#: Any CPython 3: Rhino 8 has 3.9, Rhino 9 a newer one.
LANGUAGE_VERSION = "3.-1"

#: Codes of the mapping of a parameter.
_FLATTEN, _GRAFT = 1, 2


def user_object(bundle: Bundle, version: str | None = None, prefix: str = "") -> bytes:
    """The bytes of a `.ghuser` file.

    Parameters
    ----------
    bundle : Bundle
    version : str, optional
        Replaces `{{version}}` in the code.
    prefix : str, optional
        Of the name in Grasshopper's menus.
    """
    inner = Chunk("UserObject")
    fill_component(inner, bundle, version, [bundle.folder])
    metadata = bundle.metadata
    guid = metadata.get("instanceGuid")
    root = Chunk("UserObject")
    root.set("BaseID", GUID, SCRIPT_COMPONENT)
    root.set("Name", STRING, prefix + bundle.name)
    root.set("NickName", STRING, metadata["nickname"])
    root.set("Description", STRING, metadata.get("description", ""))
    root.set("ToolTip", STRING, metadata.get("description", ""))
    root.set("Exposure", INT32, metadata.get("exposure", 2))
    root.set("Category", STRING, metadata["category"])
    root.set("SubCategory", STRING, metadata["subcategory"])
    root.set("InstanceGuid", GUID, uuid.UUID(guid) if guid else name_guid(bundle.folder))
    root.set("Icon", BYTES, bundle.icon)
    root.set("Object", BYTES, archive.dumps(inner))
    return archive.dumps(root)


def fill_component(chunk: Chunk, bundle: Bundle, version: str | None, names: Sequence[str]) -> None:
    """Write the script component of a bundle into a chunk; identifiers are derived from `names`."""
    metadata = bundle.metadata
    ghpython = metadata["ghpython"]
    chunk.set("Name", STRING, bundle.name)
    chunk.set("NickName", STRING, metadata["nickname"])
    chunk.set("Description", STRING, metadata.get("description", ""))
    chunk.set("IconOverride", BITMAP, bundle.icon)
    chunk.set("IconDisplay", INT32, ghpython.get("iconDisplay", 0))
    chunk.set("MarshalGuids", BOOL, ghpython.get("marshalGuids", True))
    for key in ("UsingLibraryInputParam", "UsingScriptInputParam", "UsingStandardOutputParam"):
        chunk.set(key, BOOL, False)
    parameters = chunk.add("ParameterData")
    for direction, listed in (("Input", bundle.inputs), ("Output", bundle.outputs)):
        parameters.set(direction + "Count", INT32, len(listed))
        for i, parameter in enumerate(listed):
            parameters.set(direction + "Id", GUID, SCRIPT_PARAMETER, i)
            guid = name_guid(*names, direction, parameter["name"])
            _fill_parameter(parameters.add(direction + "Param", i), parameter, direction == "Input", guid)
    script = chunk.add("Script")
    script.set("Text", STRING, base64.b64encode(script_text(bundle, version).encode("utf-8")).decode("ascii"))
    script.set("Title", STRING, "S")
    language = script.add("LanguageSpec")
    language.set("Taxon", STRING, LANGUAGE)
    language.set("Version", STRING, LANGUAGE_VERSION)


def _fill_parameter(chunk: Chunk, parameter: dict[str, Any], is_input: bool, guid: uuid.UUID) -> None:
    description = parameter.get("description", "")
    chunk.set("Name", STRING, parameter["name"])
    chunk.set("NickName", STRING, parameter.get("nickname") or parameter["name"])
    chunk.set("Description", STRING, description)
    chunk.set("ToolTip", STRING, description)
    chunk.set("Optional", BOOL, parameter.get("optional", is_input))
    chunk.set("SourceCount", INT32, 0)
    chunk.set("InstanceGuid", GUID, guid)
    chunk.set("ReverseData", BOOL, parameter.get("reverse", False))
    chunk.set("SimplifyData", BOOL, parameter.get("simplify", False))
    if parameter.get("flatten") or parameter.get("graft"):
        chunk.set("Mapping", INT32, _FLATTEN if parameter.get("flatten") else _GRAFT)
    if is_input:
        hint = parameter.get("typeHintID") or "ghdoc"
        chunk.set("AllowTreeAccess", BOOL, parameter.get("allowTreeAccess", True))
        chunk.set("ShowTypeHints", BOOL, parameter.get("showTypeHints", True))
        chunk.set("ScriptParamAccess", INT32, _code(ACCESS, parameter.get("scriptParamAccess", 0)))
        chunk.set("TypeHintID", GUID, uuid.UUID(TYPE_HINTS.get(hint, hint)))
        chunk.set("WireDisplay", INT32, _code(WIRE_DISPLAY, parameter.get("wireDisplay", 0)))


def _code(table: dict[str, int], value: Any) -> Any:
    return table.get(value, value)


def script_text(bundle: Bundle, version: str | None = None) -> str:
    """The code with its placeholders replaced."""
    text = bundle.code
    if version:
        text = text.replace("{{version}}", version)
    return text.replace("{{name}}", bundle.name).replace("{{ghuser_name}}", bundle.folder + ".ghuser")
