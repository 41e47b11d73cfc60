"""Sub-model of one block under the forces of a rigid analysis."""

import numpy as np
import pytest

from compas_nscd.errors import InputError
from detection import run
from elastic_blocks import BOX, CORNER, wedge
from nscd_engine.core.elastic import Elastic
from nscd_engine.deformable.body import deformable_body
from nscd_engine.deformable.free_body import FreeBody
from nscd_engine.deformable.stress import mean_stress
from nscd_engine.deformable.submodel import submodel, touching

YOUNG, LOAD = 1e9, 4e4


def pressed(refine=4, poisson=0.0, lever=0.0, **options):
    """The middle one of three cubes of 0.5 m under a load [N] at a lever [m] along x; its weight is left out."""
    solids = [(CORNER * 0.5 + [0.0, 0.0, 0.5 * k], BOX) for k in range(3)]
    _, found = run(solids)
    body = deformable_body(1, solids[1][0], BOX, 2000.0, Elastic(YOUNG, poisson, "h8", refine))
    arm = found.contacts.point - [0.25, 0.25, 0.0]
    share = 0.25 + lever * arm[:, 0] / (4.0 * 0.25**2)
    force = np.zeros((8, 3))
    force[:, 2] = LOAD * share
    return submodel(body, found.interfaces, found.contacts, force, np.zeros((len(body.mesh.node), 3)), **options)


def test_smooth_block_without_lateral_strain_has_constant_pressure():
    """nu = 0: a flat plate presses a prism evenly."""
    made = pressed()
    assert made.stress[:, 2] == pytest.approx(-LOAD / 0.25, rel=1e-8)
    assert np.abs(np.delete(made.stress, 2, axis=1)).max() < 1e-6 * LOAD / 0.25
    shortening = np.ptp(made.displacement[:, 2])
    assert shortening == pytest.approx(LOAD / 0.25 / YOUNG * 0.5, rel=1e-8)


def test_resultants_are_those_of_the_analysis():
    """Also outside the kern, where part of the joint opens, and with rough faces."""
    for lever, roughness in ((0.05, 0.0), (0.15, 0.0), (0.05, 2e-5)):
        made = pressed(lever=lever, roughness=roughness)
        top = made.point[:, 2] > 0.75
        assert made.force[top].sum(axis=0) == pytest.approx([0.0, 0.0, -LOAD], abs=1e-7 * LOAD)
        moment = made.force[top, 2] @ (made.point[top, 0] - 0.25)
        assert moment == pytest.approx(-LOAD * lever, rel=1e-7)
        assert (made.force[top, 2] <= 0.0).all()
    # outside the kern, the far edge is open
    made = pressed(lever=0.15)
    assert not made.force[(made.point[:, 2] > 0.75) & (made.point[:, 0] < 0.01)].any()


def test_mean_stress_is_the_moment_tensor():
    made = pressed(poisson=0.2, lever=0.05, roughness=1e-5)
    moment = made.force.T @ (made.point - made.body.centroid) / 0.125
    assert np.abs(mean_stress(made.body, made.stress) - moment).max() < 1e-9 * np.abs(moment).max()


def test_roughness_raises_tension_and_is_repeatable():
    """Bagneris: stresses rise by an order of magnitude or more."""
    smooth = pressed(poisson=0.2)
    rough = [pressed(poisson=0.2, roughness=2e-4, seed=seed) for seed in (1, 1, 2)]
    assert rough[0].tension == rough[1].tension != rough[2].tension
    assert rough[0].tension > 10.0 * max(smooth.tension, 0.01 * LOAD / 0.25)


def test_unbalanced_forces_are_refused():
    solids = [(CORNER * 0.5 + [0.0, 0.0, 0.5 * k], BOX) for k in range(3)]
    _, found = run(solids)
    body = deformable_body(1, solids[1][0], BOX, 2000.0, Elastic(YOUNG, 0.2, "h8", 2))
    force = np.zeros((8, 3))
    force[:4, 2] = LOAD
    with pytest.raises(InputError, match="balance"):
        submodel(body, found.interfaces, found.contacts, force, np.zeros((27, 3)))


def test_touching_satisfies_signorini():
    rng = np.random.default_rng(4)
    root = rng.normal(size=(12, 12))
    compliance, surface = root @ root.T + np.eye(12), rng.normal(size=12)
    plate = np.column_stack([np.ones(12), rng.uniform(-1.0, 1.0, (12, 2))])
    resultant = rng.uniform(0.0, 0.5, 12) @ plate
    pressure = touching(compliance, surface, plate, resultant)
    assert plate.T @ pressure == pytest.approx(resultant)
    active = pressure > 0.0
    height = np.linalg.lstsq(plate[active], (surface - compliance @ pressure)[active], rcond=None)[0]
    gap = plate @ height - surface + compliance @ pressure
    assert np.abs(gap[active]).max() < 1e-9
    assert gap.min() > -1e-9
    assert 3 < active.sum() < 12


@pytest.mark.parametrize("kind, axis", [("h8", None), ("t4", None), ("t3", np.array([0.0, 1.0, 0.0]))])
def test_free_body_under_balanced_loads(kind, axis):
    """Forces of a displacement give it back, up to a rigid motion: the same stresses."""
    body = deformable_body(0, wedge(), BOX, 2000.0, Elastic(YOUNG, 0.2, kind, 2), axis)
    u = np.random.default_rng(1).normal(size=body.mesh.node.shape)
    force = (body.stiffness @ u.ravel()).reshape(-1, 3)
    free = FreeBody(body)
    assert free.imbalance(force) < 1e-12
    again = (body.stiffness @ free.displacement(force).ravel()).reshape(-1, 3)
    assert np.abs(again - force).max() < 1e-10 * np.abs(force).max()
