"""`nscd dynamic`: what is refused before the work, files, settlement, going on, and Ctrl-C."""

import io
import json
import sys

import numpy as np
import pytest

from compas_nscd.cli import main
from compas_nscd.cli.options import outputs
from compas_nscd.cli.options.motion import parse_settlement
from compas_nscd.cli.options.progress import Progress
from compas_nscd.errors import FileError
from compas_nscd.results.dynamic import DynamicResult
from compas_nscd.templates import arch

QUAKE = """PEER
STATION
ACCELERATION TIME SERIES IN UNITS OF G
NPTS= 6, DT= .0200 SEC
 .01 .02 .03 -.01
-.02 .01
"""


@pytest.fixture
def scene(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "arch.json").write_text(json.dumps(arch().to_scene()))
    (tmp_path / "quake.at2").write_text(QUAKE)
    return "arch.json"


@pytest.mark.short
@pytest.mark.parametrize(
    "arguments, word",
    [
        ("--plot p.svg", "--probe"),
        ("--probe v3 --plot nowhere/p.svg", "no folder"),
        ("--probe v3 --plot p.txt", ".svg or .png"),
        ("--report .", "cannot be written"),
        ("--save motion.txt", ".npz or .json"),
        ("--dt fast", "time step"),
        ("--dt 0", "time step"),
        ("--probe nobody", "no block nobody"),
        ("--restitution 1.5", "restitution"),
        ("--kinetic 2", "kinetic"),
        ("--interval 0", "interval"),
        ("--ground sine:pga=0.1,acceleration=1,frequency=1", "both pga and acceleration"),
        ("--ground sine:pga=nan,frequency=1", "not nan"),
        ("--ground-file quake.at2 --axis q", "direction 'q'"),
        ("--ground-file arch.json --units g", "no rows of a time"),
        ("--ground-file missing.csv", "missing.csv"),
        ("--ground-file quake.at2 --ground-file quake.at2 --axis x", "2 of --ground-file and 1 of --axis"),
        ("--settle block=left,z=-0.04", "duration"),
        ("--settle block=v3,z=-0.04,duration=1", "block v3 is not"),
        ("--restart missing.npz", "no file"),
    ],
)
def test_refused_before_the_work(scene, capsys, monkeypatch, arguments, word):
    monkeypatch.setattr("compas_nscd.client.engine.Engine.submit", lambda *_: pytest.fail("the engine was asked"))
    assert main(["dynamic", scene, "--duration", "1", "--json"] + arguments.split()) == 2
    out, err = capsys.readouterr()
    answer = json.loads(out)["error"]
    assert word in "{message} {remedy}".format(**answer) and word in err


def test_the_base_line_is_reported(scene, capsys):
    """Rows sum to 0.04 g: the trapezia, and so the velocity left, are 0.02 s of (0.04 - 0.01) g."""
    line = "dynamic {} --duration 0.02 --dt 0.005 --quiet --ground-file quake.at2".format(scene).split()
    assert main(line + ["--json"]) == 0
    (correction,) = json.loads(capsys.readouterr().out)["baseline"]
    assert correction["velocity"] == pytest.approx(0.02 * 0.03 * 9.80665) and correction["share"] > 0.0
    assert main(line) == 0
    assert "baseline corrected by at most" in capsys.readouterr().out
    assert main(line + ["--json", "--no-baseline"]) == 0
    assert json.loads(capsys.readouterr().out)["baseline"] == [None]


def test_records_in_two_directions(scene, capsys):
    """The ground goes along x and z by the same record."""
    line = "dynamic {} --duration 0.1 --dt 0.005 --quiet --json --save m.npz".format(scene).split()
    assert main(line + "--ground-file quake.at2 --axis x --ground-file quake.at2 --axis z".split()) == 0
    assert len(json.loads(capsys.readouterr().out)["baseline"]) == 2
    ground = DynamicResult.load("m.npz").ground
    assert np.ptp(ground[:, 0]) > 1e-6 and (ground[:, 0] == ground[:, 2]).all() and not ground[:, 1].any()


def test_millimetres_move_as_metres_do(scene, capsys):
    content = arch().to_scene()
    for block in content["blocks"]:
        block["vertices"] = [[1e3 * c for c in vertex] for vertex in block["vertices"]]
    with open("arch_mm.json", "w", encoding="utf-8") as file:
        json.dump(dict(content, units="mm"), file)
    line = "--duration 0.1 --dt 0.005 --quiet --json --ground sine:pga=0.5,frequency=2".split()
    for name in (scene, "arch_mm.json"):
        assert main(["dynamic", name, "--save", name + ".npz"] + line) == 0
    metres, millimetres = (DynamicResult.load(name + ".npz") for name in (scene, "arch_mm.json"))
    # Lengths round differently, by 1e-16 of 1e3; in 20 steps of sliding joints that grows.
    np.testing.assert_allclose(millimetres.position, metres.position, atol=1e-9)
    assert metres.summary["max_displacement"] > 0.01


def test_settlement_and_going_on(scene, capsys):
    settle = "--settle block=left,x=-0.001,z=-0.04,duration=0.2"
    line = "dynamic {} --dt 0.005 --quiet --json {}".format(scene, settle).split()
    assert main(line + "--duration 0.1 --save half.npz".split()) == 0
    assert main(line + "--duration 0.15 --save rest.npz --restart half.npz".split()) == 0
    assert main(line + "--duration 0.25 --save whole.npz".split()) == 0
    rest, whole = (DynamicResult.load(name) for name in ("rest.npz", "whole.npz"))
    np.testing.assert_allclose(whole.displacement("left")[-1], [-0.001, 0.0, -0.04], atol=1e-9)
    np.testing.assert_array_equal(rest.position[-1], whole.position[-1])
    motion = parse_settlement("block=0,z=-1,duration=2,start=3")
    assert (motion.block, motion.displacement, motion.start) == (0, (0.0, 0.0, -1.0), 3.0)


def test_ctrl_c_keeps_what_was_computed(scene, capsys, monkeypatch):
    def impatient(self, status):
        if (status["fraction"] or 0.0) > 0.0:
            raise KeyboardInterrupt

    monkeypatch.setattr(Progress, "__call__", impatient)
    line = "dynamic {} --duration 1000 --dt 0.002 --ground sine:pga=0.2,frequency=1 --probe v9".format(scene).split()
    assert main(line + "--quiet --json --save part.npz --plot part.svg".split()) == 130
    answer = json.loads(capsys.readouterr().out)
    assert answer["ended"] == "cancelled" and 0.0 < answer["simulated_s"] < 1000.0
    part = DynamicResult.load("part.npz")
    assert part.summary["steps"] == answer["steps"] == len(part.probe_times)
    with open("part.svg", encoding="utf-8") as file:
        assert file.read().startswith("<svg")


def test_png_has_the_size_of_the_picture(tmp_path):
    pytest.importorskip("resvg_py", exc_type=ImportError)
    path = tmp_path / "plot.png"
    outputs.write_picture(path, '<svg xmlns="http://www.w3.org/2000/svg" width="90" height="42"></svg>')
    content = path.read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    assert [int.from_bytes(content[k : k + 4], "big") for k in (16, 20)] == [90, 42]


def test_png_without_its_package_is_refused_before_the_work(monkeypatch):
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(FileError, match=r"compas_nscd\[png\].*svg"):
        outputs.require_writable(pictures=["plot.png"])
    outputs.require_writable(None, pictures=["plot.svg", None])


def test_progress_in_a_file_is_a_line_a_second(monkeypatch):
    """Numbers change with every report; that is no new line unless something else is being done."""
    now = [100.0]
    monkeypatch.setattr("compas_nscd.cli.options.progress.time.perf_counter", lambda: now[0])
    stream = io.StringIO()
    progress = Progress(stream=stream)
    for k in range(60):  # three seconds, of which the first is silent
        now[0] = 100.0 + 0.05 * k
        progress({"phase": "moving, {} s".format(k) if k < 50 else "collecting", "fraction": 0.01 * k})
    lines = stream.getvalue().splitlines()
    assert [line.split("s  ")[1].split(",")[0].split(" ")[0] for line in lines] == ["moving", "moving", "collecting"]
