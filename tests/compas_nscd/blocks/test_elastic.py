"""Elasticity of blocks: what is refused, and every way on which a block carries it along."""

import json
import math

import compas
import numpy as np
import pytest

from compas_nscd import Block, ContactLaw, Elastic, Structure
from compas_nscd.cli.entry import build_parser
from compas_nscd.cli.options.input import read_structure
from compas_nscd.errors import FileError, InputError, MaterialError
from compas_nscd.files.scene_file import arguments
from compas_nscd.studies.imperfections import imperfect
from compas_nscd.studies.parameters import Source
from solids import box

LAW = ContactLaw(0.6)
STONE = Elastic(
    6e10, 0.27, "h8", refine=2, mass="consistent", damping=(0.1, 1e-4), plane="strain", tension=3e6, contacts="middles"
)


def stack(elastic=None, **options):
    """Two boxes on a support."""
    blocks = [Block(*box((0, 0, k)), 2400.0, support=k == 0, name="b{}".format(k)) for k in range(3)]
    structure = Structure(blocks, LAW, **options)
    if elastic is not None:
        structure.deform(elastic)
    return structure


@pytest.mark.parametrize(
    "given",
    [
        {"young": 0.0},
        {"young": -1.0},
        {"young": math.nan},
        {"young": math.inf},
        {"young": "6e10"},
        {"young": True},
        {"young": None},
        {"poisson": 0.5},
        {"poisson": -1.0},
        {"poisson": -1.2},
        {"poisson": math.nan},
        {"elements": "q4"},
        {"elements": None},
        {"refine": 0},
        {"refine": 1.5},
        {"refine": 1001},
        {"refine": True},
        {"mass": "nodal"},
        {"plane": "bent"},
        {"contacts": "edges"},
        {"damping": -1.0},
        {"damping": (1.0, 2.0, 3.0)},
        {"damping": (math.nan, 0.0)},
        {"tension": -1.0},
        {"yong": 1.0},
    ],
)
def test_what_an_elasticity_cannot_be_names_the_block(given):
    with pytest.raises(MaterialError, match="block left") as caught:
        Block(*box(), 2400.0, name="left", elastic=dict({"young": 6e10}, **given))
    assert caught.value.remedy


def test_an_elasticity_without_a_modulus_or_of_another_type_is_refused():
    for given in ({}, {"poisson": 0.2}, 6e10, "h8", [6e10]):
        with pytest.raises(MaterialError, match="block left"):
            Block(*box(), 2400.0, name="left", elastic=given)


def test_one_number_of_damping_is_that_of_the_stiffness():
    assert Elastic(6e10, damping=1e-4).damping == (0.0, 1e-4)


def test_data_of_an_elasticity():
    assert Elastic.of(STONE.__data__) == STONE
    assert compas.json_loads(compas.json_dumps(STONE)) == STONE
    assert STONE.changed(young=1e9).young == 1e9
    assert STONE.changed(young=1e9) != STONE


def test_copies_of_a_block_carry_its_elasticity():
    block = Block(*box(), 2400.0, elastic=STONE)
    assert block.scaled(1e3).elastic == block.with_density(1.0).elastic == STONE
    assert Block(**block.__data__).elastic == STONE
    assert compas.json_loads(compas.json_dumps(block)) == block


def test_a_structure_deforms_all_or_some_of_its_blocks():
    structure = stack()
    assert structure.deform(STONE, ["b2"]) is None
    assert [block.elastic for block in structure.blocks] == [None, None, STONE]
    structure.deform({"young": 1e9})
    assert [block.elastic for block in structure.blocks] == [Elastic(1e9)] * 3
    structure.deform(None, [0, 1])
    assert [block.elastic for block in structure.blocks] == [None, None, Elastic(1e9)]
    with pytest.raises(InputError, match="b9"):
        structure.deform(STONE, ["b9"])


def test_copies_of_a_structure_carry_the_elasticities():
    structure = stack(STONE)
    copies = [Structure.__from_data__(structure.__data__), imperfect(structure, 1e-4, 0)]
    copies += [Structure(**arguments(json.loads(json.dumps(structure.to_scene())), "x"))]
    for copy in copies:
        assert [block.elastic for block in copy.blocks] == [STONE] * 3


def test_studies_vary_elasticities_of_copies():
    mixed = stack()
    mixed.deform(STONE, [2])
    made = Source(mixed).structure({"young": 1e9, "elastic.refine": 3})
    assert [block.elastic for block in made.blocks] == [None, None, STONE.changed(young=1e9, refine=3)]
    assert mixed.blocks[2].elastic == STONE
    made = Source(stack()).structure({"young": 1e9, "poisson": 0.1, "scale": 2.0})
    assert [block.elastic for block in made.blocks] == [Elastic(1e9, 0.1)] * 3
    with pytest.raises(MaterialError, match="young"):
        Source(stack()).structure({"poisson": 0.1})
    with pytest.raises(InputError, match="nu"):
        Source(stack()).check("elastic.nu")


def test_request_of_rigid_and_of_deformable_blocks():
    assert "elastics" not in stack().to_wire()
    structure = stack(STONE)
    structure.deform(Elastic(1e9), [1])
    structure.deform(None, [0])
    wire = structure.to_wire()
    assert wire["elastics"] == [Elastic(1e9).__data__, STONE.__data__]
    assert wire["elastic_of"].dtype == np.int32 and wire["elastic_of"].tolist() == [-1, 0, 1]


def scene_with(elastic_of_scene, elastic_of_block):
    """Scene in millimetres whose last block has an entry of its own."""
    scene = stack().to_scene()
    scene["units"] = "mm"
    scene["elastic"] = elastic_of_scene
    scene["blocks"][2]["elastic"] = elastic_of_block
    return scene


def test_scene_with_elasticity_for_all_and_for_one_block():
    of_all, own = {"young": 6e10}, {"young": 1e9, "elements": "t4"}
    blocks = arguments(scene_with(of_all, own), "x")["blocks"]
    assert [block.elastic for block in blocks] == [Elastic(6e10), Elastic(6e10), Elastic(1e9, elements="t4")]
    blocks = arguments(scene_with(of_all, None), "x")["blocks"]
    assert blocks[2].elastic is None
    with pytest.raises(MaterialError, match="block 2"):
        arguments(scene_with(None, {"young": 0.0}), "x")
    with pytest.raises(MaterialError, match="the scene"):
        arguments(scene_with({"young": 1e9, "nu": 0.2}, None), "x")
    with pytest.raises(FileError, match="elastics"):
        arguments(dict(stack().to_scene(), elastics={}), "x")


def command_line(tmp_path, elastic, *options):
    """Elasticities of the blocks that `nscd static` reads."""
    path = tmp_path / "stack.json"
    stack(elastic).to_scene(path)
    parsed = build_parser().parse_args(["static", str(path), *options])
    return [block.elastic for block in read_structure(parsed).blocks]


def test_options_of_the_command_line(tmp_path):
    full = ["--elastic", "h8", "--young", "6e10", "--poisson", "0.27", "--refine", "2", "--tension", "3e6"]
    expected = Elastic(6e10, 0.27, "h8", 2, tension=3e6)
    assert command_line(tmp_path, None, *full) == [expected] * 3
    assert command_line(tmp_path, STONE, "--refine", "3") == [STONE.changed(refine=3)] * 3
    assert command_line(tmp_path, STONE, "--elastic", "t4") == [STONE.changed(elements="t4")] * 3
    assert command_line(tmp_path, STONE) == [STONE] * 3


def test_options_of_mass_damping_and_plane(tmp_path):
    full = ["--elastic", "t3", "--young", "6e10", "--mass", "consistent", "--damping", "0.1,1e-4", "--plane", "strain"]
    expected = Elastic(6e10, elements="t3", mass="consistent", damping=(0.1, 1e-4), plane="strain")
    assert command_line(tmp_path, None, *full) == [expected] * 3
    assert command_line(tmp_path, STONE, "--damping", "1e-4") == [STONE.changed(damping=1e-4)] * 3
    with pytest.raises(MaterialError, match="damping"):
        command_line(tmp_path, STONE, "--damping", "1,2,3")
    with pytest.raises(SystemExit):
        command_line(tmp_path, STONE, "--damping", "much")


def test_options_that_say_too_little(tmp_path):
    with pytest.raises(MaterialError, match="--young 6e10"):
        command_line(tmp_path, None, "--elastic", "h8")
    with pytest.raises(MaterialError, match="--refine concerns no block"):
        command_line(tmp_path, None, "--refine", "2")
    with pytest.raises(MaterialError, match="Young"):
        command_line(tmp_path, None, "--elastic", "h8", "--young", "0")
