"""Motions at the bounds of what can be computed, recorded and read again."""

import os

import numpy as np
import pytest

from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.client.dynamic_request import dynamic_request
from compas_nscd.drawing.history_plot import draw_history
from compas_nscd.errors import InputError, LoadError, MaterialError, SettingsError, SupportError
from compas_nscd.loads.body_acceleration import BodyAcceleration
from compas_nscd.loads.case import LoadCase
from compas_nscd.loads.ground_motion import GroundMotion
from compas_nscd.loads.point_load import PointLoad
from compas_nscd.loads.support_motion import SupportMotion
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure
from compas_nscd.templates.column import stack
from compas_nscd.templates.wall import wall
from dynamic_helpers import G, follow, structure_of
from nscd_engine.core.monitor import Monitor
from nscd_engine.laws.joint_state import Joints
from nscd_engine.loads.prescribed import Drive
from nscd_engine.motion import loop
from nscd_engine.motion import run as motion_run
from nscd_engine.motion.compiled_steps import CompiledSteps
from nscd_engine.motion.records import frames as frames_module
from nscd_engine.motion.records import record, recovery
from nscd_engine.motion.simulation import Simulation
from nscd_engine.motion.summary import Summary
from solids import box

SLAB = box((-3.0, -3.0, -1.0), (6.0, 6.0, 1.0))


def pair(density=2000.0):
    return structure_of([SLAB, box((-0.5, -0.5, 0.0))], density=density)


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("NSCD_HOME", str(tmp_path))
    return tmp_path


# -- records -----------------------------------------------------------------------------------------------------------


def test_a_record_that_another_engine_removes_meanwhile_is_passed_over(home, monkeypatch):
    folder, paths = record.folder(), record._paths
    monkeypatch.setattr(record, "_paths", lambda folder: paths(folder) + [os.path.join(folder, "gone.nscdrec")])
    assert record.folder() == folder and record.left_behind() == []


def test_forces_that_would_not_fit_are_refused_before_the_work(home, monkeypatch):
    """501 frames of a block on four contacts: 200 kB more with forces than without."""
    limit = 503 * (frames_module.FRAME_BYTES + 2 * 104 + 56)
    monkeypatch.setattr(record, "MOST_BYTES", limit)
    run = dict(duration=1.0, h=2e-3, interval=2e-3, quiet=False)
    with pytest.raises(SettingsError, match="without forces"):
        follow(pair(), LoadCase(), forces=True, **run)
    assert len(follow(pair(), LoadCase(), **run).times) == 501


def test_frames_take_no_more_room_than_foreseen(home, monkeypatch):
    """What is written stays below the bytes that the motion was admitted with, contacts at rest being all there are."""
    foreseen = []

    class Watched(record.Recorder):
        def __init__(self, name, head, frame_bytes, frames):
            super().__init__(name, head, frame_bytes, frames)
            foreseen.append((self, frame_bytes, frames))

    monkeypatch.setattr(frames_module, "Recorder", Watched)
    follow(pair(), LoadCase(), 0.2, 2e-3, interval=4e-3, forces=True, probes=[1], quiet=False)
    recorder, frame_bytes, frames = foreseen[0]
    assert 0.2 * frame_bytes * frames < recorder.bytes < frame_bytes * frames


def test_a_record_that_grows_beyond_the_limit_ends_the_motion_and_is_kept(home, monkeypatch):
    """Contacts may become more than there were at rest: here the limit falls while it runs."""
    admitted = frames_module.Frames.write

    with monkeypatch.context() as patch:

        def write(self, simulation, *arguments):
            if simulation.state.time > 0.05:
                patch.setattr(record, "MOST_BYTES", 1)
            admitted(self, simulation, *arguments)

        patch.setattr(frames_module.Frames, "write", write)
        with pytest.raises(SettingsError, match="limit of .* kept as .*Record less often") as caught:
            follow(pair(), LoadCase(), 0.5, 5e-3, interval=1e-2, forces=True, quiet=False)
    reply = recovery.recover({"record": caught.value.detail["record"]}, Monitor())
    assert reply["times"][-1] == pytest.approx(0.05) and reply["ended"] == "broken off"


# -- checkpoints -------------------------------------------------------------------------------------------------------


def test_a_damaged_checkpoint_is_refused(home):
    first = follow(pair(), LoadCase(), 0.05, 5e-3)
    whole = first.checkpoint
    assert follow(pair(), LoadCase(), 0.05, 5e-3, restart=first).times[-1] > 0.05
    for at in (0, len(whole) // 2, len(whole) - 40, len(whole) - 1):
        first.checkpoint = whole.copy()
        first.checkpoint[at] ^= 1
        with pytest.raises(InputError, match="damaged"):
            follow(pair(), LoadCase(), 0.05, 5e-3, restart=first)
    for short in (0, 7, len(whole) - 8):
        first.checkpoint = whole[:short]
        with pytest.raises(InputError, match="damaged"):
            follow(pair(), LoadCase(), 0.05, 5e-3, restart=first)
    for other in ("text", -1.5, [[]], {"a": 1}):
        first.checkpoint = other
        with pytest.raises(InputError, match="to go on with"):
            follow(pair(), LoadCase(), 0.05, 5e-3, restart=first)
    assert not record.left_behind()


def test_a_motion_goes_on_with_its_own_laws_only():
    """Slip by slip they have left their mark on what goes on."""
    first = follow(pair(), LoadCase(), 0.05, 5e-3)
    for law in (ContactLaw(friction=0.1), ContactLaw(0.6, "brittle", cohesion=1e5)):
        with pytest.raises(InputError, match="another structure"):
            follow(Structure(pair().blocks, law), LoadCase(), 0.05, 5e-3, restart=first)
    joined = pair()
    joined.pair_laws[(0, 1)] = ContactLaw(friction=0.7)
    with pytest.raises(InputError, match="another structure"):
        follow(joined, LoadCase(), 0.05, 5e-3, restart=first)


@pytest.mark.parametrize("before, after, expected", [(5e-3, 1e-3, 1e-3), ("auto", 1e-3, 1e-3), (2e-3, "auto", 5e-3)])
def test_a_motion_goes_on_with_the_step_that_is_asked_for(before, after, expected):
    first = follow(pair(), LoadCase(), 0.05, before, quiet=False)
    rest = follow(pair(), LoadCase(), 0.05, after, quiet=False, restart=first, probes=[1])
    np.testing.assert_allclose(np.diff(rest.probe_times), expected, rtol=1e-9)
    assert rest.summary["steps"] == round(0.05 / expected) and rest.summary["time_step"] == expected


# -- what is little ----------------------------------------------------------------------------------------------------


def test_a_block_alone_falls():
    alone = structure_of([box()], supports=())
    with pytest.raises(SupportError):
        follow(alone, None, 0.1, 1e-3)
    result = follow(alone, None, 0.1, 1e-3, settings=Settings(unsupported=True))
    # implicit Euler falls half a step further
    np.testing.assert_allclose(result.displacement(0)[-1], [0.0, 0.0, -0.5 * G * 0.1 * 0.101], atol=1e-12)


def test_a_table_of_gravity_may_have_one_row():
    request = dynamic_request(pair(), LoadCase(), 0.1, 1e-3, quiet=False)
    request["case"].update(gravity_times=np.zeros(1), gravity_values=np.array([[8.0, 0.0, -G]]))
    slid = motion_run.run(request, Monitor())["position"][-1, 1, 0]
    assert slid == pytest.approx(0.5 * (8.0 - 0.6 * G) * 0.1 * 0.101, rel=1e-3)


# -- what fails --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["impulses", "velocity"])
def test_a_motion_that_is_not_finite_ends_with_its_last_good_frame(monkeypatch, what):
    solve = Simulation._solve

    def broken(self, *arguments):
        impulses, report = solve(self, *arguments)
        if self.state.time > 0.023:
            {"impulses": impulses, "velocity": report.velocity}[what][:] = np.nan
        return impulses, report

    monkeypatch.setattr(Simulation, "_solve", broken)
    shaken = LoadCase(ground=[GroundMotion.sine("x", 1.0, 2.0)])  # what rests is not solved
    result = follow(pair(), shaken, 0.05, 5e-3, interval=1e-2, quiet=False)
    assert result.summary["ended"] == "not_finite" and result.summary["simulated_s"] == pytest.approx(0.025)
    np.testing.assert_allclose(result.times, [0.0, 0.01, 0.02])
    assert np.isfinite(result.position).all() and np.isfinite(result.energies).all()
    assert [warning["code"] for warning in result.warnings] == ["not_finite"]


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_what_is_not_finite_before_a_step_is_not_given_to_the_detection(monkeypatch, bad):
    """Whatever has made it so: kernels take no place that is not a number."""
    seen = []
    detect = Simulation._detect

    def watched(self, state, *arguments):
        seen.append(np.isfinite(state.position).all())
        return detect(self, state, *arguments)

    def broken(self, start, h):
        model = model_in_step(self, start, h)
        return model._replace(gravity=np.full(3, bad)) if start.time > 0.023 else model

    model_in_step = Drive.model_in_step
    monkeypatch.setattr(Drive, "model_in_step", broken)
    monkeypatch.setattr(Simulation, "_detect", watched)
    with np.errstate(all="ignore"):
        result = follow(pair(), LoadCase(), 0.05, 5e-3, interval=1e-2, quiet=False)
    assert result.summary["ended"] == "not_finite" and all(seen) and len(seen) == 5
    np.testing.assert_allclose(result.times, [0.0, 0.01, 0.02])


def test_forces_of_joints_that_are_not_finite_end_the_motion(monkeypatch):
    keep = Joints.keep

    def broken(self, posed, impulses, step):
        found = keep(self, posed, impulses, step)
        self.force[:] = np.nan
        return found

    monkeypatch.setattr(Joints, "keep", broken)
    bonded = Structure(pair().blocks, ContactLaw(0.6, "brittle", cohesion=1e5))
    result = follow(bonded, LoadCase(), 0.05, 5e-3, interval=1e-2, quiet=False)
    assert result.summary["ended"] == "not_finite" and result.times.tolist() == [0.0]


def test_compiled_steps_that_are_not_finite_end_the_motion_too(monkeypatch):
    take = CompiledSteps.take

    def broken(self, *arguments):
        steps, snapshot, contacts = take(self, *arguments)
        if snapshot.state.time > 0.03:
            snapshot.state.position[1] = np.nan
            arguments[-1].penetration[0] = np.nan  # which cannot be sent
        return steps, snapshot, contacts

    monkeypatch.setattr(CompiledSteps, "take", broken)
    case = LoadCase(ground=[GroundMotion.sine("x", 0.5 * G, 2.0)])
    result = follow(wall(4, 4), case, 0.1, 5e-3, interval=1e-2)
    assert result.summary["time"]["together_s"] > 0.0 and result.summary["ended"] == "not_finite"
    assert np.isfinite(result.position).all() and result.times[-1] < 0.05


def test_steps_beyond_the_tolerance_are_told(monkeypatch):
    """Two sweeps of nlgs a step leave a residual in every step; the worst is told with its time."""
    seen = []
    add = Summary.add

    def watched(self, done, *rest):
        seen.append((done.report.residual, done.state.time, done.report.status))
        add(self, done, *rest)

    monkeypatch.setattr(Summary, "add", watched)
    case = LoadCase(ground=[GroundMotion.sine("x", 0.5 * G, 2.0)])
    result = follow(stack(blocks=5), case, 0.1, 5e-3, settings=Settings(solver="nlgs", max_iterations=2))
    missed = [each for each in seen if each[2] != "converged"]
    worst = max(missed)
    assert result.summary["unconverged"] == len(missed) > 0
    assert (result.summary["unconverged_residual"], result.summary["unconverged_time"]) == worst[:2]
    warning = [each for each in result.warnings if each["code"] == "steps_not_converged"][0]
    assert "{} of {} steps".format(len(missed), len(seen)) in warning["message"]
    assert "{:.2g} at {:.4g} s".format(*worst[:2]) in warning["message"]


def test_an_answer_that_fails_leaves_the_record(home, monkeypatch):
    def full(*_):
        raise MemoryError

    monkeypatch.setattr(motion_run, "gather", full)
    with pytest.raises(MemoryError):
        follow(pair(), LoadCase(), 0.1, 5e-3, quiet=False)
    reply = recovery.recover({"record": record.left_behind()[0]["record"]}, Monitor())
    assert reply["times"][-1] == pytest.approx(0.1)


def test_what_ended_before_its_first_step_cannot_be_drawn(monkeypatch):
    class Impatient(Monitor):
        def report(self, phase, fraction=None):
            self.cancelled = phase.startswith("moving")
            super().report(phase, fraction)

    monkeypatch.setattr(loop, "REPORT_S", -1.0)
    result = follow(pair(), LoadCase(), 0.1, 5e-3, probes=[1], monitor=Impatient())
    assert result.summary["ended"] == "cancelled" and result.summary["steps"] == 0
    with pytest.raises(InputError, match="before its first step"):
        draw_history(result)


# -- numbers beyond reason ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "case, text",
    [
        (LoadCase(gravity=(0.0, 0.0, -1e300)), "Gravity is beyond 1e.06 m/s2"),
        (LoadCase(velocities={1: ((1e308, 0.0, 0.0), (0.0, 1e308, 0.0))}), "velocity at the beginning"),
        (LoadCase(ground=[GroundMotion.rectangular("x", 1e300, 1.0)]), "of a support is beyond"),
        (LoadCase(support_motions=[SupportMotion(0, (1e12, 0.0, 0.0), 1e7)]), "displacement of a support"),
        (LoadCase(accelerations=[BodyAcceleration("x", [0.0, 1.0], [0.0, 1e300])]), "acceleration of all"),
        (LoadCase(loads=[PointLoad(1, (0.0, 0.0, 0.5), (1e19, 0.0, 0.0))]), "A load is beyond"),
    ],
)
def test_numbers_beyond_reason_are_refused_by_the_gate(case, text):
    with pytest.raises(LoadError, match=text + ".*units"):
        follow(pair(), case, 0.05, 5e-3)


def test_a_density_beyond_reason_is_refused():
    with pytest.raises(MaterialError, match="density of a block is beyond"):
        follow(pair(1e300), LoadCase(), 0.05, 5e-3)


def test_a_factor_beyond_reason_is_refused():
    """It multiplies a force that may pass."""
    load = PointLoad(1, (0.0, 0.0, 0.5), (1e6, 0.0, 0.0), history=([0.0, 0.02, 0.03], [0.0, 0.0, 1e13]))
    with pytest.raises(LoadError, match="A factor is beyond 1e.12 of its load"):
        follow(pair(), LoadCase(loads=[load]), 0.05, 5e-3)


def test_the_bounds_themselves_can_be_computed():
    result = follow(pair(), LoadCase(gravity=(0.0, 0.0, -1e6)), 0.02, 5e-3)
    assert result.verdict == "stable" and np.isfinite(result.position).all()


# -- progress ----------------------------------------------------------------------------------------------------------


def test_the_end_is_not_foretold_from_the_first_step(monkeypatch):
    said = []

    class Listening(Monitor):
        def report(self, phase, fraction=None):
            said.append(phase)
            super().report(phase, fraction)

    monkeypatch.setattr(loop, "REPORT_S", -1.0)
    follow(pair(), LoadCase(), 0.05, 5e-3, monitor=Listening())
    moving = [text for text in said if text.startswith("moving")]
    foretold = ["left" in text for text in moving]
    assert foretold[:3] == [False, False, True] and all(foretold[2:])  # one report before every step


def test_a_motion_that_goes_forward_does_not_say_that_it_compiles(monkeypatch):
    said = []

    class Listening(Monitor):
        def report(self, phase, fraction=None):
            super().report(phase, fraction)
            said.append(self.phase)

    monkeypatch.setattr(loop, "REPORT_S", -1.0)
    follow(pair(), LoadCase(), 0.05, 5e-3, monitor=Listening(compiling=True))
    assert said[0].startswith("compiling") and not any(text.startswith("compiling") for text in said[-5:])
