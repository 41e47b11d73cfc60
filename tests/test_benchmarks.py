"""`nscd bench`: measurements of the checkout; an installed package says where to get them."""

import json
import tempfile

import pytest

from benchmarks import run as bench_run
from benchmarks.measure import elastic, first, large, motion, other_codes, slider
from benchmarks.reliability import messages
from benchmarks.reliability import run as attacks
from benchmarks.reliability.outcome import Size
from compas_nscd.cli import bench, main
from compas_nscd.cli.entry import build_parser
from compas_nscd.cli.options.progress import Progress
from compas_nscd.client.engine import Engine
from compas_nscd.templates import arch


def test_motions_are_measured(monkeypatch):
    monkeypatch.setattr(motion, "MOTIONS", (("arch-semi-20", 1e-3, 0.02), ("absent", 1e-3, 0.02)))
    with Engine() as engine:
        rows = motion.motions(engine, {"arch-semi-20": arch()}, Progress(True))
    assert [row["scene"] for row in rows] == ["arch-semi-20"]
    assert rows[0]["simulated_s"] == pytest.approx(0.02) and rows[0]["per_step_ms"] > 0.0 and rows[0]["sunk"] < 1e-4


def test_stacks_that_sleep_are_measured(monkeypatch):
    """Also the names of large structures, which are not run here."""
    for name, value in (("STACKS", 3), ("HIGH", 2), ("PUSHED_S", 0.05)):
        monkeypatch.setattr(motion, name, value)
    with Engine() as engine:
        rest, pushed = motion.asleep(engine, Progress(True))
        assert motion.large(engine, "absent", Progress(True)) == []
    assert rest["iterations"] < pushed["iterations"] and 0.0 < rest["detect_share"] < 1.0


def test_deformable_blocks_are_measured_beside_rigid_ones(monkeypatch):
    monkeypatch.setattr(elastic, "STATICS", elastic.STATICS[:2])
    monkeypatch.setattr(elastic, "DURATION", 0.01)
    scenes = {"arch-semi-20": arch(blocks=7)}
    with Engine() as engine:
        rows = elastic.statics(engine, scenes, Progress(True), 1)
        steps = elastic.steps(engine, scenes, Progress(True))
    assert [(row["elements"], row["verdict"]) for row in rows] == [("rigid", "stable"), ("uniform", "stable")]
    assert rows[0]["ratio"] == 1.0 and rows[1]["unknowns"] == 12 * 7
    assert [row["elements"] for row in steps] == ["rigid", "uniform", "t3"]


def test_the_parts_of_a_move_of_the_slider_are_its_whole(monkeypatch):
    monkeypatch.setattr(slider, "LENGTHS", slider.LENGTHS[:2])
    with Engine() as engine:
        best = slider.slider(engine, 1)
    total = best.pop("total_ms")
    assert total == pytest.approx(sum(best.values())) and min(best.values()) > 0.0


def test_large_structures_are_measured_by_family(monkeypatch):
    sizes = {"pier": ((2, 2, 2), (3, 3, 2)), "tilted wall": ((3, 2),)}
    kept = {name: large.FAMILIES[name]._replace(sizes=sizes[name]) for name in sizes}
    monkeypatch.setattr(large, "FAMILIES", kept)
    with Engine() as engine:
        rows = large.large(engine, Progress(True))
    assert [(row["scene"], row["blocks"], row["verdict"]) for row in rows] == [
        ("pier", 1 + 4 + 9, "stable"),
        ("pier", 1 + 9 + 16, "stable"),
        ("tilted wall", 8, "stable"),
    ]
    assert rows[0]["ratio"] == 1.0 and rows[1]["factorizations"] > 0 and rows[1]["products"] == 0


def test_bench_prints_one_json_object(capsys):
    line = "bench --only solve --scene arch-semi-20 --repeat 1 --quiet --json"
    assert main(line.split()) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [(row["scene"], row["verdict"]) for row in answer["solve"]] == [("arch-semi-20", "stable")]
    assert answer["solve"][0]["solve_s"] > 0.0 and set(answer) == {"date", "machine", "solve"}


@pytest.mark.short
def test_first_analyses_are_split_into_what_takes_their_time(monkeypatch):
    spent = {"read_s": 0.1, "start_s": 0.2, "detect_s": 0.05, "solve_s": 0.05, "total_s": 0.7}
    asked = []
    monkeypatch.setattr(first, "_variants", lambda: {"compiled": {"NUMBA_CPU_NAME": "this"}})
    monkeypatch.setattr(first, "_run", lambda name, home, folder: asked.append((name, home)) or (1.0, {"time": spent}))
    tables = first.first(2, Progress(True))
    assert [name for name, _ in asked] == ["static", "limit", "static", "static", "motion"]
    homes = {(home["NSCD_HOME"], home["NUMBA_CPU_NAME"]) for _, home in asked}
    assert len(homes) == 1 and homes.pop()[0].startswith(tempfile.gettempdir())  # one new folder for all
    parts = {key: tables["fresh"][0][key] for key in ("imports_s", "read_s", "engine_s", "kernels_s", "analysis_s")}
    assert parts == pytest.approx(
        {"imports_s": 0.3, "read_s": 0.1, "engine_s": 0.2, "kernels_s": 0.3, "analysis_s": 0.1}
    )


def test_an_unknown_group_is_refused_with_the_list(capsys):
    assert main("bench --only speed --quiet".split()) == 2
    assert ", ".join(bench_run.GROUPS + bench_run.LONG) in capsys.readouterr().err


def test_the_help_lists_every_group(capsys):
    with pytest.raises(SystemExit):
        build_parser().parse_args(["bench", "--help"])
    help_text = " ".join(capsys.readouterr().out.split())
    assert ", ".join(bench_run.GROUPS + bench_run.LONG) in help_text


@pytest.mark.short
def test_without_a_checkout_the_error_says_what_to_do(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(bench, "CHECKOUT", tmp_path)
    assert main("bench --peers --json --quiet".split()) == 3
    error = json.loads(capsys.readouterr().out)["error"]
    assert error["code"] == "NotAvailableError"
    assert "repository" in error["message"] and "[engine,bench]" in error["remedy"]


def test_a_code_that_is_not_installed_says_so():
    row = other_codes.row("absent")
    assert row["time_s"] is None and row["verdict"] == "not installed"


def test_damaged_messages_come_to_nothing():
    """A hundredth of a thousandth of `python -m benchmarks.reliability.run`."""
    outcome = messages.packed(Size(1_000_000, 160, seconds=60.0))
    assert (outcome.done, outcome.faults, outcome.hangs) == (160, {}, 0) and outcome.refused > 50


def test_attacks_end_when_their_time_is_over():
    assert list(Size(full=9, count=3, seconds=60.0).turns()) == [0, 1, 2]
    assert list(Size(full=9, count=3, seconds=-1.0).turns()) == []


@pytest.mark.slow
@pytest.mark.parametrize("group", ["live", "files", "kills", "disks", "use"])
def test_attacks_come_to_nothing(group):
    size = {"live": 0.02, "files": 0.01, "kills": 0.02, "disks": 0.02, "use": 0.01}[group]
    for outcome in attacks.outcomes([group], size):
        assert outcome.done > 0 and (outcome.deaths, outcome.faults) == (0, {}), outcome.name
