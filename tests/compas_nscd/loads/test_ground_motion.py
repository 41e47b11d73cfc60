"""Records and wave forms: units, base line, exact integration, refusals that name the input."""

import numpy as np
import pytest

from compas_nscd.cli.dynamic import parse_ground
from compas_nscd.errors import FileError, LoadError
from compas_nscd.loads import waveforms
from compas_nscd.loads.baseline import correct_baseline
from compas_nscd.loads.body_acceleration import sampled
from compas_nscd.loads.case import LoadCase
from compas_nscd.loads.ground_motion import GroundMotion
from compas_nscd.loads.records import G, read_record

AT2 = """PEER STRONG MOTION DATABASE
SOME QUAKE 1/1/70, STATION
ACCELERATION TIME HISTORY IN UNITS OF G
NPTS=    7, DT=   .0200 SEC
  .1000000E-01  .2000000E-01  .3000000E-01 -.1000000E-01 -.2000000E-01
 -.3000000E-01  .0000000E+00
"""


def write(tmp_path, text, name="record.csv"):
    path = tmp_path / name
    path.write_text(text)
    return path


@pytest.mark.short
def test_peer_record(tmp_path):
    record = read_record(write(tmp_path, AT2, "quake.AT2"))
    assert record.quantity == "acceleration" and len(record.times) == 7
    assert record.times[-1] == pytest.approx(0.12) and record.values[2] == pytest.approx(0.03 * G)


@pytest.mark.parametrize(
    "text, units, quantity, si",
    [
        ("time [s], acceleration [g]\n0, 1\n1, 2\n", None, "acceleration", [G, 2 * G]),
        ("t;v [cm/s]\n0;1\n1;2\n", None, "velocity", [0.01, 0.02]),
        ("# comment\n0 1\n1 2\n", "mm", "displacement", [0.001, 0.002]),
        ("0\t1\n1\t2\n", "gal", "acceleration", [0.01, 0.02]),
        ("time [s];acceleration [m/s2]\n0;1,5\n0,5;2,25\n", None, "acceleration", [1.5, 2.25]),
        ("\ufeff0,1\n1,2\n", "m", "displacement", [1.0, 2.0]),  # as spreadsheets save it
        ("time, value (east) [mm/s]\n0,1\n1,2\n", None, "velocity", [0.001, 0.002]),
    ],
)
def test_columns_and_units(tmp_path, text, units, quantity, si):
    for encoding in ("utf-8", "utf-16"):
        path = tmp_path / "record.csv"
        path.write_bytes(text.lstrip("\ufeff" if encoding == "utf-16" else "").encode(encoding))
        record = read_record(path, units)
        assert record.quantity == quantity
        np.testing.assert_allclose(record.values, si)


@pytest.mark.short
@pytest.mark.parametrize(
    "text, options, error, word",
    [
        ("0,1\n1,2\n", {}, LoadError, "units"),
        ("0,1\n1,2\n", {"units": "furlong"}, LoadError, "furlong"),
        ("0,1\n1,2\n", {"units": "g", "quantity": "velocity"}, LoadError, "velocity"),
        ("0,1\n1,nan\n", {"units": "g"}, LoadError, "Row 1 of record.csv"),
        ("0,1\n1,inf\n", {"units": "g"}, LoadError, "Row 1 of record.csv"),
        ("0,1\n0,2\n", {"units": "g"}, LoadError, "ascend; row 1 at 0 s"),
        ("0,1\n2,1\n1,1\n", {"units": "g"}, LoadError, "row 2 at 1 s comes after 2 s"),
        ("0,1\nx,2\n", {"units": "g"}, FileError, "Line 2"),
        ("0,1\n1,\n", {"units": "g"}, FileError, "Line 2"),
        ("t [s],a [g]\n0,1,5\n1,2,6\n", {}, FileError, "Line 2 .* two columns"),  # which of the two was meant?
        ("0,5 1,5\n1,5 2,5\n", {"units": "g"}, FileError, "Line 1"),
        ("time [ms],a [g]\n0,1\n5,2\n", {}, LoadError, "'ms', not in seconds"),
        ("time [s],a\n0,1\n5,2\n", {}, LoadError, "does not say its units"),
        ("hello\n", {"units": "g"}, FileError, "no rows"),
        ("", {"units": "g"}, FileError, "no rows"),
        ("0,1\n", {"units": "g"}, FileError, "one row"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, text, options, error, word):
    with pytest.raises(error, match=word):
        read_record(write(tmp_path, text), **options)


@pytest.mark.parametrize(
    "change, error, word",
    [
        (("NPTS=    7", "NPTS=    8"), FileError, "announces 8 values and has 7"),
        (("NPTS=    7", "NPTS=    6"), FileError, "announces 6 values and has 7"),
        (("NPTS=", "N="), FileError, "its NPTS"),
        ((", DT=   .0200 SEC", ""), FileError, "its DT"),
        ((".0200", "xx"), FileError, "its DT"),
        ((".0200", "1.2.3"), FileError, "DT of '1.2.3'"),
        ((".0200", "0.0"), FileError, "above 0 s"),
        ((".3000000E-01 -", "abc -"), FileError, "Line 5"),
        ((".0000000E+00", "nan"), LoadError, "Row 6"),
        (("UNITS OF G", ""), LoadError, "units"),
        ((AT2[:-20].rsplit("SEC", 1)[0], ""), FileError, "no line with NPTS"),
    ],
)
def test_a_broken_peer_record(tmp_path, change, error, word):
    assert change[0] in AT2
    with pytest.raises(error, match=word):
        read_record(write(tmp_path, AT2.replace(*change), "quake.at2"))


def test_peer_records_of_velocity_and_of_old(tmp_path):
    text = AT2.replace("ACCELERATION TIME HISTORY IN UNITS OF G", "VELOCITY TIME SERIES IN UNITS OF CM/S")
    record = read_record(write(tmp_path, text, "quake.VT2"))
    assert record.quantity == "velocity" and record.values[1] == pytest.approx(2e-4)
    old = AT2.replace("NPTS=    7, DT=   .0200 SEC", "    7   .0500  NPTS, DT")
    assert read_record(write(tmp_path, old, "quake.at2")).times[-1] == pytest.approx(0.3)


@pytest.mark.parametrize("path, word", [("nowhere.csv", "nowhere"), (None, "path"), (".", "cannot be read")])
def test_a_missing_file(path, word):
    with pytest.raises(FileError, match=word):
        read_record(path, "g")


def test_base_line_leaves_neither_velocity_nor_displacement():
    """An offset of 0.02 m/s2 would drift by 0.02 * 10^2 / 2 = 1 m; the correction takes just a line off."""
    t = np.linspace(0.0, 10.0, 1001)
    a = np.sin(2.0 * np.pi * t) + 0.02
    corrected, report = correct_baseline(t, a)
    end = waveforms.from_acceleration(t, corrected)
    assert abs(end.velocity[-1]) < 1e-12 and abs(end.displacement[-1]) < 1e-12
    assert np.abs(np.diff(a - corrected, 2)).max() < 1e-12
    # A sine that starts at 0 leaves the displacement t / omega as well: 1.6 m beside the 1 m of the offset.
    assert report["displacement"] == pytest.approx(1.0 + 10.0 / (2.0 * np.pi), rel=1e-3)
    motion = GroundMotion.table("x", t, a, baseline=True)
    assert motion.correction["share"] == pytest.approx(np.abs(a - corrected).max() / np.abs(a).max())


@pytest.mark.short
def test_integration_is_exact_for_what_is_linear_between_rows():
    """a = 2 + 3 t: v = 2 t + 3 t^2/2, x = t^2 + t^3/2, at any time between uneven rows."""
    t = np.array([0.0, 0.3, 1.0, 1.1, 2.0])
    some = np.linspace(0.0, 2.0, 77)
    x, v = waveforms.evaluate(waveforms.from_acceleration(t, 2.0 + 3.0 * t), some)
    np.testing.assert_allclose(x, some**2 + some**3 / 2.0, atol=1e-13)
    np.testing.assert_allclose(v, 2.0 * some + 1.5 * some**2, atol=1e-13)
    x, v = waveforms.evaluate(waveforms.from_velocity(t, 2.0 * t), some)
    np.testing.assert_allclose(x, some**2, atol=1e-13)


def test_spline_through_displacements():
    """Through rows of a sine, whose acceleration is 0 at both ends, the velocity comes back to the fourth order of the
    spacing: (2 pi)^5 dt^4 / 180 = 3.4e-8 m/s. The last row is where the ground stays, as the first is where it was."""
    t = np.linspace(0.0, 1.0, 201)
    knots = waveforms.from_displacement(t, 3.0 + np.sin(2.0 * np.pi * t))
    assert knots.displacement[0] == 0.0
    np.testing.assert_allclose(knots.velocity[:-1], 2.0 * np.pi * np.cos(2.0 * np.pi * t), atol=5e-8)
    for times, values in ((t, np.sin(2.0 * np.pi * t)), ([0.0, 0.1, 0.2], [5.0, 5.3, 5.2]), ([0.0, 1.0], [2.0, 2.2])):
        x, v = waveforms.evaluate(waveforms.from_displacement(np.array(times), np.array(values)), [times[-1], 50.0])
        np.testing.assert_allclose(x, values[-1] - values[0], atol=1e-12)
        assert (v == 0.0).all()


@pytest.mark.short
@pytest.mark.parametrize("phase", [0.0, 90.0])
def test_sine(phase):
    """Amplitude a / (2 pi f)^2, from the phase on; off by 3e-9 of it."""
    a, f = 1.962, 1.5
    amplitude, shift = a / (2.0 * np.pi * f) ** 2, np.radians(phase)
    t = np.linspace(0.0, 3.0, 1234)
    x, v = waveforms.evaluate(GroundMotion.sine("x", a, f, phase=phase).knots(3.0), t)
    expected = amplitude * (np.sin(2.0 * np.pi * f * t + shift) - np.sin(shift))
    np.testing.assert_allclose(x, expected, atol=1e-8 * amplitude)


def test_pulses_leave_their_velocity_and_a_settlement_none():
    for motion, speed in (
        (GroundMotion.rectangular("x", 2.0, 0.5, start=1.0), 1.0),
        (GroundMotion.half_sine("x", 2.0, 0.5, start=1.0), 2.0 * 0.5 * 2.0 / np.pi),
    ):
        x, v = waveforms.evaluate(motion.knots(5.0), [0.5, 1.5, 2.5])
        assert x[0] == 0.0 and v[0] == 0.0
        np.testing.assert_allclose(v[1:], speed, rtol=1e-12)
        assert x[2] - x[1] == pytest.approx(speed)
    x, v = waveforms.evaluate(waveforms.settlement(2.0), [0.0, 1.0, 2.0, 9.0])
    np.testing.assert_allclose(x, [0.0, 0.5, 1.0, 1.0])
    np.testing.assert_allclose(v[[0, 2, 3]], 0.0)


def test_ease_starts_gently():
    """The acceleration of the first steps is small, and the amplitude is that of the sine after the ease."""
    motion = GroundMotion.sine("x", 1.0, 1.0, ease=2.0)
    t = np.linspace(0.0, 6.0, 6001)
    x, v = waveforms.evaluate(motion.knots(6.0), t)
    assert abs(v[5]) < 1e-4 and np.abs(x[3000:]).max() == pytest.approx(1.0 / (2.0 * np.pi) ** 2, rel=1e-4)


def test_functions_become_tables():
    times, values = sampled(lambda t: 2.0 * t, 1.0, 0.25)
    assert times == [0.0, 0.25, 0.5, 0.75, 1.0] and values[-1] == 2.0
    with pytest.raises(LoadError, match="history"):
        LoadCase().add_point_load(1, (0, 0, 0), (0, 0, 1), ([0.0, 1.0], [1.0, float("nan")]))


@pytest.mark.short
def test_ground_of_the_command_line():
    motion = parse_ground("sine:axis=y,pga=0.2,frequency=1,phase=90")
    assert motion.direction == (0.0, 1.0, 0.0) and motion.acceleration == pytest.approx(1.962)
    for text, word in (
        ("sine:frequency", "key=value"),
        ("sine:pga=x,frequency=1", "number"),
        ("sine:colour=1", "colour"),
    ):
        with pytest.raises(LoadError, match=word):
            parse_ground(text)
