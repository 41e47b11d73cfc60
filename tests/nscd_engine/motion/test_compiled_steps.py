"""Compiled steps are the steps of `Simulation.advance`."""

import numpy as np
import pytest

from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.loads.case import LoadCase
from compas_nscd.loads.ground_motion import GroundMotion
from compas_nscd.loads.point_load import PointLoad
from compas_nscd.loads.support_motion import SupportMotion
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure
from compas_nscd.templates import arch
from dynamic_helpers import follow, structure_of
from nscd_engine.core import later
from nscd_engine.kernels.motion import compiled_steps as kernel
from nscd_engine.motion import loop
from nscd_engine.solvers import step_solver
from solids import box

SHAKEN = LoadCase(ground=[GroundMotion.sine("x", 0.5 * 9.81, 2.0)])
SHAKEN_DOWN = LoadCase(ground=[GroundMotion.sine("x", 9.81, 1.5)])


@pytest.fixture
def reasons(monkeypatch):
    """Number of steps of every compiled call, and why it returned, in a list."""
    found, take_steps = [], kernel.take_steps

    def noted(*arguments):
        answer = take_steps(*arguments)
        found.append((answer[0], answer[1]))
        return answer

    noted.py_func = take_steps.py_func
    monkeypatch.setattr(kernel, "take_steps", noted)
    return found


@pytest.mark.short
def test_compiled_steps_go_where_single_steps_go(monkeypatch, reasons):
    """To the tolerance of the solvers, Newton's method and ADMM, which a rocking arch lets grow for 0.1 s only; frames,
    probes and counts as well."""
    marched = follow(arch(friction=0.4), SHAKEN, 0.1, 1e-3, probes=[3, 7], forces=True)
    assert sum(steps for steps, _ in reasons) > 50
    monkeypatch.setattr(loop, "suits", lambda *_: False)
    single = follow(arch(friction=0.4), SHAKEN, 0.1, 1e-3, probes=[3, 7], forces=True)
    np.testing.assert_allclose(marched.position, single.position, atol=1e-9)
    np.testing.assert_allclose(marched.energies, single.energies, rtol=1e-6, atol=1e-6)
    np.testing.assert_array_equal(marched.probe_times, single.probe_times)
    np.testing.assert_allclose(marched.probe_displacement, single.probe_displacement, atol=1e-9)
    for key in ("steps", "iterations_max", "contacts_max", "verdict"):
        assert marched.summary[key] == single.summary[key]
    assert marched.summary["penetration_max"] == pytest.approx(single.summary["penetration_max"], abs=1e-9)


@pytest.mark.short
def test_compiled_and_single_steps_have_the_same_bits(monkeypatch, reasons):
    """The step is written twice, in `Simulation.advance` and in kernels/motion/compiled_steps. Where ADMM takes all
    steps of both, one motion by either has the same bits; the energies, summed in another order, the same 14 digits."""
    monkeypatch.setattr(step_solver, "by_newton", lambda *_: None)
    compiled = follow(arch(friction=0.4), SHAKEN_DOWN, 0.6, 4e-3, interval=0.02, probes=[3, 7], forces=True)
    assert sum(steps for steps, _ in reasons) > 100
    reasons.clear()
    monkeypatch.setattr(loop, "suits", lambda *_: False)
    single = follow(arch(friction=0.4), SHAKEN_DOWN, 0.6, 4e-3, interval=0.02, probes=[3, 7], forces=True)
    assert not reasons and np.abs(single.velocity).max() > 1.0
    for key in ("times", "position", "orientation", "velocity", "ground", "probe_displacement", "contact_force"):
        assert getattr(compiled, key).tobytes() == getattr(single, key).tobytes(), key
    rounding = 1e-14 * np.abs(single.energies).max()
    np.testing.assert_allclose(compiled.energies, single.energies, rtol=0.0, atol=rounding)
    for key in ("steps", "iterations_mean", "iterations_max", "contacts_max", "penetration_max", "max_displacement"):
        assert compiled.summary[key] == single.summary[key], key


@pytest.mark.short
def test_steps_whose_kernel_is_not_compiled_yet_have_the_same_bits(monkeypatch, reasons):
    """While another process compiles it, Python takes the steps, which may be the first ones only."""
    ends = []
    for awaited in ((), ("compiled_steps.take_steps",)):
        monkeypatch.setattr(later, "awaited", set(awaited))
        ends.append(follow(arch(friction=0.4), SHAKEN_DOWN, 0.6, 4e-3, interval=0.02, probes=[3, 7], forces=True))
        reasons.append(len(ends))
    assert reasons[-2:] == [1, 2] and sum(steps for steps, _ in reasons[:-2]) > 100  # none by the kernel in the second
    for key in ("times", "position", "orientation", "velocity", "probe_displacement", "contact_force"):
        assert getattr(ends[0], key).tobytes() == getattr(ends[1], key).tobytes(), key
    rounding = 1e-14 * np.abs(ends[0].energies).max()  # they are summed in another order
    np.testing.assert_allclose(ends[1].energies, ends[0].energies, rtol=0.0, atol=rounding)


def test_the_number_of_steps_in_a_call_does_not_show(monkeypatch, reasons):
    """It depends on the speed of the machine and the interval of the frames. Falling blocks lose contacts, and at times
    there are too few for ADMM alone."""
    ends = []
    for report, interval in ((10.0, 1.6), (10.0, 0.2), (0.0, 0.2)):
        monkeypatch.setattr(loop, "REPORT_S", report)
        result = follow(arch(friction=0.4), SHAKEN_DOWN, 1.6, 4e-3, interval=interval)
        ends.append([part[-1].tobytes() for part in (result.position, result.velocity, result.energies)])
        assert {kernel.DONE, kernel.NEWTON} <= {why for _, why in reasons}
        assert max(steps for steps, _ in reasons) == 1 if report == 0.0 else max(steps for steps, _ in reasons) > 10
        reasons.clear()
    assert ends[0] == ends[1] == ends[2]


def test_a_collapse_needs_all_that_compiled_steps_cannot_do(reasons):
    """Blocks leave their boxes and meet others; a restart in the middle of it gives the same bits."""
    whole = follow(arch(friction=0.4), SHAKEN_DOWN, 1.6, 4e-3, interval=0.2, probes=[7])
    at = np.searchsorted(whole.probe_times, whole.times[1:] - 1e-9)
    np.testing.assert_array_equal(whole.probe_displacement[at, 0], whole.position[1:, 7] - whole.centroid[7])
    assert np.abs(np.diff(whole.probe_displacement[:, 0], axis=0)).max() < 0.1  # no leaps: 10 m/s in a step is 4 cm
    assert {kernel.DONE, kernel.BOXES, kernel.GRAPH} <= {why for _, why in reasons}
    assert whole.summary["verdict"] == "collapse"
    first = follow(arch(friction=0.4), SHAKEN_DOWN, 0.8, 4e-3, interval=0.2)
    rest = follow(arch(friction=0.4), SHAKEN_DOWN, 0.8, 4e-3, interval=0.2, restart=first)
    assert rest.position[-1].tobytes() == whole.position[-1].tobytes()
    assert rest.energies[-1].tobytes() == whole.energies[-1].tobytes()


def cube(**law):
    """A block that slips on a slab."""
    structure = structure_of([box((-3.0, -3.0, -1.0), (6.0, 6.0, 1.0)), box()])
    return Structure(structure.blocks, ContactLaw(friction=0.1, **law))


@pytest.mark.parametrize(
    "options, case, law",
    [
        ({"restitution": 0.5}, SHAKEN, {}),
        ({"theta": 0.5}, SHAKEN, {}),
        ({"level": "velocity"}, SHAKEN, {}),
        ({"kinetic": 0.5}, SHAKEN, {}),
        ({"settings": Settings(solver="nlgs")}, SHAKEN, {}),
        ({}, SHAKEN, {"restitution": 0.5}),
        ({}, SHAKEN, {"kinetic": 0.05}),
        ({}, LoadCase(support_motions=[SupportMotion(0, (0.2, 0.0, 0.0), 0.3, rotation=(0.0, 0.1, 0.0))]), {}),
        ({}, LoadCase(loads=[PointLoad(1, (0.0, 0.0, 1.0), (5e3, 0.0, 0.0))]), {}),
    ],
)
def test_what_compiled_steps_cannot_do_is_done_by_single_ones(monkeypatch, reasons, options, case, law):
    monkeypatch.setattr(step_solver, "by_newton", lambda *_: None)  # ADMM takes all steps
    follow(cube(), SHAKEN, 0.1, 5e-3)
    assert reasons
    reasons.clear()
    follow(cube(**law), case, 0.1, 5e-3, **options)
    assert not reasons
