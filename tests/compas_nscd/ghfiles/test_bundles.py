"""Every component folder is whole and consistent, and becomes the same `.ghuser` file each time."""

import base64
import importlib.util
import json
import shutil
import struct
import subprocess
import sys
import uuid
import zipfile
import zlib
from pathlib import Path

import pytest

from compas_nscd import __version__, ghuser
from compas_nscd.errors import FileError
from compas_nscd.ghfiles import archive, package
from compas_nscd.ghfiles.bundle import check, components_dir, read_bundle, read_bundles
from compas_nscd.ghfiles.component import user_object
from places import ROOT
from wheels import wheel

COMPONENTS = ROOT / "ghpython_components"
FOLDERS = sorted(path.parent.name for path in COMPONENTS.glob("*/metadata.json"))
SUBCATEGORIES = {"Model", "Load", "Solve", "Result", "Display", "Tools"}


def _metadata(folder):
    return json.loads((COMPONENTS / folder / "metadata.json").read_text(encoding="utf-8"))


@pytest.mark.short
def test_our_components_are_found():
    assert components_dir() == COMPONENTS
    assert sorted(read_bundles()) == FOLDERS
    assert len(FOLDERS) >= 27


@pytest.mark.short
@pytest.mark.parametrize("folder", FOLDERS)
def test_metadata_is_whole(folder):
    """Arguments of RunScript, type hints, access, icon: `check`. Here: what is ours to decide."""
    bundle = read_bundle(COMPONENTS / folder)
    assert folder.startswith("Nscd_")
    assert bundle.metadata["category"] == "COMPAS NSCD"
    assert bundle.metadata["subcategory"] in SUBCATEGORIES
    for described in [bundle.metadata] + bundle.inputs + bundle.outputs:
        assert described.get("description"), described["name"]
    uuid.UUID(bundle.metadata["instanceGuid"])
    assert len(bundle.code.splitlines()) <= 100


def test_identifiers_and_names_are_unique():
    for key in ("instanceGuid", "name", "nickname"):
        values = [_metadata(folder)[key] for folder in FOLDERS]
        assert len(set(values)) == len(values), key


def test_componentizer_accepts_the_bundles(pytestconfig, monkeypatch):
    """The check of ghpython_componentizer, straight from its wheel: it needs no .NET for that."""
    monkeypatch.syspath_prepend(str(wheel(pytestconfig.cache, "ghpython_componentizer==0.1.1")))
    from ghpython_componentizer import bundle as theirs

    assert theirs.discover_source_bundles(str(COMPONENTS)) == FOLDERS
    for folder in FOLDERS:
        icon, _, metadata = theirs.validate_source_bundle(str(COMPONENTS / folder))
        assert icon[:4] == b"\x89PNG"
        for parameter in metadata["ghpython"]["inputParameters"]:
            theirs.parse_param_access(parameter["scriptParamAccess"])
            theirs.parse_param_type_hint(parameter.get("typeHintID"))
            theirs.parse_wire_display(parameter.get("wireDisplay", 0))


@pytest.fixture(scope="module")
def draw_icons():
    sys.path.insert(0, str(COMPONENTS))
    spec = importlib.util.spec_from_file_location("draw_icons", str(COMPONENTS / "draw_icons.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    yield module
    sys.path.remove(str(COMPONENTS))


@pytest.mark.parametrize("folder", FOLDERS)
def test_icons_are_those_that_are_drawn(draw_icons, folder):
    """Pixels, not bytes: a PNG may be compressed in more than one way."""
    assert _pixels(COMPONENTS / folder / "icon.png") == draw_icons.icon(folder)


def test_icons_differ_and_are_not_empty(draw_icons):
    drawn = {folder: draw_icons.icon(folder) for folder in draw_icons.ICONS}
    assert len({str(pixels) for pixels in drawn.values()}) == len(drawn)
    for folder, pixels in drawn.items():
        opaque = sum(pixel[3] > 127 for row in pixels for pixel in row)
        assert 60 < opaque < 560, folder  # of 576: neither specks nor a full square


def test_icon_of_the_package(draw_icons):
    pixels = _pixels(COMPONENTS / "icon.png")
    assert len(pixels) == len(pixels[0]) == 64
    assert pixels == draw_icons.package_icon()


def _pixels(path):
    """Rows of an unfiltered 8-bit RGBA picture, as our own writer makes it."""
    data, at, packed = path.read_bytes(), 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        assert zlib.crc32(kind + body) == struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0]
        if kind == b"IHDR":
            width, height = struct.unpack(">2I", body[:8])
        packed += body if kind == b"IDAT" else b""
        at += 12 + length
    raw = zlib.decompress(packed)
    lines = [raw[row * (4 * width + 1) : (row + 1) * (4 * width + 1)] for row in range(height)]
    assert all(line[0] == 0 for line in lines)
    return [[tuple(line[1 + 4 * x : 5 + 4 * x]) for x in range(width)] for line in lines]


@pytest.mark.short
def test_build_gives_the_same_bytes_each_time(tmp_path):
    first, second = package.build(tmp_path / "a"), package.build(tmp_path / "b")
    assert [path.name for path in first] == [folder + ".ghuser" for folder in FOLDERS]
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


@pytest.mark.short
def test_a_user_object_holds_its_component():
    bundle = read_bundle(COMPONENTS / "Nscd_Static")
    root = archive.loads(user_object(bundle, "1.2.3", "NSCD: "))
    assert (root.get("Name"), root.get("Category")) == ("NSCD: " + bundle.name, "COMPAS NSCD")
    assert root.get("InstanceGuid") == uuid.UUID(bundle.metadata["instanceGuid"])
    inner = archive.loads(root.get("Object"))
    parameters = inner.child("ParameterData").children("InputParam")
    assert [chunk.get("Name") for chunk in parameters] == [parameter["name"] for parameter in bundle.inputs]
    assert base64.b64decode(inner.child("Script").get("Text")).decode("utf-8") == bundle.code
    guids = [chunk.get("InstanceGuid") for chunk in inner.child("ParameterData").chunks]
    assert len(set(guids)) == len(guids)


SAMPLE_CODE = '''"""{{name}} {{version}}."""
class Sample:
    def RunScript(self, first: list, second):
        return first
'''


def _sample(folder, code=SAMPLE_CODE, **changes):
    """A small component folder, right but for the changes."""
    inputs = [{"name": "first", "scriptParamAccess": "list", "typeHintID": "float", "graft": True}, {"name": "second"}]
    ghpython = {"inputParameters": inputs, "outputParameters": [{"name": "result", "flatten": True}]}
    metadata = {"name": "Sample", "nickname": "S", "category": "C", "subcategory": "D", "ghpython": ghpython}
    metadata.update(changes)
    folder.mkdir(parents=True)
    (folder / "code.py").write_text(code, encoding="utf-8")
    (folder / "metadata.json").write_text(json.dumps(metadata), encoding="utf-8")
    (folder / "icon.png").write_bytes((COMPONENTS / "Nscd_Block" / "icon.png").read_bytes())
    return folder


@pytest.mark.short
def test_sample_component(tmp_path):
    bundle = read_bundle(_sample(tmp_path / "Sample"))
    assert check(bundle) == []
    inner = archive.loads(archive.loads(user_object(bundle, "1.2.3")).get("Object"))
    first, second, result = inner.child("ParameterData").chunks
    assert (first.get("ScriptParamAccess"), second.get("ScriptParamAccess")) == (1, 0)
    assert (first.get("Mapping"), result.get("Mapping")) == (2, 1)
    assert second.find("Mapping") is None
    assert (first.get("Optional"), result.get("Optional")) == (True, False)
    text = base64.b64decode(inner.child("Script").get("Text")).decode("utf-8")
    assert text.startswith('"""Sample 1.2.3."""')


INPUT = {"inputParameters": [{"name": "first", "typeHintID": "number"}, {"name": "second"}]}


@pytest.mark.parametrize(
    "changes, message",
    [
        ({"code": "class Sample:\n    def RunScript(self, second, first):\n        pass\n"}, "RunScript takes"),
        ({"code": "def run():\n    pass\n"}, "no method RunScript"),
        ({"code": "class:\n"}, "code.py: "),
        ({"nickname": ""}, "no nickname"),
        ({"exposure": 3}, "exposure is 3"),
        ({"ghpython": INPUT}, "typeHintID is 'number'"),
        ({"ghpython": {"inputParameters": [{"name": "first"}, {"name": "first"}]}}, "same one twice"),
    ],
)
def test_a_wrong_component_is_told(tmp_path, changes, message):
    with pytest.raises(FileError, match=message):
        read_bundle(_sample(tmp_path / "Sample", **changes))


@pytest.mark.parametrize("name", ["code.py", "metadata.json", "icon.png"])
def test_a_missing_file_is_told(tmp_path, name):
    (_sample(tmp_path / "Sample") / name).unlink()
    with pytest.raises(FileError, match=name + " is missing"):
        read_bundles(tmp_path)


def test_an_icon_of_another_size_is_told(tmp_path):
    folder = _sample(tmp_path / "Sample")
    (folder / "icon.png").write_bytes((COMPONENTS / "icon.png").read_bytes())
    with pytest.raises(FileError, match="24 x 24"):
        read_bundle(folder)


@pytest.mark.short
def test_yak_folder(tmp_path):
    paths = package.build_yak(tmp_path)
    names = sorted(path.name for path in paths)
    assert names == sorted(["manifest.yml", "icon.png"] + [folder + ".ghuser" for folder in FOLDERS])
    assert names == sorted(path.name for path in tmp_path.iterdir())
    lines = (tmp_path / "manifest.yml").read_text(encoding="utf-8").splitlines()
    assert "name: compas-nscd" in lines and "version: " + __version__ in lines
    for key in ("authors", "description", "url", "keywords", "icon"):
        assert any(line.startswith(key + ":") for line in lines), key


def test_commands(tmp_path, capsys):
    assert ghuser.main(["build", str(tmp_path / "out")]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(FOLDERS)
    assert ghuser.main(["show", str(tmp_path / "out" / "Nscd_Block.ghuser")]) == 0
    shown = capsys.readouterr().out
    assert "Category = 'COMPAS NSCD'" in shown and "    | class " in shown
    assert ghuser.main(["build", str(tmp_path / "other"), "--source", str(tmp_path / "none")]) == 2
    assert "There is no folder" in capsys.readouterr().err
    assert ghuser.main(["show", str(tmp_path / "none.ghuser")]) == 2
    assert "There is no file" in capsys.readouterr().err


def test_install_writes_where_grasshopper_looks(tmp_path, monkeypatch, capsys):
    import compas_ghpython

    asked = []
    found = lambda version: asked.append(version) or str(tmp_path / "UserObjects")  # noqa: E731
    monkeypatch.setattr(compas_ghpython, "get_grasshopper_userobjects_path", found)
    assert ghuser.main(["install", "--rhino", "8.0"]) == 0
    assert asked == ["8.0"]
    written = sorted(path.name for path in (tmp_path / "UserObjects").iterdir())
    assert written == [folder + ".ghuser" for folder in FOLDERS]


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="Rhino may be installed")
def test_install_says_what_to_do_where_there_is_no_rhino(capsys):
    assert ghuser.main(["install"]) == 2
    assert "Special Folders" in capsys.readouterr().err


@pytest.mark.slow
def test_components_are_in_the_wheel(tmp_path):
    """Built from a copy: a build leaves folders behind."""
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(str(ROOT / name), str(tmp_path))
    for name in ("compas_nscd", "engine", "ghpython_components"):
        shutil.copytree(str(ROOT / name), str(tmp_path / name), ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(tmp_path)]
    done = subprocess.run(command + [str(tmp_path)], capture_output=True, text=True, timeout=240)
    if "No matching distribution found for hatchling" in done.stderr:
        pytest.skip("hatchling could not be fetched from PyPI")
    assert done.returncode == 0, done.stderr
    with zipfile.ZipFile(str(next(iter(tmp_path.glob("compas_nscd-*.whl"))))) as opened:
        opened.extractall(str(tmp_path / "installed"))
    code = "from compas_nscd.ghfiles.bundle import *; print(components_dir()); print(*read_bundles())"
    options = dict(cwd=str(tmp_path / "installed"), capture_output=True, text=True)
    place, names = subprocess.run([sys.executable, "-c", code], **options).stdout.splitlines()
    assert Path(place) == tmp_path / "installed" / "compas_nscd" / "ghpython_components"
    assert names.split() == FOLDERS
