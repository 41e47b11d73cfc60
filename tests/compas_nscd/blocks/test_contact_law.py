"""Contact laws as the user gives them."""

import json

import numpy as np
import pytest

from compas_nscd import wire
from compas_nscd.blocks.contact_law import ContactLaw
from compas_nscd.errors import MaterialError
from compas_nscd.loads.case import LoadCase
from compas_nscd.model.settings import Settings
from compas_nscd.model.structure import Structure
from compas_nscd.results.static import StaticResult
from compas_nscd.results.strength import crushing
from dynamic_helpers import structure_of
from solids import box

MORTAR = {"kind": "mortar", "cohesion": 2e5, "tension": 1e5, "normal_stiffness": 1e9, "tangential_stiffness": 4e8}
DAMAGE = {"kind": "damage", "cohesion": 2e5, "tension": 1e5, "normal_fracture": 10.0, "tangential_fracture": 50.0}


@pytest.mark.short
@pytest.mark.parametrize(
    "given, word",
    [
        (dict(MORTAR, tension=-1.0), "tensile strength"),
        (dict(MORTAR, cohesion=-1.0), "cohesion"),
        (dict(MORTAR, compression=-1.0), "compressive strength"),
        (dict(MORTAR, compression=0.0), "compressive strength"),
        (dict(MORTAR, normal_stiffness=0.0), "normal stiffness"),
        (dict(MORTAR, tension="much"), "tensile strength"),
        (dict(MORTAR, kinetic=0.8), "kinetic friction"),
        (dict(DAMAGE, normal_fracture=0.0), "fracture energy"),
        (dict(DAMAGE, normal_stiffness=1e8, tangential_stiffness=1e8), "fracture energy"),
        (dict(DAMAGE, softening="sudden"), "softening"),
        ({"kind": "brittle"}, "cohesion"),
        ({"kind": "elastic", "normal_stiffness": 1e9}, "tangential stiffness"),
        ({"kind": "coulomb", "cohesion": 1e5}, "cohesion"),
        ({"kind": "coulomb", "dilatancy": 50.0}, "dilatancy"),
        ({"kind": "glue"}, "glue"),
    ],
)
def test_nonsense_is_refused_by_name(given, word):
    with pytest.raises(MaterialError, match=word):
        ContactLaw(0.7, **given)


@pytest.mark.parametrize(
    "law",
    [
        ContactLaw(0.7, **MORTAR),
        ContactLaw(0.7, **DAMAGE),
        ContactLaw(0.7, **dict(DAMAGE, softening="exponential")),
        ContactLaw(0.7, "elastic", normal_stiffness=1e9, tangential_stiffness=1e8, compression=5e6, restitution=0.1),
        ContactLaw(0.7, "viscous", viscosity=1e5, dilatancy=10.0),
        ContactLaw(kind="tie"),
        ContactLaw(kind="sticking"),
    ],
)
def test_laws_survive_files_and_the_gate(law, tmp_path):
    from nscd_engine.gate.structure import read_model

    structure = structure_of([box((-1, -1, -1), (3, 3, 1)), box(), box((0, 0, 1))])
    structure.law = law
    structure.blocks[1].material = "brick"
    structure.material_laws[("None", "brick")] = ContactLaw(0.4)
    structure.pair_laws[0, 1] = ContactLaw(0.5)
    assert Structure.__from_data__(structure.__data__) == structure
    path = tmp_path / "scene.json"
    path.write_text(json.dumps(structure.to_scene()))
    assert Structure.from_file(path).law == law
    request = {"structure": structure.to_wire(), "case": LoadCase().to_wire(structure)}
    model = read_model(wire.unpack(wire.pack(request)))
    assert model.law[0, 0] == law.friction
    assert repr(law).startswith("ContactLaw(friction=")


def test_laws_survive_a_3dm(tmp_path):
    pytest.importorskip("rhino3dm")
    from compas_nscd.drawing.threedm import write_structure

    structure = structure_of([box((-1, -1, -1), (3, 3, 1)), box(), box((0, 0, 1))])
    structure.law = ContactLaw(0.7, **MORTAR)
    structure.pair_laws[0, 1] = ContactLaw(0.5, "brittle", cohesion=1e5)
    structure.blocks[1].material = "brick"
    structure.material_laws[("brick", "stone")] = ContactLaw(0.4)
    write_structure(structure, tmp_path / "laws.3dm")
    back = Structure.from_file(tmp_path / "laws.3dm")
    assert (back.law, back.pair_laws) == (structure.law, structure.pair_laws)
    assert back.material_laws == structure.material_laws
    assert [block.material for block in back.blocks] == [None, "brick", None]


def test_laws_of_pairs_go_before_those_of_materials():
    from nscd_engine.core.law_table import friction_of
    from nscd_engine.gate.structure import read_model

    structure = structure_of([box((-1, -1, -1), (3, 3, 1)), box(), box((0, 0, 1)), box((0, 0, 2))], mu=0.6)
    for block, name in zip(structure.blocks, ("stone", "brick", "brick", "stone")):
        block.material = name
    structure.material_laws[("brick", "stone")] = ContactLaw(0.4)
    structure.pair_laws[0, 1] = ContactLaw(0.5)
    pairs = [(0, 1), (1, 2), (2, 3), (3, 0)]
    expected = [0.5, 0.6, 0.4, 0.6]
    assert [structure.law_between(*pair).friction for pair in pairs] == expected
    request = {"structure": structure.to_wire(), "case": LoadCase().to_wire(structure)}
    np.testing.assert_array_equal(friction_of(read_model(request), pairs), expected)


def solved(structure, case):
    from nscd_engine.core.monitor import Monitor
    from nscd_engine.statics.run import run

    request = {"structure": structure.to_wire(), "case": case.to_wire(structure), "settings": Settings().to_wire()}
    return StaticResult.from_reply(wire.unpack(wire.pack(run(request, Monitor()))), structure, case)


def test_results_know_of_bonds(tmp_path):
    """T / (c A + mu N) of a cube pushed with F; the result comes back from a file."""
    structure = structure_of([box((-1, -1, -1), (3, 3, 1)), box()])
    structure.law = ContactLaw(0.5, "brittle", cohesion=2e4)
    case = LoadCase()
    case.add_point_load(1, (0.5, 0.5, 0.0), (1e4, 0.0, 0.0))
    result = solved(structure, case)
    expected = 1e4 / (2e4 + 0.5 * 2000.0 * 9.81)
    assert result.joints.friction_utilisation[0] == pytest.approx(expected)
    assert result.interfaces[0].friction_utilisation == pytest.approx(expected)
    assert not result.contact_broken.any() and not result.displacement.any()
    result.save(tmp_path / "result.npz")
    assert StaticResult.load(tmp_path / "result.npz") == result


def test_crushed_joints_are_named():
    """N at e from the middle is carried by a width of 1 - 2 e: a share of N / (fc (1 - 2 e))."""
    structure = structure_of([box((-1, -1, -1), (3, 3, 1)), box()])
    weight, lever, force = 2000.0 * 9.81, 1.0, 4000.0
    e = force * lever / weight
    case = LoadCase()
    case.add_point_load(1, (0.5, 0.5, lever), (force, 0.0, 0.0))
    for share, verdict in ((0.9, "stable"), (1.1, "collapse")):
        structure.law = ContactLaw(0.5, compression=weight / (1.0 - 2.0 * e) / share)
        result = solved(structure, case)
        assert result.verdict == verdict
        if verdict == "stable":
            np.testing.assert_allclose(crushing(result), share, rtol=1e-6)
        assert [w["code"] for w in result.warnings] == (["crushed"] if share > 1.0 else [])
