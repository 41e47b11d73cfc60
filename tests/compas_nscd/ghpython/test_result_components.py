"""Analyses and results on the canvas: what comes out is what the engine found, in the unit of the document."""

import numpy as np
import pytest

from compas_nscd import DynamicResult, LoadCase, StaticResult, SupportMotion, templates
from rhino_net.canvas import Wire
from rhino_net.shapes import xyz

pytest_plugins = ["gh_fixtures"]
UNITS = {"Meters": 1.0, "Millimeters": 1e-3}


@pytest.fixture(scope="module")
def results():
    """An arch that stands and one that falls, and a motion of the first with a support that goes away."""
    from compas_nscd import Engine

    stands, falls = templates.arch(blocks=12), templates.arch(blocks=12, thickness=0.4)
    case = LoadCase(support_motions=[SupportMotion("left", (0.0, 0.0, -0.05), 0.1)])
    with Engine() as engine:
        motion = engine.dynamic(stands, case, 0.2, 0.01, interval=0.02, forces=True).result()
        pushed = engine.limit(stands, vary="polar:4", coulomb=False)
        return {"stands": engine.static(stands), "falls": engine.static(falls), "moves": motion, "limit": pushed}


def solved(canvas, folder, **inputs):
    component = canvas.add(folder, **inputs)
    canvas.solve()
    assert component.messages("Error") == []
    return component


@pytest.mark.parametrize("rhino", list(UNITS), indirect=True)
def test_joints_come_out_one_branch_each(rhino, canvas, results):
    metre = UNITS[rhino.document.ModelUnitSystem.ToString()]
    result = results["stands"]
    component = solved(canvas, "Nscd_Interfaces", result=result)
    count = len(result.interfaces)
    assert all(len(component[name].lists()) == count for name in component.outputs)
    for i in (0, count - 1):
        joint = result.interfaces[i]
        assert component["blocks"].lists()[i] == list(joint.blocks)
        drawn = [xyz(point) for point in component["points"].lists()[i]]
        assert np.array(drawn) * metre == pytest.approx(joint.points)
        total = sum(xyz(force) for force in component["forces"].lists()[i])
        assert total == pytest.approx(joint.resultant)
        assert xyz(component["resultant"].lists()[i][0]) == pytest.approx(joint.resultant)
        outline = xyz(component["outline"].lists()[i][0])
        assert outline[0] == pytest.approx(outline[-1])
        assert component["pressure"].lists()[i][0] == pytest.approx(joint.peak_pressure / 1e6)
        assert component["status"].lists()[i] == [joint.status]


def test_static_result_taken_apart(canvas, results):
    result = results["stands"]
    component = solved(canvas, "Nscd_DeconstructStatic", result=result)
    assert component["stands"] is True and component["supports"] == ["right", "left"]
    upward = sum(force.Z for force in component["reactions"])
    assert upward == pytest.approx(component["weight"], rel=1e-6)  # equilibrium, whatever the engine says of it
    assert len(component["blocks"].lists()) == len(component["stress"].lists()) == 14
    assert component["names"].lists()[0] == ["v0"]


@pytest.mark.parametrize("rhino", list(UNITS), indirect=True)
def test_motion_taken_apart_at_a_time(rhino, canvas, results):
    metre = UNITS[rhino.document.ModelUnitSystem.ToString()]
    result = results["moves"]
    component = solved(canvas, "Nscd_DeconstructDynamic", result=result, time=0.1)
    left = result.structure.index("left")
    assert component["displacement"].lists()[left][0].Z * metre == pytest.approx(-0.05, abs=1e-6)
    assert component["times"] == result.times.tolist() and len(component["energy"].lists()) == 6
    drawn = xyz(component["blocks"].lists()[left][0]) * metre
    assert drawn.min(axis=0) == pytest.approx(result.vertices(0.1)[left].min(axis=0))
    late = canvas.add("Nscd_DeconstructDynamic", result=result, time=9.0)
    canvas.solve()
    assert "time" in late.messages("Error")[0] and "0.2" in late.messages("Error")[0]


def test_thrust_lines_of_a_chain_and_in_a_plane(canvas, results):
    result = results["stands"]
    free = solved(canvas, "Nscd_ThrustLine", result=result)
    chosen = solved(canvas, "Nscd_ThrustLine", result=result, blocks=["right"] + ["v{}".format(i) for i in range(12)])
    plane = canvas.shapes.plane((0.0, 0.5, 0.0), (0.0, 1.0, 0.0))
    cut = solved(canvas, "Nscd_ThrustLine", result=result, plane=plane)
    assert len(free["lines"]) == len(chosen["lines"]) == len(cut["lines"]) == 1
    assert free["lines"][0].PointCount == 13
    wrong = canvas.add("Nscd_ThrustLine", result=result, blocks=["v1", "v9"])
    canvas.solve()
    assert "blocks" in wrong.messages("Error")[0]


def test_arrows_end_at_the_centres_of_pressure(canvas, results):
    result = results["stands"]
    component = solved(canvas, "Nscd_ForceArrows", result=result)
    doubled = solved(canvas, "Nscd_ForceArrows", result=result, scale=2.0)
    arrow, longer = component["arrows"].lists()[0][0], doubled["arrows"].lists()[0][0]
    assert xyz(arrow.To) == pytest.approx(xyz(longer.To))
    assert 2.0 * (xyz(arrow.To) - xyz(arrow.From)) == pytest.approx(xyz(longer.To) - xyz(longer.From))
    centres = result.joints.centre
    assert min(np.linalg.norm(centres - xyz(arrow.To), axis=1)) == pytest.approx(0.0, abs=1e-9)
    assert len(component["reactions"]) == len(component["reaction_values"]) == 2
    moving = solved(canvas, "Nscd_ForceArrows", result=results["moves"], time=0.1)
    assert len(moving["arrows"].lists()) == len(moving["values"].lists()) > 0


def test_stresses_are_compression_alone_in_an_arch_that_stands_well(canvas, results):
    component = solved(canvas, "Nscd_StressCrosses", result=results["stands"])
    assert len(component["compression"]) == len(component["compression_values"]) >= 12
    assert all(value < 0.0 for value in component["compression_values"])
    assert len(component["tension"]) == len(component["tension_values"])


@pytest.mark.parametrize("rhino", list(UNITS), indirect=True)
def test_cracks_and_displaced_blocks_of_a_collapse(rhino, canvas, results):
    metre = UNITS[rhino.document.ModelUnitSystem.ToString()]
    result = results["falls"]
    cracks = solved(canvas, "Nscd_CrackMap", result=result)
    widest = [max(pair) for pair in zip(cracks["openings"], cracks["slips"])]
    assert len(widest) >= 4 and widest == sorted(widest, reverse=True)  # four hinges make a mechanism
    assert len(cracks["outlines"].lists()) == len(cracks["colours"]) == len(cracks["blocks"].lists())
    moved = solved(canvas, "Nscd_DisplacedBlocks", result=result, distance=0.3 / metre, colour="movement")
    for i, expected in enumerate(result.displaced_vertices(0.3)):
        drawn = moved["blocks"].lists()[i][0]
        assert xyz(drawn).min(axis=0) * metre == pytest.approx(expected.min(axis=0), abs=1e-5)  # single precision
        assert drawn.VertexColors.Count == drawn.Vertices.Count
    wrong = canvas.add("Nscd_DisplacedBlocks", result=result, colour="rainbow")
    canvas.solve()
    assert "colour" in wrong.messages("Error")[0] and "rainbow" in wrong.messages("Error")[0]


@pytest.mark.parametrize("which", ["moves", "falls"])
def test_animation_asks_for_its_next_frame_until_the_end(rhino, canvas, results, which):
    component = solved(canvas, "Nscd_Animate", result=results[which], speed=40.0)
    start = component["blocks"].lists()
    assert component["time"] == 0.0
    component.set(play=True)
    canvas.solve()
    last = 0.2 if which == "moves" else 2.0
    times = []
    assert rhino.idle(lambda: times.append(component["time"]) or component["time"] >= last, 20.0)
    assert times == sorted(times)
    assert not canvas.net.ScheduledCount  # at the end it stands still
    there = component["blocks"].lists()
    assert any(abs(xyz(a[0]) - xyz(b[0])).max() > 1e-3 for a, b in zip(start, there))


def test_results_are_written_and_read(canvas, results, tmp_path):
    for key, suffix in (("stands", ".npz"), ("moves", ".json"), ("limit", ".npz")):
        path = str(tmp_path / ("résultat" + suffix))
        written = canvas.add("Nscd_SaveResult", result=results[key], path=path)
        canvas.solve()
        assert written["path"] is None  # not before somebody says so
        written.set(save=True)
        read = canvas.add("Nscd_LoadResult", path=Wire(written, "path"))
        canvas.solve()
        assert read["result"] == results[key] and read["kind"] == results[key].summary["analysis"]
        once = read["result"]
        read.expired = True
        canvas.solve()
        assert read["result"] is once  # the file is read again only when it has changed
    wrong = canvas.add("Nscd_SaveResult", result=results["stands"], path=str(tmp_path / "a.xlsx"), save=True)
    canvas.solve()
    assert "path" in wrong.messages("Error")[0] and ".npz" in wrong.messages("Error")[0]


def test_report_is_written(canvas, results, tmp_path):
    path = tmp_path / "bericht für mich.html"
    component = solved(canvas, "Nscd_HtmlReport", result=results["falls"], path=str(path), write=True)
    assert component["path"] == str(path) and "It falls" in path.read_text(encoding="utf-8")


@pytest.mark.short
def test_a_static_analysis_answers_and_says_so(rhino, live):
    arch = live.add("Nscd_Templates", kind="arch", blocks=8)
    static = live.add("Nscd_Static", structure=Wire(arch, "structure"))
    live.solve()
    assert rhino.idle(lambda: static["result"] is not None), static.outputs
    assert isinstance(static["result"], StaticResult) and static["stands"] is True and static.Message == "stands"
    arch.set(thickness=0.3)
    live.solve()
    assert rhino.idle(lambda: static["stands"] is False) and static.Message == "falls"


def test_what_the_engine_refuses_is_told_on_the_component(rhino, live):
    """Two boxes in one place: the engine finds it, the component names them."""
    from compas_nscd import Block, ContactLaw, Structure

    shape = templates.wall(1, 1).blocks[0]
    twice = [Block(shape.vertices, shape.faces, 2400, name, name == "b") for name in "ab"]
    static = live.add("Nscd_Static", structure=Structure(twice, ContactLaw()))
    live.solve()
    assert rhino.idle(lambda: static.messages("Error"))
    assert "a" in static.messages("Error")[0] and static.Message == "failed" and static["result"] is None


def test_pause_keeps_the_answer_and_going_on_solves(rhino, live):
    arch = live.add("Nscd_Templates", kind="arch", blocks=8)
    static = live.add("Nscd_Static", structure=Wire(arch, "structure"))
    live.solve()
    assert rhino.idle(lambda: static["result"] is not None)
    first = static["result"]
    static.set(compute=False)
    arch.set(blocks=10)
    live.solve()
    assert static["result"] is first and static.Message == "paused"
    static.set(compute=True)
    live.solve()
    assert rhino.idle(lambda: static["result"] is not None and len(static["result"].structure) == 12)


def test_a_motion_runs_when_told_and_is_kept_until_an_input_changes(rhino, live):
    arch = live.add("Nscd_Templates", kind="arch", blocks=6)
    motion = live.add("Nscd_Dynamic", structure=Wire(arch, "structure"), duration=0.05, time_step=0.01)
    live.solve()
    assert motion["result"] is None and motion.Message == "ready"
    motion.set(compute=True)
    live.solve()
    assert rhino.idle(lambda: motion["result"] is not None), motion.told
    first = motion["result"]
    assert isinstance(first, DynamicResult) and motion["progress"] == 1.0
    for compute in (False, True):
        motion.set(compute=compute)
        live.solve()
        assert motion["result"] is first
    motion.set(duration=0.03)
    live.solve()
    assert motion["result"] is None
    assert rhino.idle(lambda: motion["result"] is not None)
    assert motion["result"].times[-1] == pytest.approx(0.03)


def test_a_motion_that_is_cut_short_gives_what_it_has(rhino, live):
    arch = live.add("Nscd_Templates", kind="arch", blocks=20)
    sine = live.add("Nscd_GroundMotion", acceleration=1.0, frequency=2.0)
    case = live.add("Nscd_LoadCase", ground=Wire(sine, "ground"))
    motion = live.add(
        "Nscd_Dynamic",
        structure=Wire(arch, "structure"),
        case=Wire(case, "case"),
        duration=1000.0,
        time_step=0.005,
        compute=True,
    )
    live.solve()
    assert rhino.idle(lambda: "%" in motion.Message), motion.Message  # progress is shown
    motion.set(compute=False)
    live.solve()
    assert rhino.idle(lambda: motion["result"] is not None), (motion.told, motion.Message)
    assert 0.0 < motion["progress"] < 1.0 and motion["result"].times[-1] < 1000.0
    assert any("Cancelled" in text for text in motion.messages("Remark"))


def test_a_display_draws_again_only_if_an_input_has_changed(canvas, results):
    """While the next result is computed every display runs with the last one."""
    shown = solved(canvas, "Nscd_DisplacedBlocks", result=results["stands"])
    first, told = shown["blocks"].lists()[0][0], shown.told
    shown.expired = True
    canvas.solve()
    assert shown["blocks"].lists()[0][0] == first and shown.told == told != []
    shown.set(distance=0.2)
    canvas.solve()
    assert shown["blocks"].lists()[0][0] != first


def test_blocks_at_rest_are_made_once_and_given_as_copies(canvas, results):
    """What a user does to a mesh on the canvas does not change the one of the next solution."""
    one, other = (solved(canvas, "Nscd_DeconstructStatic", result=results["stands"]) for _ in range(2))
    mesh, copy = (each["blocks"].lists()[0][0] for each in (one, other))
    mesh.Transform(canvas.app.rhino.Geometry.Transform(2.0))
    assert abs(xyz(mesh) - xyz(copy)).max() > 0.1
    assert xyz(copy).min(axis=0) == pytest.approx(results["stands"].structure.blocks[0].vertices.min(axis=0), abs=1e-5)
