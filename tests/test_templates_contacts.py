"""The engine's view of the templates: nothing overlaps, nothing is left without contact, all hangs on a support."""

import pytest

from compas_nscd import templates
from compas_nscd.client import Engine

#: Further parameters with which each template is looked at, besides its own.
OTHERS = [
    ("arch", dict(shape="pointed", blocks=15)),
    ("arch", dict(shape="elliptical", joints="vertical", blocks=12)),
    ("arch", dict(shape="basket", blocks=21)),
    ("arch", dict(shape="catenary", joints="vertical", blocks=9)),
    ("barrel_vault", dict(shape="pointed", courses=14)),
    ("bridge", dict(arches=2, shape="basket", voussoirs=13)),
    ("buttressed_arch", dict(rise=2.0)),
    ("corbelled_arch", dict(span=3.0, courses=11, length=0.6)),
    ("dome", dict(bond="running", key=True, courses=8, sectors=12)),
    ("dome", dict(rise=7.0, oculus=20.0, bond="running", courses=8, sectors=12)),
    ("facade", dict(voussoirs=8, course=0.3, length=0.7)),
    ("groin_vault", dict(span=4.0, courses=9, length=0.8, edge=0.5)),
    ("rock_mass", dict(scatter=0.0, spread=0.0, seed=4)),
    ("rock_slope", dict(face=90.0, height=8.0, seed=3)),
    ("spandrel_wall", dict(shape="pointed", height=9.0, voussoirs=20, springing=1.0)),
    ("spandrel_wall", dict(shape="elliptical", voussoirs=31)),
    ("wall", dict(openings=[(2, 0, 1, 6), (5, 3, 2, 3)])),
]
CASES = [(name, {}) for name in templates.__all__] + OTHERS


@pytest.fixture(scope="module")
def engine():
    with Engine(reuse=False) as engine:
        yield engine


@pytest.mark.slow  # compiles the detection of concave blocks, then three dozen structures
@pytest.mark.parametrize("name, given", CASES, ids=["{}-{}".format(n, "-".join(map(str, g))) for n, g in CASES])
def test_contacts_connect_every_block_to_a_support(engine, name, given):
    structure = getattr(templates, name)(**given)
    answer = engine.check(structure)
    assert answer["overlapping"] == []
    assert answer["isolated"] == []
    assert [w["code"] for w in answer["warnings"]] == []  # among them "floating": touching, but on no support
    assert answer["blocks"] == len(structure)


def test_wall_in_contact(engine):
    """Bed joints of a wall cover its courses, head joints its ends: areas from counting, in one fast example."""
    columns, courses = 6, 4
    answer = engine.check(templates.wall(columns, courses))
    beds = courses * columns * 0.5 * 0.25  # the base included
    heads = (2 * (columns - 1) + 2 * columns) * 0.25 * 0.25  # joints of even and of odd courses
    assert answer["area"] == pytest.approx(beds + heads)
    assert answer["overlapping"] == answer["isolated"] == []
