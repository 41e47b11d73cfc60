"""The command `nscd quasistatic`: one JSON object, files, and refusals."""

import json

import pytest

from compas_nscd import QuasistaticResult
from compas_nscd.cli.entry import main
from compas_nscd.drawing.picture import draw_quasistatic
from compas_nscd.report.page import render_report
from compas_nscd.templates import arch
from springs import analysed, pushed, spheres, tower

#: Keys of the JSON object, by contract.
KEYS = {"analysis", "method", "verdict", "steps", "iterations", "error_max", "displacement_max", "time"}
STIFF = ["--kn", "1e10", "--kt", "4e9", "--quiet"]


@pytest.fixture
def scene(tmp_path):
    path = tmp_path / "arch.json"
    arch(blocks=8).to_scene(path)
    return str(path)


def answer_of(capsys, *arguments):
    assert main(["quasistatic", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("method", ["serrano", "bagi_bojtar"])
def test_one_object(capsys, scene, method):
    answer = answer_of(capsys, scene, "--method", method, *STIFF)
    assert set(answer) >= KEYS
    assert answer["analysis"] == "quasistatic" and answer["method"] == method and answer["verdict"] == "balance"
    assert answer["steps"] == 1 and answer["error_max"] < 1e-6 and 1e-5 < answer["displacement_max"] < 1e-2
    assert set(answer["time"]) >= {"solve_s", "total_s"}


def test_files(capsys, scene, tmp_path):
    files = {key: str(tmp_path / name) for key, name in (("--picture", "a.svg"), ("--plot", "c.svg"))}
    files.update({"--report": str(tmp_path / "r.html"), "--save": str(tmp_path / "r.npz")})
    options = [text for pair in files.items() for text in pair]
    answer_of(capsys, scene, *STIFF, "--steps", "1,3", "--stages", "gravity,loads", "--watch", "v3:z", *options)
    assert "displacement of v3 along z" in (tmp_path / "c.svg").read_text(encoding="utf-8")
    assert "times as large" in (tmp_path / "a.svg").read_text(encoding="utf-8")
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "It is in balance" in page and "Load and displacement" in page
    assert "Bagi and Bojtar" in page and "Worst error, of the mean contact force" in page
    result = QuasistaticResult.load(tmp_path / "r.npz")
    assert result.verdict == "balance" and len(result.history_factor) == 4


def test_supports_move_and_springs(capsys, scene):
    names = arch(blocks=8)
    first, last = (names.names[i] for i in names.supports)
    spring = "{}:1e9,1e9,1e9,1e9,1e9,1e9".format(last)
    answer = answer_of(capsys, scene, *STIFF, "--move", first + ":0,0,-0.002", "--spring", spring)
    assert answer["displacement_max"] > 1e-3


@pytest.mark.parametrize(
    "options, told",
    [
        (["--kn", "0", "--kt", "1"], "normal stiffness"),
        (["--kn", "nan", "--kt", "1"], "normal stiffness"),
        (["--kn", "1e9", "--kt", "-1"], "tangential stiffness"),
        (["--kn", "1e9", "--kt", "1e9", "--steps", "x"], "--steps"),
        (["--kn", "1e9", "--kt", "1e9", "--bond", "glue=1"], "--bond"),
        (["--kn", "1e9", "--kt", "1e9", "--move", "0,0,1"], "--move"),
    ],
)
def test_bad_input(capsys, scene, options, told):
    assert main(["quasistatic", scene, "--quiet", *options]) == 2
    assert told in capsys.readouterr().err


def test_results_are_saved_drawn_and_paged(tmp_path):
    case = pushed("b1", (0.0, 0.0, 2.0), (0.2 * 2000.0 * 9.81, 0.0, 0.0))
    result = analysed(tower(1), case, steps=3)
    for name in ("r.npz", "r.json"):
        result.save(tmp_path / name)
        assert QuasistaticResult.load(tmp_path / name) == result
    assert "is in balance" in draw_quasistatic(result) and result.contact_moments.any()
    assert len(result.curve()[0]) == 4
    falls = analysed(tower(1), pushed("b1", (0.0, 0.0, 2.0), (2e4, 0.0, 0.0)), halvings=1)
    assert falls.verdict == "mechanism" and falls.first_to_move(1) == ["b1"]
    assert "becomes a mechanism" in draw_quasistatic(falls) and "becomes a mechanism" in render_report(falls)


def test_moments_are_drawn_as_arcs():
    from compas_nscd import ContactBond, ContactStiffness
    from compas_nscd.drawing.quasistatic_layout import layout_quasistatic

    case = pushed(2, (2.0, 0.0, 0.0), (0.0, 0.0, -10.0), (0.0, 0.0, 0.0))
    beam = analysed(spheres(2), case, stiffness=ContactStiffness(1e6, 1e6, 1e6, 1e6), bond=ContactBond())
    arcs = [curve for curve in layout_quasistatic(beam).curves if curve.layer == "moments"]
    assert [arc.value for arc in arcs] == pytest.approx([15.0, 5.0])
