"""Intensity of ground motions and response spectra against closed forms."""

import math

import numpy as np
import pytest

from compas_nscd import GroundMotion
from compas_nscd.errors import FileError, LoadError
from compas_nscd.loads.intensity import (
    arias,
    history,
    intensity,
    peaks,
    rocking,
    scale_factor,
    scaled,
    significant_duration,
)
from compas_nscd.loads.records import G, read_record, read_records
from compas_nscd.loads.response_spectrum import response_spectrum, transition
from compas_nscd.loads.synthetic import synthetic_motions
from compas_nscd.validation.many_runs import half_sine_peak


def test_the_recurrence_is_exact_for_a_ramp():
    """x'' + w^2 x = -q t from rest: x = -q (t - sin(w t)/w) / w^2, whatever the step."""
    w, h, q = 5.0, 0.37, 2.0
    of_state, of_ground = transition(w, 0.0, h)
    x, v = of_state @ [0.0, 0.0] + of_ground @ [0.0, q * h]
    assert x == pytest.approx(-q * (h - math.sin(w * h) / w) / w**2, rel=1e-12)
    assert v == pytest.approx(-q * (1.0 - math.cos(w * h)) / w**2, rel=1e-12)


@pytest.mark.parametrize("damping", [0.0, 0.05, 0.3])
def test_two_half_steps_are_one_step(damping):
    half, ground = transition(7.0, damping, 0.1)
    whole, all_ground = transition(7.0, damping, 0.2)
    assert whole == pytest.approx(half @ half, abs=1e-13)
    state = half @ (ground @ [1.0, 1.5]) + ground @ [1.5, 2.0]
    assert state == pytest.approx(all_ground @ [1.0, 2.0], abs=1e-13)


@pytest.mark.parametrize("period", [0.3, 0.9, 1.7, 3.0])
def test_half_sine_has_its_spectrum(period):
    t = np.linspace(0.0, 1.0, 4001)
    found = response_spectrum(t, np.sin(math.pi * t), [period], 0.0).acceleration[0]
    assert found == pytest.approx(half_sine_peak(period), rel=1e-6)


def test_stiff_oscillators_follow_the_ground_and_soft_ones_stay():
    motion = synthetic_motions(1, seed=3)[0]
    found = response_spectrum(*history(motion), [0.01, 200.0])
    assert found.acceleration[0] == pytest.approx(peaks(motion)[0], rel=0.02)
    assert found.displacement[1] == pytest.approx(peaks(motion)[2], rel=0.05)


def test_rectangular_pulse_has_closed_intensities():
    motion = GroundMotion.rectangular("x", 2.0, 0.5)
    pga, pgv, pgd = peaks(motion)
    assert (pga, pgv, pgd) == pytest.approx((2.0, 1.0, 0.25))
    assert arias(motion) == pytest.approx(math.pi / (2.0 * G) * 4.0 * 0.5)
    assert significant_duration(motion) == pytest.approx(0.9 * 0.5)
    assert rocking(motion, 0.75) == pytest.approx(1.0 * math.sqrt(0.75 * G / 0.75) / G)


@pytest.mark.parametrize("measure", ["pga", "pgv", "pgd", "arias", "sa:0.4", "rocking:1.5"])
def test_scaling_reaches_the_level(measure):
    for motion in (synthetic_motions(1, seed=1)[0], GroundMotion.half_sine("y", 3.0, 0.4)):
        factor = scale_factor(motion, measure, 0.27)
        assert intensity(scaled(motion, factor), measure) == pytest.approx(0.27, rel=1e-9)


@pytest.mark.parametrize("measure", ["", "sa", "sa:0", "sa:x", "pga:1", "rocking:-1", "psa"])
def test_measures_that_do_not_exist_are_refused(measure):
    with pytest.raises(LoadError, match="There is no measure"):
        intensity(GroundMotion.half_sine("x", 1.0, 1.0), measure)


@pytest.mark.parametrize("level", [0.0, -1.0, math.inf, math.nan])
def test_levels_that_cannot_be_reached_are_refused(level):
    with pytest.raises(LoadError, match="Levels are numbers above 0"):
        scale_factor(GroundMotion.half_sine("x", 1.0, 1.0), "pga", level)


def test_the_same_seed_gives_the_same_records():
    a, b, c = (synthetic_motions(3, seed=seed) for seed in (1, 1, 2))
    assert a == b and a != c
    assert [motion.name for motion in a] == ["synthetic-1-1", "synthetic-1-2", "synthetic-1-3"]
    assert synthetic_motions(5, seed=1)[:3] == a  # more records leave the first ones as they are
    for motion in a:
        assert intensity(motion) == pytest.approx(0.3, rel=0.02)  # the base line takes a little
        assert motion.correction["share"] < 0.05


ESM = """EVENT_NAME: CENTRAL_ITALY
SAMPLING_INTERVAL_S: 0.005000
NDATA: {}
UNITS: cm/s^2
DATA_TYPE: ACCELERATION
HEADER_FORMAT: DYNA 1.2
USER5:
0.0
 -1.500000
 2.0
"""


def test_esm_record(tmp_path):
    path = tmp_path / "IT.ACC.HNE.ASC"
    path.write_text(ESM.format(3))
    record = read_record(path)
    assert record.quantity == "acceleration"
    assert record.times.tolist() == pytest.approx([0.0, 0.005, 0.01])
    assert record.values.tolist() == pytest.approx([0.0, -0.015, 0.02])


def test_esm_record_that_lacks_rows_or_units_is_refused(tmp_path):
    path = tmp_path / "a.asc"
    path.write_text(ESM.format(4))
    with pytest.raises(FileError, match="announces 4 values and has 3"):
        read_record(path)
    path.write_text(ESM.format(3).replace("UNITS: cm/s^2", "UNITS:"))
    with pytest.raises(LoadError, match="does not say its units"):
        read_record(path)
    path.write_text(ESM.format(3).replace("0.005000", "0"))
    with pytest.raises(FileError, match="above 0 s"):
        read_record(path)


def test_a_folder_of_records_is_read_in_the_order_of_names(tmp_path):
    for name in ("b.csv", "a.txt"):
        (tmp_path / name).write_text("time [s], acceleration [g]\n0, 0\n1, 1\n")
    (tmp_path / "readme.md").write_text("no record")
    assert [record.name for record in read_records(tmp_path)] == ["a", "b"]
    with pytest.raises(FileError, match="has no records"):
        read_records(_empty(tmp_path))


def _empty(tmp_path):
    folder = tmp_path / "empty"
    folder.mkdir()
    return folder
