"""Settings: defaults, ranges, and errors that name the key and the range."""

import compas
import pytest

from compas_nscd import Settings, wire
from compas_nscd.errors import SettingsError


@pytest.mark.short
def test_defaults_and_wire():
    sent = Settings().to_wire()
    assert set(sent) == {
        "solver", "friction", "eps", "tolerance", "max_iterations", "seed", "threads", "repeat", "gap_tolerance",
        "gap", "angle_tolerance", "unsupported", "torsion", "warm_start",
    }  # fmt: skip
    assert sent["solver"] == "newton" and sent["friction"] == "associated" and sent["eps"] == [1e-5, 1e-8]
    assert sent["tolerance"] == 1e-10 and sent["max_iterations"] is None and sent["seed"] is None
    assert sent["threads"] == 0 and sent["gap_tolerance"] == 1e-3 and sent["unsupported"] is False
    assert sent["angle_tolerance"] == 1.0  # degrees, as the user gives them
    assert wire.unpack(wire.pack(sent)) == sent
    assert Settings(threads=3).to_wire()["threads"] == 3


@pytest.mark.short
def test_json_round_trip():
    settings = Settings(solver="nlgs", seed=7, eps=[1e-3, 1e-6, 1e-9], unsupported=True, time_step=2e-3)
    again = compas.json_loads(compas.json_dumps(settings))
    assert again == settings and again.eps == (1e-3, 1e-6, 1e-9) and again.seed == 7
    assert settings != Settings() and settings.copy() == settings
    assert repr(Settings(repeat=3)) == "Settings(repeat=3)"


@pytest.mark.short
@pytest.mark.parametrize(
    "key, value",
    [
        ("solver", "magic"),
        ("solver", None),
        ("friction", "sticky"),
        ("eps", (1e-8, 1e-5)),
        ("eps", (1e-5,)),
        ("eps", (1e-5, 0.0)),
        ("eps", 1e-5),
        ("eps", (1e-5, float("nan"))),
        ("tolerance", 0.0),
        ("tolerance", 1.0),
        ("tolerance", float("nan")),
        ("tolerance", "small"),
        ("max_iterations", 0),
        ("max_iterations", 2.5),
        ("max_iterations", True),
        ("seed", -1),
        ("threads", -1),
        ("repeat", 0),
        ("gap_tolerance", -1e-3),
        ("gap_tolerance", 1.0),
        ("angle_tolerance", 90.0),
        ("unsupported", 1),
        ("time_step", 0.0),
        ("time_step", float("inf")),
    ],
)
def test_values_out_of_range(key, value):
    for attempt in (lambda: Settings(**{key: value}), lambda: setattr(Settings(), key, value)):
        with pytest.raises(SettingsError, match=key) as caught:
            attempt()
        assert caught.value.detail["key"] == key and caught.value.remedy.startswith("Give ")


@pytest.mark.short
def test_unknown_settings():
    for attempt in (lambda: Settings(tolerence=1e-3), lambda: setattr(Settings(), "tolerence", 1e-3)):
        with pytest.raises(SettingsError, match="tolerence.*tolerance"):
            attempt()
    with pytest.raises(AttributeError):
        Settings().tolerence


def test_bounds_are_inclusive_where_they_say_so():
    assert Settings(tolerance=1e-3, threads=0, repeat=1, seed=0, max_iterations=10).max_iterations == 10
    settings = Settings()
    settings.tolerance = 1e-6
    assert settings.tolerance == 1e-6 and "tolerance" in dir(settings)
