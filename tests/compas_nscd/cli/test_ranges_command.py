"""The command `nscd ranges`: a column whose forces are certain, an arch, wedged and falling blocks."""

import json
import math

import pytest

from analysed import box
from compas_nscd import ContactLaw, ForceRanges, Structure
from compas_nscd.cli import main
from compas_nscd.cli.ranges import parse_direction, parse_joint
from compas_nscd.errors import InputError, SettingsError
from compas_nscd.files.mesh_formats.write import write_obj
from compas_nscd.templates import arch
from solids import box as box_shape

#: Weight of a cube of 1 m [N].
WEIGHT = 2000.0 * 9.81


def cube(level, name, support=False):
    """A cube of 1 m whose underside is at `level` [m]."""
    block = box((0, 0, level), (1, 1, level + 1), density=2000.0, support=support)
    block.name = name
    return block


def column(low="low", high="high"):
    """Two cubes on a support."""
    return Structure([cube(0, "ground", True), cube(1, low), cube(2, high)], ContactLaw(0.6))


@pytest.fixture
def scene(tmp_path):
    """Write a structure as a scene file; returns the path."""

    def write(structure):
        path = tmp_path / "scene.json"
        path.write_text(json.dumps(structure.to_scene()))
        return str(path)

    return write


def call(capsys, *arguments):
    """Exit status, and the one JSON object on stdout."""
    status = main(["ranges", *arguments, "--json", "--quiet"])
    return status, json.loads(capsys.readouterr().out)


def forces(answer):
    """Least and greatest force by the pair of blocks [N]."""
    return {tuple(sorted(each["blocks"])): (each["least"], each["greatest"]) for each in answer["ranges"]}


@pytest.mark.short
def test_the_forces_of_a_column_are_certain(scene, capsys):
    status, answer = call(capsys, scene(column()))
    assert status == 0 and answer["stands"] is True and answer["direction"] is None
    assert set(answer) == {"analysis", "scene", "stands", "direction", "ranges", "warnings", "time"}
    found = forces(answer)
    assert found["ground", "low"] == pytest.approx((2 * WEIGHT, 2 * WEIGHT), rel=1e-5)
    assert found["high", "low"] == pytest.approx((WEIGHT, WEIGHT), rel=1e-5)


def test_a_joint_and_a_direction_are_chosen_and_saved(scene, capsys, tmp_path):
    """What one springing of a symmetric arch carries at most, the other carries at least: both sum up to the weight."""
    path = tmp_path / "ranges.json"
    given = [scene(arch(blocks=6, thickness=1.0)), "--joint", "v0:right", "--direction", "z", "--save", str(path)]
    _, answer = call(capsys, *given)
    ((pair, (least, greatest)),) = forces(answer).items()
    weight = 2400.0 * 9.81 * 6 * 0.5 * math.sin(math.pi / 6) * (5.5**2 - 4.5**2)
    assert pair == ("right", "v0") and answer["direction"] == [0.0, 0.0, 1.0]
    assert abs(least + greatest) == pytest.approx(weight, rel=1e-5) and greatest - least > 0.01 * weight
    saved = ForceRanges.from_json(path)
    assert saved.of("v0", "right").least == least and len(saved) == 1


def test_people_read_kilonewtons(scene, capsys):
    assert main(["ranges", scene(column()), "--joint", "low:high", "--quiet"]) == 0
    told = capsys.readouterr().out
    assert "1 joints" in told and "low | high" in told and "19.62 to      19.62 kN" in told


def test_options_say_what_a_file_does_not(tmp_path, capsys):
    """Under water the joint carries what is left of the weight; the load is added to it."""
    path = tmp_path / "two.obj"
    write_obj(path, ["ground", "stone"], [box_shape((0, 0, 0)), box_shape((0, 0, 1))])
    given = [str(path), "--supports", "lowest", "--density", "2000", "--mu", "0.6"]
    _, answer = call(capsys, *given, "--load", "stone:0.5,0.5,2:0,0,-1000", "--water", "level=5")
    assert forces(answer)["ground", "stone"] == pytest.approx((0.5 * WEIGHT + 1e3,) * 2, rel=1e-5)
    status, answer = call(capsys, str(path))
    assert status == 2 and "nscd ranges" in str(answer["error"])


def test_a_structure_that_falls_has_no_ranges(scene, capsys):
    path = scene(arch(blocks=6, thickness=0.2))
    status, answer = call(capsys, path)
    assert status == 0 and answer["stands"] is False and answer["ranges"] == []
    assert main(["ranges", path, "--quiet"]) == 0 and "FALLS" in capsys.readouterr().out


def test_forces_that_nothing_bounds_are_null_and_a_warning_says_why(scene, capsys):
    """A block between two walls: any thrust holds it."""
    blocks = [box((x, 0, 0), (x + 1, 1, 1), density=2000.0, support=x != 0) for x in (-1, 0, 1)]
    path = scene(Structure(blocks, ContactLaw(0.6)))
    _, answer = call(capsys, path)
    assert [each["greatest"] for each in answer["ranges"]] == [None, None]
    assert all(each["least"] > 0.0 for each in answer["ranges"])
    assert "unbounded" in [each["code"] for each in answer["warnings"]]
    assert main(["ranges", path, "--quiet"]) == 0
    told = capsys.readouterr().out
    assert "inf kN" in told and "warning: Nothing bounds" in told


@pytest.mark.short
def test_names_of_blocks_may_contain_colons_and_be_numbers():
    named = column("layer::a", "7")
    assert parse_joint("layer::a:7", named) == ("layer::a", "7")
    assert parse_joint("ground:1", named) == ("ground", 1)
    with pytest.raises(InputError, match="A:B"):
        parse_joint("ground", named)


@pytest.mark.short
def test_what_is_no_direction_is_told():
    assert parse_direction("-z") == (0.0, 0.0, -1.0)
    with pytest.raises(SettingsError, match="--direction 'up' is no direction"):
        parse_direction("up")


@pytest.mark.short
@pytest.mark.parametrize(
    "wrong", [["--joint", "ground:nobody"], ["--joint", "ground:high"], ["--save", "ranges.csv"], ["--direction", "w"]]
)
def test_wrong_input_ends_with_status_2(scene, capsys, wrong):
    status, answer = call(capsys, scene(column()), *wrong)
    assert status == 2 and answer["error"]["message"]
