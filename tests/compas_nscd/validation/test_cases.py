"""Some cases of the book, computed; the others are computed by `nscd validate`."""

import json

import numpy as np
import pytest

from compas_nscd import Engine, Structure
from compas_nscd.validation.case import Trial
from compas_nscd.validation.runner import run_case, select
from compas_nscd.validation.scenes import dem_barrel, structure_of


@pytest.fixture(scope="module")
def engine():
    with Engine() as engine:
        yield engine


def passes(engine, number):
    outcome = run_case(select([number])[0], Trial(engine, pictures=True))
    assert outcome.passed, (outcome.failure, [row for row in outcome.comparisons if not row.passed])
    return outcome


@pytest.mark.parametrize(
    "number", ["V8", "V14", "V22", "V25", "V27", "V29", "V30", "V31", "V32", "V33", "V73", "V76", "V77"]
)
def test_quick_cases_agree(engine, number):
    assert passes(engine, number).case.quick


def test_v34_walls_under_a_loaded_beam(engine):
    """Five layouts, with rough and with smooth head joints."""
    outcome = passes(engine, "V34")
    assert len(outcome.comparisons) == 10 and len(outcome.pictures) == 5


@pytest.mark.slow
@pytest.mark.parametrize("number", ["V70", "V72", "V74", "V75", "V78"])
def test_deformable_blocks_agree(engine, number):
    passes(engine, number)


@pytest.mark.slow
def test_v35_barrel_vault_of_compas_dem(engine):
    """Weight on the supports; 296 of 296 joint forces of LMGC90 in the ranges."""
    assert passes(engine, "V35").comparisons[-1].computed == 296


def test_v36_arch_of_compas_dem(engine):
    passes(engine, "V36")


def test_v37_shear_strength_of_a_mortar_joint(engine):
    passes(engine, "V37")


def test_the_barrel_vault_is_that_of_compas_dem(shared_dir):
    """Block by block: the model of compas_dem and ours have the same vertices."""
    data = json.loads((shared_dir / "real" / "dem_barrel_model.json").read_text(encoding="utf-8"))["data"]
    theirs = []
    for element in data["elements"].values():
        points = element["data"]["geometry"]["data"]["vertex"].values()
        theirs.append(sorted((round(p["x"], 9), round(p["y"], 9), round(p["z"], 9)) for p in points))
    ours = [sorted(map(tuple, np.round(block["vertices"], 9).tolist())) for block in dem_barrel()["blocks"]]
    np.testing.assert_allclose(sorted(ours), sorted(theirs), atol=1e-8)
    assert isinstance(structure_of(dem_barrel()), Structure)
