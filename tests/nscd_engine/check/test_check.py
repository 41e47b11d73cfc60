"""The geometry report lists everything that is not plain, and refuses nothing that can be reported."""

import pytest

from compas_nscd import wire
from compas_nscd.errors import CancelledError
from detection import request_of
from nscd_engine.check.run import run
from nscd_engine.core.monitor import Monitor
from solids import box, prism

L_OUTLINE = [(0, 0), (3, 0), (3, 1), (1, 1), (1, 2), (0, 2)]


def check(solids, supports=(0,), **settings):
    reply = run(request_of(solids, supports, **settings), Monitor())
    return wire.unpack(wire.pack(reply))


@pytest.mark.short
def test_a_sound_structure_has_empty_lists():
    reply = check([box(), box((0, 0, 1)), box((0, 0, 2))])
    assert (reply["blocks"], reply["free_blocks"], reply["interfaces"], reply["contacts"]) == (3, 2, 2, 8)
    assert reply["area"] == pytest.approx(2.0)
    for key in ("overlapping", "isolated", "gaps", "several", "slivers", "edges", "corners", "warnings"):
        assert reply[key] == []
    assert reply["interface_area"].shape == (2,) and reply["polygon"].shape == (8, 3)


def test_everything_odd_is_listed():
    solids = [
        prism(L_OUTLINE, 1.0),
        box((1, 1, 0)),  # in the notch: two interfaces
        box((0, -1, 1e-3), (1, 1, 1)),
        box((0, -1, 1.0015)),  # 0.5 mm above the one below it
        box((2, 1.9, 0)),  # shares volume with nobody, and touches the cube in the notch by 0.1 m
        box((9, 9, 9)),  # alone
        box((0, 0.5, 0.5), (0.5, 0.5, 1)),  # sunk into the L
        box((0, -1.0, 2.0015), (1, 1e-3, 1)),
        box((3, 0, -1), (1, 1, 1)),  # edge to edge with the L
    ]
    reply = check(solids)
    assert reply["several"] == [["0", "1", 2]]
    assert reply["isolated"] == ["5"]
    assert [entry[:2] for entry in reply["overlapping"]] == [["0", "6"]]
    assert reply["overlapping"][0][2] > 0.2
    assert ["2", "3", pytest.approx(5e-4)] in reply["gaps"]
    assert ["0", "8", 2] in reply["edges"]


def test_sliver_is_listed_with_its_area():
    reply = check([box(), box((1, 0, 0)), box((1e-4, 0, 1)), box((1.0001, 0, 1))])
    assert reply["slivers"] == [["1", "2", pytest.approx(1e-4, rel=1e-6), False]]


def test_corner_to_corner_is_listed():
    reply = check([box((x, 0, z)) for x in (0, 1) for z in (0, 1)])
    assert reply["corners"] == [["0", "3"], ["1", "2"]]


@pytest.mark.parametrize("shift", [(1, 0, 1), (1, 1, 1)])
def test_corner_on_corner_that_carries_is_warned_of(shift):
    """Nobody is between the two: they carry each other, in a direction that is a choice."""
    reply = check([box(), box(shift)])
    assert reply["corners"] == [] and len(reply["edges"]) == 1
    (warning,) = [w for w in reply["warnings"] if w["code"] == "corner_on_corner"]
    assert warning["blocks"] == ["0", "1"]


def test_no_blocks_touch_at_all():
    reply = check([box(), box((5, 0, 0)), box((9, 0, 0))])
    assert reply["isolated"] == ["1", "2"] and reply["interfaces"] == 0 and reply["polygon"].shape == (0, 3)


def test_cancelled():
    monitor = Monitor()
    monitor.cancelled = True
    with pytest.raises(CancelledError):
        run(request_of([box()]), monitor)
