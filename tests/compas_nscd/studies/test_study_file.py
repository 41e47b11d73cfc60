"""Study files: read and written again, refused with the key that is wrong."""

import json

import pytest

from compas_nscd import GroundMotion, templates
from compas_nscd.errors import FileError, InputError, LoadError
from compas_nscd.studies import HuntAndFill, Study, read_study
from compas_nscd.studies.study_file import KEYS, read_folder, study_of
from places import EXAMPLES


def test_a_study_is_the_same_after_writing():
    motion = GroundMotion.half_sine("x", 2.0, 0.3, name="pulse")
    limits = {"drift": {"measure": "drift", "above": 0.01}}
    study = Study(
        templates.stack(),
        vary={"friction": (0.3, 0.6)},
        ground=[motion],
        levels=HuntAndFill(0.1, 0.1),
        sampler="latin",
        runs=3,
        seed=5,
        limits=limits,
        intensity="pgv",
        options={"duration": 2.0},
    )
    again = study_of(json.loads(json.dumps(study.to_data())))
    assert again.to_data() == study.to_data() and set(study.to_data()) <= set(KEYS)
    assert again.samples == study.samples and again.shared == study.shared


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("studies/*study*.json")), ids=lambda path: path.stem)
def test_examples_can_be_read(path):
    assert read_study(path).plan().total > 1


@pytest.mark.parametrize(
    "data, message",
    [
        ([], "one JSON object"),
        ({"template": "arch", "thickness": 1}, "no key 'thickness'"),
        ({}, "template or a structure"),
        ({"template": "arch", "structure": "a.json"}, "template or a structure"),
        ({"template": "arc"}, "no template 'arc'"),
        ({"template": 3}, "is a name"),
        ({"structure": 3}, "name of a file or a scene"),
        ({"template": "arch", "vary": []}, "is an object"),
        ({"template": "arch", "keep": "drift"}, "is a list"),
        ({"template": "arch", "seed": "x"}, "whole number"),
        ({"template": "arch", "vary": {"thicknes": [1]}}, "no parameter 'thicknes'"),
        ({"template": "arch", "analysis": "elastic"}, "no analysis 'elastic'"),
        ({"template": "arch", "analysis": "limit"}, "needs the option vary"),
        ({"template": "arch", "levels": [0.1]}, "ground motions to scale"),
        ({"template": "arch", "ground": [{"synthetic": 1}], "levels": [0.0, 0.1]}, "above 0"),
        ({"template": "arch", "ground": [{"synthetic": 1}], "levels": []}, "above 0"),
        ({"template": "arch", "ground": [{"synthetic": 1}], "levels": {"first": 0.1}}, "are no hunt"),
        ({"template": "arch", "ground": [{"synthetic": 1}], "levels": {"first": 0.0, "step": 1}}, "cannot be run"),
        ({"template": "arch", "ground": [{"synthetic": 1}], "analysis": "static"}, "need the analysis dynamic"),
        ({"template": "arch", "ground": [{"synthetic": 1, "colour": 2}]}, "Keys: synthetic"),
        ({"template": "arch", "ground": [3]}, "no ground motion"),
        ({"template": "arch", "ground": [{"shape": "sine"}]}, "no ground motion"),
        ({"template": "arch", "vary": {"settlement.left": [0.1]}}, "settlement needs"),
        ({"template": "arch", "intensity": "psa"}, "no measure"),
    ],
)
def test_what_cannot_be_a_study_is_refused(data, message):
    with pytest.raises((InputError, LoadError), match=message):
        study_of(data)


def test_wrong_files_are_refused(tmp_path):
    with pytest.raises(FileError):
        read_study(tmp_path / "absent.json")
    (tmp_path / "broken.json").write_text('{"template": "arch",')
    with pytest.raises(FileError, match="not valid JSON"):
        read_study(tmp_path / "broken.json")
    with pytest.raises(FileError, match="has no study"):
        read_folder(tmp_path)


def test_a_record_without_units_is_refused(tmp_path):
    (tmp_path / "a.csv").write_text("0, 0\n1, 1\n2, 0\n")
    with pytest.raises(LoadError, match="does not say its units"):
        study_of({"template": "arch", "ground": ["a.csv"]}, tmp_path)
    study = study_of({"template": "arch", "ground": [{"file": "a.csv", "units": "g", "direction": "y"}]}, tmp_path)
    assert study.motions[0].direction == (0.0, 1.0, 0.0) and study.motion_names == ["a"]


def test_two_motions_of_one_name_are_refused():
    with pytest.raises(LoadError, match="Two ground motions"):
        Study("arch", ground=[GroundMotion.half_sine("x", 1.0, 1.0, name="a")] * 2)
