"""Displacements and stresses of deformable blocks, read from a reply."""

import csv

import numpy as np
import pytest

from analysed import analyse, stack
from compas_nscd import StaticResult
from compas_nscd.errors import InputError, ProtocolError
from compas_nscd.results.deformable.tables import ELEMENTS, element_rows
from compas_nscd.results.tables import write_tables
from elastic_replies import STRESS, squeezed_stack


@pytest.fixture(scope="module")
def result():
    return squeezed_stack()


def test_a_rigid_result_has_none():
    rigid = analyse(stack())
    assert rigid.elastic is None and rigid.summary["elastic"] is None


def test_stresses_of_the_elements(result):
    elastic = result.elastic
    tensor = np.diag([1e6, 0.0, -3e6])
    assert elastic.stress[0] == pytest.approx(tensor)
    assert elastic.principal[1] == pytest.approx([-6e6, 0.0, 2e6])
    assert np.abs(elastic.directions[1]) == pytest.approx(np.eye(3)[[2, 1, 0]])
    assert elastic.von_mises[0] == pytest.approx(np.sqrt(0.5 * (9 + 1 + 16)) * 1e6)
    assert elastic.tension == pytest.approx([1e6, 2e6, 4e6])
    assert elastic.tension_utilisation == pytest.approx([2.0, 4.0, 8.0])
    assert elastic.cracked == ["s0", "s1", "s2"]


def test_shears_stand_in_their_places():
    reply = squeezed_stack().__data__["reply"]
    reply["cell_stress"] = np.arange(18.0).reshape(3, 6)
    tensor = StaticResult(reply, squeezed_stack().structure).elastic.stress[0]
    assert tensor.tolist() == [[0.0, 3.0, 5.0], [3.0, 1.0, 4.0], [5.0, 4.0, 2.0]]


def test_mean_stress_is_weighted_with_the_volumes(result):
    reply = dict(result.__data__["reply"])
    reply.update(cell_start=[0, 0, 2, 2, 3])
    two = StaticResult(reply, result.structure).elastic
    assert two.mean_stress("s0") == pytest.approx((0.1 * 1 + 0.2 * 2) / 0.3 * np.diag(STRESS[:3]))
    with pytest.raises(InputError, match="ground is rigid"):
        two.mean_stress("ground")


def test_surface_of_a_deformed_block(result):
    vertices, faces, cells = result.elastic.surface("s2", magnify=1000.0)
    block = result.structure.blocks[3]
    assert vertices[:, 2] == pytest.approx(0.9 * block.vertices[:, 2])
    assert vertices[:, :2] == pytest.approx(block.vertices[:, :2])
    assert faces == block.faces and cells.tolist() == [2] * 6
    assert result.elastic.blocks == [1, 2, 3]


def test_tables_of_nodes_and_elements(result, tmp_path):
    write_tables(result, tmp_path / "r.csv")
    node, element = (
        list(csv.DictReader(open(tmp_path / name, encoding="utf-8"))) for name in ("r_nodes.csv", "r_elements.csv")
    )
    assert [row["block"] for row in node] == ["s0"] * 8 + ["s1"] * 8 + ["s2"] * 8
    assert float(node[-1]["uz [m]"]) == pytest.approx(-1e-4 * float(node[-1]["z [m]"]))
    assert [row["block"] for row in element] == ["s0", "s1", "s2"] and {row["cracked"] for row in element} == {"1"}
    values = {key: float(value) for key, value in element[1].items() if key != "block"}
    assert (values["sigma xx [Pa]"], values["sigma zz [Pa]"]) == (2e6, -6e6)
    assert (values["least principal [Pa]"], values["greatest principal [Pa]"]) == pytest.approx((-6e6, 2e6))
    assert values["von Mises [Pa]"] == pytest.approx(result.elastic.von_mises[1])
    assert values["volume [m3]"] == pytest.approx(0.2)


def test_shears_of_the_table_stand_in_their_columns():
    reply = squeezed_stack().__data__["reply"]
    reply["cell_stress"] = np.arange(18.0).reshape(3, 6)
    found = StaticResult(reply, squeezed_stack().structure)
    first = dict(zip(ELEMENTS, next(iter(element_rows(found.elastic, found.structure.names)))))
    assert [first["sigma {} [Pa]".format(k)] for k in ("xx", "yy", "zz", "xy", "yz", "zx")] == [0, 1, 2, 3, 4, 5]


def test_files_keep_it(result, tmp_path):
    for name in ("r.npz", "r.json"):
        result.save(tmp_path / name)
        again = StaticResult.load(tmp_path / name)
        assert again == result
        assert again.summary["elastic"] == result.summary["elastic"]
        assert np.array_equal(again.elastic.principal, result.elastic.principal)


@pytest.mark.parametrize(
    "change",
    [
        {"node_start": [0, 8, 16, 24]},
        {"node_start": [0, 0, 16, 8, 24]},
        {"skin_cell": [3] * 18},
        {"skin": [[0, 1, 2, 24]] * 18},
        {"cell": [[-2] * 8] * 3},
        {"cell_stress": [0.0] * 12},
        {"cell_volume": [1.0, "x", 1.0]},
        {"node": [[0.0]]},
    ],
)
def test_arrays_that_do_not_fit_are_refused(result, change):
    with pytest.raises(ProtocolError):
        StaticResult(dict(result.__data__["reply"], **change), result.structure)


def test_a_reply_without_an_array_is_refused(result):
    reply = dict(result.__data__["reply"])
    del reply["skin"]
    with pytest.raises(ProtocolError, match="skin"):
        StaticResult(reply, result.structure)
