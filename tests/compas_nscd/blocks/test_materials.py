"""The library of materials, and other ways to spread the forces of a joint."""

import inspect
import warnings
from pathlib import Path

import numpy as np
import pytest

from analysed import analyse
from compas_nscd.blocks import materials
from compas_nscd.errors import AssumedWarning, MaterialError
from compas_nscd.ghpython.components import elastic, laws
from compas_nscd.loads.case import LoadCase
from compas_nscd.results.shear_distribution import proportional_shear, with_proportional_shear
from dynamic_helpers import structure_of
from solids import box


def test_every_material_is_a_law_with_a_source():
    for name, joint in materials.JOINTS.items():
        law = materials.joint_law(name)
        assert law.name == name and len(joint.source) > 20
    for name in materials.MATERIALS:
        assert 1000.0 < materials.material(name).density < 3500.0
    assert materials.joint_law("dry stone", friction=0.5).friction == 0.5
    with pytest.raises(MaterialError, match="lime mortar"):
        materials.joint_law("chewing gum")


@pytest.mark.parametrize("name, entry", [*materials.MATERIALS.items(), *materials.JOINTS.items()])
def test_assumed_values_are_marked_and_told(name, entry):
    """A value is read in its source, or its source says that it is assumed, and whoever asks for it is warned."""
    ask = materials.material if name in materials.MATERIALS else materials.joint_law
    assert entry.assumed == entry.source.startswith("assumed") and entry.assumed != entry.checked
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        ask(name)
    assert [w.category for w in told] == [AssumedWarning] * entry.assumed
    assert all(name in str(w.message) for w in told)


@pytest.mark.parametrize("name", list(materials.MATERIALS))
def test_elasticities_have_a_source_and_are_told_to_be_assumed(name):
    entry = materials.MATERIALS[name]
    assert 1e9 < entry.young < 1e11 and 0.1 < entry.poisson < 0.4 and entry.elastic_source.startswith("assumed")
    with pytest.warns(AssumedWarning, match="elasticity"):
        made = entry.elastic("h8", refine=2)
    assert (made.young, made.poisson, made.elements, made.refine) == (entry.young, entry.poisson, "h8", 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert entry.elastic(young=1e9).young == 1e9


def test_a_material_without_a_modulus():
    with pytest.raises(MaterialError, match="Young"):
        materials.Material(2000.0, "own").elastic()


def test_nothing_takes_an_assumed_value_by_default():
    """Only Contact Law and Elastic ask the library, for the name that their user gives; its default is none."""
    package = Path(materials.__file__).parents[1]
    users = [path for path in package.rglob("*.py") if "blocks.materials" in path.read_text(encoding="utf-8")]
    assert {path.name for path in users} <= {"materials.py", "_old_names.py", "laws.py", "elastic.py"}
    for component in (laws.contact_law, elastic.elastic):
        assert inspect.signature(component).parameters["material"].default is None


def twisted():
    """A cube pushed at its side: shear and a moment about the normal."""
    case = LoadCase()
    case.add_point_load(1, (0.9, 0.8, 0.6), (0.0, 2e3, 0.0))
    case.add_point_load(1, (0.2, 0.2, 0.5), (1e3, 0.0, 0.0))
    return analyse(structure_of([box((-1, -1, -1), (3, 3, 1)), box()], mu=0.7), case)


def test_the_resultants_stay():
    result = twisted()
    other = with_proportional_shear(result)
    a, b = result.interfaces[0], other.interfaces[0]
    np.testing.assert_allclose(b.resultant, a.resultant, atol=1e-9 * a.normal_force)
    np.testing.assert_allclose(b.moment, a.moment, atol=1e-9 * a.normal_force)
    np.testing.assert_allclose(b.forces @ b.normal, a.forces @ a.normal, atol=1e-9 * a.normal_force)
    assert np.abs(b.forces - a.forces).max() > 1e-3 * a.normal_force  # or the test would say nothing


def test_without_twist_every_point_uses_the_same_share():
    case = LoadCase()
    case.add_point_load(1, (0.5, 0.5, 0.8), (3e3, 1e3, 0.0))
    result = analyse(structure_of([box((-1, -1, -1), (3, 3, 1)), box()], mu=0.7), case)
    force = proportional_shear(result)
    share = np.hypot(force[:, 0], force[:, 1]) / np.abs(force[:, 2])
    np.testing.assert_allclose(share, np.hypot(3e3, 1e3) / (2000.0 * 9.81), rtol=1e-6)


def test_edges_follow_bohatier():
    """Eq. 3 of the paper: T . AB / N is the same at both ends of every edge AB, here of all pairs of points."""
    result = twisted()
    force, point = proportional_shear(result), result.contact_point
    ratio = force[:, :2] / force[:, 2:]
    for a in range(len(point)):
        for b in range(a):
            along = (point[b] - point[a])[:2]
            assert ratio[a] @ along == pytest.approx(ratio[b] @ along, abs=1e-9)
