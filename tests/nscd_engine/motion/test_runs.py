"""A run as a whole: same bits on repeat and restart, cancel, early end, records, verdicts, refusals."""

import json

import compas
import numpy as np
import pytest

from compas_nscd.cli import main
from compas_nscd.client.dynamic_request import dynamic_request
from compas_nscd.client.engine import Engine
from compas_nscd.drawing.history_plot import draw_history
from compas_nscd.errors import InputError, LoadError, SettingsError
from compas_nscd.loads.body_acceleration import BodyAcceleration
from compas_nscd.loads.case import LoadCase
from compas_nscd.loads.ground_motion import GroundMotion
from compas_nscd.loads.support_motion import SupportMotion
from compas_nscd.model.settings import Settings
from compas_nscd.results.dynamic import DynamicResult
from compas_nscd.templates import arch
from dynamic_helpers import balance, follow, structure_of
from nscd_engine.core import threads
from nscd_engine.core.monitor import Monitor
from nscd_engine.linalg import symbolic
from solids import box

SLAB = box((-3.0, -3.0, -1.0), (6.0, 6.0, 1.0))
KEYS = set(
    "analysis scene verdict solver blocks free_blocks steps iterations_mean iterations_max contacts_max "
    "max_displacement penetration_max time".split()
)
TIMES = {"detect_s", "solve_s", "together_s", "total_s", "per_step_ms", "real_time_factor"}


def tower():
    """Five blocks, each a little off the one below."""
    return structure_of([SLAB] + [box((-0.5 + 0.02 * k, -0.5, 1.0 * k)) for k in range(4)], mu=0.5, name="tower")


def shaken(pga=0.25, **options):
    return LoadCase(ground=[GroundMotion.sine("x", pga * 9.81, 2.0, **options)])


def bits(result):
    return result.position.tobytes() + result.velocity.tobytes() + result.energies.tobytes()


@pytest.mark.short
def test_same_bits_on_repeat_and_for_any_number_of_threads(monkeypatch):
    """Of a column whose factor is divided among threads, though it is small."""
    monkeypatch.setattr(symbolic, "WORTH_THREADS", 0.0)
    monkeypatch.setattr(threads, "CORES", 4)
    column = structure_of([SLAB] + [box((-0.5 + 0.02 * k, -0.5, 1.0 * k)) for k in range(20)], mu=0.3)
    runs = [follow(column, shaken(0.5), 0.1, 5e-3, settings=Settings(threads=n)) for n in (1, 1, 2, 3)]
    assert bits(runs[0]) == bits(runs[1]) == bits(runs[2]) == bits(runs[3])


@pytest.mark.short
def test_a_restart_gives_the_same_bits_as_one_run():
    """0.2 s and 0.2 s more; times are sums of the same steps."""
    whole = follow(tower(), shaken(), 0.4, 5e-3, interval=0.1)
    first = follow(tower(), shaken(), 0.2, 5e-3, interval=0.1)
    rest = follow(tower(), shaken(), 0.2, 5e-3, interval=0.1, restart=first)
    assert rest.times[0] == pytest.approx(0.2) and rest.times[-1] == pytest.approx(0.4)
    np.testing.assert_array_equal(rest.position[-1], whole.position[-1])
    np.testing.assert_array_equal(rest.velocity[-1], whole.velocity[-1])
    np.testing.assert_array_equal(rest.energies[-1], whole.energies[-1])


@pytest.mark.parametrize("h", [5e-3, "auto"])
def test_a_restart_gives_the_same_bits_while_joints_slide_and_hit(h):
    """Steps that vary meet the multiples of the one that was asked for."""
    case = LoadCase(ground=[GroundMotion.sine("x", 0.5 * 9.81, 2.0)])
    whole = follow(arch(friction=0.4), case, 0.3, h, interval=0.05)
    first = follow(arch(friction=0.4), case, 0.15, h, interval=0.05)
    rest = follow(arch(friction=0.4), case, 0.15, h, interval=0.05, restart=first)
    assert whole.summary["steps"] == first.summary["steps"] + rest.summary["steps"]
    np.testing.assert_array_equal(rest.position[-1], whole.position[-1])
    np.testing.assert_array_equal(rest.velocity[-1], whole.velocity[-1])


def test_a_restart_with_another_structure_is_refused():
    first = follow(tower(), shaken(), 0.02, 5e-3)
    with pytest.raises(InputError, match="another structure"):
        follow(structure_of([SLAB, box()]), None, 0.02, 5e-3, restart=first)


def test_what_is_at_rest_ends_early_and_stands():
    result = follow(tower(), LoadCase(), 5.0, 5e-3)
    assert result.verdict == "stable" and result.summary["ended"] == "rest"
    assert result.summary["simulated_s"] < 1.0 and result.summary["max_displacement"] < 1e-6


def test_collapse_is_told_with_when_and_who():
    """A block that overhangs by more than half tips at once; the others stay."""
    loose = structure_of([SLAB, box((-0.5, -0.5, 0.0)), box((0.2, -0.5, 1.0))], mu=0.6)
    result = follow(loose, LoadCase(), 1.0, 5e-3, quiet=False)
    assert result.verdict == "collapse" and result.first_to_move(1) == ["2"]
    # The centre is 0.2 m beyond the edge: 5 % of the size, with its turn, is reached within half a second.
    assert 0.05 < result.summary["collapse_time"] < 0.5


@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_shaking_harder_than_friction_moves_blocks_and_accounts_for_energy(axis):
    case = LoadCase(ground=[GroundMotion.sine(axis, 6.0, 2.0)])
    result = follow(tower(), case, 0.5, 2.5e-3, probes=[4])
    if axis == "z":  # 0.6 g lifts nothing
        assert result.summary["max_displacement"] < 1e-6
    else:
        assert result.summary["max_displacement"] > 0.05
    assert np.abs(balance(result)).max() < 1e-4
    times, way = result.probe(4)
    assert len(times) == result.summary["steps"] and np.isfinite(way).all()


def test_a_run_cancelled_in_the_middle_gives_what_there_is():
    class Impatient(Monitor):
        calls = 0

        def report(self, phase, fraction=None):
            self.calls += phase.startswith("moving")
            self.cancelled = self.calls > 6
            super().report(phase, fraction)

    result = follow(tower(), shaken(), 100.0, 1e-3, monitor=Impatient())
    assert result.summary["ended"] == "cancelled" and 0.0 < result.summary["simulated_s"] < 100.0
    assert len(result.times) > 1 and result.times[-1] == result.summary["simulated_s"]


def test_a_job_that_is_cancelled_offers_its_part():
    with Engine() as engine:
        job = engine.dynamic(tower(), shaken(), duration=500.0, time_step=1e-3)
        while not (job.progress["fraction"] or 0.0) > 0.0:
            assert not job.done
        job.cancel()
        result = job.result(timeout=60.0)
    assert result.summary["ended"] == "cancelled" and 0.0 < result.summary["simulated_s"] < 500.0
    assert job.state == "cancelled"


def test_probes_forces_and_frames_between():
    h = 5e-3
    result = follow(tower(), shaken(), 0.3, h, probes=["4"], forces=True, interval=h)
    body, point, force = result.contact_forces(result.times[-1])
    total = np.zeros((5, 3))
    np.add.at(total, body[:, 1], force)
    np.add.at(total, body[:, 0], -force)
    # What acts on a block during the last step is what its momentum changed by, and the contacts lie on the blocks.
    changed = result.mass[1:, None] * (np.diff(result.velocity[-2:, 1:, :3], axis=0)[0] / h + [0.0, 0.0, 9.81])
    np.testing.assert_allclose(total[1:], changed, atol=1e-6 * 9.81 * result.mass[1])
    assert np.abs(changed[:, 0]).max() > 0.01 * 9.81 * result.mass[1]
    assert (np.abs(point[:, 1]) < 0.5 + 1e-3).all() and len(point) == len(force)
    meshes = result.meshes(at=0.15)
    assert len(meshes) == 5
    volume = [mesh.volume() for mesh in meshes[1:]]
    assert np.allclose(volume, 1.0)
    with pytest.raises(InputError, match="recorded from"):
        result.pose(9.0)
    svg = draw_history(result)
    assert svg.startswith("<svg") and "ground" in svg and "block 4" in svg


@pytest.mark.short
@pytest.mark.parametrize("suffix", ["npz", "json"])
def test_saved_and_read_it_is_equal(tmp_path, suffix):
    result = follow(tower(), shaken(), 0.1, 5e-3, probes=[1], forces=True)
    path = tmp_path / ("motion." + suffix)
    result.save(path)
    again = DynamicResult.load(path)
    assert again == result and bits(again) == bits(result)
    assert compas.json_loads(compas.json_dumps(result)) == result


def test_automatic_step_reaches_the_end():
    result = follow(tower(), shaken(0.5), 0.5, "auto")
    assert result.summary["simulated_s"] == pytest.approx(0.5, abs=1e-9) and result.summary["steps"] >= 100


def test_automatic_step_is_halved_where_blocks_overlap_and_grows_back():
    """A block falls 10 cm and is stopped after contact, 7 mm deep: from 5 ms down to a 64th of it, and up again when
    the overlap has been pushed out."""
    drop = structure_of([SLAB, box((-0.5, -0.5, 0.1))], mu=0.5)
    result = follow(drop, LoadCase(), 0.5, "auto", level="velocity", quiet=False, probes=[1])
    steps = np.diff(result.probe_times)
    assert steps[0] == pytest.approx(5e-3) and steps[-1] == pytest.approx(5e-3)
    assert steps.min() == pytest.approx(5e-3 / 64.0) and result.probe_times[-1] == pytest.approx(0.5, abs=1e-9)
    again = follow(drop, LoadCase(), 0.5, 5e-3, level="velocity", quiet=False)
    assert again.summary["steps"] == 100 < result.summary["steps"]


def test_velocity_level_and_associated_friction_are_there():
    """A block dropped from 1 mm: stopped after contact it is deeper than stopped before it; both come to rest."""
    drop = structure_of([SLAB, box((-0.5, -0.5, 1e-3))], mu=0.5)
    before = follow(drop, LoadCase(), 0.2, 5e-3)
    after = follow(drop, LoadCase(), 0.2, 5e-3, level="velocity", friction="associated")
    assert before.summary["penetration_max"] < 1e-6 < after.summary["penetration_max"] < 1e-3


def test_gravity_ramp_and_body_acceleration():
    """A ramp of 0.2 s ends at the weight; a body acceleration of 0.7 g slides what friction of 0.5 holds no more."""
    case = LoadCase(gravity_ramp=0.2)
    result = follow(tower(), case, 0.5, 5e-3, forces=True, quiet=False)
    body, _, force = result.contact_forces(0.5)
    assert force[(body == 0).any(axis=1), 2].sum() == pytest.approx(9.81 * result.mass[1:].sum(), rel=1e-6)
    pushed = LoadCase(accelerations=[BodyAcceleration("x", [0.0, 1.0], [0.7 * 9.81, 0.7 * 9.81])])
    block = structure_of([SLAB, box((-0.5, -0.5, 0.0), (1.0, 1.0, 0.3))], mu=0.5)
    slid = follow(block, pushed, 0.4, 2e-3, quiet=False).displacement(1)[-1, 0]
    assert slid == pytest.approx(0.5 * 0.2 * 9.81 * 0.4 * (0.4 + 2e-3), rel=1e-3)  # implicit Euler: a h t / 2 more


def test_a_wave_reaches_supports_one_after_the_other():
    """Two supports 4 m apart, a wave of 20 m/s: the second starts 0.2 s later."""
    two = structure_of([box(), box((4.0, 0.0, 0.0)), box((0.0, 0.0, 1.0))], supports=(0, 1))
    case = LoadCase(ground=[GroundMotion.half_sine("y", 1.0, 0.1, speed=20.0, travel="x")])
    result = follow(two, case, 0.5, 5e-3, interval=5e-3, quiet=False)
    starts = [result.times[np.argmax(np.abs(result.displacement(k, relative=False)[:, 1]) > 1e-5)] for k in (0, 1)]
    assert starts[1] - starts[0] == pytest.approx(0.2, abs=5.1e-3)


@pytest.mark.short
@pytest.mark.parametrize(
    "make, error, word",
    [
        (lambda s: dynamic_request(s, LoadCase(), 1.0, 0.0), SettingsError, "time step"),
        (lambda s: dynamic_request(s, LoadCase(), -1.0, 1e-3), SettingsError, "duration"),
        (lambda s: dynamic_request(s, LoadCase(), 1.0, 1e-3, colour=1), SettingsError, "colour"),
        (lambda s: dynamic_request(s, LoadCase(), 1.0, 1e-3, theta=2.0), SettingsError, "theta"),
        (lambda s: dynamic_request(s, LoadCase(), 1.0, float("nan")), SettingsError, "time step"),
        (lambda s: dynamic_request(s, LoadCase(), 1.0, 100.0), SettingsError, "at most 10 s"),
        (lambda s: dynamic_request(s, LoadCase(), 1.0, 1e-3, restitution=1.5), SettingsError, "restitution"),
        (lambda s: dynamic_request(s, LoadCase(), 1.0, 1e-3, kinetic=1.5), SettingsError, "kinetic"),
        (lambda s: dynamic_request(s, LoadCase(), 1.0, 1e-3, interval=0.0), SettingsError, "seconds above 0"),
        (lambda s: follow(s, LoadCase(), 4000.0, 1e-3, interval=1e-3), SettingsError, "Record less often"),
        (lambda s: dynamic_request(s, LoadCase(), 1.0, 1e-3, settings="fast"), InputError, "Settings"),
        (lambda s: dynamic_request(s, LoadCase(), 1.0, 1e-3, restart="motion.npz"), InputError, "DynamicResult"),
        (lambda s: dynamic_request(s, None, 1.0, 1e-3), InputError, "LoadCase"),
        (lambda s: dynamic_request("arch", LoadCase(), 1.0, 1e-3), InputError, "Structure"),
        (lambda s: dynamic_request(s, shaken(), 1e9, 1e-3), LoadError, "4e.11 rows"),
        (lambda s: follow(s, LoadCase(), 1e9, 1e-3), LoadError, "1e.12 steps; the limit"),
        (lambda s: GroundMotion.table("x", [0.0, 1.0], [0.0, float("nan")]), LoadError, "Row 1 of the ground motion"),
        (lambda s: follow(s, LoadCase(support_motions=[SupportMotion(1, (0, 0, 1), 1.0)])), LoadError, "block 1"),
        (lambda s: follow(s, shaken(supports=["none"])), LoadError, "no block none"),
        (lambda s: follow(s, shaken(supports=[1])), LoadError, "block 1 is not"),
        (lambda s: follow(s, LoadCase(velocities={0: ((1, 0, 0), (0, 0, 0))})), LoadError, "Block 0 is a support"),
        (lambda s: follow(s, LoadCase(), 1.0, 1e-3, probes=[77]), InputError, "77"),
    ],
)
def test_errors_name_the_input(make, error, word):
    with pytest.raises(error, match=word):
        make(structure_of([SLAB, box()]))


def test_command_line(tmp_path, capsys):
    path = tmp_path / "arch.json"
    path.write_text(json.dumps(arch().to_scene()))
    arguments = "--duration 0.1 --dt 0.005 --ground sine:axis=x,pga=0.1,frequency=1 --probe 3 --json --quiet".split()
    plot = tmp_path / "plot.svg"
    assert main(["dynamic", str(path), *arguments, "--plot", str(plot), "--save", str(tmp_path / "r.npz")]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert KEYS <= set(answer) and TIMES <= set(answer["time"]) and answer["steps"] == 20
    assert answer["unconverged"] == 0 and answer["baseline"] == [] and answer["ended"] == "duration"
    assert plot.read_text().startswith("<svg") and (tmp_path / "r.npz").exists()
    assert main(["dynamic", str(path), "--duration", "1e9", "--dt", "0.001", "--json", "--quiet"]) == 2
    assert "steps" in json.loads(capsys.readouterr().out)["error"]["message"]
