"""A component runs once for each item and branch: every run has its own state, and its own place in the outputs."""

import pytest

from compas_nscd import templates
from compas_nscd.ghpython import live_analysis
from rhino_net.canvas import Definition, Tree, Wire

pytest_plugins = ["gh_fixtures"]


def arches():
    """Three: the second one falls."""
    return [templates.arch(blocks=8, thickness=thickness) for thickness in (1.0, 0.2, 0.9)]


def answered(component, count):
    return lambda: len(component["result"]) == count


def test_three_structures_into_one_component_have_their_own_verdicts(rhino, live, monkeypatch):
    monkeypatch.setattr(live_analysis, "WAIT_S", 0.0)  # the first answers are not waited for
    given = arches()
    static = live.add("Nscd_Static", structure=given)
    live.solve()
    assert static["result"] == [] and static["stands"] == []
    assert rhino.idle(answered(static, 3)), static.told
    assert static["stands"] == [True, False, True] and static.Message == "2 stands, 1 falls"
    assert [result.structure for result in static["result"]] == given
    names = [lines[0] for lines in static.tree("info").values()]
    assert names == [str(each.name or "structure {}".format(k)) for k, each in enumerate(given, 1)]


def test_a_tree_goes_in_and_comes_out_branch_by_branch(rhino, live):
    given = arches()
    static = live.add("Nscd_Static", structure=Tree({(0,): given[:1], (2, 1): given[1:]}))
    moved = live.add("Nscd_DisplacedBlocks", result=Wire(static, "result"))
    live.solve()
    assert rhino.idle(answered(static, 3)), static.told
    assert static.tree("stands") == {(0,): [True], (2, 1): [False, True]}
    assert list(static.tree("info")) == [(0, 0), (2, 1, 0), (2, 1, 1)]
    count = len(given[0])
    expected = [(*run, i) for run in ((0, 0), (2, 1, 0), (2, 1, 1)) for i in range(count)]
    assert list(moved.tree("blocks")) == expected
    assert {len(branch) for branch in moved.tree("blocks").values()} == {1}
    assert [text[:9] for text in moved.messages("Remark")] == ["{0}(0) It", "{2;1}(1) "]  # whose remark it is


def test_a_single_structure_keeps_its_plain_paths(rhino, live):
    static = live.add("Nscd_Static", structure=arches()[0])
    moved = live.add("Nscd_DisplacedBlocks", result=Wire(static, "result"))
    live.solve()
    assert rhino.idle(lambda: static["result"] is not None)
    assert list(moved.tree("blocks")) == [(i,) for i in range(10)]


def test_among_several_an_answer_is_shown_for_its_own_question_alone(rhino, live, monkeypatch):
    """The list loses its first structure: the second must not be shown with the verdict of the first."""
    monkeypatch.setattr(live_analysis, "WAIT_S", 0.0)
    given = arches()
    static = live.add("Nscd_Static", structure=given)
    live.solve()
    assert rhino.idle(answered(static, 3))
    static.set(structure=given[1:])
    live.solve()
    assert static["stands"] == [] and static["result"] == []
    assert rhino.idle(answered(static, 2)) and static["stands"] == [False, True]


def test_while_a_slider_moves_the_drawing_stays_and_the_verdict_waits(rhino, live, monkeypatch):
    monkeypatch.setattr(live_analysis, "WAIT_S", 0.0)
    given = arches()
    static = live.add("Nscd_Static", structure=given[0])
    live.solve()
    assert rhino.idle(lambda: static["result"] is not None) and static["stands"] is True
    static.set(structure=given[1])
    live.solve()
    assert static["result"].structure is given[0] and static["stands"] is None and static.Message == "solving"
    assert rhino.idle(lambda: static["stands"] is False) and static["result"].structure is given[1]


def test_a_copied_file_has_answers_of_its_own(rhino, live, monkeypatch):
    """Copies share the identifiers of their documents and components."""
    monkeypatch.setattr(live_analysis, "WAIT_S", 0.0)
    copy = Definition(rhino, copy_of=live)
    static = live.add("Nscd_Static", structure=arches()[0])
    twin = copy.add("Nscd_Static", structure=arches()[1])
    twin.net.InstanceGuid = static.net.InstanceGuid
    live.solve()
    assert rhino.idle(lambda: static["result"] is not None)
    copy.solve()
    assert twin["result"] is None
    assert rhino.idle(lambda: twin["result"] is not None) and (static["stands"], twin["stands"]) == (True, False)
    rhino.close_definition()  # the copy
    assert len(rhino.sticky) == 1


def test_several_motions_have_their_own_progress(rhino, live):
    given = arches()[:2]
    motion = live.add("Nscd_Dynamic", structure=given, duration=0.05, time_step=0.01, compute=True)
    live.solve()
    assert rhino.idle(answered(motion, 2)), motion.told
    assert [result.structure for result in motion["result"]] == given and motion["progress"] == [1.0, 1.0]


def test_states_of_runs_that_are_gone_are_stopped(rhino, live):
    static = live.add("Nscd_Static", structure=arches())
    live.solve()
    (record,) = rhino.sticky.values()
    assert len(record._states) == 3
    static.set(structure=arches()[0])
    live.solve()
    live.Objects[0].expired = True
    live.solve()
    assert len(record._states) == 1


def test_a_whole_number_in_a_tree_is_one_of_grasshopper(rhino, canvas):
    """An integer of Python inside of an object of .NET would be a foreign object to every other component."""
    from compas_nscd.ghpython.canvas import Canvas

    component = canvas.add("Nscd_Settings")
    component.net.Enter(1)
    tree = Canvas(type("Environment", (), {"Component": component.net})).tree([[1, 2], 3, 4.0, []])
    kinds = [rhino.kind_of(item) for i in range(tree.BranchCount) for item in [tree.Branch(i)]]
    assert kinds == [["Int32", "Int32"], ["Int32"], ["Double"], []]


@pytest.mark.parametrize("wrapped", [False, True])
def test_lists_of_net_and_missing_items(rhino, canvas, wrapped):
    given = {"times": [0.0, 0.5, None, 1.0], "values": [0, 1, 0]}
    table = canvas.add("Nscd_GroundMotion", wrapped=wrapped, **given)
    canvas.solve()
    assert table.told == [] and table["ground"].times == [0.0, 0.5, 1.0] and table["ground"].values == [0.0, 1.0, 0.0]
