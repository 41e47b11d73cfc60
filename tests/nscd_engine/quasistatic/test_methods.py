"""Methods agree; loads in stages; springs; second order; invariances; refusals."""

import numpy as np
import pytest

from compas_nscd import Block, ContactBond, ContactLaw, ContactStiffness, LoadCase, Settings, Structure, SupportMotion
from compas_nscd.errors import IsolatedBlockError, MaterialError, SettingsError, SupportError
from compas_nscd.templates import arch
from compas_nscd.templates.packing import biaxial, guides
from springs import STIFFNESS, WEIGHTLESS, analysed, pushed, spheres, tower

SOFT = ContactStiffness(2e7, 8e6)


@pytest.mark.parametrize("order", ["greedy", "random"])
def test_kishino_agrees_with_bagi_and_bojtar(order):
    structure = tower(3)
    case = pushed("b3", (0.0, 0.0, 4.0), (2e3, 0.0, 0.0))
    newton = analysed(structure, case, tolerance=1e-9)
    relaxed = analysed(structure, case, "kishino", tolerance=1e-9, order=order, settings=Settings(seed=2))
    assert relaxed.summary["iterations"] > newton.summary["iterations"]
    assert np.abs(relaxed.displacement - newton.displacement).max() < 1e-6 * np.abs(newton.displacement).max()


def test_serrano_pulls_where_others_open():
    case = pushed("b1", (0.0, 0.0, 2.0), (0.0, 0.0, 1e5))
    assert analysed(tower(1), case, "serrano").verdict == "balance"
    assert analysed(tower(1), case, "bagi_bojtar", halvings=1).verdict == "mechanism"


def test_stages_and_halving_reach_the_load_at_which_it_tips():
    case = pushed("b1", (0.0, 0.0, 2.0), (2000.0 * 9.81, 0.0, 0.0))
    result = analysed(tower(1, friction=3.0), case, stages=["gravity", "loads"], steps=[1, 4])
    assert result.verdict == "mechanism" and result.summary["failures"] == 8
    assert result.summary["factor"] == pytest.approx(0.5, abs=0.25 * 0.5**8 * 1.01)
    displacement, load = result.curve("b1", "x")
    assert len(load) == 1 + result.summary["steps"] and (np.diff(load) > 0.0).all() and displacement[-1] > 0.0


def test_supports_move():
    structure = spheres(2)
    case = LoadCase(gravity=WEIGHTLESS, support_motions=[SupportMotion(0, (1e-3, 0.0, 0.0), 1.0)])
    result = analysed(structure, case, bond=ContactBond(), stiffness=ContactStiffness(1e6, 1e6, 1e6, 1e6))
    np.testing.assert_allclose(result.displacement[:, 0], 1e-3, rtol=1e-9)
    assert np.abs(result.contact_vector).max() < 1e-6


def test_springs_hold_a_support():
    """The support of a tower on a spring: it sinks by the weight of all cubes over its stiffness."""
    springs = {"b0": (1e8, 1e8, 1e8, 1e8, 1e8, 1e8)}
    result = analysed(tower(2), springs=springs)
    assert result.displacement[0, 2] == pytest.approx(-3.0 * 2000.0 * 9.81 / 1e8, rel=1e-6)


def test_second_order_amplifies_the_lean_of_a_tower():
    """A rigid cube on a bonded joint, pushed at its centre: the moment of its weight adds to kbend."""
    case = pushed("b1", (0.0, 0.0, 1.5), (100.0, 0.0, 0.0))
    weight, bend = 2000.0 * 9.81, 5e4
    options = {"stiffness": ContactStiffness(1e9, 1e9, 1e9, bend), "bond": ContactBond(), "tolerance": 1e-9}
    first = analysed(tower(1), case, **options).displacement[1, 4]
    second = analysed(tower(1), case, second_order=True, **options).displacement[1, 4]
    assert first == pytest.approx(50.0 / bend, rel=1e-5)
    assert second == pytest.approx(50.0 / (bend - 0.5 * weight), rel=2e-3)


def test_turned_and_moved_structures_have_the_same_answer():
    angle, shift = 0.7, np.array([30.0, -20.0, 5.0])
    turn = np.array([[np.cos(angle), -np.sin(angle), 0.0], [np.sin(angle), np.cos(angle), 0.0], [0.0, 0.0, 1.0]])
    here = arch(blocks=9)
    blocks = [
        Block(block.vertices @ turn.T + shift, block.faces, block.density, block.name, block.support)
        for block in here.blocks
    ]
    there = Structure(blocks, here.law, "turned")
    force = np.array([3e3, 1e3, -5e4])
    point = here.blocks[3].vertices.mean(axis=0)
    first = analysed(here, pushed(3, point, force), stiffness=SOFT)
    second = analysed(there, pushed(3, turn @ point + shift, turn @ force), stiffness=SOFT)
    assert first.verdict == second.verdict == "balance"
    np.testing.assert_allclose(second.displacement[:, :3], first.displacement[:, :3] @ turn.T, atol=1e-9)
    np.testing.assert_allclose(second.contact_vector[:, 0], first.contact_vector[:, 0], rtol=1e-6)


def test_stiffer_contacts_scale_displacements():
    soft = analysed(tower(3), stiffness=ContactStiffness(1e8, 4e7))
    hard = analysed(tower(3), stiffness=ContactStiffness(1e9, 4e8))
    np.testing.assert_allclose(soft.displacement, 10.0 * hard.displacement, atol=1e-9)


@pytest.mark.parametrize("normal", [0.0, -1.0, float("nan"), float("inf"), None, "stiff"])
def test_stiffness_that_is_none(normal):
    with pytest.raises(MaterialError, match="stiffness"):
        ContactStiffness(normal, 1.0)


def test_the_gate_refuses_what_the_client_would():
    from compas_nscd.client.quasistatic_request import QuasistaticRequest
    from nscd_engine.core.monitor import Monitor
    from nscd_engine.quasistatic.run import run

    body = QuasistaticRequest(tower(1), stiffness=STIFFNESS).body
    for value in (0.0, -1.0, float("nan"), None):
        bad = dict(body, quasistatic=dict(body["quasistatic"], stiffness={"normal": value, "tangential": 1.0}))
        with pytest.raises(MaterialError, match="normal stiffness"):
            run(bad, Monitor())
    bad = dict(body, quasistatic=dict(body["quasistatic"], method="newton"))
    with pytest.raises(SettingsError, match="serrano"):
        run(bad, Monitor())


def test_refusals():
    with pytest.raises(MaterialError, match="needs the stiffness"):
        analysed(tower(1), stiffness=None)
    with pytest.raises(SettingsError, match="method"):
        analysed(tower(1), method="newton")
    with pytest.raises(SettingsError, match="one step"):
        analysed(tower(1), method="serrano", steps=2)
    with pytest.raises(SettingsError, match="Unknown option"):
        analysed(tower(1), stages=["gravity"], colour=1)
    with pytest.raises(SettingsError, match="stage"):
        analysed(tower(1), stages=["wind"])
    with pytest.raises(SettingsError, match="two stages"):
        analysed(tower(1), stages=["gravity", "gravity+loads"])
    loose = [Block.sphere((3.0 * k, 0.0, 0.0), 0.5, 1000.0, "s{}".format(k), k == 0) for k in range(2)]
    with pytest.raises(IsolatedBlockError, match="touch nothing") as caught:
        analysed(Structure(loose, ContactLaw(0.5), "loose"))
    assert caught.value.blocks == ["s1"]
    free = Structure([Block.sphere((float(k), 0.0, 0.0), 0.5, 1000.0) for k in range(2)], ContactLaw(0.5), "free")
    with pytest.raises(SupportError, match="No block is a support"):
        analysed(free)


def test_increments_begin_with_the_motion_of_the_last_one():
    case = pushed(4, (4.0, 0.0, 0.0), (0.0, 0.0, 100.0), WEIGHTLESS)
    linear = {"stiffness": ContactStiffness(1e6, 1e6, 1e6, 1e6), "bond": ContactBond()}
    result = analysed(spheres(4), case, steps=5, **linear)
    assert result.history_iterations[0] > 0 and not result.history_iterations[1:].any()
    at_once = analysed(spheres(4), case, **linear)
    np.testing.assert_allclose(result.displacement, at_once.displacement, rtol=1e-6, atol=1e-12)


def test_a_random_packing_is_loaded_at_once():
    """From the unloaded state Newton's method fails here, until friction is bounded first."""
    sample = biaxial(40, "random", pressure=1e4, seed=1)
    stiffness = ContactStiffness(1e7, 5e6)
    result = analysed(sample, stiffness=stiffness, springs=guides(sample, 1e7), tolerance=1e-4, halvings=0)
    assert result.verdict == "balance" and result.summary["error_max"] <= 1e-4
    shear = np.linalg.norm(result.contact_vector[:, 1:3], axis=1)
    assert (shear <= -0.5 * result.contact_vector[:, 0] + 1e-6).all()
