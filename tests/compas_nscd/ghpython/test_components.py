"""Every component, its code run from its folder on a canvas that behaves like Grasshopper."""

import inspect
import json
import re

import numpy as np
import pytest

from compas_nscd import (
    Cable,
    ContactLaw,
    GroundMotion,
    LoadCase,
    PointLoad,
    Settings,
    Structure,
    SupportMotion,
    ghpython,
    templates,
)
from compas_nscd.blocks.materials import joint_law
from compas_nscd.geometry.polyhedra import measure
from rhino_net.canvas import COMPONENTS, Wire
from rhino_net.shapes import xyz

pytest_plugins = ["gh_fixtures"]

LAW = ContactLaw(0.6)
FOLDERS = sorted(path.name for path in COMPONENTS.glob("Nscd_*"))
BOX = [(0, 0, 0), (2, 0, 0), (2, 1, 0), (0, 1, 0), (0, 0, 1), (2, 0, 1), (2, 1, 1), (0, 1, 1)]
SIDES = [[0, 3, 2, 1], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7]]


def function_of(folder):
    """The function that the script of a component calls."""
    code = (COMPONENTS / folder / "code.py").read_text(encoding="utf-8")
    (name,) = set(re.findall(r"ghpython\.(\w+)", code)) - {"run"}
    return getattr(ghpython, name)


@pytest.mark.short
@pytest.mark.parametrize("folder", FOLDERS)
def test_logic_takes_and_gives_what_the_metadata_say(folder):
    told = json.loads((COMPONENTS / folder / "metadata.json").read_text(encoding="utf-8"))["ghpython"]
    function = function_of(folder)
    given = [each["name"] for each in told["inputParameters"]]
    if folder == "Nscd_Install":
        given.remove("wheel")  # for the script: it runs before this package is there
    assert given == list(inspect.signature(function).parameters)[1:]
    assert [each["name"] for each in told["outputParameters"]] == list(function.outputs)


@pytest.mark.short
@pytest.mark.parametrize("folder", FOLDERS)
def test_with_nothing_connected_a_message_says_what_is_missing(canvas, folder):
    """Not an exception: most users see a component first without a wire."""
    component = canvas.add(folder)
    needed = [each["name"] for each in component.inputs if not each["optional"]]
    for each in component.inputs:
        each["optional"] = True  # have the script run
    canvas.solve()
    if needed:
        assert component.messages("Error") and needed[0] in component.messages("Error")[0]


# -- blocks --------------------------------------------------------------------------------------------------------


SOLIDS = {
    "Brep": lambda canvas: canvas.shapes.brep(BOX, SIDES),
    "Brep with reversed faces": lambda canvas: canvas.shapes.brep(BOX, SIDES, reversed_faces=(0, 3)),
    "curved Brep": lambda canvas: canvas.shapes.brep(BOX, SIDES, mesh=canvas.shapes.mesh(BOX, SIDES)),
    "mesh": lambda canvas: canvas.shapes.mesh(BOX, SIDES),
    "extrusion": lambda canvas: canvas.shapes.extrusion(BOX, SIDES),
    "creased SubD": lambda canvas: canvas.shapes.subd(BOX, SIDES),
    "smooth SubD": lambda canvas: canvas.shapes.subd(BOX, SIDES, smooth=True),
}


@pytest.mark.short
@pytest.mark.parametrize("kind", SOLIDS)
@pytest.mark.parametrize("rhino", ["Meters", "Millimeters", "Feet"], indirect=True)
def test_a_solid_of_any_kind_becomes_the_same_block(rhino, canvas, kind):
    """Volume 2 cubic units of the document, faces outward, density as given."""
    metre = {"Meters": 1.0, "Millimeters": 1e-3, "Feet": 0.3048}[rhino.document.ModelUnitSystem.ToString()]
    component = canvas.add("Nscd_Block", geometry=SOLIDS[kind](canvas), density=2400, name="b", support=True)
    canvas.solve()
    assert component.told == []
    block = component["block"]
    assert block.density == 2400.0 and block.support and block.name == "b"
    structure = Structure([block], LAW)
    assert measure(structure.polyhedra).volume[0] == pytest.approx(2.0 * metre**3, rel=1e-9)
    assert [finding.code for finding in structure.report.of("error")] == ["supports"]


def test_an_open_brep_is_refused_by_name_and_shown(canvas):
    shape = canvas.shapes.brep(BOX, SIDES[:-1], closed=False)
    component = canvas.add("Nscd_Block", geometry=shape, density=2400, name="springer")
    canvas.solve()
    assert component["block"] is None and component["bad"] == shape
    (text,) = component.messages("Error")
    assert "geometry" in text and "springer" in text and "open" in text


def test_an_open_mesh_is_shown_and_the_structure_names_it(canvas):
    good = canvas.add("Nscd_Block", geometry=canvas.shapes.mesh(BOX, SIDES), density=2400, name="good", support=True)
    shape = canvas.shapes.mesh(BOX, SIDES[:-1])
    bad = canvas.add("Nscd_Block", geometry=shape, density=2400, name="leaky")
    law = canvas.add("Nscd_ContactLaw")
    canvas.solve()
    assert bad["bad"] == shape and "leaky" in bad.messages("Warning")[0]
    structure = canvas.add("Nscd_Structure", blocks=[good["block"], bad["block"]], law=Wire(law, "law"))
    canvas.solve()
    assert structure["structure"] is None and structure["bad_names"] == ["leaky"]
    assert "leaky" in structure.messages("Error")[0] and structure["bad"][0].Faces.Count == 5


def test_a_curve_is_no_block(canvas):
    component = canvas.add("Nscd_Block", geometry=canvas.shapes.line((0, 0, 0), (1, 0, 0)), density=2400)
    canvas.solve()
    assert "Line" in component.messages("Error")[0]


def test_without_a_density_the_message_says_what_to_do(canvas):
    component = canvas.add("Nscd_Block", geometry=canvas.shapes.mesh(BOX, SIDES), name="b7")
    canvas.solve()
    (text,) = component.messages("Error")
    assert "b7" in text and "density" in text and "2400" in text


@pytest.mark.short
@pytest.mark.parametrize("how", ["goo", "guid", "source"])
def test_name_and_user_text_of_the_object_in_rhino_are_read(rhino, canvas, how):
    attributes = canvas.shapes.attributes("keystone", density="1800", support="true", Friction="0.45")
    guid = rhino.document.Objects.Add(canvas.shapes.brep(BOX, SIDES), attributes)
    shape = rhino.document.Objects.FindId(guid).Geometry
    component = canvas.add("Nscd_Block", geometry=guid if how == "guid" else canvas.shapes.referenced(shape, guid))
    if how == "source":  # Rhino's script components hand over the geometry alone
        component._cast = lambda value, each: getattr(value, "Value", value)
    canvas.solve()
    block = component["block"]
    assert (block.name, block.density, block.support, block.own_friction) == ("keystone", 1800.0, True, 0.45)
    assert str(block.guid) == str(guid)


def test_a_guid_that_is_not_in_the_document_is_named(canvas):
    guid = canvas.shapes.guid()
    component = canvas.add("Nscd_Block", geometry=guid, density=2400)
    canvas.solve()
    assert str(guid) in component.messages("Error")[0]


def test_an_instance_gives_its_solids_where_it_stands(rhino, canvas):
    """Mirrored, moved, and with two solids: volumes stay positive, names are told apart."""
    other = [(x, y, z + 1) for x, y, z in BOX]
    parts = (
        (canvas.shapes.brep(BOX, SIDES), canvas.shapes.attributes("low")),
        (canvas.shapes.mesh(other, SIDES), canvas.shapes.attributes("high", density="900")),
    )
    guid = canvas.shapes.define(rhino.document, "pair", *parts)
    matrix = [[-1, 0, 0, 10], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    component = canvas.add("Nscd_Block", geometry=canvas.shapes.instance(guid, matrix), density=2400)
    canvas.solve()
    blocks = component["block"]
    assert [block.name for block in blocks] == ["pair/low", "pair/high"]
    structure = Structure(blocks, LAW)
    assert measure(structure.polyhedra).volume == pytest.approx([2.0, 2.0])
    assert not structure.report.of("warning")  # faces were turned with the mirror
    assert blocks[0].vertices.min(axis=0).tolist() == [8.0, 0.0, 0.0]


def test_a_list_of_solids_makes_a_list_of_blocks_and_frictions_meet(rhino, canvas):
    """Three boxes on each other; one with a friction of its own: its two joints have the smaller one."""
    shapes = [canvas.shapes.mesh([(x, y, z + k) for x, y, z in BOX], SIDES) for k in range(3)]
    blocks = canvas.add("Nscd_Block", geometry=shapes, density=2400, name=["a", "b", "c"], support=[True, False, False])
    canvas.solve()
    assert [block.name for block in blocks["block"]] == ["a", "b", "c"]
    blocks["block"][1].own_friction = 0.3
    law = canvas.add("Nscd_ContactLaw", friction=0.7)
    component = canvas.add("Nscd_Structure", blocks=Wire(blocks, "block"), law=Wire(law, "law"), name="tower")
    canvas.solve()
    structure = component["structure"]
    laws = {pair: each.friction for pair, each in structure.pair_laws.items()}
    assert laws[0, 1] == laws[1, 2] == 0.3 and structure.law.friction == 0.7 and structure.name == "tower"


@pytest.mark.parametrize("rhino", ["None"], indirect=True)
def test_a_document_without_a_unit_is_refused(canvas):
    component = canvas.add("Nscd_Block", geometry=canvas.shapes.mesh(BOX, SIDES), density=2400)
    canvas.solve()
    assert "unit" in component.messages("Error")[0]


# -- loads and settings --------------------------------------------------------------------------------------------


@pytest.mark.short
@pytest.mark.parametrize("rhino", ["Centimeters"], indirect=True)
def test_loads_are_in_si_whatever_the_document_is_in(canvas):
    point, force = canvas.shapes.point(100.0, 200.0, 300.0), canvas.shapes.vector(0.0, 0.0, -5.0)
    load = canvas.add("Nscd_PointLoad", block="v3", point=point, force=force, times=[0, 1], factors=[0, 2])
    settle = canvas.add(
        "Nscd_SupportMotion",
        block="left",
        displacement=canvas.shapes.vector(0.0, 0.0, -10.0),
        rotation=canvas.shapes.vector(0.0, 180.0, 0.0),
    )
    shake = canvas.add(
        "Nscd_GroundMotion", acceleration=2, frequency=1.5, direction=canvas.shapes.vector(0.0, 3.0, 0.0)
    )
    case = canvas.add(
        "Nscd_LoadCase",
        loads=Wire(load, "load"),
        support_motions=Wire(settle, "motion"),
        ground=Wire(shake, "ground"),
        gravity=canvas.shapes.vector(0.0, 0.0, -1.62),
        ramp=0.5,
    )
    canvas.solve()
    expected = LoadCase(
        (0, 0, -1.62),
        [PointLoad("v3", (1, 2, 3), (0, 0, -5), ([0, 1], [0, 2]))],
        [SupportMotion("left", (0, 0, -0.1), 1.0, (0, np.pi, 0))],
        [GroundMotion.sine("y", 2.0, 1.5)],
        gravity_ramp=0.5,
    )
    assert case["case"] == expected


@pytest.mark.parametrize("rhino", ["Centimeters"], indirect=True)
def test_cables(canvas):
    ends = {"point_a": canvas.shapes.point(0.0, 0.0, 300.0), "point_b": canvas.shapes.point(500.0, 0.0, 300.0)}
    tie = canvas.add("Nscd_Cable", block_a="left", block_b="right", stiffness=1e7, prestress=2e4, strength=9e4, **ends)
    stay = canvas.add("Nscd_Cable", block_a="left", **ends)
    case = canvas.add("Nscd_LoadCase", cables=Wire(tie, "cable"))
    canvas.solve()
    points = ((0, 0, 3), (5, 0, 3))
    assert case["case"].cables == [Cable(("left", "right"), points, 1e7, 2e4, 9e4)]
    assert stay["cable"] == Cable(("left", None), points)
    wrong = canvas.add("Nscd_Cable", block_a="left", block_b="left", **ends)
    canvas.solve()
    assert "two blocks" in wrong.messages("Error")[0]


@pytest.mark.parametrize("rhino", ["Centimeters"], indirect=True)
def test_laws_of_joints(canvas):
    """Two laws of two blocks: of all their joints, and of the one that a point is on."""

    def block_at(z, **given):
        shape = canvas.shapes.mesh([(x, y, h + z) for x, y, h in BOX], SIDES)
        return canvas.add("Nscd_Block", geometry=shape, density=2400, **given)

    low, high = block_at(0.0, name="low", support=True), block_at(1.0, name="high")
    strength = {"kind": "brittle", "cohesion": 2e5, "tension": 1e5}
    mortar = canvas.add("Nscd_ContactLaw", friction=0.7, more="kinetic = 0.5", **strength)
    lime = canvas.add("Nscd_ContactLaw", material="lime mortar", friction=0.5)
    pair = {"block_a": Wire(low, "block"), "block_b": "high"}
    whole = canvas.add("Nscd_JointLaw", law=Wire(lime, "law"), **pair)
    single = canvas.add("Nscd_JointLaw", law=Wire(mortar, "law"), point=canvas.shapes.point(1.0, 0.5, 1.0), **pair)
    dry = canvas.add("Nscd_ContactLaw")
    canvas.solve()
    blocks, laws = [low["block"], high["block"]], [whole["joint_law"], single["joint_law"]]
    made = canvas.add("Nscd_Structure", blocks=blocks, law=Wire(dry, "law"), joint_laws=laws)
    canvas.solve()
    structure = made["structure"]
    assert structure.pair_laws == {(0, 1): joint_law("lime mortar", friction=0.5)}
    (found,) = structure.interface_laws
    expected = ContactLaw(0.7, "brittle", cohesion=2e5, tension=1e5, kinetic=0.5)
    assert found.blocks == (0, 1) and found.law == expected and found.point == pytest.approx((0.01, 0.005, 0.01))
    assert structure.law == ContactLaw(0.6)


def test_wrong_laws_are_told_by_their_inputs(canvas):
    wrong = [
        ({"kind": "rubber"}, "rubber"),
        ({"material": "chewing gum"}, "chewing gum"),
        ({"more": "stickiness = 3"}, "stickiness"),
        ({"more": "kinetic = much"}, "much"),
        ({"cohesion": 1e5}, "cohesion"),
    ]
    made = [canvas.add("Nscd_ContactLaw", **given) for given, _ in wrong]
    law = canvas.add("Nscd_ContactLaw")
    block = canvas.add("Nscd_Block", geometry=canvas.shapes.mesh(BOX, SIDES), density=2400, name="only", support=True)
    absent = canvas.add("Nscd_JointLaw", block_a="only", block_b="nobody", law=Wire(law, "law"))
    same = canvas.add("Nscd_JointLaw", block_a="only", block_b="only", law=Wire(law, "law"))
    given = {"blocks": Wire(block, "block"), "law": Wire(law, "law")}
    structures = [canvas.add("Nscd_Structure", joint_laws=Wire(each, "joint_law"), **given) for each in (absent, same)]
    canvas.solve()
    for component, (_, words) in zip(made, wrong):
        assert words in component.messages("Error")[0]
    for component, words in zip(structures, ("nobody", "two blocks")):
        assert component.messages("Error")[0].startswith("Input joint_laws") and words in component.messages("Error")[0]


def test_a_load_names_a_block_by_the_block_itself(canvas):
    block = canvas.add("Nscd_Block", geometry=canvas.shapes.mesh(BOX, SIDES), density=2400, name="top")
    zero = canvas.shapes.point(0.0, 0.0, 0.0)
    load = canvas.add(
        "Nscd_PointLoad", block=Wire(block, "block"), point=zero, force=canvas.shapes.vector(1.0, 0.0, 0.0)
    )
    canvas.solve()
    assert load["load"].block == "top"


def test_a_record_is_read_and_a_table_taken(canvas, tmp_path):
    path = tmp_path / "réc.csv"
    path.write_text("time [s],acceleration [m/s2]\n0,0\n0.5,1\n1.0,0\n", encoding="utf-8")
    file = canvas.add("Nscd_GroundMotion", path=str(path))
    table = canvas.add("Nscd_GroundMotion", times=[0.0, 0.5, 1.0], values=[0.0, 1.0, 0.0])
    canvas.solve()
    assert file.told == [] and file["ground"].values == table["ground"].values == [0.0, 1.0, 0.0]


def test_a_wrong_kind_of_load_names_the_input(canvas):
    component = canvas.add("Nscd_LoadCase", loads=[Settings()])
    canvas.solve()
    assert "loads" in component.messages("Error")[0] and "PointLoad" in component.messages("Error")[0]


def test_settings_name_the_input_that_cannot_be(canvas):
    good = canvas.add("Nscd_Settings", solver="nlgs", tolerance=1e-6, unsupported=True)
    bad = canvas.add("Nscd_Settings", threads=-3)
    canvas.solve()
    assert good["settings"] == Settings(solver="nlgs", tolerance=1e-6, unsupported=True)
    assert bad["settings"] is None and "threads" in bad.messages("Error")[0]


# -- templates and files -------------------------------------------------------------------------------------------


@pytest.mark.short
@pytest.mark.parametrize("rhino", ["Millimeters"], indirect=True)
def test_a_template_takes_lengths_in_the_unit_of_the_document(canvas):
    component = canvas.add("Nscd_Templates", kind="arch", span=8000, thickness=600, blocks=11, parameters=["depth=500"])
    canvas.solve()
    assert component.told == []
    expected = templates.arch(span=8.0, thickness=0.6, blocks=11, depth=0.5)
    assert [len(component[key]) for key in ("blocks", "supports")] == [11, 2]
    for made, wanted in zip(component["structure"].blocks, expected.blocks):
        assert made.vertices == pytest.approx(wanted.vertices)
    drawn = xyz(component["blocks"][0])
    low, high = expected.blocks[0].vertices.min(axis=0), expected.blocks[0].vertices.max(axis=0)
    assert drawn.min(axis=0) == pytest.approx(1e3 * low) and drawn.max(axis=0) == pytest.approx(1e3 * high)


def test_templates_say_what_they_do_not_know(canvas):
    unknown = canvas.add("Nscd_Templates", kind="pyramid")
    wrong = canvas.add("Nscd_Templates", kind="arch", parameters=["spam=3"])
    dome = canvas.add("Nscd_Templates", kind="dome", span=8.0, blocks=12, courses=5, depth=1.0)
    canvas.solve()
    assert "pyramid" in unknown.messages("Error")[0]
    assert "spam" in wrong.messages("Error")[0] and "span" in wrong.messages("Error")[0]
    assert "depth" in dome.messages("Warning")[0] and dome["structure"] is not None
    assert any(line.startswith("oculus") for line in dome["guide"])


@pytest.mark.parametrize("suffix", ["json", "3dm"])
def test_a_structure_comes_out_of_a_file(canvas, tmp_path, suffix):
    from compas_nscd.drawing.threedm import write_structure

    path = tmp_path / ("voûte." + suffix)
    arch = templates.arch(blocks=7)
    arch.to_scene(path) if suffix == "json" else write_structure(arch, path)
    component = canvas.add("Nscd_StructureFromFile", path=str(path))
    missing = canvas.add("Nscd_StructureFromFile", path=str(tmp_path / "none.json"))
    canvas.solve()
    assert len(component["structure"]) == 9 and len(component["blocks"]) == 9
    assert "none.json" in missing.messages("Error")[0]


def test_wrapped_inputs_are_unwrapped(canvas):
    law = canvas.add("Nscd_ContactLaw", friction=0.5)
    block = canvas.add("Nscd_Block", geometry=canvas.shapes.mesh(BOX, SIDES), density=2400, support=True)
    other = canvas.add(
        "Nscd_Block", geometry=canvas.shapes.mesh([(x, y, z + 1) for x, y, z in BOX], SIDES), density=2400
    )
    canvas.solve()
    blocks = [block["block"], other["block"]]
    component = canvas.add("Nscd_Structure", wrapped=True, blocks=blocks, law=Wire(law, "law"))
    canvas.solve()
    assert component["structure"].law.friction == 0.5 and len(component["structure"]) == 2
