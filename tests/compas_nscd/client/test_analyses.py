"""Analyses through the process, on a scene whose answer is known.

A block of 1 m3, 2000 kg/m3, under a load of 1 N rests on a slab: the slab carries 2000 * 9.81 + 1 N = 19621 N.
These tests use the compiled kernels of the usual home, because compiling takes a minute.
"""

import json

import pytest

from compas_nscd.client.doctor import diagnose
from compas_nscd.client.engine import Engine
from compas_nscd.errors import InputError
from compas_nscd.loads.case import LoadCase
from compas_nscd.loads.ground_motion import GroundMotion
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure
from compas_nscd.templates import arch
from nscd_engine.service import warm_scenes
from scene_requests import stack_scene

CARRIED = 2000.0 * 9.81 + 1.0


@pytest.fixture(scope="module")
def engine():
    with Engine(reuse=False) as engine:
        yield engine


@pytest.fixture
def structure(tmp_path):
    """The scene as a user would read it."""
    path = tmp_path / "stack.json"
    path.write_text(json.dumps(stack_scene()))
    return Structure.from_file(str(path))


@pytest.mark.short
def test_the_process_finds_the_reaction(engine, structure):
    result = engine.static(structure)
    assert result.verdict == "stable"
    # The residual of the solver is 1e-10 of the weight; six digits leave room for nothing else.
    assert result.summary["support_reaction"] == pytest.approx([0.0, 0.0, CARRIED], abs=1e-6 * CARRIED)


def test_what_is_sent_is_what_is_meant(engine, structure):
    """A case given wins over the structure's own; settings reach the engine."""
    twice = LoadCase(gravity=(0.0, 0.0, -2 * 9.81))
    result = engine.static(structure, twice, Settings(solver="nlgs"))
    assert result.summary["solver"] == "nlgs"
    assert result.summary["support_reaction"][2] == pytest.approx(2.0 * 2000.0 * 9.81, rel=1e-4)


def test_a_job_gives_the_same_result_as_waiting(engine, structure):
    job = engine.static(structure, wait=False)
    assert job.result().verdict == "stable" and job.state == "done" and job.progress["fraction"] in (None, 1.0)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_warming_compiles_every_kernel_that_an_analysis_may_need(tmp_path, monkeypatch):
    """Where nothing was compiled before; a second set of types for a kernel would be another file."""
    monkeypatch.setenv("NSCD_HOME", str(tmp_path))
    shaken = LoadCase(ground=[GroundMotion.sine("x", 2.0, 1.0)])
    with Engine(reuse=False) as engine:
        answer = engine.warm()
        assert answer["failed"] == {} and answer["left"] == []
        assert engine.ping()["cache"]["warm"]
        compiled = set(tmp_path.rglob("*.nbc"))
        assert engine.static(arch()).verdict == "stable"
        assert engine.dynamic(arch(), shaken, 0.5, 5e-3, probes=["v3"]).result().verdict == "stable"
        assert set(tmp_path.rglob("*.nbc")) == compiled


def test_what_is_no_structure_is_refused(engine):
    with pytest.raises(InputError, match="Structure"):
        engine.static([1, 2, 3])


@pytest.mark.short
def test_the_layout_of_warm_up_requests_is_that_of_the_client(structure):
    """Two writers of one layout: the engine compiles its kernels with requests of its own."""
    ours, theirs = warm_scenes.stack(0.0)["structure"], structure.to_wire()
    for key in ("vertices", "vertex_start", "face_vertices", "face_start", "block_face_start", "support", "density"):
        assert ours[key].tolist() == theirs[key].tolist(), key


def test_the_doctor_finds_all_there():
    answer = diagnose()
    assert answer["problems"] == []
    assert {"numba", "numpy", "scipy", "python", "compas_nscd"} <= set(answer["engine"]["versions"])
    assert answer["engine"]["versions"]["compas_nscd"] == answer["client"]["compas_nscd"]
    assert answer["engine"]["ping_s"] > 0.0 and answer["interpreter"]["reason"]


def test_the_doctor_names_the_remedy(tmp_path):
    answer = diagnose(python=str(tmp_path / "no-python"))
    assert answer["engine"] is None and "full path" in answer["problems"][0]["remedy"]
