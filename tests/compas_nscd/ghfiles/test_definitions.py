"""The example definitions: as generated, wired between things that exist, and open to our own reader."""

import base64
import re
from xml.etree import ElementTree

import pytest

from compas_nscd import __version__, ghuser
from compas_nscd.ghfiles import archive, definition, ghx, picture
from compas_nscd.ghfiles.bundle import read_bundles
from compas_nscd.ghfiles.component import SCRIPT_COMPONENT, script_text
from compas_nscd.ghfiles.definition import Definition
from compas_nscd.ghfiles.examples import examples
from places import ROOT

COMMITTED = ROOT / "examples" / "grasshopper"
NAMES = ["arch", "limit", "modes", "settlement", "slow_settlement", "wall_shaking"]


@pytest.fixture(scope="module")
def bundles():
    return {bundle.name: bundle for bundle in read_bundles().values()}


@pytest.fixture(scope="module", params=NAMES)
def objects(request):
    return picture.objects_of(ghuser.read(COMMITTED / (request.param + ".ghx")))


@pytest.mark.short
@pytest.mark.parametrize("name", NAMES)
def test_committed_files_are_those_that_are_generated(tmp_path, name):
    paths = {path.stem: path for path in ghuser.write_examples(tmp_path)}
    assert sorted(paths) == NAMES
    message = "run `python -m compas_nscd.ghuser examples examples/grasshopper`: the components have changed"
    assert paths[name].read_bytes() == (COMMITTED / (name + ".ghx")).read_bytes(), message


@pytest.mark.short
def test_pictures_are_those_of_the_committed_files():
    drawn = picture.svg(ghuser.read(COMMITTED / "arch.ghx"))
    message = "run `python -m compas_nscd.ghuser picture examples/grasshopper/arch.ghx`, and save what it prints"
    assert (ROOT / "docs" / "images" / "grasshopper-arch.svg").read_text(encoding="utf-8") == drawn, message


def test_every_wire_runs_from_an_output_to_an_input(objects):
    starts, ends = {}, {}
    for entry in objects:
        container = entry.child("Container")
        inputs, outputs = picture.parameters(container)
        if not inputs and not outputs:  # a slider, a toggle or a panel is its own input and output
            inputs = outputs = [container]
        starts.update((chunk.get("InstanceGuid"), container) for chunk in outputs)
        ends.update((chunk.get("InstanceGuid"), container) for chunk in inputs)
    wires = picture.wires(objects)
    assert len(wires) >= 8
    for source, target in wires:
        assert source in starts and target in ends
        left, right = (box.child("Attributes").get("Bounds") for box in (starts[source], ends[target]))
        assert left[0] < right[0], "a wire runs to the left"


def test_identifiers_are_unique(objects):
    found = [guid for entry in objects for guid in _guids(entry)]
    assert len(set(found)) == len(found)


def _guids(chunk):
    own = [item.value for item in chunk.items if item.name == "InstanceGuid"]
    return own + [guid for child in chunk.chunks for guid in _guids(child)]


def test_counts_are_right(objects):
    """Grasshopper reads as many sources and parameters as the counts say."""
    for entry in objects:
        container = entry.child("Container")
        inputs, outputs = picture.parameters(container)
        for chunk in inputs or [container]:
            sources = [item.index for item in chunk.items if item.name == "Source"]
            assert sources == list(range(chunk.get("SourceCount")))
        if entry.get("GUID") == SCRIPT_COMPONENT:
            data = container.child("ParameterData")
            assert (data.get("InputCount"), data.get("OutputCount")) == (len(inputs), len(outputs))


def test_components_are_those_of_the_folders(objects, bundles):
    ours = [entry.child("Container") for entry in objects if entry.get("GUID") == SCRIPT_COMPONENT]
    assert len(ours) >= 5
    for container in ours:
        bundle = bundles[container.get("Name")]
        inputs, outputs = picture.parameters(container)
        assert [chunk.get("Name") for chunk in inputs] == [parameter["name"] for parameter in bundle.inputs]
        assert [chunk.get("Name") for chunk in outputs] == [parameter["name"] for parameter in bundle.outputs]
        code = base64.b64decode(container.child("Script").get("Text")).decode("utf-8")
        assert code == script_text(bundle, __version__)


def test_required_inputs_are_wired(objects, bundles):
    for entry in objects:
        if entry.get("GUID") == SCRIPT_COMPONENT:
            container = entry.child("Container")
            required = {p["name"] for p in bundles[container.get("Name")].inputs if not p.get("optional", True)}
            wired = {chunk.get("Name") for chunk in picture.parameters(container)[0] if chunk.get("SourceCount")}
            assert required <= wired, container.get("Name")


def test_sliders_are_in_their_range_and_whole_where_the_input_is(objects, bundles):
    hints = {}
    for entry in objects:
        container = entry.child("Container")
        if entry.get("GUID") == SCRIPT_COMPONENT:
            for chunk, parameter in zip(picture.parameters(container)[0], bundles[container.get("Name")].inputs):
                hints[chunk.get("InstanceGuid")] = parameter.get("typeHintID")
    sliders = {e.child("Container").get("InstanceGuid"): e for e in objects if e.get("GUID") == definition.SLIDER}
    for guid, entry in sliders.items():
        slider = entry.child("Container").child("Slider")
        assert slider.get("Min") <= slider.get("Value") <= slider.get("Max")
        for target in (end for start, end in picture.wires(objects) if start == guid):
            assert (hints.get(target) == "int") == (slider.get("Digits") == 0)


def test_nothing_overlaps_on_the_canvas(objects):
    boxes = [entry.child("Container").child("Attributes").get("Bounds") for entry in objects]
    for i, (x0, y0, w0, h0) in enumerate(boxes):
        for x1, y1, w1, h1 in boxes[:i]:
            assert x0 >= x1 + w1 or x1 >= x0 + w0 or y0 >= y1 + h1 or y1 >= y0 + h0


@pytest.mark.parametrize("name", NAMES)
def test_as_bytes_it_is_the_same_tree(name):
    tree = examples()[name].tree()
    assert archive.loads(archive.dumps(tree)) == ghx.loads(ghx.dumps(tree)) == tree


def test_picture_shows_every_object_and_wire():
    tree = examples()["arch"].tree()
    root = ElementTree.fromstring(picture.svg(tree))
    space = "{http://www.w3.org/2000/svg}"
    texts = {element.text for element in root.iter(space + "text")}
    assert {"Templates", "Static", "span", "structure", "result"} <= texts
    curves = [path for path in root.iter(space + "path") if re.search(" C", path.get("d"))]
    assert len(curves) == len(picture.wires(picture.objects_of(tree)))
    assert len(list(root.iter(space + "image"))) == 5


def test_a_wire_to_a_parameter_that_is_not_there_is_refused(bundles):
    d = Definition("d", "", "0")
    node = d.component(bundles["Contact Law"], (0, 0))
    with pytest.raises(KeyError, match="nothing"):
        d.wire(d.slider("s", 0, 1, 0, (0, 0)), node, input="nothing")
    with pytest.raises(ValueError, match="already has 's'"):
        d.slider("s", 0, 1, 0, (0, 0))
