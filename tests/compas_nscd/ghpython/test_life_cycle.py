"""Locked solvers, clusters, deletion and undo, programs without a canvas, and words while nothing is there yet."""

import time

import pytest

from compas_nscd import templates
from compas_nscd.ghpython import live_analysis
from compas_nscd.ghpython.shared_engine import session
from rhino_net.canvas import Definition, Wire

pytest_plugins = ["gh_fixtures"]


@pytest.fixture(autouse=True)
def answers_come_after_the_solution(monkeypatch):
    """However quick the machine is."""
    monkeypatch.setattr(live_analysis, "WAIT_S", 0.0)


@pytest.mark.parametrize("kind", ["Nscd_Static", "Nscd_Limit", "Nscd_Dynamic"])
def test_without_a_canvas_a_component_waits_to_the_end(headless, kind):
    """Rhino.Compute, Hops and Grasshopper Player run one solution, and take what it gives."""
    more = {"Nscd_Limit": {"vary": "acceleration:x"}, "Nscd_Dynamic": {"duration": 0.05, "compute": True}}
    component = headless.add(kind, structure=templates.arch(blocks=6), **more.get(kind, {}))
    headless.solve()
    assert component["result"] is not None, component.told
    assert not headless.net.ScheduledCount


def test_without_a_document_lengths_are_metres(headless):
    headless.app.rhino.RhinoDoc.ActiveDoc = None
    arch = headless.add("Nscd_Templates", kind="arch", span=8.0)
    headless.solve()
    assert arch["structure"] == templates.arch(span=8.0)


@pytest.fixture
def headless(live):
    """The canvas of a program without windows."""
    live.app.rhino.RhinoApp.Reset(True)
    return live


def test_displays_are_quiet_until_the_first_answer(rhino, live, monkeypatch):
    monkeypatch.setattr(live_analysis, "WAIT_S", 0.0)
    static = live.add("Nscd_Static", structure=templates.arch(blocks=8))
    folders = (
        "Nscd_ForceArrows",
        "Nscd_ThrustLine",
        "Nscd_DisplacedBlocks",
        "Nscd_DeconstructStatic",
        "Nscd_Interfaces",
    )
    displays = [live.add(folder, result=Wire(static, "result")) for folder in folders]
    live.solve()
    assert static["result"] is None and [each.told for each in displays] == [[]] * len(displays)
    unwired = live.add("Nscd_ForceArrows")
    unwired.inputs[0]["optional"] = True
    live.solve()
    assert "missing" in unwired.messages("Error")[0]
    assert rhino.idle(lambda: static["result"] is not None)
    assert displays[0]["arrows"].lists()


def test_an_answer_that_comes_while_the_solver_is_locked_is_shown_when_it_is_unlocked(rhino, live):
    document = rhino.hopper.Kernel.GH_Document
    static = live.add("Nscd_Static", structure=templates.arch(blocks=8))
    document.EnableSolutions = False
    live.solve()  # the one that was running when the user locked the solver
    assert rhino.idle(lambda: static.expired), static.told
    assert static["result"] is None
    document.EnableSolutions = True
    live.solve()
    assert static["result"] is not None


def test_inside_a_cluster_the_document_around_it_is_solved_too(rhino, live):
    outer = Definition(rhino)
    cluster = rhino.hopper.Kernel.Special.GH_Cluster()
    outer.net.AddObject(cluster, False, -1)
    live.net.Owner = cluster
    static = live.add("Nscd_Static", structure=templates.arch(blocks=8))
    live.solve()
    cluster.Expired = False
    assert rhino.idle(lambda: cluster.Expired)
    assert rhino.idle(lambda: static["result"] is not None)
    outer.net.RemoveObject(cluster, False)  # with everything in it
    assert rhino.sticky == {}


def test_a_component_that_comes_back_by_undo_answers_again(rhino, live, monkeypatch):
    """Undo makes a new object with the old identifier."""
    monkeypatch.setattr(live_analysis, "WAIT_S", 0.0)
    static = live.add("Nscd_Static", structure=templates.arch(blocks=8))
    live.solve()
    live.remove(static)
    assert rhino.sticky == {}
    back = live.add("Nscd_Static", structure=templates.arch(blocks=8))
    back.net.InstanceGuid = static.net.InstanceGuid
    live.solve()
    assert rhino.idle(lambda: back["result"] is not None)
    another = live.add("Nscd_Static", structure=templates.arch(blocks=8, thickness=0.2))
    another.net.InstanceGuid = static.net.InstanceGuid  # without an event of deletion in between
    live.solve()
    assert another["result"] is None
    assert rhino.idle(lambda: another["stands"] is False)


@pytest.mark.parametrize("when", ["start", "solve", "rest"])
def test_rhino_is_left_within_a_second(rhino, alone, when):
    static = alone.add("Nscd_Static", structure=templates.arch(blocks=60))
    alone.solve()
    if when == "solve":
        assert rhino.idle(lambda: session.running)
    elif when == "rest":
        assert rhino.idle(lambda: static["result"] is not None, 120.0)
    began = time.monotonic()
    rhino.close()
    assert time.monotonic() - began < 1.0
    assert rhino.sticky == {} and not session.running


def test_events_from_other_threads_are_taken(rhino, live):
    """.NET calls delegates on threads that Python has not made."""
    import System

    static = live.add("Nscd_Static", structure=templates.arch(blocks=8))
    live.solve()
    rhino.rhino.RhinoApp.OnAnotherThread(System.Action(lambda: live.remove(static)))
    assert rhino.sticky == {}
