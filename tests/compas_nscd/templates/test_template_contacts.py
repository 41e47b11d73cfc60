"""The engine's view of the templates: nothing overlaps, nothing is left without contact, all hangs on a support."""

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from compas_nscd import templates
from compas_nscd.client.engine import Engine

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


lengths, slender = st.floats(0.2, 1.0), st.floats(0.05, 0.5)
#: Parameters of every template that are drawn, within what masons build; small, for they are many.
DRAWN = {
    "apse": dict(radius=st.floats(2.0, 5.0), courses=st.integers(1, 6), sectors=st.integers(3, 8)),
    "aqueduct": dict(arches=st.integers(2, 3), upper_arches=st.integers(2, 5), voussoirs=st.integers(5, 15)),
    "arch": dict(thickness=slender, blocks=st.integers(3, 30), shape=st.sampled_from(["circular", "pointed"])),
    "arena_bay": dict(storeys=st.just(1), course=st.floats(0.5, 0.8), length=st.floats(1.0, 1.6)),
    "barrel_vault": dict(courses=st.integers(3, 15), blocks=st.integers(1, 6), thickness=slender),
    "biaxial": dict(elements=st.integers(10, 60), pattern=st.sampled_from(["hexagonal", "square"])),
    "bridge": dict(arches=st.integers(1, 2), voussoirs=st.integers(5, 17), course=st.floats(0.4, 0.8)),
    "buttressed_arch": dict(blocks=st.integers(3, 20), courses=st.integers(1, 8), pier=st.floats(1.0, 2.0)),
    "column": dict(drums=st.integers(1, 9), sides=st.integers(3, 24), taper=slender),
    "corbelled_arch": dict(span=st.floats(1.0, 3.0), courses=st.integers(1, 9), jamb=st.integers(0, 3)),
    "cupola": dict(courses=st.integers(1, 6), pillars=st.integers(3, 6), blocks=st.integers(2, 4)),
    "cylinder": dict(courses=st.integers(1, 5), sectors=st.integers(16, 30), rings=st.integers(1, 3)),
    "dome": dict(courses=st.integers(1, 6), sectors=st.integers(3, 16), bond=st.sampled_from(["stack", "running"])),
    "facade": dict(gable=st.floats(1.0, 6.0), voussoirs=st.integers(5, 15), course=st.floats(0.4, 0.8)),
    "flat_arch": dict(span=st.floats(1.0, 4.0), blocks=st.integers(1, 15), centre=st.floats(0.5, 3.0)),
    "groin_vault": dict(courses=st.sampled_from([3, 5, 9]), length=lengths, edge=lengths),
    "nave_wall": dict(arches=st.integers(1, 2), voussoirs=st.integers(5, 15), course=st.floats(0.4, 0.8)),
    "packing": dict(elements=st.integers(10, 60), pattern=st.sampled_from(["hexagonal", "square"])),
    "pattern_wall": dict(repeat=st.integers(1, 4), length=lengths, height=lengths, depth=lengths),
    "rock_mass": dict(width=st.floats(2.0, 5.0), scatter=st.floats(0.0, 10.0), seed=st.integers(0, 1000)),
    "rock_slope": dict(height=st.floats(4.0, 8.0), face=st.floats(40.0, 90.0), seed=st.integers(0, 1000)),
    "spandrel_wall": dict(voussoirs=st.integers(9, 31), course=st.floats(0.3, 0.8), height=st.floats(5.0, 7.0)),
    "stack": dict(blocks=st.integers(1, 20), width=lengths, depth=lengths, height=lengths),
    "triaxial": dict(elements=st.integers(10, 60), radius=st.floats(0.02, 0.2)),
    "wall": dict(columns=st.integers(1, 9), courses=st.integers(1, 9), length=lengths, height=lengths),
}


def test_every_template_is_drawn():
    assert sorted(DRAWN) == templates.__all__


@pytest.mark.slow
@pytest.mark.parametrize("name", templates.__all__)
def test_contacts_of_drawn_parameters(engine, name):
    """Whatever is asked for: no overlap, and every free block hangs together with a support."""

    @settings(max_examples=6, deadline=None, derandomize=True, phases=(Phase.generate,))
    @given(st.fixed_dictionaries(DRAWN[name]))
    def asked(parameters):
        answer = engine.check(getattr(templates, name)(**parameters))
        assert answer["overlapping"] == answer["isolated"] == [] == [w["code"] for w in answer["warnings"]]

    asked()
