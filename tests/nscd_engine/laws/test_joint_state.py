"""State of joints and cables in motion: a snapshot is independent of later steps, and restoring it undoes them."""

import numpy as np

from detection import request_of
from nscd_engine.contacts.at_rest import detect
from nscd_engine.core.loads import Cables
from nscd_engine.core.monitor import Monitor
from nscd_engine.core.settings import Settings
from nscd_engine.core.state import rest_state
from nscd_engine.gate.structure import read_model
from nscd_engine.laws.joint_state import Joints
from solids import box


def joints_of_two_bonded_blocks():
    request = request_of([box(), box((0, 0, 1))])
    request["structure"]["law"] = {"kind": "mohr_coulomb", "friction": 0.5, "cohesion": 1e4, "tension": 1e3}
    model = read_model(request)
    one = np.ones(1)
    arm = np.array([[[0.0, 0.0, 0.5], [0.0, 0.0, 0.5]]])
    cables = Cables(np.array([[0, 1]], np.int32), arm, one, 1e6 * one, 0.0 * one, 1e3 * one)
    return model, Joints(model, detect(model, Settings(), Monitor()), cables)


def test_a_snapshot_restores_joints_and_cables():
    model, joints = joints_of_two_bonded_blocks()
    none = detect(model, Settings(), Monitor()).contacts
    before = joints.snapshot()
    state = rest_state(model)
    apart = state._replace(position=state.position + [[0.0, 0.0, 0.0], [0.0, 0.0, 0.05]])
    joints.giving[:] = True
    joints.update(none, apart, apart)
    joints.cables.keep(np.array([2e3]))
    assert joints.opened.max() > 0.04 and joints.lost.all() and joints.cables.yielding.all()
    assert not before["opened"].any() and not before["lost"].any() and not before["cables"]["yielding"].any()
    joints.restore(before)
    again = joints.snapshot()
    for key, value in before.items():
        if key != "cables":
            np.testing.assert_array_equal(again[key], value)
    for key, value in before["cables"].items():
        np.testing.assert_array_equal(again["cables"][key], value)
