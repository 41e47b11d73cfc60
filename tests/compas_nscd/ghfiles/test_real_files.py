"""Files that Grasshopper's own library wrote, from the wheels of compas and compas_fab: read, written, built again."""

import json
import zipfile
from pathlib import PurePosixPath

import pytest

from compas_nscd.ghfiles import archive, ghx, picture
from compas_nscd.ghfiles.archive import Chunk, Item
from compas_nscd.ghfiles.bundle import Bundle, check
from compas_nscd.ghfiles.component import user_object
from compas_nscd.ghfiles.definition import Definition
from wheels import wheel

#: Wheel, and how many files of Grasshopper are in it: nothing may go missing unseen.
WHEELS = {"compas==2.15.1": 5, "compas_fab==2.0.1": 39}


@pytest.fixture(scope="module", params=sorted(WHEELS))
def shipped(request, pytestconfig):
    """Bytes of the .ghuser and .gh files in a wheel, by path."""
    with zipfile.ZipFile(str(wheel(pytestconfig.cache, request.param))) as opened:
        names = [name for name in opened.namelist() if name.endswith((".ghuser", ".gh"))]
        assert len(names) == WHEELS[request.param]
        return {name: opened.read(name) for name in names}


@pytest.fixture(scope="module")
def compas_fab(pytestconfig):
    return zipfile.ZipFile(str(wheel(pytestconfig.cache, "compas_fab==2.0.1")))


def test_files_come_back_byte_for_byte(shipped):
    for name, data in shipped.items():
        root = archive.loads(data)
        assert archive.dumps(root) == data, name
        if root.find("Object"):
            inner = root.get("Object")
            assert archive.dumps(archive.loads(inner)) == inner, name


def test_trees_come_back_from_xml(shipped):
    for name, data in shipped.items():
        root = archive.loads(data)
        assert ghx.loads(ghx.dumps(root)) == root, name


def test_components_of_compas_fab_are_rebuilt(compas_fab):
    """The same trees, but for random identifiers and icons encoded again. Their build read UTF-8 as Windows-1252."""
    folder = PurePosixPath("compas_fab/ghpython/components_cpython")
    names = sorted(PurePosixPath(n).stem for n in compas_fab.namelist() if n.endswith(".ghuser"))
    for name in names:
        code, metadata, icon = (
            compas_fab.read(str(folder / name / file)) for file in ("code.py", "metadata.json", "icon.png")
        )
        bundle = Bundle(name, code.decode("cp1252").replace("\r\n", "\n"), json.loads(metadata.decode("cp1252")), icon)
        assert check(bundle) == [], name
        built = archive.loads(user_object(bundle, "2.0.1", "COMPAS FAB: "))
        theirs = archive.loads(compas_fab.read(str(folder / "ghuser" / (name + ".ghuser"))))
        assert _comparable(built) == _comparable(theirs), name
    assert len(names) == 38


def _comparable(chunk):
    items = [Item(item.name, item.type, _stable(item), item.index) for item in chunk.items]
    return Chunk(chunk.name, items, [_comparable(child) for child in chunk.chunks], chunk.index)


def _stable(item):
    if item.name in ("InstanceGuid", "IconOverride"):
        return None
    return _comparable(archive.loads(item.value)) if item.name == "Object" else item.value


@pytest.fixture(scope="module")
def saved_objects(compas_fab):
    """Objects of a definition saved by Grasshopper."""
    name = next(name for name in compas_fab.namelist() if name.endswith(".gh"))
    return picture.objects_of(archive.loads(compas_fab.read(name)))


def test_native_objects_are_laid_out_as_grasshopper_saves_them(saved_objects):
    """Slider, panel and unit vector: same names, types and order of items and chunks."""
    d = Definition("d", "", "0")
    slider, panel, vector = d.slider("s", 0, 1, 0.5, (0, 0)), d.panel("p", "t", (0, 0)), d.unit_vector("y", "y", (0, 0))
    d.wire(slider, vector, input="Factor")
    d.wire(slider, panel)
    for entry in picture.objects_of(d.tree()):
        shape = _shape(entry.child("Container"))
        saved = [_shape(other.child("Container")) for other in saved_objects if other.get("GUID") == entry.get("GUID")]
        assert shape in saved, entry.get("Name")


def _shape(chunk):
    """Names and types, without what is there only if the user chose it."""
    chosen = ("Hidden", "Alignment", "Source")
    items = [(item.name, item.type) for item in chunk.items if item.name not in chosen]
    return chunk.name, items, [_shape(child) for child in chunk.chunks]


def test_wires_of_a_saved_definition_are_found(saved_objects):
    ends = picture.ends(saved_objects)
    wires = picture.wires(saved_objects)
    assert len(wires) > 40
    assert all(source in ends and target in ends for source, target in wires)
