"""Planar models: the answer of the model in space where both apply, and nothing moves out of the plane."""

import numpy as np
import pytest

from compas_nscd.errors import GeometryError
from masonry import box, circular_arch, static, tilted, verdict
from motion_helpers import run, upright, with_spheres
from nscd_engine.core.settings import Settings
from nscd_engine.motion.moreau_jean import Scheme
from solids import prism


def planar(scene, axis="y"):
    return dict(scene, planar=axis)


def resultants(reply):
    """Force and moment about the origin of every interface (I, 6)."""
    of = np.repeat(np.arange(len(reply["interface_area"])), np.diff(reply["contact_start"]))
    wrench = np.hstack([reply["contact_force"], np.cross(reply["contact_point"], reply["contact_force"])])
    total = np.zeros((len(reply["interface_area"]), 6))
    np.add.at(total, of, wrench)
    return total


@pytest.mark.short
@pytest.mark.parametrize("thickness", [0.15, 0.3])
def test_arch_has_the_forces_of_the_arch_in_space(thickness):
    """The joints of the section, extruded, are those of the arch: the two problems are the same but for rounding."""
    scene = tilted(circular_arch(15, thickness), 0.02)
    space, plane = static(scene), static(planar(scene))
    assert space["verdict"] == plane["verdict"] == "stable"
    expected = resultants(space)
    np.testing.assert_allclose(resultants(plane), expected, atol=1e-9 * np.abs(expected).max())
    assert plane["unbalanced_max"] < 1e-9


def test_arch_stands_and_falls_at_the_same_thickness():
    """V20 of the project's list: 0.10607 of the radius for 15 voussoirs."""
    assert verdict(planar(circular_arch(15, 0.10607 * 1.001))) == "stable"
    assert verdict(planar(circular_arch(15, 0.10607 * 0.999))) == "collapse"


def overhanging(axis):
    """A block that reaches over the edge of its support along an axis."""
    low = np.zeros(3)
    low[axis] = 0.6
    low[2] = 1.0
    return {"blocks": [box((0, 0, 0), (1, 1, 1), support=True), box(low, low + 1.0)], "mu": 0.6}


@pytest.mark.short
def test_what_would_fall_out_of_the_plane_stands():
    assert verdict(overhanging(1)) == "collapse"
    assert verdict(planar(overhanging(1))) == "stable"
    assert verdict(planar(overhanging(0), [0.0, -2.0, 0.0])) == "collapse"
    assert verdict(planar(overhanging(0), "x")) == "stable"


def test_lean_out_of_the_plane_is_taken_by_the_lock():
    """Gravity along the axis as well: the joint carries the part in the plane, and none of its friction is used."""
    scene = dict(overhanging(1), gravity=[0.0, 9.81, -9.81], planar="y")
    reply = static(scene)
    assert reply["verdict"] == "stable"
    load = 2400.0 * 9.81
    np.testing.assert_allclose(reply["contact_force"].sum(axis=0), [0.0, 0.0, load], atol=1e-9 * load)


def test_triangular_patch_counts_as_its_section():
    """A wedge in plan stands on three corners: in the section on a line of its full length."""
    vertices, faces = prism([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)])
    wedge = {"vertices": vertices.tolist(), "faces": faces, "support": False, "density": 2400.0}
    blocks = [box((-3, -3, -1), (3, 3, 0), support=True), wedge]
    reply = static({"blocks": blocks, "mu": 0.6, "planar": "y"})
    assert reply["verdict"] == "stable"
    found = sorted(map(tuple, np.round(reply["contact_point"], 9).tolist()))
    assert found == [(0.0, 0.0, 0.0), (0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0)]


def test_joints_across_the_plane_carry_nothing():
    blocks = [box((0, 0, -1), (1, 2, 0), support=True), box((0, 0, 0), (1, 1, 1)), box((0, 1, 0), (1, 2, 1))]
    reply = static({"blocks": blocks, "mu": 0.6, "planar": "y"})
    assert reply["interface_body"].tolist() == [[0, 1], [0, 2]]
    assert [w["code"] for w in reply["warnings"]] == ["out_of_plane"] and reply["verdict"] == "stable"


def test_blocks_that_are_no_extrusion_are_refused():
    ramp = upright([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)], 1.0)
    slope = upright([(1.0, 0.0), (1.0, 1.0), (0.0, 1.0)], 1.0)
    blocks = [
        {"vertices": v.tolist(), "faces": f, "support": k == 0, "density": 2000.0}
        for k, (v, f) in enumerate([ramp, slope])
    ]
    assert static({"blocks": blocks, "mu": 2.0, "planar": "y"})["verdict"] == "stable"
    with pytest.raises(GeometryError, match="lean out") as raised:
        static({"blocks": blocks, "mu": 2.0, "planar": "x"})
    assert raised.value.blocks == ["0", "1"]


def test_motion_stays_in_the_plane():
    """Gravity that pulls across the plane does not move a disc."""
    slab = upright([(-2.0, -1.0), (2.0, -1.0), (2.0, 0.0), (-2.0, 0.0)], 1.0)
    model = with_spheres([slab], [(0.0, -0.5, 0.2)], 0.2, disc_depth=0.5, planar=(0.0, 1.0, 0.0))
    end = run(model._replace(gravity=np.array([0.0, 5.0, -9.81])), 0.2, Scheme(5e-3), Settings()).state
    np.testing.assert_allclose(end.position[1], [0.0, -0.5, 0.2], atol=1e-7)


def test_motion_of_blocks_behind_each_other():
    """Their common face does not lie in the section: one falls past the other."""
    solids = [upright([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)], 1.0)]
    solids.append((solids[0][0] + [0.2, 1.0, 0.0], solids[0][1]))
    model = with_spheres(solids, [], 0.0, planar=(0.0, 1.0, 0.0))
    end = run(model, 0.1, Scheme(1e-3), Settings()).state
    # Implicit Euler is ahead by g h t / 2.
    fallen = 0.5 * 9.81 * 0.1 * (0.1 + 1e-3)
    np.testing.assert_allclose(end.position[1] - model.bodies.centroid[1], [0.0, 0.0, -fallen], atol=1e-12)
