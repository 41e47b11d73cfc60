"""Files that other people drew (../shared/real): each gets the answer that a person wants, by API and command line."""

import json

import pytest

from analysed import analyse
from compas_nscd import ContactLaw, Settings, Structure
from compas_nscd.cli import main
from compas_nscd.errors import FileError, IsolatedBlockError, SupportError
from places import SHARED

GIVEN = {"density": 2400.0, "law": ContactLaw(0.6)}
OPTIONS = ["--density", "2400", "--mu", "0.6"]


@pytest.fixture(scope="module")
def real():
    folder = SHARED / "real"
    if not folder.is_dir():
        pytest.skip("the folder ../shared/real is not beside this checkout")
    return folder


def test_armadillo_stands_and_its_overlaps_are_told(real):
    result = analyse(Structure.from_file(real / "dem_armadillo.obj", supports="lowest", **GIVEN))
    assert result.verdict == "stable" and len(result.structure.supports) == 33
    (told,) = [w for w in result.warnings if w["code"] == "overlap"]
    assert (
        "17 pairs" in told["message"] and "9.11 mm" in told["message"] and told["blocks"][:2] == ["Mesh 52", "Mesh 66"]
    )


def test_barrel_model_says_supports_and_densities(real):
    structure = Structure.from_file(real / "dem_barrel_model.json", law=ContactLaw(0.6))
    assert len(structure) == 121 and len(structure.supports) == 26
    assert {block.density for block in structure.blocks} == {2000.0}
    assert analyse(structure).verdict == "stable"


def test_bridge_asks_for_supports_with_candidates(real):
    with pytest.raises(SupportError, match="blocks 0, 1"):
        Structure.from_file(real / "cra_bridge.json", **GIVEN)
    assert analyse(Structure.from_file(real / "cra_bridge.json", supports="lowest", **GIVEN)).verdict == "stable"


def test_shelf_is_on_a_hidden_layer(real):
    pytest.importorskip("rhino3dm")
    with pytest.raises(FileError, match="11 on hidden layer Default") as caught:
        Structure.from_file(real / "shelf.3dm", supports="lowest", **GIVEN)
    assert "--layers" in caught.value.remedy
    structure = Structure.from_file(real / "shelf.3dm", supports="lowest", layers="Default", **GIVEN)
    assert len(structure) == 11 and "size" in [w["code"] for w in structure.warnings]
    metres = Structure.from_file(real / "shelf.3dm", supports="lowest", layers="Default", units="m", **GIVEN)
    assert "size" not in [w["code"] for w in metres.warnings]


def test_snake_leaves_out_its_strips_by_name(real):
    pytest.importorskip("rhino3dm")
    structure = Structure.from_file(real / "snake.3dm", supports="lowest", density=2400.0, law=ContactLaw(0.84))
    assert len(structure) == 4
    strips = [each for each in structure.left_out if "open mesh" in each.reason]
    assert len(strips) == 3 and {each.layer for each in strips} == {"Layer 05"}
    assert analyse(structure).verdict == "stable"


def test_pyramid_stands_on_its_lowest_course(real):
    structure = Structure.from_file(real / "wall_pyramid.obj", supports="lowest", **GIVEN)
    assert len(structure.supports) == 4 and analyse(structure).verdict == "stable"


def test_arch_with_gaps_says_what_closes_them(real):
    structure = Structure.from_file(real / "ipc_arch_25.obj", supports="lowest", up="y", **GIVEN)
    with pytest.raises(IsolatedBlockError, match="24 joints are open by 120 mm to 141 mm; gap=150mm") as caught:
        analyse(structure)
    assert "--gap 150mm" in caught.value.remedy
    result = analyse(structure, settings=Settings(gap="150mm"))
    assert result.verdict == "stable" and "gap" in [w["code"] for w in result.warnings]
    lying = Structure.from_file(real / "ipc_arch_25.obj", supports="lowest", strict=False, **GIVEN)
    assert "up" in [w["code"] for w in lying.warnings]


def test_interlocking_shell_stands(real):
    structure = Structure.from_file(real / "topo_quad.obj", supports="name:Boundary", up="y", **GIVEN)
    assert len(structure) == 58 and analyse(structure).verdict == "stable"


def test_rubble_is_one_structure_with_its_gaps_told(real):
    structure = Structure.from_file(real / "oneleaf", supports="lowest", up="y", **GIVEN)
    assert len(structure) == 39 and "mended" in [w["code"] for w in structure.warnings]
    with pytest.raises(IsolatedBlockError, match="gap=33mm closes all"):
        analyse(structure)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name, options",
    [
        ("wall_pyramid.obj", ["--supports", "lowest", *OPTIONS]),
        ("ipc_arch_25.obj", ["--supports", "lowest", "--up", "y", "--gap", "150mm", *OPTIONS]),
        ("topo_quad.obj", ["--supports", "name:Boundary", "--up", "y", *OPTIONS]),
        ("dem_barrel_model.json", ["--mu", "0.6"]),
        ("cra_bridge.json", ["--supports", "0,1", *OPTIONS]),
    ],
)
def test_command_line(real, capsys, name, options):
    assert main(["static", str(real / name), *options, "--json", "--quiet"]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] == "stable"


def test_line_to_copy(real, capsys):
    path = str(real / "cra_bridge.json")
    assert main(["static", path, "--quiet"]) == 2
    assert "nscd static {} --supports lowest --density 2400 --mu 0.6".format(path) in capsys.readouterr().err
