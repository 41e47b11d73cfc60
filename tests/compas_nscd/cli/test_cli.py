"""The `nscd` command as people and scripts meet it: JSON of DESIGN, exit statuses, files written."""

import json
import math
import subprocess
import sys

import pytest

from analysed import box
from compas_nscd import ContactLaw, Structure
from compas_nscd.cli import main
from compas_nscd.cli.options.text import print_verdict
from compas_nscd.files.mesh_formats.write import write_obj
from compas_nscd.templates import arch, wall
from solids import box as box_shape

STATIC_KEYS = set(
    "analysis scene verdict solver blocks free_blocks interfaces contacts iterations residual unbalanced_max "
    "penetration_max support_reaction weight_total time assured warnings cable_force elastic".split()
)
TIME_KEYS = {"read_s", "start_s", "detect_s", "solve_s", "total_s"}
CHECK_LISTS = {"open", "inverted", "degenerate", "concave", "warped", "overlapping", "isolated"}


@pytest.fixture
def scene(tmp_path):
    """Write a structure as a scene file; returns the path."""

    def write(structure, **changes):
        path = tmp_path / "scene.json"
        path.write_text(json.dumps(dict(structure.to_scene(), **changes)))
        return str(path)

    return write


def call(capsys, *arguments):
    """Exit status, and the one JSON object on stdout."""
    status = main([*arguments, "--json", "--quiet"])
    return status, json.loads(capsys.readouterr().out)


@pytest.mark.short
def test_static_json_has_exactly_the_promised_keys(scene, capsys):
    status, answer = call(capsys, "static", scene(arch(blocks=9)))
    assert status == 0
    assert set(answer) == STATIC_KEYS
    assert set(answer["time"]) >= TIME_KEYS
    assert answer["verdict"] == "stable"
    assert answer["free_blocks"] == 9 and answer["blocks"] == 11
    assert answer["interfaces"] == 10 and answer["contacts"] == 40


@pytest.mark.short
def test_supports_carry_the_weight(scene, capsys):
    """Weight of the ring = density * g * area of the polygonal ring * depth; the supports carry just that."""
    _, answer = call(capsys, "static", scene(arch(span=10.0, thickness=0.75, depth=1.0, blocks=9)))
    step = math.pi / 9
    weight = 2400.0 * 9.81 * 9 * 0.5 * math.sin(step) * (5.375**2 - 4.625**2)
    assert answer["weight_total"] == pytest.approx(weight, rel=1e-9)
    assert answer["support_reaction"] == pytest.approx([0.0, 0.0, weight], abs=1e-8 * weight)


def test_static_json_has_the_forces_of_cables(scene, capsys):
    """A rigid block that a prestressed cable holds down cannot move: the cable keeps its prestress."""
    cable = {"blocks": [1, None], "points": [[0.5, 0.5, 2.0], [0.5, 0.5, 0.5]], "stiffness": 1e6, "prestress": 2e3}
    blocks = [box((0, 0, 0), (1, 1, 1), density=2000.0, support=True), box((0, 0, 1), (1, 1, 2), density=2000.0)]
    path = scene(Structure(blocks, ContactLaw(0.6)), cables=[cable])
    status, answer = call(capsys, "static", path)
    assert status == 0 and answer["cable_force"] == pytest.approx([2e3])
    assert main(["static", path, "--quiet"]) == 0 and "cable 1: 2 kN" in capsys.readouterr().out


def test_limit_json_names_its_g(scene, capsys):
    """Multiples of the gravity of the file: a block of 1 x 1 x 1 m tips at 1 g whatever that is."""
    blocks = [box((0, 0, 0), (1, 1, 1), density=2000.0, support=True), box((0, 0, 1), (1, 1, 2), density=2000.0)]
    path = scene(Structure(blocks, ContactLaw(2.0)), gravity=[0.0, 0.0, -1.62])
    _, answer = call(capsys, "limit", path, "--vary", "acceleration:x")
    assert answer["g"] == pytest.approx(1.62) and answer["multiplier_associated"] == pytest.approx(1.0, rel=1e-6)
    assert main(["limit", path, "--vary", "acceleration:x", "--quiet"]) == 0
    assert "g = 1.62 m/s2" in capsys.readouterr().out


def test_a_verdict_of_collapse_is_not_a_failure(scene, capsys):
    status, answer = call(capsys, "static", scene(arch(thickness=0.4, blocks=20)))
    assert status == 0 and answer["verdict"] == "collapse"


def test_people_are_told_what_moves_first(scene, capsys):
    assert main(["static", scene(arch(thickness=0.4, blocks=20)), "--quiet"]) == 0
    told = capsys.readouterr().out
    assert "FALLS" in told and "moves first" in told


def test_loads_of_the_scene_are_applied(scene, capsys):
    """A horizontal push on the top of one cube of 1 m: it overturns beyond half its weight (V31)."""
    column = wall(columns=1, courses=1, length=1.0, height=1.0, depth=1.0, friction=2.0)
    weight = 2400.0 * 9.81
    load = {"block": 1, "point": [0.0, 0.5, 1.0]}
    _, less = call(capsys, "static", scene(column, loads=[dict(load, force=[0.499 * weight, 0, 0])]))
    _, more = call(capsys, "static", scene(column, loads=[dict(load, force=[0.501 * weight, 0, 0])]))
    assert (less["verdict"], more["verdict"]) == ("stable", "collapse")


def test_check_lists_defects_by_name(scene, capsys):
    data = wall(columns=2, courses=2).to_scene()
    faces = data["blocks"][1]["faces"]
    data["blocks"][1]["faces"] = [face[::-1] for face in faces]
    data["blocks"][2]["faces"] = faces[:-1]
    status, answer = call(capsys, "check", scene(wall(columns=2, courses=2), blocks=data["blocks"]))
    assert status == 0
    assert set(answer) >= CHECK_LISTS | {"blocks", "interfaces", "contacts"}
    assert answer["inverted"] == ["c0b0"] and answer["open"] == ["c0b1"]


@pytest.mark.parametrize(
    "content, word",
    [(b"", "empty"), (b'{"name": "x", "blocks": [', "line 1"), (b'{"name": "x", "bricks": []}', "bricks")],
)
def test_bad_files_exit_with_2_and_say_why(tmp_path, capsys, content, word):
    path = tmp_path / "bad.json"
    path.write_bytes(content)
    status, answer = call(capsys, "static", str(path))
    assert status == 2
    assert word in answer["error"]["message"] + str(answer["error"]["remedy"])


def test_an_engine_that_cannot_start_exits_with_3(scene, capsys):
    status, answer = call(capsys, "static", scene(arch(blocks=3)), "--python", "no-such-python")
    assert status == 3 and answer["error"]["code"] == "EngineStartError"


def test_progress_never_reaches_stdout(scene):
    command = [sys.executable, "-m", "compas_nscd", "static", scene(arch(blocks=5)), "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0 and json.loads(done.stdout)["verdict"] == "stable"


def test_picture_and_page_are_written(scene, capsys, tmp_path):
    picture, page = tmp_path / "a.svg", tmp_path / "a.html"
    structure = arch(blocks=7)
    structure.name = 'arch "A" <1>'
    arguments = ["static", scene(structure), "--picture", str(picture), "--report", str(page)]
    status, _ = call(capsys, *arguments)
    assert status == 0
    drawn, written = (path.read_text(encoding="utf-8") for path in (picture, page))
    assert "&lt;1&gt;" in drawn and "<1>" not in drawn
    assert "It stands" in written and "<1>" not in written


def test_doctor_names_log_and_interpreter(capsys):
    status, answer = call(capsys, "doctor")
    assert status == 0
    text = json.dumps(answer)
    assert "log" in text and "python" in text and not answer["problems"]


def test_demo_tells_people_what_it_found(tmp_path, capsys):
    assert main(["demo", "--output", str(tmp_path), "--quiet"]) == 0
    told = capsys.readouterr().out
    assert "arch: STANDS" in told and "thin-arch: FALLS" in told and "page" in told


def test_demo_makes_what_it_promises(tmp_path, capsys):
    status, answer = call(capsys, "demo", "--output", str(tmp_path))
    assert status == 0
    assert answer["results"]["arch"]["verdict"] == "stable"
    assert answer["results"]["thin-arch"]["verdict"] == "collapse"
    for name in ("arch.svg", "arch.html", "arch.json", "thin-arch.svg"):
        assert (tmp_path / name).stat().st_size > 1000


def test_serve_stops_by_itself(capsys):
    status, answer = call(capsys, "serve", "--seconds", "0.3")
    assert status == 0 and answer["pid"] > 0


@pytest.mark.shared
def test_every_scene_gets_the_verdict_it_expects(scenes_dir, capsys):
    wrong = {}
    for path in sorted(scenes_dir.glob("*.json")):
        expected = json.loads(path.read_text(encoding="utf-8"))["expected"]
        status, answer = call(capsys, "static", str(path))
        if status != 0 or (expected and answer["verdict"] != expected):
            wrong[path.stem] = answer.get("verdict", answer)
    assert not wrong


def test_check_of_a_drawing_needs_nothing_and_says_ok(tmp_path, capsys):
    """Geometry alone: neither friction, density nor supports; a page with the findings drawn in place."""
    source, page = tmp_path / "arch.obj", tmp_path / "page.html"
    structure = arch(blocks=9)
    write_obj(source, structure.names, [(block.vertices, block.faces) for block in structure.blocks])
    assert main(["check", str(source), "--quiet", "--report", str(page)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].strip() == "OK"
    assert "All is well" in page.read_text(encoding="utf-8")


def test_check_proposes_the_gap_and_draws_it(tmp_path, capsys):
    """Blocks 12 mm apart: the number that closes the joints, in the answer and on the page."""
    source, page = tmp_path / "apart.obj", tmp_path / "page.html"
    shapes = [box_shape((0.0, 0.0, 1.012 * k)) for k in range(4)]
    write_obj(source, list("abcd"), shapes)
    status, answer = call(capsys, "check", str(source), "--report", str(page))
    assert status == 0 and answer["gap_needed"] == pytest.approx(0.012)
    assert answer["isolated"] == list("abcd") and len(answer["open_joints"]) == 3
    assert "12 mm; gap=12mm closes all of them" in answer["warnings"][-1]["message"]
    text = page.read_text(encoding="utf-8")
    assert "open joint (3)" in text and text.count("<svg") == 2
    options = ["--supports", "lowest", "--density", "2400", "--mu", "0.6", "--gap", "13mm"]
    status, answer = call(capsys, "static", str(source), *options, "--load", "d:0.5,0.5,4:0,0,-1000")
    assert status == 0 and answer["verdict"] == "stable"
    assert answer["support_reaction"][2] == pytest.approx(3 * 2400.0 * 9.81 + 1000.0)
    assert [w["code"] for w in answer["warnings"]] == ["gap"]


def test_results_are_saved_by_the_name_of_the_file(scene, tmp_path):
    source = scene(wall())
    for name in ("out.npz", "out.dem.json", "out.csv", "out.obj", "out.ply"):
        assert main(["static", source, "--quiet", "--save", str(tmp_path / name)]) == 0
        assert (tmp_path / name).stat().st_size > 100
    assert (tmp_path / "out_blocks.csv").is_file()
    assert len(Structure.from_file(tmp_path / "out.dem.json", law=ContactLaw(0.6))) == len(wall())
    assert main(["static", source, "--quiet", "--save", str(tmp_path / "out.xyz")]) == 2


def test_a_command_loads_no_other_command_and_neither_scipy_nor_the_geometry_of_compas():
    """They take longer than the analysis of an arch."""
    code = """
import sys
from compas_nscd.cli.entry import build_parser
build_parser(["static", "scene.json"])
print([name for name in sys.modules if name.startswith("compas_nscd.cli.") and name.count(".") == 2])
print(sorted({"scipy", "compas.geometry", "compas_nscd.report.page"}.intersection(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    commands, libraries = done.stdout.decode().splitlines()
    assert "'compas_nscd.cli.static'" in commands and "validate" not in commands and "dynamic" not in commands
    assert libraries == "[]"


@pytest.mark.short
def test_an_answer_that_did_not_converge_is_told_as_uncertain(capsys):
    answer = {"scene": "wall", "verdict": "collapse", "assured": False, "warnings": [{"code": "not_converged"}]}
    print_verdict(answer)
    print_verdict(dict(answer, warnings=[]))
    assert capsys.readouterr().out.split("\n")[:2] == [
        "wall: FALLS, BUT UNCERTAIN: the solver did not converge",
        "wall: FALLS",
    ]
