"""The gate on deformable blocks: elasticities, shapes that cannot have them, and the number of elements."""

import numpy as np
import pytest

from compas_nscd import Elastic, wire
from compas_nscd.errors import GeometryError, MaterialError, ProtocolError
from detection import request_of
from nscd_engine.core.elastic import Elastic as EngineElastic
from nscd_engine.gate.structure import read_model
from solids import box

STONE = Elastic(6e10, 0.27, "h8", 2, damping=(0.1, 1e-4), tension=3e6)


def request(*elastics, rows=(0, 0, 0), **changes):
    """Two boxes on a support, with these elasticities in the table."""
    given = request_of([box(), box((0, 0, 1)), box((0, 0, 2))])
    table = [each.__data__ if isinstance(each, Elastic) else each for each in elastics]
    given["structure"].update(elastics=table, elastic_of=np.array(rows, np.int32), **changes)
    return given


def test_rows_of_the_table_that_travelled():
    model = read_model(wire.unpack(wire.pack(request(STONE, Elastic(1e9), rows=(0, -1, 0)))))
    assert model.elastic == (None, None, EngineElastic(6e10, 0.27, "h8", 2, "lumped", (0.1, 1e-4), "stress", 3e6))


def test_a_model_of_rigid_blocks():
    assert read_model(request_of([box(), box((0, 0, 1))])).elastic is None
    assert read_model(request(STONE, rows=(0, -1, -1))).elastic is None  # a support is rigid whatever was asked


@pytest.mark.parametrize(
    "key, value",
    [
        ("young", 0.0),
        ("young", np.nan),
        ("young", "6e10"),
        ("poisson", 0.5),
        ("poisson", -1.0),
        ("elements", "q4"),
        ("refine", 0),
        ("refine", 2.0),
        ("refine", 10**30),
        ("mass", None),
        ("damping", [1.0]),
        ("damping", [0.0, -1.0]),
        ("plane", "x"),
        ("contacts", "edges"),
        ("tension", -1.0),
    ],
)
def test_bad_numbers_name_the_block_and_the_key(key, value):
    with pytest.raises(MaterialError, match=key) as caught:
        read_model(request(STONE, dict(STONE.__data__, **{key: value}), rows=(0, 0, 1)))
    assert caught.value.blocks == ["2"] and caught.value.remedy


@pytest.mark.parametrize(
    "change",
    [
        {"elastics": {}},
        {"elastics": [None]},
        {"elastics": [{"young": 1e9}]},
        {"elastic_of": np.array([0, 0, 1], np.int32)},
        {"elastic_of": np.array([0, 0, -2], np.int32)},
        {"elastic_of": np.array([0, 0], np.int32)},
        {"elastic_of": None},
    ],
)
def test_malformed_tables(change):
    given = request(STONE)
    given["structure"].update(change)
    with pytest.raises(ProtocolError):
        read_model(given)


def test_triangles_need_a_planar_model():
    flat = Elastic(6e10, elements="t3")
    with pytest.raises(GeometryError, match="block 2 has them. Use t4 or h8") as caught:
        read_model(request(flat, rows=(0, -1, 0)))
    assert caught.value.blocks == ["2"]
    assert read_model(request(flat, planar=np.array([0.0, 1.0, 0.0]))).elastic[2].elements == "t3"


def test_spheres_are_refused_by_name():
    given = request(STONE, rows=(-1, -1, 0), radius=np.array([0.0, 0.0, 0.5]), disc_depth=np.zeros(3))
    structure = given["structure"]
    structure["vertices"] = np.vstack([structure["vertices"][:16], [[0.5, 0.5, 2.5]]])
    structure["vertex_start"] = np.array([0, 8, 16, 17], np.int32)
    structure.update(face_vertices=structure["face_vertices"][:48], face_start=structure["face_start"][:13])
    structure["block_face_start"] = np.array([0, 6, 12, 12], np.int32)
    with pytest.raises(GeometryError, match="sphere or disc cannot be deformable: block 2") as caught:
        read_model(given)
    assert caught.value.blocks == ["2"]


@pytest.mark.parametrize("elements, most", [("h8", 100), ("t4", 34)])
def test_more_elements_than_a_million_name_the_block(elements, most):
    """A box has refine**3 hexahedra, and 12 refine**3 tetrahedra."""
    coarse = Elastic(6e10, elements="uniform")
    with pytest.raises(GeometryError, match="most are in block 2") as caught:
        read_model(request(coarse, coarse.changed(elements=elements, refine=most + 1), rows=(0, 0, 1)))
    assert caught.value.blocks == ["2"]
    assert read_model(request(Elastic(6e10, elements=elements, refine=most), rows=(-1, -1, 0))).elastic[2]
