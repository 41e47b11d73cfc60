"""Newton's method where it is hard: moments alone, light blocks between heavy ones, sliding collapse, Coulomb's law."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from block_problems import CORNERS, GRAVITY, ground, stack
from masonry import box, ferris_tin_loi, pushed, static
from nscd_engine.solvers import newton
from nscd_engine.solvers.fixed_point import FixedPoint
from nscd_engine.solvers.primal_system import System
from nscd_engine.solvers.solution import Warm

FRICTION = 0.6


def chosen(**changes):
    values = dict(friction="associated", eps=(1e-5, 1e-8), tolerance=1e-10, max_iterations=None, threads=1)
    return SimpleNamespace(**dict(values, **changes))


def without_contacts(problem):
    fields = ("body", "arm", "frame", "bias", "friction", "compliance")
    return problem._replace(**{name: getattr(problem, name)[:0] for name in fields})


@pytest.mark.short
def test_spin_alone_counts_as_out_of_balance():
    """Bodies that only turn, and touch nothing: the system must move to their spin, not call zero balanced."""
    problem = without_contacts(stack(2))
    problem.v_free[:] = 0.0
    problem.v_free[1, 3:] = [1.0, -2.0, 3.0]
    system = System(problem)
    system.regularise(1e-5)
    assert system.size > 0.1
    assert system.descend(1e-12, 5)
    assert np.abs(system.velocity() - problem.v_free).max() < 1e-12


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_judging_moments_does_not_depend_on_the_unit_of_length(scale):
    """The same bodies drawn `scale` times as large, turning at the same rate of turn: velocities scale, sizes agree."""

    def share(length):
        problem = ground(CORNERS, gravity=(0.0, 0.0, -GRAVITY * length))
        problem = problem._replace(arm=problem.arm * length, inertia=problem.inertia * length**2)
        problem.v_free[0, 3:] = [0.0, 0.0, 40.0]
        system = System(problem)
        system.regularise(1e-5)
        return system.size, system.scale / length

    assert share(scale) == pytest.approx(share(1.0), rel=1e-9)


@pytest.mark.short
@pytest.mark.parametrize("torsion, torque, near", [("corners", np.sqrt(0.5), 1e-3), ("auto", 0.3826, 1e-2)])
def test_v55_cube_twisted_by_a_couple(torsion, torque, near):
    """Two opposite loads, no resultant. Uniform pressure on a unit square resists mu W 0.3826 m. Its corners hold
    mu W / sqrt(2): they share the weight by symmetry, and no other share gives more. A joint may be 0.5 % beyond its
    resistance before its friction is reduced."""
    weight = 2400.0 * GRAVITY
    blocks = [box((-1.0, -1.0, -0.5), (2.0, 2.0, 0.0), True), box((0.0, 0.0, 0.0), (1.0, 1.0, 1.0))]
    for share, expected in ((1.0 - near, "stable"), (1.0 + near, "collapse")):
        force = share * FRICTION * weight * torque  # with a lever of 1 m
        loads = [
            {"block": 1, "point": [1.0, 0.5, 0.5], "force": [0.0, force, 0.0]},
            {"block": 1, "point": [0.0, 0.5, 0.5], "force": [0.0, -force, 0.0]},
        ]
        assert static({"blocks": blocks, "mu": FRICTION, "loads": loads}, torsion=torsion)["verdict"] == expected


@pytest.mark.parametrize("which, share", [(1, 1.0), (2, 0.8), (4, 0.6)])
def test_walls_far_beyond_their_limit(which, share):
    """Most joints slide: converged, and in fewer than a hundred iterations."""
    reply = static(pushed(ferris_tin_loi(which), share), max_iterations=None)
    assert reply["status"] == "converged" and reply["verdict"] == "collapse"
    assert reply["residual"] <= 1e-10 and reply["iterations"] < 100


@pytest.mark.parametrize("which, share", [(1, 0.9), (2, 0.7)])
def test_sliding_walls_by_coulombs_law(which, share):
    """Converged to De Saxce's form, and Coulomb's law holds: friction at its limit, against the motion, no opening."""
    reply = static(pushed(ferris_tin_loi(which), share), friction="coulomb", max_iterations=None)
    assert reply["status"] == "converged" and reply["verdict"] == "collapse" and reply["residual"] <= 1e-10
    assert reply["cone_violation"] < 1e-12 and reply["wrong_friction_power"] < 1e-10
    normal, slip, opening, force = _joint_motion(reply)
    pressed = normal > 1e-6 * normal.max()
    slides = pressed & (np.linalg.norm(slip, axis=1) > 1e-4)
    assert slides.any() and np.abs(opening[pressed]).max() < 1e-7
    along = (force * slip).sum(axis=1) / np.linalg.norm(slip, axis=1).clip(1e-30)
    assert np.allclose(along[slides], -0.65 * normal[slides], rtol=1e-4)


def _joint_motion(reply):
    """Per contact: normal force, slip (C, 3) and opening of b relative to a over |gravity| h, force on b (C, 3)."""
    count = np.diff(reply["contact_start"])
    body, n = np.repeat(reply["interface_body"], count, axis=0), np.repeat(reply["interface_normal"], count, axis=0)
    arm = reply["contact_point"][:, None] - reply["centroid"][body]
    v = reply["velocity"][body]
    at = v[..., :3] + np.cross(v[..., 3:], arm)
    u = at[:, 1] - at[:, 0]
    opening, force = (u * n).sum(axis=1), reply["contact_force"]
    return (force * n).sum(axis=1), u - opening[:, None] * n, opening, force


def test_not_converged_is_said():
    """Too few iterations for a sliding wall: the status says so, and the verdict comes with a warning."""
    reply = static(pushed(ferris_tin_loi(2), 0.8), max_iterations=5)
    assert reply["status"] in ("exhausted", "stalled")
    assert "not_converged" in [warning["code"] for warning in reply["warnings"]]


@pytest.mark.shared
@pytest.mark.parametrize("share", [0.35, 0.6])
def test_spandrel_wall_beyond_its_limit(scenes_dir, share):
    """Blocks wedge: their impulses take many rounds to grow, but they arrive."""
    scene = json.loads((scenes_dir / "spandrel.json").read_text(encoding="utf-8"))
    reply = static(pushed(scene, share), max_iterations=None)
    assert reply["status"] == "converged" and reply["verdict"] == "collapse" and reply["residual"] <= 1e-10


def test_light_blocks_between_heavy_ones_slide():
    """Masses from 1 to 10^4 on a table too steep: all slide, and the light ones are as right as the heavy ones."""
    problem = stack(6, gravity=(GRAVITY * 0.7, 0.0, -GRAVITY), friction=0.3, masses=[1e4, 1.0, 1e4, 1.0, 1e4, 1.0])
    _, report = newton.solve(problem, Warm(), chosen(friction="coulomb"))
    assert report.status == "converged" and report.residual <= 1e-10


def test_opening_settles_where_plain_iteration_diverges():
    """s = A s + b with eigenvalues of A down to -1.5: taking over what is found would diverge."""
    slope, right = np.array([-1.5, -1.0, 0.3, 0.0]), np.array([5.0, 4.0, 0.7, 1.0])
    opening = FixedPoint(np.zeros(4))
    for _ in range(25):
        opening.update(slope * opening.now + right)
    assert opening.now == pytest.approx([2.0, 2.0, 1.0, 1.0], abs=1e-9)
