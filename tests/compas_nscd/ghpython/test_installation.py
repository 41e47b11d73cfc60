"""The component Install: a wheel into the environment of Rhino, files of the components, one copy of the package."""

import importlib.util
import sys
import time

import pytest

from compas_nscd.ghfiles.bundle import read_bundles
from compas_nscd.ghpython.components.install import copies
from stand_in import stand_in

pytest_plugins = ["gh_fixtures"]

#: A Python whose pip notes what it was asked for.
PIP = """
import os, sys
if "broken" in sys.argv[-1]:
    sys.exit("ERROR: broken wheel")
target = sys.argv[sys.argv.index("--target") + 1]
asked = os.path.join(target, "asked")
with open(asked + ".part", "w", encoding="utf-8") as file:
    file.write(" ".join(sys.argv[1:]))
os.replace(asked + ".part", asked)  # who sees the file sees all of it
"""


@pytest.fixture
def fresh(rhino, tmp_path, monkeypatch):
    """A Rhino that has made the environment of the script, without compas_nscd; the folder of the environment."""
    python = stand_in(tmp_path / "python3.9", PIP)
    site = tmp_path / "site-envs" / "compas_nscd-Ab3dEf9h"
    site.mkdir(parents=True)
    monkeypatch.setattr(sys, "executable", python)
    monkeypatch.syspath_prepend(str(site))
    find, there = importlib.util.find_spec, site / "asked"
    hidden = lambda name, *rest: None if name == "compas_nscd" and not there.exists() else find(name, *rest)  # noqa: E731
    monkeypatch.setattr(importlib.util, "find_spec", hidden)
    return site


def a_wheel(folder, name="compas_nscd-0.1.0-py3-none-any.whl"):
    path = folder / name
    path.write_bytes(b"")
    return str(path)


def test_a_wheel_is_put_into_the_environment_that_all_scripts_name(rhino, live, fresh, tmp_path):
    component = live.add("Nscd_Install")
    live.solve()
    assert component["ok"] is False and "wheel" in component["report"][-1]
    component.set(wheel=a_wheel(tmp_path))
    began = time.perf_counter()
    live.solve()
    assert time.perf_counter() - began < 2.0  # pip runs by itself
    assert rhino.idle(lambda: (fresh / "asked").exists())
    asked = (fresh / "asked").read_text(encoding="utf-8")
    assert "--target {}".format(fresh) in asked and "--no-deps" not in asked
    assert rhino.idle(lambda: any(line.startswith("components: ") for line in component["report"])), component["report"]
    written = sorted(path.stem for path in (tmp_path / "UserObjects").glob("*.ghuser"))
    assert written == sorted(read_bundles()) and "start Rhino again" in component.messages("Remark")[0]
    live.solve()
    component.expired = True
    live.solve()
    assert component.messages("Remark") == []  # they are written once


def test_a_new_version_leaves_a_loaded_numpy_alone(rhino, canvas, fresh, tmp_path):
    (fresh / "numpy").mkdir()
    canvas.add("Nscd_Install", wheel=a_wheel(tmp_path))
    canvas.solve()
    assert rhino.idle(lambda: (fresh / "asked").exists()) and "--no-deps" in (fresh / "asked").read_text(
        encoding="utf-8"
    )


@pytest.mark.parametrize("name", ["broken.whl", "none.txt"])
def test_what_went_wrong_is_told(rhino, canvas, fresh, tmp_path, name):
    component = canvas.add("Nscd_Install", wheel=a_wheel(tmp_path, name))
    canvas.solve()
    words = "broken wheel" if name == "broken.whl" else "no wheel file"
    assert rhino.idle(lambda: any(words in line for line in component["report"])), component["report"]
    assert component["ok"] is False


def test_a_second_copy_is_told(tmp_path, monkeypatch):
    assert len(copies()) == 1
    other = tmp_path / "compas_nscd"
    other.mkdir()
    (other / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    assert copies()[1:] == [str(other)]
