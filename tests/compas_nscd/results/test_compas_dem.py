"""Results into compas_dem: signs of contacts and results. What needs the package itself is skipped without it."""

import sys
from types import SimpleNamespace

import compas
import numpy as np
import pytest

from analysed import analyse, stack
from compas_nscd import ContactLaw, Structure
from compas_nscd.errors import InputError, NotAvailableError
from compas_nscd.results.blockmodel.compas_dem import friction_contacts, to_blockmodel, to_results
from compas_nscd.templates import arch


@pytest.fixture(scope="module")
def standing():
    return analyse(arch())


class Contact:
    """Stands for compas_dem's FrictionContact."""

    def __init__(self, points, frame, size, forces):
        self.points, self.frame, self.size, self.forces = points, frame, size, forces


def test_contacts_of_compas_dem_have_our_signs(standing):
    """Their resultant, z (c_np - c_nn) + x c_u + y c_v, is the force on b; z points from a to b."""
    found = friction_contacts(standing, Contact)
    assert len(found) == len(standing.interfaces)
    for (pair, contact), joint in zip(found, standing.interfaces):
        assert pair == joint.indices and contact.size == joint.area
        assert list(contact.frame.zaxis) == pytest.approx(joint.normal, abs=1e-12)
        axes = np.array([contact.frame.xaxis, contact.frame.yaxis, contact.frame.zaxis])
        for force, given in zip(contact.forces, joint.forces):
            assert force["c_np"] >= 0.0 and force["c_nn"] >= 0.0
            local = [force["c_u"], force["c_v"], force["c_np"] - force["c_nn"]]
            assert local @ axes == pytest.approx(given, abs=1e-9 * standing.summary["weight_total"])


def test_contacts_stand_on_the_edges_of_a_model(standing):
    from compas.datastructures import Graph

    graph = Graph()
    for k in range(22):
        graph.add_node(100 + k)
    graph.add_edge(101, 100)
    model = SimpleNamespace(graph=graph, elements=lambda: [SimpleNamespace(graphnode=100 + k) for k in range(22)])
    assert to_blockmodel(standing, model, Contact) is model
    assert len(list(graph.edges())) == 21
    (turned,) = graph.edge_attribute((101, 100), "contacts")  # from b to a: the force is that on a
    axes = np.array([turned.frame.xaxis, turned.frame.yaxis, turned.frame.zaxis])
    assert axes[2] == pytest.approx(-standing.interfaces[0].normal, abs=1e-12)
    local = np.sum([[f["c_u"], f["c_v"], f["c_np"] - f["c_nn"]] for f in turned.forces], axis=0)
    assert local @ axes == pytest.approx(-standing.interfaces[0].resultant, rel=1e-9)
    model.elements = lambda: [SimpleNamespace(graphnode=0)] * 3
    with pytest.raises(InputError, match="3 elements"):
        to_blockmodel(standing, model, Contact)


def test_without_compas_dem(standing, monkeypatch):
    monkeypatch.setitem(sys.modules, "compas_dem", None)
    with pytest.raises(NotAvailableError, match="compas_dem"):
        friction_contacts(standing)


# -- with the package itself -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def dem():
    return pytest.importorskip("compas_dem.models", reason="compas_dem is not installed: its own classes are not tried")


def modelled(dem, structure):
    """The structure as a model of compas_dem, and as it is read back from there."""
    model = dem.BlockModel()
    for block in structure.blocks:
        (model.add_support_from_mesh if block.support else model.add_block_from_mesh)(block.mesh)
    return model, Structure.from_blockmodel(model, ContactLaw(0.6), density=2000.0)


@pytest.mark.parametrize("turned", [False, True])
def test_results_of_compas_dem_balance_every_block(dem, turned):
    """On an edge (u, v) the normal points from u to v and the force is that on v: with the weights they cancel."""
    structure = stack(3)
    structure = Structure(structure.blocks[::-1] if turned else structure.blocks, structure.law)
    model, read = modelled(dem, structure)
    model.compute_contacts()
    own = {edge: model.graph.edge_attribute(edge, "contacts")[0] for edge in model.graph.edges()}
    result = analyse(read)
    results = to_results(result, model)
    total = np.outer(result.mass, [0.0, 0.0, -9.81])
    assert sorted(results.edges()) == sorted(own)
    for (u, v), found in own.items():
        contact = results.contact_data((u, v))
        assert list(contact.frame.zaxis) == pytest.approx(list(found.frame.zaxis), abs=1e-12)
        force = np.array(results.resultant_global((u, v)))
        axes = np.array([contact.frame.xaxis, contact.frame.yaxis, contact.frame.zaxis])
        assert results.resultant_local((u, v)) @ axes == pytest.approx(force, abs=1e-9)
        assert list(contact.resultantpoint) == pytest.approx(found.frame.point, abs=1e-6)
        line = contact.resultantforce[0]  # drawn with half its length on either side
        assert np.subtract(line.end, line.start) == pytest.approx(force, abs=1e-6)
        total[v] += force
        total[u] -= force
    free = [not block.support for block in read.blocks]
    assert np.abs(total[free]).max() < 1e-8 * result.summary["weight_total"]
    again = compas.json_loads(compas.json_dumps(results))
    for edge in results.edges():
        assert again.resultant_global(edge) == results.resultant_global(edge)
        assert again.contact_data(edge).forces == results.contact_data(edge).forces


def test_transformations_are_the_displaced_blocks(dem):
    model, read = modelled(dem, arch(span=10.0, thickness=0.4, blocks=12))
    result = analyse(read)
    assert result.verdict == "collapse"
    results = to_results(result, model, displaced=0.3)
    for node, block, moved in zip(results.nodes(), read.blocks, result.displaced_vertices(0.3)):
        matrix = np.array(results.transformation(node).matrix)
        assert block.vertices @ matrix[:3, :3].T + matrix[:3, 3] == pytest.approx(moved, abs=1e-9)


def test_model_takes_contacts_of_the_package(dem):
    model, read = modelled(dem, stack(2))
    to_blockmodel(analyse(read), model)
    assert len(list(model.contacts())) == 2
